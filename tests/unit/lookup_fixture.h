// From the DWARF that a test wrote to what look-ups by address read of it, as text.
#ifndef TESTS_UNIT_LOOKUP_FIXTURE_H
#define TESTS_UNIT_LOOKUP_FIXTURE_H

#include "model/index.h"
#include "scan/scan.h"
#include "scan/scan_image.h"
#include "symbolize/symbolizer.h"

#include "dwarf_builder.h"
#include "elf_builder.h"

#include "scan_fixture.h"

// ---- Units that are read by hand

struct unit_scan { // an open scan that keeps code maps, of which nothing is read yet
	struct ic_image *image;
	struct ic_index index;
	struct ic_scan_want want;
	const struct ic_scan_wanted *wanted; // NULL
	struct ic_debug *debug;
	struct ic_scan scan;
	struct ic_problems problems;
	char *text; // returned last
};

// Takes ownership of the builder. There is code from CODE_START to CODE_END.
void unit_scan_open(struct unit_scan *of, struct dwarf_builder *dw);
// The same for a file that a path names.
void unit_scan_open_path(struct unit_scan *of, const char *path);
void unit_scan_close(struct unit_scan *of);

// Reads all units.
void unit_scan_read(struct unit_scan *of);
// The rows of the units that were read, and their problems:
//	unit a.c
//	0x1000-0x1040
//	 +0x0 /src/a.c:3:7
//	 +0x10 ?:4
//	problem .debug_line+0x40: what is wrong
const char *unit_scan_rows(struct unit_scan *of);

// ---- Symbolizers

struct lookup {
	struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	char *text; // returned last
};

// These take ownership of the builder. The first makes a file with code from CODE_START to
// CODE_END.
void lookup_open(struct lookup *lookup, struct dwarf_builder *dw);
void lookup_open_elf(struct lookup *lookup, struct elf_builder *elf);
void lookup_open_path(struct lookup *lookup, const char *path);
void lookup_close(struct lookup *lookup);

// The frames at an address, the innermost first; "" if there are none. What is not known is "?", a
// function of which only the symbol is known is in brackets:
//	leaf /src/a.c:7:3 in main /src/a.c:5
//	[memcpy] ?:0
const char *lookup_text(struct lookup *lookup, uint64_t addr);
// The same of one stack of a batch.
const char *lookup_stack(struct lookup *lookup, const struct ic_stacks *stacks, size_t number);
// The problems so far, each on a line.
const char *lookup_problems(struct lookup *lookup);

#define assert_lookup(lookup, addr, wanted) assert_string_equal(lookup_text(lookup, addr), wanted)

// ---- Programs

enum program_root { // how the root DIE of a unit says where its code is
	PROGRAM_PAIR,
	PROGRAM_RANGES,
	PROGRAM_SILENT,
};

struct program_unit {
	const char *name; // of its file, and its label; a function NAME.main has NAME.leaf inlined
	uint64_t start;   // of its code: 0x100 bytes
	enum program_root root;
	bool no_lines;
	const char *origin; // another unit, whose leaf is inlined; NULL: this one's
};

// Writes a unit with a line table:
//	NAME.main has the code, in line 1 of /src/NAME, and from 0x20 on in line 3;
//	NAME.leaf is inlined at 0x10 to 0x20, in line 2, from line 7.
void program_put(struct dwarf_builder *dw, const struct program_unit *unit);
// What lookup_text() returns for the three places.
#define PROGRAM_START(name) name ".main /src/" name ":1"
#define PROGRAM_LEAF(name)  name ".leaf /src/" name ":2 in " name ".main /src/" name ":7"
#define PROGRAM_END(name)   name ".main /src/" name ":3"

#endif
