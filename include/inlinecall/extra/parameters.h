// More of inlinecall/parameters.h: results, enumerations, and more about readers.
#ifndef INLINECALL_EXTRA_PARAMETERS_H
#define INLINECALL_EXTRA_PARAMETERS_H

#include <inlinecall/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a function. */
struct ic_result {
	/** Without a name or a location; IC_TYPE_VOID for no result, IC_TYPE_UNKNOWN if unknown. */
	struct ic_parameter type;
	struct ic_enumeration enumeration; /**< without names if the type is not an enumeration */
	const char *producer; /**< the compiler of its code (DW_AT_producer); NULL if unknown */
};

/**
 * Finds the result of a site's function. The latest results of ic_parameters_find() are not
 * affected.
 *
 * @param site    From the index: inlined or out of line.
 * @param result  [out] Valid as long as the reader.
 * @param err     [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out, or this is a reader of frames (IC_ERROR_ARGUMENT). Unreadable
 *         data becomes a problem of the reader.
 *
 * Time: reading the DIEs of the function and its type, which is read once.
 */
IC_API bool ic_parameters_result(struct ic_parameters *parameters, const struct ic_site *site,
				 struct ic_result *result, struct ic_error *err);

/**
 * Finds the named values of a parameter's type, if that is an enumeration.
 *
 * @param number       Index of the parameter in the latest results.
 * @param enumeration  [out] Empty if the type is not an enumeration, or cannot be read, which is
 *                     then a problem of the reader. Valid as long as the reader.
 * @param err          [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out.
 *
 * Time: reading the DIEs of the enumeration, once.
 */
IC_API bool ic_parameters_enumeration(struct ic_parameters *parameters, size_t number,
				      struct ic_enumeration *enumeration, struct ic_error *err);

/** The first requested member that no parameter found so far has, or NULL. */
IC_API const char *ic_parameters_unknown_member(const struct ic_parameters *parameters);

/** Whether lists were requested. */
IC_API bool ic_parameters_has_lists(const struct ic_parameters *parameters);

/** Same as ic_index_section_find(), for the reader's index or symbolizer. */
IC_API bool ic_parameters_section_find(const struct ic_parameters *parameters, uint64_t addr,
				       struct ic_index_section *section);

/** The machine, as returned by ic_image_machine(): selects the register names. */
IC_API unsigned ic_parameters_machine(const struct ic_parameters *parameters);

/**
 * Whether the debug information has the instance or frame, but no function in the unit of its
 * function has its parameters or result described, as with `gcc -g1` and `clang
 * -gline-tables-only`.
 */
IC_API bool ic_parameters_is_undescribed(const struct ic_parameters *parameters);

#ifdef __cplusplus
}
#endif

#endif
