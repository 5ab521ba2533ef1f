// Fuzzes whole files, and writes what they say of functions, copies and lines in each format.
// Wanted: an error that says why, or a file that can be read; if there was no problem with the
// first one, without a problem, and with every copy that was written.
#include <inlinecall/extra/emit.h>
#include <inlinecall/extra/index.h>

#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"
#include "open_guard.h"

static const char *const nowhere[] = { "/nonexistent" };
static const struct ic_image_options options = { .debug_dirs = nowhere, .debug_dir_count = 1 };

static void read_back(const void *bytes, size_t size, const struct ic_emit_counts *wanted,
		      bool is_sound)
{
	const struct ic_index_options alone = { .jobs = 1 };
	struct ic_error err = { 0 };
	struct ic_image *image = ic_image_open_memory(bytes, size, "emitted", &options, &err);
	struct ic_index *index = image ? ic_index_build(image, &alone, &err) : NULL;

	if (err.code == IC_ERROR_MEMORY || err.code == IC_ERROR_LIMIT)
		wanted = NULL;
	else
		PROMISE(index);
	if (wanted && index && is_sound) {
		struct ic_index_counts counts = ic_index_count(index);
		PROMISE(counts.problems == 0);
		PROMISE(counts.inlined == wanted->copies);
	}
	ic_index_free(index);
	ic_image_free(image);
}

static void check(const struct ic_emit *emit)
{
	struct ic_index_problem problem;
	struct ic_emit_counts counts;
	struct ic_error err = { 0 };
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	ic_emit_count(emit, &counts);
	PROMISE(out);
	bool ok = ic_emit_write(emit, out, &err);
	PROMISE(fclose(out) == 0);
	if (!ok)
		PROMISE_REASON(err);
	else if (counts.units > 0)
		read_back(bytes, size, &counts, !ic_emit_problem_get(emit, 0, &problem));
	free(bytes);
}

static void check_format(struct ic_image *image, struct ic_emit_options how)
{
	struct ic_error err = { 0 };

	how.jobs = 1;
	struct ic_emit *emit = ic_emit_make(image, &how, &err);
	if (emit)
		check(emit);
	else
		PROMISE_REASON(err);
	ic_emit_free(emit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ic_image *image = ic_image_open(open_guard_put(data, size), &options, NULL);

	if (!image)
		return 0;
	for (uint32_t version = 4; version <= 5; version++)
		check_format(image, (struct ic_emit_options){
					    .version = version,
					    .compression = (enum ic_emit_compression)(size % 3) });
	for (int format = IC_EMIT_GSYM; format <= IC_EMIT_BREAKPAD; format++)
		check_format(image,
			     (struct ic_emit_options){ .format = (enum ic_emit_format)format });
	ic_image_free(image);
	return 0;
}
