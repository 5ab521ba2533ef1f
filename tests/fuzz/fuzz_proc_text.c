// Fuzzes the reading of what a kernel says of itself and of processes: /proc/kallsyms,
// /proc/modules, and lines of /proc/PID/maps.
// Wanted: words within the text, and an end; mappings that are not empty, with whole names.
#include <string.h>

#include "process/placement/proc_text.h"
#include "process/proc_maps.h"

#include "fuzz_input.h"
#include "fuzz_reader.h"

static void check_word(const struct ic_proc_text *text, struct ic_span word, bool may_be_empty)
{
	if (word.size == 0) {
		PROMISE(may_be_empty);
		return;
	}
	PROMISE(word.text >= text->data && word.text < text->data + text->size);
	PROMISE(word.size <= (size_t)(text->data + text->size - word.text));
	PROMISE(!memchr(word.text, '\n', word.size));
}

static void check_map_line(const uint8_t *data, size_t size)
{
	char *line = malloc(size + 1);
	struct ic_map_line map;

	if (!line)
		abort();
	memcpy(line, data, size);
	line[size] = 0;
	if (ic_map_line_parse(&map, line)) {
		PROMISE(map.start < map.end);
		PROMISE(map.name >= line && map.name <= line + size);
		fuzz_read_text(map.name, NULL);
	}
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ic_proc_text text;
	struct ic_kallsym symbol;
	struct ic_proc_module module;
	size_t at = 0, last = 0;

	ic_proc_text_init(&text, "fuzz");
	text.data = malloc(size + !size);
	if (!text.data)
		abort();
	memcpy(text.data, data, size);
	text.size = text.capacity = size;
	text.opened = text.ended = true;
	for (; ic_kallsym_next(&text, &at, &symbol); last = at) {
		PROMISE(at > last && at <= size);
		check_word(&text, symbol.name, false);
		check_word(&text, symbol.module, true);
	}
	for (at = last = 0; ic_proc_module_next(&text, &at, &module); last = at) {
		PROMISE(at > last && at <= size);
		check_word(&text, module.name, false);
	}
	check_map_line(data, size);
	PROMISE(text.err.code == IC_ERROR_NONE);
	ic_proc_text_deinit(&text);
	return 0;
}
