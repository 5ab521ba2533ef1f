// Sections that describe where functions were inlined and where their arguments are, for tools that
// have BTF but no DWARF: `.BTF.inline` as proposed in April 2025, and the later BTF kinds
// LOC_PARAM, LOC_PROTO and LOCSEC.
//
// Both types of object borrow the bytes they are made from, and the types those refer to; both must
// outlive them. They never change: any number of threads may use them, until one frees them.
#ifndef INLINECALL_EXTRA_BTF_INLINE_H
#define INLINECALL_EXTRA_BTF_INLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <inlinecall/error.h>
#include <inlinecall/location.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The types of a BTF section. */
struct ic_btf;

/**
 * Parses BTF: the contents of `.BTF`, or of a file such as /sys/kernel/btf/vmlinux.
 *
 * @param bytes  In either byte order, at any alignment. Borrowed.
 * @param base   For split BTF, its base; otherwise NULL. Borrowed.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The types, to be freed with ic_btf_free(); NULL if the bytes violate the format, if there
 *         is a kind of unknown size (IC_ERROR_UNSUPPORTED), or memory runs out.
 *
 * Cost: one pass over the types, and 4 bytes of memory for each.
 */
IC_API struct ic_btf *ic_btf_parse(const void *bytes, size_t size, const struct ic_btf *base,
				   struct ic_error *err);

/**
 * Whether split BTF was parsed without its base, such as a module's without the kernel's: its
 * strings do not start with an empty one. All its numbers and names are wrong then.
 */
IC_API bool ic_btf_lacks_base(const struct ic_btf *btf);

/** Frees the types; NULL is allowed. */
IC_API void ic_btf_free(struct ic_btf *btf);

/** The number of types, including void, which is number 0, and those of the base. */
IC_API uint32_t ic_btf_count(const struct ic_btf *btf);

/**
 * The name of a type. NULL if it has none, if there is no such type, or if the name violates the
 * format: it is outside the strings, or longer than 4095 bytes.
 */
IC_API const char *ic_btf_name(const struct ic_btf *btf, uint32_t id);

/** A function. */
struct ic_btf_function {
	const char *name;         /**< NULL if there is none */
	uint32_t parameter_count; /**< without the "..." of a variadic function */
	bool is_variadic;
};

/**
 * Gets a function.
 *
 * @param id        Of a FUNC.
 * @param function  [out]
 *
 * @return false if the number is not of a FUNC, or its prototype is not a FUNC_PROTO.
 */
IC_API bool ic_btf_function(const struct ic_btf *btf, uint32_t id,
			    struct ic_btf_function *function);

/**
 * Gets a parameter of a function.
 *
 * @param number  From 0, below `parameter_count`.
 * @param name    [out] NULL if there is none.
 * @param type    [out] Its number.
 *
 * @return false if there is none.
 */
IC_API bool ic_btf_function_parameter(const struct ic_btf *btf, uint32_t id, uint32_t number,
				      const char **name, uint32_t *type);

/**
 * Writes a type in C notation: "const char *", "struct page *", "int (*)(void *)".
 *
 * @param text  [out] As much as fits, terminated by NUL; may be NULL if `size` is 0.
 *
 * @return The length of the whole text. Types nested too deeply are written as "...".
 */
IC_API size_t ic_btf_type_text(const struct ic_btf *btf, uint32_t id, char *text, size_t size);

/**
 * The size of a type in bytes; 0 if unknown, as for pointers, whose size BTF does not record.
 *
 * @param is_signed  [out] Whether it is a signed number.
 */
IC_API uint64_t ic_btf_type_size(const struct ic_btf *btf, uint32_t id, bool *is_signed);

/** The formats of such sections. */
enum ic_btf_inline_format {
	IC_BTF_INLINE_RFC, // `.BTF.inline` as proposed
	IC_BTF_INLINE_LOC  // BTF kinds
};

/** A table of inlined calls. */
struct ic_btf_inline;

/**
 * Parses a table; its format is recognised by its contents.
 *
 * @param bytes  In either byte order, at any alignment. Borrowed.
 * @param types  What its type numbers refer to or, for BTF with these kinds, its base; NULL if that
 *               is unknown, or the BTF is not split. Borrowed.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The table, to be freed with ic_btf_inline_free(); NULL if the bytes violate the format,
 *         or memory runs out. BTF without these kinds is a table without calls.
 *
 * Cost: one pass over the bytes, and 8 bytes of memory for each call.
 */
IC_API struct ic_btf_inline *ic_btf_inline_parse(const void *bytes, size_t size,
						 const struct ic_btf *types, struct ic_error *err);

/** Frees a table; NULL is allowed. */
IC_API void ic_btf_inline_free(struct ic_btf_inline *table);

/** The format of a table. */
IC_API enum ic_btf_inline_format ic_btf_inline_format(const struct ic_btf_inline *table);

/** What its type numbers refer to: the caller's types, or its own. May be NULL. */
IC_API const struct ic_btf *ic_btf_inline_types(const struct ic_btf_inline *table);

/** The number of inlined calls in it. */
IC_API size_t ic_btf_inline_count(const struct ic_btf_inline *table);

/** An inlined call. */
struct ic_btf_inline_site {
	uint32_t callee; /**< the FUNC */
	uint32_t caller; /**< the FUNC that contains the code; 0 if the format does not record it */
	const char *callee_name, *caller_name; /**< NULL if unknown */
	const char *section; /**< the name of a LOCSEC; NULL in the RFC's format */
	/** RFC: from the start of the caller, modulo 2^32. LOC: from the start of the section. */
	uint32_t offset;
	/** Those for which the table has a location, or records that there is none. */
	uint32_t parameter_count;
	uint64_t record_off; /**< offset of its record in the bytes */
};

/** Gets a call by its number, in table order. False if there are not that many. */
IC_API bool ic_btf_inline_get(const struct ic_btf_inline *table, size_t number,
			      struct ic_btf_inline_site *site);

/** A parameter of a call. */
struct ic_btf_inline_parameter {
	const char *name; /**< NULL if unknown */
	uint32_t type;    /**< 0 if unknown */
	uint64_t size;    /**< in bytes; 0 if unknown */
	bool is_signed;
	/** If it is unavailable, the reason is not recorded: `why` is IC_LOCATION_WHY_KNOWN, or
	 *  UNREADABLE. It may point to `pieces`. */
	struct ic_location location;
	struct ic_location_piece pieces[2];
	/** It is at the frame base, which the table does not describe further; the location is then
	 *  IC_LOCATION_COMPUTED, with its `offset` from there. */
	bool is_on_frame;
};

/**
 * Gets parameter `number`, which must be below the `parameter_count` of call `site_number`.
 *
 * @param parameter  [out] Points to itself: must not be copied if its location has pieces.
 */
IC_API void ic_btf_inline_parameter(const struct ic_btf_inline *table, size_t site_number,
				    uint32_t number, struct ic_btf_inline_parameter *parameter);

/**
 * Prints the types of the three kinds in bpftool's format.
 *
 * @param out  Check ferror() for write errors.
 *
 * @return false if the table is in another format.
 */
IC_API bool ic_btf_inline_print_kinds(const struct ic_btf_inline *table, FILE *out);

/** Errors in a table that can be parsed. */
enum ic_btf_inline_fault {
	IC_BTF_FAULT_OVERLAP,      // calls and locations share bytes
	IC_BTF_FAULT_NO_EMPTY,     // the locations do not start with the empty expression
	IC_BTF_FAULT_CALLEE,       // the callee is not a function
	IC_BTF_FAULT_CALLER,       // the caller is not a function
	IC_BTF_FAULT_COUNT,        // the number of parameters differs from the function's
	IC_BTF_FAULT_MANY,         // more than 255 parameters
	IC_BTF_FAULT_LIST,         // the locations of a call are not a LOC_PROTO
	IC_BTF_FAULT_PLACE,        // a location is outside the locations, or is not a LOC_PARAM
	IC_BTF_FAULT_NOT_OPERATOR, // an expression starts inside an operator
	IC_BTF_FAULT_EXPRESSION,   // a location cannot be read
	IC_BTF_FAULT_SECTION       // a LOCSEC has no name
};

/** The number of faults; there may be more in future. */
#define IC_BTF_FAULT_COUNT_OF 11

/** Describes a fault in a few words: "the callee is not a function". NULL for other numbers. */
IC_API const char *ic_btf_inline_fault_text(enum ic_btf_inline_fault fault);

/** Receives a fault; `off` is the offset of the record, the type or the header in the bytes. */
typedef void ic_btf_inline_fault_taker(void *context, enum ic_btf_inline_fault fault, uint64_t off);

/**
 * Checks a table that can be parsed. Without types, functions are not checked.
 *
 * @param take     Called for each fault, in table order.
 * @param context  Passed to `take`.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out.
 *
 * Cost: reading all locations; one bit of memory for each byte of the locations in the RFC's
 *       format.
 */
IC_API bool ic_btf_inline_check(const struct ic_btf_inline *table, ic_btf_inline_fault_taker *take,
				void *context, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
