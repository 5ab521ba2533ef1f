// More of inlinecall/symbolizer.h: sections, and names similar to those of symbols.
#ifndef INLINECALL_EXTRA_SYMBOLIZER_H
#define INLINECALL_EXTRA_SYMBOLIZER_H

#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Finds the section of executable code that contains an address: only in relocatable files, like
 * ic_index_section_find().
 */
IC_API bool ic_symbolizer_section_at(const struct ic_symbolizer *symbolizer, uint64_t addr,
				     struct ic_index_section *section);

/**
 * Gets section of executable code number `number`, from 0, in layout order: only in relocatable
 * files.
 *
 * @param size  [out] In bytes; 0 if it is empty.
 *
 * @return false if there are fewer.
 */
IC_API bool ic_symbolizer_section_get(const struct ic_symbolizer *symbolizer, size_t number,
				      struct ic_index_section *section, uint64_t *size);

/** The address and size of a section. */
struct ic_symbolizer_section {
	uint64_t start, size;
};

/**
 * Finds a section that is loaded into memory by name; also in linked files.
 *
 * @param name    NULL matches nothing.
 * @param number  If several sections of a relocatable file have the name, which one, from 0.
 *
 * @return false if there are fewer. Time: O(log n + number) for n sections.
 */
IC_API bool ic_symbolizer_section_find(const struct ic_symbolizer *symbolizer, const char *name,
				       uint32_t number, struct ic_symbolizer_section *section);

/**
 * Whether symbols can be looked up by name. If not, ic_symbolizer_symbol_find() finds nothing,
 * although the file may have a symbol of that name.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if an earlier lookup by name failed: the symbols cannot be read, there are too
 *         many (IC_ERROR_UNSUPPORTED), or memory ran out. It is not tried again.
 */
IC_API bool ic_symbolizer_symbols_check(struct ic_symbolizer *symbolizer, struct ic_error *err);

/**
 * Finds the symbols that a source name stands for, if it is not itself the name of a symbol: clones
 * first ("f.isra.0" for "f"), otherwise mangled names. The name may omit outer scopes, template and
 * generic arguments, and parameters, as in ic_sites_find().
 *
 * @param name     NULL matches nothing.
 * @param symbols  [out] Array of `capacity`, of which at most 64 are used. A symbol may occur
 *                 twice.
 *
 * @return How many were found, which may exceed `capacity`; also 0 if memory runs out, which is a
 *         problem (ic_symbolizer_problem_get()). Time: O(log n) for n symbols; the first call
 *         demangles all of them.
 */
IC_API size_t ic_symbolizer_symbols_match(struct ic_symbolizer *symbolizer, const char *name,
					  struct ic_symbolizer_symbol *symbols, size_t capacity);

/**
 * Finds the symbol names, or last components of their demangled names, that are most similar to
 * `name`, nearest first; see ic_index_nearest_names().
 *
 * @param name   Nothing is similar to NULL.
 * @param names  [out] Array of `capacity`. Owned by the symbolizer.
 *
 * @return How many were found. Time: O(n * length of the names).
 */
IC_API size_t ic_symbolizer_nearest_names(struct ic_symbolizer *symbolizer, const char *name,
					  const char **names, size_t capacity);

/**
 * The start of the 4 KiB page with the file's lowest loaded segment, as the file numbers addresses:
 * subtract it from the address where that is mapped to get the load bias. 0 in relocatable files.
 */
IC_API uint64_t ic_symbolizer_lowest_addr(const struct ic_symbolizer *symbolizer);

/**
 * Finds the symbols at many addresses, as ic_symbolizer_symbol_at() does for each. `name` is NULL
 * if there is none.
 *
 * @param symbols  [out] Array of `count`.
 *
 * Time: O(n log n) for n symbols of the file once, unless there are few addresses, and O(log n) per
 *       address.
 */
IC_API void ic_symbolizer_symbols_at(struct ic_symbolizer *symbolizer, const uint64_t *addrs,
				     size_t count, struct ic_symbolizer_symbol *symbols);

#ifdef __cplusplus
}
#endif

#endif
