// What is wrong with the inlined functions in DWARF, by rules that have a name and a paragraph.
//
// The rules are about what compilers write of inlining: abstract instances, the copies of them, and
// the calls that were inlined (DWARF 5, 3.3.8). They are asked of the DIEs as they are in the file.
// Code that a linker discarded is left out.
#ifndef INLINECALL_EXTRA_LINT_H
#define INLINECALL_EXTRA_LINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/error.h>
#include <inlinecall/image.h>
#include <inlinecall/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What was found; to be freed before the image is closed. */
struct ic_lint;

/** How grave it is to break a rule. */
enum ic_lint_severity {
	IC_LINT_NOTE,    /**< allowed, but it misleads readers, or says less than it could */
	IC_LINT_WARNING, /**< against what the standard recommends; readers lose something */
	IC_LINT_ERROR    /**< against the standard; readers answer wrongly */
};

/** A rule; all of it static. */
struct ic_lint_rule {
	const char *name;      /**< as in "range-outside-host" */
	const char *paragraph; /**< that it comes from, as in "DWARF 5, 3.3.8.2" */
	enum ic_lint_severity severity;
	const char *summary;     /**< what breaks it, in a line, without a full stop */
	const char *explanation; /**< why that matters, and what is not meant, in a few sentences */
};

/** Zero-initialised: the defaults. */
struct ic_lint_options {
	uint32_t jobs; /**< threads; 0 for one a CPU */
	uint32_t most; /**< findings that are kept of each rule and producer; 0 for none, and
			*   UINT32_MAX for all. All are counted. */
	enum ic_lint_severity least; /**< rules of lower severity are not asked */
	const char *const *rules;    /**< only rules of these names; NULL for all */
	size_t rule_count;           /**< of these names */
};

/** How often DIEs of one producer break a rule. */
struct ic_lint_count {
	const struct ic_lint_rule *rule;
	const char *producer; /**< DW_AT_producer without its options; NULL if units do not say */
	uint64_t count;
	size_t first,
		kept; /**< its findings that were kept, as numbers for ic_lint_finding_get() */
};

/** A DIE that breaks a rule. Strings live as long as what was found. */
struct ic_lint_finding {
	uint64_t die;         /**< its offset in `section` */
	const char *section;  /**< ".debug_info" or the like */
	const char *file;     /**< path of the file that has it; NULL for that of the image */
	const char *unit;     /**< DW_AT_name of its unit; NULL if it has none */
	const char *function; /**< that it is, or is of, without scopes; NULL if not known */
	const char *source;   /**< of a copy: file of the call; NULL if not known */
	uint32_t line;        /**< of the call; 0 if not known */
	const char *text;     /**< what is wrong with it */
};

/**
 * Gives a rule: errors come first, then warnings, then notes.
 *
 * @param number  From 0 on.
 * @param rule    [out] Untouched if there are not so many.
 *
 * @return false if there are not so many.
 */
IC_API bool ic_lint_rule_get(size_t number, struct ic_lint_rule *rule);

/**
 * Checks the debug information of an image.
 *
 * @param image    Must live until what was found is freed.
 * @param options  NULL for the defaults, with three findings kept. Not kept.
 * @param err      [out] Set on failure; may be NULL. IC_ERROR_NO_DEBUG if there are no DIEs,
 *                 IC_ERROR_NOT_FOUND if no rule has one of the names.
 *
 * @return NULL if the debug information cannot be read at all, or memory runs out. What cannot be
 * read in part is a problem.
 *
 * Cost: about 3.3 ms of CPU for each megabyte of .debug_info with all rules. The memory is that of
 * the findings that are kept, and of a count for each unit and rule.
 */
IC_API struct ic_lint *ic_lint_run(struct ic_image *image, const struct ic_lint_options *options,
				   struct ic_error *err);

/** How many copies of functions were checked: inlined calls that have code. */
IC_API uint64_t ic_lint_copies(const struct ic_lint *lint);

/** Count number `number`, ordered by rules and then by producers; false if there are not so many.
 */
IC_API bool ic_lint_count_get(const struct ic_lint *lint, size_t number,
			      struct ic_lint_count *count);

/** Finding number `number`; false if not so many were kept. */
IC_API bool ic_lint_finding_get(const struct ic_lint *lint, size_t number,
				struct ic_lint_finding *finding);

/** Problem number `number`: what could not be read; false if there are not so many. */
IC_API bool ic_lint_problem_get(const struct ic_lint *lint, size_t number,
				struct ic_index_problem *problem);

/** Frees what was found; NULL is allowed. */
IC_API void ic_lint_free(struct ic_lint *lint);

#ifdef __cplusplus
}
#endif

#endif
