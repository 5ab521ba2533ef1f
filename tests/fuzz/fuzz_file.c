// Fuzzes whole ELF files, and walks all that the public API returns for them.
// Wanted: an error that says why, or a sound index.
#include <inlinecall/image.h>
#include <inlinecall/index.h>

#include "api_walk.h"
#include "fuzz_input.h"
#include "model_check.h"
#include "open_guard.h"

static void check_image(struct ic_image *image, const char *path)
{
	const struct ic_index_options options = {
		.jobs = 1, .calls = true, .declarations = true, .parameters = true
	};
	struct ic_error err = { 0 };
	struct ic_index *index = ic_index_build(image, &options, &err);

	PROMISE(!strcmp(ic_image_path(image), path));
	fuzz_read_text(ic_image_debug_path(image), NULL);
	uint64_t hash;
	if (index) {
		model_check(index);
		PROMISE(api_walk(image, index, &hash, &err)); // memory suffices
	} else {
		PROMISE_REASON(err);
	}
	ic_index_free(index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const nowhere[] = { "/nonexistent" };
	const struct ic_image_options options = { .debug_dirs = nowhere, .debug_dir_count = 1 };
	const char *path = open_guard_put(data, size);
	struct ic_error err = { 0 };
	struct ic_image *image = ic_image_open(path, &options, &err);

	if (image)
		check_image(image, path);
	else
		PROMISE_REASON(err);
	ic_image_close(image);
	return 0;
}
