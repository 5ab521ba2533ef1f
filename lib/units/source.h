// A source of units: how to list those in one kind of section, and how to read them into models.
//
// There is one for DIEs (read/unit.h); one for line tables (tables/line_contexts.h), which are the
// units of a file that has nothing else; one for Go's tables (tables/go_table.h), in programs
// without DIEs; one each for GSYM and Breakpad files (tables/gsym_table.h, breakpad_table.h); and
// one for tables of inlined calls (tables/inline_table.h), for callers who request one.
// debug/file.c and debug/debug.c choose the source; code that reads units does not depend on it.
#ifndef UNITS_SOURCE_H
#define UNITS_SOURCE_H

#include "dwarf/units/unit.h"

struct ic_reader;
struct ic_stream;

enum ic_unit_claim { // what is known about a unit's code before all of the unit is read
	IC_UNIT_CLAIM_UNREADABLE,
	IC_UNIT_CLAIM_NONE, // nothing
	IC_UNIT_CLAIM_SOME, // it may have more
	IC_UNIT_CLAIM_ALL,
};

struct ic_unit_source {
	// The units have DIEs: there may be variables, references to other units, and offsets of
	// strings that can be searched for.
	bool has_dies;

	// As in ic_unit_model.
	bool has_only_entries;

	// The units have their own rows, which `build` makes with the rest: there are no line
	// tables.
	bool has_own_rows;

	// Appends the units in dwarf->info, in order. Returns false if the rest cannot be told
	// apart or memory runs out; the units before that are kept.
	bool (*list)(struct ic_unit_list *list, const struct ic_dwarf *dwarf, struct ic_error *err);

	// Reads what any use of the reader's unit requires; with `root_only`, what its claims and
	// its line table require. Returns false if it cannot be read, for a reason that becomes a
	// problem of the reader. NULL if there is nothing to read.
	bool (*open)(struct ic_reader *reader, bool root_only);

	// Adds the code that the open unit claims to the reader's ranges, except what the linker
	// discarded. NULL if this is not known before `build`: the unit may have some.
	enum ic_unit_claim (*claim)(struct ic_reader *reader);

	// Starts the stream's walk through the open unit; NULL if there are no DIEs.
	void (*walk)(struct ic_stream *stream);

	// Completes the stream's functions, instances and calls after the walk. Also called if the
	// unit could not be opened, since its lines may still be readable.
	void (*build)(struct ic_stream *stream);

	// Sets the rows; called after `build`, if a code map is wanted. NULL if there are none, or
	// `build` sets them.
	void (*rows)(struct ic_stream *stream);
};

#endif
