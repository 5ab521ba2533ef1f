#include "affected_walk.h"

#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/affected.h>
#include <inlinecall/extra/report.h>
#include <inlinecall/extra/rows.h>
#include <inlinecall/extra/rules.h>
#include <inlinecall/extra/sites.h>

#include "fuzz_input.h"

static void mix(uint64_t *hash, uint64_t number)
{
	*hash = (*hash ^ number) * 0x100000001b3; // FNV
}

static void check_hosts(const struct ic_affected *affected, size_t number,
			const struct ic_affected_function *function, uint64_t *hash)
{
	uint64_t copies = 0, without_code = 0;
	struct ic_affected_host host;
	size_t count = 0;

	while (ic_affected_host(affected, number, count, &host)) {
		PROMISE(host.range.start < host.range.end);
		for (size_t i = 0; i < host.symbol_count; i++)
			fuzz_read_text(host.symbols[i], NULL);
		copies += host.copies;
		without_code += host.without_code;
		mix(hash, host.range.start);
		mix(hash, host.size);
		count++;
	}
	PROMISE(count == function->host_count);
	PROMISE(copies == function->copies && without_code == function->without_code);
}

static bool write_rows(const struct ic_affected *affected, enum ic_report_format format,
		       struct ic_error *err)
{
	const struct ic_report_options options = { .format = format };
	FILE *out = fopen("/dev/null", "w");

	if (!out)
		abort();
	struct ic_report *report = ic_report_new(IC_ROWS_AFFECTED, &options, out, err);
	struct ic_rows *rows = report ? ic_rows_of_affected(affected, NULL, err) : NULL;
	bool ok = rows && (ic_report_rows(report, rows), ic_report_end(report, err));
	ic_rows_free(rows);
	ic_report_free(report);
	fclose(out);
	return ok;
}

static bool check_query(const struct ic_index *index, const struct ic_affected_query *query,
			uint64_t *hash, struct ic_error *err)
{
	struct ic_affected *affected = ic_affected_find(index, query, err);
	struct ic_affected_function function;
	bool ok = affected != NULL;

	for (size_t i = 0; ok && ic_affected_get(affected, i, &function); i++) {
		PROMISE(!query->functions == !function.asked);
		PROMISE(function.state != IC_AFFECTED_ABSENT || function.host_count == 0);
		check_hosts(affected, i, &function, hash);
	}
	for (unsigned format = IC_REPORT_TEXT; ok && format <= IC_REPORT_CSV; format++)
		ok = write_rows(affected, (enum ic_report_format)format, err);
	ic_affected_free(affected);
	return ok;
}

static void close_readers(struct ic_rule_readers *readers)
{
	ic_call_frames_free(readers->call_frames);
	ic_symbolizer_free(readers->symbolizer);
}

// False if the library failed, other than for lack of call frames.
static bool open_readers(struct ic_rule_readers *readers, struct ic_image *image,
			 struct ic_error *err)
{
	readers->call_frames = ic_call_frames_open(image, err);
	if (!readers->call_frames && (err->code == IC_ERROR_MEMORY || err->code == IC_ERROR_LIMIT))
		return false;
	readers->symbolizer = ic_symbolizer_new(image, NULL, err);
	if (!readers->symbolizer)
		close_readers(readers);
	return readers->symbolizer;
}

// Rules of all kinds about these functions: a rule that is broken has places, or a number.
static bool check_rules(struct ic_image *image, const struct ic_index *index,
			struct ic_parameters *parameters, uint64_t *hash, struct ic_error *err)
{
	static const char *const lines[] = {
		"never inline *",
		"always inline leaf",
		"never out-of-line leaf",
		"at most 1 copies of *a*",
		"bytes of * <= 10",
		"no call of * from *",
		"argument x of leaf readable at 50 % of its copies",
		"probe leaf hits every call",
		"stack of * <= 16",
		"probe a.c:5 hits every call",
		"not leaf into *",
		"leaf into * unless main",
	};
	struct ic_rule_readers readers = { .parameters = parameters };

	if (!open_readers(&readers, image, err))
		return false;
	struct ic_rules *rules = ic_rules_new(err);
	struct ic_rule_break broken;
	struct ic_rule rule;
	bool ok = rules != NULL;

	for (size_t i = 0; ok && i < sizeof(lines) / sizeof(*lines); i++)
		ok = ic_rules_add(rules, NULL, (uint32_t)i + 1, lines[i], err);
	ok = ok && ic_rules_check(rules, image, index, &readers, err);
	for (size_t i = 0; ok && ic_rules_get(rules, i, &rule); i++) {
		PROMISE(rule.listed_count <= rule.break_count);
		PROMISE(rule.state == IC_RULE_BROKEN || rule.break_count == 0);
		PROMISE((rule.state == IC_RULE_UNKNOWN) == (rule.why != NULL));
		if (rule.why)
			fuzz_read_text(rule.why, NULL);
		for (size_t j = 0; j < rule.listed_count; j++) {
			PROMISE(ic_rules_break(rules, i, j, &broken));
			if (broken.function)
				fuzz_read_text(broken.function, NULL);
			mix(hash, broken.address);
		}
	}
	ic_rules_free(rules);
	close_readers(&readers);
	return ok;
}

bool affected_walk(struct ic_image *image, const struct ic_index *index,
		   struct ic_parameters *parameters, uint64_t *hash, struct ic_error *err)
{
	const char *names[5];
	size_t count = ic_index_nearest_names(index, "leaf", names, 0, 4);

	names[count] = NULL;
	return check_query(index, &(struct ic_affected_query){ .functions = names }, hash, err) &&
	       check_query(index, &(struct ic_affected_query){ .hosts = names }, hash, err) &&
	       check_rules(image, index, parameters, hash, err);
}
