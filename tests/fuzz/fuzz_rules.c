// Fuzzes the reading of rules: what `inlinecall check` takes from its file.
// Wanted: each line adds one rule, or none; the text of a rule is a rule again, and the same.
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra/rules.h>

#include "fuzz_input.h"

static void check_rule(const struct ic_rules *rules, size_t number)
{
	struct ic_rule rule, again;
	struct ic_rule_break broken;
	struct ic_error err;

	PROMISE(ic_rules_get(rules, number, &rule));
	PROMISE(rule.state != IC_RULE_BROKEN && rule.break_count == 0 && rule.functions == 0);
	PROMISE(!ic_rules_break(rules, number, 0, &broken));
	fuzz_read_text(rule.text, NULL);
	if (rule.reason)
		fuzz_read_text(rule.reason, NULL);
	struct ic_rules *other = ic_rules_new(&err);
	if (!other)
		abort();
	PROMISE(ic_rules_add(other, NULL, 1, rule.text, &err));
	PROMISE(ic_rules_get(other, 0, &again) && strcmp(again.text, rule.text) == 0);
	PROMISE(again.limit == rule.limit && !again.reason);
	ic_rules_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ic_error err;
	struct ic_rules *rules = ic_rules_new(&err);
	char *text = malloc(size + 1);
	uint32_t number = 0;

	if (!rules || !text)
		abort();
	memcpy(text, data, size);
	text[size] = 0;
	for (char *line = text, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = 0;
		size_t count = ic_rules_count(rules);
		bool ok = ic_rules_add(rules, "rules", ++number, line, &err);
		PROMISE(ic_rules_count(rules) <= count + ok);
	}
	for (size_t i = 0; i < ic_rules_count(rules) && i < 64; i++)
		check_rule(rules, i);
	ic_rules_free(rules);
	free(text);
	return 0;
}
