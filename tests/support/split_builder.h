// Split DWARF from the builders: skeletons and their units, .dwo files, the indexes of packages.
//
//	split_write_units(dw, units, 2);
//	elf_add_dwarf_part(program, dw, false);
//	elf_add_dwarf_part(dwo, dw, true);
#ifndef TESTS_SUPPORT_SPLIT_BUILDER_H
#define TESTS_SUPPORT_SPLIT_BUILDER_H

#include "dwarf_builder.h"
#include "elf_builder.h"

struct split_unit {
	uint64_t id;      // dwo_id
	const char *name; // of its source, and of its functions; labels are made of it
	const char *dwo_name, *comp_dir;
	uint64_t start;    // of its code: 0x100 bytes
	bool has_high_pc;  // the skeleton says so
	uint64_t split_id; // dwo_id in the split unit, if it differs; 0: the same
	const char *lines; // label of the line table, NULL: none; NAME.inlined is in file 1, line 7
};

// The skeletons and units of one .dwo file, which share its tables. Skeletons are of DWARF 5 or of
// GNU's kind before, with low_pc at the start of the code, and the bases of the addresses and,
// before DWARF 5, of the range lists that the unit uses. A unit is in C, and has a host NAME of the
// whole code and in it NAME.inlined in two ranges: at 0x10 and 0x30 from the start, of 8 bytes
// each. The labels "NAME.skeleton", "NAME.unit" and "NAME.inlined" are of the skeleton, the unit
// and the inlined function.
void split_write_units(struct dwarf_builder *dw, const struct split_unit *units, size_t count);

// The sections whose names end in ".dwo", or all others.
void elf_add_dwarf_part(struct elf_builder *elf, struct dwarf_builder *dw, bool dwo);

enum { PACKAGE_MOST_COLUMNS = 8 };

struct package_row {
	uint64_t id;
	uint32_t offs[PACKAGE_MOST_COLUMNS], sizes[PACKAGE_MOST_COLUMNS];
};

struct package_index {
	uint32_t version; // 2 or 5
	uint32_t columns;
	uint32_t sections[PACKAGE_MOST_COLUMNS]; // DW_SECT_*
	const struct package_row *rows;
	uint32_t row_count;

	struct dw_bad bad_version, bad_columns, bad_units, bad_slots, bad_row; // of the last slot
};

// Writes .debug_cu_index or .debug_tu_index in the byte order of the buffer, its slots hashed as
// DWARF 5, 7.3.5.3 has it.
void package_index_write(struct byte_buffer *out, const struct package_index *index);

#endif
