// Fuzzes the reading of what a kernel says of itself: /proc/kallsyms and /proc/modules.
// Wanted: words within the text, and an end.
#include "proc_text.h"

#include <string.h>

#include "fuzz_input.h"

static void check_word(const struct cli_proc_text *text, struct cli_word word, bool may_be_empty)
{
	if (word.size == 0) {
		PROMISE(may_be_empty);
		return;
	}
	PROMISE(word.text >= text->data && word.text < text->data + text->size);
	PROMISE(word.size <= (size_t)(text->data + text->size - word.text));
	PROMISE(!memchr(word.text, '\n', word.size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cli_proc_text text;
	struct cli_kallsym symbol;
	struct cli_proc_module module;
	size_t at = 0, last = 0;

	cli_proc_text_init(&text, "fuzz");
	text.data = malloc(size + !size);
	if (!text.data)
		abort();
	memcpy(text.data, data, size);
	text.size = text.capacity = size;
	text.opened = text.ended = true;
	for (; cli_kallsym_next(&text, &at, &symbol); last = at) {
		PROMISE(at > last && at <= size);
		check_word(&text, symbol.name, false);
		check_word(&text, symbol.module, true);
	}
	for (at = last = 0; cli_proc_module_next(&text, &at, &module); last = at) {
		PROMISE(at > last && at <= size);
		check_word(&text, module.name, false);
	}
	PROMISE(!text.failed);
	cli_proc_text_deinit(&text);
	return 0;
}
