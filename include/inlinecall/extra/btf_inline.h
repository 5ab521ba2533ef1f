// Sections that say where functions were inlined and where their arguments are, for tools that have
// BTF and no DWARF: `.BTF.inline` as it was proposed in April 2025, as its first encoder wrote it,
// and the kinds LOC_PARAM, LOC_PROTO and LOCSEC of BTF that followed, in two layouts.
//
// Both types borrow the bytes that they are made of, and the types that those refer to, which must
// live as long. They never change: any number of threads may use them, until one frees them.
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

/** The types of a BTF. */
struct ic_btf;

/**
 * Reads BTF: the contents of `.BTF`, or of a file such as /sys/kernel/btf/vmlinux.
 *
 * @param bytes  In either byte order, at any alignment. Borrowed.
 * @param base   What it is split on, if it is split BTF; else NULL. Borrowed.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return To be freed with ic_btf_free(); NULL if the bytes break the format, if they have a kind
 *         whose size is not known (IC_ERROR_UNSUPPORTED), or memory runs out.
 *
 * Cost: one pass over the types, and 4 bytes of memory for each.
 */
IC_API struct ic_btf *ic_btf_parse(const void *bytes, size_t size, const struct ic_btf *base,
				   struct ic_error *err);

/**
 * Whether types were read without those that they are split on, as a module's are on the kernel's:
 * their strings do not begin with an empty one. All numbers and names in them are wrong then.
 */
IC_API bool ic_btf_lacks_base(const struct ic_btf *btf);

/** Frees the types; NULL is allowed. */
IC_API void ic_btf_free(struct ic_btf *btf);

/** How many types there are, with void, which is number 0, and with those of the base. */
IC_API uint32_t ic_btf_count(const struct ic_btf *btf);

/** The name of a type. NULL if it has none, if there is no such type, or if the name breaks the
 *  format: it is not in the strings, or longer than 4095 bytes. */
IC_API const char *ic_btf_name(const struct ic_btf *btf, uint32_t id);

/** A function. */
struct ic_btf_function {
	const char *name;         /**< NULL if there is none */
	uint32_t prototype;       /**< the number of its FUNC_PROTO */
	uint32_t parameter_count; /**< without the "..." of a variadic function */
	bool is_variadic;
};

/**
 * Finds a function.
 *
 * @param id        Of a FUNC, or of a FUNC_PROTO, which has no name.
 * @param function  [out]
 *
 * @return false if the number is of neither, or its prototype is none.
 */
IC_API bool ic_btf_function(const struct ic_btf *btf, uint32_t id,
			    struct ic_btf_function *function);

/**
 * Finds a parameter of a function.
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
 * Writes a type as C spells it: "const char *", "struct page *", "int (*)(void *)".
 *
 * @param text  [out] As much as fits, ended by NUL; may be NULL if `size` is 0.
 *
 * @return the length of the whole text. What is nested too deeply is "...".
 */
IC_API size_t ic_btf_type_text(const struct ic_btf *btf, uint32_t id, char *text, size_t size);

/** The size of a type in bytes; 0 if it is not known, as of pointers, for which BTF does not say
 * it.
 *  @param is_signed  [out] Whether it is a signed number. */
IC_API uint64_t ic_btf_type_size(const struct ic_btf *btf, uint32_t id, bool *is_signed);

/** The forms of such sections. */
enum ic_btf_inline_format {
	IC_BTF_INLINE_RFC,       // `.BTF.inline` as proposed
	IC_BTF_INLINE_PROTOTYPE, // as the encoder wrote it that came with the proposal
	IC_BTF_INLINE_LOC_FIRST, // kinds of BTF: a LOC_PARAM has a value of 8 bytes
	IC_BTF_INLINE_LOC        // kinds of BTF: a LOC_PARAM has flags and words
};

/** A table of inlined calls. */
struct ic_btf_inline;

/**
 * Reads a table; its form is told by its contents.
 *
 * @param bytes  In either byte order, at any alignment. Borrowed.
 * @param types  What its numbers of types refer to, or, of BTF with the kinds, what that is split
 *               on; NULL if that is not known, or it is not split. Borrowed.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return To be freed with ic_btf_inline_free(); NULL if the bytes break the format, or memory runs
 * out. BTF without these kinds is a table without calls.
 *
 * Cost: one pass over the bytes, and 8 bytes of memory for each call.
 */
IC_API struct ic_btf_inline *ic_btf_inline_parse(const void *bytes, size_t size,
						 const struct ic_btf *types, struct ic_error *err);

/** Frees a table; NULL is allowed. */
IC_API void ic_btf_inline_free(struct ic_btf_inline *table);

IC_API enum ic_btf_inline_format ic_btf_inline_format(const struct ic_btf_inline *table);

/** What its numbers of types refer to: the caller's, or its own. May be NULL. */
IC_API const struct ic_btf *ic_btf_inline_types(const struct ic_btf_inline *table);

/** How many inlined calls it has. */
IC_API size_t ic_btf_inline_count(const struct ic_btf_inline *table);

/** An inlined call. */
struct ic_btf_inline_site {
	uint32_t callee; /**< the FUNC; of IC_BTF_INLINE_LOC_FIRST the FUNC_PROTO */
	uint32_t caller; /**< the FUNC that has the code; 0 if the form does not say it */
	const char *callee_name, *caller_name; /**< NULL if not known */
	const char *section;                   /**< the name of a LOCSEC; NULL in other forms */
	/** RFC: from the start of the caller, modulo 2^32. PROTOTYPE: the address. LOC: from the
	 *  start of the section. LOC_FIRST: from the base of the kernel or module. */
	uint64_t offset;
	uint32_t
		parameter_count; /**< for which the table has a location or says that it has none */
	uint64_t record_off;     /**< in the bytes */
};

/** Gives call `number`, which is below the count, in the order of the table. */
IC_API void ic_btf_inline_get(const struct ic_btf_inline *table, size_t number,
			      struct ic_btf_inline_site *site);

/** A parameter of a call. */
struct ic_btf_inline_parameter {
	const char *name; /**< NULL if not known */
	uint32_t type;    /**< 0 if not known */
	uint64_t size;    /**< in bytes; 0 if not known */
	bool is_signed;
	/** Why it is not available is not known: `why` is IC_LOCATION_WHY_KNOWN, or UNREADABLE. It
	 *  may refer to `pieces`. */
	struct ic_location location;
	struct ic_location_piece pieces[2];
	bool is_on_frame; /**< at the frame base, of which the table does not say more; the location
			   *   is then IC_LOCATION_COMPUTED, and its `offset` from there */
};

/**
 * Gives parameter `number`, which is below the `parameter_count` of call `site_number`.
 *
 * @param parameter  [out] Points to itself: not to be copied if its location has pieces.
 */
IC_API void ic_btf_inline_parameter(const struct ic_btf_inline *table, size_t site_number,
				    uint32_t number, struct ic_btf_inline_parameter *parameter);

/**
 * Prints the types of the three kinds as bpftool prints them.
 *
 * @param out  Whether all could be written, ferror() says.
 *
 * @return false if the table is of another form.
 */
IC_API bool ic_btf_inline_print_kinds(const struct ic_btf_inline *table, FILE *out);

/** What can be wrong in a table that can be read. */
enum ic_btf_inline_fault {
	IC_BTF_FAULT_OVERLAP,      // calls and locations share bytes
	IC_BTF_FAULT_NO_EMPTY,     // the locations do not begin with the empty expression
	IC_BTF_FAULT_CALLEE,       // the function that was inlined is none
	IC_BTF_FAULT_CALLER,       // the function that has the code is none
	IC_BTF_FAULT_COUNT,        // not as many parameters as the function has
	IC_BTF_FAULT_MANY,         // more than 255 parameters
	IC_BTF_FAULT_LIST,         // the locations of a call are no LOC_PROTO
	IC_BTF_FAULT_PLACE,        // a location beyond the locations, or that is no LOC_PARAM
	IC_BTF_FAULT_NOT_OPERATOR, // an expression begins within an operator
	IC_BTF_FAULT_EXPRESSION,   // a location that cannot be read
	IC_BTF_FAULT_SECTION       // a LOCSEC without a name
};

/** The number of these; more may come. */
#define IC_BTF_FAULT_COUNT_OF 11

/** What is wrong, in a few words: "the callee is no function". NULL for other numbers. */
IC_API const char *ic_btf_inline_fault_text(enum ic_btf_inline_fault fault);

/** Takes a fault; `off` is that of the record in the bytes, or of the type, or of the header. */
typedef void ic_btf_inline_fault_taker(void *context, enum ic_btf_inline_fault fault, uint64_t off);

/**
 * Checks a table that can be read. Without types, functions are not checked.
 *
 * @param take     Called for each fault, in the order of the table.
 * @param context  Handed to it.
 *
 * @return false if memory runs out.
 *
 * Cost: as reading all locations; one bit of memory for each byte of the RFC's locations.
 */
IC_API bool ic_btf_inline_check(const struct ic_btf_inline *table, ic_btf_inline_fault_taker *take,
				void *context, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
