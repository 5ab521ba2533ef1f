#include "emit/breakpad_out.h"

#include <stdio.h>
#include <stdlib.h>

#include "breakpad/records.h"
#include "emit/positions.h"
#include "emit/text_out.h"
#include "text/text.h"

enum { DECIMAL = 10, HEX = 16 };

static const char unknown[] = "??"; // functions and files have names

// ---- Names

// The number of a text in a pool.
static uint32_t number_of(struct ic_breakpad_out *out, struct ic_byte_pool *pool, const char *text)
{
	size_t size = strlen(text) + 1;
	uint32_t number = size <= UINT32_MAX ? ic_byte_pool_add(pool, text, (uint32_t)size)
					     : IC_NONE;

	out->failed |= number == IC_NONE;
	return number;
}

static const char *name_of(struct ic_breakpad_out *out, const struct ic_unit_model *unit,
			   uint32_t function)
{
	const char *name = function == IC_NONE
				   ? NULL
				   : ic_names_display(&out->names, &unit->functions[function]);

	return name && *name ? name : unknown;
}

static const char *path_of(const struct ic_unit_model *unit, uint32_t file)
{
	const char *path = file != IC_NONE && file < unit->file_count ? unit->files[file] : NULL;

	return path && *path ? path : unknown;
}

// ---- Functions

static void put_row(struct ic_breakpad_out *out, const struct ic_unit_model *unit,
		    const struct ic_position *position)
{
	struct ic_out *to = &out->list.records;

	if (position->file == IC_NONE) // most likely padding: the format can only say nothing
		return;
	ic_number_out(to, position->range.start - out->load_addr, HEX);
	ic_field_out(to, position->range.end - position->range.start, HEX);
	ic_field_out(to, position->line, DECIMAL);
	ic_field_out(to, number_of(out, &out->files, path_of(unit, position->file)), DECIMAL);
	ic_out_uint(to, '\n', 1);
}

// INLINE depth line file origin [address size]...
static void put_call(struct ic_breakpad_out *out, const struct ic_unit_model *unit,
		     const struct ic_inlined_walk *walk)
{
	const struct ic_instance *instance = &unit->instances[walk->at];
	struct ic_out *to = &out->list.records;

	ic_text_out(to, "INLINE");
	ic_field_out(to, walk->depth - 1, DECIMAL);
	ic_field_out(to, instance->call_line, DECIMAL);
	ic_field_out(to, number_of(out, &out->files, path_of(unit, instance->call_file)), DECIMAL);
	ic_field_out(to, number_of(out, &out->origins, name_of(out, unit, instance->function)),
		     DECIMAL);
	for (uint32_t i = 0; i < instance->range_count; i++) {
		struct ic_range range = unit->ranges[instance->first_range + i];
		if (range.start < walk->range.start)
			range.start = walk->range.start;
		if (range.end > walk->range.end)
			range.end = walk->range.end;
		if (range.start >= range.end)
			continue;
		ic_field_out(to, range.start - out->load_addr, HEX);
		ic_field_out(to, range.end - range.start, HEX);
	}
	ic_out_uint(to, '\n', 1);
}

static void put_function(struct ic_breakpad_out *out, struct ic_inlined_walk *walk)
{
	const struct ic_unit_model *unit = walk->links->unit;
	struct ic_out *to = &out->list.records;
	struct ic_range range = walk->range;
	uint32_t off = to->bytes.count, copies = 0;
	struct ic_positions positions;
	struct ic_position position;

	ic_text_out(to, "FUNC");
	ic_field_out(to, range.start - out->load_addr, HEX);
	ic_field_out(to, range.end - range.start, HEX);
	ic_text_out(to, " 0"); // bytes of parameters that it pops
	ic_line_out(to, name_of(out, unit, unit->instances[walk->host].function));
	for (; !to->failed && ic_inlined_walk_next(walk); copies++)
		put_call(out, unit, walk);
	out->left_out |= *walk->steps == 0;
	ic_positions_begin(&positions, &unit->code_map, range);
	while (!to->failed && ic_positions_next(&positions, &position))
		put_row(out, unit, &position);
	ic_function_list_add(&out->list, range, off, copies);
}

void ic_breakpad_out_begin(struct ic_breakpad_out *out, const struct ic_index *index,
			   const struct ic_image *image)
{
	out->index = index;
	if (image->file.layout.loaded_count > 0)
		out->load_addr = image->file.layout.loaded[0].addr;
	out->names.index = index;
	out->names.style = IC_DEMANGLE_PARAMS;
}

bool ic_breakpad_out_put(struct ic_breakpad_out *out, uint32_t number)
{
	const struct ic_unit_model *unit = &out->index->units[number];
	uint64_t steps = ic_inlined_walk_steps(unit);
	struct ic_instance_links links;

	if (!ic_instance_links_build(&links, unit))
		return false;
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		for (uint32_t j = 0; instance->kind == IC_INSTANCE_HOST && !out->failed &&
				     !out->list.failed && j < instance->range_count;
		     j++) {
			struct ic_inlined_walk walk = {
				.links = &links,
				.host = i,
				.range = unit->ranges[instance->first_range + j],
				.at = i,
				.steps = &steps,
			};
			put_function(out, &walk);
		}
	}
	ic_instance_links_free(&links);
	return !out->failed && !out->list.failed && !out->names.out_of_memory;
}

// ---- The file

static void put_names(struct ic_out *to, const char *word, const struct ic_byte_pool *pool)
{
	for (uint32_t i = 0; i < pool->runs.count && !to->failed; i++) {
		ic_text_out(to, word);
		ic_field_out(to, i, DECIMAL);
		ic_line_out(to, (const char *)ic_byte_pool_get(pool, i).data);
	}
}

static void put_symbols(struct ic_breakpad_out *out)
{
	struct ic_bare_symbols symbols = { .list = &out->list };
	struct ic_out *to = &out->file;

	ic_bare_symbols_list(&symbols, out->index);
	out->failed |= symbols.failed;
	for (uint32_t i = 0; i < symbols.items.count && !out->failed && !to->failed; i++) {
		const struct ic_symbol *symbol = &symbols.items.items[i];
		ic_text_out(to, "PUBLIC");
		ic_field_out(to, symbol->start - out->load_addr, HEX);
		ic_text_out(to, " 0");
		ic_line_out(to, ic_names_demangled(&out->names, symbol->name));
		out->symbols++;
	}
	IC_ARRAY_FREE(&symbols.items);
}

// Gets the identifier of a module without a build ID: blocks of its code, combined by exclusive or.
// Breakpad's writers of minidumps do the same.
static void hash_code(const struct ic_image *image, uint8_t id[IC_BREAKPAD_GUID_SIZE])
{
	enum { MOST = 4096 };
	const struct ic_section *text = ic_elf_file_section(&image->file, ".text");

	for (size_t i = 0; text && i < text->raw.size && i < MOST; i++)
		id[i % 16] ^= text->raw.data[i];
}

// MODULE system machine identifier name. The identifier is the start of the build ID as a GUID, and
// a number that only Windows uses.
static void put_module(struct ic_breakpad_out *out, const struct ic_image *image)
{
	struct ic_bytes build_id;
	struct ic_out *to = &out->file;
	uint8_t id[IC_BREAKPAD_GUID_SIZE] = { 0 };
	char digits[3];

	build_id.size = ic_image_build_id(image, &build_id.data);
	if (build_id.size > 0)
		memcpy(id, build_id.data, build_id.size < sizeof(id) ? build_id.size : sizeof(id));
	else
		hash_code(image, id);
	ic_text_out(to, "MODULE Linux ");
	ic_text_out(to, ic_breakpad_arch(image->file.machine, image->file.addr_size));
	ic_out_uint(to, ' ', 1);
	for (size_t i = 0; i < sizeof(id); i++) {
		snprintf(digits, sizeof(digits), "%02X", id[ic_breakpad_guid_order[i]]);
		ic_text_out(to, digits);
	}
	ic_out_uint(to, '0', 1);
	ic_line_out(to, ic_text_base_name(ic_image_path(image)));
	if (build_id.size == 0)
		return;
	ic_text_out(to, "INFO CODE_ID ");
	for (size_t i = 0; i < build_id.size; i++) {
		snprintf(digits, sizeof(digits), "%02X", build_id.data[i]);
		ic_text_out(to, digits);
	}
	ic_out_uint(to, '\n', 1);
}

bool ic_breakpad_out_finish(struct ic_breakpad_out *out, const struct ic_image *image)
{
	const struct ic_out *records = &out->list.records;

	ic_function_list_sort(&out->list);
	put_module(out, image);
	put_names(&out->file, "FILE", &out->files);
	put_names(&out->file, "INLINE_ORIGIN", &out->origins);
	for (uint32_t i = 0; i < out->list.items.count && !out->list.failed; i++)
		ic_out_bytes(&out->file, records->bytes.items + out->list.items.items[i].off,
			     out->list.items.items[i].size);
	put_symbols(out);
	return !out->failed && !out->list.failed && !out->file.failed && !out->names.out_of_memory;
}

bool ic_breakpad_out_is_too_large(const struct ic_breakpad_out *out)
{
	return out->file.too_large || out->list.records.too_large || out->files.too_large ||
	       out->origins.too_large;
}

void ic_breakpad_out_free(struct ic_breakpad_out *out)
{
	ic_function_list_free(&out->list);
	ic_byte_pool_free(&out->files);
	ic_byte_pool_free(&out->origins);
	ic_names_free(&out->names);
	ic_out_free(&out->file);
}
