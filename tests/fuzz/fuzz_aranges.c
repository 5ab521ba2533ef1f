// Fuzzes .debug_aranges.
// Wanted: every range is within a set that was opened, and sets follow each other; the end is
// either that of the section or a fault with a reason, and stays; the units with an address are
// those of the sets that have it.
#include "dwarf/units/aranges.h"
#include "fuzz_input.h"
#include "symbolize/unit_table.h"

enum { MOST_RANGES = 4096 };

struct found { // the ranges of a section, by set
	struct {
		struct ic_range range;
		uint64_t info_off;
		uint32_t set; // by number
	} items[MOST_RANGES];
	uint32_t count, set_count;
	bool is_all; // without a fault, and not too many
};

static void read_set(struct ic_aranges *aranges, const struct ic_bytes *section,
		     struct found *found)
{
	const uint8_t *start = aranges->cur.pos;
	struct ic_range range;

	PROMISE(aranges->addr_size == 4 || aranges->addr_size == 8);
	for (;;) {
		const uint8_t *before = aranges->cur.pos;
		if (!ic_aranges_next(aranges, &range))
			break;
		PROMISE(aranges->cur.pos - before ==
			2 * aranges->addr_size + aranges->segment_size);
		PROMISE(before >= start);
		PROMISE(aranges->cur.pos <= section->data + section->size);
		found->is_all &= found->count < MOST_RANGES;
		if (!found->is_all)
			continue;
		found->items[found->count].range = range;
		found->items[found->count].set = found->set_count;
		found->items[found->count++].info_off = aranges->info_off;
	}
	PROMISE(!ic_aranges_next(aranges, &range));
}

static void read_all(struct ic_aranges *aranges, const struct ic_bytes *section,
		     struct found *found)
{
	uint64_t end = 0; // of the set before
	struct ic_range range;
	struct ic_error err = { 0 };

	PROMISE(!ic_aranges_next(aranges, &range)); // no set is open
	while (ic_aranges_next_set(aranges)) {
		PROMISE(ic_aranges_ok(aranges, &err));
		PROMISE(ic_cursor_off(&aranges->cur) > end);
		end = ic_cursor_off(&aranges->cur);
		read_set(aranges, section, found);
		found->set_count++;
		PROMISE(ic_cursor_off(&aranges->cur) >= end);
		end = ic_cursor_off(&aranges->cur);
	}
	PROMISE(!ic_aranges_next_set(aranges));
	PROMISE(!ic_aranges_next(aranges, &range));
	if (ic_aranges_ok(aranges, &err)) {
		PROMISE(!ic_cursor_more(&aranges->cur));
	} else {
		PROMISE_REASON(err);
		found->is_all = false;
	}
}

// The units that are listed with an address, each set once.
static void check_units(const struct ic_bytes *section, bool swap, const struct found *found,
			uint64_t addr)
{
	struct ic_aranges aranges;
	uint32_t last = UINT32_MAX;
	uint64_t off;

	ic_aranges_open(&aranges, *section, swap);
	for (uint32_t i = 0; i < found->count; i++) {
		struct ic_range range = found->items[i].range;
		if (addr < range.start || addr >= range.end || found->items[i].set == last)
			continue;
		PROMISE(ic_aranges_find(&aranges, addr, &off));
		PROMISE(off == found->items[i].info_off);
		last = found->items[i].set;
	}
	// A set with a fault after its range is skipped, and those after it are found.
	PROMISE(!found->is_all || !ic_aranges_find(&aranges, addr, &off));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct found found;
	struct fuzz_input in = { data, data + size };
	struct ic_aranges aranges;
	struct ic_bytes section;
	bool swap = fuzz_take_u8(&in) & 1;

	fuzz_take_sections(&in, &section, 1);
	found.count = found.set_count = 0;
	found.is_all = true;
	ic_aranges_open(&aranges, section, swap);
	read_all(&aranges, &section, &found);
	for (uint32_t i = 0; i < found.count && i < 8; i++) {
		check_units(&section, swap, &found, found.items[i].range.start);
		check_units(&section, swap, &found, found.items[i].range.end - 1);
		check_units(&section, swap, &found, found.items[i].range.end);
	}
	fuzz_free_sections(&section, 1);
	return 0;
}
