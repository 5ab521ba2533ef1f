#include "process/jit_code.h"

#include <stdlib.h>

#include "base/cursor.h"
#include "base/map.h"
#include "base/search.h"
#include "base/sort.h"
#include "text/text.h"

enum { // values of jitdump
	MAGIC = 0x4a695444,
	MAGIC_SWAPPED = 0x4454694a,
	HEADER_SIZE = 40,
	CODE_LOAD = 0,
	CODE_MOVE = 1,
	CODE_DEBUG_INFO = 2,
	ELF_HEADER_SIZE = 64,
};

enum { MOST_OVERLAPS = 64 };

struct reader {
	struct ic_jit_code *code;
	struct ic_bytes file;
	uint64_t wrong;
	bool swap;
	// For jitdumps: the last function at an address, and lines that belong to the next
	// function.
	struct ic_map by_start;
	uint64_t lines_of;
	uint32_t first_line;
};

static bool add_function(struct reader *reader, const struct ic_jit_function *like)
{
	return IC_ARRAY_ADD(&reader->code->functions, *like);
}

// ---- Lists

// A hexadecimal number and a blank; `line` then starts after them. False if there are none.
static bool take_number(struct ic_bytes *line, uint64_t *number)
{
	size_t at = line->size > 2 && memcmp(line->data, "0x", 2) == 0 ? 2 : 0, first = at;

	*number = 0;
	for (; at < line->size && ic_text_hex_digit((char)line->data[at]) >= 0; at++)
		*number = *number << 4 | (uint64_t)ic_text_hex_digit((char)line->data[at]);
	if (at == first || at - first > 16 || at == line->size || line->data[at] != ' ')
		return false;
	*line = (struct ic_bytes){ line->data + at + 1, line->size - at - 1 };
	return true;
}

// "START SIZE NAME"
static bool read_list_line(struct reader *reader, struct ic_bytes line)
{
	struct ic_jit_function function = { .start = 0 };

	if (line.size == 0)
		return true;
	if (!take_number(&line, &function.start) || !take_number(&line, &function.size) ||
	    line.size == 0) {
		reader->wrong++;
		return true;
	}
	function.name = line;
	return add_function(reader, &function);
}

static bool read_list(struct reader *reader)
{
	struct ic_bytes left = reader->file, line;

	while (ic_text_take_line(&left, &line))
		if (!read_list_line(reader, line))
			return false;
	return true;
}

// ---- Jitdumps

static bool add_moving_function(struct reader *reader, const struct ic_jit_function *like)
{
	uint32_t *number = ic_map_at(&reader->by_start, like->start);

	if (!number || !add_function(reader, like))
		return false;
	*number = reader->code->functions.count - 1;
	return true;
}

static struct ic_bytes read_string(struct ic_cursor *cur)
{
	const char *text = ic_cursor_string(cur);

	return (struct ic_bytes){ (const uint8_t *)text, strlen(text) };
}

static void read_load(struct ic_cursor *cur, struct ic_jit_function *function)
{
	ic_cursor_u64(cur); // process and thread
	ic_cursor_u64(cur); // address at which it was compiled
	function->start = ic_cursor_u64(cur);
	function->size = ic_cursor_u64(cur);
	ic_cursor_u64(cur); // its number
	function->name = read_string(cur);
}

static void read_move(const struct reader *reader, struct ic_cursor *cur,
		      struct ic_jit_function *function)
{
	ic_cursor_u64(cur);
	ic_cursor_u64(cur);
	const uint32_t *from = ic_map_find(&reader->by_start, ic_cursor_u64(cur));
	function->start = ic_cursor_u64(cur);
	function->size = ic_cursor_u64(cur);
	if (from)
		function->name = reader->code->functions.items[*from].name;
}

static bool read_lines(struct reader *reader, struct ic_cursor *cur)
{
	struct ic_bytes source = { NULL, 0 };

	reader->lines_of = ic_cursor_u64(cur);
	reader->first_line = reader->code->lines.count;
	for (uint64_t left = ic_cursor_u64(cur); left > 0 && !cur->fault; left--) {
		struct ic_jit_line line = { .addr = ic_cursor_u64(cur) };
		line.line = ic_cursor_u32(cur);
		ic_cursor_u32(cur);
		struct ic_bytes name = read_string(cur);
		if (name.size != 1 || name.data[0] != 0xff) // otherwise the same as before
			source = name;
		line.source = source;
		struct ic_jit_line *place = cur->fault ? NULL : IC_ARRAY_PUSH(&reader->code->lines);
		if (!place && !cur->fault)
			return false;
		if (place)
			*place = line;
	}
	return true;
}

// V8 writes addresses relative to the ELF file that perf makes of a function, so they include its
// header.
static void move_lines(struct reader *reader, uint64_t start)
{
	struct ic_jit_code *code = reader->code;
	uint32_t first = reader->first_line;

	if (first == code->lines.count || code->lines.items[first].addr != start + ELF_HEADER_SIZE)
		return;
	for (uint32_t i = first; i < code->lines.count; i++)
		code->lines.items[i].addr -= ELF_HEADER_SIZE;
}

static bool read_record(struct reader *reader, struct ic_cursor *cur, uint32_t kind)
{
	struct ic_jit_function function = { .start = 0 };
	bool ok = true;

	if (kind == CODE_DEBUG_INFO) {
		ok = read_lines(reader, cur);
	} else if (kind == CODE_LOAD || kind == CODE_MOVE) {
		if (kind == CODE_LOAD)
			read_load(cur, &function);
		else
			read_move(reader, cur, &function);
		if (reader->lines_of == function.start && kind == CODE_LOAD) {
			function.first_line = reader->first_line;
			function.line_count = reader->code->lines.count - reader->first_line;
			move_lines(reader, function.start);
		}
		reader->lines_of = 0;
		reader->first_line = reader->code->lines.count;
		ok = cur->fault || add_moving_function(reader, &function);
	}
	reader->wrong += cur->fault != NULL;
	return ok;
}

static bool read_dump(struct reader *reader)
{
	struct ic_cursor cur =
		ic_cursor_at(reader->file, "jitdump", 0, reader->file.size, reader->swap);

	ic_cursor_u64(&cur); // magic number and version
	uint32_t header = ic_cursor_u32(&cur);
	if (header < HEADER_SIZE || header > reader->file.size) {
		reader->wrong++;
		return true;
	}
	cur.pos = cur.begin + header;
	while (ic_cursor_more(&cur)) {
		enum { RECORD_HEADER_SIZE = 16 };
		const uint8_t *begin = cur.pos;
		uint32_t kind = ic_cursor_u32(&cur), size = ic_cursor_u32(&cur);
		ic_cursor_u64(&cur); // when
		if (cur.fault || size < RECORD_HEADER_SIZE || size > (size_t)(cur.end - begin)) {
			reader->code->is_cut = cur.fault || size >= RECORD_HEADER_SIZE;
			reader->wrong++;
			return true;
		}
		struct ic_cursor record = cur;
		record.end = begin + size;
		if (!read_record(reader, &record, kind))
			return false;
		cur.pos = record.end;
	}
	return true;
}

// ---- All

static bool sort_code(struct ic_jit_code *code)
{
	uint32_t count = code->functions.count;
	struct ic_keyed *order = ic_items_alloc(count + 1ull, sizeof(*order));
	struct ic_jit_function *sorted = ic_items_alloc(count + 1ull, sizeof(*sorted));
	bool ok = order && sorted;

	for (uint32_t i = 0; ok && i < count; i++)
		order[i] = (struct ic_keyed){ code->functions.items[i].start, i };
	ok = ok && ic_keyed_sort(order, count);
	for (uint32_t i = 0; ok && i < count; i++) {
		uint64_t before = i > 0 ? sorted[i - 1].reach : 0, end;
		sorted[i] = code->functions.items[order[i].number];
		sorted[i].order = order[i].number;
		if (__builtin_add_overflow(sorted[i].start, sorted[i].size, &end))
			end = UINT64_MAX;
		sorted[i].reach = end > before ? end : before;
	}
	if (ok && count > 0)
		memcpy(code->functions.items, sorted, count * sizeof(*sorted));
	free(order);
	free(sorted);
	return ok;
}

bool ic_jit_code_read(struct ic_jit_code *code, struct ic_bytes file, uint64_t *wrong)
{
	struct reader reader = { .code = code, .file = file };
	uint32_t magic = 0;

	if (file.size >= sizeof(magic))
		memcpy(&magic, file.data, sizeof(magic));
	reader.swap = magic == MAGIC_SWAPPED;
	bool ok = magic == MAGIC || reader.swap ? read_dump(&reader) : read_list(&reader);
	*wrong = reader.wrong;
	ic_map_free(&reader.by_start);
	return ok && sort_code(code);
}

const struct ic_jit_function *ic_jit_code_find(const struct ic_jit_code *code, uint64_t addr)
{
	uint32_t number = ic_search_up_to(code->functions.items, sizeof(*code->functions.items),
					  code->functions.count, addr);
	const struct ic_jit_function *found = NULL;

	for (uint32_t i = 0; i < MOST_OVERLAPS && number > 0; i++, number--) {
		const struct ic_jit_function *function = &code->functions.items[number - 1];
		if (function->reach <= addr)
			break;
		if (addr - function->start < function->size &&
		    (!found || function->order > found->order))
			found = function;
	}
	return found && found->name.size > 0 ? found : NULL;
}

const struct ic_jit_line *ic_jit_code_line(const struct ic_jit_code *code,
					   const struct ic_jit_function *function, uint64_t addr)
{
	uint32_t number = function->line_count;

	if (number > 0)
		number = ic_search_up_to(code->lines.items + function->first_line,
					 sizeof(*code->lines.items), number, addr);
	return number > 0 ? &code->lines.items[function->first_line + number - 1] : NULL;
}

void ic_jit_code_free(struct ic_jit_code *code)
{
	IC_ARRAY_FREE(&code->functions);
	IC_ARRAY_FREE(&code->lines);
}
