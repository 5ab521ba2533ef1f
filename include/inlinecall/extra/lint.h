// Errors in how DWARF describes inlined functions, by rules that have a name and a source in the
// standard.
//
// The rules cover what compilers write about inlining: abstract instances, their copies, and the
// calls that were inlined (DWARF 5, 3.3.8). They are applied to the DIEs as they are in the file,
// except for code that a linker discarded.
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

/** The findings; free them before closing the image. */
struct ic_lint;

/** The severity of breaking a rule. */
enum ic_lint_severity {
	IC_LINT_NOTE,    /**< allowed, but misleads readers, or records less than it could */
	IC_LINT_WARNING, /**< against a recommendation of the standard; readers lose something */
	IC_LINT_ERROR    /**< against the standard; readers give wrong answers */
};

/** A rule. Everything is static. */
struct ic_lint_rule {
	const char *name; /**< such as "range-outside-host" */
	/** The section of the standard that it is based on, such as "DWARF 5, 3.3.8.2". */
	const char *paragraph;
	enum ic_lint_severity severity;
	const char *summary;     /**< what breaks it, in one line, without a full stop */
	const char *explanation; /**< why it matters, and what is exempt, in a few sentences */
};

/** Zero-initialised: the defaults. */
struct ic_lint_options {
	uint32_t jobs; /**< threads; 0 for one per CPU */
	/** The most findings to keep for each rule and producer; 0 for none, and UINT32_MAX for
	 *  all. All findings are counted. */
	uint32_t limit;
	enum ic_lint_severity least; /**< rules of lower severity are not checked */
	const char *const *rules;    /**< only rules with these names; NULL for all */
	size_t rule_count;           /**< number of these names */
};

/** How often DIEs from one producer break a rule. */
struct ic_lint_count {
	const struct ic_lint_rule *rule;
	/** DW_AT_producer without its options; NULL if units do not have it. */
	const char *producer;
	uint64_t count;
	/** Its kept findings, as numbers for ic_lint_finding_get(). */
	size_t first, kept;
};

/** A DIE that breaks a rule. Strings are valid as long as the findings. */
struct ic_lint_finding {
	uint64_t die_off;    /**< in `section` */
	const char *section; /**< ".debug_info" or the like */
	const char *file;    /**< path of the file that contains it; NULL for the image's file */
	const char *unit;    /**< DW_AT_name of its unit; NULL if it has none */
	/** The DIE's function, or the one it belongs to, without scopes; NULL if unknown. */
	const char *function;
	const char *source; /**< for a copy: source file of the call; NULL if unknown */
	uint32_t line;      /**< of the call; 0 if unknown */
	const char *text;   /**< a description of the error */
};

/**
 * Gets a rule: errors come first, then warnings, then notes.
 *
 * @param number  From 0.
 * @param rule    [out] Unchanged if there are fewer.
 *
 * @return false if there are fewer.
 */
IC_API bool ic_lint_rule_get(size_t number, struct ic_lint_rule *rule);

/**
 * Checks the debug information of an image.
 *
 * @param image    Must outlive the findings.
 * @param options  NULL for the defaults, but with three findings kept. Not kept.
 * @param err      [out] Set on failure; may be NULL. IC_ERROR_NO_DEBUG if there are no DIEs,
 *                 IC_ERROR_NOT_FOUND if one of the names is not a rule.
 *
 * @return The findings, to be freed with ic_lint_free(); NULL if the debug information cannot be
 *         read at all, or memory runs out. Partly unreadable data becomes a problem.
 *
 * Cost: about 3.3 ms of CPU time for each megabyte of .debug_info with all rules. Memory for the
 *       kept findings, and a count for each unit and rule.
 */
IC_API struct ic_lint *ic_lint_run(struct ic_image *image, const struct ic_lint_options *options,
				   struct ic_error *err);

/** The number of function copies checked: inlined calls that have code. */
IC_API uint64_t ic_lint_copies(const struct ic_lint *lint);

/** Gets count number `number`, sorted by rule and then by producer; false if there are fewer. */
IC_API bool ic_lint_count_get(const struct ic_lint *lint, size_t number,
			      struct ic_lint_count *count);

/** Gets finding number `number`; false if fewer were kept. */
IC_API bool ic_lint_finding_get(const struct ic_lint *lint, size_t number,
				struct ic_lint_finding *finding);

/** Gets problem number `number`: what could not be read; false if there are fewer. */
IC_API bool ic_lint_problem_get(const struct ic_lint *lint, size_t number,
				struct ic_index_problem *problem);

/** Frees the findings; NULL is allowed. */
IC_API void ic_lint_free(struct ic_lint *lint);

#ifdef __cplusplus
}
#endif

#endif
