// From the DWARF that a test wrote to the index of an ELF file, and that as text.
#ifndef TESTS_UNIT_SCAN_FIXTURE_H
#define TESTS_UNIT_SCAN_FIXTURE_H

#include "model/index.h"

#include "dwarf_builder.h"

struct scan {
	struct ic_image *image;
	struct ic_index *index;
	char *text; // what scan_text() returned last
};

// Where the code is: functions at other addresses were discarded.
enum { CODE_START = 0x1000, CODE_END = 0x9000 };

// Takes ownership of the builder. The options may be NULL.
void scan_open(struct scan *scan, struct dwarf_builder *dw, const struct ic_index_options *options);
// The same for a file that a path names, which must have an index.
void scan_open_path(struct scan *scan, const char *path, const struct ic_index_options *options);
void scan_close(struct scan *scan);

// Every instance on a line, indented below the one around it, and the calls and problems:
//	unit a.c
//	host main 0x1000-0x1100 at 0x1000
//	 inlined ns::f 0x1010-0x1020 at 0x1010 from /src/a.c:7:3
//	call g returns 0x1018 in main from /src/a.c:8
//	problem .debug_info+0x40: what is wrong
const char *scan_text(struct scan *scan);
// Everything that the model holds, in its order.
const char *scan_everything(struct scan *scan);
// The function of an instance, counted over the whole index.
const struct ic_function *scan_function(const struct scan *scan, uint32_t instance);

// A unit of the given language with an open root DIE named `name`.
void scan_unit_of(struct dwarf_builder *dw, const char *name, uint16_t language);

// Most tests' builder: DWARF 5, or another version, in 32 bits with addresses of 8 bytes.
struct dwarf_builder *scan_builder(uint16_t version);
// The end of a unit that scan_unit_of() began.
void scan_unit_done(struct dwarf_builder *dw);
// A function with DW_AT_inline, under a label of its name.
void scan_abstract(struct dwarf_builder *dw, const char *name);
// An open subprogram with code; the caller ends it.
void scan_host(struct dwarf_builder *dw, const char *name, uint64_t start, uint64_t end);
// An open instance of the DIE that `origin` labels in this unit; the caller ends it.
void scan_inlined(struct dwarf_builder *dw, const char *origin, uint64_t start, uint64_t end);

// Fails unless the index has exactly this text.
#define assert_scan(scan, wanted) assert_string_equal(scan_text(scan), wanted)

#endif
