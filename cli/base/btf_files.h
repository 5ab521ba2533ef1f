// Files with BTF: ELF files, and files that are BTF themselves, as in /sys/kernel/btf.
#ifndef CLI_BASE_BTF_FILES_H
#define CLI_BASE_BTF_FILES_H

#include <inlinecall/extra.h>

struct cli_btf_file {
	const char *path;
	struct ic_image *image; // NULL if the file is BTF itself
	void *bytes;            // of that
	size_t size;
	bool is_mapped; // they are; if not, they were read
};

// False after a complaint.
bool cli_btf_file_open(struct cli_btf_file *file, const char *path);
void cli_btf_file_close(struct cli_btf_file *file);

// All that a table needs, open as long as it is in use. All zeros, it can be closed.
struct cli_btf_table {
	struct cli_btf_file file, types_file, base_file;
	struct ic_btf *types, *base;
	struct ic_btf_inline *table;
	const char *section; // that the table is; NULL if the file is the table
};

// Opens the table of inlined calls of a file. `types` and `base` are the files with what its types
// are and are split on; NULL if none was named. False after a complaint.
bool cli_btf_table_open(struct cli_btf_table *table, const char *path, const char *types,
			const char *base);
// Opens the types for a table that is to be made of an image, which it closes: those of `types`, or
// else of the image. False after a complaint.
bool cli_btf_types_open(struct cli_btf_table *table, struct ic_image *image, const char *types,
			const char *base);
void cli_btf_table_close(struct cli_btf_table *table);

#endif
