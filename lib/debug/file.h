// The DWARF sections of an ELF file, made readable.
#ifndef DEBUG_FILE_H
#define DEBUG_FILE_H

#include "base/problems.h"
#include "dwarf/units/unit.h"
#include "elf/sections/relocate.h"
#include "units/sections.h"

enum ic_dwarf_file_kind {
	IC_DWARF_FILE_MAIN,          // .debug_info etc.; see also ic_dwarf_file_need()
	IC_DWARF_FILE_SPLIT,         // .debug_info.dwo etc., of a .dwo or .dwp file
	IC_DWARF_FILE_SUPPLEMENTARY, // the file that others refer to
};

// One struct ic_dwarf for each .debug_info and .debug_types: a relocatable file may have many, a
// linked one has at most one of each. The sections belong to the ELF file.
struct ic_dwarf_file {
	struct ic_dwarf *dwarfs; // owned
	uint32_t count;
	struct ic_elf_file *file;
	struct ic_section *by_parts;       // the .debug_info that is relocated on demand, or NULL
	struct ic_dwarf *sole;             // the one with that section
	struct ic_lazy_sections *sections; // owned: those loaded on demand; NULL if none are
};

// Loads the sections, using several threads. A file without .debug_info gets no struct ic_dwarf,
// with two exceptions: a supplementary file, since for small programs dwz shares only strings, and
// a main file with a .debug_line.
bool ic_dwarf_file_load(struct ic_dwarf_file *dwarf_file, struct ic_elf_file *file,
			enum ic_dwarf_file_kind kind, uint32_t jobs, struct ic_error *err)
	IC_CHECKED;

// Call this if the loaded ELF file has moved in memory.
void ic_dwarf_file_moved(struct ic_dwarf_file *dwarf_file, struct ic_elf_file *file);

// If the file's section headers contradict each other, adds that as a problem; `path` is NULL for
// the file that the user named.
void ic_dwarf_file_report(struct ic_elf_file *file, const char *path, struct ic_problems *problems);

// If any symbol of a file contradicts another, adds that, unless there is a problem already;
// ic_dwarf_file_report() checks only some symbols. `file` may be NULL.
void ic_dwarf_file_report_symbols(const struct ic_elf_file *file, struct ic_problems *problems);

// Relocates the bytes [start, end) of .debug_info; call it before they are read. This does
// something only for a relocatable file that was loaded as IC_DWARF_FILE_MAIN and has a single
// .debug_info, which is relocated on demand. Meanwhile, other threads may read bytes that have been
// relocated. Returns false if it fails.
bool ic_dwarf_file_need(const struct ic_dwarf_file *dwarf_file, uint64_t start, uint64_t end,
			struct ic_error *err) IC_CHECKED;

// The same for the whole section, using several threads.
bool ic_dwarf_file_need_all(const struct ic_dwarf_file *dwarf_file, uint32_t jobs,
			    struct ic_error *err) IC_CHECKED;

// The same for the headers of all its units.
bool ic_dwarf_file_need_headers(const struct ic_dwarf_file *dwarf_file, struct ic_error *err)
	IC_CHECKED;

// Whether the units of `dwarf` are in a section that is relocated on demand.
bool ic_dwarf_file_has_units(const struct ic_dwarf_file *dwarf_file, const struct ic_dwarf *dwarf);

// Gets the addends in .debug_info before relocation: see ic_section_pending_addends().
bool ic_dwarf_file_addends(const struct ic_dwarf_file *dwarf_file,
			   struct ic_pending_addends *addends);

// Loads one more section and gets its bytes: empty if there is none.
bool ic_dwarf_file_section(struct ic_bytes *bytes, struct ic_elf_file *file, const char *name,
			   struct ic_error *err) IC_CHECKED;

// Frees what was loaded from a file that is not split, and its decompressed sections unless another
// user has loaded them too. Keeps .debug_info and the string sections, since names are borrowed
// from them.
void ic_dwarf_file_unload(struct ic_dwarf_file *dwarf_file);

// Frees this, but not the sections, whose contents may still be borrowed.
void ic_dwarf_file_free(struct ic_dwarf_file *dwarf_file);

#endif
