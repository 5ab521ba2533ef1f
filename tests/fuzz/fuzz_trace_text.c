// Fuzzes the reading of traces: what `inlinecall addr --filter` finds in text.
// Wanted: mentions from left to right, each within its line, and so what a kernel says of itself.
#include "kernel_facts.h"
#include "trace_text.h"

#include <string.h>

#include "fuzz_input.h"

static void check_slice(struct cli_slice slice, const char *line, size_t size)
{
	if (!slice.text)
		return;
	PROMISE(slice.text >= line && slice.text <= line + size);
	PROMISE(slice.size <= (size_t)(line + size - slice.text));
}

static void check_line(struct cli_trace *trace, const uint8_t *data, size_t size)
{
	char *line = malloc(size + !size); // so that a read beyond it is seen
	struct cli_mention mention;
	size_t last = 0, count = 0;

	if (!line)
		abort();
	memcpy(line, data, size);
	struct cli_kernel_fact fact = cli_kernel_fact_read((struct cli_slice){ line, size });
	check_slice(fact.release, line, size);
	check_slice(fact.build_id, line, size);
	cli_trace_line(trace, line, size);
	while (cli_trace_next(trace, &mention)) {
		PROMISE(mention.start >= last && mention.start < size);
		PROMISE(mention.name.text ? mention.name.size > 0
					  : mention.has_addr || mention.origin != CLI_ORIGIN_NONE);
		PROMISE(mention.has_size || mention.size == 0);
		check_slice(mention.name, line, size);
		check_slice(mention.module, line, size);
		check_slice(mention.object, line, size);
		check_slice(mention.label, line, size);
		check_slice(mention.build_id, line, size);
		last = mention.start;
		count++;
	}
	PROMISE(count <= size / 3); // "a+1"
	PROMISE(!cli_trace_next(trace, &mention));
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct cli_trace trace = { .return_addresses = fuzz_take_u8(&in) & 1 };

	while (in.pos < in.end) {
		const uint8_t *newline = memchr(in.pos, '\n', (size_t)(in.end - in.pos));
		const uint8_t *end = newline ? newline : in.end;
		check_line(&trace, in.pos, (size_t)(end - in.pos));
		in.pos = newline ? newline + 1 : in.end;
	}
	return 0;
}
