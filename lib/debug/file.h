// The DWARF sections of an ELF file, made readable.
#ifndef DEBUG_FILE_H
#define DEBUG_FILE_H

#include "base/problems.h"
#include "dwarf/units/unit.h"
#include "elf/sections/relocate.h"
#include "units/sections.h"

enum ic_dwarf_file_kind {
	IC_DWARF_FILE_MAIN,          // .debug_info and the others; see also ic_dwarf_file_need()
	IC_DWARF_FILE_SPLIT,         // .debug_info.dwo and the others, of a .dwo or a .dwp file
	IC_DWARF_FILE_SUPPLEMENTARY, // what others refer to
};

// One dwarf for each .debug_info and .debug_types: relocatable files may have many, a linked one
// has one of each. The sections are the file's.
struct ic_dwarf_file {
	struct ic_dwarf *dwarfs; // owned
	uint32_t count;
	struct ic_elf_file *file;
	struct ic_section *by_parts;       // the .debug_info that is relocated on demand, or NULL
	struct ic_dwarf *sole;             // the one of that section
	struct ic_lazy_sections *sections; // owned: those to be loaded on demand; NULL if none
};

// Loads the sections on several threads. A file without .debug_info has no dwarfs, except a
// supplementary file (for small programs dwz shares only strings) and a main file that has a
// .debug_line.
bool ic_dwarf_file_load(struct ic_dwarf_file *dwarf_file, struct ic_elf_file *file,
			enum ic_dwarf_file_kind kind, uint32_t jobs, struct ic_error *err)
	IC_CHECKED;

// To be called if the loaded ELF file has moved in memory.
void ic_dwarf_file_moved(struct ic_dwarf_file *dwarf_file, struct ic_elf_file *file);

// Adds the contradiction in the section headers of the file, if there is one, to the problems;
// `path` is NULL for the file that the user named.
void ic_dwarf_file_report(struct ic_elf_file *file, const char *path, struct ic_problems *problems);

// Adds a contradiction in any symbol of a file, of which ic_dwarf_file_report() looks only at some;
// not if there is a problem already. `file` may be NULL.
void ic_dwarf_file_report_symbols(const struct ic_elf_file *file, struct ic_problems *problems);

// Relocates the bytes [start, end) of .debug_info; to be called before they are read. Only a
// relocatable file that was loaded as IC_DWARF_FILE_MAIN and has a single .debug_info is relocated
// on demand; for any other file this does nothing. Bytes already relocated may be read meanwhile.
// False if they cannot be relocated.
bool ic_dwarf_file_need(const struct ic_dwarf_file *dwarf_file, uint64_t start, uint64_t end,
			struct ic_error *err) IC_CHECKED;

// The same for all of it, on several threads.
bool ic_dwarf_file_need_all(const struct ic_dwarf_file *dwarf_file, uint32_t jobs,
			    struct ic_error *err) IC_CHECKED;

// The same for the headers of all of its units.
bool ic_dwarf_file_need_headers(const struct ic_dwarf_file *dwarf_file, struct ic_error *err)
	IC_CHECKED;

// Whether the units of `dwarf` are in a section that is relocated on demand.
bool ic_dwarf_file_has_units(const struct ic_dwarf_file *dwarf_file, const struct ic_dwarf *dwarf);

// The addends in its .debug_info before it is relocated: see ic_section_pending_addends().
bool ic_dwarf_file_addends(const struct ic_dwarf_file *dwarf_file,
			   struct ic_pending_addends *addends);

// The bytes of one more section, which is loaded: empty if there is none.
bool ic_dwarf_file_section(struct ic_bytes *bytes, struct ic_elf_file *file, const char *name,
			   struct ic_error *err) IC_CHECKED;

// Frees what was loaded of a file that is not split, and its decompressed sections, unless another
// user has loaded them too. Keeps .debug_info and the string sections, from which names are
// borrowed.
void ic_dwarf_file_unload(struct ic_dwarf_file *dwarf_file);

// Frees it, and leaves the sections: their contents may still be borrowed.
void ic_dwarf_file_free(struct ic_dwarf_file *dwarf_file);

#endif
