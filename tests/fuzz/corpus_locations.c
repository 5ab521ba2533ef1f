// The inputs of the targets on location lists and their expressions.
#include "corpus.h"
#include "dwarf_constants.h"

#include <stdio.h>

enum { // the bytes of choice of fuzz_locations
	VERSION_4 = 2,
	ADDR_4 = 4,
	BASE = 16,
	LOCLISTX = 1 << 5,
	EXPRLOC = 3 << 5,
};

enum { SPLIT = 1, TABLE = 4, VIEWS = 8 };

static void write_lists(const struct corpus *corpus)
{
	const struct bytes addrs = CORPUS_BYTES(0, 0x20, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
						0xff, 0xff, 0xff, 0xff);
	const struct bytes entries[] = {
		CORPUS_BYTES(0, 0, 0, 0),
		CORPUS_BYTES(DW_LLE_GNU_view_pair, 1, 2,                                 //
			     DW_LLE_startx_endx, 0, 1, 1, 0x50,                          //
			     DW_LLE_startx_length, 0, 8, 2, 0x91, 0x70,                  //
			     DW_LLE_offset_pair, 1, 9, 3, 0x75, 8, 0x9f,                 //
			     DW_LLE_base_addressx, 1, DW_LLE_offset_pair, 1, 9, 1, 0x50, //
			     DW_LLE_default_location, 3, 0xa3, 1, 0x55,                  //
			     DW_LLE_start_length, 0, 2, 0, 0, 0, 0, 0, 0, 0x10, 1, 0x30, //
			     DW_LLE_end_of_list),
		addrs,
	};
	const struct bytes viewed[] = {
		CORPUS_BYTES(0),
		CORPUS_BYTES(8, 0, 0, 0, 0, 1, 1, 0, DW_LLE_start_length, 0, 2, 0, 0, 0, 0, 0, 0, 0,
			     1, 0x50, DW_LLE_start_length, 0, 2, 0, 0, 0, 0, 0, 0, 8, 1, 0x51,
			     DW_LLE_end_of_list),
		addrs,
	};
	const struct bytes pairs[] = {
		CORPUS_BYTES(0, 0, 0, 0),
		CORPUS_BYTES(0, 1, 0, 0, 0x10, 1, 0, 0, 1, 0, 0x50,    //
			     0xff, 0xff, 0xff, 0xff, 0, 2, 0, 0,       //
			     0, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0x75, 0x10, //
			     0, 0, 0, 0, 0, 0, 0, 0),
		addrs,
	};
	const struct bytes split[] = {
		CORPUS_BYTES(0, 0, 0, 0),
		CORPUS_BYTES(3, 0, 8, 0, 0, 0, 1, 0, 0x50, 1, 0, 4, 0, 0, 0, 0, 8, 0, 0, 0, 1, 0,
			     0x51, 2, 0, 1, 0, 0, 0),
		addrs,
	};

	corpus_put(corpus, "fuzz_locations", "every-entry", CORPUS_BYTES(BASE, 0, 0, 0, 4, 0x20, 0),
		   entries, 3);
	// A table of one offset, a pair of views for each entry, and the list.
	corpus_put(corpus, "fuzz_locations", "views",
		   CORPUS_BYTES(LOCLISTX, VIEWS, 4, 0, 0, 0x20, 1), viewed, 3);
	corpus_put(corpus, "fuzz_locations", "pairs",
		   CORPUS_BYTES(VERSION_4 | ADDR_4 | BASE, 0, 0, 0, 0, 0x11, 0), pairs, 3);
	corpus_put(corpus, "fuzz_locations", "split",
		   CORPUS_BYTES(VERSION_4, SPLIT | TABLE, 0, 0, 4, 0x20, 0), split, 3);
}

// One input an operation: its operands are numbers that could be sizes, offsets and indexes.
static void write_operations(const struct corpus *corpus)
{
	uint8_t expression[] = { 13, 0, 1, 2, 0x50, 0x31, 1, 0, 0, 0, 0, 0, 0x9f, 0x9f };
	const struct bytes nested = CORPUS_BYTES(6, 0xa3, 4, 0xa3, 2, 0x70, 0x10);
	struct bytes sections[] = { { expression, sizeof(expression) }, { 0 }, { 0 } };
	char name[16];

	for (unsigned code = 0; code <= UINT8_MAX; code++) {
		expression[1] = (uint8_t)code;
		snprintf(name, sizeof(name), "op-%02x", code);
		corpus_put(corpus, "fuzz_locations", name, CORPUS_BYTES(EXPRLOC, 0, 0, 0, 0, 0, 0),
			   sections, 3);
	}
	sections[0] = nested;
	corpus_put(corpus, "fuzz_locations", "nested", CORPUS_BYTES(EXPRLOC, 0, 0, 0, 0, 0, 0),
		   sections, 3);
}

void corpus_write_locations(const struct corpus *corpus)
{
	write_lists(corpus);
	write_operations(corpus);
}
