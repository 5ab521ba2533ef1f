#include "profile/recorded_kernel.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include <inlinecall/extra/module_files.h>

#include "base/search.h"
#include "elf/files/build_id.h"
#include "process/modules.h"
#include "process/placement/proc_text.h"

enum { MOST_MODULE_NAME = 128, MOST_MODULES = 1 << 13 };

// ---- From the recording

uint32_t ic_profile_kernel_file(struct ic_profile *profile)
{
	const struct ic_profile_file file = { .path = "[kernel]",
					      .kind = IC_PROFILE_KERNEL,
					      .pid = profile->kernels.count - 1,
					      .is_kernel = true };

	return ic_profile_file_add(profile, &file);
}

// "ext4" from /lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz, and from [ext4]
static bool module_name(const char *path, char name[MOST_MODULE_NAME])
{
	size_t length = strlen(path);

	if (ic_module_name(path, length, name, MOST_MODULE_NAME))
		return true;
	if (length < 3 || length - 2 >= MOST_MODULE_NAME || path[0] != '[' ||
	    path[length - 1] != ']')
		return false;
	memcpy(name, path + 1, length - 2);
	name[length - 2] = '\0';
	return true;
}

static uint8_t copy_build_id(uint8_t to[20], struct ic_bytes build_id)
{
	if (build_id.size == 0 || build_id.size > 20)
		return 0;
	memcpy(to, build_id.data, build_id.size);
	return (uint8_t)build_id.size;
}

bool ic_profile_kernel_map(struct ic_profile *profile, const char *path, uint64_t start,
			   uint64_t size, uint64_t offset, struct ic_bytes build_id)
{
	struct ic_profile_kernel *kernel = ic_profile_kernel(profile);
	const char *symbol = strrchr(path, ']');
	char name[MOST_MODULE_NAME];

	if (symbol && strcmp(symbol, "]_text") == 0) {
		kernel->start = offset;
		kernel->build_id_size = copy_build_id(kernel->build_id, build_id);
		return true;
	}
	if (size == 0 || start + size < start || !module_name(path, name))
		return true;
	kernel->has_too_many = kernel->modules.count == MOST_MODULES;
	struct ic_profile_module *place = kernel->has_too_many ? NULL
							       : IC_ARRAY_PUSH(&kernel->modules);
	if (!place)
		return kernel->has_too_many;
	*place = (struct ic_profile_module){ .start = start,
					     .end = start + size,
					     .name = ic_profile_text(profile, name) };
	place->build_id_size = copy_build_id(place->build_id, build_id);
	return place->name != NULL;
}

// ---- Which kernel

bool ic_profile_kernel_is_of_this_release(const struct ic_profile_kernel *kernel)
{
	struct utsname name;

	return kernel->release && uname(&name) == 0 && strcmp(name.release, kernel->release) == 0;
}

// Whether a list of symbols is from the boot of the kernel in which it was recorded.
static bool is_list_of(const struct ic_profile_kernel *kernel, const char *kallsyms)
{
	struct ic_kallsym symbol;
	struct ic_proc_text text;
	uint64_t start = 0;
	size_t at = 0;

	ic_proc_text_init(&text, kallsyms);
	while (start == 0 && ic_kallsym_next(&text, &at, &symbol))
		if (ic_span_is(symbol.name, "_text"))
			start = symbol.addr;
	ic_proc_text_deinit(&text);
	return start != 0 && start == kernel->start;
}

// The list that perf cached for a kernel, next to the debug files. False if there is none.
static bool find_kept_list(const struct ic_profile *profile, const struct ic_profile_kernel *kernel,
			   char path[PATH_MAX])
{
	const struct ic_image_options *options = ic_modules_image_options(profile->modules);
	const struct ic_bytes id = { kernel->build_id, kernel->build_id_size };

	for (size_t i = 0; i < options->debug_dir_count; i++)
		if (ic_build_id_path(id, options->debug_dirs[i], "/kallsyms", path, PATH_MAX) &&
		    is_list_of(kernel, path))
			return true;
	return false;
}

// ---- Opening it

struct opening {
	struct ic_profile *profile;
	struct ic_profile_kernel *kernel;
};

static void note_missing(void *context, const char *module, const struct ic_error *err)
{
	const struct opening *opening = context;
	struct ic_profile_kernel *kernel = opening->kernel;
	const char *reason = ic_profile_text(opening->profile, err->message);

	opening->profile->problems.out_of_memory |= !reason;
	if (!module)
		kernel->missing = reason;
	for (uint32_t i = 0; module && i < kernel->modules.count; i++)
		if (strcmp(kernel->modules.items[i].name, module) == 0)
			kernel->modules.items[i].missing = reason;
}

static struct ic_kernel_loaded loaded_kernel(const struct ic_profile_kernel *kernel)
{
	return (struct ic_kernel_loaded){ .addr = kernel->start,
					  .build_id = kernel->build_id_size > 0 ? kernel->build_id
										: NULL,
					  .build_id_size = kernel->build_id_size };
}

static struct ic_kernel_loaded loaded_module(const struct ic_profile_module *module)
{
	return (struct ic_kernel_loaded){ .module = module->name,
					  .addr = module->start,
					  .build_id = module->build_id_size > 0 ? module->build_id
										: NULL,
					  .build_id_size = module->build_id_size };
}

// Opens a kernel that is not running here, or no longer running.
static bool read_other(struct opening *opening, struct ic_space_kernel_options *options,
		       struct ic_error *err)
{
	const struct ic_profile *profile = opening->profile;
	const struct ic_profile_kernel *kernel = opening->kernel;
	struct ic_kernel_loaded *loaded =
		ic_items_alloc(kernel->modules.count + 1ull, sizeof(*loaded));
	char boot[PATH_MAX], modules[PATH_MAX], kallsyms[PATH_MAX];
	const char *const dirs[] = { boot, modules };

	if (!loaded)
		return ic_fail_memory(err);
	loaded[0] = loaded_kernel(kernel);
	for (uint32_t i = 0; i < kernel->modules.count; i++)
		loaded[i + 1] = loaded_module(&kernel->modules.items[i]);
	options->loaded = loaded;
	options->loaded_count = kernel->modules.count + 1ull;
	options->release = kernel->release;
	if (find_kept_list(profile, kernel, kallsyms))
		options->kallsyms = kallsyms;
	if (profile->sysroot &&
	    snprintf(boot, sizeof(boot), "%s/boot", profile->sysroot) < PATH_MAX &&
	    snprintf(modules, sizeof(modules), "%s/lib/modules/%s", profile->sysroot,
		     kernel->release) < PATH_MAX) {
		options->dirs = dirs;
		options->dir_count = 2;
	}
	bool ok = ic_space_read_kernel(kernel->space, options, err);
	free(loaded);
	return ok;
}

static int compare_modules(const void *left, const void *right)
{
	const struct ic_profile_module *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

bool ic_profile_kernel_open(struct ic_profile *profile, struct ic_profile_kernel *kernel,
			    struct ic_error *err)
{
	struct opening opening = { profile, kernel };
	struct ic_space_kernel_options options = { .left_out = note_missing, .context = &opening };

	if (!kernel->release)
		return ic_fail(err, IC_ERROR_NOT_FOUND, "the release of the kernel is unknown");
	if (kernel->modules.count > 0)
		qsort(kernel->modules.items, kernel->modules.count, sizeof(*kernel->modules.items),
		      compare_modules);
	if (ic_profile_kernel_is_of_this_release(kernel) && is_list_of(kernel, "/proc/kallsyms"))
		return ic_space_read_kernel(kernel->space, &options, err);
	if (kernel->start == 0)
		return ic_fail(err, IC_ERROR_NOT_FOUND,
			       "kernel %.200s: its load address is unknown", kernel->release);
	return read_other(&opening, &options, err);
}

const char *ic_profile_kernel_missing(struct ic_profile_kernel *kernel, uint64_t addr)
{
	uint32_t count = ic_search_up_to(kernel->modules.items, sizeof(*kernel->modules.items),
					 kernel->modules.count, addr);
	struct ic_profile_module *module = count > 0 ? &kernel->modules.items[count - 1] : NULL;
	const char **place = module && addr < module->end ? &module->missing : &kernel->missing;
	const char *reason = *place;

	*place = NULL;
	return reason;
}
