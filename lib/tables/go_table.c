#include "tables/go_table.h"

#include <stdlib.h>

#include "dwarf/units/constants.h"
#include "elf/symbols/go_tables.h"
#include "read/pc.h"
#include "tables/go_function.h"

enum {
	FUNCTIONS_PER_UNIT = 128,
	STEPS_PER_BYTE = 64, // per byte of the table; in practice less than one is needed
	LEAST_STEPS = 65536, // per unit
};

// ---- Opening

static bool list_spans(struct ic_go_table *go, const struct ic_elf_file *file)
{
	uint32_t count = 0;

	go->spans = ic_items_alloc(file->layout.loaded_count + 1ull, sizeof(*go->spans));
	for (uint32_t i = 0; go->spans && i < file->layout.loaded_count; i++)
		go->spans[count++] = (struct ic_go_span){ file->layout.loaded[i].addr,
							  file->layout.loaded[i].bytes };
	go->memory = (struct ic_go_memory){ go->spans, count };
	return go->spans;
}

// In position-independent programs, the dynamic linker fills in the addresses of tables before Go
// 1.18.
static bool fill_in_addrs(struct ic_go_table *go, const struct ic_elf_file *file,
			  struct ic_go_place *place)
{
	struct ic_relatives relatives = ic_relatives_of(file);

	if (go->table.format >= IC_GO_FORMAT_18 || relatives.entries.size == 0)
		return true;
	go->copy = malloc(place->bytes.size);
	if (!go->copy)
		return false;
	memcpy(go->copy, place->bytes.data, place->bytes.size);
	ic_relatives_apply(&relatives, place->addr, go->copy, place->bytes.size);
	place->bytes.data = go->copy;
	return true;
}

// Reads the sections of code, if there are several. Returns false if memory runs out.
static bool read_texts(struct ic_go_table *go, const struct ic_elf_file *file,
		       const uint64_t *words)
{
	unsigned size = go->table.pointer_size;
	uint64_t addr, item = 3ull * size;
	uint32_t count = ic_go_module_texts(words, &go->table, &addr);
	struct ic_bytes bytes = ic_loaded_at(file, addr);

	if (count < 2 || bytes.size < count * item)
		return true;
	uint8_t *copy = malloc(count * item);
	go->texts = ic_items_alloc(count, sizeof(*go->texts));
	if (!copy || !go->texts) {
		free(copy);
		return false;
	}
	memcpy(copy, bytes.data, count * item);
	struct ic_relatives relatives = ic_relatives_of(file);
	ic_relatives_apply(&relatives, addr, copy, count * item);
	struct ic_cursor cur = ic_cursor_at((struct ic_bytes){ copy, count * item }, "", 0,
					    count * item, file->swap);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t start = ic_cursor_uint(&cur, size), end = ic_cursor_uint(&cur, size);
		go->texts[i] = (struct ic_go_text){ start, end, ic_cursor_uint(&cur, size) };
	}
	free(copy);
	go->table.texts = go->texts;
	go->table.text_count = count;
	return true;
}

static void report_missing(const struct ic_go_place *place, struct ic_problems *problems,
			   const char *what)
{
	struct ic_error err;

	ic_fail_at(&err, place->name, 0, "%s", what);
	ic_problems_add(problems, &err, NULL, 0);
}

static bool complete_table(struct ic_go_table *go, const struct ic_elf_file *file,
			   const struct ic_go_place *place, struct ic_problems *problems)
{
	uint64_t words[IC_GO_MODULE_WORDS];
	bool needs_module = go->table.format >= IC_GO_FORMAT_18;
	bool has_module = needs_module && ic_go_module_find(file, &go->table, words);

	if (needs_module && !has_module)
		report_missing(place, problems,
			       "the module data of this table was not found; function addresses "
			       "and inlined "
			       "calls are unknown");
	if (has_module)
		ic_go_module_apply(words, &go->table);
	if (!ic_go_layout_choose(&go->table, &go->memory, has_module ? words : NULL))
		report_missing(place, problems,
			       "inlined calls cannot be read: damaged, or written by an unknown "
			       "release of "
			       "Go");
	return !has_module || read_texts(go, file, words);
}

bool ic_go_table_open(struct ic_go_table *go, struct ic_image *image, struct ic_problems *problems,
		      bool *is_there, struct ic_error *err)
{
	const struct ic_elf_file *file = &image->file;
	struct ic_go_place place;

	*go = (struct ic_go_table){ .steps = 0 };
	*is_there = ic_image_go_place(image, &place);
	if (!*is_there)
		return true;
	if (!ic_go_pclntab_open(&go->table, place.bytes, place.addr, file->swap, place.name, err))
		return false;
	const uint8_t *original = place.bytes.data;
	if (!list_spans(go, file) || !fill_in_addrs(go, file, &place))
		return ic_fail_memory(err);
	if (go->copy &&
	    !ic_go_pclntab_open(&go->table, place.bytes, place.addr, file->swap, place.name, err))
		return false;
	if (go->copy) // an index uses names after the copy is freed
		ic_go_pclntab_borrow_texts(&go->table, original);
	go->dwarf = (struct ic_dwarf){ .info = place.bytes,
				       .info_name = place.name,
				       .swap = file->swap,
				       .is_32_bit = file->addr_size == 4,
				       .source = &ic_unit_source_go };
	uint64_t unit_count = go->table.function_count / FUNCTIONS_PER_UNIT + 1;
	go->steps = LEAST_STEPS + STEPS_PER_BYTE * (place.bytes.size / unit_count);
	return complete_table(go, file, &place, problems) || ic_fail_memory(err);
}

void ic_go_table_close(struct ic_go_table *go)
{
	free(go->spans);
	free(go->texts);
	free(go->copy);
	*go = (struct ic_go_table){ .steps = 0 };
}

// ---- Units

static const struct ic_go_table *go_of(const struct ic_unit *unit)
{
	return (const struct ic_go_table *)unit->dwarf;
}

static bool list_units(struct ic_unit_list *list, const struct ic_dwarf *dwarf,
		       struct ic_error *err)
{
	const struct ic_go_pclntab *table = &((const struct ic_go_table *)dwarf)->table;
	uint64_t start = ic_go_functions_off(table), step = ic_go_functions_step(table);

	for (uint32_t first = 0; first < table->function_count;) {
		uint32_t left = table->function_count - first;
		uint32_t count = left < FUNCTIONS_PER_UNIT ? left : FUNCTIONS_PER_UNIT;
		struct ic_unit *unit = IC_ARRAY_PUSH(&list->units);
		if (!unit)
			return ic_fail_memory(err);
		*unit = (struct ic_unit){ .dwarf = dwarf,
					  .off = start + first * step,
					  .die_off = start + first * step,
					  .end_off = start + (first + count) * step,
					  .version = 2,
					  .root.language = DW_LANG_Go,
					  .addr_size = table->pointer_size };
		first += count;
	}
	return true;
}

static struct ic_go_unit functions_of(const struct ic_unit *unit)
{
	const struct ic_go_table *go = go_of(unit);
	uint64_t start = ic_go_functions_off(&go->table), step = ic_go_functions_step(&go->table);

	return (struct ic_go_unit){ .table = &go->table,
				    .memory = &go->memory,
				    .first = (uint32_t)((unit->off - start) / step),
				    .end = (uint32_t)((unit->end_off - start) / step),
				    .steps = go->steps };
}

static enum ic_unit_claim claim_unit(struct ic_reader *reader)
{
	struct ic_go_unit unit = functions_of(reader->unit);
	struct ic_range range = { ic_go_function_entry(unit.table, unit.first),
				  ic_go_function_entry(unit.table, unit.end) };

	if (range.start >= range.end || !ic_pc_is_code(reader, range.start))
		return IC_UNIT_CLAIM_SOME; // the list of functions is not sorted
	struct ic_range *place = IC_ARRAY_PUSH(&reader->ranges);
	reader->out_of_memory |= !place;
	if (place)
		*place = range;
	return IC_UNIT_CLAIM_ALL;
}

static void build_unit(struct ic_stream *stream)
{
	struct ic_go_unit unit = functions_of(stream->reader.unit);

	ic_go_functions_build(stream, &unit);
}

const struct ic_unit_source ic_unit_source_go = {
	.has_dies = false,
	.has_own_rows = true,
	.list = list_units,
	.claim = claim_unit,
	.build = build_unit,
};
