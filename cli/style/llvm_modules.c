#include "style/llvm_modules.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// clang-format off
static const struct arch { // LLVM's names of ELF machines
	const char *name;
	unsigned machine, addr_size; // EM_* of the ELF standard; bytes
} archs[] = {
	{ "aarch64",     183, 8 },
	{ "arm",         40, 4 },
	{ "arm64",       183, 8 },
	{ "armv7",       40, 4 },
	{ "i386",        3, 4 },
	{ "i686",        3, 4 },
	{ "mips",        8, 4 },
	{ "mips64",      8, 8 },
	{ "mips64el",    8, 8 },
	{ "mipsel",      8, 4 },
	{ "powerpc",     20, 4 },
	{ "powerpc64",   21, 8 },
	{ "powerpc64le", 21, 8 },
	{ "ppc",         20, 4 },
	{ "ppc64",       21, 8 },
	{ "ppc64le",     21, 8 },
	{ "riscv32",     243, 4 },
	{ "riscv64",     243, 8 },
	{ "s390x",       22, 8 },
	{ "sparc",       2, 4 },
	{ "sparcv9",     43, 8 },
	{ "x86-64",      62, 8 },
	{ "x86_64",      62, 8 },
};
// clang-format on

static const struct arch *find_arch(const char *name)
{
	for (size_t i = 0; i < sizeof(archs) / sizeof(*archs); i++)
		if (strcmp(archs[i].name, name) == 0)
			return &archs[i];
	return NULL;
}

// ---- Archives

__attribute__((format(printf, 2, 3))) static void explain(struct llvm_module *module,
							  const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (vasprintf(&module->message, format, args) < 0)
		module->message = NULL;
	va_end(args);
}

// Opens the first member with this name that is for the machine, if one is named.
static struct ic_image *open_member(const struct ic_archive *archive, const char *member,
				    const struct arch *arch, const struct ic_image_options *options,
				    struct ic_error *err)
{
	const char *name;

	for (size_t i = 0; (name = ic_archive_member(archive, i)); i++) {
		struct ic_image *image = strcmp(name, member) == 0
						 ? ic_archive_image_open(archive, i, options, err)
						 : NULL;
		if (image && (!arch || (ic_image_machine(image) == arch->machine &&
					ic_image_addr_size(image) == arch->addr_size)))
			return image;
		ic_image_free(image);
	}
	return NULL;
}

// Opens "lib.a(member.o)"; modifies `path`.
static struct ic_image *open_in_archive(struct llvm_module *module, char *path, const char *arch,
					const struct ic_image_options *options)
{
	char *bracket = strrchr(path, '('), *member = bracket + 1;
	struct ic_error *err = &module->err;

	*bracket = 0;
	member[strlen(member) - 1] = 0;
	struct ic_archive *archive = ic_archive_open(path, err);
	struct ic_image *image =
		archive ? open_member(archive, member, find_arch(arch), options, err) : NULL;
	if (!archive && err->code == IC_ERROR_NOT_ELF)
		explain(module, "'%s' is not a valid archive", path);
	else if (archive && !image && err->code == IC_ERROR_NONE)
		explain(module, "no matching member '%s' with arch '%s' in '%s'", member, arch,
			path);
	ic_archive_free(archive);
	return image;
}

// ---- Files and build IDs

// Opens "FILE", "FILE:ARCH", "ARCHIVE(MEMBER)" or "ARCHIVE(MEMBER):ARCH".
static struct ic_image *open_path(struct llvm_module *module, const struct llvm_options *options,
				  const struct ic_image_options *image_options)
{
	char *path = strdup(module->name), *colon = path ? strrchr(path, ':') : NULL;
	const char *arch = options->arch ? options->arch : "";
	struct ic_image *image = NULL;

	if (!path) {
		module->err =
			(struct ic_error){ .code = IC_ERROR_MEMORY, .message = "out of memory" };
		return NULL;
	}
	if (colon && find_arch(colon + 1)) {
		*colon = 0;
		arch = colon + 1;
	}
	size_t length = strlen(path);
	if (!options->of_14 && length > 0 && path[length - 1] == ')' && strchr(path, '('))
		image = open_in_archive(module, path, arch, image_options);
	else
		image = ic_image_open(path, image_options, &module->err);
	free(path);
	return image;
}

// Tries "DIR/.build-id/ab/cdef.debug" in each directory for debug files.
static struct ic_image *open_build_id(struct llvm_module *module,
				      const struct ic_image_options *image_options)
{
	char id[256], path[4096];
	size_t length = strlen(module->name);
	struct ic_image *image = NULL;

	for (size_t i = 0; i <= length && length < sizeof(id); i++)
		id[i] = (char)tolower((unsigned char)module->name[i]);
	for (size_t i = 0; !image && length < sizeof(id) && i <= image_options->debug_dir_count;
	     i++) {
		const char *dir = i < image_options->debug_dir_count ? image_options->debug_dirs[i]
								     : "/usr/lib/debug";
		int size =
			snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s.debug", dir, id, id + 2);
		if (size > 0 && (size_t)size < sizeof(path))
			image = ic_image_open(path, image_options, &module->err);
	}
	if (!image)
		explain(module, "could not find build ID");
	return image;
}

// On failure, `err` or `message` is the reason. For LLVM, an archive is not an object file.
static void open_module(struct llvm_module *module, const struct llvm_options *options)
{
	struct ic_image_options image_options = options->image;

	image_options.allow_no_debug = true;
	struct ic_image *image = module->is_build_id ? open_build_id(module, &image_options)
						     : open_path(module, options, &image_options);
	module->found = image && cli_style_file_begin(&module->file, image, &options->symbolizer,
						      &module->err);
	struct stat status;
	int os_error = module->err.os_error;
	if (!module->found && stat(module->name, &status) == 0 && S_ISDIR(status.st_mode))
		os_error = EISDIR;
	if (!module->found && !module->message && os_error)
		explain(module, "%s", strerror(os_error));
}

// The index of the module with this name, or the index at which to insert it.
static size_t find_module(const struct llvm_modules *modules, const char *name)
{
	size_t from = 0, to = modules->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (strcmp(modules->items[middle]->name, name) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static struct llvm_module *insert_module(struct llvm_modules *modules, size_t index,
					 const char *name)
{
	if (modules->count == modules->capacity) {
		size_t capacity = 2 * modules->capacity + 8;
		struct llvm_module **items =
			realloc(modules->items, capacity * sizeof(*modules->items));
		if (!items)
			return NULL;
		modules->items = items;
		modules->capacity = capacity;
	}
	struct llvm_module *module = calloc(1, sizeof(*module));
	char *copy = strdup(name);
	if (!module || !copy) {
		free(module);
		free(copy);
		return NULL;
	}
	memmove(&modules->items[index + 1], &modules->items[index],
		(modules->count - index) * sizeof(*modules->items));
	module->name = copy;
	modules->items[index] = module;
	modules->count++;
	return module;
}

struct llvm_module *llvm_modules_get(struct llvm_modules *modules,
				     const struct llvm_options *options, const char *name,
				     bool is_build_id)
{
	size_t index = find_module(modules, name);

	for (size_t i = index; i < modules->count && !strcmp(modules->items[i]->name, name); i++)
		if (modules->items[i]->is_build_id == is_build_id)
			return modules->items[i];
	struct llvm_module *module = insert_module(modules, index, name);
	if (module) {
		module->is_build_id = is_build_id;
		open_module(module, options);
	}
	return module;
}

void llvm_modules_forget(struct llvm_modules *modules)
{
	for (size_t i = 0; i < modules->count; i++)
		cli_style_forget(&modules->items[i]->file);
}

void llvm_modules_close(struct llvm_modules *modules)
{
	for (size_t i = 0; i < modules->count; i++) {
		cli_style_file_close(&modules->items[i]->file);
		free(modules->items[i]->message);
		free(modules->items[i]->name);
		free(modules->items[i]);
	}
	free(modules->items);
}
