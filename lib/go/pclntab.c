#include "go/pclntab.h"

#include "base/cursor.h"

static const struct ic_go_layout layouts[] = {
#define LAYOUT(format, counts, pcdata, funcdata, record, gofunc) \
	{ IC_GO_FORMAT_##format,                                 \
	  IC_GO_COUNTS_##counts,                                 \
	  pcdata,                                                \
	  funcdata,                                              \
	  IC_GO_RECORD_##record,                                 \
	  gofunc },
#include "go/layouts.def"
#undef LAYOUT
};

const struct ic_go_layout *ic_go_layout_get(uint32_t number)
{
	return number < sizeof(layouts) / sizeof(*layouts) ? &layouts[number] : NULL;
}

static bool format_of(uint32_t magic, enum ic_go_format *format)
{
	switch (magic) {
	case 0xfffffffb: *format = IC_GO_FORMAT_2; return true;
	case 0xfffffffa: *format = IC_GO_FORMAT_16; return true;
	case 0xfffffff0: *format = IC_GO_FORMAT_18; return true;
	case 0xfffffff1: *format = IC_GO_FORMAT_20; return true;
	}
	return false;
}

struct ic_go_pattern ic_go_pclntab_pattern(bool swap, uint8_t pointer_size)
{
	bool is_big_endian = swap != IC_HOST_IS_BIG_ENDIAN;
	// The magic numbers differ in their low four bits, and byte 6, the quantum, has several
	// values.
	uint8_t mask[8] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0xff };
	uint8_t value[8] = { 0xff, 0xff, 0xff, 0xff, 0, 0, 0, pointer_size };
	struct ic_go_pattern pattern;

	mask[is_big_endian ? 3 : 0] = value[is_big_endian ? 3 : 0] = 0xf0;
	memcpy(&pattern.mask, mask, sizeof(mask));
	memcpy(&pattern.value, value, sizeof(value));
	return pattern;
}

bool ic_go_pclntab_begins(const uint8_t *bytes, bool swap, uint8_t pointer_size)
{
	enum ic_go_format format;

	return format_of(ic_load32(bytes, swap), &format) && bytes[4] == 0 && bytes[5] == 0 &&
	       (bytes[6] == 1 || bytes[6] == 2 || bytes[6] == 4) && bytes[7] == pointer_size &&
	       (pointer_size == 4 || pointer_size == 8);
}

// ---- The header

enum { MOST_WORDS = 8 }; // in a header, each of the size of a pointer

struct part { // of the table
	uint64_t start;
	struct ic_bytes *bytes;
};

// Each part ends where the next one starts, in whatever order they are.
static bool cut_parts(const struct ic_go_pclntab *table, const struct part *parts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t end = table->bytes.size;
		if (parts[i].start > end)
			return false;
		for (uint32_t j = 0; j < count; j++)
			if (parts[j].start > parts[i].start && parts[j].start < end)
				end = parts[j].start;
		*parts[i].bytes = (struct ic_bytes){ table->bytes.data + parts[i].start,
						     (size_t)(end - parts[i].start) };
	}
	return true;
}

// From Go 1.16 on, the counts are followed by the offsets of five parts.
static bool open_parts(struct ic_go_pclntab *table, struct ic_cursor *cur)
{
	uint64_t words[MOST_WORDS] = { 0 };
	unsigned count = table->format == IC_GO_FORMAT_16 ? 7 : 8, first = count - 5;

	for (unsigned i = 0; i < count; i++)
		words[i] = ic_cursor_uint(cur, table->pointer_size);
	if (cur->fault)
		return false;
	if (words[0] > UINT32_MAX - 1)
		return false;
	table->function_count = (uint32_t)words[0];
	table->text = first == 3 ? words[2] : 0;
	const struct part parts[] = {
		{ words[first], &table->names },         { words[first + 1], &table->files },
		{ words[first + 2], &table->paths },     { words[first + 3], &table->values },
		{ words[first + 4], &table->functions },
	};
	return cut_parts(table, parts, sizeof(parts) / sizeof(*parts));
}

// Before Go 1.16, there is a list of functions, then the offset of the list of files; all offsets
// are from the header.
static bool open_old(struct ic_go_pclntab *table, struct ic_cursor *cur)
{
	uint64_t count = ic_cursor_uint(cur, table->pointer_size);
	uint64_t list = ic_cursor_off(cur), step = 2ull * table->pointer_size;

	if (cur->fault || count > UINT32_MAX - 1)
		return false;
	table->function_count = (uint32_t)count;
	table->names = table->paths = table->values = table->functions = table->bytes;
	uint64_t files = list + count * step + table->pointer_size;
	if (files + 4 > table->bytes.size)
		return false;
	uint32_t start = ic_load32(table->bytes.data + files, table->swap);
	if (start > table->bytes.size)
		return false;
	table->files = (struct ic_bytes){ table->bytes.data + start, table->bytes.size - start };
	return true;
}

void ic_go_pclntab_borrow_texts(struct ic_go_pclntab *table, const uint8_t *bytes)
{
	table->names.data = bytes + (table->names.data - table->bytes.data);
	table->paths.data = bytes + (table->paths.data - table->bytes.data);
	table->names = ic_bytes_cut_after_nul(table->names);
	table->paths = ic_bytes_cut_after_nul(table->paths);
}

uint64_t ic_go_functions_off(const struct ic_go_pclntab *table)
{
	uint64_t start = (uint64_t)(table->functions.data - table->bytes.data);

	return table->format == IC_GO_FORMAT_2 ? start + IC_GO_HEADER_SIZE + table->pointer_size
					       : start;
}

uint32_t ic_go_functions_step(const struct ic_go_pclntab *table)
{
	return table->format >= IC_GO_FORMAT_18 ? 8 : 2u * table->pointer_size;
}

bool ic_go_pclntab_open(struct ic_go_pclntab *table, struct ic_bytes bytes, uint64_t addr,
			bool swap, const char *name, struct ic_error *err)
{
	struct ic_cursor cur = ic_cursor_at(bytes, name, 0, bytes.size, swap);
	bool begins = bytes.size >= IC_GO_HEADER_SIZE &&
		      ic_go_pclntab_begins(bytes.data, swap, bytes.data[7]);

	if (!begins)
		return ic_fail_at(err, name, 0, "not a function table of Go");
	*table = (struct ic_go_pclntab){ .bytes = bytes, .addr = addr, .swap = swap };
	(void)format_of(ic_cursor_u32(&cur), &table->format);
	ic_cursor_take(&cur, 2);
	table->quantum = ic_cursor_u8(&cur);
	table->pointer_size = ic_cursor_u8(&cur);
	bool ok = table->format == IC_GO_FORMAT_2 ? open_old(table, &cur) : open_parts(table, &cur);
	uint64_t step = ic_go_functions_step(table);
	uint64_t end = ok ? ic_go_functions_off(table) + table->function_count * step + step / 2
			  : UINT64_MAX;
	if (end > bytes.size)
		return ic_fail_at(err, name, 0,
				  "Go's function table is shorter than its header says");
	table->names = ic_bytes_cut_after_nul(table->names);
	table->paths = ic_bytes_cut_after_nul(table->paths);
	for (uint32_t i = 0; ic_go_layout_get(i); i++)
		if (layouts[i].format == table->format)
			table->layout = &layouts[i];
	return true;
}

// ---- Functions

static uint64_t text_addr(const struct ic_go_pclntab *table, uint64_t off)
{
	for (uint32_t i = 0; i < table->text_count; i++) {
		const struct ic_go_text *text = &table->texts[i];
		if (off >= text->start && (off < text->end || i + 1 == table->text_count))
			return text->base + (off - text->start);
	}
	return table->text + off;
}

static uint64_t load_number(const struct ic_go_pclntab *table, uint64_t off, unsigned size)
{
	const uint8_t *at = table->bytes.data + off;

	return size == 8 ? ic_load64(at, table->swap) : ic_load32(at, table->swap);
}

uint64_t ic_go_function_entry(const struct ic_go_pclntab *table, uint32_t number)
{
	uint32_t step = ic_go_functions_step(table);
	uint64_t off = ic_go_functions_off(table) + (uint64_t)number * step;

	if (table->format < IC_GO_FORMAT_18)
		return load_number(table, off, table->pointer_size);
	uint64_t addr = text_addr(table, load_number(table, off, 4));
	return table->pointer_size == 4 ? (uint32_t)addr : addr;
}

// Reads the lists after the fixed part of a record: the offset of the values that number the
// inlined calls, and the address of their records.
static void read_lists(const struct ic_go_pclntab *table, struct ic_cursor *cur,
		       uint32_t pcdata_count, uint32_t funcdata_count,
		       struct ic_go_function *function)
{
	const struct ic_go_layout *layout = table->layout;
	bool has_offsets = table->format >= IC_GO_FORMAT_18;
	uint8_t size = has_offsets ? 4 : table->pointer_size;
	uint64_t none = has_offsets ? UINT32_MAX : 0;

	if (!table->has_inlined || pcdata_count <= layout->pcdata ||
	    funcdata_count <= layout->funcdata)
		return;
	ic_cursor_take(cur, 4ull * layout->pcdata);
	function->pc_inlined = ic_cursor_u32(cur);
	ic_cursor_take(cur, 4ull * (pcdata_count - layout->pcdata - 1));
	ic_cursor_take(cur, -ic_cursor_off(cur) & (size - 1u)); // addresses are aligned
	ic_cursor_take(cur, (uint64_t)size * layout->funcdata);
	uint64_t value = ic_cursor_uint(cur, size);
	if (value != none)
		function->inlined_addr = has_offsets ? table->gofunc + value : value;
}

enum { FLAG_TOP_FRAME = 1 }; // of runtime.funcFlag

// Reads what follows the entry.
static void read_record(const struct ic_go_pclntab *table, struct ic_cursor *cur,
			struct ic_go_function *function)
{
	uint32_t funcdata_count;

	function->name_off = ic_cursor_u32(cur);
	ic_cursor_take(cur, 2 * 4); // args, deferreturn
	function->pc_sp = ic_cursor_u32(cur);
	function->pc_file = ic_cursor_u32(cur);
	function->pc_line = ic_cursor_u32(cur);
	uint32_t pcdata_count = ic_cursor_u32(cur);
	if (table->format >= IC_GO_FORMAT_16)
		function->first_file = ic_cursor_u32(cur);
	if (table->format >= IC_GO_FORMAT_20)
		function->start_line = ic_cursor_u32(cur);
	if (table->layout->counts == IC_GO_COUNTS_LONG) {
		funcdata_count = ic_cursor_u32(cur);
	} else {
		ic_cursor_take(cur, 1); // funcID
		// flags; before Go 1.17, padding
		function->is_outermost = ic_cursor_u8(cur) & FLAG_TOP_FRAME;
		ic_cursor_take(cur, 1);
		funcdata_count = ic_cursor_u8(cur);
	}
	if (function->start_line > INT32_MAX)
		function->start_line = 0;
	read_lists(table, cur, pcdata_count, funcdata_count, function);
}

bool ic_go_function_read(const struct ic_go_pclntab *table, uint32_t number, const char *name,
			 struct ic_go_function *function, struct ic_error *err)
{
	uint32_t step = ic_go_functions_step(table);
	uint64_t item = ic_go_functions_off(table) + (uint64_t)number * step;
	uint64_t start = (uint64_t)(table->functions.data - table->bytes.data);
	uint64_t off = load_number(table, item + step / 2, step / 2);

	*function = (struct ic_go_function){
		.entry = ic_go_function_entry(table, number),
		.end = ic_go_function_entry(table, number + 1),
		.inlined_addr = IC_NO_ADDR,
	};
	if (function->entry >= function->end)
		return ic_fail_at(err, name, item,
				  "a function does not start before the next one in the table");
	if (off > table->functions.size)
		return ic_fail_at(err, name, item, "the record of a function is outside the table");
	function->record_off = (uint32_t)(start + off);
	struct ic_cursor cur = ic_cursor_at(table->bytes, name, start + off,
					    table->functions.size - off, table->swap);
	// The list and the record repeat the entry.
	uint64_t entry = ic_cursor_uint(&cur, step / 2);
	if (!cur.fault && entry != load_number(table, item, step / 2))
		return ic_fail_at(err, name, start + off,
				  "the record of a function does not match its table entry");
	read_record(table, &cur, function);
	return ic_cursor_ok(&cur, err);
}

// ---- Strings

const char *ic_go_name_at(const struct ic_go_pclntab *table, uint32_t name_off)
{
	const char *names = (const char *)table->names.data;

	// Only offsets of whole names are valid.
	if (name_off >= table->names.size || !names[name_off] ||
	    (name_off > 0 && names[name_off - 1]))
		return NULL;
	return names + name_off;
}

const char *ic_go_path_of(const struct ic_go_pclntab *table, const struct ic_go_function *function,
			  int32_t file)
{
	bool is_old = table->format == IC_GO_FORMAT_2;
	uint64_t number = (uint64_t)function->first_file + (uint32_t)file;

	if (file < 0 || (is_old && file == 0) || (number + 1) * 4 > table->files.size)
		return NULL;
	uint32_t off = ic_load32(table->files.data + number * 4, table->swap);
	// A file with no code left has no path: its offset is all ones.
	if (off >= table->paths.size || !table->paths.data[off])
		return NULL;
	return (const char *)table->paths.data + off;
}
