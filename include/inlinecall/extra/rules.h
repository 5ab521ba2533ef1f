// Rules about inlining, and whether files keep them.
//
// A rule is a line of text, such as "never inline f" or "g into main". Rules are checked file by
// file; what they count is added up over all files.
#ifndef INLINECALL_EXTRA_RULES_H
#define INLINECALL_EXTRA_RULES_H

#include <inlinecall/call_frames.h>
#include <inlinecall/image.h>
#include <inlinecall/index.h>
#include <inlinecall/parameters.h>
#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_rules;

/**
 * Makes an empty set of rules.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return The rules, to be freed with ic_rules_free(); NULL if memory runs out.
 */
IC_API struct ic_rules *ic_rules_new(struct ic_error *err);

/** Frees rules; NULL is allowed. */
IC_API void ic_rules_free(struct ic_rules *rules);

/**
 * Adds the rule of a line, as described in inlinecall-check(1). Lines without a rule, which are
 * blank or a comment, add none.
 *
 * @param file  Where the line is from, for ic_rule::file; copied. NULL for none.
 * @param line  The same, from 1.
 * @param text  Without a newline; copied.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return false if the line is no rule (IC_ERROR_ARGUMENT), or memory runs out.
 */
IC_API bool ic_rules_add(struct ic_rules *rules, const char *file, uint32_t line, const char *text,
			 struct ic_error *err);

/** What of struct ic_rule_readers the rules need. */
struct ic_rule_needs {
	bool parameters, call_frames, symbolizer;
};

/**
 * Finds out what the rules need to know of a file. Sets the options of an index that they need,
 * such as `calls`; the others stay.
 */
IC_API struct ic_rule_needs ic_rules_need(const struct ic_rules *rules,
					  struct ic_index_options *options);

/**
 * What else rules need to know of a file. What cannot be read becomes a problem of the reader.
 * Without a reader, the rules that need it are unknown; calls in code have no lines without
 * `symbolizer`.
 */
struct ic_rule_readers {
	struct ic_parameters *parameters;   /**< of the index; NULL for none */
	struct ic_call_frames *call_frames; /**< of the image; NULL for none */
	struct ic_symbolizer *symbolizer;   /**< of the image; NULL for none */
};

/**
 * Checks a file.
 *
 * @param image       Of the index.
 * @param index       Of all functions, built with what ic_rules_need() sets, and without
 *                    `names_only`. Need not outlive the call.
 * @param readers     NULL for none.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out, or the index is of a table (IC_ERROR_UNSUPPORTED). The results
 *         are then those of earlier files, and possibly of part of this one.
 *
 * Time: O(n log n) for n instances, functions and calls, and a comparison of each function's name
 *       with each glob.
 */
IC_API bool ic_rules_check(struct ic_rules *rules, struct ic_image *image,
			   const struct ic_index *index, const struct ic_rule_readers *readers,
			   struct ic_error *err);

/** Whether a rule is kept. */
enum ic_rule_state {
	IC_RULE_KEPT,
	IC_RULE_BROKEN,
	/** No function has the name that the rule is about, so that it says nothing: maybe the name
	 *  is misspelt. Or the rule is about the arguments of copies, and there are none. */
	IC_RULE_UNMATCHED,
	/** A file that the rule is about lacks what is needed to tell, such as call sites. */
	IC_RULE_UNKNOWN
};

#define IC_RULE_NO_NUMBER UINT64_MAX

/** A rule and its result so far. Unknown strings are NULL. */
struct ic_rule {
	const char *file; /**< where the rule is from */
	uint32_t line;
	const char *text;   /**< without the reason, and with one blank between words */
	const char *reason; /**< NULL without one */
	const char *why;    /**< if it is unknown: of which function, and why; otherwise NULL */
	bool is_about_line; /**< of a source file; otherwise about functions by name */
	enum ic_rule_state state;
	/** What the rule limits: copies, bytes or percent; IC_RULE_NO_NUMBER if it limits nothing.
	 */
	uint64_t limit;
	uint64_t found; /**< the number that is compared with `limit` */
	/** Number of functions, in each file, that the rule is about; 0 if it is unmatched because
	 * of a name. */
	uint64_t functions;
	uint64_t break_count; /**< number of places where it is broken */
	size_t listed_count;  /**< of these, for ic_rules_break() */
};

/** The number of rules. */
IC_API size_t ic_rules_count(const struct ic_rules *rules);

/** Gets rule number `number`, from 0, in the order of their addition; false if there are fewer. */
IC_API bool ic_rules_get(const struct ic_rules *rules, size_t number, struct ic_rule *rule);

/** A place where a rule is broken. Unknown strings are NULL, unknown lines 0. */
struct ic_rule_break {
	/** "inlined", "called", "out of line", "uses 96 bytes of stack" and the like */
	const char *what;
	const char *file;            /**< path of the image */
	const char *function, *host; /**< demangled */
	const char *call_file;       /**< path of the call, or else of the function's declaration */
	uint32_t call_line, call_column;
	/** In relocatable files the offset in `section`; otherwise as the ELF file numbers it;
	 *  IC_NO_ADDR if unknown. */
	uint64_t address;
	const char *section; /**< NULL in linked files */
	/** Where probes see the copy, if one at the start of its function does not: each a symbol
	 * and an offset, as in "main+0x1c, main+0x40". Otherwise NULL. */
	const char *probes;
};

/** The most places that are kept for a rule. */
#define IC_RULES_MOST_BREAKS 100

/** Gets place number `number` of rule number `rule`; false if there are fewer. */
IC_API bool ic_rules_break(const struct ic_rules *rules, size_t rule, size_t number,
			   struct ic_rule_break *broken);

#ifdef __cplusplus
}
#endif

#endif
