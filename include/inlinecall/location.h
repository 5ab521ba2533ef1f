// Where a value is: what a location expression comes down to, in a form that tools can use.
//
// DWARF says it as a program for a stack machine (DWARF 5, 2.5 and 2.6). Nearly all of them are a
// register, a constant, or memory at a register and an offset. What a location points to belongs to
// whatever gave it, and may be read by any number of threads.
#ifndef INLINECALL_LOCATION_H
#define INLINECALL_LOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/version.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ic_location_kind {
	IC_LOCATION_UNAVAILABLE, // there is no value: `why` says the reason
	IC_LOCATION_CONSTANT,    // the value is `constant`
	IC_LOCATION_BYTES,       // the value is the `size` bytes at `bytes`
	IC_LOCATION_REGISTER,    // the value is in the register, or is that and `offset`
	IC_LOCATION_ADDRESS,     // the value is `constant`, an address in the file
	IC_LOCATION_MEMORY, // the value is in memory, at the sum of `base` and `offset`, or where
			    // `loads` lead from there
	IC_LOCATION_ENTRY_VALUE, // the value is the register's value on entry to the function that
				 // has this code, plus `offset`
	IC_LOCATION_PIECES,      // parts of the value are in several places: `pieces`
	IC_LOCATION_COMPUTED,    // `expression` comes down to none of these
	IC_LOCATION_VALUE // the value is the sum of `base` and `offset`, or what `loads` lead to
};

enum ic_location_why {                 // a location is not available
	IC_LOCATION_WHY_KNOWN,         // it is
	IC_LOCATION_WHY_OPTIMISED_OUT, // there is no location anywhere
	IC_LOCATION_WHY_NOT_HERE,      // there is none at this address, but at others
	IC_LOCATION_WHY_UNREADABLE,    // what there is cannot be read
	// It will be on the frame of the function, which has only been entered: a location for all
	// addresses is not true before code of the function has stored the value.
	IC_LOCATION_WHY_NOT_STORED,
	IC_LOCATION_WHY_NO_ADDRESS, // a member of a structure that has no known address
	IC_LOCATION_WHY_NOT_READ // it was left out: its description exceeds a limit, or is damaged
};

enum ic_location_base {
	IC_BASE_REGISTER,       // `reg`
	IC_BASE_ADDRESS,        // `constant`, an address in the file
	IC_BASE_CFA,            // the canonical frame address (DWARF 5, 6.4) of the function
	IC_BASE_ENTRY_REGISTER, // `reg`, as it was when the function was entered
	IC_BASE_CONSTANT        // `constant`, wherever the file is loaded
};

#define IC_LOCATION_MOST_LOADS 4

/** A step to a value behind a pointer: what is in memory at the address so far is loaded as an
 *  unsigned number. */
struct ic_location_load {
	uint32_t size;  /**< in bytes */
	int64_t offset; /**< added to what was loaded */
};

struct ic_location_piece;

/** A location. What its kind does not use is zero. Sums wrap at the size of an address. */
struct ic_location {
	enum ic_location_kind kind;
	enum ic_location_why why;
	enum ic_location_base base;
	uint32_t reg; /**< DWARF's number, as the machine's ABI gives them */
	/** Signed ones as two's complement. Of a constant that is larger than its type the
	 *  low-order bytes count. Of `bytes`, up to 8, the number that they are. */
	uint64_t constant;
	int64_t offset;
	uint32_t load_count;
	struct ic_location_load loads[IC_LOCATION_MOST_LOADS];
	const uint8_t *bytes; /**< in the file's byte order */
	uint64_t size;
	const struct ic_location_piece *pieces; /**< in the order of the value's bytes in memory */
	size_t piece_count;
	const uint8_t *expression; /**< the operations that it comes from; NULL if there are none */
	size_t expression_size;
	bool is_uninitialised; /**< GCC says that the value may not be set (DW_OP_GNU_uninit) */
	bool is_string;        /**< of bytes: they are text, with its NUL */
};

/** A part of a value. */
struct ic_location_piece {
	uint64_t bit_size;
	uint64_t bit_offset;         /**< of the part in what the location is of */
	struct ic_location location; /**< not in pieces itself */
};

/** The rows of the RFC on .BTF.inline: an expression is of the last category here that any of its
 *  operations is of, so that a category has what all before it cannot express. */
enum ic_location_category {
	IC_CATEGORY_EMPTY,   // no operation, or no expression
	IC_CATEGORY_LITERAL, // numbers and addresses: DW_OP_lit0, addr, implicit_value, stack_value
	IC_CATEGORY_REGISTER,   // DW_OP_reg0, breg0 and the like
	IC_CATEGORY_ARITHMETIC, // arithmetic and comparisons, also with types; branches, calls,
				// TLS; what is in memory (DW_OP_deref); what was on entry to a
				// function
	IC_CATEGORY_COMPOSITE,  // pieces, and pointers to values that are not in memory
	IC_CATEGORY_STACK // the frame (DW_OP_fbreg, call_frame_cfa), the object's address, and
			  // the order of the stack (DW_OP_dup, swap and the like)
};

/** A finer view: the first of these that is true of an expression. */
enum ic_location_shape {
	IC_SHAPE_EMPTY,            // no operation, or no expression
	IC_SHAPE_PIECES,           // several parts, or one
	IC_SHAPE_IMPLICIT_POINTER, // a pointer to a value that is not in memory
	IC_SHAPE_BYTES,            // DW_OP_implicit_value
	IC_SHAPE_BRANCH,           // DW_OP_bra or skip
	IC_SHAPE_OUTSIDE,          // it asks for other DIEs, TLS, an object, another address space
	IC_SHAPE_ENTRY_VALUE,      // with what a register was on entry to the function
	IC_SHAPE_TYPED,            // with types (DW_OP_convert and the like)
	IC_SHAPE_LOAD,             // with what is in memory (DW_OP_deref)
	IC_SHAPE_COMPUTED,         // with arithmetic but sums with constants, or a stack's order
	IC_SHAPE_FRAME,            // memory at, or a value of, the frame and an offset
	IC_SHAPE_REGISTER,         // the contents of a register
	IC_SHAPE_REGISTER_VALUE,   // a register and an offset
	IC_SHAPE_REGISTER_MEMORY,  // memory at that
	IC_SHAPE_ADDRESS,          // an address
	IC_SHAPE_ADDRESS_MEMORY,   // memory at that
	IC_SHAPE_NUMBER,           // a number
	IC_SHAPE_NUMBER_MEMORY     // memory at that
};

/** How a location is written. Zeros are allowed everywhere. */
struct ic_location_text_options {
	/** The value's type as its language spells it; NULL if unknown: by its size, as in C. */
	const char *type;
	uint64_t size;  /**< of the type in bytes; 0 if unknown */
	bool is_signed; /**< the type is a signed number: constants are written in decimal */
	/** What COMPUTED is followed by: its operations, as text. May be NULL. */
	const char *expression;
	unsigned machine; /**< as returned by ic_image_machine(): for the names of registers */
	/** The symbol that an address in the file is in, and the offset in it; NULL, or if it
	 *  returns NULL, for the number. */
	const char *(*symbol_at)(void *context, uint64_t addr, uint64_t *offset);
	void *context; /**< handed to `symbol_at` */
};

/**
 * Writes a location in a line without its end:
 *
 *	%rdi                      the value is in a register, as assemblers spell it; one that has
 *	                          no name is reg5
 *	%rdi+8                    the value is the sum
 *	*(u32 *)(%rsi+8)          the value is in memory
 *	*(int *)(CFA-24)          likewise, on the frame of the function
 *	*(u64 *)(*(u64 *)(%rax+16)+8)
 *	entry(%rdi)               what the register held when the function was entered
 *	0x20, -1                  a number
 *	&jiffies+0x8              an address in the file, without a symbol &0xffffffff81000000
 *	{01 02 03}                bytes, in the order of memory
 *	"on\012"                  text, without its NUL; what is not printable ASCII in octal
 *	{%rax:8, %rdx:8}          pieces, with their size in bytes (3b in bits, 3b@5 from bit 5 on)
 *	computed: DW_OP_...       an expression
 *	unavailable (optimised out), unavailable (not here), unavailable (unreadable),
 *	unavailable (not read)
 *
 * @param options  NULL for the defaults.
 * @param text     [out] As much as fits, ended by NUL; may be NULL if `size` is 0.
 *
 * @return the length of the whole text without its NUL.
 */
IC_API size_t ic_location_text(const struct ic_location *location,
			       const struct ic_location_text_options *options, char *text,
			       size_t size);

#ifdef __cplusplus
}
#endif

#endif
