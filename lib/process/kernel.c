#include "process/kernel.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <inlinecall/extra/module_files.h>
#include <inlinecall/extra/symbolizer.h>

#include "base/arena.h"
#include "base/search.h"
#include "elf/files/build_id.h"
#include "elf/finding/debug_dirs.h"
#include "elf/finding/debuginfod.h"
#include "elf/image/image.h"
#include "process/placement/placement.h"

struct reading {
	struct ic_kernel *kernel;
	struct ic_modules *modules;
	const struct ic_space_kernel_options *options;
	const char *release;
	struct ic_placements *placements;
	struct ic_module_files *files;
	IC_ARRAY(const char *) names; // of loaded modules, each once
	struct ic_arena arena;        // owns the names
	bool out_of_memory;
};

// ---- Placing

static bool add_part(struct reading *reading, struct ic_module *module, uint64_t given,
		     uint64_t start, uint64_t end)
{
	struct ic_kernel_part *part = IC_ARRAY_PUSH(&reading->kernel->parts);

	if (!part)
		return false;
	*part = (struct ic_kernel_part){ given, given + (end - start), start, module };
	ic_module_share(reading->modules, module);
	return true;
}

// The parts of a linked file's code that are in the window.
static bool add_segments(struct reading *reading, struct ic_module *module,
			 const struct ic_elf_file *file, const struct ic_window *window)
{
	for (uint32_t i = 0; i < file->layout.code_segment_count; i++) {
		struct ic_range range = file->layout.code_segments[i].range;
		if (range.start < window->start)
			range.start = window->start;
		if (range.start >= range.end)
			continue;
		if (!add_part(reading, module, window->given + (range.start - window->start),
			      range.start, range.end))
			return false;
	}
	return true;
}

static bool add_windows(struct reading *reading, struct ic_module *module,
			const struct ic_module_open *open, const struct ic_placement *placement)
{
	const struct ic_window *windows;
	size_t count = ic_placement_windows(placement, &windows);
	struct ic_index_section section;
	bool ok = true;

	for (size_t i = 0; ok && i < count; i++) {
		const struct ic_window *window = &windows[i];
		uint64_t end = window->start + window->size;
		if (!ic_image_is_relocatable(open->image))
			ok = add_segments(reading, module, &open->image->file, window);
		else if (window->size > 0 && // the others are data
			 ic_symbolizer_section_at(open->symbolizer, window->start, &section))
			ok = add_part(reading, module, window->given, window->start, end);
	}
	return ok;
}

// Finds where an open file is loaded: the kernel, or a module with that name.
static bool place_open(struct reading *reading, struct ic_module *module,
		       const struct ic_module_open *open, const char *name, struct ic_error *err)
{
	const char *path = ic_module_key(module)->path;

	if (!open->symbolizer)
		return ic_fail(err, open->code, "%s", open->reason);
	if (ic_image_is_relocatable(open->image) != (name != NULL))
		return ic_fail(err, IC_ERROR_MISMATCH, "%s: %s", path,
			       name ? "not a kernel module: it is linked"
				    : "not a kernel: it is not linked");
	struct ic_placement *placement = ic_placement_find_named(reading->placements, open->image,
								 open->symbolizer, name, err);
	if (!placement)
		return false;
	bool is_found = ic_placement_status(placement) == IC_PLACEMENT_FOUND;
	bool ok = is_found ? add_windows(reading, module, open, placement) || ic_fail_memory(err)
			   : ic_fail(err, IC_ERROR_NOT_FOUND, "%s: load address is unknown", path);
	ic_placement_free(placement);
	return ok;
}

static bool place_file(struct reading *reading, const char *path, const char *name,
		       struct ic_error *err)
{
	const struct ic_module_place nowhere = { .pid = 0 };
	struct ic_module_key key = { .path = path, .has_file = true };

	const struct ic_kernel_loaded *loaded = ic_placements_loaded(reading->placements, name);
	if (loaded && loaded->build_id)
		key.build_id = (struct ic_bytes){ loaded->build_id, loaded->build_id_size };
	ic_module_key_pin(&key); // a replaced file may have other addresses
	struct ic_module *module = ic_module_take(reading->modules, &key);
	if (!module)
		return ic_fail_memory(err);
	const struct ic_module_open open = ic_module_hold(reading->modules, module, &nowhere);
	bool ok = place_open(reading, module, &open, name, err);
	ic_module_let_go(reading->modules, module);
	ic_module_release(reading->modules, module);
	return ok;
}

static void leave_out(const struct reading *reading, const char *name, const struct ic_error *err)
{
	if (reading->options->left_out)
		reading->options->left_out(reading->options->context, name, err);
}

// ---- Finding files

// Whether trying another file is pointless.
static bool is_fatal(const struct ic_error *err)
{
	return err->code == IC_ERROR_MEMORY || err->code == IC_ERROR_HIDDEN;
}

// Tries a file for the kernel; its name may include the release. A missing file is not an error.
// True if no other should be tried: *err then says whether this is the kernel's file.
static bool try_kernel(struct reading *reading, const char *directory, const char *name,
		       bool has_release, const char *rest, struct ic_error *err)
{
	char path[PATH_MAX];
	int size = snprintf(path, sizeof(path), "%s%s%s%s", directory, name,
			    has_release ? reading->release : "", rest);

	if (size < 0 || (size_t)size >= sizeof(path) || access(path, R_OK) != 0)
		return false;
	*err = (struct ic_error){ .code = IC_ERROR_NONE };
	return place_file(reading, path, NULL, err) || is_fatal(err);
}

static bool try_root(struct reading *reading, const char *root, struct ic_error *err)
{
	return try_kernel(reading, root, "/boot/vmlinux-", true, "", err) ||
	       try_kernel(reading, root, "/lib/modules/", true, "/vmlinux", err) ||
	       try_kernel(reading, root, "/lib/modules/", true, "/build/vmlinux", err);
}

// Tries files with the build ID of the kernel or of a module, in the directories for debug files.
// True if no other should be tried, as above.
static bool find_by_build_id(struct reading *reading, const char *name, struct ic_error *err)
{
	const struct ic_image_options *options = ic_modules_image_options(reading->modules);
	const struct ic_kernel_loaded *loaded = ic_placements_loaded(reading->placements, name);
	// Debug files, perf's cache of those and of files, and links to files.
	static const char *const names[] = { ".debug", "/debug", "/elf", "" };
	enum { NAMES = sizeof(names) / sizeof(*names) };
	char path[PATH_MAX], *downloaded;
	struct ic_error of_server;
	struct stat status;

	if (!loaded || !loaded->build_id)
		return false;
	const struct ic_bytes id = { loaded->build_id, loaded->build_id_size };
	for (size_t i = 0; i < NAMES * (options->debug_dir_count + 1); i++) {
		const char *dir = ic_debug_dir(options, i / NAMES);
		if (!ic_build_id_path(id, dir, names[i % NAMES], path, sizeof(path)) ||
		    stat(path, &status) != 0 || !S_ISREG(status.st_mode))
			continue;
		*err = (struct ic_error){ .code = IC_ERROR_NONE };
		if (place_file(reading, path, name, err) || is_fatal(err))
			return true;
	}
	if (!options->debuginfod ||
	    !ic_debuginfod_find(options->debuginfod, IC_DEBUGINFOD_DEBUG_FILE, id,
				name ? name : "the kernel", &downloaded, &of_server))
		return false;
	*err = (struct ic_error){ .code = IC_ERROR_NONE };
	bool ends = place_file(reading, downloaded, name, err) || is_fatal(err);
	free(downloaded);
	return ends;
}

// Where distributions put kernels with debug information, and local builds theirs. *err says why
// the last existing file does not match.
static bool find_kernel(struct reading *reading, struct ic_error *err)
{
	const struct ic_space_kernel_options *options = reading->options;
	const struct ic_image_options *image = ic_modules_image_options(reading->modules);
	bool ends = false;

	for (size_t i = 0; !ends && i < options->dir_count; i++)
		ends = try_kernel(reading, options->dirs[i], "/vmlinux-", true, "", err) ||
		       try_kernel(reading, options->dirs[i], "/vmlinux", false, "", err);
	for (size_t i = 0; !ends && i < image->debug_dir_count; i++)
		ends = try_root(reading, image->debug_dirs[i], err);
	ends = ends || try_root(reading, "/usr/lib/debug", err) || try_root(reading, "", err);
	if (!ends)
		ends = find_by_build_id(reading, NULL, err);
	return ends && err->code == IC_ERROR_NONE;
}

static bool find_by_caller(struct reading *reading, const char *name, struct ic_error *err)
{
	const struct ic_space_kernel_options *options = reading->options;
	char path[PATH_MAX] = "";

	if (!options->find(options->context, name, path, sizeof(path)))
		return ic_fail(err, IC_ERROR_NOT_FOUND, "%s%s: no file is known",
			       name ? "module " : "kernel ", name ? name : reading->release);
	return place_file(reading, path, name, err);
}

// False if nothing can be found out, or memory runs out; files left out otherwise are reported.
static bool read_kernel(struct reading *reading, struct ic_error *err)
{
	ic_fail(err, IC_ERROR_NOT_FOUND, "kernel %.200s: no file found", reading->release);
	if (reading->options->find ? find_by_caller(reading, NULL, err) : find_kernel(reading, err))
		return true;
	if (is_fatal(err))
		return false;
	leave_out(reading, NULL, err);
	return true;
}

static void add_name(void *context, const char *name)
{
	struct reading *reading = context;

	for (uint32_t i = 0; i < reading->names.count; i++)
		if (strcmp(reading->names.items[i], name) == 0)
			return;
	const char *copy = ic_arena_copy(&reading->arena, name, strlen(name) + 1, 1);
	const char **added = copy ? IC_ARRAY_PUSH(&reading->names) : NULL;
	if (added)
		*added = copy;
	reading->out_of_memory |= !added;
}

static void note_left_out(void *context, const char *directory, const struct ic_error *err)
{
	struct reading *reading = context;

	reading->out_of_memory |= err->code == IC_ERROR_MEMORY;
	leave_out(reading, directory, err);
}

static void add_directory(struct reading *reading, const char *directory, unsigned rank)
{
	ic_module_files_add_directory(reading->files, directory, rank, note_left_out, reading);
}

static void list_files(struct reading *reading)
{
	const struct ic_image_options *image = ic_modules_image_options(reading->modules);
	const char *first = reading->options->module_file;
	char path[PATH_MAX];
	unsigned rank = 0;
	struct ic_error err;

	if (first && !ic_module_files_add(reading->files, first, rank++, &err))
		reading->out_of_memory |= err.code == IC_ERROR_MEMORY;
	for (size_t i = 0; i < reading->options->dir_count; i++)
		add_directory(reading, reading->options->dirs[i], rank++);
	for (size_t i = 0; i < image->debug_dir_count + 2; i++) {
		const char *root = i < image->debug_dir_count    ? image->debug_dirs[i]
				   : i == image->debug_dir_count ? "/usr/lib/debug"
								 : "";
		int size =
			snprintf(path, sizeof(path), "%s/lib/modules/%s", root, reading->release);
		if (size > 0 && (size_t)size < sizeof(path))
			add_directory(reading, path, rank++);
	}
}

static bool find_module(struct reading *reading, const char *name, struct ic_error *err)
{
	size_t count;
	const struct ic_module_file *files = ic_module_files_find(
		reading->files, (struct ic_span){ name, strlen(name) }, &count);

	ic_fail(err, IC_ERROR_NOT_FOUND, "module %s: no file found", name);
	for (size_t i = 0; i < count; i++)
		if (place_file(reading, files[i].path, name, err))
			return true;
		else if (err->code == IC_ERROR_MEMORY)
			return false;
	return find_by_build_id(reading, name, err) && err->code == IC_ERROR_NONE;
}

static bool read_modules(struct reading *reading, struct ic_error *err)
{
	bool by_caller = reading->options->find != NULL;

	if (!ic_placements_list_texts(reading->placements, add_name, reading, err))
		return false;
	if (reading->out_of_memory)
		return ic_fail_memory(err);
	if (!by_caller && reading->names.count > 0)
		list_files(reading);
	if (reading->out_of_memory)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < reading->names.count; i++) {
		const char *name = reading->names.items[i];
		if (by_caller ? find_by_caller(reading, name, err)
			      : find_module(reading, name, err))
			continue;
		// If addresses are hidden for one module, they are for all, and for the kernel.
		if (err->code == IC_ERROR_MEMORY ||
		    (err->code == IC_ERROR_HIDDEN && reading->kernel->parts.count == 0))
			return false;
		leave_out(reading, name, err);
	}
	return true;
}

// ---- What has no file

static int compare_parts(const void *left, const void *right)
{
	const struct ic_kernel_part *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static bool is_in_part(void *context, uint64_t addr)
{
	const struct ic_kernel *kernel = context;
	uint32_t count = ic_search_up_to(kernel->parts.items, sizeof(*kernel->parts.items),
					 kernel->parts.count, addr);

	return count > 0 && addr < kernel->parts.items[count - 1].end;
}

static bool read_names(struct reading *reading, struct ic_error *err)
{
	struct ic_kernel *kernel = reading->kernel;
	bool has_list = reading->placements->options.kallsyms != NULL;

	if (kernel->parts.count > 0)
		qsort(kernel->parts.items, kernel->parts.count, sizeof(*kernel->parts.items),
		      compare_parts);
	if (has_list)
		kernel->names = ic_kernel_names_read(&reading->placements->kallsyms, is_in_part,
						     kernel, err);
	return kernel->names || !has_list;
}

// The sources for the addresses of the kernel and its modules.
static struct ic_placement_options placement_options(const struct ic_space_kernel_options *options)
{
	struct ic_placement_options placement = { .kallsyms = options->kallsyms,
						  .sysfs = options->sysfs };

	if (options->loaded_count > 0)
		return placement;
	// A copied list does not describe the /sys of this machine.
	if (!placement.kallsyms && !placement.sysfs)
		placement.sysfs = "/sys";
	if (!placement.kallsyms)
		placement.kallsyms = "/proc/kallsyms";
	return placement;
}

static bool make_placements(struct reading *reading, struct ic_error *err)
{
	const struct ic_space_kernel_options *options = reading->options;
	const struct ic_placement_options placement = placement_options(options);

	reading->placements = ic_placements_new(&placement, err);
	if (!reading->placements)
		return false;
	reading->placements->loaded = options->loaded;
	reading->placements->loaded_count = options->loaded_count;
	const struct ic_kernel_loaded *kernel = ic_placements_loaded(reading->placements, NULL);
	if (kernel && !placement.kallsyms) {
		reading->placements->options.has_base = true;
		reading->placements->options.base = kernel->addr;
	}
	return true;
}

bool ic_kernel_read(struct ic_kernel *kernel, struct ic_modules *modules,
		    const struct ic_space_kernel_options *options, struct ic_error *err)
{
	static const struct ic_space_kernel_options defaults = { .release = NULL };
	struct reading reading = { .kernel = kernel,
				   .modules = modules,
				   .options = options ? options : &defaults };
	struct utsname system;

	reading.release = reading.options->release;
	if (!reading.release && uname(&system) != 0)
		return ic_fail_system(err, "get its release", "kernel");
	if (!reading.release)
		reading.release = system.release;
	reading.files = make_placements(&reading, err) ? ic_module_files_new(err) : NULL;
	bool ok = reading.files && read_kernel(&reading, err) && read_modules(&reading, err) &&
		  read_names(&reading, err);
	ic_module_files_free(reading.files);
	ic_placements_free(reading.placements);
	IC_ARRAY_FREE(&reading.names);
	ic_arena_free(&reading.arena);
	return ok;
}

void ic_kernel_free(struct ic_kernel *kernel, struct ic_modules *modules)
{
	for (uint32_t i = 0; i < kernel->parts.count; i++)
		ic_module_release(modules, kernel->parts.items[i].module);
	IC_ARRAY_FREE(&kernel->parts);
	ic_kernel_names_release(kernel->names);
}
