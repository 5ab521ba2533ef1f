// Writing tables of inlined calls, in the formats that btf_inline.h reads.
//
// A writer is for one thread at a time. Its output is valid as long as the writer.
#ifndef INLINECALL_EXTRA_BTF_ENCODE_H
#define INLINECALL_EXTRA_BTF_ENCODE_H

#include <inlinecall/extra/btf_inline.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether a location is in a written table, or why it is not. */
enum ic_btf_loss {
	IC_BTF_LOSS_NONE,        // it is
	IC_BTF_LOSS_UNAVAILABLE, // there is none
	IC_BTF_LOSS_UNREADABLE,  // it could not be read
	IC_BTF_LOSS_ENTRY_VALUE, // it is the value of a register on entry to the host
	IC_BTF_LOSS_FRAME,       // it is in the frame of the host
	IC_BTF_LOSS_ADDRESS,     // it depends on where the file is loaded
	IC_BTF_LOSS_PIECES,      // the value is in several parts
	IC_BTF_LOSS_BYTES,       // it is a constant of more than 8 bytes
	IC_BTF_LOSS_SIZE,        // it is in memory, with a size that cannot be loaded at once
	IC_BTF_LOSS_POINTER,     // it is behind a pointer, in a way that the format cannot express
	IC_BTF_LOSS_NUMBER,      // a register number or an offset is too large
	IC_BTF_LOSS_COMPUTED     // none of the above
};

/** The number of losses; there may be more in future. */
#define IC_BTF_LOSS_COUNT_OF 12

/** Describes a loss in a few words: "in the stack frame". NULL for other numbers. */
IC_API const char *ic_btf_loss_text(enum ic_btf_loss loss);

/** How to write a table. Zero-initialised: the RFC's format, little-endian, sorted. */
struct ic_btf_writer_options {
	enum ic_btf_inline_format format;
	bool is_big_endian;
	bool keep_order; /**< keep the order in which calls are added, instead of sorting them */
	/** Addresses in the file equal those in memory, and are written as numbers. */
	bool has_fixed_addresses;
	/** What type numbers refer to. IC_BTF_INLINE_LOC is BTF split on these, and needs them;
	 *  otherwise NULL is allowed. Borrowed. */
	const struct ic_btf *types;
};

/** A table being written. */
struct ic_btf_writer;

/**
 * Makes a writer.
 *
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The writer, to be freed with ic_btf_writer_free(); NULL if the types that the format
 * needs are missing (IC_ERROR_ARGUMENT), or memory runs out.
 */
IC_API struct ic_btf_writer *ic_btf_writer_new(const struct ic_btf_writer_options *options,
					       struct ic_error *err);

/** Frees a writer and its output; NULL is allowed. */
IC_API void ic_btf_writer_free(struct ic_btf_writer *writer);

/** An inlined call. */
struct ic_btf_writer_call {
	uint32_t callee; /**< the inlined FUNC */
	uint32_t caller; /**< RFC: the FUNC that contains the code */
	/** RFC: of the entry address from the start of the caller, modulo 2^32. LOC: from the start
	 *  of the section. */
	uint32_t offset;
	const char *section;  /**< LOC: the name of its LOCSEC; not kept */
	uint64_t caller_addr; /**< RFC: calls are sorted by this, then by offset, ... */
	/** ... then by this, the number of inlined functions around it; then by callee. */
	uint32_t depth;
};

/**
 * Adds a call. Parameters added next belong to it. If memory runs out, ic_btf_writer_finish()
 * reports it.
 */
IC_API void ic_btf_writer_add_call(struct ic_btf_writer *writer,
				   const struct ic_btf_writer_call *call);

/**
 * Adds a parameter of the last call. Add every parameter that the function declares, in order.
 *
 * @param location   Where it is. Not kept.
 * @param size       Of its type in bytes; 0 if unknown.
 * @param is_signed  Whether the type is a signed number.
 *
 * @return Whether the location can be written; if not, the parameter is written as unavailable.
 */
IC_API enum ic_btf_loss ic_btf_writer_add_parameter(struct ic_btf_writer *writer,
						    const struct ic_location *location,
						    uint64_t size, bool is_signed);

/**
 * Writes the table. Nothing can be added afterwards. The same calls give the same bytes. If they
 * are sorted, the order of adding does not matter, except among calls with equal sort keys.
 *
 * @param size  [out]
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return The section, valid as long as the writer; NULL if memory runs or ran out, or there are
 *         more calls, types, bytes, or parameters of one call than the format can count
 *         (IC_ERROR_LIMIT).
 *
 * Cost: O(n) for the calls and parameters.
 */
IC_API const void *ic_btf_writer_finish(struct ic_btf_writer *writer, size_t *size,
					struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
