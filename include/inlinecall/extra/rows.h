// Rows: the data of a report's lines, one at a time, for programs that process it differently.
//
// Rows borrow from the objects they are made from; free them first. They are for one thread at a
// time. A row and its arrays (`inlinecall/extra/row.h`) are valid until the next row is read, its
// strings until the rows are freed.
#ifndef INLINECALL_EXTRA_ROWS_H
#define INLINECALL_EXTRA_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/backtrace.h>
#include <inlinecall/extra/affected.h>
#include <inlinecall/extra/affected_row.h>
#include <inlinecall/extra/btf_inline.h>
#include <inlinecall/extra/call_frames.h>
#include <inlinecall/extra/change_row.h>
#include <inlinecall/extra/compare.h>
#include <inlinecall/extra/entries.h>
#include <inlinecall/extra/lines.h>
#include <inlinecall/extra/lint.h>
#include <inlinecall/extra/probe.h>
#include <inlinecall/extra/profile_row.h>
#include <inlinecall/extra/row.h>
#include <inlinecall/extra/rule_row.h>
#include <inlinecall/extra/size_row.h>
#include <inlinecall/extra/statistics.h>
#include <inlinecall/extra/tables.h>
#include <inlinecall/extra/trace.h>
#include <inlinecall/extra/traced_row.h>
#include <inlinecall/extra/tree.h>
#include <inlinecall/extra/verdict.h>
#include <inlinecall/parameters.h>
#include <inlinecall/sites.h>
#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An iterator over rows of one kind. */
struct ic_rows;

/** The kinds of rows. */
enum ic_rows_kind {
	IC_ROWS_SITES,
	IC_ROWS_COUNTS,
	IC_ROWS_STACKS,
	IC_ROWS_TREES,
	IC_ROWS_STATISTICS,
	IC_ROWS_ARGUMENTS,
	IC_ROWS_VERDICTS,
	IC_ROWS_BTF_SITES,
	IC_ROWS_BTF_TALLIES,
	IC_ROWS_CALL_FRAMES,
	IC_ROWS_CALL_FRAME_ITEMS,
	IC_ROWS_THREADS,
	IC_ROWS_LINT,
	IC_ROWS_PROBES,
	IC_ROWS_HITS,
	IC_ROWS_HIT_COUNTS,
	IC_ROWS_GROUPS,
	IC_ROWS_PROFILE,
	IC_ROWS_SIZES,
	IC_ROWS_CHANGES,
	IC_ROWS_AFFECTED,
	IC_ROWS_RULES,
	IC_ROWS_TABLES
};

/** How to make rows. Zero-initialised: with paths and names as in the file. */
struct ic_row_options {
	/** The name of the file that the rows describe, for the field of that name; of changes, the
	 *  title of a page. NULL for none. Must outlive the rows. */
	const char *file;
	bool base_names; /**< source files without directories */
	bool demangle;   /**< names as in the source */
	bool clock;      /**< text of traced calls has the time of the clock */
	/** Where sites, places, trees and frames get their parameters; NULL for none. Must be of
	 *  the index, or of the symbolizer that found the frames. Used by the rows, and must
	 *  outlive them. */
	struct ic_parameters *parameters;
	/** Where sites, verdicts and traced copies get their entries; NULL for none. Must be of the
	 *  sites of the rows, the verdicts or the trace, and outlive the rows. */
	const struct ic_entries *entries;
};

/**
 * Makes the rows of a selection: one for each site, in order.
 *
 * @param sites    Must outlive the rows.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The rows, to be freed with ic_rows_free(); NULL if memory runs out.
 */
IC_API struct ic_rows *ic_rows_of_sites(const struct ic_sites *sites,
					const struct ic_row_options *options, struct ic_error *err);

/**
 * The same for functions: one for each, if only sites are counted
 * (ic_statistics_query::only_sites).
 */
IC_API struct ic_rows *ic_rows_of_counts(const struct ic_statistics *counts,
					 const struct ic_row_options *options,
					 struct ic_error *err);

/** The same for trees: one for each instance. */
IC_API struct ic_rows *ic_rows_of_trees(const struct ic_trees *trees,
					const struct ic_row_options *options, struct ic_error *err);

/** The same for statistics: one for all groups, then one for each. */
IC_API struct ic_rows *ic_rows_of_statistics(const struct ic_statistics *statistics,
					     const struct ic_row_options *options,
					     struct ic_error *err);

/**
 * The same for arguments: one for all, then one for each category and one for each shape. The
 * statistics are copied.
 */
IC_API struct ic_rows *ic_rows_of_arguments(const struct ic_argument_statistics *statistics,
					    const struct ic_row_options *options,
					    struct ic_error *err);

/** The same for verdicts: one for each function. */
IC_API struct ic_rows *ic_rows_of_verdicts(const struct ic_verdicts *verdicts,
					   const struct ic_row_options *options,
					   struct ic_error *err);

/**
 * The same for a profile: one for all samples, then one for each group. Names are those of the
 * profile, whatever ic_row_options::demangle is.
 */
IC_API struct ic_rows *ic_rows_of_profile(const struct ic_profile_groups *groups,
					  const struct ic_row_options *options,
					  struct ic_error *err);

/** The same for sizes: one for all code, then one for each group. */
IC_API struct ic_rows *ic_rows_of_sizes(const struct ic_sizes *sizes,
					const struct ic_row_options *options, struct ic_error *err);

/**
 * The same for a comparison: one for all functions, then one for each change. Names are those of
 * the builds, whatever ic_row_options::demangle is.
 */
IC_API struct ic_rows *ic_rows_of_changes(const struct ic_comparison *comparison,
					  const struct ic_row_options *options,
					  struct ic_error *err);

/**
 * The same for affected functions: for each function one row, and then one for each out-of-line
 * function with code of it.
 */
IC_API struct ic_rows *ic_rows_of_affected(const struct ic_affected *affected,
					   const struct ic_row_options *options,
					   struct ic_error *err);

/**
 * The same for rules: one for all, then for each rule one, followed by one for each place where it
 * is broken.
 */
IC_API struct ic_rows *ic_rows_of_rules(const struct ic_rules *rules,
					const struct ic_row_options *options, struct ic_error *err);

/**
 * The same for the inlined calls of a table: one for each.
 *
 * @param machine  As returned by ic_image_machine(), for register names; 0 if unknown.
 */
IC_API struct ic_rows *ic_rows_of_btf_sites(const struct ic_btf_inline *table, unsigned machine,
					    const struct ic_row_options *options,
					    struct ic_error *err);

/**
 * The same for the rows of call frame information of some code: one for each range of addresses.
 * Unreadable data becomes a problem of the call frames.
 *
 * @param symbolizer  Of the same image: supplies functions and sections.
 * @param range       Only rows that overlap it; NULL for all.
 */
IC_API struct ic_rows *ic_rows_of_call_frames(struct ic_call_frames *frames,
					      struct ic_symbolizer *symbolizer,
					      const struct ic_range *range,
					      const struct ic_row_options *options,
					      struct ic_error *err);

/** The same for the entries of call frame information and their instructions, as in the file. */
IC_API struct ic_rows *ic_rows_of_call_frame_items(struct ic_call_frames *frames,
						   struct ic_symbolizer *symbolizer,
						   const struct ic_range *range,
						   const struct ic_row_options *options,
						   struct ic_error *err);

/**
 * The same for the threads of backtraces, all made with the same options: one for each.
 *
 * @param list   Not kept, but its items must outlive the rows.
 * @param group  Threads with the same stack become one row, with the arguments of the first. Frames
 *               are equal if they are at the same place of a file or, if that is unknown, at the
 *               same address.
 */
IC_API struct ic_rows *ic_rows_of_backtraces(const struct ic_backtraces *const *list, size_t count,
					     bool group, const struct ic_row_options *options,
					     struct ic_error *err);

/** The same for lint findings: one for each count, each followed by one for each kept finding. */
IC_API struct ic_rows *ic_rows_of_lint(const struct ic_lint *lint,
				       const struct ic_row_options *options, struct ic_error *err);

/** The same for probes: one for each, with its parameters if the options have a reader. */
IC_API struct ic_rows *ic_rows_of_probes(const struct ic_probes *probes,
					 const struct ic_row_options *options,
					 struct ic_error *err);

/**
 * The same for the calls seen by a trace: one for each. After the last available one, call
 * ic_rows_next() again some milliseconds later: there may be more.
 *
 * @param modules  For the stacks, as in ic_trace_backtrace(); NULL for rows without stacks.
 */
IC_API struct ic_rows *ic_rows_of_hits(struct ic_trace *trace, struct ic_modules *modules,
				       const struct ic_row_options *options, struct ic_error *err);

/**
 * The same for the counts of a trace so far: one for each copy, whether it is traced or cannot be,
 * the most called first.
 */
IC_API struct ic_rows *ic_rows_of_hit_counts(const struct ic_trace *trace,
					     const struct ic_row_options *options,
					     struct ic_error *err);

/**
 * The same for a table of an index (inlinecall/extra/tables.h). Names are as in the file, whatever
 * ic_row_options::demangle is: functions also have their full names.
 */
IC_API struct ic_rows *ic_rows_of_table(const struct ic_tables *tables, enum ic_table table,
					const struct ic_row_options *options, struct ic_error *err);

/** What rows of groups show. */
struct ic_rows_groups {
	size_t limit;  /**< only the first this many groups; 0 for all */
	uint64_t time; /**< see struct ic_group_row */
};

/**
 * The same for the groups of a trace that were read last: one for each, the largest first, and one
 * for all.
 *
 * @param groups  Must outlive the rows.
 */
IC_API struct ic_rows *ic_rows_of_groups(struct ic_trace *trace,
					 const struct ic_rows_groups *groups,
					 const struct ic_row_options *options,
					 struct ic_error *err);

/** The frames at an address, to make a row of. Everything is borrowed. */
struct ic_rows_stack {
	uint64_t addr;       /**< as to be printed, which may differ from the address looked up */
	const char *section; /**< the section that `addr` is an offset in; NULL for none */
	/** The query, if it is not an address; printed in place of one, "??" if empty. Otherwise
	 *  NULL. */
	const char *text;
	const struct ic_frame *frames; /**< innermost first */
	size_t frame_count;            /**< 0 if nothing is known */
	/** If this is the stack of a line's code, that code; its range is printed like `addr`:
	 *  relative to the section, if there is one. NULL for a plain address. */
	const struct ic_line_place *place;
	/** The symbol that names the address, as from ic_symbolizer_symbol_at(); NULL for none.
	 *  Text prints it only if it differs from the name of the last function. */
	const char *symbol;
	uint64_t symbol_offset; /**< offset of the address in it */
	uint64_t symbol_size;   /**< 0 if unknown */
	/** Only for parameters: the address in the file that was looked up, and what to subtract
	 *  from such addresses to print them like `addr`. */
	uint64_t lookup, start;
};

/**
 * Makes the rows of stacks: one for each, in order. Every linkage name is demangled once.
 *
 * @param stacks  Array of `count`, which must outlive the rows; may be NULL if that is 0.
 *
 * @return See ic_rows_of_sites().
 */
IC_API struct ic_rows *ic_rows_of_stacks(const struct ic_rows_stack *stacks, size_t count,
					 const struct ic_row_options *options,
					 struct ic_error *err);

/**
 * Gets the next row; the previous one becomes invalid.
 *
 * @param row  [out] Unchanged if there is none.
 * @param err  [out] Why there is none: `code` is IC_ERROR_NONE after the last row. May be NULL.
 *
 * @return false after the last row, or if memory runs out.
 *
 * Cost: 0.3 us for a site, mostly to find its symbols.
 */
IC_API bool ic_rows_next(struct ic_rows *rows, struct ic_row *row, struct ic_error *err);

/** The number of rows that a limit of the question left out, such as groups or findings. */
IC_API uint64_t ic_rows_left_out(const struct ic_rows *rows);

/** Frees rows; NULL is allowed. */
IC_API void ic_rows_free(struct ic_rows *rows);

#ifdef __cplusplus
}
#endif

#endif
