// Units: one header of .debug_info each, and the bases that the forms of its entries need.
#ifndef DWARF_UNIT_H
#define DWARF_UNIT_H

#include "base/array.h"
#include "base/cursor.h"
#include "base/problems.h"

struct ic_package;

// Makes a section readable when its bytes are first asked for; whoever owns the sections has one.
// Any number of threads may call it.
struct ic_dwarf_loader {
	// `section_at` is where struct ic_dwarf has the section. False if it cannot be made
	// readable; then the error is IC_ERROR_NO_DEBUG, since the reason is reported once, for the
	// whole file.
	bool (*load)(struct ic_dwarf_loader *loader, size_t section_at, struct ic_bytes *bytes,
		     struct ic_error *err);
	// Adds the reasons that have not been reported; *reported, 0 at first, has which.
	void (*report)(struct ic_dwarf_loader *loader, uint64_t *reported,
		       struct ic_problems *problems);
	// Whether any section could not be made readable.
	bool (*has_failed)(const struct ic_dwarf_loader *loader);
};

// The DWARF of one file, or of one of its several .debug_info sections: sections, all borrowed;
// absent ones are empty. Where they come from is nobody's business here, so that a test or a fuzzer
// can make them. Of one that is not readable yet only the size is known, and `data` is NULL: its
// bytes are for ic_dwarf_section(). .debug_info and .debug_abbrev always are.
struct ic_dwarf {
	struct ic_bytes info, abbrev, addr, line, line_str, ranges, rnglists, str, str_offsets;
	bool swap;      // their byte order is not ours
	bool is_32_bit; // the file is: of an address of eight bytes the low four count
	// The entries of all files that an index is made of are numbered in one space: this is
	// where those of `info` begin.
	uint64_t info_base;
	const char *info_name; // of the section, for messages; static
	const char *file;      // path, for messages; NULL for the file that was asked for
	bool is_lines;         // `info` is .debug_line: there are no units but its tables
	bool is_types;         // `info` is .debug_types (DWARF 4, 7.5.1.2)
	bool is_split;         // the sections are those of a .dwo or .dwp file
	bool is_supplementary; // they are those of a file that others refer to
	const struct ic_package *package;     // that the units are in, or NULL
	const struct ic_dwarf *supplementary; // that strings and entries may be in, or NULL
	bool supplementary_missing;           // which has been said, so that it need not be again
	struct ic_dwarf_loader *loader;       // of sections that are not readable yet, or NULL
};

// The bytes of `section`, which is one of the dwarf's.
static inline bool ic_dwarf_section(const struct ic_dwarf *dwarf, const struct ic_bytes *section,
				    struct ic_bytes *bytes, struct ic_error *err)
{
	*bytes = *section;
	return section->data || !dwarf->loader || section->size == 0 ||
	       dwarf->loader->load(dwarf->loader,
				   (size_t)((const char *)section - (const char *)dwarf), bytes,
				   err);
}

// Whether an error is one of what is missing as a whole, of which the file has a problem.
static inline bool ic_dwarf_is_reported(const struct ic_dwarf *dwarf, const struct ic_error *err)
{
	return err->code == IC_ERROR_NO_DEBUG && (dwarf->supplementary_missing || dwarf->loader);
}

struct ic_unit {
	const struct ic_dwarf *dwarf;
	uint64_t off, die_off, end_off; // in the section: header, first entry, end
	uint64_t abbrev_off;
	// Where in a package's sections the unit's own tables are; 0 outside packages.
	uint64_t str_offsets_part, rnglists_part, locations_part;
	uint64_t id;       // dwo_id of skeleton and split units, signature of type units
	uint64_t type_off; // of a type unit's type, from the header
	uint16_t version;
	uint8_t type, addr_size, offset_size; // type: DW_UT_*
	// Nothing in it is inlined anywhere: it is read where another unit refers to it, or not at
	// all.
	bool is_passive;
	struct ic_unit *skeleton; // of a split unit, once they have found each other

	// Of its root entry; known once ic_unit_read_root has been called.
	bool root_read;
	bool has_low_pc, has_high_pc, has_ranges, has_stmt_list;
	uint16_t language;                      // DW_LANG_*, 0 where not said
	const char *name, *comp_dir, *dwo_name; // NULL where not said; dwo_name: of a skeleton
	uint64_t low_pc, line_off;
	uint64_t addr_base, str_offsets_base;
	uint64_t rnglists_base;   // of the table of offsets for DW_FORM_rnglistx
	uint64_t lists_base;      // what other offsets of range lists are added to
	uint64_t gnu_ranges_base; // of a skeleton: that of its split unit's
};

enum { IC_UNIT_MOST_HEADER = 40 }; // bytes: of a type unit with offsets of 64 bits

struct ic_unit_list {
	IC_ARRAY(struct ic_unit) units;
	// Units that end within their header, zeros between others for one, are counted and left
	// out.
	uint64_t cut_count, first_cut_off;
	uint32_t unreadable_count; // of those that are listed, and have no root DIE that could be
				   // read
};

// So many units that cannot be read are listed: no compiler makes them, and a megabyte that is
// decompressed could hold a hundred thousand.
enum { IC_UNIT_MOST_UNREADABLE = 1024 };

// Appends the units of one section, in order; info_base must lie beyond what is listed already. A
// length that cannot be read, or is not that of a unit, ends the section and fills *err; so does
// one unit too many that cannot be read. The units before it stay, and false is returned.
bool ic_unit_list_parse(struct ic_unit_list *list, const struct ic_dwarf *dwarf,
			struct ic_error *err) IC_CHECKED;

// Appends the unit whose header is at an offset of the section. False where there is none.
bool ic_unit_list_parse_one(struct ic_unit_list *list, const struct ic_dwarf *dwarf, uint64_t off,
			    struct ic_error *err) IC_CHECKED;

// Whether the entries of a unit can be read: its version and sizes are ones that we know. Where
// not, the units after it are none the worse.
bool ic_unit_check(const struct ic_unit *unit, struct ic_error *err) IC_CHECKED;

// What tells an entry of the unit, at an offset in its section, from those of all other files.
static inline uint64_t ic_unit_global_off(const struct ic_unit *unit, uint64_t off)
{
	return unit->dwarf->info_base + off;
}

// The unit whose entries hold what ic_unit_global_off() gave, or NULL. Time: O(log n).
const struct ic_unit *ic_unit_list_find(const struct ic_unit_list *list, uint64_t off);

// What of an address counts: a kernel of 64 bits may be put in an ELF file of 32 (MIPS's
// vmlinux.32), whose own addresses are then cut off.
static inline uint64_t ic_unit_addr_mask(const struct ic_unit *unit)
{
	return unit->addr_size == 8 && !unit->dwarf->is_32_bit ? UINT64_MAX : UINT32_MAX;
}

// A cursor over the entries of the unit, from `off` (in the section) to its end.
struct ic_cursor ic_unit_cursor(const struct ic_unit *unit, uint64_t off);

#endif
