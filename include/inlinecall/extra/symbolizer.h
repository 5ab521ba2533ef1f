// More of inlinecall/symbolizer.h: sections, and names that are nearly those of symbols.
#ifndef INLINECALL_EXTRA_SYMBOLIZER_H
#define INLINECALL_EXTRA_SYMBOLIZER_H

#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The section of executable code that an address is in: only of relocatable files, as
 * ic_index_section_find() has it.
 */
IC_API bool ic_symbolizer_section_at(const struct ic_symbolizer *symbolizer, uint64_t addr,
				     struct ic_index_section *section);

/**
 * Section of executable code number `number`, from 0, by where they are laid out: only of
 * relocatable files.
 *
 * @param size  [out] In bytes; 0 if it is empty.
 *
 * @return false if there are not so many.
 */
IC_API bool ic_symbolizer_section_get(const struct ic_symbolizer *symbolizer, size_t number,
				      struct ic_index_section *section, uint64_t *size);

/** A section by its name: where it begins and how large it is. */
struct ic_symbolizer_section {
	uint64_t start, size;
};

/**
 * Finds a section that is loaded into memory by its name; of linked files too.
 *
 * @param name    NULL is the name of none.
 * @param number  Of several of that name in a relocatable file, which one, from 0.
 *
 * @return false if there are not so many. Time: O(log n + number) for n sections.
 */
IC_API bool ic_symbolizer_section_find(const struct ic_symbolizer *symbolizer, const char *name,
				       uint32_t number, struct ic_symbolizer_section *section);

/**
 * Whether names of symbols can be looked up. If not, ic_symbolizer_symbol_find() finds none, though
 * the file may have a symbol of that name.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if names were looked up before and it failed: the symbols cannot be read, there are
 *         too many (IC_ERROR_UNSUPPORTED), or memory runs out. It is not tried again.
 */
IC_API bool ic_symbolizer_symbols_check(struct ic_symbolizer *symbolizer, struct ic_error *err);

/**
 * Finds the symbols that a name of the source means, if it is not the name of a symbol: first
 * clones
 * ("f.isra.0" for "f"), else mangled names. The name may leave out outer scopes, arguments of
 * templates and generics, and parameters, as in ic_sites_find().
 *
 * @param name      NULL means none.
 * @param symbols   [out] Array of `capacity`, of which at most 64 are used. A symbol may be in it
 *                  twice.
 *
 * @return How many were found, which may exceed `capacity`; 0 also if memory runs out, which is a
 *         problem (ic_symbolizer_problem_get()). Time: O(log n) for n symbols; the first call
 *         demangles all of them.
 */
IC_API size_t ic_symbolizer_symbols_match(struct ic_symbolizer *symbolizer, const char *name,
					  struct ic_symbolizer_symbol *symbols, size_t capacity);

/**
 * The names of symbols, or the last parts of what the source calls them, that are most like `name`,
 * the nearest first; see ic_index_nearest_names().
 *
 * @param name   Nothing is like NULL.
 * @param names  [out] Array of `capacity`. The symbolizer's.
 *
 * @return How many were found. Time: O(n * length of the names).
 */
IC_API size_t ic_symbolizer_nearest_names(struct ic_symbolizer *symbolizer, const char *name,
					  const char **names, size_t capacity);

/**
 * The address of the page of 4 KiB in which the file's lowest loaded segment begins, as it numbers
 * addresses: what is subtracted from the address at which that is mapped to get the load bias. 0 in
 * relocatable files.
 */
IC_API uint64_t ic_symbolizer_lowest_addr(const struct ic_symbolizer *symbolizer);

/**
 * Finds the symbols at many addresses: as ic_symbolizer_symbol_at() does at each. The `name` is
 * NULL if there is none.
 *
 * @param symbols  [out] Array of `count`.
 *
 * Time: O(n log n) for n symbols of the file once, unless there are few addresses, and O(log n) for
 *       an address.
 */
IC_API void ic_symbolizer_symbols_at(struct ic_symbolizer *symbolizer, const uint64_t *addrs,
				     size_t count, struct ic_symbolizer_symbol *symbols);

#ifdef __cplusplus
}
#endif

#endif
