// Tables of inlined calls from debug information: `.BTF.inline` for tools without DWARF.
//
// An encoding never changes; any number of threads may use it, until one frees it. It borrows its
// inputs, which must outlive it.
#ifndef INLINECALL_EXTRA_BTF_DWARF_H
#define INLINECALL_EXTRA_BTF_DWARF_H

#include <inlinecall/extra/btf_encode.h>
#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What to do about inlined functions that the types lack: BTF encoders leave out those without a
 * symbol.
 */
enum ic_btf_missing {
	IC_BTF_MISSING_SKIP,   // leave out their calls
	IC_BTF_MISSING_ZERO,   // give them the number 0, which is void
	IC_BTF_MISSING_EXTEND, // add them to a copy of the types, with the types of their
			       // parameters
	/** Add them to the table itself, which then refers to types that stay unchanged, such as
	 *  those of a running kernel. Only IC_BTF_INLINE_LOC has room for that. */
	IC_BTF_MISSING_INSIDE,
};

/** Zero-initialised: the RFC's format, without functions that the types lack. */
struct ic_btf_encode_options {
	enum ic_btf_inline_format format;
	enum ic_btf_missing missing;
};

/** Whether an inlined call is in a table, or why it is not. */
enum ic_btf_fate {
	IC_BTF_FATE_WRITTEN,         // it is
	IC_BTF_FATE_NO_CODE,         // no code is left of it, or its entry address is unknown
	IC_BTF_FATE_UNKNOWN,         // it is unknown what was inlined, or into what
	IC_BTF_FATE_NO_CALLEE,       // the types lack the inlined function
	IC_BTF_FATE_OTHER_CALLEE,    // they only have functions of its name with other parameters
	IC_BTF_FATE_SEVERAL_CALLEES, // they have several functions that it could be
	IC_BTF_FATE_UNDESCRIBED_CALLEE, // the debug information does not describe its parameters
	IC_BTF_FATE_UNTYPED_CALLEE,     // it could not be added with its types
	IC_BTF_FATE_NO_CALLER, // up to UNTYPED_CALLER: the same for the function that contains the
			       // code
	IC_BTF_FATE_OTHER_CALLER,
	IC_BTF_FATE_SEVERAL_CALLERS,
	IC_BTF_FATE_UNDESCRIBED_CALLER,
	IC_BTF_FATE_UNTYPED_CALLER,
	IC_BTF_FATE_FAR, // its offset from the start of the caller is unknown before the file is
			 // loaded, or exceeds 32 bits
	IC_BTF_FATE_NO_SYMBOL // the caller has no symbol, or several
};

/** The number of fates; there may be more in future. */
#define IC_BTF_FATE_COUNT_OF 15

/** Describes a fate in a few words: "they have no code left". NULL for other numbers. */
IC_API const char *ic_btf_fate_text(enum ic_btf_fate fate);

/** What happened to the inlined calls. */
struct ic_btf_encode_counts {
	uint64_t calls;                       /**< in the debug information */
	uint64_t fates[IC_BTF_FATE_COUNT_OF]; /**< the number of calls with each fate */
	uint64_t nameless;                    /**< written calls with callee number 0 */
	/** Written calls in a function that has no symbol of its own, or shares its name with
	 *  others, so that a reader cannot identify it. */
	uint64_t ambiguous;
	/** For IC_BTF_MISSING_EXTEND and IC_BTF_MISSING_INSIDE; `types_added` includes the
	 *  functions. */
	uint64_t functions_added, types_added;
	uint64_t parameters;                   /**< of the written calls */
	uint64_t losses[IC_BTF_LOSS_COUNT_OF]; /**< the number of parameters with each loss */
};

/** A table made from debug information. */
struct ic_btf_encoding;

/**
 * Writes a table of all inlined calls, with the locations of their arguments where the copies are
 * entered.
 *
 * @param image    The one that the index was built from. Borrowed.
 * @param index    Of all functions, built with `parameters`. Borrowed.
 * @param types    The C functions. A function matches by its name and the names of its parameters;
 *                 among several, the one with the same types is used. Borrowed.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The encoding, to be freed with ic_btf_encoding_free(); NULL if the types do not have the
 *         byte order of the file, or the format has no room for functions (IC_ERROR_ARGUMENT), the
 *         debug information cannot be decompressed or relocated, the format cannot count so many
 *         (IC_ERROR_LIMIT), or memory runs out.
 */
IC_API struct ic_btf_encoding *ic_btf_encode(struct ic_image *image, const struct ic_index *index,
					     const struct ic_btf *types,
					     const struct ic_btf_encode_options *options,
					     struct ic_error *err);

/**
 * Converts a table to another format. What that cannot express is counted as in ic_btf_encode().
 *
 * @param table   With its types. Not kept.
 * @param image   The file that it describes, for its sections and symbols: the formats identify
 *                calls in different ways. NULL is allowed if the format stays the same. Must
 *                outlive the encoding.
 * @param err     [out] Set on failure; may be NULL.
 *
 * @return The encoding, to be freed with ic_btf_encoding_free(); NULL if the table has no types, or
 *         a required image is missing (IC_ERROR_ARGUMENT), the symbols cannot be read, or memory
 *         runs out.
 */
IC_API struct ic_btf_encoding *ic_btf_convert(const struct ic_btf_inline *table,
					      struct ic_image *image,
					      enum ic_btf_inline_format format,
					      struct ic_error *err);

/** Frees an encoding; NULL is allowed. */
IC_API void ic_btf_encoding_free(struct ic_btf_encoding *encoding);

/** The encoded section. */
IC_API const void *ic_btf_encoding_bytes(const struct ic_btf_encoding *encoding, size_t *size);

/** Counts of the inlined calls by fate. Owned by the encoding. */
IC_API const struct ic_btf_encode_counts *ic_btf_encoding_counts(
	const struct ic_btf_encoding *encoding);

/**
 * The types including those that were added, in `.BTF` format. Existing types keep their numbers.
 * Structures, unions and enumerations are not added with their contents: if the types have exactly
 * one of that name and size it is used, otherwise they are only declared.
 *
 * @return NULL without IC_BTF_MISSING_EXTEND.
 */
IC_API const void *ic_btf_encoding_types(const struct ic_btf_encoding *encoding, size_t *size);

/**
 * Gets problem number `number` with parameters, like ic_parameters_problem_get(); after a
 * conversion, with symbols and sections, like ic_symbolizer_problem_get().
 */
IC_API bool ic_btf_encoding_problem_get(const struct ic_btf_encoding *encoding, size_t number,
					struct ic_index_problem *problem);

/** How a table differs from debug information. */
enum ic_btf_difference {
	IC_BTF_DIFFERENCE_NONE,        // both have the call
	IC_BTF_DIFFERENCE_MISSING,     // the table lacks a call whose functions its types have
	IC_BTF_DIFFERENCE_NO_FUNCTION, // the same, but the types lack a function
	IC_BTF_DIFFERENCE_NO_PLACE,    // the same, but the format cannot express its address
	IC_BTF_DIFFERENCE_EXTRA,       // the debug information lacks a call
	IC_BTF_DIFFERENCE_LOWEST, // a call is at its lowest address instead of its entry address
	IC_BTF_DIFFERENCE_COUNT,  // a call has a different number of parameters
	IC_BTF_DIFFERENCE_SAME,   // both have the same for a parameter: a location, or none
	IC_BTF_DIFFERENCE_OTHER,  // a parameter has a different location
	IC_BTF_DIFFERENCE_UNAVAILABLE,   // the table lacks a location that its format can express
	IC_BTF_DIFFERENCE_INEXPRESSIBLE, // the table lacks a location that its format cannot
					 // express
	IC_BTF_DIFFERENCE_CLAIMED,       // the table has a location although there is none
	IC_BTF_DIFFERENCE_UNCOMPARED, // the table's location and that of the debug information are
				      // of different kinds: they could be the same
	IC_BTF_DIFFERENCE_UNDESCRIBED // a call has parameters that the debug information does not
				      // describe
};

/** The number of differences; there may be more in future. */
#define IC_BTF_DIFFERENCE_COUNT_OF 14

/** Describes a difference in a few words: "calls are missing". NULL for other numbers. */
IC_API const char *ic_btf_difference_text(enum ic_btf_difference difference);

/** Whether the table is wrong, or lacks something that it could have. */
IC_API bool ic_btf_difference_is_fault(enum ic_btf_difference difference);

/**
 * Receives a difference. `addr` is the entry address of the call in the debug information or, for a
 * call that only the table has, the offset of its record.
 */
typedef void ic_btf_difference_taker(void *context, enum ic_btf_difference difference,
				     uint64_t addr);

/**
 * Compares a table with debug information, call by call and parameter by parameter. Calls match if
 * their functions have the same names and their addresses are equal; among several, the one with
 * the same locations matches.
 *
 * @param table    With its types.
 * @param index    Of all functions, built with `parameters`.
 * @param take     Called for each call, and for each parameter of calls that both have.
 * @param context  Passed to `take`.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return false if the table has no types (IC_ERROR_ARGUMENT), the debug information cannot be
 *         decompressed or relocated, or memory runs out.
 */
IC_API bool ic_btf_compare(const struct ic_btf_inline *table, struct ic_image *image,
			   const struct ic_index *index, ic_btf_difference_taker *take,
			   void *context, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
