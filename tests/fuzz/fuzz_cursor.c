// Fuzzes the cursor: the input is a program of reads, and the bytes that they read.
// Wanted: the position never passes the end nor goes back, the first fault stays, and every read
// after it is 0.
#include "base/cursor.h"
#include "fuzz_input.h"

enum { READS = 13 };

// One read; its value, or for a string its length.
static uint64_t read_one(struct ic_cursor *cur, uint8_t what)
{
	switch (what % READS) {
	case 0: return ic_cursor_u8(cur);
	case 1: return ic_cursor_u16(cur);
	case 2: return ic_cursor_u32(cur);
	case 3: return ic_cursor_u64(cur);
	case 4: return ic_cursor_uleb(cur);
	case 5: return (uint64_t)ic_cursor_sleb(cur);
	case 6: return ic_cursor_uleb16(cur);
	case 7: return ic_cursor_uleb32(cur);
	case 8: return strlen(ic_cursor_string(cur));
	case 9: ic_cursor_initial_length(cur); return 0;
	case 10: return ic_cursor_take(cur, what) ? 1 : 0;
	case 11: return ic_cursor_take(cur, UINT64_MAX - what) ? 1 : 0;
	case 12: return ic_cursor_uint(cur, 1 + what / READS % 8);
	}
	return 0;
}

// The same number, read byte by byte with nothing but the definition (DWARF 5, 7.6).
static void check_uleb(const uint8_t *pos, const uint8_t *end, uint64_t value)
{
	for (unsigned shift = 0; pos < end; pos++, shift += 7) {
		uint64_t bits = *pos & 0x7f;

		PROMISE(shift >= 64 ? bits == 0 : (value >> shift & 0x7f) == bits);
		if (*pos < 0x80)
			return;
	}
	PROMISE(pos < end); // a number without an end is a fault
}

static void check_step(struct ic_cursor *cur, uint8_t what)
{
	const struct ic_cursor before = *cur;
	uint64_t value = read_one(cur, what);

	PROMISE(cur->pos >= before.pos && cur->pos <= cur->end && cur->end <= before.end);
	if (before.fault)
		PROMISE(value == 0 && cur->fault == before.fault &&
			cur->fault_off == before.fault_off);
	else if (cur->fault)
		PROMISE(cur->fault_off <= ic_cursor_off(cur));
	if (cur->fault)
		PROMISE(!ic_cursor_more(cur));
	if (!cur->fault && (what % READS == 4 || what % READS == 6 || what % READS == 7))
		check_uleb(before.pos, cur->end, value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_bytes sections[2]; // the reads, the bytes
	struct ic_error err = { 0 };
	uint16_t off = fuzz_take_u16(&in);
	bool swap = fuzz_take_u8(&in) & 1;

	fuzz_take_sections(&in, sections, 2);
	uint64_t left = off < sections[1].size ? sections[1].size - off : off;
	struct ic_cursor cur = ic_cursor_at(sections[1], ".debug_info", off, left, swap);
	for (size_t i = 0; i < sections[0].size; i++)
		check_step(&cur, sections[0].data[i]);
	if (!ic_cursor_ok(&cur, &err))
		PROMISE_REASON(err);
	else
		PROMISE(!cur.fault);
	fuzz_free_sections(sections, 2);
	return 0;
}
