// Value locations: what a location expression evaluates to, in a form that tools can use.
//
// DWARF describes a location as a program for a stack machine (DWARF 5, 2.5 and 2.6). Nearly all of
// them reduce to a register, a constant, or memory at a register plus an offset. Everything that a
// location points to belongs to the object that returned it, and may be read by any number of
// threads.
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
	IC_LOCATION_UNAVAILABLE, // there is no value: `why` has the reason
	IC_LOCATION_CONSTANT,    // the value is `constant`
	IC_LOCATION_BYTES,       // the value is the `size` bytes at `bytes`
	IC_LOCATION_REGISTER,    // the value is in the register, or is its content plus `offset`
	IC_LOCATION_ADDRESS,     // the value is `constant`, an address in the file
	IC_LOCATION_MEMORY, // the value is in memory, at `base` + `offset`, or where `loads` lead
			    // from there
	IC_LOCATION_ENTRY_VALUE, // the value is that of the register on entry to the function that
				 // contains this code, plus `offset`
	IC_LOCATION_PIECES,      // the value is in several parts: `pieces`
	IC_LOCATION_COMPUTED,    // `expression` reduces to none of the others
	IC_LOCATION_VALUE // the value is `base` + `offset`, or what `loads` lead to from there
};

enum ic_location_why {                 // why a location is unavailable
	IC_LOCATION_WHY_KNOWN,         // it is available
	IC_LOCATION_WHY_OPTIMISED_OUT, // there is no location at any address
	IC_LOCATION_WHY_NOT_HERE,      // there is none at this address, only at others
	IC_LOCATION_WHY_UNREADABLE,    // the description cannot be read
	// It will be in the frame of the function, which has only just been entered: a location for
	// all addresses does not hold before the function's code has stored the value.
	IC_LOCATION_WHY_NOT_STORED,
	IC_LOCATION_WHY_NO_ADDRESS, // a member of a structure whose address is unknown
	IC_LOCATION_WHY_NOT_READ    // left out: the description exceeds a limit, or is damaged
};

enum ic_location_base {
	IC_BASE_REGISTER,       // `reg`
	IC_BASE_ADDRESS,        // `constant`, an address in the file
	IC_BASE_CFA,            // the canonical frame address (DWARF 5, 6.4) of the function
	IC_BASE_ENTRY_REGISTER, // `reg`, its value on entry to the function
	IC_BASE_CONSTANT        // `constant`, independent of the load address
};

#define IC_LOCATION_MOST_LOADS 4

/**
 * A step to a value behind a pointer: the memory at the current address is loaded as an unsigned
 * number.
 */
struct ic_location_load {
	uint32_t size;  /**< in bytes */
	int64_t offset; /**< added to the loaded value */
};

struct ic_location_piece;

/** A location. Fields that its kind does not use are zero. Sums wrap at the size of an address. */
struct ic_location {
	enum ic_location_kind kind;
	enum ic_location_why why;
	enum ic_location_base base;
	uint32_t reg; /**< DWARF register number, as defined by the machine's ABI */
	/** Signed values in two's complement. If a constant is larger than its type, only the
	 *  low-order bytes count. For IC_LOCATION_BYTES with up to 8 bytes, their numeric value. */
	uint64_t constant;
	int64_t offset;
	uint32_t load_count;
	struct ic_location_load loads[IC_LOCATION_MOST_LOADS];
	const uint8_t *bytes; /**< in the file's byte order */
	uint64_t size;
	const struct ic_location_piece *pieces; /**< in the order of the value's bytes in memory */
	size_t piece_count;
	const uint8_t *expression; /**< the operations it was made from; NULL if there are none */
	size_t expression_size;
	/** GCC notes that the value may be uninitialised (DW_OP_GNU_uninit). */
	bool is_uninitialised;
	bool is_string; /**< the bytes are text, including its NUL */
};

/** A part of a value. */
struct ic_location_piece {
	uint64_t bit_size;
	uint64_t bit_offset;         /**< offset of the part within what `location` describes */
	struct ic_location location; /**< never in pieces itself */
};

/**
 * The categories of the RFC on .BTF.inline: an expression is in the last category here that applies
 * to any of its operations, so each category covers what the ones before it cannot express.
 */
enum ic_location_category {
	IC_CATEGORY_EMPTY,   // no operation, or no expression
	IC_CATEGORY_LITERAL, // numbers and addresses: DW_OP_lit0, addr, implicit_value, stack_value
	IC_CATEGORY_REGISTER,   // DW_OP_reg0, breg0 and the like
	IC_CATEGORY_ARITHMETIC, // arithmetic and comparisons, also typed; branches, calls, TLS;
				// values in memory (DW_OP_deref); values on entry to a function
	IC_CATEGORY_COMPOSITE,  // pieces, and pointers to values that are not in memory
	IC_CATEGORY_STACK // the frame (DW_OP_fbreg, call_frame_cfa), the object's address, and
			  // stack operations (DW_OP_dup, swap and the like)
};

/** A finer classification: the first of these that applies to an expression. */
enum ic_location_shape {
	IC_SHAPE_EMPTY,            // no operation, or no expression
	IC_SHAPE_PIECES,           // pieces, even a single one
	IC_SHAPE_IMPLICIT_POINTER, // a pointer to a value that is not in memory
	IC_SHAPE_BYTES,            // DW_OP_implicit_value
	IC_SHAPE_BRANCH,           // DW_OP_bra or skip
	IC_SHAPE_OUTSIDE,          // needs other DIEs, TLS, an object, or another address space
	IC_SHAPE_ENTRY_VALUE,      // uses the value of a register on entry to the function
	IC_SHAPE_TYPED,            // uses types (DW_OP_convert and the like)
	IC_SHAPE_LOAD,             // reads memory (DW_OP_deref)
	IC_SHAPE_COMPUTED,         // arithmetic other than adding constants, or stack operations
	IC_SHAPE_FRAME,            // memory at, or the value of, the frame plus an offset
	IC_SHAPE_REGISTER,         // the contents of a register
	IC_SHAPE_REGISTER_VALUE,   // a register plus an offset
	IC_SHAPE_REGISTER_MEMORY,  // memory at a register plus an offset
	IC_SHAPE_ADDRESS,          // an address
	IC_SHAPE_ADDRESS_MEMORY,   // memory at an address
	IC_SHAPE_NUMBER,           // a number
	IC_SHAPE_NUMBER_MEMORY     // memory at a number
};

/** How to write a location. Every field may be zero. */
struct ic_location_text_options {
	/** The value's type as its language spells it; NULL if unknown: a C type is then made from
	 *  its size. */
	const char *type;
	uint64_t size;  /**< of the type in bytes; 0 if unknown */
	bool is_signed; /**< the type is a signed number: write constants in decimal */
	/** The operations as text, written after "computed: ". May be NULL. */
	const char *expression;
	unsigned machine; /**< as returned by ic_image_machine(): selects the register names */
	/** Returns the symbol that contains an address in the file, and the offset in it. If it is
	 *  NULL, or returns NULL, the number is written. */
	const char *(*symbol_at)(void *context, uint64_t addr, uint64_t *offset);
	void *context; /**< passed to `symbol_at` */
};

/**
 * Writes a location as one line, without a newline:
 *
 *	%rdi              a register has it; reg5 if that has no name
 *	%rdi+8            the value is the sum
 *	*(u32 *)(%rsi+8)  the value is in memory
 *	*(int *)(CFA-24)  the same, in the function's frame
 *	*(u64 *)(*(u64 *)(%rax+16)+8)
 *	entry(%rdi)       the value of the register on entry to the function
 *	0x20, -1          a number
 *	&jiffies+0x8      an address in the file
 *	&0xc0de           the same, if no symbol has it
 *	{01 02 03}        bytes, in memory order
 *	"on\012"          text without its NUL; other bytes in octal
 *	{%rax:8, %rdx:8}  pieces, with their size in bytes
 *	{%rax:3b@5}       a piece of 3 bits, from bit 5 on
 *	computed: DW_OP_...
 *	unavailable (optimised out)
 *
 * The other reasons are "not here", "unreadable", "not stored yet", "no address" and "not read".
 *
 * @param options  NULL for the defaults.
 * @param text     [out] As much as fits, terminated by NUL; may be NULL if `size` is 0.
 *
 * @return The length of the whole text without its NUL.
 */
IC_API size_t ic_location_text(const struct ic_location *location,
			       const struct ic_location_text_options *options, char *text,
			       size_t size);

#ifdef __cplusplus
}
#endif

#endif
