#include "base/btf_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/cli.h"
#include "base/files.h"

// The kernel creates /sys/kernel/btf/NAME.inline when it is first read.
static void complain_of_reading(const struct cli_btf_file *file)
{
	cli_complain("%s: cannot read: %s%s", file->path, strerror(errno),
		     errno == ENODEV ? " (a file in /sys/kernel/btf may need a kernel module that "
				       "cannot be loaded)"
				     : "");
}

// Maps a file, which is cheaper than reading it. Files in /sys may not support that, or may not
// know their size.
static bool map_file(struct cli_btf_file *file, FILE *stream)
{
	struct stat status;

	if (fstat(fileno(stream), &status) != 0 || status.st_size <= 0 ||
	    (uintmax_t)status.st_size > SIZE_MAX)
		return false;
	void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fileno(stream), 0);
	if (bytes == MAP_FAILED)
		return false;
	file->bytes = bytes;
	file->size = (size_t)status.st_size;
	file->is_mapped = true;
	return true;
}

// Reads all of a file, even if its size is unknown.
static bool read_all(struct cli_btf_file *file, FILE *stream)
{
	size_t capacity = 0;

	for (;;) {
		if (file->size == capacity) {
			capacity = capacity ? 2 * capacity : 1 << 16;
			void *grown = realloc(file->bytes, capacity);
			if (!grown) {
				cli_complain("%s: out of memory", file->path);
				return false;
			}
			file->bytes = grown;
		}
		size_t count =
			fread((char *)file->bytes + file->size, 1, capacity - file->size, stream);
		file->size += count;
		if (count == 0)
			break;
	}
	if (ferror(stream))
		complain_of_reading(file);
	return !ferror(stream);
}

// Finds out whether the file begins with BTF's magic number, in either byte order. Prints an error
// and returns false if it cannot be read.
static bool look_for_btf(const struct cli_btf_file *file, FILE *stream, bool *is_btf)
{
	int first = getc(stream), second = getc(stream);

	if (ferror(stream)) {
		complain_of_reading(file);
		return false;
	}
	rewind(stream);
	*is_btf = (first == 0x9f && second == 0xeb) || (first == 0xeb && second == 0x9f);
	return true;
}

// Opens a file if it is BTF. Prints an error and returns false on failure.
static bool open_raw(struct cli_btf_file *file)
{
	struct stat status;
	FILE *stream;

	if (stat(file->path, &status) == 0 && !S_ISREG(status.st_mode)) {
		cli_complain("%s: not a regular file", file->path);
		return false;
	}
	stream = fopen(file->path, "rbe");
	if (!stream) {
		cli_complain("%s: cannot open: %s", file->path, strerror(errno));
		return false;
	}
	bool is_btf, ok = look_for_btf(file, stream, &is_btf) &&
			  (!is_btf || map_file(file, stream) || read_all(file, stream));
	fclose(stream);
	return ok;
}

// Whether a path at which there is no file may be a member of an archive: "lib.a(member.o)".
static bool can_be_member(const char *path)
{
	size_t length = strlen(path);
	struct stat status;

	return length > 0 && path[length - 1] == ')' && stat(path, &status) != 0 &&
	       (errno == ENOENT || errno == ENOTDIR);
}

static struct ic_image *open_member(const char *path)
{
	struct cli_files files;

	cli_files_init(&files);
	files.symbols_do = true;
	return cli_files_open_one(&files, path);
}

bool cli_btf_file_open(struct cli_btf_file *file, const char *path)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct ic_error err;

	*file = (struct cli_btf_file){ .path = path };
	if (can_be_member(path)) {
		file->image = open_member(path);
		return file->image;
	}
	if (!open_raw(file))
		return false;
	if (file->size > 0)
		return true;
	file->image = ic_image_open(path, &options, &err);
	if (!file->image)
		cli_complain("%s", err.message);
	return file->image;
}

void cli_btf_file_close(struct cli_btf_file *file)
{
	ic_image_free(file->image);
	if (file->is_mapped)
		munmap(file->bytes, file->size);
	else
		free(file->bytes);
}

// Gets a section of a file, or all of a file. If there is none, *bytes is NULL. Prints an error and
// returns false on failure.
static bool find_section(const struct cli_btf_file *file, const char *name, const void **bytes,
			 size_t *size)
{
	struct ic_error err;

	*bytes = file->bytes;
	*size = file->size;
	if (!file->image || ic_image_section(file->image, name, bytes, size, &err))
		return true;
	if (err.code == IC_ERROR_NOT_FOUND)
		return true;
	cli_complain("%s", err.message);
	return false;
}

static bool parse_types(const struct cli_btf_file *file, const struct ic_btf *base,
			struct ic_btf **types)
{
	struct ic_error err;
	const void *bytes;
	size_t size;

	if (!find_section(file, ".BTF", &bytes, &size))
		return false;
	if (!bytes) {
		cli_complain("%s: no section .BTF", file->path);
		return false;
	}
	*types = ic_btf_parse(bytes, size, base, &err);
	if (!*types)
		cli_complain("%s: %s", file->path, err.message);
	else if (ic_btf_lacks_base(*types))
		cli_complain("%s: split BTF, as in a kernel module; use --btf-base to name the "
			     "file with its base types",
			     file->path);
	return *types && !ic_btf_lacks_base(*types);
}

// A module built outside the kernel's tree contains the base of its split BTF.
static bool parse_own_base(struct cli_btf_table *table, const struct cli_btf_file *file)
{
	struct ic_error err;
	const void *bytes = NULL;
	size_t size;

	if (!file->image)
		return true;
	if (!find_section(file, ".BTF.base", &bytes, &size))
		return false;
	if (!bytes)
		return true;
	ic_btf_free(table->base);
	table->base = ic_btf_parse(bytes, size, NULL, &err);
	if (!table->base)
		cli_complain("%s: .BTF.base: %s", file->path, err.message);
	return table->base;
}

// The first of the sections that can be a table: of those of BTF, .BTF itself comes last. The
// second and the third held drafts of the formats, which are rejected with a message when they are
// parsed.
static bool find_table(struct cli_btf_table *table, const void **bytes, size_t *size)
{
	static const char *const names[] = { ".BTF.inline", ".BTF_inline", ".BTF.extra", ".BTF" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!find_section(&table->file, names[i], bytes, size))
			return false;
		if (*bytes) {
			table->section = table->file.image ? names[i] : NULL;
			return true;
		}
	}
	cli_complain("%s: no section .BTF.inline or .BTF", table->file.path);
	return false;
}

// Finds the types that the table's type numbers refer to.
static bool find_types(struct cli_btf_table *table, const char *types, const char *base)
{
	bool is_own = table->section && strcmp(table->section, ".BTF") != 0;

	if (base && (!cli_btf_file_open(&table->base_file, base) ||
		     !parse_types(&table->base_file, NULL, &table->base)))
		return false;
	if (types)
		return cli_btf_file_open(&table->types_file, types) &&
		       parse_own_base(table, &table->types_file) &&
		       parse_types(&table->types_file, table->base, &table->types);
	const void *bytes = NULL;
	size_t size;
	if (is_own && !find_section(&table->file, ".BTF", &bytes, &size))
		return false;
	return !bytes || (parse_own_base(table, &table->file) &&
			  parse_types(&table->file, table->base, &table->types));
}

bool cli_btf_table_open(struct cli_btf_table *table, const char *path, const char *types,
			const char *base)
{
	struct ic_error err;
	const void *bytes;
	size_t size;

	*table = (struct cli_btf_table){ .section = NULL };
	if (!cli_btf_file_open(&table->file, path) || !find_table(table, &bytes, &size) ||
	    !find_types(table, types, base))
		return false;
	table->table =
		ic_btf_inline_parse(bytes, size, table->types ? table->types : table->base, &err);
	if (!table->table)
		cli_complain("%s: %s", path, err.message);
	return table->table;
}

bool cli_btf_types_open(struct cli_btf_table *table, struct ic_image *image, const char *types,
			const char *base)
{
	const char *path = ic_image_path(image);

	*table = (struct cli_btf_table){ .file = { .path = path, .image = image },
					 .section = ".BTF.inline" };
	if (!find_types(table, types, base))
		return false;
	if (!table->types)
		cli_complain("%s: no section .BTF; add one with 'pahole -J', or use --btf to name "
			     "a file with the types",
			     path);
	return table->types;
}

void cli_btf_table_close(struct cli_btf_table *table)
{
	ic_btf_inline_free(table->table);
	ic_btf_free(table->types);
	ic_btf_free(table->base);
	cli_btf_file_close(&table->file);
	cli_btf_file_close(&table->types_file);
	cli_btf_file_close(&table->base_file);
}
