// The DWARF sections of an ELF file, made readable.
#ifndef SCAN_SCAN_FILE_H
#define SCAN_SCAN_FILE_H

#include "base/problems.h"
#include "dwarf/unit.h"
#include "elf/relocate.h"
#include "scan/scan_sections.h"

enum ic_scan_file_kind {
	SCAN_FILE_MAIN,          // .debug_info and the others; see also ic_scan_file_need()
	SCAN_FILE_SPLIT,         // .debug_info.dwo and the others, of a .dwo or a .dwp file
	SCAN_FILE_SUPPLEMENTARY, // what others refer to
};

// One for each .debug_info and .debug_types of the file: relocatable files may have many, a linked
// one has one of each. The sections are the file's.
struct ic_scan_file {
	struct ic_dwarf *dwarfs; // owned
	uint32_t count;
	struct ic_elf_file *file;
	struct ic_section *by_parts;       // the .debug_info that is loaded so, or NULL
	struct ic_scan_sections *sections; // owned: those that are left for later; NULL for none
};

// Loads the sections on several threads. A file without any .debug_info has none, but for a
// supplementary one: of small programs dwz shares strings alone.
bool ic_scan_file_load(struct ic_scan_file *scan_file, struct ic_elf_file *file,
		       enum ic_scan_file_kind kind, uint32_t jobs, struct ic_error *err) IC_CHECKED;

// To be called if the ELF file that was loaded is at another address in memory now.
void ic_scan_file_moved(struct ic_scan_file *scan_file, struct ic_elf_file *file);

// Adds the contradiction in the section headers of the file, if there is one, to the problems;
// `path` is NULL for the file that was asked for.
void ic_scan_file_report(struct ic_elf_file *file, const char *path, struct ic_problems *problems);

// Adds a contradiction in any of the symbols of a file, where ic_scan_file_report() looks at some
// of them only; not if there is a problem already. `file` may be NULL.
void ic_scan_file_report_symbols(const struct ic_elf_file *file, struct ic_problems *problems);

// Of a relocatable file that was loaded as SCAN_FILE_MAIN the relocations of .debug_info are still
// to be applied, if it has one alone: this is to be called before bytes [start, end) of it are
// read, and does nothing for any other file. What was asked for before may be read meanwhile. False
// where the bytes cannot be relocated.
bool ic_scan_file_need(const struct ic_scan_file *scan_file, uint64_t start, uint64_t end,
		       struct ic_error *err) IC_CHECKED;

// The same for all of it, on several threads.
bool ic_scan_file_need_all(const struct ic_scan_file *scan_file, uint32_t jobs,
			   struct ic_error *err) IC_CHECKED;

// The same for the headers of all of its units.
bool ic_scan_file_need_headers(const struct ic_scan_file *scan_file, struct ic_error *err)
	IC_CHECKED;

// Whether it is in such a section that units of `dwarf` are.
bool ic_scan_file_has_units(const struct ic_scan_file *scan_file, const struct ic_dwarf *dwarf);

// What its units refer to, before it is readable: see ic_section_pending_addends().
bool ic_scan_file_addends(const struct ic_scan_file *scan_file, struct ic_pending_addends *addends);

// The bytes of one more section, which is loaded: empty where there is none.
bool ic_scan_file_section(struct ic_bytes *bytes, struct ic_elf_file *file, const char *name,
			  struct ic_error *err) IC_CHECKED;

// Frees what was loaded of a file that is not split, and gives the memory of its decompressed
// sections back unless they are loaded for somebody else, too; but for those that names are
// borrowed from: .debug_info and those of strings.
void ic_scan_file_unload(struct ic_scan_file *scan_file);

// Frees it, and leaves the sections as they are: what is in them may be borrowed from still.
void ic_scan_file_free(struct ic_scan_file *scan_file);

#endif
