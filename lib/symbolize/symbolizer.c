#include "symbolize/symbolizer.h"

#include <stdlib.h>

#include "elf/symtab.h"
#include "model/code_map.h"
#include "query/frames.h"

// ---- Decoding

// Of a decoded unit, or of memory that is out: no message could be kept for that.
static void take_problems(struct ic_symbolizer *symbolizer, const struct ic_unit_model *model)
{
	for (uint32_t i = 0; i < model->problem_count; i++) {
		struct ic_problem *place = IC_ARRAY_PUSH(&symbolizer->problems.list);
		if (place)
			*place = model->problems[i];
		else
			symbolizer->problems.out_of_memory = true;
	}
}

static void publish(ic_model_slot *slot, const struct ic_unit_model *model)
{
	atomic_store_explicit(slot, model, memory_order_release);
}

static const struct ic_unit_model *published(ic_model_slot *slot)
{
	return atomic_load_explicit(slot, memory_order_acquire);
}

// Reads a unit that .debug_aranges lists, and nothing else. NULL where that is not enough: it
// refers to other units, or its code is in a .dwo file.
static const struct ic_unit_model *decode_alone(struct ic_symbolizer *symbolizer, uint64_t off)
{
	// A table of units with one in it, that shares what the index has of the file.
	struct ic_index index = { .code = symbolizer->index.code,
				  .arena = symbolizer->index.arena };
	const struct ic_unit_model *model = NULL;
	struct ic_scan scan;
	struct ic_error err;
	uint32_t number = 0;

	bool ok = ic_scan_open_unit(&scan, &index, symbolizer->files.main_dwarf, off,
				    &symbolizer->single_options, &err);
	scan.context.wants_code_map = true;
	if (ok)
		ok = ic_scan_units(&scan, &number, 1, &symbolizer->problems, &err) &&
		     !ic_scan_needs_others(&scan);
	if (ok)
		model = &index.units[0];
	ic_scan_close(&scan);
	symbolizer->index.arena = index.arena;
	if (model)
		take_problems(symbolizer, model);
	return model;
}

static const struct ic_unit_model *listed_model(struct ic_symbolizer *symbolizer, uint32_t unit)
{
	ic_model_slot *slot = &symbolizer->listed.models[unit];
	const struct ic_unit_model *model = published(slot);

	if (model)
		return model;
	pthread_mutex_lock(&symbolizer->lock);
	model = published(slot);
	if (!model && !atomic_load_explicit(&symbolizer->all, memory_order_relaxed)) {
		model = decode_alone(symbolizer, symbolizer->listed.offs[unit]);
		publish(slot, model);
	}
	pthread_mutex_unlock(&symbolizer->lock);
	return model;
}

const struct ic_unit_table *ic_symbolizer_all(struct ic_symbolizer *symbolizer)
{
	const struct ic_scan_input input = ic_scan_image_input(&symbolizer->files);
	const struct ic_unit_table *all =
		atomic_load_explicit(&symbolizer->all, memory_order_acquire);
	struct ic_error err;

	if (all)
		return all;
	pthread_mutex_lock(&symbolizer->lock);
	all = atomic_load_explicit(&symbolizer->all, memory_order_relaxed);
	if (!all && !symbolizer->all_failed) {
		bool ok = ic_scan_open(&symbolizer->scan, &symbolizer->index, &input,
				       &symbolizer->options, &symbolizer->problems, &err);
		symbolizer->scan.context.wants_code_map = true;
		ok = ok && ic_unit_table_complete(&symbolizer->own_all, &symbolizer->listed,
						  &symbolizer->scan, &symbolizer->problems, &err);
		if (ok)
			all = &symbolizer->own_all;
		symbolizer->all_failed = !ok;
		symbolizer->problems.out_of_memory |= !ok;
		atomic_store_explicit(&symbolizer->all, all, memory_order_release);
	}
	pthread_mutex_unlock(&symbolizer->lock);
	return all;
}

static void decode_locked(struct ic_symbolizer *symbolizer, uint32_t *units, uint32_t count)
{
	struct ic_unit_table *all = &symbolizer->own_all;
	struct ic_error err;
	uint32_t left = 0;

	for (uint32_t i = 0; i < count; i++)
		if (!published(&all->models[units[i]]))
			units[left++] = units[i];
	// Where memory is out their models are empty, and stay so.
	if (left > 0 && !ic_scan_units(&symbolizer->scan, units, left, &symbolizer->problems, &err))
		symbolizer->problems.out_of_memory = true;
	for (uint32_t i = 0; i < left; i++) {
		const struct ic_unit_model *model = &symbolizer->index.units[units[i]];
		take_problems(symbolizer, model);
		publish(&all->models[units[i]], model);
	}
}

void ic_symbolizer_decode(struct ic_symbolizer *symbolizer, uint32_t *units, uint32_t count)
{
	if (count == 0)
		return;
	pthread_mutex_lock(&symbolizer->lock);
	decode_locked(symbolizer, units, count);
	pthread_mutex_unlock(&symbolizer->lock);
}

static const struct ic_unit_model *any_model(struct ic_symbolizer *symbolizer,
					     const struct ic_unit_table *all, uint32_t unit)
{
	const struct ic_unit_model *model = published(&all->models[unit]);

	if (model)
		return model;
	ic_symbolizer_decode(symbolizer, &unit, 1);
	return published(&all->models[unit]);
}

// ---- Symbols

static bool read_symbols(struct ic_symbolizer *symbolizer)
{
	struct ic_error err;

	if (atomic_load_explicit(&symbolizer->has_symbols, memory_order_acquire))
		return true;
	pthread_mutex_lock(&symbolizer->lock);
	bool has = atomic_load_explicit(&symbolizer->has_symbols, memory_order_relaxed);
	if (!has && !symbolizer->symbols_failed) {
		has = ic_scan_image_symbols(&symbolizer->index, symbolizer->files.image,
					    symbolizer->options.jobs, &symbolizer->problems, &err);
		if (!has) {
			ic_problems_add(&symbolizer->problems, &err, NULL, 0);
			symbolizer->symbols_failed = true;
		}
		atomic_store_explicit(&symbolizer->has_symbols, has, memory_order_release);
	}
	pthread_mutex_unlock(&symbolizer->lock);
	return has;
}

bool ic_symbolizer_symbol_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			     struct ic_symbolizer_symbol *symbol)
{
	const struct ic_symbol *found =
		addr < UINT64_MAX && read_symbols(symbolizer)
			? ic_index_symbol_of(&symbolizer->index,
					     (struct ic_range){ addr, addr + 1 }, NULL)
			: NULL;

	if (found)
		*symbol = (struct ic_symbolizer_symbol){ found->name, found->start, found->end };
	return found != NULL;
}

bool ic_symbolizer_symbol_find(struct ic_symbolizer *symbolizer, const char *name, uint32_t number,
			       struct ic_symbolizer_symbol *symbol)
{
	struct ic_symbol_files files;
	struct ic_elf_symbol found;
	struct ic_error err;

	// It is what says that the descriptors were loaded.
	if (!read_symbols(symbolizer))
		return false;
	pthread_mutex_lock(&symbolizer->lock);
	bool ok = ic_image_symbol_files(symbolizer->files.image, &files, &err) ||
		  err.code != IC_ERROR_MEMORY;
	ok = ok && ic_symtab_find(files.file, files.mini, name, number, &found);
	pthread_mutex_unlock(&symbolizer->lock);
	if (ok)
		*symbol = (struct ic_symbolizer_symbol){ found.name, found.start, found.end };
	return ok;
}

// ---- Look-ups

struct search { // for the unit that answers
	uint64_t addr;
	const struct ic_unit_model *model; // the first that has a row for the address
	bool done;                         // there is one that has an instance, too
};

static void consider(struct search *search, const struct ic_unit_model *model)
{
	if (ic_segments_find(&model->code_map.instances, search->addr) != IC_NONE) {
		search->model = model;
		search->done = true;
	} else if (!search->model && ic_code_map_row(&model->code_map, search->addr)) {
		search->model = model;
	}
}

// False where the units that .debug_aranges lists cannot say.
static bool search_listed(struct ic_symbolizer *symbolizer, struct search *search)
{
	const struct ic_unit_map *map = &symbolizer->listed.map;

	for (uint32_t unit = IC_NONE;
	     (unit = ic_unit_map_find(map, search->addr, unit)) != IC_NONE;) {
		const struct ic_unit_model *model = listed_model(symbolizer, unit);
		if (!model)
			return false;
		consider(search, model);
		if (search->done)
			break;
	}
	return search->model != NULL;
}

static void search_all(struct ic_symbolizer *symbolizer, const struct ic_unit_table *all,
		       struct search *search)
{
	uint32_t unit = IC_NONE;

	while (!search->done && (unit = ic_unit_map_find(&all->map, search->addr, unit)) != IC_NONE)
		consider(search, any_model(symbolizer, all, unit));
}

static size_t frames_of_symbol(struct ic_symbolizer *symbolizer, uint64_t addr,
			       struct ic_frame *frame)
{
	struct ic_symbolizer_symbol symbol;

	if (!ic_symbolizer_symbol_at(symbolizer, addr, &symbol))
		return 0;
	if (frame) {
		frame->function = frame->linkage_name = symbol.name;
		frame->start = symbol.start;
		frame->is_symbol = true;
	}
	return 1;
}

size_t ic_symbolizer_frames_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			       struct ic_frame *frames, size_t capacity)
{
	struct search search = { .addr = addr };
	const struct ic_unit_table *all;

	if (!ic_range_set_find(&symbolizer->index.code, addr))
		return 0;
	all = atomic_load_explicit(&symbolizer->all, memory_order_acquire);
	if (!all && !search_listed(symbolizer, &search)) {
		search = (struct search){ .addr = addr };
		all = ic_symbolizer_all(symbolizer);
	}
	if (all)
		search_all(symbolizer, all, &search);
	if (search.done)
		return ic_frames_at(search.model, addr, frames, capacity);

	struct ic_frame *frame = capacity > 0 ? frames : NULL;
	if (frame)
		*frame = (struct ic_frame){ .start = IC_NO_ADDR };
	if (search.model)
		ic_frames_at(search.model, addr, frames, capacity);
	return frames_of_symbol(symbolizer, addr, frame) > 0 || search.model;
}

// ---- Making

// .debug_aranges speaks of one .debug_info; and what may be in other files is never found by it.
static bool may_be_listed(const struct ic_symbolizer *symbolizer)
{
	return symbolizer->files.main_dwarf && !symbolizer->files.image->supplementary &&
	       !symbolizer->files.image->supplementary_fault;
}

static bool open_symbolizer(struct ic_symbolizer *symbolizer, struct ic_image *image,
			    struct ic_error *err)
{
	struct ic_elf_file *file = ic_image_dwarf_file(image);
	struct ic_bytes aranges = { NULL, 0 };

	symbolizer->problems.arena = &symbolizer->index.arena;
	if (!ic_scan_image_open(&symbolizer->files, &symbolizer->index, image,
				symbolizer->options.jobs, &symbolizer->problems, err))
		return false;
	if (may_be_listed(symbolizer) &&
	    !ic_scan_file_section(&aranges, file, ".debug_aranges", err))
		return false;
	return ic_unit_table_list(&symbolizer->listed, aranges, file->swap, &symbolizer->index.code,
				  &symbolizer->index.arena, &symbolizer->problems) ||
	       ic_fail_memory(err);
}

struct ic_symbolizer *ic_symbolizer_new(struct ic_image *image,
					const struct ic_symbolizer_options *options,
					struct ic_error *err)
{
	struct ic_symbolizer *symbolizer = calloc(1, sizeof(*symbolizer));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!symbolizer || pthread_mutex_init(&symbolizer->lock, NULL) != 0) {
		free(symbolizer);
		ic_fail_memory(err);
		return NULL;
	}
	symbolizer->options.jobs = options ? options->jobs : 0;
	symbolizer->single_options.jobs = 1;
	if (open_symbolizer(symbolizer, image, err))
		return symbolizer;
	ic_symbolizer_free(symbolizer);
	return NULL;
}

void ic_symbolizer_free(struct ic_symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	if (symbolizer->scan.context.index)
		ic_scan_close(&symbolizer->scan);
	ic_scan_image_close(&symbolizer->files);
	IC_ARRAY_FREE(&symbolizer->problems.list);
	ic_arena_free(&symbolizer->index.arena);
	pthread_mutex_destroy(&symbolizer->lock);
	free(symbolizer);
}

// ---- The file

bool ic_symbolizer_problem_get(struct ic_symbolizer *symbolizer, uint64_t number,
			       struct ic_index_problem *problem)
{
	static const struct ic_index_problem no_memory = { .message = "out of memory" };

	pthread_mutex_lock(&symbolizer->lock);
	const struct ic_problems *problems = &symbolizer->problems;
	bool found = number < problems->list.count;
	bool last = number == problems->list.count && problems->out_of_memory;
	if (found) {
		const struct ic_problem *item = &problems->list.items[number];
		*problem = (struct ic_index_problem){ item->file, item->section, item->offset,
						      item->message };
	} else if (last) {
		*problem = no_memory;
	}
	pthread_mutex_unlock(&symbolizer->lock);
	return found || last;
}

bool ic_symbolizer_section_at(const struct ic_symbolizer *symbolizer, uint64_t addr,
			      struct ic_index_section *section)
{
	return ic_index_section_find(&symbolizer->index, addr, section);
}

bool ic_symbolizer_section_find(const struct ic_symbolizer *symbolizer, const char *name,
				uint32_t number, struct ic_symbolizer_section *section)
{
	const struct ic_elf_file *file = ic_image_dwarf_file(symbolizer->files.image);

	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *found = &file->sections[i];
		if (!ic_section_is_loaded(found) || strcmp(found->name, name) != 0 || number-- > 0)
			continue;
		*section = (struct ic_symbolizer_section){ found->addr, found->size };
		return true;
	}
	return false;
}

uint64_t ic_symbolizer_lowest_addr(const struct ic_symbolizer *symbolizer)
{
	return symbolizer->files.image->file.lowest_addr;
}
