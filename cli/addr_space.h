// Addresses as people write them, and what they are in the file.
#ifndef CLI_ADDR_SPACE_H
#define CLI_ADDR_SPACE_H

#include <stddef.h>

#include <inlinecall/inlinecall.h>

#include "cli.h"

struct cli_addr_window {
	uint64_t given, start, size;
	const char *section; // answers are printed as offsets in it; NULL: as they were given
};

struct cli_addr_section { // of code, in a relocatable file
	const char *name; // no two have the same
	uint64_t start, size;
};

// Zero-initialised but for the first three.
struct cli_addr_space {
	struct ic_symbolizer *symbolizer;
	const char *path;      // of the file, for messages
	bool are_return_addrs; // the byte before each is looked up
	// The parts in which a number without a name is looked for; without any, it is an address
	// as the file numbers them.
	const struct ic_window *windows;
	size_t window_count;
	bool has_own_window;                // the only one then
	struct cli_addr_window own_window;  // where there is one section to be meant
	struct cli_addr_section *sections;  // sorted by name; none in a linked file
	size_t section_count, filled_count; // the latter of those that are not empty
	size_t names_explained;             // how many names were not found
};

struct cli_addr {
	uint64_t lookup; // what to look up, unless it is outside
	bool not_found;  // it is a name that nothing has
	bool outside;    // of whatever it was said to be in: nothing is known of it
	uint64_t shown;  // what to print: an offset where there is a section
	const char *section;
};

enum { CLI_ADDR_WHY_SIZE = 512, CLI_ADDR_MOST_EXPLAINED = 8 };

// Learns what sections there are. `section` is the one that numbers are offsets in; NULL where none
// was named. False after a complaint.
bool cli_addr_space_begin(struct cli_addr_space *space, const char *section);

void cli_addr_space_end(struct cli_addr_space *space);

// Reads one of
//   a hexadecimal number, with or without 0x (so `add` is 0xadd; the symbol is `add+0x0`),
//   SECTION+0xOFFSET, SYMBOL+0xOFFSET, SYMBOL+0xOFFSET/0xSIZE, where SIZE is that of the symbol,
//   SECTION, SYMBOL.
// The text is without blanks around it. It is cut in two for the address to borrow from; it is
// whole where there is none, which `why` (of CLI_ADDR_WHY_SIZE bytes) then explains.
bool cli_addr_parse(struct cli_addr_space *space, char *text, struct cli_addr *addr, char *why);

#endif
