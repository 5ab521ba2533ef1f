// An open file with the file of its debug information. The type is declared in inlinecall/image.h.
#ifndef ELF_IMAGE_IMAGE_H
#define ELF_IMAGE_IMAGE_H

#include <pthread.h>

#include "elf/finding/companions.h"
#include "elf/symbols/finder.h"
#include "elf/symbols/go_tables.h"

#include <inlinecall/image.h>

struct ic_debug;

struct ic_image {
	struct ic_memory memory; // of all its files, and of everything built from them
	struct ic_elf_file file;
	struct ic_elf_file debug_file; // open only if has_debug_file
	struct ic_elf_file mini_file;  // open only if has_mini_file
	bool has_debug_file, has_mini_file;
	struct ic_companions companions;
	struct ic_elf_file *supplementary; // one of the companions, or NULL
	char *supplementary_fault; // why it is missing; NULL if it is not, or none is needed
	char *debug_fault;    // why a debug file that is there, or what the file has, is of no use
	pthread_mutex_t lock; // of what is opened later
	struct ic_symbol_source *symbols[SYMTAB_RULE_COUNT]; // those requested so far
	struct ic_go_place go_place; // of Go's table of functions, if has_go
	bool has_go, is_go_sought;   // it takes a search if there is no section of it
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

// To be called after an allocation failed: sets *err, which tells if the limit was the cause.
// Returns false.
bool ic_image_fail_memory(struct ic_image *image, struct ic_error *err);

// The file that has the DWARF.
struct ic_elf_file *ic_image_dwarf_file(struct ic_image *image);

// Sets *place to where the file has Go's table of functions. False if it has none, or the source is
// DWARF.
bool ic_image_go_place(struct ic_image *image, struct ic_go_place *place);

// The files that have the symbols: one with a .symtab, which is the program or its debug file;
// otherwise the program, for its .dynsym, with its MiniDebugInfo, which is opened on first use. If
// `own`, never the debug file. False if MiniDebugInfo cannot be read; the program is then the only
// file, unless memory runs out.
bool ic_image_symbol_files(struct ic_image *image, bool own, struct ic_symbol_files *files,
			   struct ic_error *err) IC_CHECKED;

// Sets *symbols to the image's symbols, which name addresses by a rule. False if not all can be
// read, for the reason in *err; *symbols are then the others, NULL if there are none.
bool ic_image_symbols(struct ic_image *image, enum ic_symtab_rule rule, uint32_t jobs,
		      struct ic_symbol_source **symbols, struct ic_error *err) IC_CHECKED;

// The bytes of the image's code from an address on, to the end of the file; none if the file does
// not have them.
struct ic_bytes ic_image_code_at(const struct ic_image *image, uint64_t addr);

// The bytes in the file from an address on, up to the end of a segment that the program cannot
// write to; none if it can, or if nothing is loaded there.
struct ic_bytes ic_image_constants_at(const struct ic_image *image, uint64_t addr);

// Makes the function descriptors that symbols point to readable: relocates them in a relocatable
// file, and uses the program's if a debug file lacks them.
bool ic_image_load_descriptors(struct ic_image *image, uint32_t jobs, struct ic_error *err)
	IC_CHECKED;

#endif
