// Rows of rules: see inlinecall/extra/rows.h.
#ifndef INLINECALL_EXTRA_RULE_ROW_H
#define INLINECALL_EXTRA_RULE_ROW_H

#include <inlinecall/extra/rules.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A row: first one for all rules, then for each rule one, followed by one for each place where it
 * is broken. Numbers that do not apply are UINT64_MAX.
 */
struct ic_rule_row {
	const char *type;      /**< "rule" */
	const char *of;        /**< "all", "rule" or "place" */
	const char *rule_file; /**< where the rule is from */
	uint32_t rule_line;
	const char *rule, *reason;
	const char *state; /**< "kept", "broken", "unmatched" or "unknown" */
	const char *why;   /**< see struct ic_rule */
	uint64_t limit, found, functions;
	uint64_t breaks; /**< number of places where it is broken, including those not listed */
	/** For a place: "inlined", "not inlined", "called", "out of line", "not readable",
	 *  "may be missed", "has no code of the line" or "uses 96 bytes of stack". */
	const char *what;
	const char *file; /**< the binary */
	const char *function, *host;
	const char *call_file;
	uint32_t call_line, call_column;
	const char *section;
	uint64_t address;
	const char *probes; /**< see struct ic_rule_break */
	/** For all: numbers of rules. */
	uint64_t rules, kept, broken, unmatched, unknown;
	bool is_total, is_place;  /**< not keys: same as `of` */
	bool is_about_line;       /**< not a key: see struct ic_rule */
	enum ic_rule_state which; /**< not a key: same as `state` */
	uint64_t number;          /**< not a key: of the rule, from 1 */
};

#ifdef __cplusplus
}
#endif

#endif
