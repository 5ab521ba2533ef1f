// Files with BTF: ELF files, and raw BTF, as in /sys/kernel/btf.
#ifndef CLI_BASE_BTF_FILES_H
#define CLI_BASE_BTF_FILES_H

#include <inlinecall/extra.h>

struct cli_btf_file {
	const char *path;
	struct ic_image *image; // NULL for raw BTF
	void *bytes;            // the raw BTF
	size_t size;
	bool is_mapped; // `bytes` are mapped, not read
};

// Prints an error and returns false on failure.
bool cli_btf_file_open(struct cli_btf_file *file, const char *path);
void cli_btf_file_close(struct cli_btf_file *file);

// All that a table needs, open as long as it is used. Zero-initialised, it can be closed.
struct cli_btf_table {
	struct cli_btf_file file, types_file, base_file;
	struct ic_btf *types, *base;
	struct ic_btf_inline *table;
	const char *section; // the one that is the table; NULL if the file is the table
};

// Opens the table of inlined calls of a file. `types` and `base` are the files with its types, and
// with the base that those are split on; NULL if not named. Prints an error and returns false on
// failure.
bool cli_btf_table_open(struct cli_btf_table *table, const char *path, const char *types,
			const char *base);
// Opens the types for a table to be made from an image, which it closes: those of the file `types`,
// or of the image if that is NULL. Prints an error and returns false on failure.
bool cli_btf_types_open(struct cli_btf_table *table, struct ic_image *image, const char *types,
			const char *base);
void cli_btf_table_close(struct cli_btf_table *table);

#endif
