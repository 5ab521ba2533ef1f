#include "symbolize/symbolizer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"
#include "model/code_map.h"
#include "query/frames.h"
#include "scan/scan_image.h"

// ---- Look-ups

struct search { // of the unit that answers
	uint64_t addr;
	const struct ic_unit_model *model; // the first that covers the address
	uint32_t unit;                     // its number, IC_NONE if it was read alone
	uint32_t instance;                 // in it, IC_NONE if there is none at the address
	const struct ic_code_row *row;
	bool is_unreadable; // a unit that was looked in has an error
	bool wants_end;
	uint64_t end;   // if wanted: up to here the same unit and instance answer
	uint64_t steps; // claims that were looked at
};

static void end_at(struct search *search, uint64_t end)
{
	if (end < search->end)
		search->end = end;
}

static void consider(struct search *search, const struct ic_unit_model *model, uint32_t unit)
{
	uint32_t instance = ic_segments_find(&model->code_map.instances, search->addr);
	const struct ic_code_row *row = ic_code_map_row(&model->code_map, search->addr);

	// If memory is out there is not even a table of problems.
	search->is_unreadable |= model->problem_count > 0 || !model->problems;
	if (search->wants_end) { // whether there is a row counts too
		end_at(search, ic_segments_end(&model->code_map.instances, search->addr));
		end_at(search, ic_segments_end(&model->code_map.lines, search->addr));
	}
	if (instance != IC_NONE || (row && !search->model)) {
		search->model = model;
		search->unit = unit;
		search->instance = instance;
		search->row = row;
	}
}

// .debug_aranges may name a unit any number of times, and nothing is cached here.
enum { MOST_CANDIDATES = 4 };

// Reads each unit that .debug_aranges gives the address by itself, and writes its frames. False if
// they cannot answer.
static bool search_alone(struct ic_symbolizer *symbolizer, struct search *search,
			 struct ic_unit_model *model)
{
	struct ic_aranges aranges;
	struct ic_unit_model read;
	uint64_t off;
	bool ok = ic_symbolizer_load(symbolizer) && symbolizer->units.is_listed &&
		  symbolizer->units.alone < IC_MOST_ALONE;

	if (!ok)
		return false;
	symbolizer->units.alone++;
	ic_aranges_open(&aranges, symbolizer->units.aranges, symbolizer->debug->main_dwarf->swap);
	for (uint32_t units = 0;
	     search->instance == IC_NONE && ic_aranges_find(&aranges, search->addr, &off);
	     units++) {
		ok = units < MOST_CANDIDATES &&
		     ic_symbolizer_read_alone(symbolizer, off, search->addr, &read);
		if (!ok)
			break;
		const struct ic_unit_model *before = search->model;
		consider(search, &read, IC_NONE);
		if (search->model != before) {
			*model = read;
			search->model = model;
		}
	}
	return ok && search->model;
}

// Looks in the units that claim the address, in turn. Units that .debug_aranges does not list are
// skipped if a listed one has even a row there: without them, that would have been the answer.
static void search_all(struct ic_symbolizer *symbolizer, const struct ic_unit_table *all,
		       const struct ic_partial_models *partial, struct search *search)
{
	uint32_t claim = ic_unit_map_find(&all->map, search->addr, IC_NONE), last = IC_NONE;
	bool listed_knows = false;

	if (search->wants_end)
		end_at(search, ic_segments_end(&all->map.segments, search->addr));
	while (claim != IC_NONE) {
		const struct ic_layer *claimed = &all->map.claims[claim];
		bool is_listed = claimed->rank < all->listed_count;
		// The first unit was read for this address; the others for other addresses.
		bool is_partial = partial && last == IC_NONE &&
				  partial->number_of[claimed->owner] != IC_NONE;

		if (listed_knows && !is_listed)
			return;
		if (is_partial)
			consider(search, &partial->models[partial->number_of[claimed->owner]],
				 claimed->owner);
		else if (claimed->owner != last)
			consider(search, ic_symbolizer_model(symbolizer, all, claimed->owner),
				 claimed->owner);
		if (search->instance != IC_NONE)
			return;
		if (search->wants_end && last == IC_NONE) {
			end_at(search, ic_unit_map_others_end(&all->map, search->addr));
			if (ic_range_set_find(&all->map.shared, search->addr))
				search->steps += all->map.claim_count / 256; // each is cheap
		}
		search->steps++;
		last = claimed->owner;
		listed_knows = is_listed && search->model;
		claim = ic_unit_map_find(&all->map, search->addr, claim);
	}
}

// Looks in all units, and at last in those that do not say where their code is. Returns the table
// that was used last; NULL if memory is out.
static const struct ic_unit_table *search_units(struct ic_symbolizer *symbolizer,
						const struct ic_unit_table *all,
						const struct ic_partial_models *partial,
						struct search *search)
{
	if (all)
		search_all(symbolizer, all, partial, search);
	if (all && !search->model && (all = ic_symbolizer_rest(symbolizer)))
		search_all(symbolizer, all, NULL, search);
	return all;
}

bool ic_symbolizer_instance_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			       struct ic_instance_place *place)
{
	struct search search = { .addr = addr, .instance = IC_NONE };

	if (!ic_range_set_find(&symbolizer->index.code, addr))
		return false;
	search_units(symbolizer, ic_symbolizer_all(symbolizer), NULL, &search);
	*place = (struct ic_instance_place){ search.model, search.unit, search.instance };
	return search.instance != IC_NONE;
}

static bool add_symbol(struct ic_symbolizer *symbolizer, uint64_t addr, struct ic_frame *frame)
{
	struct ic_symbolizer_symbol symbol;

	if (!ic_symbolizer_symbol_at(symbolizer, addr, &symbol))
		return false;
	frame->function = frame->linkage_name = symbol.name;
	frame->start = symbol.start;
	frame->is_symbol = true;
	return true;
}

// The frames of the unit that answers. A host without a name, as from a line table without DIEs,
// gets that of its symbol.
static size_t add_frames(struct ic_symbolizer *symbolizer, const struct search *search,
			 struct ic_frame *frames, size_t capacity)
{
	size_t count = 1;

	if (search->instance == IC_NONE) {
		struct ic_frame frame = ic_frame_of_row(search->model, search->row);
		if (!add_symbol(symbolizer, search->addr, &frame) && !search->model)
			return 0;
		if (capacity > 0)
			frames[0] = frame;
	} else {
		count = ic_frames_of(search->model, search->instance, search->row, frames,
				     capacity);
		if (count > 0 && count <= capacity && !frames[count - 1].function &&
		    !frames[count - 1].inlined)
			add_symbol(symbolizer, search->addr, &frames[count - 1]);
	}
	if (symbolizer->display.is_wanted)
		ic_symbolizer_name_frames(symbolizer, search->model, search->instance, frames,
					  count < capacity ? count : capacity);
	return count;
}

// Code may be there though no section covers it: "nothing is known" would be wrong.
static IC_COLD enum ic_lookup_status report_hole(struct ic_symbolizer *symbolizer, uint64_t addr)
{
	struct ic_error err;

	if (!ic_range_set_find(&symbolizer->index.holes, addr))
		return IC_LOOKUP_OUTSIDE;
	pthread_mutex_lock(&symbolizer->lock);
	if (!symbolizer->hole_reported) {
		ic_fail(&err, IC_ERROR_MALFORMED,
			"0x%" PRIx64 " is in an executable segment, but in no section", addr);
		ic_problems_add(&symbolizer->problems, &err, NULL, 0);
		symbolizer->hole_reported = true;
	}
	pthread_mutex_unlock(&symbolizer->lock);
	return IC_LOOKUP_UNREADABLE;
}

// Why no more is known. An address that no unit claims may belong to a unit whose claims cannot be
// read.
static enum ic_lookup_status status_of(const struct search *search, const struct ic_unit_table *all)
{
	if (search->model)
		return IC_LOOKUP_FOUND;
	return !all || all->is_incomplete || search->is_unreadable ? IC_LOOKUP_UNREADABLE
								   : IC_LOOKUP_NO_DEBUG;
}

// Whether a function there may have a longer name, for which other units must be known.
static bool may_be_in_scopes(const struct search *search)
{
	const struct ic_unit_model *model = search->model;

	for (uint32_t i = search->instance; !model->is_flat && i != IC_NONE;
	     i = model->instances[i].parent) {
		uint32_t function = model->instances[i].function;
		if (function != IC_NONE && !model->functions[function].linkage_name)
			return true;
	}
	return false;
}

size_t ic_symbolizer_find(struct ic_symbolizer *symbolizer, const struct ic_partial_models *partial,
			  uint64_t addr, struct ic_frame *frames, size_t capacity,
			  enum ic_lookup_status *status)
{
	struct search search = { .addr = addr, .instance = IC_NONE };
	struct ic_unit_model alone;

	if (!ic_range_set_find(&symbolizer->index.code, addr)) {
		*status = report_hole(symbolizer, addr);
		return 0;
	}
	const struct ic_unit_table *all =
		atomic_load_explicit(&symbolizer->units.all, memory_order_acquire);
	if (!all) {
		pthread_mutex_lock(&symbolizer->lock);
		bool known = search_alone(symbolizer, &search, &alone) &&
			     !(symbolizer->display.is_wanted && may_be_in_scopes(&search));
		pthread_mutex_unlock(&symbolizer->lock);
		if (!known) {
			search = (struct search){ .addr = addr, .instance = IC_NONE };
			all = ic_symbolizer_all(symbolizer);
		}
	}
	all = search_units(symbolizer, all, partial, &search);
	*status = status_of(&search, all);
	return add_frames(symbolizer, &search, frames, capacity);
}

// Whether debug information names the outermost function of an instance.
static bool is_named(const struct ic_unit_model *model, uint32_t instance)
{
	const struct ic_instance *at = NULL;

	for (; instance != IC_NONE; instance = at->parent)
		at = &model->instances[instance];
	return at && (at->kind == IC_INSTANCE_INLINED ||
		      (at->function != IC_NONE && (model->functions[at->function].name ||
						   model->functions[at->function].linkage_name)));
}

void ic_symbolizer_run_at(struct ic_symbolizer *symbolizer, uint64_t addr, struct ic_code_run *run)
{
	const struct ic_range_set *code = &symbolizer->index.code;
	uint32_t next = ic_search_up_to(code->ranges, sizeof(*code->ranges), code->count, addr);
	struct search search = {
		.addr = addr, .instance = IC_NONE, .wants_end = true, .end = UINT64_MAX
	};
	bool is_code = next > 0 && addr < code->ranges[next - 1].end;
	uint64_t symbol_start = IC_NO_ADDR, symbol_end = UINT64_MAX;

	if (is_code) {
		end_at(&search, code->ranges[next - 1].end);
		search_units(symbolizer, ic_symbolizer_all(symbolizer), NULL, &search);
	} else {
		(void)report_hole(symbolizer, addr);
		if (next < code->count)
			end_at(&search, code->ranges[next].start);
	}
	if (is_code && !is_named(search.model, search.instance))
		symbol_start = ic_symbolizer_symbol_run(symbolizer, addr, &symbol_end);
	end_at(&search, symbol_end);
	*run = (struct ic_code_run){ search.model, search.instance, symbol_start, search.end,
				     search.steps };
}

size_t ic_symbolizer_run_frames(struct ic_symbolizer *symbolizer, const struct ic_code_run *run,
				uint64_t addr, struct ic_frame *frames, size_t capacity)
{
	const struct search search = {
		.addr = addr,
		.model = run->model,
		.instance = run->instance,
		.row = run->model ? ic_code_map_row(&run->model->code_map, addr) : NULL,
	};

	return ic_range_set_find(&symbolizer->index.code, addr)
		       ? add_frames(symbolizer, &search, frames, capacity)
		       : 0;
}

size_t ic_symbolizer_lookup_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			       struct ic_frame *frames, size_t capacity,
			       enum ic_lookup_status *status)
{
	enum ic_lookup_status unwanted;

	return ic_symbolizer_find(symbolizer, NULL, addr, frames, capacity,
				  status ? status : &unwanted);
}

size_t ic_symbolizer_frames_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			       struct ic_frame *frames, size_t capacity)
{
	return ic_symbolizer_lookup_at(symbolizer, addr, frames, capacity, NULL);
}

// ---- Making

// .debug_aranges covers a single .debug_info, and nothing that may be in other files.
static bool may_be_listed(const struct ic_symbolizer *symbolizer)
{
	return symbolizer->debug->main_dwarf && !symbolizer->image->supplementary &&
	       !symbolizer->image->supplementary_fault;
}

// An object of -ffunction-sections has as many sections as functions, and all are looked up.
static bool list_sections(struct ic_symbolizer *symbolizer, const struct ic_elf_file *file)
{
	struct ic_keyed *names = ic_items_alloc(file->section_count + 1ull, sizeof(*names));
	uint32_t count = 0;

	for (uint32_t i = 0; names && i < file->section_count; i++)
		if (ic_section_is_loaded(&file->sections[i]))
			names[count++] =
				(struct ic_keyed){ ic_text_hash(file->sections[i].name), i };
	symbolizer->loaded_names = names;
	symbolizer->loaded_count = count;
	return names && ic_keyed_sort(names, count);
}

static bool load(struct ic_symbolizer *symbolizer, struct ic_error *err)
{
	struct ic_image *image = symbolizer->image;

	if (!ic_debug_load(symbolizer->debug, symbolizer->want.jobs, &symbolizer->problems, err))
		return false;
	symbolizer->units.is_listed = may_be_listed(symbolizer);
	return !symbolizer->units.is_listed ||
	       ic_scan_file_section(&symbolizer->units.aranges, ic_image_dwarf_file(image),
				    ".debug_aranges", err);
}

bool ic_symbolizer_load(struct ic_symbolizer *symbolizer)
{
	const struct ic_elf_file *file = ic_image_dwarf_file(symbolizer->image);
	struct ic_error err, own;

	if (symbolizer->is_loaded || symbolizer->load_error != IC_ERROR_NONE)
		return symbolizer->is_loaded;
	symbolizer->is_loaded = load(symbolizer, &err);
	if (symbolizer->is_loaded)
		return true;
	symbolizer->load_error = err.code;
	ic_fail(&own, err.code, "%s", ic_elf_file_own_message(file, err.message));
	ic_problems_add(&symbolizer->problems, &own, NULL, 0);
	return false;
}

static bool open_symbolizer(struct ic_symbolizer *symbolizer, struct ic_image *image,
			    const struct ic_btf_inline *table, struct ic_error *err)
{
	symbolizer->image = image;
	symbolizer->index.arena.memory = &image->memory;
	symbolizer->problems.arena = &symbolizer->index.arena;
	symbolizer->index.inline_table = table;
	symbolizer->debug = table ? ic_debug_of_table(image, table, err)
				  : ic_debug_hold(image, err);
	return symbolizer->debug &&
	       ic_scan_image_begin(&symbolizer->index, image, &symbolizer->problems, err) &&
	       (list_sections(symbolizer, ic_image_dwarf_file(image)) || ic_fail_memory(err));
}

static enum ic_symtab_rule rule_of(enum ic_symbolizer_symbols symbols)
{
	switch (symbols) {
	case IC_SYMBOLS_INNERMOST: break;
	case IC_SYMBOLS_LLVM: return SYMTAB_LLVM;
	case IC_SYMBOLS_LLVM_UNTAGGED: return SYMTAB_LLVM_UNTAGGED;
	case IC_SYMBOLS_GNU: return SYMTAB_GNU;
	}
	return SYMTAB_INNERMOST;
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
	symbolizer->want.jobs = options ? options->jobs : 0;
	symbolizer->symbol_rule = rule_of(options ? options->symbols : IC_SYMBOLS_INNERMOST);
	symbolizer->want.code_map = true;
	symbolizer->want.skip_line_zero = options && options->skip_line_zero;
	symbolizer->want.paths = options ? options->paths : IC_PATHS_JOINED;
	if (options && options->display_names) {
		symbolizer->display.is_wanted = true;
		symbolizer->display.names.style = options->display_style;
		symbolizer->display.names.arena.memory = &image->memory;
	}
	symbolizer->many.progress = options ? options->progress : NULL;
	symbolizer->many.progress_context = options ? options->progress_context : NULL;
	if (open_symbolizer(symbolizer, image, options ? options->inline_table : NULL, err))
		return symbolizer;
	if (err->code == IC_ERROR_MEMORY)
		(void)ic_image_fail_memory(image, err);
	ic_symbolizer_free(symbolizer);
	return NULL;
}

void ic_symbolizer_free(struct ic_symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	if (symbolizer->units.scan.context.index)
		ic_scan_close(&symbolizer->units.scan);
	ic_scan_sources_free(&symbolizer->lines.sources);
	ic_scan_places_free(&symbolizer->lines.places);
	ic_scan_globals_free(&symbolizer->globals.list);
	free(symbolizer->lines.file);
	ic_source_names_free(&symbolizer->symbols.source_names);
	ic_symtab_names_free(&symbolizer->symbols.names);
	ic_scan_go_names_free(&symbolizer->symbols.go_names);
	ic_scan_go_table_close(&symbolizer->symbols.own_go);
	ic_binding_free(&symbolizer->symbols.binding);
	ic_names_free(&symbolizer->display.names);
	ic_scan_function_scopes_free(&symbolizer->display.scopes);
	ic_debug_release(symbolizer->debug);
	IC_ARRAY_FREE(&symbolizer->problems.list);
	free(symbolizer->units.was_read);
	free(symbolizer->loaded_names);
	ic_arena_free(&symbolizer->index.arena);
	pthread_mutex_destroy(&symbolizer->lock);
	free(symbolizer);
}

// ---- The file

// Under the lock.
static void report_symbols(struct ic_symbolizer *symbolizer)
{
	struct ic_symbol_source *symbols = symbolizer->index.symbols;
	const char *fault = symbols ? atomic_load(&symbols->fault) : NULL;
	struct ic_error err;

	if (!fault || symbolizer->symbols.failed)
		return;
	symbolizer->symbols.failed = true;
	ic_fail(&err, IC_ERROR_NO_DEBUG, "%s", fault);
	ic_problems_add(&symbolizer->problems, &err, NULL, 0);
}

bool ic_symbolizer_problem_get(struct ic_symbolizer *symbolizer, uint64_t number,
			       struct ic_index_problem *problem)
{
	pthread_mutex_lock(&symbolizer->lock);
	struct ic_problems *problems = &symbolizer->problems;
	report_symbols(symbolizer);
	uint64_t count = problems->list.count + (problems->unlisted > 0);
	bool found = ic_problems_get(problems, number, problem);
	bool last = number == count && problems->out_of_memory;
	if (last) {
		(void)ic_image_fail_memory(symbolizer->image, &symbolizer->memory_error);
		*problem = (struct ic_index_problem){ .message = ic_elf_file_own_message(
							      &symbolizer->image->file,
							      symbolizer->memory_error.message) };
	}
	pthread_mutex_unlock(&symbolizer->lock);
	return found || last;
}

bool ic_symbolizer_section_at(const struct ic_symbolizer *symbolizer, uint64_t addr,
			      struct ic_index_section *section)
{
	return ic_index_section_find(&symbolizer->index, addr, section);
}

bool ic_symbolizer_section_get(const struct ic_symbolizer *symbolizer, size_t number,
			       struct ic_index_section *section, uint64_t *size)
{
	if (number >= symbolizer->index.section_count)
		return false;
	const struct ic_code_section *found = &symbolizer->index.sections[number];
	*section = (struct ic_index_section){ found->name, found->start };
	*size = found->end - found->start;
	return true;
}

bool ic_symbolizer_section_find(const struct ic_symbolizer *symbolizer, const char *name,
				uint32_t number, struct ic_symbolizer_section *section)
{
	const struct ic_elf_file *file = ic_image_dwarf_file(symbolizer->image);
	const struct ic_keyed *names = symbolizer->loaded_names;
	uint32_t count = symbolizer->loaded_count;

	if (!name)
		return false;
	uint64_t hash = ic_text_hash(name);

	for (uint32_t i = ic_keyed_find(names, count, hash); i < count && names[i].key == hash;
	     i++) {
		const struct ic_section *found = &file->sections[names[i].number];
		if (strcmp(found->name, name) != 0 || number-- > 0)
			continue;
		*section = (struct ic_symbolizer_section){ found->addr, found->size };
		return true;
	}
	return false;
}

uint64_t ic_symbolizer_lowest_addr(const struct ic_symbolizer *symbolizer)
{
	return symbolizer->image->file.lowest_addr;
}
