// Fuzzes whole ELF files while an allocation, or the start of a thread, fails.
// Wanted: an error, or the same index and the same reports as with enough memory; and nothing is
// leaked.
#include <inlinecall/image.h>
#include <inlinecall/index.h>

#include "alloc_meter.h"
#include "api_walk.h"
#include "fuzz_input.h"
#include "model_check.h"
#include "open_guard.h"

struct result {
	struct ic_image *image;
	struct ic_index *index; // NULL: see err
	bool walked;            // false: see err
	uint64_t hash;          // of all reports
	struct ic_error err;
};

static struct result open_and_build(const char *path, uint32_t jobs)
{
	static const char *const nowhere[] = { "/nonexistent" };
	const struct ic_image_options image_options = { .debug_dirs = nowhere,
							.debug_dir_count = 1 };
	const struct ic_index_options options = { .jobs = jobs, .calls = true, .entries = true };
	struct result result = { .image = NULL };

	result.image = ic_image_open(path, &image_options, &result.err);
	if (result.image)
		result.index = ic_index_build(result.image, &options, &result.err);
	if (result.index)
		result.walked = api_walk(result.image, result.index, &result.hash, &result.err);
	if (!result.walked)
		PROMISE_REASON(result.err);
	return result;
}

static void release(struct result *result)
{
	ic_index_free(result->index);
	ic_image_free(result->image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	uint16_t at = fuzz_take_u16(&in);
	size_t before = alloc_meter_live();
	const char *path = open_guard_put(in.pos, (size_t)(in.end - in.pos));

	alloc_meter_start(0, false);
	struct result whole = open_and_build(path, 1);
	// One of the calls that were counted.
	alloc_meter_start(at % (alloc_meter_calls() + 1), choice & 1);
	struct result result = open_and_build(path, choice & 2 ? 2 : 1);
	alloc_meter_stop();
	if (result.index) {
		PROMISE(whole.index);
		model_check(result.index);
		model_check_same(whole.index, result.index);
	}
	if (result.walked)
		PROMISE(whole.walked && result.hash == whole.hash);
	else if (whole.walked)
		PROMISE(result.err.code == IC_ERROR_MEMORY);
	release(&result);
	release(&whole);
	PROMISE(alloc_meter_live() == before);
	return 0;
}
