#include "base/cursor.h"

struct ic_cursor ic_cursor_at(struct ic_bytes section, const char *name, uint64_t off,
			      uint64_t size, bool swap)
{
	static const uint8_t none[1]; // an absent section has no address to count from
	struct ic_cursor cur = { .section = name, .swap = swap };

	if (!section.data)
		section = (struct ic_bytes){ none, 0 };
	cur.begin = section.data;
	if (off <= section.size && size <= section.size - off) {
		cur.pos = section.data + off;
		cur.end = cur.pos + size;
		return cur;
	}
	cur.pos = cur.end = section.data + section.size;
	cur.fault = section.size == 0 ? "the section is missing or empty"
				      : "offset is beyond the end of the section";
	cur.fault_off = off;
	return cur;
}

void ic_cursor_fault(struct ic_cursor *cur, const char *what)
{
	if (!cur->fault) {
		cur->fault = what;
		cur->fault_off = ic_cursor_off(cur);
	}
	cur->pos = cur->end;
}

bool ic_cursor_ok(const struct ic_cursor *cur, struct ic_error *err)
{
	return !cur->fault || ic_fail_at(err, cur->section, cur->fault_off, "%s", cur->fault);
}

// Limits the bytes of a number, including padding. Assemblers pad to ten; a DIE that is read again
// for each reference to it must not have a megabyte of them.
enum { LONGEST_LEB = 256 };

uint64_t ic_cursor_uleb_long(struct ic_cursor *cur, uint64_t most)
{
	uint64_t value = 0;

	for (unsigned shift = 0; cur->pos < cur->end && shift < 7 * LONGEST_LEB; shift += 7) {
		uint64_t bits = *cur->pos & 0x7f;

		if (shift < 64 && bits << shift >> shift == bits) {
			value |= bits << shift;
		} else if (bits != 0) {
			ic_cursor_fault(cur, "number does not fit in 64 bits");
			return 0;
		}
		if (*cur->pos++ >= 0x80)
			continue;
		if (value <= most)
			return value;
		ic_cursor_fault(cur, "number is too large");
		return 0;
	}
	ic_cursor_fault(cur, ic_cursor_more(cur) ? "unterminated LEB128 number"
						 : "unexpected end of data");
	return 0;
}

int64_t ic_cursor_sleb(struct ic_cursor *cur)
{
	uint64_t value = 0;

	for (unsigned shift = 0; cur->pos < cur->end && shift < 7 * LONGEST_LEB; shift += 7) {
		uint8_t byte = *cur->pos, bits = byte & 0x7f;

		if (shift < 64)
			value |= (uint64_t)bits << shift;
		if (shift >= 63 && bits != (value >> 63 ? 0x7f : 0)) { // more than the sign
			ic_cursor_fault(cur, "number does not fit in 64 bits");
			return 0;
		}
		cur->pos++;
		if (byte & 0x80)
			continue;
		if (shift + 7 < 64 && byte & 0x40)
			value |= UINT64_MAX << (shift + 7);
		return (int64_t)value;
	}
	ic_cursor_fault(cur, ic_cursor_more(cur) ? "unterminated LEB128 number"
						 : "unexpected end of data");
	return 0;
}

const char *ic_cursor_string(struct ic_cursor *cur)
{
	const uint8_t *nul =
		ic_cursor_more(cur) ? memchr(cur->pos, 0, (size_t)(cur->end - cur->pos)) : NULL;

	if (!nul) {
		ic_cursor_fault(cur, "unterminated string");
		return "";
	}
	const char *text = (const char *)cur->pos;
	cur->pos = nul + 1;
	return text;
}

uint8_t ic_cursor_initial_length(struct ic_cursor *cur)
{
	uint64_t length = ic_cursor_u32(cur);
	uint8_t offset_size = 4;

	if (length == 0xffffffff) {
		length = ic_cursor_u64(cur);
		offset_size = 8;
	} else if (length >= 0xfffffff0) {
		ic_cursor_fault(cur, "reserved initial length");
	}
	if (length > (uint64_t)(cur->end - cur->pos))
		ic_cursor_fault(cur, "length extends beyond the end of the section");
	else
		cur->end = cur->pos + length;
	return offset_size;
}
