// Writing tables of inlined calls, in the forms that btf_inline.h reads.
//
// A writer belongs to one thread at a time. What it wrote lives as long as it.
#ifndef INLINECALL_EXTRA_BTF_ENCODE_H
#define INLINECALL_EXTRA_BTF_ENCODE_H

#include <inlinecall/extra/btf_inline.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether a location is in a table that is written, and if not, why not. */
enum ic_btf_loss {
	IC_BTF_LOSS_NONE,        // it is
	IC_BTF_LOSS_UNAVAILABLE, // there is none
	IC_BTF_LOSS_UNREADABLE,  // it could not be read
	IC_BTF_LOSS_ENTRY_VALUE, // it is what a register held when the host was entered
	IC_BTF_LOSS_FRAME,       // it is on the frame of the host
	IC_BTF_LOSS_ADDRESS,     // it needs to be known where the file is loaded
	IC_BTF_LOSS_PIECES,      // parts of the value are in several places
	IC_BTF_LOSS_BYTES,       // it is a constant of more than 8 bytes
	IC_BTF_LOSS_SIZE,        // it is in memory, and has a size that cannot be loaded at once
	IC_BTF_LOSS_POINTER,     // it is behind a pointer in a way that the form does not have
	IC_BTF_LOSS_NUMBER,      // a register or an offset has too large a number
	IC_BTF_LOSS_COMPUTED     // it is none of these
};

/** The number of these; more may come. */
#define IC_BTF_LOSS_COUNT_OF 12

/** What is lost, in a few words: "on the frame". NULL for other numbers. */
IC_API const char *ic_btf_loss_text(enum ic_btf_loss loss);

/** How a table is written. Zero-initialised: the RFC's form, little-endian, sorted. */
struct ic_btf_writer_options {
	enum ic_btf_inline_format format; /**< IC_BTF_INLINE_RFC or IC_BTF_INLINE_LOC */
	bool is_big_endian;
	bool keep_order; /**< of the calls as they are added, instead of sorting them */
	/** An address in the file is its address in memory: it is written as a number. */
	bool has_fixed_addresses;
	/** What the numbers of types refer to. IC_BTF_INLINE_LOC is BTF that is split on these,
	 *  and needs them; else NULL is allowed. Borrowed. */
	const struct ic_btf *types;
};

/** A table that is being written. */
struct ic_btf_writer;

/**
 * Begins a table.
 *
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return To be freed with ic_btf_writer_free(); NULL if the form is none that can be written, or
 *         lacks its types (IC_ERROR_ARGUMENT), or memory runs out.
 */
IC_API struct ic_btf_writer *ic_btf_writer_new(const struct ic_btf_writer_options *options,
					       struct ic_error *err);

/** Frees a writer and what it wrote; NULL is allowed. */
IC_API void ic_btf_writer_free(struct ic_btf_writer *writer);

/** An inlined call. */
struct ic_btf_writer_call {
	uint32_t callee; /**< the FUNC that was inlined */
	uint32_t caller; /**< RFC: the FUNC that has the code */
	/** RFC: of the entry, from the start of the caller, modulo 2^32. LOC: from the start of the
	 *  section. */
	uint32_t offset;
	const char *section;  /**< LOC: the name for its LOCSEC; not kept */
	uint64_t caller_addr; /**< RFC: calls are sorted by this, then by their offset, ... */
	uint32_t depth; /**< ... then by this: inlined functions around it; then by the callee */
};

/** Adds a call, to which the parameters that are added next belong. If memory runs out,
 *  ic_btf_writer_finish() will say so. */
IC_API void ic_btf_writer_add_call(struct ic_btf_writer *writer,
				   const struct ic_btf_writer_call *call);

/**
 * Adds a parameter of the last call. Each that the function declares is added, in their order.
 *
 * @param location   Where it is. Not kept.
 * @param size       Of its type in bytes; 0 if it is not known.
 * @param is_signed  Whether the type is a signed number.
 *
 * @return Whether the location can be written; if not, the parameter is written as one that is not
 *         available.
 */
IC_API enum ic_btf_loss ic_btf_writer_add_parameter(struct ic_btf_writer *writer,
						    const struct ic_location *location,
						    uint64_t size, bool is_signed);

/**
 * Writes the table. Nothing can be added any more. The same calls give the same bytes; if they are
 * sorted, in whatever order they were added, but for those of which all of that is equal.
 *
 * @param size  [out]
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return The section, as long-lived as the writer; NULL if memory is or was out, or there are more
 *         parameters of a call, calls, types or bytes than the form can count (IC_ERROR_LIMIT).
 *
 * Cost: O(n) for the calls and parameters.
 */
IC_API const void *ic_btf_writer_finish(struct ic_btf_writer *writer, size_t *size,
					struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
