// An open file with its debug file. The type is declared in inlinecall/image.h.
#ifndef ELF_IMAGE_IMAGE_H
#define ELF_IMAGE_IMAGE_H

#include <pthread.h>

#include "elf/finding/companions.h"
#include "elf/symbols/finder.h"
#include "elf/symbols/go_tables.h"

#include <inlinecall/image.h>

struct ic_debug;

struct ic_image {
	struct ic_memory memory; // for all its files, and everything built from them
	struct ic_elf_file file;
	struct ic_elf_file debug_file; // open only if has_debug_file
	struct ic_elf_file mini_file;  // open only if has_mini_file
	bool has_debug_file, has_mini_file;
	struct ic_companions companions;
	struct ic_elf_file *supplementary; // one of the companions, or NULL
	char *supplementary_fault; // why it is missing; NULL if it is not, or none is needed
	// Why an existing debug file, or the file's own debug information, is unusable.
	char *debug_fault;
	pthread_mutex_t lock; // for data loaded later
	// Those requested so far, indexed by rule.
	struct ic_symbol_source *symbols[SYMTAB_RULE_COUNT];
	struct ic_go_place go_place; // of Go's table of functions, if has_go
	bool has_go, is_go_sought;   // a search is needed if there is no section for it
	struct ic_debug *debug;      // while it has users: see debug/debug.h
	// From the options, copied.
	char **dwo_dirs;
	uint32_t dwo_dir_count;
	char *dwp_path; // NULL if none was named
	enum ic_image_source source;
};

// ic_image_open() for a place that may be part of a file. `err` is not NULL.
struct ic_image *ic_image_open_place(const struct ic_place *place,
				     const struct ic_image_options *options, struct ic_error *err);

// Called after a failed allocation: sets *err, which shows whether the limit was the cause. Returns
// false.
bool ic_image_fail_memory(struct ic_image *image, struct ic_error *err);

// Whether the image has a section of this name that can be loaded.
bool ic_image_has_section(struct ic_image *image, const char *name);

// Whether the file has code of Go, perhaps beside that of another language.
bool ic_image_is_go(const struct ic_image *image);

// The file with the DWARF.
struct ic_elf_file *ic_image_dwarf_file(struct ic_image *image);

// Gets the place of Go's function table in the file. False if it has none, or the source is DWARF.
bool ic_image_go_place(struct ic_image *image, struct ic_go_place *place);

// Gets the files with the symbols: one with a .symtab, which is the program or its debug file;
// otherwise the program, for its .dynsym, with its MiniDebugInfo, which is opened on first use. If
// `own`, never the debug file. False if MiniDebugInfo cannot be read; the program is then the only
// file, unless memory runs out.
bool ic_image_symbol_files(struct ic_image *image, bool own, struct ic_symbol_files *files,
			   struct ic_error *err) IC_CHECKED;

// Gets the image's symbols, which name addresses by a rule. False if not all can be read, for the
// reason in *err; *symbols are then the others, NULL if there are none.
bool ic_image_symbols(struct ic_image *image, enum ic_symtab_rule rule, uint32_t jobs,
		      struct ic_symbol_source **symbols, struct ic_error *err) IC_CHECKED;

// The bytes of the image's code from an address to the end of the file's contents there; empty if
// the file does not have them.
struct ic_bytes ic_image_code_at(const struct ic_image *image, uint64_t addr);

// The bytes in the file from an address to the end of a segment that the program cannot write to;
// empty if it can, or if nothing is loaded there.
struct ic_bytes ic_image_constants_at(const struct ic_image *image, uint64_t addr);

// Makes the function descriptors that symbols point to readable: relocates them in a relocatable
// file, and uses the program's if a debug file lacks them.
bool ic_image_load_descriptors(struct ic_image *image, uint32_t jobs, struct ic_error *err)
	IC_CHECKED;

#endif
