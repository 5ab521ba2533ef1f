#include "profile/file_map.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "elf/files/build_id.h"
#include "process/modules.h"
#include "process/vdso.h"
#include "profile/recorded_kernel.h"

static bool map_path(const struct ic_profile_file *file, const char *path,
		     const struct ic_mapped_part *part, struct ic_space *space,
		     struct ic_error *err)
{
	const struct ic_space_mapping mapping = { .start = part->start,
						  .end = part->end,
						  .offset = part->offset,
						  .has_addr = file->has_addr,
						  .path = path,
						  .build_id = file->build_id,
						  .build_id_size = file->build_id_size };

	return ic_space_add(space, &mapping, err);
}

// The vDSO of another kernel is available if perf cached it, next to the debug files.
static bool map_vdso(const struct ic_profile *profile, const struct ic_profile_file *file,
		     const struct ic_mapped_part *part, struct ic_space *space,
		     struct ic_error *err)
{
	const struct ic_image_options *options = ic_modules_image_options(profile->modules);
	const struct ic_bytes id = { file->build_id, file->build_id_size };
	char path[PATH_MAX];

	for (uint32_t i = 0; id.size == 0 && i < profile->kernels.count; i++)
		if (!ic_profile_kernel_is_of_this_release(&profile->kernels.items[i]))
			return true; // any will do
	if (ic_vdso_map(space, part->start, id, err))
		return true;
	for (size_t i = 0; err->code == IC_ERROR_MISMATCH && i < options->debug_dir_count; i++)
		if (ic_build_id_path(id, options->debug_dirs[i], "/vdso", path, sizeof(path)) &&
		    access(path, R_OK) == 0)
			return map_path(file, path,
					&(struct ic_mapped_part){ part->start, part->end, 0 },
					space, err);
	return false;
}

bool ic_profile_file_map(const struct ic_profile *profile, const struct ic_profile_file *file,
			 const struct ic_mapped_part *part, struct ic_space *space,
			 struct ic_error *err)
{
	char *path;

	if (file->kind == IC_PROFILE_VDSO)
		return map_vdso(profile, file, part, space, err);
	if (file->kind != IC_PROFILE_DISK)
		return true;
	const char *sysroot = profile->sysroot ? profile->sysroot : "";
	bool is_name = *sysroot && *file->path != '/'; // without a directory
	if (asprintf(&path, "%s%s%s", sysroot, is_name ? "/" : "", file->path) < 0)
		return ic_fail_memory(err);
	bool ok = map_path(file, path, part, space, err);
	free(path);
	return ok;
}
