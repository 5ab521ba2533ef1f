// What a library has whose structs have grown (grow.py): its functions under their new names, and
// under the old ones thin functions for the programs that were compiled before. The rest is the
// real library, in which the same functions are called core_*.
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include <inlinecall/inlinecall.h>

enum { MOST = 64 }; // symbols, of which ic_symbolizer_symbols_match() uses no more

struct symbol_0_1 {
	const char *name;
	uint64_t start, end;
	const char *source;
};
static_assert(offsetof(struct ic_symbolizer_symbol, size) == sizeof(struct symbol_0_1),
	      "what is new comes last");

struct ic_index *core_index_build(struct ic_image *image, const struct ic_index_options *options,
				  struct ic_error *err);
bool core_symbol_at(struct ic_symbolizer *symbolizer, uint64_t addr, struct symbol_0_1 *symbol);
void core_symbols_at(struct ic_symbolizer *symbolizer, const uint64_t *addrs, size_t count,
		     struct symbol_0_1 *symbols);
bool core_symbol_find(struct ic_symbolizer *symbolizer, const char *name, uint32_t number,
		      struct symbol_0_1 *symbol);
size_t core_symbols_match(struct ic_symbolizer *symbolizer, const char *name,
			  struct symbol_0_1 *symbols, size_t capacity);

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

// The functions as they are now.

static struct ic_symbolizer_symbol grown_symbol(const struct symbol_0_1 *symbol)
{
	return (struct ic_symbolizer_symbol){ symbol->name, symbol->start, symbol->end,
					      symbol->source, symbol->end - symbol->start };
}

struct ic_index *ic_index_build(struct ic_image *image, const struct ic_index_options *options,
				struct ic_error *err)
{
	struct ic_index *index = core_index_build(image, options, err);

	if (!index || !options || ic_index_count(index).functions >= options->least_functions)
		return index;
	ic_index_free(index);
	if (err)
		*err = (struct ic_error){ .code = IC_ERROR_NO_DEBUG,
					  .message = "too few functions" };
	return NULL;
}

bool ic_symbolizer_symbol_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			     struct ic_symbolizer_symbol *symbol)
{
	struct symbol_0_1 found;
	bool is_found = core_symbol_at(symbolizer, addr, &found);

	if (is_found)
		*symbol = grown_symbol(&found);
	return is_found;
}

void ic_symbolizer_symbols_at(struct ic_symbolizer *symbolizer, const uint64_t *addrs, size_t count,
			      struct ic_symbolizer_symbol *symbols)
{
	struct symbol_0_1 found[MOST];

	for (size_t begin = 0; begin < count; begin += MOST) {
		size_t some = least(count - begin, MOST);
		core_symbols_at(symbolizer, addrs + begin, some, found);
		for (size_t i = 0; i < some; i++)
			symbols[begin + i] = grown_symbol(&found[i]);
	}
}

bool ic_symbolizer_symbol_find(struct ic_symbolizer *symbolizer, const char *name, uint32_t number,
			       struct ic_symbolizer_symbol *symbol)
{
	struct symbol_0_1 found;
	bool is_found = core_symbol_find(symbolizer, name, number, &found);

	if (is_found)
		*symbol = grown_symbol(&found);
	return is_found;
}

size_t ic_symbolizer_symbols_match(struct ic_symbolizer *symbolizer, const char *name,
				   struct ic_symbolizer_symbol *symbols, size_t capacity)
{
	struct symbol_0_1 found[MOST];
	size_t count = core_symbols_match(symbolizer, name, found, least(capacity, MOST));

	for (size_t i = 0; i < least(count, least(capacity, MOST)); i++)
		symbols[i] = grown_symbol(&found[i]);
	return count;
}

// The same for programs that were compiled with the headers of 0.1.

#undef ic_index_build
#undef ic_symbolizer_symbol_at
#undef ic_symbolizer_symbols_at
#undef ic_symbolizer_symbol_find
#undef ic_symbolizer_symbols_match

IC_API struct ic_index *ic_index_build(struct ic_image *image, const void *options,
				       struct ic_error *err);
IC_API bool ic_symbolizer_symbol_at(struct ic_symbolizer *symbolizer, uint64_t addr,
				    struct symbol_0_1 *symbol);
IC_API void ic_symbolizer_symbols_at(struct ic_symbolizer *symbolizer, const uint64_t *addrs,
				     size_t count, struct symbol_0_1 *symbols);
IC_API bool ic_symbolizer_symbol_find(struct ic_symbolizer *symbolizer, const char *name,
				      uint32_t number, struct symbol_0_1 *symbol);
IC_API size_t ic_symbolizer_symbols_match(struct ic_symbolizer *symbolizer, const char *name,
					  struct symbol_0_1 *symbols, size_t capacity);

static void copy_symbol(struct symbol_0_1 *to, const struct ic_symbolizer_symbol *from)
{
	memcpy(to, from, sizeof(*to));
}

struct ic_index *ic_index_build(struct ic_image *image, const void *options, struct ic_error *err)
{
	struct ic_index_options now = { .jobs = 0 };

	if (options)
		memcpy(&now, options, offsetof(struct ic_index_options, least_functions));
	return ic_index_build_99_0(image, &now, err);
}

bool ic_symbolizer_symbol_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			     struct symbol_0_1 *symbol)
{
	struct ic_symbolizer_symbol now;
	bool is_found = ic_symbolizer_symbol_at_99_0(symbolizer, addr, &now);

	if (is_found)
		copy_symbol(symbol, &now);
	return is_found;
}

void ic_symbolizer_symbols_at(struct ic_symbolizer *symbolizer, const uint64_t *addrs, size_t count,
			      struct symbol_0_1 *symbols)
{
	struct ic_symbolizer_symbol now[MOST];

	for (size_t begin = 0; begin < count; begin += MOST) {
		size_t some = least(count - begin, MOST);
		ic_symbolizer_symbols_at_99_0(symbolizer, addrs + begin, some, now);
		for (size_t i = 0; i < some; i++)
			copy_symbol(&symbols[begin + i], &now[i]);
	}
}

bool ic_symbolizer_symbol_find(struct ic_symbolizer *symbolizer, const char *name, uint32_t number,
			       struct symbol_0_1 *symbol)
{
	struct ic_symbolizer_symbol now;
	bool is_found = ic_symbolizer_symbol_find_99_0(symbolizer, name, number, &now);

	if (is_found)
		copy_symbol(symbol, &now);
	return is_found;
}

size_t ic_symbolizer_symbols_match(struct ic_symbolizer *symbolizer, const char *name,
				   struct symbol_0_1 *symbols, size_t capacity)
{
	struct ic_symbolizer_symbol now[MOST];
	size_t some = least(capacity, MOST);
	size_t count = ic_symbolizer_symbols_match_99_0(symbolizer, name, now, some);

	for (size_t i = 0; i < least(count, some); i++)
		copy_symbol(&symbols[i], &now[i]);
	return count;
}
