#include "elf/symbols/finder.h"

#include <pthread.h>
#include <stdlib.h>

#include "elf/symbols/names.h"

// Queries that together cost less than sorting.
enum { MOST_ALONE = 16 };

struct symbol_finder {
	struct ic_symbol_source source; // must be first
	struct ic_symbol_files files;
	enum ic_symtab_rule rule;
	atomic_bool is_sorted; // `sorted` does not change after that
	struct ic_symbols sorted;
	atomic_bool has_names; // the same holds for `names`
	struct ic_symtab_names names;
	pthread_mutex_t lock; // protects the rest, and sorting
	uint32_t alone;       // queries for which the table was searched
	struct ic_arena arena;
};

// Called with the lock. The files were readable when opened, so only memory or the symbol count can
// fail.
static void fail_finder(struct symbol_finder *finder, const struct ic_error *err)
{
	const struct ic_memory *memory = finder->arena.memory;
	bool is_limit = memory && atomic_load_explicit(&memory->is_exceeded, memory_order_relaxed);
	const char *fault = err->code == IC_ERROR_UNSUPPORTED ? "too many symbols"
			    : is_limit                        ? "symbols exceed the memory limit"
							      : "out of memory for symbols";

	atomic_store_explicit(&finder->source.fault, fault, memory_order_release);
}

// Called with the lock. A failed sort is not tried again.
static bool sort_symbols(struct symbol_finder *finder)
{
	struct ic_error err;

	if (atomic_load_explicit(&finder->is_sorted, memory_order_relaxed))
		return true;
	if (atomic_load_explicit(&finder->source.fault, memory_order_relaxed))
		return false;
	bool ok = ic_symtab_read(&finder->sorted, finder->files.file, finder->files.mini,
				 finder->rule, &finder->arena, &err);
	if (ok)
		atomic_store_explicit(&finder->is_sorted, true, memory_order_release);
	else
		fail_finder(finder, &err);
	return ok;
}

// Called with the lock: answers without sorting, if that is cheaper. True if it did.
static bool search_range(struct symbol_finder *finder, struct ic_range range, const char *function,
			 struct ic_symbol *symbol)
{
	struct ic_error err;

	if (finder->alone >= MOST_ALONE ||
	    atomic_load_explicit(&finder->is_sorted, memory_order_relaxed))
		return false;
	finder->alone++;
	const struct ic_symtab_query query = { finder->files.file, finder->files.mini, finder->rule,
					       range, function };
	if (!ic_symtab_find(&query, symbol, &finder->arena, &err))
		fail_finder(finder, &err);
	return true;
}

static bool find_symbol(struct ic_symbol_source *source, struct ic_range range,
			const char *function, struct ic_symbol *symbol)
{
	struct symbol_finder *finder = (struct symbol_finder *)source;
	bool is_sorted = atomic_load_explicit(&finder->is_sorted, memory_order_acquire);

	*symbol = (struct ic_symbol){ .name = NULL };
	if (!is_sorted) {
		pthread_mutex_lock(&finder->lock);
		bool done = search_range(finder, range, function, symbol);
		is_sorted = !done && sort_symbols(finder);
		pthread_mutex_unlock(&finder->lock);
	}
	const struct ic_symbol *found =
		is_sorted ? ic_symbols_find_named(&finder->sorted, range, function) : NULL;
	if (found)
		*symbol = *found;
	return symbol->name != NULL;
}

static uint64_t next_start(struct ic_symbol_source *source, uint64_t addr)
{
	struct symbol_finder *finder = (struct symbol_finder *)source;

	pthread_mutex_lock(&finder->lock);
	bool is_sorted = sort_symbols(finder);
	pthread_mutex_unlock(&finder->lock);
	return is_sorted ? ic_symbols_next_start(&finder->sorted, addr) : UINT64_MAX;
}

static void expect_questions(struct ic_symbol_source *source, uint64_t questions)
{
	struct symbol_finder *finder = (struct symbol_finder *)source;

	if (questions <= MOST_ALONE)
		return;
	pthread_mutex_lock(&finder->lock);
	(void)sort_symbols(finder);
	pthread_mutex_unlock(&finder->lock);
}

// A table of names that could not be built is not tried again.
static bool build_names(struct symbol_finder *finder)
{
	struct ic_error err;

	if (atomic_load_explicit(&finder->has_names, memory_order_acquire))
		return true;
	pthread_mutex_lock(&finder->lock);
	bool ok = atomic_load_explicit(&finder->has_names, memory_order_relaxed);
	if (!ok && !atomic_load_explicit(&finder->source.fault, memory_order_relaxed)) {
		ok = ic_symtab_names_build(&finder->names, finder->files.file, finder->files.mini,
					   &err);
		if (ok)
			atomic_store_explicit(&finder->has_names, true, memory_order_release);
		else
			fail_finder(finder, &err);
	}
	pthread_mutex_unlock(&finder->lock);
	return ok;
}

static void each_name(struct ic_symbol_source *source, const char *name, ic_symbol_visit *visit,
		      void *context)
{
	struct symbol_finder *finder = (struct symbol_finder *)source;

	if (build_names(finder))
		ic_symtab_names_each(&finder->names, name, visit, context);
}

static void each_symbol(struct ic_symbol_source *source, ic_symbol_take *take, void *context)
{
	const struct symbol_finder *finder = (struct symbol_finder *)source;

	ic_symtab_take_all(finder->files.file, finder->files.mini, take, context);
}

struct ic_symbol_source *ic_symbol_finder_new(const struct ic_symbol_files *files,
					      enum ic_symtab_rule rule, struct ic_memory *memory)
{
	struct symbol_finder *finder = calloc(1, sizeof(*finder));

	if (!finder || pthread_mutex_init(&finder->lock, NULL) != 0) {
		free(finder);
		return NULL;
	}
	finder->source.find = find_symbol;
	finder->source.next_start = next_start;
	finder->source.expect = expect_questions;
	finder->source.each_name = each_name;
	finder->source.each = each_symbol;
	finder->source.is_stripped = !files->mini && !ic_elf_file_has(files->file, ".symtab");
	finder->files = *files;
	finder->rule = rule;
	finder->arena.memory = memory;
	return &finder->source;
}

const struct ic_elf_file *ic_symbol_finder_file(const struct ic_symbol_source *symbols)
{
	return ((const struct symbol_finder *)symbols)->files.file;
}

void ic_symbol_finder_free(struct ic_symbol_source *symbols)
{
	struct symbol_finder *finder = (struct symbol_finder *)symbols;

	if (!finder)
		return;
	pthread_mutex_destroy(&finder->lock);
	ic_symtab_names_free(&finder->names);
	ic_arena_free(&finder->arena);
	free(finder);
}
