#include "symbolize/symbolizer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "index/build.h"
#include "text/text.h"

#include <inlinecall/extra/symbolizer.h>

// .debug_aranges covers a single .debug_info, and nothing in other files.
static bool may_be_listed(const struct ic_symbolizer *symbolizer)
{
	return symbolizer->debug->main_dwarf && !symbolizer->image->supplementary &&
	       !symbolizer->image->supplementary_fault;
}

// An object built with -ffunction-sections has as many sections as functions, and all are looked
// up.
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

static bool load_symbolizer(struct ic_symbolizer *symbolizer, struct ic_error *err)
{
	struct ic_image *image = symbolizer->image;

	if (!ic_debug_load(symbolizer->debug, symbolizer->want.jobs, &symbolizer->problems, err))
		return false;
	symbolizer->units.is_listed = may_be_listed(symbolizer);
	return !symbolizer->units.is_listed ||
	       ic_dwarf_file_section(&symbolizer->units.aranges, ic_image_dwarf_file(image),
				     ".debug_aranges", err);
}

bool ic_symbolizer_load(struct ic_symbolizer *symbolizer)
{
	const struct ic_elf_file *file = ic_image_dwarf_file(symbolizer->image);
	struct ic_error err, own;

	if (symbolizer->is_loaded || symbolizer->load_error != IC_ERROR_NONE)
		return symbolizer->is_loaded;
	symbolizer->is_loaded = load_symbolizer(symbolizer, &err);
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
	       ic_index_begin(&symbolizer->index, image, &symbolizer->problems, err) &&
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

static bool init_locks(struct ic_symbolizer *symbolizer)
{
	return pthread_mutex_init(&symbolizer->lock, NULL) == 0 &&
	       pthread_mutex_init(&symbolizer->units.cell_lock, NULL) == 0 &&
	       pthread_cond_init(&symbolizer->units.cell_released, NULL) == 0 &&
	       pthread_mutex_init(&symbolizer->units.rest_lock, NULL) == 0;
}

static void destroy_locks(struct ic_symbolizer *symbolizer)
{
	pthread_mutex_destroy(&symbolizer->lock);
	pthread_mutex_destroy(&symbolizer->units.cell_lock);
	pthread_cond_destroy(&symbolizer->units.cell_released);
	pthread_mutex_destroy(&symbolizer->units.rest_lock);
}

struct ic_symbolizer *ic_symbolizer_new(struct ic_image *image,
					const struct ic_symbolizer_options *options,
					struct ic_error *err)
{
	struct ic_symbolizer *symbolizer = calloc(1, sizeof(*symbolizer));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!symbolizer || !init_locks(symbolizer)) {
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
	ic_decoders_free(symbolizer->units.idle);
	if (symbolizer->units.scan.context.index)
		ic_scan_close(&symbolizer->units.scan);
	ic_line_sources_free(&symbolizer->lines.sources);
	ic_place_rows_free(&symbolizer->lines.places);
	ic_globals_free(&symbolizer->globals.list);
	free(symbolizer->lines.file);
	ic_source_names_free(&symbolizer->symbols.source_names);
	ic_symtab_names_free(&symbolizer->symbols.names);
	ic_go_names_free(&symbolizer->symbols.go_names);
	ic_go_table_close(&symbolizer->symbols.own_go);
	ic_binding_free(&symbolizer->symbols.binding);
	ic_names_free(&symbolizer->display.names);
	ic_function_scopes_free(&symbolizer->display.scopes);
	ic_debug_release(symbolizer->debug);
	IC_ARRAY_FREE(&symbolizer->problems.list);
	free(symbolizer->units.cells);
	free(symbolizer->loaded_names);
	ic_arena_free(&symbolizer->index.arena);
	destroy_locks(symbolizer);
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

bool ic_symbolizer_problem_get(struct ic_symbolizer *symbolizer, size_t number,
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
	return symbolizer->image->file.layout.lowest_addr;
}
