// The parameters of functions, and where their arguments are in an instance.
//
// A reader of parameters is for one thread at a time. Free it before its index or symbolizer.
// Several readers may share one index or symbolizer.
#ifndef INLINECALL_PARAMETERS_H
#define INLINECALL_PARAMETERS_H

#include <inlinecall/index.h>
#include <inlinecall/location.h>
#include <inlinecall/sites.h>
#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the bytes of a type represent. */
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

/** Where an argument is in a range of addresses. */
struct ic_parameter_entry {
	/** Otherwise it holds at all addresses, or at those without another entry. */
	bool has_range;
	/** Empty if it holds only for some views of the line at its start. */
	struct ic_range range;
	uint64_t start_view, end_view; /**< GCC's view numbers at start and end, or 0 */
	struct ic_location location;
	const char *expression; /**< the operations, in llvm-dwarfdump's notation */
};

/** A parameter of an instance, or a member of a parameter. Unknown strings are NULL. */
struct ic_parameter {
	const char *name; /**< for a member with the parameter's name, such as `p->a` */
	const char *type; /**< as the source language spells it */
	uint64_t size;    /**< of the type in bytes; 0 if unknown */
	enum ic_type_encoding encoding;
	bool is_signed;     /**< the type is a signed number, character or enumeration */
	bool is_artificial; /**< not in the source, such as `this` */
	bool is_result;     /**< Go declares results as parameters */
	bool is_undeclared; /**< the instance has it, but the function does not declare it */
	bool is_variable;   /**< no parameter, but a variable of the function, or its member */
	/** A member of the last preceding parameter that is not itself a member, or of what that
	 *  points to. */
	bool is_member;
	/** For a bit-field, or a part of a register: only bits `bit_offset` to `bit_offset +
	 *  bit_size - 1` of the register or memory count. They are numbered as in
	 *  DW_AT_data_bit_offset (DWARF 5, 5.7.6): from the least significant bit, or on big-endian
	 *  machines from the most significant. Otherwise 0. */
	uint32_t bit_size, bit_offset;
	/** For a one-dimensional array, its items; for a pointer or reference, what it points to.
	 *  Otherwise, or if unknown, 0. */
	uint64_t item_size;
	enum ic_type_encoding item_encoding;
	bool item_is_signed;
	/** `location` holds at all addresses, or at all those that a location list leaves out. */
	bool is_everywhere;
	struct ic_location location; /**< of the argument, at the queried address */
	/** If the argument is unavailable at the queried address but available elsewhere in the
	 *  instance: the first such address after it, or if there is none, before it. Equals the
	 *  queried address if the argument is there in another view of the line table, by which
	 *  time the function may have changed it. IC_NO_ADDR if there is no such address. */
	uint64_t known_from;
	/** Of a COMPUTED location, in llvm-dwarfdump's notation; otherwise NULL. */
	const char *expression;
	/** Of the expression at the queried address. A constant without an expression is a literal,
	 *  and a number or bytes. */
	enum ic_location_category category;
	enum ic_location_shape shape;
	/** If requested: the complete description of where it is. */
	const struct ic_parameter_entry *list;
	size_t list_count;
	/** If requested, for a string that knows its length, or a pointer or reference to one: its
	 *  two parts, of which only type and location are set: a pointer to the first byte, and the
	 *  number of bytes. Such are the strings of Go, Rust and C++. Otherwise NULL. */
	const struct ic_parameter *string;
};

/** A named value of an enumeration. */
struct ic_enumerator {
	uint64_t value;   /**< negative values in two's complement */
	const char *name; /**< as declared */
};

/** The named values of an enumeration. */
struct ic_enumeration {
	/** The prefix that the source language needs before each name from outside, such as
	 *  "ns::Color::"; empty if none. */
	const char *scope;
	const struct ic_enumerator *list; /**< sorted by value, then in order of declaration */
	size_t count;
	/** Each value is 0 or a power of two: GDB treats them as flags, which can be combined. */
	bool is_flags;
};

/**
 * Corrects where an argument, or a member of one, is when a copy is entered at an address:
 * compilers describe some arguments as on the stack before the code stores them there. If
 * `location.why` is IC_LOCATION_WHY_NOT_STORED, the location is already known not to hold at the
 * address. ic_stored_correct() is such a function.
 */
typedef void ic_entry_location_function(void *context, uint64_t entry,
					struct ic_parameter *parameter);

/** What to read about parameters. Zero-initialised: where they are at one address. */
struct ic_parameters_options {
	bool lists;   /**< also the complete description of where they are */
	bool strings; /**< also where the parts of strings are that know their length */
	/** Also the variables of the instance or frame that are in scope at the address: after its
	 *  parameters. Of those with one name, the last one hides the others. */
	bool variables;
	/** Members to read, of structures that parameters are or point to: paths as in C, without
	 *  the parameter's name and separated by commas, such as "a,b.c,d->e[2]". "." and "->" mean
	 *  the same; a pointer to something other than a structure has items, "[0]". "*" as the
	 * last component stands for all members: up to 63 in all arguments. In the results of an
	 * instance, each parameter is followed by those of the members that it has. NULL for none.
	 */
	const char *members;
	/** Called for each argument found by ic_parameters_find(), whose address must then be one
	 *  where the copy is entered. NULL: the debug information is taken at its word. The context
	 *  must outlive the reader. */
	ic_entry_location_function *at_entry;
	void *context;
	/** Addresses other than IC_NO_ADDR are not entries: `at_entry` is not called for them. */
	bool at_other_places;
};

/** A reader of parameters, with its latest results. */
struct ic_parameters;

/**
 * Opens a reader of parameters.
 *
 * @param image    The one that the index was built from; must stay open as long as the reader is
 *                 used.
 * @param index    Must outlive the reader. Reading is faster if it was built with `parameters`.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The reader, to be freed with ic_parameters_free(); NULL if the debug information cannot
 *         be decompressed or relocated, `members` is invalid (IC_ERROR_ARGUMENT), or memory runs
 *         out.
 */
IC_API struct ic_parameters *ic_parameters_open(struct ic_image *image,
						const struct ic_index *index,
						const struct ic_parameters_options *options,
						struct ic_error *err);

/**
 * Opens a reader of the parameters of frames. Debug information is read when a frame is queried.
 *
 * @param symbolizer  Must outlive the reader.
 * @param options     NULL for the defaults. Not kept.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return The reader, to be freed with ic_parameters_free(); NULL if `members` is invalid
 *         (IC_ERROR_ARGUMENT), or memory runs out.
 */
IC_API struct ic_parameters *ic_parameters_open_frames(struct ic_symbolizer *symbolizer,
						       const struct ic_parameters_options *options,
						       struct ic_error *err);

/** Frees a reader and everything it found; NULL is allowed. */
IC_API void ic_parameters_free(struct ic_parameters *parameters);

/**
 * Finds the parameters of a site's function, and where their arguments are.
 *
 * @param site  From the index: inlined or out of line. A call that was not inlined has none.
 * @param addr  An address in its code: the locations are those before the instruction there is
 *              executed. IC_NO_ADDR for the entry: the locations when the copy is entered.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out, or this is a reader of frames (IC_ERROR_ARGUMENT). Unreadable
 *         data becomes a problem of the reader.
 *
 * Time: that of reading the DIEs of the parameters; those of a function and its types are read
 *       only once.
 */
IC_API bool ic_parameters_find(struct ic_parameters *parameters, const struct ic_site *site,
			       uint64_t addr, struct ic_error *err);

/**
 * Finds the parameters of a frame, and where their arguments are at the address: before the
 * instruction there is executed or, for a frame that has called another with `addr` its return
 * address less 1, at the call.
 *
 * @param parameters  From ic_parameters_open_frames().
 * @param addr        See ic_symbolizer_frames_at().
 * @param frame       Index into the frames there: 0 is the innermost. For a frame that does not
 *                    exist or is only a symbol, nothing is known.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out, the debug information cannot be decompressed or relocated, or
 *         this is a reader of an index (IC_ERROR_ARGUMENT). Unreadable data becomes a problem of
 *         the reader or of the symbolizer.
 *
 * Time: as for ic_parameters_find(), plus listing all units once, and decoding the unit if it has
 *       not been decoded yet.
 */
IC_API bool ic_parameters_find_frame(struct ic_parameters *parameters, uint64_t addr, size_t frame,
				     struct ic_error *err);

/**
 * Whether the latest results are complete: all parameters of the instance or frame. Parameters are
 * unknown if it has only a symbol or a line table, or if they are not described.
 */
IC_API bool ic_parameters_is_known(const struct ic_parameters *parameters);

/**
 * Gets the latest results, in the order of the function's declaration; parameters that only the
 * instance has come last. Returns their number. They are valid until the next search, their strings
 * as long as the reader.
 */
IC_API size_t ic_parameters_list(const struct ic_parameters *parameters,
				 const struct ic_parameter **list);

/** Whether the function takes further arguments after its parameters. */
IC_API bool ic_parameters_is_variadic(const struct ic_parameters *parameters);

/**
 * Gets problem number `number` of those found so far, like ic_index_problem_get().
 *
 * @return false if there are fewer.
 */
IC_API bool ic_parameters_problem_get(const struct ic_parameters *parameters, size_t number,
				      struct ic_index_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
