#include "process/vdso.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <inlinecall/image.h>

// The vDSO in this process; NULL data if there is none.
static struct ic_bytes find_own(void)
{
	struct ic_bytes found = { NULL, 0 };
	FILE *maps = fopen("/proc/self/maps", "re");
	uintptr_t start, end;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[vdso]") &&
		    sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &start, &end) == 2)
			found = (struct ic_bytes){ (const uint8_t *)start, end - start };
	if (maps)
		fclose(maps);
	return found;
}

static bool has_build_id(struct ic_bytes file, struct ic_bytes wanted, struct ic_error *err)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	const uint8_t *build_id;
	struct ic_image *image =
		ic_image_open_memory(file.data, file.size, "[vdso]", &options, err);

	if (!image)
		return false;
	size_t size = ic_image_build_id(image, &build_id);
	bool ok = size == wanted.size && memcmp(build_id, wanted.data, size) == 0;
	ic_image_free(image);
	return ok || ic_fail(err, IC_ERROR_MISMATCH, "not the vDSO of the running kernel");
}

bool ic_vdso_map(struct ic_space *space, uint64_t start, struct ic_bytes build_id,
		 struct ic_error *err)
{
	struct ic_bytes file = find_own();

	if (!file.data)
		return ic_fail(err, IC_ERROR_NOT_FOUND, "this process has no vDSO");
	if (build_id.size > 0 && !has_build_id(file, build_id, err))
		return false;
	return ic_space_add_memory(space, start, start + file.size, "[vdso]", file) ||
	       ic_fail_memory(err);
}
