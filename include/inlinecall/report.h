// Sites, trees, and the stacks at addresses, as text, JSON lines or CSV.
#ifndef INLINECALL_REPORT_H
#define INLINECALL_REPORT_H

#include <stdio.h>

#include <inlinecall/counts.h>
#include <inlinecall/lines.h>
#include <inlinecall/lookup.h>
#include <inlinecall/symbolizer.h>
#include <inlinecall/tree.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ic_report_format {
	IC_REPORT_TEXT, // docs/formats/text.md
	IC_REPORT_JSON, // docs/formats/json.md
	IC_REPORT_CSV   // the columns of JSON, with a heading
};

/** How a report looks. Zero-initialised: plain text. */
struct ic_report_options {
	enum ic_report_format format;
	const char *file;   /**< the name of the file that the sites are in; NULL for none */
	bool chain;         /**< text: the whole inline chain in the last column */
	bool entries;       /**< text of sites: a line a copy, with the address to probe */
	bool base_names;    /**< of source files, without their directories */
	bool names;         /**< text: the function in the heading, after a tab */
	bool demangle;      /**< names as the source has them */
	bool colors;        /**< text: with the escape sequences of a terminal */
	bool no_csv_header; /**< CSV: no heading, for files after the first */
	bool box_lines;     /**< text of trees: drawn with lines, in UTF-8, instead of ASCII */
};

/**
 * Writes all sites of a selection.
 *
 * @param options  NULL for plain text. Not kept.
 * @param out      Written to, and flushed at the end.
 * @param err      [out] Why not; may be NULL. os_error is EPIPE if nobody reads any more.
 *
 * @return false where `out` cannot be written to, or memory is out.
 *
 * Cost: holds one row at a time.
 *
 * Since: 0.1
 */
IC_API bool ic_report_sites(const struct ic_sites *sites, const struct ic_report_options *options,
			    FILE *out, struct ic_error *err);

/**
 * Writes counts, in their order: a line or row a function. Text has none for functions without a
 * copy that has code, and without a call.
 *
 * @param options  NULL for plain text. Not kept. Only `format`, `file`, `base_names`, `demangle`,
 *                 `colors` and `no_csv_header` have an effect.
 * @param out      Written to, and flushed at the end.
 * @param err      [out] Why not; may be NULL. os_error is EPIPE if nobody reads any more.
 *
 * @return false if `out` cannot be written to or memory is out.
 *
 * Cost: holds one row at a time.
 *
 * Since: 0.1
 */
IC_API bool ic_report_counts(const struct ic_counts *counts,
			     const struct ic_report_options *options, FILE *out,
			     struct ic_error *err);

/** What is at an address, for a report; all of it borrowed. Since: 0.1 */
struct ic_report_stack {
	uint64_t addr;       /**< as it is to be printed, which need not be as it was looked up */
	const char *section; /**< that it is an offset in; NULL for none */
	const char *text;    /**< what was asked for, if it is no address; printed in place of one,
			      *   "??" if empty. Else NULL */
	const struct ic_frame *frames; /**< innermost first */
	size_t frame_count;            /**< 0 where nothing is known */
	/** The code of a line that this is the stack of, whose range is printed as `addr` is: in
	 * the section, where there is one. NULL for what is only an address. */
	const struct ic_line_place *place;
	/** The symbol that names the address, as ic_symbolizer_symbol_at() finds it; NULL for none.
	 *  Text has it only if the last function is called otherwise. */
	const char *symbol;
	uint64_t symbol_offset; /**< of the address in it */
	uint64_t symbol_size;   /**< 0 if not known */
};

/**
 * Writes stacks, in their order. CSV has a row a frame, or one for a stack without frames.
 *
 * @param stacks   Array of `count`; may be NULL where that is 0. Not kept.
 * @param options  NULL for plain text. Not kept. `chain`, `names` and `box_lines` have no effect.
 * @param out      Written to, and flushed at the end.
 * @param err      [out] Why not; may be NULL. os_error is EPIPE if nobody reads any more.
 *
 * @return false if `out` cannot be written to or memory is out.
 *
 * Cost: 0.1 us for a frame in text. Every linkage name is demangled once.
 *
 * Since: 0.1
 */
IC_API bool ic_report_stacks(const struct ic_report_stack *stacks, size_t count,
			     const struct ic_report_options *options, FILE *out,
			     struct ic_error *err);

/**
 * Writes all instances of the trees of a selection.
 *
 * @param options  NULL for plain text. Not kept. `chain` and `names` say nothing of trees.
 * @param out      Written to, and flushed at the end.
 * @param err      [out] Why not; may be NULL. os_error is EPIPE if nobody reads any more.
 *
 * @return false where `out` cannot be written to, or memory is out.
 *
 * Cost: holds one row at a time.
 *
 * Since: 0.1
 */
IC_API bool ic_report_trees(const struct ic_trees *trees, const struct ic_report_options *options,
			    FILE *out, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
