// More of inlinecall/call_frames.h: rows and entries.
#ifndef INLINECALL_EXTRA_CALL_FRAMES_H
#define INLINECALL_EXTRA_CALL_FRAMES_H

#include <inlinecall/call_frames.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where the caller's value of a register is. CFA is the canonical frame address: that of the stack
 *  pointer in the caller, before the call. */
enum ic_register_rule_kind {
	IC_RULE_UNDEFINED,      // it cannot be recovered
	IC_RULE_SAME_VALUE,     // in the register itself
	IC_RULE_OFFSET,         // in memory at CFA + offset
	IC_RULE_VAL_OFFSET,     // it is CFA + offset
	IC_RULE_REGISTER,       // it is another register + offset; the offset is 0 but for the CFA
	IC_RULE_EXPRESSION,     // in memory where an expression says, which begins with the CFA
	IC_RULE_VAL_EXPRESSION, // it is what an expression says, likewise
	IC_RULE_CONSTANT        // it is the offset: AArch64's state of signing return addresses
};

/** A rule for one register, or for the CFA. What its kind does not use is zero. */
struct ic_register_rule {
	uint16_t reg;  /**< DWARF's number; 0 of the CFA */
	uint8_t kind;  /**< enum ic_register_rule_kind */
	uint8_t space; /**< of the CFA: the address space that it is in, 0 for the program's */
	uint32_t from; /**< REGISTER: its number; expressions: their size in bytes */
	union {
		int64_t offset;
		const uint8_t *expression;
	} at; /**< an offset unless the kind is an expression's */
};

/** The rules for a range of addresses. */
struct ic_call_frame_row {
	struct ic_range range;
	struct ic_register_rule cfa; /**< UNDEFINED, REGISTER or VAL_EXPRESSION */
	/** By register. One that is not listed is as the ABI says. */
	const struct ic_register_rule *rules;
	size_t rule_count;
};

/** The code that an FDE is for, and what all of its rows have in common. */
struct ic_call_frame_entry {
	struct ic_range range;
	const char *section; /**< ".eh_frame" or ".debug_frame" */
	uint64_t off;        /**< of the FDE in it */
	uint32_t return_reg; /**< the column of the return address */
	bool is_signal;      /**< a frame interrupted where it is, as by a signal: its address is no
			      *   return address */
	bool has_b_key;      /**< AArch64: return addresses are signed with the B key */
};

/**
 * Reads the headers of all FDEs and sorts them, unless that was done. Numbers of FDEs need it;
 * ic_call_frame_reader_find() does not.
 *
 * @return false if memory runs out. What cannot be read is a problem.
 *
 * Time: O(n log n) for n FDEs; O(n) if they are in the order of their addresses, as linkers write
 *       them. A million take 0.1 s or more.
 */
IC_API bool ic_call_frames_list(struct ic_call_frames *frames, struct ic_error *err);

/** The number of FDEs that are for any code, once ic_call_frames_list() has read them. */
IC_API size_t ic_call_frames_count(const struct ic_call_frames *frames);

/** FDE number `number`, from 0: those of .eh_frame come first, then those of .debug_frame, each in
 *  the order of addresses. False if there are not so many. */
IC_API bool ic_call_frames_get(const struct ic_call_frames *frames, size_t number,
			       struct ic_call_frame_entry *entry);

/**
 * Finds the FDE for the code at an address: of .eh_frame, or else of .debug_frame. If several
 * overlap, it is the one that begins last.
 *
 * @param number  [out] For ic_call_frames_get().
 *
 * @return false if there is none. Time: O(log n) for n FDEs.
 */
IC_API bool ic_call_frames_find(const struct ic_call_frames *frames, uint64_t addr, size_t *number);

/**
 * Finds the next FDE for some of the code in a range, whichever section it is in.
 *
 * @param number  [in, out] The first one to be looked at, from 0; then the one found.
 *
 * @return false if none is left. Time: O(n) for the n FDEs that are looked at.
 */
IC_API bool ic_call_frames_next(const struct ic_call_frames *frames, struct ic_range range,
				size_t *number);

/** The machine, as ic_image_machine() has it. */
IC_API unsigned ic_call_frames_machine(const struct ic_call_frames *frames);

/** Reads rows, for one thread at a time. */
struct ic_call_frame_reader;

/** A reader, to be freed before the call frames with ic_call_frame_reader_free(); NULL if memory
 * runs out. */
IC_API struct ic_call_frame_reader *ic_call_frame_reader_new(struct ic_call_frames *frames,
							     struct ic_error *err);

/** Frees a reader; NULL is allowed. */
IC_API void ic_call_frame_reader_free(struct ic_call_frame_reader *reader);

/**
 * Begins with the rows of an FDE.
 *
 * @param number  As in ic_call_frames_get(); must be below the count.
 * @param err     [out] Set on failure; may be NULL.
 *
 * @return false if its CIE is malformed, which is a problem of the call frames, or memory runs out.
 */
IC_API bool ic_call_frame_reader_begin(struct ic_call_frame_reader *reader, size_t number,
				       struct ic_error *err);

/**
 * The next row of the FDE; its addresses follow those of the one before.
 *
 * @param row  [out] Valid until the reader is asked for another.
 * @param err  [out] Why there is none: IC_ERROR_NONE after the last one; may be NULL.
 *
 * @return false after the last row, if the instructions from there on are malformed, which is a
 *         problem of the call frames, or memory runs out.
 */
IC_API bool ic_call_frame_reader_next(struct ic_call_frame_reader *reader,
				      struct ic_call_frame_row *row, struct ic_error *err);

/**
 * Finds the row for an address. If the file has an index of .eh_frame (.eh_frame_hdr) in which it
 * is, only its FDE is read. Else the headers of all are, once, as by ic_call_frames_list().
 *
 * @param entry  [out] The FDE that it is in.
 * @param row    [out] As in ic_call_frame_reader_next().
 * @param err    [out] Why there is none; may be NULL.
 *
 * @return false if no FDE is for the address (IC_ERROR_NOT_FOUND), its instructions are malformed
 *         before that, or memory runs out.
 *
 * Time: O(log n) for n FDEs, and the instructions of one.
 */
IC_API bool ic_call_frame_reader_find(struct ic_call_frame_reader *reader, uint64_t addr,
				      struct ic_call_frame_entry *entry,
				      struct ic_call_frame_row *row, struct ic_error *err);

/**
 * Writes a rule of the last row as text: "%rsp+8" or an expression of a CFA; of a register
 * "[CFA-16]" in memory, "CFA+8" if it is that, "%rax" in another one, "[EXPRESSION]", "EXPRESSION",
 * "undefined" or "same".
 *
 * @param is_cfa  Whether the rule is that of the CFA.
 *
 * @return The reader's, valid until the next text; NULL if memory runs out. An expression that is
 *         malformed is a problem of the call frames, and the text has a mark in angle brackets.
 */
IC_API const char *ic_call_frame_reader_text(struct ic_call_frame_reader *reader,
					     const struct ic_register_rule *rule, bool is_cfa);

/**
 * The name of a register in the rows of an FDE. POWER's 32-bit ABI has other numbers in .eh_frame
 * than in debug information.
 *
 * @return As ic_register_name().
 */
IC_API const char *ic_call_frame_register_name(const struct ic_call_frames *frames,
					       const struct ic_call_frame_entry *entry,
					       uint32_t number);

enum ic_call_frame_item_kind {
	IC_CALL_FRAME_CIE,
	IC_CALL_FRAME_FDE,
	IC_CALL_FRAME_TERMINATOR, // a length of 0
	IC_CALL_FRAME_INSTRUCTION // of the CIE or FDE before it
};

/** A pointer that may be to a word which has the pointer that is meant. */
struct ic_call_frame_pointer {
	bool is_given;
	bool is_indirect;
	uint64_t value;
};

/** An entry of a section, or an instruction in it. What its kind does not have is zero. */
struct ic_call_frame_item {
	enum ic_call_frame_item_kind kind;
	const char *section;   /**< ".eh_frame" or ".debug_frame" */
	uint64_t off, size;    /**< of the entry in it; of an instruction only the first */
	const char *text;      /**< of an instruction: as in "DW_CFA_def_cfa: %rsp +8" */
	struct ic_range range; /**< of an FDE */
	uint64_t cie_off;      /**< likewise */
	struct ic_call_frame_pointer lsda, personality; /**< of an FDE; of a CIE */
	uint32_t version;                               /**< from here on of a CIE */
	const char *augmentation;
	uint64_t code_align;
	int64_t data_align;
	uint32_t return_reg;
	bool is_signal;
};

/** Entries and their instructions, and which is next; for one thread at a time. */
struct ic_call_frame_items;

/**
 * Opens the entries of call frames, in the order of the file.
 *
 * @param range  Only FDEs for some of this code, each after its CIE; NULL for all entries.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return To be freed before the call frames with ic_call_frame_items_free(); NULL if memory runs
 * out.
 */
IC_API struct ic_call_frame_items *ic_call_frame_items_open(struct ic_call_frames *frames,
							    const struct ic_range *range,
							    struct ic_error *err);

/** Frees entries; NULL is allowed. */
IC_API void ic_call_frame_items_free(struct ic_call_frame_items *items);

/**
 * The next entry or instruction.
 *
 * @param item  [out] Valid until the next is asked for; what is wrong in an entry is a problem of
 *              the call frames, and ends it.
 * @param err   [out] Why there is none: IC_ERROR_NONE after the last one; may be NULL.
 *
 * @return false after the last one, and if memory runs out.
 */
IC_API bool ic_call_frame_items_next(struct ic_call_frame_items *items,
				     struct ic_call_frame_item *item, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
