// The parameters of functions, and where the arguments are in an instance.
//
// A reader of parameters belongs to one thread at a time, and is closed before its index or its
// symbolizer. Several may read the same.
#ifndef INLINECALL_PARAMETERS_H
#define INLINECALL_PARAMETERS_H

#include <inlinecall/index.h>
#include <inlinecall/location.h>
#include <inlinecall/sites.h>
#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the bytes of a type are. */
enum ic_type_encoding {
	IC_TYPE_UNKNOWN,
	IC_TYPE_VOID,
	IC_TYPE_INTEGER,
	IC_TYPE_BOOLEAN,
	IC_TYPE_CHARACTER,
	IC_TYPE_FLOAT,
	IC_TYPE_COMPLEX,
	IC_TYPE_POINTER,
	IC_TYPE_REFERENCE,
	IC_TYPE_MEMBER_POINTER,
	IC_TYPE_ENUMERATION,
	IC_TYPE_STRUCTURE, // or a class or union
	IC_TYPE_ARRAY,
	IC_TYPE_VECTOR,
	IC_TYPE_FUNCTION,
	IC_TYPE_OTHER
};

/** Where an argument is for a range of addresses. */
struct ic_parameter_entry {
	bool has_range; /**< if not, it is for all addresses, or for those without another entry */
	struct ic_range range; /**< empty if it is only for some views of the line at its start */
	uint64_t start_view, end_view; /**< GCC's numbers of the rows at start and end; 0 */
	struct ic_location location;
	const char *expression; /**< the operations, as llvm-dwarfdump writes them */
};

/** A parameter of an instance, or a member of one. Strings that are not known are NULL. */
struct ic_parameter {
	const char *name; /**< of a member with that of its parameter, as `p->a` */
	const char *type; /**< as the source language spells it */
	uint64_t size;    /**< of the type in bytes; 0 if it is not known */
	enum ic_type_encoding encoding;
	bool is_signed;     /**< the type is a number, a character or an enumeration that is */
	bool is_artificial; /**< not in the source, such as `this` */
	bool is_result;     /**< Go declares results as parameters */
	bool is_undeclared; /**< the instance has it, and the function does not declare it */
	bool is_member;     /**< of the last parameter before it that is none, or of what that
			     *   points to */
	/** Of a bit-field or a part of a register: only bits `bit_offset` to `bit_offset +
	 *  bit_size - 1` of the register or the memory count, numbered as by DW_AT_data_bit_offset
	 * (DWARF 5, 5.7.6): from the least significant bit, or on big-endian machines the most
	 * significant. Else 0. */
	uint32_t bit_size, bit_offset;
	/** Of an array of one dimension, what its items are; of a pointer or a reference, what it
	 *  leads to. Else 0, and if that is not known. */
	uint64_t item_size;
	enum ic_type_encoding item_encoding;
	bool item_is_signed;
	/** What `location` says holds at all addresses, or at those that a list leaves out. */
	bool is_everywhere;
	struct ic_location location; /**< of the argument, at the address asked for */
	/** If it is not available there, but in other code of the instance: the first such address
	 *  after that one, or else before it. The address itself if it is there in another view of
	 * the line table, when the function may have changed it. IC_NO_ADDR if there is none.
	 */
	uint64_t known_from;
	const char *expression; /**< that is COMPUTED, as llvm-dwarfdump writes it; else NULL */
	/** Of the expression at the address asked for. A constant without one is a literal, and a
	 *  number or bytes. */
	enum ic_location_category category;
	enum ic_location_shape shape;
	const struct ic_parameter_entry *list; /**< if asked for: all that is said of where it is */
	size_t list_count;
};

/** A value of an enumeration that has a name. */
struct ic_enumerator {
	uint64_t value;   /**< a negative one as two's complement */
	const char *name; /**< as declared */
};

/** The named values of an enumeration. */
struct ic_enumeration {
	/** What the source language writes before each name from outside, as "ns::Color::"; empty
	 *  if nothing. */
	const char *scope;
	const struct ic_enumerator *list; /**< by value, else in the order of the declaration */
	size_t count;
	/** Each value is 0 or a power of two: GDB takes them for flags, of which a value can have
	 *  several. */
	bool is_flags;
};

/** Corrects where an argument, or a member of one, is when a copy is entered at an address:
 * compilers say for some that they are on the stack before they store them there. If `location.why`
 * is IC_LOCATION_WHY_NOT_STORED, the location is not true at the address anyhow.
 * ic_stored_correct() is such a function. */
typedef void ic_entry_location_function(void *context, uint64_t entry,
					struct ic_parameter *parameter);

/** What is read of parameters. Zero-initialised: where they are at one address. */
struct ic_parameters_options {
	bool lists; /**< also everything else that is said of where they are */
	/** Members that are asked for, of structures that parameters are or point to: paths as in
	 *  C, without the name of the parameter and with commas between, as "a,b.c,d->e[2]". "."
	 *  and "->" are the same, and pointers to what is no structure have items, "[0]". Those
	 *  that a parameter has follow it in what is found in an instance. NULL for none. */
	const char *members;
	/** Asked for each argument that ic_parameters_find() finds, whose address is then one where
	 *  the copy is entered; NULL: what the debug information says is believed. The context must
	 *  live as long as the reader. */
	ic_entry_location_function *at_entry;
	void *context;
};

/** A reader of parameters, and what it found last. */
struct ic_parameters;

/**
 * Opens a reader of parameters.
 *
 * @param image  With which the index was built; must stay open as long as the reader is.
 * @param index  Must live as long as the reader. Reading is faster if it was built with
 *               `parameters`.
 * @param options  NULL for the defaults. Not kept.
 * @param err    [out] The reason if it fails; may be NULL.
 *
 * @return The reader, to be freed with ic_parameters_free(); NULL if the debug information cannot
 *         be made readable, `members` are none (IC_ERROR_ARGUMENT), or memory is out.
 */
IC_API struct ic_parameters *ic_parameters_open(struct ic_image *image,
						const struct ic_index *index,
						const struct ic_parameters_options *options,
						struct ic_error *err);

/**
 * Opens a reader of the parameters of frames. What it reads is read when a frame is asked for.
 *
 * @param symbolizer  Must live as long as the reader.
 * @param options     NULL for the defaults. Not kept.
 * @param err         [out] The reason if it fails; may be NULL.
 *
 * @return The reader, to be freed with ic_parameters_free(); NULL if `members` are none
 *         (IC_ERROR_ARGUMENT), or memory is out.
 */
IC_API struct ic_parameters *ic_parameters_open_frames(struct ic_symbolizer *symbolizer,
						       const struct ic_parameters_options *options,
						       struct ic_error *err);

/** Frees a reader and all that it found; NULL is allowed. */
IC_API void ic_parameters_free(struct ic_parameters *parameters);

/**
 * Finds the parameters of the function of a site, and where their arguments are.
 *
 * @param site  Of the index: inlined or out of line. A call that was not inlined has none.
 * @param addr  An address in its code: where the arguments are before the instruction there is
 *              executed. IC_NO_ADDR for the entry: where they are when the copy is entered.
 * @param err   [out] The reason if it fails; may be NULL.
 *
 * @return false if memory is out, or the reader is of frames (IC_ERROR_ARGUMENT). What cannot be
 *         read is a problem of the reader.
 *
 * Time: that of reading the DIEs of the parameters; those of a function and its types are read
 *       once.
 */
IC_API bool ic_parameters_find(struct ic_parameters *parameters, const struct ic_site *site,
			       uint64_t addr, struct ic_error *err);

/**
 * Finds the parameters of a frame, and where their arguments are at the address: before the
 * instruction there is executed, or, in a frame that has called another one, at the call, if `addr`
 * is its return address less 1.
 *
 * @param parameters  Of ic_parameters_open_frames().
 * @param addr   As in ic_symbolizer_frames_at().
 * @param frame  Its number in the frames there: 0 is the innermost. Nothing is known of a frame
 * that does not exist, or is only a symbol.
 * @param err    [out] The reason if it fails; may be NULL.
 *
 * @return false if memory is out, the debug information cannot be made readable, or the reader is
 *         of an index (IC_ERROR_ARGUMENT). What cannot be read is a problem of the reader, or of
 * the symbolizer.
 *
 * Time: as ic_parameters_find(); that of listing all units once, and of decoding the unit if it was
 *       not.
 */
IC_API bool ic_parameters_find_frame(struct ic_parameters *parameters, uint64_t addr, size_t frame,
				     struct ic_error *err);

/** Whether what was found last are all parameters of the instance or frame. They are not known if
 *  only a symbol or a line table has it, or they are not described. */
IC_API bool ic_parameters_is_known(const struct ic_parameters *parameters);

/** What was found last, in the order of the function's declaration; parameters of the instance
 *  which that does not have come last. The number is the return. They are kept until the next
 *  search, their strings as long as the reader. */
IC_API size_t ic_parameters_list(const struct ic_parameters *parameters,
				 const struct ic_parameter **list);

/** Whether the function takes more arguments than its parameters. */
IC_API bool ic_parameters_is_variadic(const struct ic_parameters *parameters);

/**
 * Problem number `number` of all that was read so far, as ic_index_problem_get() has it.
 *
 * @return false if there are not so many.
 */
IC_API bool ic_parameters_problem_get(const struct ic_parameters *parameters, uint64_t number,
				      struct ic_index_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
