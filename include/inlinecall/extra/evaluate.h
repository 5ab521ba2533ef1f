// Evaluating location expressions (DWARF 5, 2.5 and 2.6): finds where a value is, and its bytes,
// with registers, memory and everything else supplied by the caller.
//
// Nothing is allocated. Evaluation stops after 10,000 operations, with more than 256 values on the
// stack, or if calls to other expressions are nested more than 16 deep. Values on the stack are
// addresses, integers of 1 to 8 bytes, and floating-point numbers of 4 or 8. These functions keep
// no state: any number of threads may call them.
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
	// The value is a pointer to the value of the DIE at `die_off`, plus `offset`; that value is
	// not in memory.
	IC_EVALUATED_POINTER,
	IC_EVALUATED_PIECES // the value is in several parts
};

/** The result of an expression. Fields that its kind does not use are zero. */
struct ic_evaluated {
	enum ic_evaluated_kind kind;
	uint32_t reg; /**< DWARF register number, as defined by the machine's ABI */
	uint64_t addr;
	uint64_t value;       /**< an integer, or the bits of a floating-point number */
	uint64_t size;        /**< of `value` or `bytes`, in bytes */
	const uint8_t *bytes; /**< inside the expression */
	uint64_t die_off;     /**< from the start of .debug_info */
	int64_t offset;
	size_t piece_count;    /**< number of `pieces` in the options that are used */
	bool is_uninitialised; /**< GCC notes that the value may be uninitialised */
};

/** A part of a value. */
struct ic_evaluated_piece {
	uint64_t bit_size;
	uint64_t bit_offset; /**< offset of the part within its place */
	struct ic_evaluated place;
};

/** A number type (DW_TAG_base_type). */
struct ic_base_type {
	uint64_t size;     /**< in bytes */
	uint32_t encoding; /**< DW_ATE_* */
};

/** What an expression's reference to a DIE is relative to. */
enum ic_die_base {
	IC_DIE_OF_UNIT,   // the start of its unit
	IC_DIE_OF_SECTION // the start of .debug_info
};

/**
 * Properties of an expression's unit, and callbacks that supply values. Callbacks may be NULL:
 * expressions that need them then fail. They return false on failure, and may then fill in *err.
 */
struct ic_evaluate_options {
	uint16_t version;    /**< DWARF version of the unit */
	uint8_t addr_size;   /**< 4 or 8 */
	uint8_t offset_size; /**< 4 or 8 */
	bool is_big_endian;
	/** Added to an address in the file to get the one in memory, unless `find_loaded` does
	 *  that, for a file whose sections are loaded each somewhere else. */
	uint64_t bias;
	bool (*find_loaded)(void *context, uint64_t addr, uint64_t *loaded, struct ic_error *err);
	/** Where to store pieces, and how many fit; there is no other limit on their number. */
	struct ic_evaluated_piece *pieces;
	size_t piece_room;
	/** Gets the low-order `size` bytes of a register, in the file's byte order. */
	bool (*read_register)(void *context, uint32_t reg, void *bytes, size_t size,
			      struct ic_error *err);
	bool (*read_memory)(void *context, uint64_t addr, void *bytes, size_t size,
			    struct ic_error *err);
	/** Reads memory in an address space other than the program's. */
	bool (*read_space)(void *context, uint64_t space, uint64_t addr, void *bytes, size_t size,
			   struct ic_error *err);
	/** The result of DW_AT_frame_base of the enclosing function, and its canonical frame
	 *  address. */
	bool (*find_frame_base)(void *context, uint64_t *addr, struct ic_error *err);
	bool (*find_cfa)(void *context, uint64_t *addr, struct ic_error *err);
	/** The value that an expression had on entry to the enclosing function: its bits,
	 *  zero-extended. */
	bool (*find_entry_value)(void *context, const uint8_t *expression, size_t size,
				 uint64_t *value, struct ic_error *err);
	/** Gets the address of an offset in thread-local storage. */
	bool (*find_thread_local)(void *context, uint64_t offset, uint64_t *addr,
				  struct ic_error *err);
	/** Gets the address of the object that has the member. */
	bool (*find_object)(void *context, uint64_t *addr, struct ic_error *err);
	/** Gets an address by its index in the unit's part of .debug_addr. */
	bool (*find_address)(void *context, uint64_t index, uint64_t *addr, struct ic_error *err);
	/** Gets the expression in the DW_AT_location of a DIE; of size 0 if it has none. It must
	 *  remain valid until the evaluation ends. */
	bool (*find_location)(void *context, enum ic_die_base base, uint64_t die_off,
			      const uint8_t **expression, size_t *size, struct ic_error *err);
	/** Gets the value of a variable, or the value that the function's caller passed for a
	 *  parameter: its bits, zero-extended. */
	bool (*find_value)(void *context, enum ic_die_base base, uint64_t die_off, uint64_t *value,
			   struct ic_error *err);
	/** Gets the type at an offset from the start of the unit. */
	bool (*find_type)(void *context, uint64_t off, struct ic_base_type *type,
			  struct ic_error *err);
	void *context; /**< passed to the callbacks */
	/** The initial stack, top last: for a call frame information rule, the canonical frame
	 *  address. At most 256 values. */
	const uint64_t *stack;
	size_t stack_count;
};

/**
 * Evaluates an expression.
 *
 * @param expression  `size` bytes, in the file's byte order.
 * @param evaluated   [out] Points into the expression.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return false if the expression is malformed (IC_ERROR_MALFORMED), divides by zero or the like or
 *         exceeds a limit (IC_ERROR_LIMIT), if a callback is missing or fails (IC_ERROR_NOT_FOUND,
 *         or the callback's error), or if an operation is not supported (IC_ERROR_UNSUPPORTED).
 *
 * Time: O(1); at most that of 10,000 operations.
 */
IC_API bool ic_evaluate(const uint8_t *expression, size_t size,
			const struct ic_evaluate_options *options, struct ic_evaluated *evaluated,
			struct ic_error *err);

/**
 * Reads a value from its place.
 *
 * @param options  The options it was evaluated with, with the same pieces.
 * @param bytes    [out] The value's first `size` bytes in memory, or what would be there.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return false if part of it is optimised out or cannot be read (IC_ERROR_NOT_FOUND, or a
 *         callback's error), if it has fewer bytes (IC_ERROR_MISMATCH), or if it consists of bits
 *         in big-endian order, or in little-endian order of a part of more than 256 bits that is
 *         not whole bytes (IC_ERROR_UNSUPPORTED).
 */
IC_API bool ic_evaluated_read(const struct ic_evaluated *evaluated,
			      const struct ic_evaluate_options *options, void *bytes, size_t size,
			      struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
