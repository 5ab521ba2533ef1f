// Reports: rows as text, JSON lines or CSV.
//
// A report is of one kind of row and one format. It may take the rows of several files, and in
// pieces; it knows what was written before, as that CSV has its heading. It writes to a stream that
// must stay open until it is freed. One thread at a time uses it.
#ifndef INLINECALL_EXTRA_REPORT_H
#define INLINECALL_EXTRA_REPORT_H

#include <stdio.h>

#include <inlinecall/extra/rows.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ic_report_format {
	IC_REPORT_TEXT, // docs/formats/text.md
	IC_REPORT_JSON, // docs/formats/json.md
	IC_REPORT_CSV,  // the columns of JSON, with a heading
	IC_REPORT_PAGE  // of statistics, sizes and trees: a page of HTML, which is one file
};

/** How a report looks. Zero-initialised: plain text. */
struct ic_report_options {
	enum ic_report_format format;
	bool chain;     /**< text of sites: the whole inline chain in the last column */
	bool entries;   /**< text of sites: a line a copy, with the address to probe */
	bool names;     /**< text of sites: the function in the heading, after a tab */
	bool colors;    /**< text: with the escape sequences of a terminal */
	bool box_lines; /**< text of trees: drawn with lines, in UTF-8, instead of ASCII */
};

struct ic_report;

/**
 * Makes a report, which has written nothing yet.
 *
 * @param kind     Of all rows that it will take.
 * @param options  NULL for plain text. Not kept.
 * @param out      Written to when 64 KiB have come together, by ic_report_flush() and by
 *                 ic_report_end(). A program that writes to it as well flushes the report before.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The report, to be freed with ic_report_free(); NULL if memory runs out.
 */
IC_API struct ic_report *ic_report_new(enum ic_rows_kind kind,
				       const struct ic_report_options *options, FILE *out,
				       struct ic_error *err);

/**
 * Begins a part, as of another file: text then has its headings again, before the first line that
 * it has of the part. CSV has its heading before the first part, even if that has no rows. Rows
 * that are added before are in a part without a name.
 *
 * @param name  Stands above the lines of the part in text, with a colon. Must live as long as rows
 *              are added to the part. NULL for none.
 *
 * @return false if the report has failed before.
 */
IC_API bool ic_report_begin(struct ic_report *report, const char *name);

/**
 * Adds a row, such as one of ic_rows_next(). Text has no line for a row without any code: a site
 * without ranges that is not a call, or a function of which nothing was counted. CSV has a line for
 * every frame of a stack, or one if there are none.
 *
 * @return false if the report has failed, now or before: then nothing more is written, and
 *         ic_report_end() says why. A row of another kind fails it, too (IC_ERROR_ARGUMENT).
 *
 * Cost: 0.1 us for a frame in text. No memory.
 */
IC_API bool ic_report_row(struct ic_report *report, const struct ic_row *row);

/**
 * Adds all rows that are left of some.
 *
 * @return false as ic_report_row() does, or if memory for a row is out, which fails the report.
 */
IC_API bool ic_report_rows(struct ic_report *report, struct ic_rows *rows);

/**
 * Writes what was added, and flushes the stream: for a reader who waits for it.
 *
 * @return false if the report has failed, now or before.
 */
IC_API bool ic_report_flush(struct ic_report *report);

/**
 * Ends a report: writes and flushes what is left. After that it can only be freed: all else fails
 * (IC_ERROR_ARGUMENT), and writes nothing.
 *
 * @param err  [out] Why not: the first failure since the report was made; may be NULL. os_error is
 *             EPIPE if nobody reads any more.
 *
 * @return false if not all could be written.
 */
IC_API bool ic_report_end(struct ic_report *report, struct ic_error *err);

/** Frees a report; NULL is allowed. If it was not ended, what was not flushed is not written. */
IC_API void ic_report_free(struct ic_report *report);

#ifdef __cplusplus
}
#endif

#endif
