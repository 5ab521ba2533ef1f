// An open file with the one that its debug information is in. The type is inlinecall/image.h's.
#ifndef ELF_IMAGE_H
#define ELF_IMAGE_H

#include <pthread.h>

#include "elf/companions.h"
#include "elf/symbol_finder.h"

#include <inlinecall/image.h>

struct ic_debug;

struct ic_image {
	struct ic_memory memory; // of all its files, and of what is made from them
	struct ic_elf_file file;
	struct ic_elf_file debug_file; // open only where has_debug_file
	struct ic_elf_file mini_file;  // open only where has_mini_file
	bool has_debug_file, has_mini_file;
	struct ic_companions companions;
	struct ic_elf_file *supplementary; // one of the companions, or NULL
	char *supplementary_fault;         // why there is none, where there should be; else NULL
	pthread_mutex_t lock;              // of what is opened later
	struct ic_symbol_source *symbols[SYMTAB_RULE_COUNT]; // that were asked for
	struct ic_debug *debug; // while anybody has it: see scan/scan_debug.h
	// From the options, copied.
	char **dwo_dirs;
	uint32_t dwo_dir_count;
	char *dwp_path; // NULL where none was named
};

// ic_image_open() of what may be a part of a file. `err` is not NULL.
struct ic_image *ic_image_open_place(const struct ic_place *place,
				     const struct ic_image_options *options, struct ic_error *err);

// After a failure for lack of memory: says so in *err, or that it was the limit. Returns false.
bool ic_image_fail_memory(struct ic_image *image, struct ic_error *err);

// The file that the DWARF is in.
struct ic_elf_file *ic_image_dwarf_file(struct ic_image *image);

// The files that the symbols are in: one with a .symtab, the program or the debug file that it was
// stripped to; else the program, for its .dynsym, with its MiniDebugInfo, which is opened when it
// is first asked for. If `own`, never the debug file. False if MiniDebugInfo cannot be read;
// then the program is the one file, unless memory is out.
bool ic_image_symbol_files(struct ic_image *image, bool own, struct ic_symbol_files *files,
			   struct ic_error *err) IC_CHECKED;

// Fills in the symbols that name addresses by a rule, which are the image's. False if not all of
// them can be read, which *err says; *symbols are then the others, NULL if there are none.
bool ic_image_symbols(struct ic_image *image, enum ic_symtab_rule rule, uint32_t jobs,
		      struct ic_symbol_source **symbols, struct ic_error *err) IC_CHECKED;

// Makes the function descriptors that symbols point to readable: those of a relocatable file are
// relocated, and those that a debug file lacks are the program's.
bool ic_image_load_descriptors(struct ic_image *image, uint32_t jobs, struct ic_error *err)
	IC_CHECKED;

#endif
