#include "emit/gsym_out.h"

#include <stdlib.h>

#include "base/search.h"
#include "emit/positions.h"
#include "emit/string_out.h"
#include "gsym/function.h"
#include "query/find/names.h"
#include "text/text.h"

enum { MOST_STEPS = 15 }; // of lines, by a special operation

static const char unknown[] = "??"; // the format has no functions without names

struct unit { // a unit being written
	struct ic_gsym_out *out;
	const struct ic_index *index;
	const struct ic_unit_model *model;
	struct ic_instance_links links;
	uint64_t steps;  // see struct ic_inlined_walk
	uint32_t copies; // in the function being written
	uint32_t *files; // by number in the unit: number in the output, IC_NONE if not yet used
	IC_ARRAY(struct ic_position) positions; // of a function
	IC_ARRAY(struct ic_range) ranges;       // of the open calls, outermost first
	IC_ARRAY(uint32_t) firsts;              // by depth: the first of these ranges
};

// ---- Strings and files

static uint32_t add_string(struct ic_gsym_out *out, const char *text)
{
	uint32_t off = ic_string_out(&out->strings, text);

	out->failed |= off == IC_NONE;
	return off;
}

static uint32_t add_start(struct ic_gsym_out *out, const char *text, size_t size)
{
	char *copy = strndup(text, size);
	uint32_t off = copy ? add_string(out, copy) : IC_NONE;

	out->failed |= !copy;
	free(copy);
	return off;
}

static void put_offset(struct ic_gsym_out *out, struct ic_out *to, uint64_t off)
{
	ic_out_uint(to, off, out->version == 1 ? 4 : 8);
}

static uint32_t add_file(struct ic_gsym_out *out, const char *path)
{
	const char *name = ic_text_base_name(path);
	size_t before = (size_t)(name - path);

	// Readers put a slash after a directory, so that of the root has to be in the name.
	if (before == 1)
		name = path;
	uint32_t directory = add_start(out, path, before > 1 ? before - 1 : 0);
	uint32_t base = add_string(out, name);
	uint32_t *number = ic_map_at(&out->file_of, (uint64_t)directory << 32 | base);
	if (!number) {
		out->failed = true;
		return 0;
	}
	if (*number != IC_NONE)
		return *number;
	put_offset(out, &out->files, directory);
	put_offset(out, &out->files, base);
	return *number = out->file_count++;
}

static uint32_t file_of(struct unit *unit, uint32_t number)
{
	if (number == IC_NONE || number >= unit->model->file_count || !unit->model->files[number])
		return 0;
	if (unit->files[number] == IC_NONE)
		unit->files[number] = add_file(unit->out, unit->model->files[number]);
	return unit->files[number];
}

static uint32_t name_of(struct unit *unit, uint32_t number)
{
	char text[IC_LONGEST_NAME];
	const struct ic_function *function = number != IC_NONE ? &unit->model->functions[number]
							       : NULL;
	const char *name = function ? ic_function_symbol(function) : "";

	if (function && !function->linkage_name &&
	    ic_function_qualified_name(unit->index, function, text, sizeof(text)))
		name = text;
	if (!*name)
		name = unknown;
	return add_string(unit->out, name);
}

// ---- Lines

static int64_t step_to(const struct unit *unit, uint32_t position)
{
	const struct ic_position *positions = unit->positions.items;

	return (int64_t)positions[position].line - positions[position - 1].line;
}

// Chooses the steps that special operations can take: those of most rows.
static int64_t choose_steps(const struct unit *unit)
{
	enum { MOST = 32 }; // larger ones are rare
	uint32_t counts[2 * MOST + 1] = { 0 }, sum = 0, best = 0;
	int64_t first = 0;

	for (uint32_t i = 1; i < unit->positions.count; i++) {
		int64_t step = step_to(unit, i);
		if (step >= -MOST && step <= MOST)
			counts[step + MOST]++;
	}
	for (int i = 0; i <= 2 * MOST; i++) {
		sum += counts[i];
		if (i >= MOST_STEPS)
			sum -= counts[i - MOST_STEPS];
		if (sum > best) {
			best = sum;
			first = i - (MOST_STEPS - 1) - MOST;
		}
	}
	return first;
}

static void put_row(struct ic_out *to, int64_t step, int64_t first, uint64_t advance)
{
	uint64_t special = (uint64_t)(step - first);

	if (step >= first && special < MOST_STEPS && advance < UINT8_MAX &&
	    special + advance * MOST_STEPS + IC_GSYM_LINE_SPECIAL <= UINT8_MAX) {
		ic_out_uint(to, special + advance * MOST_STEPS + IC_GSYM_LINE_SPECIAL, 1);
		return;
	}
	if (step != 0) {
		ic_out_uint(to, IC_GSYM_LINE_LINE, 1);
		ic_out_sleb(to, step);
	}
	ic_out_uint(to, IC_GSYM_LINE_ADDR, 1);
	ic_out_uleb(to, advance);
}

static bool read_positions(struct unit *unit, struct ic_range range)
{
	struct ic_positions positions;
	struct ic_position position;
	bool is_known = false;

	unit->positions.count = 0;
	ic_positions_begin(&positions, &unit->model->code_map, range);
	while (ic_positions_next(&positions, &position)) {
		is_known |= position.file != IC_NONE;
		if (!IC_ARRAY_ADD(&unit->positions, position)) {
			unit->out->failed = true;
			return false;
		}
	}
	return is_known;
}

static void put_lines(struct unit *unit, struct ic_range range)
{
	struct ic_out *to = &unit->out->list.records;
	uint64_t addr = range.start;
	uint32_t file = 1;

	if (!read_positions(unit, range))
		return;
	int64_t first = choose_steps(unit);
	ic_out_uint(to, IC_GSYM_INFO_LINES, 4);
	uint32_t length = ic_out_length_begin(to);
	ic_out_sleb(to, first);
	ic_out_sleb(to, first + MOST_STEPS - 1);
	ic_out_uleb(to, unit->positions.items[0].line);
	for (uint32_t i = 0; i < unit->positions.count; i++) {
		const struct ic_position *position = &unit->positions.items[i];
		uint32_t number = file_of(unit, position->file);
		if (number != file) {
			ic_out_uint(to, IC_GSYM_LINE_FILE, 1);
			ic_out_uleb(to, number);
			file = number;
		}
		put_row(to, i > 0 ? step_to(unit, i) : 0, first, position->range.start - addr);
		addr = position->range.start;
	}
	ic_out_uint(to, IC_GSYM_LINE_END, 1);
	ic_out_length_end(to, length);
}

// ---- Inlined calls

static int compare_ranges(const void *left, const void *right)
{
	const struct ic_range *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

// Sorts the ranges from `first` on, and joins those that overlap or touch.
static void join_ranges(struct unit *unit, uint32_t first)
{
	struct ic_range *ranges = unit->ranges.items;
	uint32_t kept = first;

	if (unit->ranges.count == first)
		return;
	qsort(ranges + first, unit->ranges.count - first, sizeof(*ranges), compare_ranges);
	for (uint32_t i = first + 1; i < unit->ranges.count; i++)
		if (ranges[i].start > ranges[kept].end)
			ranges[++kept] = ranges[i];
		else if (ranges[i].end > ranges[kept].end)
			ranges[kept].end = ranges[i].end;
	unit->ranges.count = kept + 1;
}

// Adds the parts of a range that are in the ranges from `around` to `end`.
static void add_parts(struct unit *unit, struct ic_range range, uint32_t around, uint32_t end)
{
	const struct ic_range *outer = unit->ranges.items + around;
	uint32_t next;

	IC_SEARCH(next, end - around, at, outer[at].end <= range.start);
	for (; around + next < end && !unit->out->failed; next++) {
		struct ic_range part = unit->ranges.items[around + next];
		if (part.start >= range.end)
			break;
		if (part.start < range.start)
			part.start = range.start;
		if (part.end > range.end)
			part.end = range.end;
		unit->out->failed |= !IC_ARRAY_ADD(&unit->ranges, part);
	}
}

// Opens an instance at a depth: adds its code that is in the call around it. Returns whether there
// is any.
static bool open_call(struct unit *unit, const struct ic_instance *instance, uint32_t depth)
{
	uint32_t around = unit->firsts.items[depth - 1];

	while (unit->firsts.count > depth)
		unit->ranges.count = unit->firsts.items[--unit->firsts.count];
	uint32_t first = unit->ranges.count;
	for (uint32_t i = 0; i < instance->range_count; i++)
		add_parts(unit, unit->model->ranges[instance->first_range + i], around, first);
	unit->out->failed |= !IC_ARRAY_ADD(&unit->firsts, first);
	join_ranges(unit, first);
	return unit->ranges.count > first && !unit->out->failed;
}

// Writes the ranges of the innermost open call, from an address on.
static void put_ranges(struct unit *unit, uint64_t base)
{
	struct ic_out *to = &unit->out->list.records;
	uint32_t first = unit->firsts.items[unit->firsts.count - 1];

	ic_out_uleb(to, unit->ranges.count - first);
	for (uint32_t i = first; i < unit->ranges.count; i++) {
		ic_out_uleb(to, unit->ranges.items[i].start - base);
		ic_out_uleb(to, unit->ranges.items[i].end - unit->ranges.items[i].start);
	}
}

// Writes an open call, whose list of children is left open if there may be any.
static void put_call(struct unit *unit, const struct ic_instance *instance, bool has_children,
		     uint32_t depth)
{
	struct ic_out *to = &unit->out->list.records;

	put_ranges(unit, unit->ranges.items[unit->firsts.items[depth - 1]].start);
	ic_out_uint(to, has_children, 1);
	put_offset(unit->out, to, name_of(unit, instance->function));
	ic_out_uleb(to, file_of(unit, instance->call_file));
	ic_out_uleb(to, instance->call_line);
	unit->copies++;
}

// The outermost call is the function itself, without a name.
static void begin_calls(struct unit *unit, struct ic_range range)
{
	struct ic_out *to = &unit->out->list.records;

	unit->ranges.count = unit->firsts.count = 0;
	unit->out->failed |= !IC_ARRAY_ADD(&unit->ranges, range) || !IC_ARRAY_ADD(&unit->firsts, 0);
	if (unit->out->failed)
		return;
	put_ranges(unit, range.start);
	ic_out_uint(to, true, 1);
	put_offset(unit->out, to, 0);
	ic_out_uleb(to, 0);
	ic_out_uleb(to, 0);
}

static void put_calls(struct unit *unit, uint32_t host, struct ic_range range)
{
	struct ic_out *to = &unit->out->list.records;
	struct ic_inlined_walk walk = { .links = &unit->links,
					.host = host,
					.range = range,
					.at = host,
					.steps = &unit->steps };
	uint32_t open = 1; // lists of children

	bool has_any = ic_inlined_walk_next(&walk);
	unit->out->left_out |= unit->steps == 0;
	if (!has_any)
		return;
	ic_out_uint(to, IC_GSYM_INFO_INLINED, 4);
	uint32_t length = ic_out_length_begin(to);
	begin_calls(unit, range);
	do {
		const struct ic_instance *instance = &unit->model->instances[walk.at];
		bool has_children = unit->links.first_child[walk.at] != IC_NONE;
		if (unit->out->failed)
			return;
		if (!open_call(unit, instance, walk.depth))
			continue;
		for (; open > walk.depth; open--)
			ic_out_uleb(to, 0);
		put_call(unit, instance, has_children, walk.depth);
		open += has_children;
	} while (ic_inlined_walk_next(&walk));
	unit->out->left_out |= unit->steps == 0;
	for (; open > 0; open--)
		ic_out_uleb(to, 0);
	ic_out_length_end(to, length);
}

// ---- Functions

// Begins a record, and returns its offset.
static uint32_t begin_record(struct ic_gsym_out *out, uint64_t size, uint32_t name)
{
	struct ic_out *to = &out->list.records;

	while (to->bytes.count % 4 != 0 && !to->failed)
		ic_out_uint(to, 0, 1);
	uint32_t off = to->bytes.count;
	ic_out_uint(to, size, 4);
	put_offset(out, to, name);
	return off;
}

static void end_record(struct ic_gsym_out *out, struct ic_range range, uint32_t off,
		       uint32_t copies)
{
	ic_out_uint(&out->list.records, IC_GSYM_INFO_END, 4);
	ic_out_uint(&out->list.records, 0, 4);
	ic_function_list_add(&out->list, range, off, copies);
}

static void put_function(struct unit *unit, uint32_t host, struct ic_range range)
{
	uint64_t size = range.end - range.start;

	if (size > UINT32_MAX) { // the format has no room for more
		size = UINT32_MAX;
		range.end = range.start + size;
	}
	uint32_t off =
		begin_record(unit->out, size, name_of(unit, unit->model->instances[host].function));
	unit->copies = 0;
	put_lines(unit, range);
	put_calls(unit, host, range);
	end_record(unit->out, range, off, unit->copies);
}

static void begin_output(struct ic_gsym_out *out)
{
	if (out->file_count > 0)
		return;
	out->list.records.swap = out->files.swap = out->file.swap = out->swap;
	(void)add_string(out, "");
	out->file_count = 1; // file 0 is the unknown one
	put_offset(out, &out->files, 0);
	put_offset(out, &out->files, 0);
}

bool ic_gsym_out_put(struct ic_gsym_out *out, const struct ic_index *index, uint32_t number)
{
	const struct ic_unit_model *model = &index->units[number];
	struct unit unit = { .out = out, .index = index, .model = model };
	bool ok = ic_instance_links_build(&unit.links, model);

	begin_output(out);
	unit.steps = ic_inlined_walk_steps(model);
	unit.files = ic_items_alloc(model->file_count + 1ull, sizeof(*unit.files));
	if (ok && unit.files)
		memset(unit.files, 0xff, ((size_t)model->file_count + 1) * sizeof(*unit.files));
	for (uint32_t i = 0; ok && unit.files && i < model->instance_count; i++) {
		const struct ic_instance *instance = &model->instances[i];
		for (uint32_t j = 0; instance->kind == IC_INSTANCE_HOST && !out->failed &&
				     j < instance->range_count;
		     j++)
			put_function(&unit, i, model->ranges[instance->first_range + j]);
	}
	ok &= unit.files != NULL;
	ic_instance_links_free(&unit.links);
	free(unit.files);
	IC_ARRAY_FREE(&unit.positions);
	IC_ARRAY_FREE(&unit.ranges);
	IC_ARRAY_FREE(&unit.firsts);
	return ok && !out->failed && !out->list.failed;
}

static void put_symbols(struct ic_gsym_out *out, const struct ic_index *index)
{
	struct ic_bare_symbols symbols = { .list = &out->list };

	ic_bare_symbols_list(&symbols, index);
	out->failed |= symbols.failed;
	for (uint32_t i = 0; i < symbols.items.count && !out->failed; i++) {
		const struct ic_symbol *symbol = &symbols.items.items[i];
		struct ic_range range = { symbol->start, symbol->end };
		uint64_t size = range.end - range.start;
		if (size > UINT32_MAX)
			size = 0; // unknown
		uint32_t name = add_string(out, symbol->name);
		end_record(out, range, begin_record(out, size, name), 0);
	}
	IC_ARRAY_FREE(&symbols.items);
}

// ---- The file

struct layout { // offsets in the file
	uint8_t addr_size, offset_size;
	uint64_t base, addrs, infos, files, strings, functions, end;
};

static uint64_t record_size(const struct ic_listed_function *function)
{
	return ic_align_up(function->size, 4);
}

static struct layout lay_out(const struct ic_gsym_out *out, size_t table_count)
{
	const struct ic_listed_function *items = out->list.items.items;
	uint32_t count = out->list.items.count;
	struct layout layout = { .addr_size = 1, .offset_size = out->version == 1 ? 4 : 8 };
	uint64_t most = 0;

	if (count > 0) {
		layout.base = items[0].range.start;
		most = items[count - 1].range.start - layout.base;
	}
	while (layout.addr_size < 8 && most >> 8 * layout.addr_size)
		layout.addr_size *= 2;
	layout.addrs = out->version == 1
			       ? IC_GSYM_HEADER_SIZE
			       : IC_GSYM_HEADER_SIZE_2 + (uint64_t)table_count * IC_GSYM_TABLE_SIZE;
	layout.addrs = ic_align_up(layout.addrs, layout.addr_size);
	layout.infos =
		ic_align_up(layout.addrs + (uint64_t)count * layout.addr_size, layout.offset_size);
	layout.files = layout.infos + (uint64_t)count * layout.offset_size;
	layout.strings = layout.files + 4 + out->files.bytes.count;
	layout.functions = ic_align_up(layout.strings + out->strings.bytes.count, 4);
	layout.end = layout.functions;
	for (uint32_t i = 0; i < count; i++)
		layout.end += record_size(&items[i]);
	return layout;
}

static void pad_to(struct ic_out *file, uint64_t off)
{
	while (file->bytes.count < off && !file->failed)
		ic_out_uint(file, 0, 1);
}

static void put_header(struct ic_gsym_out *out, const struct layout *layout,
		       struct ic_bytes build_id)
{
	struct ic_out *file = &out->file;
	static const uint8_t zeros[IC_GSYM_MOST_ID_SIZE];
	size_t id_size = build_id.size < IC_GSYM_MOST_ID_SIZE ? build_id.size
							      : IC_GSYM_MOST_ID_SIZE;

	ic_out_uint(file, IC_GSYM_MAGIC, 4);
	ic_out_uint(file, out->version, 2);
	ic_out_uint(file, layout->addr_size, 1);
	ic_out_uint(file, out->version == 1 ? id_size : 0, 1);
	ic_out_uint(file, layout->base, 8);
	ic_out_uint(file, out->list.items.count, 4);
	if (out->version == 2)
		return;
	ic_out_uint(file, layout->strings, 4);
	ic_out_uint(file, out->strings.bytes.count, 4);
	ic_out_bytes(file, build_id.data, id_size);
	ic_out_bytes(file, zeros, IC_GSYM_MOST_ID_SIZE - id_size);
}

static void put_table(struct ic_out *file, uint32_t type, uint64_t off, uint64_t size)
{
	ic_out_uint(file, type, 4);
	ic_out_uint(file, off, 8);
	ic_out_uint(file, size, 8);
}

// The list of tables of version 2.
static void put_tables(struct ic_gsym_out *out, const struct layout *layout, size_t id_size)
{
	uint64_t count = out->list.items.count;
	struct ic_out *file = &out->file;

	put_table(file, IC_GSYM_TABLE_ADDRS, layout->addrs, count * layout->addr_size);
	put_table(file, IC_GSYM_TABLE_INFOS, layout->infos, count * layout->offset_size);
	put_table(file, IC_GSYM_TABLE_FILES, layout->files, 4 + out->files.bytes.count);
	put_table(file, IC_GSYM_TABLE_STRINGS, layout->strings, out->strings.bytes.count);
	put_table(file, IC_GSYM_TABLE_FUNCTIONS, layout->functions,
		  layout->end - layout->functions);
	if (id_size > 0)
		put_table(file, IC_GSYM_TABLE_ID, layout->end, id_size);
	put_table(file, IC_GSYM_TABLE_END, 0, 0);
}

static void put_functions(struct ic_gsym_out *out, const struct layout *layout)
{
	const struct ic_listed_function *items = out->list.items.items;
	uint64_t off = out->version == 1 ? layout->functions : 0;
	struct ic_out *file = &out->file;

	pad_to(file, layout->addrs);
	for (uint32_t i = 0; i < out->list.items.count; i++)
		ic_out_uint(file, items[i].range.start - layout->base, layout->addr_size);
	pad_to(file, layout->infos);
	for (uint32_t i = 0; i < out->list.items.count; i++) {
		ic_out_uint(file, off, layout->offset_size);
		off += record_size(&items[i]);
	}
	ic_out_uint(file, out->file_count, 4);
	ic_out_bytes(file, out->files.bytes.items, out->files.bytes.count);
	ic_out_bytes(file, out->strings.bytes.items, out->strings.bytes.count);
	pad_to(file, layout->functions);
	off = layout->functions;
	for (uint32_t i = 0; i < out->list.items.count; i++) {
		ic_out_bytes(file, out->list.records.bytes.items + items[i].off, items[i].size);
		off += record_size(&items[i]);
		pad_to(file, off);
	}
}

bool ic_gsym_out_finish(struct ic_gsym_out *out, const struct ic_index *index,
			struct ic_bytes build_id)
{
	enum { TABLE_COUNT = 6 }; // with that of the end, but without a build ID

	begin_output(out);
	ic_function_list_sort(&out->list);
	put_symbols(out, index);
	ic_function_list_sort(&out->list);
	if (out->failed || out->list.failed || out->files.failed)
		return false;
	struct layout layout = lay_out(out, TABLE_COUNT + (build_id.size > 0));
	put_header(out, &layout, build_id);
	if (out->version == 2)
		put_tables(out, &layout, build_id.size);
	put_functions(out, &layout);
	if (out->version == 2)
		ic_out_bytes(&out->file, build_id.data, build_id.size);
	return !out->file.failed;
}

bool ic_gsym_out_is_too_large(const struct ic_gsym_out *out)
{
	return out->file.too_large || out->list.records.too_large || out->files.too_large ||
	       out->strings.too_large;
}

void ic_gsym_out_free(struct ic_gsym_out *out)
{
	ic_function_list_free(&out->list);
	ic_byte_pool_free(&out->strings);
	ic_out_free(&out->files);
	ic_out_free(&out->file);
	ic_map_free(&out->file_of);
}
