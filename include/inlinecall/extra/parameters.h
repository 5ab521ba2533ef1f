// More of inlinecall/parameters.h: results, enumerations and more of readers.
#ifndef INLINECALL_EXTRA_PARAMETERS_H
#define INLINECALL_EXTRA_PARAMETERS_H

#include <inlinecall/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a function returns. */
struct ic_result {
	/** Without a name or a location; IC_TYPE_VOID for nothing, IC_TYPE_UNKNOWN if not known. */
	struct ic_parameter type;
	struct ic_enumeration enumeration; /**< without names if the type is none */
	const char *producer; /**< what compiled its code (DW_AT_producer); NULL if not known */
};

/**
 * Finds what the function of a site returns. What was found last stays.
 *
 * @param site    Of the index: inlined or out of line.
 * @param result  [out] Kept as long as the reader.
 * @param err     [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out, or the reader is of frames (IC_ERROR_ARGUMENT). What cannot be
 *         read is a problem of the reader.
 *
 * Time: that of reading the DIEs of the function and its type, which is read once.
 */
IC_API bool ic_parameters_result(struct ic_parameters *parameters, const struct ic_site *site,
				 struct ic_result *result, struct ic_error *err);

/**
 * Finds the named values of the type of a parameter, if that is an enumeration.
 *
 * @param number       Of the parameter, among those that were found last.
 * @param enumeration  [out] Without any if the type is no enumeration, or cannot be read, which is
 *                     a problem of the reader then. Kept as long as the reader.
 * @param err          [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out.
 *
 * Time: that of reading the DIEs of the enumeration, once.
 */
IC_API bool ic_parameters_enumeration(struct ic_parameters *parameters, size_t number,
				      struct ic_enumeration *enumeration, struct ic_error *err);

/** The first requested member that no parameter found so far has, or NULL. */
IC_API const char *ic_parameters_unknown_member(const struct ic_parameters *parameters);

/** Whether lists were asked for. */
IC_API bool ic_parameters_has_lists(const struct ic_parameters *parameters);

/** As ic_index_section_find(), of the index or symbolizer that the reader is of. */
IC_API bool ic_parameters_section_find(const struct ic_parameters *parameters, uint64_t addr,
				       struct ic_index_section *section);

/** The machine, as ic_image_machine() has it: for the names of registers. */
IC_API unsigned ic_parameters_machine(const struct ic_parameters *parameters);

/** Whether the debug information has the instance or frame, but says of no function in the unit of
 *  its function what it takes or returns, as with `gcc -g1` and `clang -gline-tables-only`. */
IC_API bool ic_parameters_is_undescribed(const struct ic_parameters *parameters);

#ifdef __cplusplus
}
#endif

#endif
