// Units: the headers in .debug_info, and the bases that the forms of their DIEs need.
#ifndef DWARF_UNITS_UNIT_H
#define DWARF_UNITS_UNIT_H

#include "base/array.h"
#include "base/cursor.h"
#include "base/problems.h"

struct ic_package;
struct ic_unit_source;

// Makes a section readable on first use; belongs to the owner of the sections. Any number of
// threads may call it.
struct ic_dwarf_loader {
	// `section_at` is the section's offset in struct ic_dwarf. False if it cannot be made
	// readable; the error is then IC_ERROR_NO_DEBUG, since the reason is reported once for the
	// whole file.
	bool (*load)(struct ic_dwarf_loader *loader, size_t section_at, struct ic_bytes *bytes,
		     struct ic_error *err);
	// Adds the reasons that were not reported; *reported, at first 0, tells which were.
	void (*report)(struct ic_dwarf_loader *loader, uint64_t *reported,
		       struct ic_problems *problems);
	// Whether any section could not be made readable.
	bool (*has_failed)(const struct ic_dwarf_loader *loader);
};

// The DWARF of one file, or of one of its several .debug_info sections: sections, all borrowed;
// absent ones are empty. `info` is the section that the units are in. Their origin does not matter,
// so a test or a fuzzer can make them. A section that is not readable yet has its size, and `data`
// NULL: its bytes are read by ic_dwarf_section(). .debug_info and .debug_abbrev are always
// readable.
struct ic_dwarf {
	struct ic_bytes info, abbrev, addr, line, line_str, ranges, rnglists, str, str_offsets;
	bool swap;      // their byte order is not ours
	bool is_32_bit; // the file is: only the low four bytes of an 8-byte address count
	// The DIEs of all files of an index are numbered in one space: the start of those in
	// `info`.
	uint64_t info_base;
	const char *info_name; // of the section, for messages; static
	const char *file;      // path, for messages; NULL for the file that the user named
	bool is_types;         // `info` is .debug_types (DWARF 4, 7.5.1.2)
	bool is_split;         // the sections are from a .dwo or .dwp file
	bool is_supplementary; // they are from a file that others refer to
	const struct ic_package *package;     // of the units, or NULL
	const struct ic_dwarf *supplementary; // for the supplementary forms, or NULL
	bool supplementary_missing;           // which was reported, and must not be again
	struct ic_dwarf_loader *loader;       // of sections that are not readable yet, or NULL
	// How the owner of the sections has the units in `info` listed and read. Not used in
	// dwarf/.
	const struct ic_unit_source *source;
};

// Whether the bytes of a section can be had without ic_dwarf_section(), which may decompress it.
static inline bool ic_dwarf_is_readable(struct ic_bytes section)
{
	return section.data || section.size == 0;
}

// The bytes of `section`, which must be a member of the dwarf.
static inline bool ic_dwarf_section(const struct ic_dwarf *dwarf, const struct ic_bytes *section,
				    struct ic_bytes *bytes, struct ic_error *err)
{
	*bytes = *section;
	return section->data || !dwarf->loader || section->size == 0 ||
	       dwarf->loader->load(dwarf->loader,
				   (size_t)((const char *)section - (const char *)dwarf), bytes,
				   err);
}

// Whether an error follows from a missing file or section, which is reported once for the file.
static inline bool ic_dwarf_is_reported(const struct ic_dwarf *dwarf, const struct ic_error *err)
{
	return err->code == IC_ERROR_NO_DEBUG && (dwarf->supplementary_missing || dwarf->loader);
}

struct ic_unit_root { // contents of a unit's root DIE
	bool is_read;
	bool has_low_pc, has_high_pc, has_ranges, has_stmt_list;
	bool has_only_lines; // no addresses and no other DIE: only its line table describes its
			     // code
	uint16_t language;   // DW_LANG_*, 0 if unknown
	const char *name, *comp_dir, *dwo_name; // NULL if absent; dwo_name: of a skeleton
	const char *producer;                   // NULL if absent or unreadable
	uint64_t low_pc, line_off;
	uint64_t addr_base, str_offsets_base;
	uint64_t rnglists_base;   // of the table of offsets for DW_FORM_rnglistx
	uint64_t lists_base;      // added to other offsets of range lists
	uint64_t gnu_ranges_base; // of a skeleton: that of its split unit's
};

struct ic_unit {
	const struct ic_dwarf *dwarf;
	uint64_t off, die_off, end_off; // in the section: header, root DIE, end
	uint64_t abbrev_off;
	// The unit's own parts of a package's sections; 0 outside packages.
	uint64_t str_offsets_part, rnglists_part, locations_part;
	uint64_t id;       // dwo_id of skeleton and split units, signature of type units
	uint64_t type_off; // of a type unit's type, from the header
	uint16_t version;  // 5 for 6
	bool is_draft;     // version 6, of which there are only drafts: its headers are those of 5
	uint8_t type, addr_size, offset_size; // type: DW_UT_*, 0 if it has no DIEs
	// Nothing in it is inlined anywhere: it is read only if another unit refers to it.
	bool is_passive;
	struct ic_unit *skeleton; // of a split unit, once they are joined
	struct ic_unit_root root; // set by ic_unit_read_root
};

enum { IC_UNIT_MOST_HEADER = 40 }; // bytes: for a type unit with 64-bit offsets

struct ic_unit_list {
	IC_ARRAY(struct ic_unit) units;
	// Units that end within their header, such as zeros between others, are counted and left
	// out.
	uint64_t cut_count, first_cut_off;
	uint32_t unreadable_count; // listed units whose root DIE cannot be read
};

// The limit on unreadable units in the list: no compiler writes them, and a decompressed megabyte
// could hold a hundred thousand.
enum { IC_UNIT_MOST_UNREADABLE = 1024 };

// Appends the units of one section, in order; info_base must be beyond all units in the list. An
// impossible length, or too many unreadable units, ends the section, fills *err and returns false;
// the units before it stay.
bool ic_unit_list_parse(struct ic_unit_list *list, const struct ic_dwarf *dwarf,
			struct ic_error *err) IC_CHECKED;

// Appends each table of a .debug_line that is `info`, as a unit without DIEs. An impossible length
// ends the section likewise.
bool ic_unit_list_parse_lines(struct ic_unit_list *list, const struct ic_dwarf *dwarf,
			      struct ic_error *err) IC_CHECKED;

// Appends the unit whose header is at an offset of the section. False if there is none.
bool ic_unit_list_parse_one(struct ic_unit_list *list, const struct ic_dwarf *dwarf, uint64_t off,
			    struct ic_error *err) IC_CHECKED;

// Whether the DIEs of a unit can be read: its version and sizes are supported. If not, the units
// after it are unaffected.
bool ic_unit_check(const struct ic_unit *unit, struct ic_error *err) IC_CHECKED;

// Identifies a DIE of the unit, at an offset in its section, among those of all files.
static inline uint64_t ic_unit_global_off(const struct ic_unit *unit, uint64_t off)
{
	return unit->dwarf->info_base + off;
}

// Whether a DIE is one of the unit, given the result of ic_unit_global_off().
static inline bool ic_unit_has(const struct ic_unit *unit, uint64_t off)
{
	return off >= ic_unit_global_off(unit, unit->die_off) &&
	       off < ic_unit_global_off(unit, unit->end_off);
}

// The unit of a DIE, given the result of ic_unit_global_off(), or NULL. Time: O(log n).
const struct ic_unit *ic_unit_list_find(const struct ic_unit_list *list, uint64_t off);

// The significant bits of an address: a 64-bit kernel may be in a 32-bit ELF file (MIPS's
// vmlinux.32), whose own addresses are truncated.
static inline uint64_t ic_unit_addr_mask(const struct ic_unit *unit)
{
	return unit->addr_size == 8 && !unit->dwarf->is_32_bit ? UINT64_MAX : UINT32_MAX;
}

// A cursor over the DIEs of the unit, from `off` (in the section) to its end.
struct ic_cursor ic_unit_cursor(const struct ic_unit *unit, uint64_t off);

#endif
