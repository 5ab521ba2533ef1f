// Evaluates location expressions (DWARF 5, 2.5 and 2.6): where a value is, and its bytes, with
// registers, memory and whatever else is asked for from the caller.
//
// Nothing is allocated. An expression is given up after 10,000 operations, with more than 256
// values on its stack, or where calls of others are nested more than 16 deep. Values on the stack
// are addresses, integers of 1 to 8 bytes, and floating-point numbers of 4 or 8. These functions
// keep nothing: any number of threads may call them.
#ifndef INLINECALL_EXTRA_EVALUATE_H
#define INLINECALL_EXTRA_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/error.h>
#include <inlinecall/version.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ic_evaluated_kind {
	IC_EVALUATED_NOTHING,  // the value was optimised out
	IC_EVALUATED_MEMORY,   // the value is in memory at `addr`
	IC_EVALUATED_REGISTER, // the value is in the register `reg`
	IC_EVALUATED_VALUE,    // the value is `value`
	IC_EVALUATED_BYTES,    // the value is the `size` bytes at `bytes`
	IC_EVALUATED_POINTER,  // the value points, with `offset`, to that of the DIE at `die_off`,
			      // which is not in memory
	IC_EVALUATED_PIECES // parts of the value are in several places
};

/** What an expression gives. What its kind does not use is zero. */
struct ic_evaluated {
	enum ic_evaluated_kind kind;
	uint32_t reg; /**< DWARF's number, as the machine's ABI gives them */
	uint64_t addr;
	uint64_t value;       /**< an integer, or the bits of a floating-point number */
	uint64_t size;        /**< of a value or its bytes, in bytes */
	const uint8_t *bytes; /**< in the expression */
	uint64_t die_off;     /**< from the start of .debug_info */
	int64_t offset;
	size_t piece_count;    /**< of the pieces in the options */
	bool is_uninitialised; /**< GCC says that the value may not be set */
};

/** A part of a value. */
struct ic_evaluated_piece {
	uint64_t bit_size;
	uint64_t bit_offset; /**< of the part in its place */
	struct ic_evaluated place;
};

/** The type of numbers (DW_TAG_base_type). */
struct ic_base_type {
	uint64_t size;     /**< in bytes */
	uint32_t encoding; /**< DW_ATE_* */
};

/** How an expression refers to a DIE. */
enum ic_die_base {
	IC_DIE_OF_UNIT,   // from the start of its unit
	IC_DIE_OF_SECTION // from the start of .debug_info
};

/** Of an expression's unit, and where values come from. Functions may be NULL: expressions that
 * need them fail. They return false if they cannot tell; they may fill in *err then. */
struct ic_evaluate_options {
	uint16_t version;    /**< of the unit's DWARF */
	uint8_t addr_size;   /**< 4 or 8 */
	uint8_t offset_size; /**< 4 or 8 */
	bool is_big_endian;
	/** What is added to addresses of the file to get those in memory. */
	uint64_t bias;
	/** Where pieces go, and how many there is room for; their number is not limited otherwise.
	 */
	struct ic_evaluated_piece *pieces;
	size_t piece_room;
	/** The low-order `size` bytes of a register, in the file's byte order. */
	bool (*read_register)(void *context, uint32_t reg, void *bytes, size_t size,
			      struct ic_error *err);
	bool (*read_memory)(void *context, uint64_t addr, void *bytes, size_t size,
			    struct ic_error *err);
	/** Memory of another address space than that of the program. */
	bool (*read_space)(void *context, uint64_t space, uint64_t addr, void *bytes, size_t size,
			   struct ic_error *err);
	/** What DW_AT_frame_base of the enclosing function gives, and its canonical frame address.
	 */
	bool (*find_frame_base)(void *context, uint64_t *addr, struct ic_error *err);
	bool (*find_cfa)(void *context, uint64_t *addr, struct ic_error *err);
	/** The value that an expression had when the enclosing function was entered: the bits,
	 *  zero-extended. */
	bool (*find_entry_value)(void *context, const uint8_t *expression, size_t size,
				 uint64_t *value, struct ic_error *err);
	/** The address of what is at an offset in thread-local storage. */
	bool (*find_thread_local)(void *context, uint64_t offset, uint64_t *addr,
				  struct ic_error *err);
	/** The address of the object whose member is looked for. */
	bool (*find_object)(void *context, uint64_t *addr, struct ic_error *err);
	/** An address in the unit's part of .debug_addr. */
	bool (*find_address)(void *context, uint64_t index, uint64_t *addr, struct ic_error *err);
	/** The expression that is the DW_AT_location of a DIE; without one, of no bytes. It must
	 *  stay until the evaluation ends. */
	bool (*find_location)(void *context, enum ic_die_base base, uint64_t die_off,
			      const uint8_t **expression, size_t *size, struct ic_error *err);
	/** The value of a variable, or that which the caller of the function has given for a
	 *  parameter: the bits, zero-extended. */
	bool (*find_value)(void *context, enum ic_die_base base, uint64_t die_off, uint64_t *value,
			   struct ic_error *err);
	/** The type at an offset from the start of the unit. */
	bool (*find_type)(void *context, uint64_t off, struct ic_base_type *type,
			  struct ic_error *err);
	void *context; /**< handed to the functions */
	/** What is on the stack at first, the last on top: of a rule of call frame information the
	 *  canonical frame address. At most 256. */
	const uint64_t *stack;
	size_t stack_count;
};

/**
 * Evaluates an expression.
 *
 * @param expression  `size` bytes, in the file's byte order.
 * @param evaluated   [out] Points into the expression.
 * @param err         [out] What is missing or wrong; may be NULL.
 *
 * @return false if the expression breaks the format (IC_ERROR_MALFORMED), divides by zero or the
 *         like, or does too much (IC_ERROR_LIMIT), if something is not given or could not be told
 *         (IC_ERROR_NOT_FOUND, or as the function said), or is not supported
 *         (IC_ERROR_UNSUPPORTED).
 *
 * Time: O(1); at most that of 10,000 operations.
 */
IC_API bool ic_evaluate(const uint8_t *expression, size_t size,
			const struct ic_evaluate_options *options, struct ic_evaluated *evaluated,
			struct ic_error *err);

/**
 * Reads a value from where it is.
 *
 * @param options  Those that it was evaluated with, with the same pieces.
 * @param bytes    [out] The value's first `size` bytes in memory, or what would be there.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return false if some of it is optimised out or could not be read (IC_ERROR_NOT_FOUND, or as a
 *         function said), if it has fewer bytes (IC_ERROR_MISMATCH), or is made of bits in
 *         big-endian order, or in little-endian order of a part of more than 256 bits that is
 *         not of whole bytes (IC_ERROR_UNSUPPORTED).
 */
IC_API bool ic_evaluated_read(const struct ic_evaluated *evaluated,
			      const struct ic_evaluate_options *options, void *bytes, size_t size,
			      struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
