// Finds symbols by address and by name. The first few lookups search the unsorted table; then it
// is sorted.
#include "index/build.h"
#include "symbolize/symbolizer.h"
#include "text/clone_name.h"

#include <inlinecall/extra/symbolizer.h>

// Under the lock: opens the symbols on first use. NULL if none are readable.
static struct ic_symbol_source *open_symbols(struct ic_symbolizer *symbolizer)
{
	struct ic_index *index = &symbolizer->index;
	struct ic_error err;

	if (index->symbols || symbolizer->symbols.failed)
		return index->symbols;
	ic_debug_add_fault(symbolizer->image, &symbolizer->problems);
	if (!ic_index_find_symbols(index, symbolizer->image, symbolizer->symbol_rule,
				   symbolizer->want.jobs, &symbolizer->problems, &err)) {
		ic_problems_add(&symbolizer->problems, &err, NULL, 0);
		symbolizer->symbols.failed = true;
	}
	atomic_store_explicit(&symbolizer->symbols.source, index->symbols, memory_order_release);
	return index->symbols;
}

static struct ic_symbol_source *symbols_of(struct ic_symbolizer *symbolizer)
{
	struct ic_symbol_source *symbols =
		atomic_load_explicit(&symbolizer->symbols.source, memory_order_acquire);

	if (symbols)
		return symbols;
	pthread_mutex_lock(&symbolizer->lock);
	symbols = open_symbols(symbolizer);
	pthread_mutex_unlock(&symbolizer->lock);
	return symbols;
}

// Checks all symbols for errors, once: after the first few lookups, or if one of them finds a
// symbol that has lost its name.
static void check_symbols(struct ic_symbolizer *symbolizer, struct ic_symbol_source *symbols,
			  bool is_nameless)
{
	if (atomic_load_explicit(&symbolizer->symbols.asked, memory_order_relaxed) > IC_MOST_ALONE)
		return;
	uint32_t before = atomic_fetch_add_explicit(
		&symbolizer->symbols.asked, is_nameless ? IC_MOST_ALONE : 1, memory_order_relaxed);
	if (before < IC_MOST_ALONE && !is_nameless)
		return;
	pthread_mutex_lock(&symbolizer->lock);
	if (!symbolizer->symbols.is_checked)
		ic_dwarf_file_report_symbols(ic_symbol_finder_file(symbols), &symbolizer->problems);
	symbolizer->symbols.is_checked = true;
	pthread_mutex_unlock(&symbolizer->lock);
}

static struct ic_symbolizer_symbol public_symbol(const struct ic_symbol *symbol)
{
	return (struct ic_symbolizer_symbol){ symbol->name, symbol->start, symbol->end,
					      symbol->source };
}

static bool find_symbol_at(struct ic_symbol_source *symbols, uint64_t addr, struct ic_symbol *found)
{
	return symbols && addr != UINT64_MAX &&
	       symbols->find(symbols, (struct ic_range){ addr, addr + 1 }, NULL, found);
}

bool ic_symbolizer_symbol_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			     struct ic_symbolizer_symbol *symbol)
{
	struct ic_symbol_source *symbols = symbols_of(symbolizer);
	struct ic_symbol found;
	bool is_found = find_symbol_at(symbols, addr, &found);

	if (symbols)
		check_symbols(symbolizer, symbols, is_found && !found.name[0]);
	if (is_found)
		*symbol = public_symbol(&found);
	return is_found;
}

uint64_t ic_symbolizer_symbol_run(struct ic_symbolizer *symbolizer, uint64_t addr, uint64_t *end)
{
	struct ic_symbol_source *symbols = symbols_of(symbolizer);
	struct ic_symbol found;

	*end = symbols ? symbols->next_start(symbols, addr) : UINT64_MAX;
	if (!find_symbol_at(symbols, addr, &found))
		return IC_NO_ADDR;
	if (found.reach < *end)
		*end = found.reach;
	return found.start;
}

void ic_symbolizer_symbols_at(struct ic_symbolizer *symbolizer, const uint64_t *addrs, size_t count,
			      struct ic_symbolizer_symbol *symbols)
{
	struct ic_symbol_source *source = count > 0 ? symbols_of(symbolizer) : NULL;

	if (source)
		source->expect(source, count);
	for (size_t i = 0; i < count; i++)
		if (!ic_symbolizer_symbol_at(symbolizer, addrs[i], &symbols[i]))
			symbols[i] = (struct ic_symbolizer_symbol){ .name = NULL };
}

// Under the lock: no names can be looked up.
static void fail_names(struct ic_symbolizer *symbolizer, const struct ic_error *err)
{
	ic_problems_add(&symbolizer->problems, err, NULL, 0);
	symbolizer->symbols.names_error = *err;
	symbolizer->symbols.names_failed = true;
}

// Under the lock: the files in which to look up names; `file` is NULL after a problem.
static struct ic_symbol_files find_named_files(struct ic_symbolizer *symbolizer)
{
	struct ic_image *image = symbolizer->image;
	struct ic_symbol_files files = { NULL, NULL };
	struct ic_error err;

	ic_debug_add_fault(image, &symbolizer->problems); // names in it will not be found
	if (ic_image_load_descriptors(image, symbolizer->want.jobs, &err) &&
	    ic_image_symbol_files(image, false, &files, &err))
		return files;
	if (files.file && err.code != IC_ERROR_MEMORY) {
		(void)open_symbols(symbolizer); // some names may be missing, which is reported once
		return files;
	}
	fail_names(symbolizer, &err);
	return (struct ic_symbol_files){ NULL, NULL };
}

// Under the lock: builds the list of all names on first use.
static bool list_names(struct ic_symbolizer *symbolizer)
{
	struct ic_error err;

	if (symbolizer->symbols.has_names || symbolizer->symbols.names_failed)
		return symbolizer->symbols.has_names;
	struct ic_symbol_files files = find_named_files(symbolizer);
	if (!files.file)
		return false;
	ic_dwarf_file_report_symbols(files.file, &symbolizer->problems); // a symbol may be damaged
	symbolizer->symbols.has_names =
		ic_symtab_names_build(&symbolizer->symbols.names, files.file, files.mini, &err);
	if (!symbolizer->symbols.has_names)
		fail_names(symbolizer, &err);
	return symbolizer->symbols.has_names;
}

// Under the lock: opens Go's table of functions. Returns false if there is none, or it is
// unreadable.
static bool open_go(struct ic_symbolizer *symbolizer, struct ic_error *err)
{
	struct ic_symbolizer_names *symbols = &symbolizer->symbols;
	bool is_there = false;

	if (symbols->go)
		return true;
	*err = (struct ic_error){ .code = IC_ERROR_NONE };
	// Names that no table has are looked up in every file: avoid reading debug information for
	// them.
	if (!ic_go_place_is_likely(&symbolizer->image->file) || !ic_symbolizer_load(symbolizer))
		return false;
	if (symbolizer->debug->has_go) {
		symbols->go = &symbolizer->debug->go;
		return true;
	}
	if (!ic_go_table_open(&symbols->own_go, symbolizer->image, &symbolizer->problems, &is_there,
			      err) ||
	    !is_there)
		return false;
	symbols->go = &symbols->own_go;
	return true;
}

// Under the lock: finds a function of Go by name, in a program without symbols.
static bool find_go_function(struct ic_symbolizer *symbolizer, const char *name, uint32_t number,
			     struct ic_symbol *found)
{
	struct ic_symbolizer_names *symbols = &symbolizer->symbols;
	struct ic_error err;

	if (!symbols->has_go_names && !symbols->go_names_failed) {
		symbols->has_go_names = open_go(symbolizer, &err) &&
					ic_go_names_build(&symbols->go_names, symbols->go, &err);
		symbols->go_names_failed = !symbols->has_go_names;
		if (err.code != IC_ERROR_NONE)
			ic_problems_add(&symbolizer->problems, &err, NULL, 0);
	}
	return symbols->has_go_names &&
	       ic_go_names_find(&symbols->go_names, symbols->go, name, number, found);
}

// Under the lock: finds a symbol by name; the first few times by searching the table, which is
// cheaper than sorting it.
static bool find_elf_symbol(struct ic_symbolizer *symbolizer, const char *name, uint32_t number,
			    struct ic_symbol *found)
{
	if (symbolizer->symbols.names_failed)
		return false;
	if (!symbolizer->symbols.has_names && symbolizer->symbols.names_alone++ < IC_MOST_ALONE) {
		struct ic_symbol_files files = find_named_files(symbolizer);
		return files.file &&
		       ic_symtab_find_name(files.file, files.mini, name, number, found);
	}
	return list_names(symbolizer) &&
	       ic_symtab_names_find(&symbolizer->symbols.names, name, number, found);
}

// Under the lock. If any ELF symbol has the name, Go's table is not searched.
static bool find_symbol(struct ic_symbolizer *symbolizer, const char *name, uint32_t number,
			struct ic_symbol *found)
{
	if (find_elf_symbol(symbolizer, name, number, found))
		return true;
	return (number == 0 || !find_elf_symbol(symbolizer, name, 0, found)) &&
	       find_go_function(symbolizer, name, number, found);
}

bool ic_symbolizer_symbol_find(struct ic_symbolizer *symbolizer, const char *name, uint32_t number,
			       struct ic_symbolizer_symbol *symbol)
{
	struct ic_symbol found;

	if (!name)
		return false;
	pthread_mutex_lock(&symbolizer->lock);
	bool ok = find_symbol(symbolizer, name, number, &found);
	pthread_mutex_unlock(&symbolizer->lock);
	if (ok)
		*symbol = public_symbol(&found);
	return ok;
}

bool ic_symbolizer_symbols_check(struct ic_symbolizer *symbolizer, struct ic_error *err)
{
	pthread_mutex_lock(&symbolizer->lock);
	bool ok = !symbolizer->symbols.names_failed;
	if (!ok && err)
		*err = symbolizer->symbols.names_error;
	pthread_mutex_unlock(&symbolizer->lock);
	return ok;
}

// Under the lock: lists the symbols' names in the source on first use.
static bool list_source_names(struct ic_symbolizer *symbolizer)
{
	struct ic_error err;

	if (symbolizer->symbols.has_source_names || symbolizer->symbols.source_names_failed)
		return symbolizer->symbols.has_source_names;
	symbolizer->symbols.has_source_names =
		list_names(symbolizer) && ic_source_names_build(&symbolizer->symbols.source_names,
								&symbolizer->symbols.names);
	symbolizer->symbols.source_names_failed = !symbolizer->symbols.has_source_names;
	if (symbolizer->symbols.source_names_failed && symbolizer->symbols.has_names) {
		ic_fail_memory(&err);
		ic_problems_add(&symbolizer->problems, &err, NULL, 0);
	}
	return symbolizer->symbols.has_source_names;
}

// Drops parts of functions, which have no names in the source, unless nothing else is left.
static uint32_t drop_parts(struct ic_symbol *found, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++)
		if (!ic_clone_is_part(found[i].name))
			found[kept++] = found[i];
	return kept > 0 ? kept : count;
}

size_t ic_symbolizer_symbols_match(struct ic_symbolizer *symbolizer, const char *name,
				   struct ic_symbolizer_symbol *symbols, size_t capacity)
{
	enum { MOST = 64 };
	struct ic_symbol found[MOST];
	uint32_t count = 0;

	if (!name)
		return 0;
	if (capacity > MOST)
		capacity = MOST;
	pthread_mutex_lock(&symbolizer->lock);
	while (list_names(symbolizer) && count < MOST &&
	       ic_symtab_names_find_clone(&symbolizer->symbols.names, name, count, &found[count]))
		count++;
	if (count == 0 && list_source_names(symbolizer))
		count = ic_source_names_find(&symbolizer->symbols.source_names,
					     &symbolizer->symbols.names, name, found, MOST);
	pthread_mutex_unlock(&symbolizer->lock);
	if (count == IC_NONE)
		count = 0;
	if (count <= MOST)
		count = drop_parts(found, count);
	for (uint32_t i = 0; i < count && i < capacity; i++)
		symbols[i] = public_symbol(&found[i]);
	return count;
}

size_t ic_symbolizer_nearest_names(struct ic_symbolizer *symbolizer, const char *name,
				   const char **names, size_t capacity)
{
	struct ic_nearest nearest;
	struct ic_symbol symbol;

	if (!name)
		return 0;
	ic_nearest_init(&nearest, name, NULL, 0, capacity);
	pthread_mutex_lock(&symbolizer->lock);
	for (uint32_t i = 0; list_names(symbolizer) && i < symbolizer->symbols.names.count; i++) {
		ic_symtab_names_get(&symbolizer->symbols.names, i, &symbol);
		ic_nearest_consider(&nearest, symbol.name);
	}
	if (list_source_names(symbolizer))
		ic_source_names_consider(&symbolizer->symbols.source_names, &nearest);
	pthread_mutex_unlock(&symbolizer->lock);
	return ic_nearest_names(&nearest, names);
}
