// Fuzzes the reading of traces: what `inlinecall addr --filter` finds in text.
// Wanted: mentions from left to right, each within its line but for names of Go; facts about the
// kernel within it too.
#include <string.h>

#include <inlinecall/extra/mentions.h>

#include "fuzz_input.h"

static void check_span(struct ic_span span, const char *line, size_t size)
{
	if (!span.text)
		return;
	PROMISE(span.text >= line && span.text <= line + size);
	PROMISE(span.size <= (size_t)(line + size - span.text));
}

// In a traceback of Go the name is that of the line before, which may be gone: it is read here.
static void check_name(const struct ic_mention *mention, const char *line, size_t size)
{
	struct ic_span name = mention->name;
	char copy[1024];

	if (!name.text || (name.text >= line && name.text <= line + size)) {
		check_span(name, line, size);
		return;
	}
	PROMISE(name.size <= sizeof(copy) && memchr(line, '\t', size));
	memcpy(copy, name.text, name.size);
}

static void check_line(struct ic_mentions *mentions, const uint8_t *data, size_t size)
{
	char *line = malloc(size + !size); // so that a read beyond it is caught
	struct ic_mention mention;
	struct ic_kernel_fact fact;
	size_t last = 0, count = 0;

	if (!line)
		abort();
	memcpy(line, data, size);
	PROMISE(ic_kernel_fact_read(line, size, &fact) == (fact.kind != IC_KERNEL_NONE));
	check_span(fact.release, line, size);
	check_span(fact.build_id, line, size);
	ic_mentions_begin(mentions, line, size);
	while (ic_mentions_next(mentions, &mention)) {
		PROMISE(mention.start >= last && mention.start < size);
		PROMISE(mention.name.text
				? mention.name.size > 0
				: mention.has_addr || mention.origin != IC_MENTION_ORIGIN_NONE);
		PROMISE(mention.has_size || mention.size == 0);
		PROMISE(mention.origin <= IC_MENTION_ORIGIN_FILE);
		PROMISE(mention.map_size == 0 || mention.has_addr);
		check_name(&mention, line, size);
		check_span(mention.module, line, size);
		check_span(mention.object, line, size);
		check_span(mention.label, line, size);
		check_span(mention.build_id, line, size);
		last = mention.start;
		count++;
	}
	PROMISE(count <= size / 3); // "a+1"
	PROMISE(!ic_mentions_next(mentions, &mention));
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	const struct ic_mentions_options options = { .return_addresses = fuzz_take_u8(&in) & 1 };
	struct ic_mentions *mentions = ic_mentions_new(&options, NULL);

	if (!mentions)
		abort();
	while (in.pos < in.end) {
		const uint8_t *newline = memchr(in.pos, '\n', (size_t)(in.end - in.pos));
		const uint8_t *end = newline ? newline : in.end;
		check_line(mentions, in.pos, (size_t)(end - in.pos));
		in.pos = newline ? newline + 1 : in.end;
	}
	ic_mentions_free(mentions);
	return 0;
}
