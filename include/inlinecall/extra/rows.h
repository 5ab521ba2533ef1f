// Rows: what a line of a report has, one at a time, for programs that do something else with it.
//
// Rows borrow from what they are made of, and are freed before it. They are used by one thread at a
// time. A row and its arrays (`inlinecall/extra/row.h`) live until the next one is asked for, its
// strings until the rows are freed.
#ifndef INLINECALL_EXTRA_ROWS_H
#define INLINECALL_EXTRA_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/backtrace.h>
#include <inlinecall/extra/btf_inline.h>
#include <inlinecall/extra/call_frames.h>
#include <inlinecall/extra/entries.h>
#include <inlinecall/extra/lines.h>
#include <inlinecall/extra/lint.h>
#include <inlinecall/extra/probe.h>
#include <inlinecall/extra/profile_row.h>
#include <inlinecall/extra/row.h>
#include <inlinecall/extra/size_row.h>
#include <inlinecall/extra/statistics.h>
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

/** Rows of one kind, and which of them is next. */
struct ic_rows;

/** What rows are of. */
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
	IC_ROWS_LATENCIES,
	IC_ROWS_HISTOGRAMS,
	IC_ROWS_PROFILE,
	IC_ROWS_SIZES
};

/** How rows are made. Zero-initialised: with paths and names as the file has them. */
struct ic_row_options {
	/** The name of the file that the rows are about, for their field of that name; NULL for
	 *  none. Must live as long as the rows. */
	const char *file;
	bool base_names; /**< source files without their directories */
	bool demangle;   /**< names as the source has them */
	/** Sites, places, trees and frames get their parameters from here; NULL if they should not.
	 * Must be of the index, or of the symbolizer that found the frames, and live as long as the
	 * rows, which ask it. */
	struct ic_parameters *parameters;
	/** Sites, verdicts and traced copies say what is known of their entries by this; NULL if
	 * they should not. Must be of the sites that the rows, the verdicts or the trace are of,
	 * and live as long as the rows. */
	const struct ic_entries *entries;
};

/**
 * The rows of a selection: one for each site, in their order.
 *
 * @param sites    Must live as long as the rows.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The rows, to be freed with ic_rows_free(); NULL if memory runs out.
 */
IC_API struct ic_rows *ic_rows_of_sites(const struct ic_sites *sites,
					const struct ic_row_options *options, struct ic_error *err);

/** Likewise: one for each function, if only sites are counted (ic_statistics_query::only_sites). */
IC_API struct ic_rows *ic_rows_of_counts(const struct ic_statistics *counts,
					 const struct ic_row_options *options,
					 struct ic_error *err);

/** Likewise: one for each instance of the trees. */
IC_API struct ic_rows *ic_rows_of_trees(const struct ic_trees *trees,
					const struct ic_row_options *options, struct ic_error *err);

/** Likewise: one of all groups, then one for each. */
IC_API struct ic_rows *ic_rows_of_statistics(const struct ic_statistics *statistics,
					     const struct ic_row_options *options,
					     struct ic_error *err);

/** Likewise: one of all arguments, then one for each category and one for each shape. The
 *  statistics are copied. */
IC_API struct ic_rows *ic_rows_of_arguments(const struct ic_argument_statistics *statistics,
					    const struct ic_row_options *options,
					    struct ic_error *err);

/** Likewise: one for each function. */
IC_API struct ic_rows *ic_rows_of_verdicts(const struct ic_verdicts *verdicts,
					   const struct ic_row_options *options,
					   struct ic_error *err);

/** Likewise: one of all samples, then one for each group. Names are those of the profile, whatever
 *  ic_row_options::demangle says. */
IC_API struct ic_rows *ic_rows_of_profile(const struct ic_profile_groups *groups,
					  const struct ic_row_options *options,
					  struct ic_error *err);

/** Likewise: one of all code, then one for each group. */
IC_API struct ic_rows *ic_rows_of_sizes(const struct ic_sizes *sizes,
					const struct ic_row_options *options, struct ic_error *err);

/**
 * Likewise: one for each inlined call of a table.
 *
 * @param machine  As returned by ic_image_machine(), for the names of registers; 0 if not known.
 */
IC_API struct ic_rows *ic_rows_of_btf_sites(const struct ic_btf_inline *table, unsigned machine,
					    const struct ic_row_options *options,
					    struct ic_error *err);

/**
 * Likewise: the rows of call frame information for some code, one for each range of addresses. What
 * cannot be read is a problem of the call frames.
 *
 * @param symbolizer  Of the same image: names functions, and knows sections.
 * @param range       Only rows that overlap it; NULL for all.
 */
IC_API struct ic_rows *ic_rows_of_call_frames(struct ic_call_frames *frames,
					      struct ic_symbolizer *symbolizer,
					      const struct ic_range *range,
					      const struct ic_row_options *options,
					      struct ic_error *err);

/** Likewise: the entries of call frame information and their instructions, as the file has them. */
IC_API struct ic_rows *ic_rows_of_call_frame_items(struct ic_call_frames *frames,
						   struct ic_symbolizer *symbolizer,
						   const struct ic_range *range,
						   const struct ic_row_options *options,
						   struct ic_error *err);

/**
 * Likewise: one for each thread of backtraces that were made with the same options.
 *
 * @param list   Not kept, but what is in it must live as long as the rows.
 * @param group  Threads with the same stack are one row, with the arguments of the first. Frames
 *               are the same at the same place of a file or, if none is known, at one address.
 */
IC_API struct ic_rows *ic_rows_of_backtraces(const struct ic_backtraces *const *list, size_t count,
					     bool group, const struct ic_row_options *options,
					     struct ic_error *err);

/** Likewise: one for each count, and behind it one for each finding that was kept. */
IC_API struct ic_rows *ic_rows_of_lint(const struct ic_lint *lint,
				       const struct ic_row_options *options, struct ic_error *err);
/** Likewise: one for each probe, with its parameters if the options have a reader. */
IC_API struct ic_rows *ic_rows_of_probes(const struct ic_probes *probes,
					 const struct ic_row_options *options,
					 struct ic_error *err);

/**
 * Likewise: one for each call that a trace has seen. After the last one that is there ask again
 * some milliseconds later: there may be more.
 *
 * @param modules  For the stacks, as in ic_trace_backtrace(); NULL for rows without them.
 */
IC_API struct ic_rows *ic_rows_of_hits(struct ic_trace *trace, struct ic_modules *modules,
				       const struct ic_row_options *options, struct ic_error *err);

/**
 * Likewise: one for each copy that is traced, or cannot be, with how long it was under way.
 *
 * @param durations  By the number of the copy. Must live as long as the rows.
 */
IC_API struct ic_rows *ic_rows_of_latencies(const struct ic_trace *trace,
					    const struct ic_trace_durations *durations,
					    const struct ic_row_options *options,
					    struct ic_error *err);

/**
 * Likewise: one for each copy that is traced, or cannot be, with how the values of an argument are
 * distributed.
 *
 * @param argument       Its name. Must live as long as the rows.
 * @param distributions  By the number of the copy. Must live as long as the rows.
 */
IC_API struct ic_rows *ic_rows_of_histograms(const struct ic_trace *trace, const char *argument,
					     const struct ic_trace_distribution *distributions,
					     const struct ic_row_options *options,
					     struct ic_error *err);

/** Likewise: one for each copy that is traced, or cannot be, with what was counted so far. */
IC_API struct ic_rows *ic_rows_of_hit_counts(const struct ic_trace *trace,
					     const struct ic_row_options *options,
					     struct ic_error *err);

/** What is at an address, for a row of it; all of it borrowed. */
struct ic_rows_stack {
	uint64_t addr;       /**< as it is to be printed, which need not be as it was looked up */
	const char *section; /**< that it is an offset in; NULL for none */
	const char *text;    /**< what was asked for, if it is no address; printed in place of one,
			      *   "??" if empty. Else NULL */
	const struct ic_frame *frames; /**< innermost first */
	size_t frame_count;            /**< 0 if nothing is known */
	/** The code of a line that this is the stack of, whose range is printed as `addr` is: in
	 * the section, if there is one. NULL for what is only an address. */
	const struct ic_line_place *place;
	/** The symbol that names the address, as ic_symbolizer_symbol_at() finds it; NULL for none.
	 *  Text has it only if the last function is called otherwise. */
	const char *symbol;
	uint64_t symbol_offset; /**< of the address in it */
	uint64_t symbol_size;   /**< 0 if not known */
	/** Only for parameters: the address in the file that was looked up, and what is subtracted
	 *  from addresses there to print them as `addr` is. */
	uint64_t lookup, start;
};

/**
 * The rows of stacks: one for each, in their order. Every linkage name is demangled once.
 *
 * @param stacks  Array of `count`, that must live as long as the rows; may be NULL if that is 0.
 *
 * @return As ic_rows_of_sites().
 */
IC_API struct ic_rows *ic_rows_of_stacks(const struct ic_rows_stack *stacks, size_t count,
					 const struct ic_row_options *options,
					 struct ic_error *err);

/**
 * Gives the next row; the one before is gone.
 *
 * @param row  [out] Untouched if there is none.
 * @param err  [out] Why not: `code` is IC_ERROR_NONE after the last row. May be NULL.
 *
 * @return false after the last row, or if memory runs out.
 *
 * Cost: 0.3 us for a site, mostly to find its symbols.
 */
IC_API bool ic_rows_next(struct ic_rows *rows, struct ic_row *row, struct ic_error *err);

/** Frees rows; NULL is allowed. */
IC_API void ic_rows_free(struct ic_rows *rows);

#ifdef __cplusplus
}
#endif

#endif
