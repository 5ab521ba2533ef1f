#include "go_builder.h"

// ---- Parts, which are joined at the end

struct part {
	struct byte_buffer bytes;
	uint32_t base; // what is added to offsets in it
};

enum { NAMES, FILES, PATHS, VALUES, LIST, RECORDS, PART_COUNT };

struct parts {
	const struct go_table *table;
	struct part items[PART_COUNT];
};

// Appends a table of values; its offset, 0 if there is none.
static uint32_t put_runs(struct parts *parts, const struct go_run *runs)
{
	struct part *part = &parts->items[VALUES];
	uint32_t value = UINT32_MAX, off = part->base + (uint32_t)part->bytes.size;

	if (!runs)
		return 0;
	for (; runs->size > 0; runs++) {
		uint32_t change = (uint32_t)runs->value - value;
		byte_buffer_uleb(&part->bytes, change & 0x80000000 ? ~(change << 1) : change << 1);
		byte_buffer_uleb(&part->bytes, runs->size / parts->table->quantum);
		value = (uint32_t)runs->value;
	}
	byte_buffer_put(&part->bytes, 0, 1);
	return off;
}

static uint32_t put_text(struct part *part, const char *text)
{
	uint32_t off = part->base + (uint32_t)part->bytes.size;

	byte_buffer_string(&part->bytes, text);
	return off;
}

// ---- Inlined calls

static void put_call(const struct go_table *table, const struct go_inlined *call, uint32_t name,
		     struct byte_buffer *out)
{
	if (table->release >= 20) {
		byte_buffer_put(out, 0, 4);
		byte_buffer_put(out, name, 4);
		byte_buffer_put(out, call->parent_pc, 4);
		byte_buffer_put(out, call->start_line, 4);
		return;
	}
	if (table->release >= 12) {
		byte_buffer_put(out, (uint16_t)call->parent, 2);
		byte_buffer_put(out, 0, 2);
	} else {
		byte_buffer_put(out, (uint32_t)call->parent, 4);
	}
	byte_buffer_put(out, (uint32_t)call->file, 4);
	byte_buffer_put(out, call->line, 4);
	byte_buffer_put(out, name, 4);
	if (table->release >= 12)
		byte_buffer_put(out, call->parent_pc, 4);
}

// ---- Functions

struct offsets { // of what a function's record refers to
	uint32_t name, files, lines, inlined, calls;
	bool has_calls;
};

static void put_record(const struct go_table *table, const struct go_function *function,
		       const struct offsets *offsets, struct byte_buffer *out)
{
	bool is_old_count = table->release < 12;
	uint32_t pcdata = table->release >= 13 ? 2 : 1;
	uint32_t funcdata = table->release < 13 ? 2 : table->release < 15 ? 4 : 3;
	uint8_t size = table->release >= 18 ? 4 : table->pointer_size;

	byte_buffer_put(out, (table->release < 18 ? table->text : 0) + function->entry,
			table->release < 18 ? table->pointer_size : 4);
	byte_buffer_put(out, offsets->name, 4);
	byte_buffer_fill(out, 0, 12);
	byte_buffer_put(out, offsets->files, 4);
	byte_buffer_put(out, offsets->lines, 4);
	byte_buffer_put(out, pcdata + 1, 4);
	if (table->release >= 16)
		byte_buffer_put(out, 0, 4); // the first of its files
	if (table->release >= 20)
		byte_buffer_put(out, function->start_line, 4);
	if (is_old_count) {
		byte_buffer_put(out, funcdata + 1, 4);
	} else {
		byte_buffer_fill(out, 0, 3);
		byte_buffer_put(out, funcdata + 1, 1);
	}
	byte_buffer_fill(out, 0, 4 * pcdata);
	byte_buffer_put(out, offsets->inlined, 4);
	while (out->size % size != 0)
		byte_buffer_put(out, 0, 1);
	byte_buffer_fill(out, table->release >= 18 ? 0xff : 0, (size_t)size * funcdata);
	if (offsets->has_calls)
		byte_buffer_put(out,
				table->release >= 18 ? offsets->calls
						     : table->calls_addr + offsets->calls,
				size);
	else
		byte_buffer_fill(out, table->release >= 18 ? 0xff : 0, size);
	byte_buffer_align(out, table->pointer_size);
}

// ---- The table

static void put_functions(struct parts *parts, struct byte_buffer *calls)
{
	const struct go_table *table = parts->table;
	uint8_t size = table->release >= 18 ? 4 : table->pointer_size;
	uint64_t base = table->release >= 18 ? 0 : table->text;
	struct part *list = &parts->items[LIST], *records = &parts->items[RECORDS];

	for (uint32_t i = 0; i < table->count; i++) {
		const struct go_function *function = &table->functions[i];
		struct offsets offsets = {
			.name = put_text(&parts->items[NAMES], function->name),
			.files = put_runs(parts, function->files),
			.lines = put_runs(parts, function->lines),
			.inlined = put_runs(parts, function->inlined),
			.calls = (uint32_t)calls->size,
			.has_calls = function->calls,
		};
		for (const struct go_inlined *call = function->calls; call && call->name; call++)
			put_call(table, call, put_text(&parts->items[NAMES], call->name), calls);
		byte_buffer_put(&list->bytes, base + function->entry, size);
		byte_buffer_put(&list->bytes, records->base + records->bytes.size, size);
		put_record(table, function, &offsets, &records->bytes);
	}
	byte_buffer_put(&list->bytes, base + table->end, size);
}

// Before Go 1.16 the list of files begins with its length, which file 0 stands for.
static void put_files(struct parts *parts)
{
	const struct go_table *table = parts->table;
	struct byte_buffer *files = &parts->items[FILES].bytes;
	uint32_t count = 0;

	while (table->paths && table->paths[count])
		count++;
	if (table->release < 16)
		byte_buffer_put(files, count + 1, 4);
	for (uint32_t i = 0; i < count; i++)
		byte_buffer_put(files, put_text(&parts->items[PATHS], table->paths[i]), 4);
}

static void fill(struct parts *parts, const struct go_table *table, const uint32_t *bases,
		 struct byte_buffer *calls)
{
	*parts = (struct parts){ .table = table };
	for (int i = 0; i < PART_COUNT; i++) {
		parts->items[i].bytes.big_endian = table->big_endian;
		parts->items[i].base = bases[i];
	}
	byte_buffer_put(&parts->items[VALUES].bytes, 0, 1); // an offset of 0 is none
	put_functions(parts, calls);
	put_files(parts);
	for (int i = 0; i < PART_COUNT; i++)
		byte_buffer_align(&parts->items[i].bytes, table->pointer_size);
}

static void put_header(const struct go_table *table, struct byte_buffer *out)
{
	uint32_t magic = table->release < 16   ? 0xfffffffb
			 : table->release < 18 ? 0xfffffffa
			 : table->release < 20 ? 0xfffffff0
					       : 0xfffffff1;

	byte_buffer_put(out, magic, 4);
	byte_buffer_put(out, 0, 2);
	byte_buffer_put(out, table->quantum, 1);
	byte_buffer_put(out, table->pointer_size, 1);
	byte_buffer_put(out, table->count, table->pointer_size);
}

// The order of the parts, and where each begins: from the table's start before Go 1.16, when the
// list came first.
static void place_parts(const struct parts *parts, uint32_t *starts)
{
	static const int old_order[] = { LIST, FILES, RECORDS, NAMES, PATHS, VALUES };
	static const int new_order[] = { NAMES, FILES, PATHS, VALUES, LIST, RECORDS };
	const struct go_table *table = parts->table;
	const int *order = table->release < 16 ? old_order : new_order;
	uint32_t words = table->release < 16 ? 1 : table->release < 18 ? 7 : 8;
	uint32_t off = 8 + words * table->pointer_size;

	for (int i = 0; i < PART_COUNT; i++) {
		starts[order[i]] = off;
		off += (uint32_t)parts->items[order[i]].bytes.size;
		if (order[i] == LIST && table->release < 16)
			off += 8; // where the list of files is
	}
}

static void free_parts(struct parts *parts)
{
	for (int i = 0; i < PART_COUNT; i++)
		byte_buffer_deinit(&parts->items[i].bytes);
}

static void append(struct byte_buffer *out, const struct parts *parts, int part)
{
	byte_buffer_append(out, parts->items[part].bytes.data, parts->items[part].bytes.size);
}

static void join_old(const struct parts *parts, const uint32_t *starts, struct byte_buffer *out)
{
	uint8_t size = parts->table->pointer_size;
	size_t list = 8u + size + (2u * parts->table->count + 1) * size;

	append(out, parts, LIST);
	out->size = list; // after the last item, which alignment may have moved
	byte_buffer_put(out, starts[FILES], 4);
	byte_buffer_fill(out, 0, starts[FILES] - out->size);
	static const int order[] = { FILES, RECORDS, NAMES, PATHS, VALUES };
	for (int i = 0; i < 5; i++)
		append(out, parts, order[i]);
}

static void join_new(const struct parts *parts, const uint32_t *starts, struct byte_buffer *out)
{
	const struct go_table *table = parts->table;

	byte_buffer_put(out, parts->items[FILES].bytes.size / 4, table->pointer_size);
	if (table->release >= 18)
		byte_buffer_put(out, table->text, table->pointer_size);
	for (int i = 0; i < RECORDS; i++)
		byte_buffer_put(out, starts[i], table->pointer_size);
	for (int i = 0; i < PART_COUNT; i++)
		append(out, parts, i);
}

void go_table_write(const struct go_table *table, struct byte_buffer *out,
		    struct byte_buffer *calls)
{
	uint32_t bases[PART_COUNT] = { 0 }, starts[PART_COUNT];
	size_t calls_before = calls->size;
	struct parts parts;

	out->big_endian = calls->big_endian = table->big_endian;
	fill(&parts, table, bases, calls); // to know how long each part is
	place_parts(&parts, starts);
	for (int i = 0; i < PART_COUNT; i++)
		bases[i] = table->release < 16 ? starts[i]
			   : i == RECORDS      ? starts[RECORDS] - starts[LIST]
					       : 0;
	free_parts(&parts);
	calls->size = calls_before;
	fill(&parts, table, bases, calls);
	put_header(table, out);
	if (table->release < 16)
		join_old(&parts, starts, out);
	else
		join_new(&parts, starts, out);
	free_parts(&parts);
}
