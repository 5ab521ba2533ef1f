// Programs of split DWARF in the temporary directory.
#ifndef TESTS_UNIT_SPLIT_FIXTURE_H
#define TESTS_UNIT_SPLIT_FIXTURE_H

#include "scan_fixture.h"
#include "split_builder.h"

// Versions 4 and 5, both offset sizes, address sizes and byte orders.
enum { SPLIT_FORMAT_COUNT = 2 * 2 * 2 * 2 };
struct dwarf_format split_format_number(uint32_t number);

// An ELF file of that format, with code from CODE_START on unless it is for split units.
struct elf_builder *split_elf(struct dwarf_format format, bool dwo);

// Writes a program with the skeletons to `program`, and, if `dwo` is not NULL, the units to that
// file. Returns the program's path.
const char *split_write(struct dwarf_format format, const struct split_unit *units, uint32_t count,
			const char *program, const char *dwo);

// What scan_text() returns for units "one" and "two", with code at 0x1000 and 0x2000, if they are
// found, and for a skeleton.
#define UNIT_ONE                             \
	"unit one\n"                         \
	"host one 0x1000-0x1100 at 0x1000\n" \
	" inlined one.inlined 0x1010-0x1018 0x1030-0x1038 at 0x1010\n"
#define UNIT_TWO                             \
	"unit two\n"                         \
	"host two 0x2000-0x2100 at 0x2000\n" \
	" inlined two.inlined 0x2010-0x2018 0x2030-0x2038 at 0x2010\n"
#define SKELETON "unit ?\n"

// One of the problems of the index; NULL if none has this text in it.
const struct ic_problem *split_problem(const struct scan *scan, const char *text);

#endif
