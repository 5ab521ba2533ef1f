#include "base/inline_tables.h"

#include "base/cli.h"

bool cli_inline_files_take(struct cli_inline_files *names, enum cli_option option,
			   const char *argument)
{
	switch (option) {
	case CLI_OPTION_BTF_INLINE: names->table = argument; return true;
	case CLI_OPTION_BTF: names->types = argument; return true;
	case CLI_OPTION_BTF_BASE: names->base = argument; return true;
	default: return false;
	}
}

// Whether an image has a section that can only be a table, or a .BTF with calls in it, or one of
// these that is unreadable. Prints nothing, since every kernel module has a .BTF.
static bool has_table(struct ic_image *image)
{
	static const char *const names[] = { ".BTF.inline", ".BTF" };
	enum { COUNT = sizeof(names) / sizeof(*names) };
	struct ic_error err;
	const void *bytes;
	size_t size;

	for (size_t i = 0; i < COUNT; i++) {
		bool is_read = ic_image_section(image, names[i], &bytes, &size, &err);
		if (!is_read && err.code == IC_ERROR_NOT_FOUND)
			continue;
		if (!is_read || i + 1 < COUNT)
			return true;
		struct ic_btf_inline *table = ic_btf_inline_parse(bytes, size, NULL, NULL);
		bool has_calls = table && ic_btf_inline_count(table) > 0;
		ic_btf_inline_free(table);
		return has_calls;
	}
	return false;
}

static bool has_types(struct ic_image *image)
{
	const void *bytes;
	size_t size;

	return ic_image_section(image, ".BTF", &bytes, &size, NULL);
}

// If a table is a separate file, its types are in the image, unless --btf names another file.
static bool open_table(const struct cli_inline_files *names, struct ic_image *image,
		       struct cli_btf_table *table)
{
	const char *path = ic_image_path(image), *types = names->types;

	if (!types && names->table && has_types(image))
		types = path;
	if (!cli_btf_table_open(table, names->table ? names->table : path, types, names->base))
		return false;
	if (ic_btf_inline_types(table->table))
		return true;
	cli_complain("%s: no BTF for function names; use --btf to name a file that has it",
		     table->file.path);
	return false;
}

static struct ic_image *open_without_debug(const struct cli_files *files, const char *path,
					   struct ic_error *err)
{
	struct ic_image_options options = files->image;

	options.debuginfod = NULL;
	options.allow_no_debug = true;
	return ic_image_open(path, &options, err);
}

struct ic_image *cli_inline_table_open(struct cli_files *files,
				       const struct cli_inline_files *names, const char *path,
				       struct cli_btf_table *table, bool *has, struct ic_error *err)
{
	struct ic_image *image = names->table ? NULL : cli_files_open(files, path, err);
	struct ic_error unwanted;

	*table = (struct cli_btf_table){ .section = NULL };
	*has = false;
	if (image || (!names->table && err->code != IC_ERROR_NO_DEBUG))
		return image;
	image = open_without_debug(files, path, names->table ? err : &unwanted);
	if (!image || (!names->table && !has_table(image))) {
		ic_image_free(image);
		return NULL;
	}
	*has = open_table(names, image, table);
	if (*has) {
		if (!names->table)
			cli_complain("%s: no DWARF; its %s has no call lines, ranges or chains",
				     path, table->section);
		return image;
	}
	err->code = IC_ERROR_NONE;
	cli_btf_table_close(table);
	ic_image_free(image);
	return NULL;
}
