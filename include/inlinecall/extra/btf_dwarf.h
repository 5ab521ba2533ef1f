// Tables of inlined calls from debug information: `.BTF.inline` for tools that have no DWARF.
//
// An encoding does not change; any number of threads may use it, until one frees it. What it
// borrows must live as long.
#ifndef INLINECALL_EXTRA_BTF_DWARF_H
#define INLINECALL_EXTRA_BTF_DWARF_H

#include <inlinecall/extra/btf_encode.h>
#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is done about inlined functions that the types do not have: encoders of BTF leave out
 *  those without a symbol. */
enum ic_btf_missing {
	IC_BTF_MISSING_SKIP,   // their calls are left out
	IC_BTF_MISSING_ZERO,   // they have the number 0, which is void
	IC_BTF_MISSING_EXTEND, // they are added to a copy of the types, with those of their
			       // parameters
	/** They are added to the table itself, likewise: it refers to types as they are, as to
	 *  those of a kernel that runs. Only IC_BTF_INLINE_LOC has room for that. */
	IC_BTF_MISSING_INSIDE,
};

/** Zero-initialised: the RFC's form, without functions that the types do not have. */
struct ic_btf_encode_options {
	enum ic_btf_inline_format format; /**< as in struct ic_btf_writer_options */
	enum ic_btf_missing missing;
};

/** Whether an inlined call is in a table, and if not, why not. */
enum ic_btf_fate {
	IC_BTF_FATE_WRITTEN,      // it is
	IC_BTF_FATE_NO_CODE,      // no code is left of it, or it is not known where it is entered
	IC_BTF_FATE_UNKNOWN,      // it is not known what was inlined, or into what
	IC_BTF_FATE_NO_CALLEE,    // the types do not have the function that was inlined
	IC_BTF_FATE_OTHER_CALLEE, // they have others of its name, with other parameters
	IC_BTF_FATE_SEVERAL_CALLEES,    // they have several that it can be
	IC_BTF_FATE_UNDESCRIBED_CALLEE, // the debug information does not say what it takes
	IC_BTF_FATE_UNTYPED_CALLEE,     // it could not be added to them with its types
	IC_BTF_FATE_NO_CALLER,          // likewise for the function that has the code
	IC_BTF_FATE_OTHER_CALLER,
	IC_BTF_FATE_SEVERAL_CALLERS,
	IC_BTF_FATE_UNDESCRIBED_CALLER,
	IC_BTF_FATE_UNTYPED_CALLER,
	IC_BTF_FATE_FAR, // its offset from the start of the caller is not known until the file is
			 // loaded, or has more than 32 bits
	IC_BTF_FATE_NO_SYMBOL // the caller has no symbol, or several
};

/** The number of these; more may come. */
#define IC_BTF_FATE_COUNT_OF 15

/** A fate in a few words: "no code is left of them". NULL for other numbers. */
IC_API const char *ic_btf_fate_text(enum ic_btf_fate fate);

/** What became of the inlined calls. */
struct ic_btf_encode_counts {
	uint64_t calls;                       /**< in the debug information */
	uint64_t fates[IC_BTF_FATE_COUNT_OF]; /**< of these */
	uint64_t nameless;                    /**< written: with a callee of number 0 */
	/** Written: into a function that has no symbol of its own, or whose name several have, so
	 *  that a reader cannot tell which one it is. */
	uint64_t ambiguous;
	/** IC_BTF_MISSING_EXTEND and IC_BTF_MISSING_INSIDE: the functions too. */
	uint64_t functions_added, types_added;
	uint64_t parameters;                   /**< of those that were written */
	uint64_t losses[IC_BTF_LOSS_COUNT_OF]; /**< of these */
};

/** A table made of debug information. */
struct ic_btf_encoding;

/**
 * Writes a table of all inlined calls, with the locations that their arguments have where the
 * copies are entered.
 *
 * @param image    With which the index was built. Borrowed.
 * @param index    Of everything, built with `parameters`. Borrowed.
 * @param types    The functions, of C. A function is the one that has its name and its parameters'
 *                 names; of several, the one with the same types. Borrowed.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return To be freed with ic_btf_encoding_free(); NULL if the types are not in the byte order
 *         of the file, or the form has no room for functions (IC_ERROR_ARGUMENT), the debug
 * information cannot be made readable, the form cannot count so much (IC_ERROR_LIMIT), or memory
 * runs out.
 */
IC_API struct ic_btf_encoding *ic_btf_encode(struct ic_image *image, const struct ic_index *index,
					     const struct ic_btf *types,
					     const struct ic_btf_encode_options *options,
					     struct ic_error *err);

/**
 * Writes a table in another form. What that cannot say is counted as in ic_btf_encode().
 *
 * @param table   With its types. Not kept.
 * @param image   The file that it is about, for its sections and symbols: a form says in another
 *                way where calls are. NULL is allowed if the form stays the same. Must live as long
 *                as the encoding.
 * @param format  IC_BTF_INLINE_RFC or IC_BTF_INLINE_LOC.
 * @param err     [out] Set on failure; may be NULL.
 *
 * @return To be freed with ic_btf_encoding_free(); NULL if the table has no types, or there is no
 *         image (IC_ERROR_ARGUMENT), the form does not say from where addresses count
 *         (IC_ERROR_UNSUPPORTED), the symbols cannot be read, or memory runs out.
 */
IC_API struct ic_btf_encoding *ic_btf_convert(const struct ic_btf_inline *table,
					      struct ic_image *image,
					      enum ic_btf_inline_format format,
					      struct ic_error *err);

/** Frees an encoding; NULL is allowed. */
IC_API void ic_btf_encoding_free(struct ic_btf_encoding *encoding);

/** The section. */
IC_API const void *ic_btf_encoding_bytes(const struct ic_btf_encoding *encoding, size_t *size);

IC_API const struct ic_btf_encode_counts *ic_btf_encoding_counts(
	const struct ic_btf_encoding *encoding);

/**
 * The types with those that were added, in the form of `.BTF`. What was there has its number still.
 * Structures, unions and enumerations are not added with what is in them: the only one of the name
 * and size is taken, or it is only declared.
 *
 * @return NULL without IC_BTF_MISSING_EXTEND.
 */
IC_API const void *ic_btf_encoding_types(const struct ic_btf_encoding *encoding, size_t *size);

/** Problem number `number` with parameters, as ic_parameters_problem_get() has it; of a conversion,
 *  with symbols and sections, as ic_symbolizer_problem_get() has it. */
IC_API bool ic_btf_encoding_problem_get(const struct ic_btf_encoding *encoding, uint64_t number,
					struct ic_index_problem *problem);

/** How a table differs from debug information. */
enum ic_btf_difference {
	IC_BTF_DIFFERENCE_NONE,        // a call that both have
	IC_BTF_DIFFERENCE_MISSING,     // the table lacks a call of functions that its types have
	IC_BTF_DIFFERENCE_NO_FUNCTION, // likewise, but the types lack a function
	IC_BTF_DIFFERENCE_NO_PLACE,    // likewise, but the form cannot say where it is
	IC_BTF_DIFFERENCE_EXTRA,       // the debug information lacks a call
	IC_BTF_DIFFERENCE_LOWEST,      // a call is at its lowest address, not where it is entered
	IC_BTF_DIFFERENCE_COUNT,       // a call has another number of parameters
	IC_BTF_DIFFERENCE_SAME,        // of a parameter both have the same, a location or none
	IC_BTF_DIFFERENCE_OTHER,       // a parameter is elsewhere
	IC_BTF_DIFFERENCE_UNAVAILABLE, // the table lacks a location that its form can say
	IC_BTF_DIFFERENCE_UNSAID,      // the table lacks a location that its form cannot say
	IC_BTF_DIFFERENCE_CLAIMED,     // the table has a location that there is not
	IC_BTF_DIFFERENCE_UNCOMPARED, // the table has a location, and that of the debug information
				      // is of another sort: it could be the same
	IC_BTF_DIFFERENCE_UNDESCRIBED // a call has parameters, and the debug information does not
				      // say which
};

/** The number of these; more may come. */
#define IC_BTF_DIFFERENCE_COUNT_OF 14

/** A difference in a few words: "the table lacks a call". NULL for other numbers. */
IC_API const char *ic_btf_difference_text(enum ic_btf_difference difference);

/** Whether the table is wrong, or poorer than it could be. */
IC_API bool ic_btf_difference_is_fault(enum ic_btf_difference difference);

/** Takes a difference; `addr` is where the debug information has the call entered, or, of a call
 *  that only the table has, the offset of its record. */
typedef void ic_btf_difference_taker(void *context, enum ic_btf_difference difference,
				     uint64_t addr);

/**
 * Compares a table with debug information, call by call and parameter by parameter. Calls are the
 * same if their functions have the same names and they are at the same place; of several, the one
 * with the same locations.
 *
 * @param table    With its types.
 * @param index    Of everything, built with `parameters`.
 * @param take     Called for each call, and for each parameter of those that both have.
 * @param context  Handed to it.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return false if the table has no types (IC_ERROR_ARGUMENT), is of a form that does not say from
 *         where addresses count (IC_ERROR_UNSUPPORTED), the debug information cannot be made
 *         readable, or memory runs out.
 */
IC_API bool ic_btf_compare(const struct ic_btf_inline *table, struct ic_image *image,
			   const struct ic_index *index, ic_btf_difference_taker *take,
			   void *context, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
