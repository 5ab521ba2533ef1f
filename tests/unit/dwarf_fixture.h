// DWARF from the builder, as the decoders of lib/dwarf/ want it.
#ifndef TESTS_UNIT_DWARF_FIXTURE_H
#define TESTS_UNIT_DWARF_FIXTURE_H

#include "dwarf/abbrev.h"
#include "dwarf/die.h"
#include "dwarf/unit.h"

#include "dwarf_builder.h"

// All formats: DWARF 2 to 5, both offset sizes, address sizes and byte orders.
enum { DWARF_FORMAT_COUNT = 4 * 2 * 2 * 2 };
struct dwarf_format dwarf_format_number(uint32_t number);

// The sections of a builder, which this completes; they stay its own.
struct ic_dwarf dwarf_of(struct dwarf_builder *dw, bool big_endian);

// Keeps the attributes of all tags; a walk with it stops at every DIE.
extern const struct ic_abbrev_reader dwarf_keep_all;
// Keeps none: a walk skips every DIE.
extern const struct ic_abbrev_reader dwarf_keep_none;

// The output of a builder, read up to the abbreviation table of its first unit.
struct dwarf_fixture {
	struct dwarf_builder *dw;
	struct ic_dwarf dwarf;
	struct ic_unit_list list;
	struct ic_unit *unit; // the first of them
	struct ic_abbrev_table table;
	struct ic_arena arena;
	struct ic_problems problems;
};

// Takes ownership of the builder. Headers and table must be sound.
void dwarf_fixture_open(struct dwarf_fixture *fixture, struct dwarf_builder *dw, bool big_endian,
			const struct ic_abbrev_reader *reader);
void dwarf_fixture_close(struct dwarf_fixture *fixture);

// The table of a unit; it must be sound.
void dwarf_fixture_table(struct ic_abbrev_table *table, const struct ic_unit *unit,
			 const struct ic_abbrev_reader *reader);

// A builder in a unit with an open root DIE, and the end of both.
struct dwarf_builder *dwarf_begin(struct dwarf_format format);
void dwarf_end(struct dwarf_builder *dw);

#endif
