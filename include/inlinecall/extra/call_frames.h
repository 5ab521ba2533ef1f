// More of inlinecall/call_frames.h: rows and entries.
#ifndef INLINECALL_EXTRA_CALL_FRAMES_H
#define INLINECALL_EXTRA_CALL_FRAMES_H

#include <inlinecall/call_frames.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How to recover the caller's value of a register. CFA is the canonical frame address: the value of
 * the stack pointer in the caller, before the call.
 */
enum ic_register_rule_kind {
	IC_RULE_UNDEFINED,  // it cannot be recovered
	IC_RULE_SAME_VALUE, // in the register itself
	IC_RULE_OFFSET,     // in memory at CFA + offset
	IC_RULE_VAL_OFFSET, // the value is CFA + offset
	IC_RULE_REGISTER, // the value is another register + offset; the offset is 0 except for the
			  // CFA
	IC_RULE_EXPRESSION, // in memory, at the address an expression evaluates to, starting with
			    // the CFA on the stack
	IC_RULE_VAL_EXPRESSION, // the value an expression evaluates to, likewise
	IC_RULE_CONSTANT // the value is the offset: AArch64's state of signing return addresses
};

/** A rule for one register, or for the CFA. Fields that its kind does not use are zero. */
struct ic_register_rule {
	uint16_t reg;  /**< DWARF register number; 0 for the CFA */
	uint8_t kind;  /**< enum ic_register_rule_kind */
	uint8_t space; /**< for the CFA: its address space, 0 for the program's */
	uint32_t from; /**< REGISTER: register number; expressions: size in bytes */
	union {
		int64_t offset;
		const uint8_t *expression;
	} at; /**< an offset unless the kind has an expression */
};

/** The rules for a range of addresses. */
struct ic_call_frame_row {
	struct ic_range range;
	struct ic_register_rule cfa; /**< UNDEFINED, REGISTER or VAL_EXPRESSION */
	/** Sorted by register. A register without a rule is as defined by the ABI; in .sframe, the
	 *  frame pointer and the return address are unchanged, and all others unknown. */
	const struct ic_register_rule *rules;
	size_t rule_count;
};

/** The code that an FDE covers, and what all its rows have in common. */
struct ic_call_frame_entry {
	struct ic_range range;
	const char *section; /**< ".eh_frame", ".debug_frame" or ".sframe" */
	uint64_t off;        /**< of the FDE in the section */
	uint32_t return_reg; /**< the column of the return address */
	/** A frame that was interrupted, as by a signal: its address is not a return address. */
	bool is_signal;
	bool has_b_key; /**< AArch64: return addresses are signed with the B key */
};

/**
 * Reads and sorts the headers of all FDEs, unless already done. FDE numbers need it;
 * ic_call_frame_reader_find() does not.
 *
 * @return false if memory runs out. Unreadable data becomes a problem.
 *
 * Time: O(n log n) for n FDEs; O(n) if they are sorted by address, as linkers write them. A
 *       million take 0.1 s or more.
 */
IC_API bool ic_call_frames_list(struct ic_call_frames *frames, struct ic_error *err);

/** The number of FDEs that cover any code, once ic_call_frames_list() has read them. */
IC_API size_t ic_call_frames_count(const struct ic_call_frames *frames);

/**
 * Gets FDE number `number`, from 0: first those of .eh_frame, then those of .debug_frame and
 * .sframe, each sorted by address. False if there are fewer.
 */
IC_API bool ic_call_frames_get(const struct ic_call_frames *frames, size_t number,
			       struct ic_call_frame_entry *entry);

/**
 * Finds the FDE for the code at an address, in .eh_frame or else in .debug_frame or else in
 * .sframe. If several overlap, it is the one that starts last.
 *
 * @param number  [out] For ic_call_frames_get().
 *
 * @return false if there is none. Time: O(log n) for n FDEs.
 */
IC_API bool ic_call_frames_find(const struct ic_call_frames *frames, uint64_t addr, size_t *number);

/**
 * Finds the next FDE that covers some of the code in a range, in any section.
 *
 * @param number  [in, out] The first one to consider, from 0; then the one found.
 *
 * @return false if there are no more. Time: O(n) for the n FDEs considered.
 */
IC_API bool ic_call_frames_next(const struct ic_call_frames *frames, struct ic_range range,
				size_t *number);

/** The machine, as returned by ic_image_machine(). */
IC_API unsigned ic_call_frames_machine(const struct ic_call_frames *frames);

/** A reader of rows, for one thread at a time. */
struct ic_call_frame_reader;

/**
 * Makes a reader, to be freed with ic_call_frame_reader_free() before the call frames; NULL if
 * memory runs out.
 */
IC_API struct ic_call_frame_reader *ic_call_frame_reader_new(struct ic_call_frames *frames,
							     struct ic_error *err);

/** Frees a reader; NULL is allowed. */
IC_API void ic_call_frame_reader_free(struct ic_call_frame_reader *reader);

/**
 * Starts with the rows of an FDE.
 *
 * @param number  See ic_call_frames_get(); must be below the count.
 * @param err     [out] Set on failure; may be NULL.
 *
 * @return false if its CIE is malformed, which is a problem of the call frames, or memory runs out.
 */
IC_API bool ic_call_frame_reader_begin(struct ic_call_frame_reader *reader, size_t number,
				       struct ic_error *err);

/**
 * Gets the next row of the FDE; its addresses follow those of the previous row. In .sframe there
 * may be gaps.
 *
 * @param row  [out] Valid until the next call.
 * @param err  [out] Why there is none: IC_ERROR_NONE after the last one; may be NULL.
 *
 * @return false after the last row, if the next instructions are malformed, which is a problem of
 *         the call frames, or if memory runs out.
 */
IC_API bool ic_call_frame_reader_next(struct ic_call_frame_reader *reader,
				      struct ic_call_frame_row *row, struct ic_error *err);

/**
 * Finds the row for an address. If the file has an index of .eh_frame (.eh_frame_hdr) that covers
 * it, only one FDE is read. Otherwise the headers of all are read once, as by
 * ic_call_frames_list(). .sframe is searched last; if it is sorted, only some FDEs are read.
 *
 * @param entry  [out] The FDE that covers it.
 * @param row    [out] See ic_call_frame_reader_next().
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return false if no FDE covers the address (IC_ERROR_NOT_FOUND), its instructions up to there are
 *         malformed, or memory runs out.
 *
 * Time: O(log n) for n FDEs, plus executing the instructions of one.
 */
IC_API bool ic_call_frame_reader_find(struct ic_call_frame_reader *reader, uint64_t addr,
				      struct ic_call_frame_entry *entry,
				      struct ic_call_frame_row *row, struct ic_error *err);

/**
 * Writes a rule of the last row as text. For the CFA: "%rsp+8" or an expression. For a register:
 * "[CFA-16]" in memory, "CFA+8" for that value, "%rax" in another register, "[EXPRESSION]",
 * "EXPRESSION", "undefined" or "same".
 *
 * @param is_cfa  Whether the rule is that of the CFA.
 *
 * @return The text, owned by the reader and valid until the next one; NULL if memory runs out. A
 *         malformed expression is a problem of the call frames, and marked in the text in angle
 *         brackets.
 */
IC_API const char *ic_call_frame_reader_text(struct ic_call_frame_reader *reader,
					     const struct ic_register_rule *rule, bool is_cfa);

/**
 * The name of a register in the rows of an FDE. POWER's 32-bit ABI numbers registers differently in
 * .eh_frame and in debug information.
 *
 * @return See ic_register_name().
 */
IC_API const char *ic_call_frame_register_name(const struct ic_call_frames *frames,
					       const struct ic_call_frame_entry *entry,
					       uint32_t number);

enum ic_call_frame_item_kind {
	IC_CALL_FRAME_CIE,
	IC_CALL_FRAME_FDE,
	IC_CALL_FRAME_TERMINATOR, // a length of 0
	IC_CALL_FRAME_INSTRUCTION // of the preceding CIE or FDE; in .sframe an FRE, such as
				  // "FRE: 0x1004 CFA=%rsp+16 %rip=[CFA-8]"
};

/** A pointer, possibly to a word that holds the actual pointer. */
struct ic_call_frame_pointer {
	bool is_given;
	bool is_indirect;
	uint64_t value;
};

/** An entry of a section, or an instruction in it. Fields that its kind does not have are zero. */
struct ic_call_frame_item {
	enum ic_call_frame_item_kind kind;
	const char *section;   /**< ".eh_frame", ".debug_frame" or ".sframe" */
	uint64_t off, size;    /**< of the entry in the section; an instruction has only `off` */
	const char *text;      /**< for an instruction: such as "DW_CFA_def_cfa: %rsp +8" */
	struct ic_range range; /**< for an FDE */
	uint64_t cie_off;      /**< for an FDE; IC_NO_ADDR in .sframe */
	struct ic_call_frame_pointer lsda, personality; /**< for an FDE; for a CIE */
	uint32_t version;                               /**< from here on: for a CIE */
	const char *augmentation;
	uint64_t code_align;
	int64_t data_align;
	uint32_t return_reg;
	bool is_signal;
};

/** An iterator over entries and their instructions, for one thread at a time. */
struct ic_call_frame_items;

/**
 * Opens an iterator over the entries of call frames, in file order. Those of .sframe are last; an
 * FDE for repeated blocks, as in PLTs, has the FREs of the first.
 *
 * @param range  Only FDEs that cover some of this code, each after its CIE; NULL for all entries.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The iterator, to be freed with ic_call_frame_items_free() before the call frames; NULL if
 *         memory runs out.
 */
IC_API struct ic_call_frame_items *ic_call_frame_items_open(struct ic_call_frames *frames,
							    const struct ic_range *range,
							    struct ic_error *err);

/** Frees an iterator; NULL is allowed. */
IC_API void ic_call_frame_items_free(struct ic_call_frame_items *items);

/**
 * Gets the next entry or instruction.
 *
 * @param item  [out] Valid until the next call. An error in an entry is a problem of the call
 *              frames, and ends that entry.
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
