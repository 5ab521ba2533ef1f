// A source of units: how those in one kind of section are listed, and read into models.
//
// There is one for DIEs (read/unit.h), one for line tables (tables/line_contexts.h), which are the
// units of a file that has nothing else, one for Go's tables (tables/go_table.h), of programs
// without DIEs, and one for tables of inlined calls (tables/inline_table.h), for callers who want
// one. debug/file.c and debug/debug.c choose between the former; whoever reads units does not ask.
#ifndef UNITS_SOURCE_H
#define UNITS_SOURCE_H

#include "dwarf/units/unit.h"

struct ic_reader;
struct ic_stream;

enum ic_unit_claim { // what a unit says of its code before all of it is read
	IC_UNIT_CLAIM_UNREADABLE,
	IC_UNIT_CLAIM_NONE, // nothing
	IC_UNIT_CLAIM_SOME, // it may have more
	IC_UNIT_CLAIM_ALL,
};

struct ic_unit_source {
	// Its units have DIEs: there may be variables, references to other units, and offsets of
	// strings that can be searched for.
	bool has_dies;

	// As ic_unit_model has it.
	bool has_only_entries;

	// Its units have rows of their own, which `build` makes with the rest: there are no line
	// tables.
	bool has_own_rows;

	// Appends the units in dwarf->info, in order. False if the rest cannot be told apart, or
	// memory runs out; the units before stay.
	bool (*list)(struct ic_unit_list *list, const struct ic_dwarf *dwarf, struct ic_error *err);

	// Reads what any use of the reader's unit needs, with `root_only` what its claims and its
	// line table need. False if it cannot be read; the reason is a problem of the reader.
	bool (*open)(struct ic_reader *reader, bool root_only);

	// Adds the code that the open unit claims to the reader's ranges, without what the linker
	// discarded.
	enum ic_unit_claim (*claim)(struct ic_reader *reader);

	// Begins the stream's walk through the open unit; NULL if there are no DIEs to walk
	// through.
	void (*walk)(struct ic_stream *stream);

	// Completes the functions, instances and calls of the stream after the walk. Also called if
	// the unit could not be opened, since its lines may still be readable.
	void (*build)(struct ic_stream *stream);

	// Fills in the rows at addresses; called after `build`, if a code map is wanted.
	void (*rows)(struct ic_stream *stream);
};

#endif
