// Reports: rows as text, JSON lines, CSV, HTML or Markdown.
//
// A report has one kind of row and one format. It can take the rows of several files, also
// piecemeal; it remembers what was written before, such as the heading of CSV. It writes to a
// stream that must stay open until the report is freed. It is for one thread at a time.
#ifndef INLINECALL_EXTRA_REPORT_H
#define INLINECALL_EXTRA_REPORT_H

#include <stdio.h>

#include <inlinecall/extra/rows.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ic_report_format {
	IC_REPORT_TEXT,     // docs/formats/text.md
	IC_REPORT_JSON,     // docs/formats/json.md
	IC_REPORT_CSV,      // the columns of JSON, with a heading
	IC_REPORT_PAGE,     // for statistics, sizes, trees and changes: a self-contained HTML page
	IC_REPORT_MARKDOWN, // for changes: a table in GitHub's Markdown
	// For rules:
	IC_REPORT_TAP,    // Test Anything Protocol 13
	IC_REPORT_JUNIT,  // JUnit's XML
	IC_REPORT_GITHUB, // workflow commands of GitHub Actions
	IC_REPORT_SARIF   // SARIF 2.1.0
};

/** How a report looks. Zero-initialised: plain text. */
struct ic_report_options {
	enum ic_report_format format;
	bool chain;     /**< text of sites: print the whole inline chain in the last column */
	bool entries;   /**< text of sites: print a line per copy, with the address to probe */
	bool names;     /**< text of sites: print the function in the heading, after a tab */
	bool colors;    /**< text: use the escape sequences of a terminal */
	bool box_lines; /**< text of trees: draw lines in UTF-8 instead of ASCII */
};

struct ic_report;

/**
 * Makes a report. Nothing is written yet.
 *
 * @param kind     The kind of all its rows.
 * @param options  NULL for plain text. Not kept.
 * @param out      Written to whenever 64 KiB have accumulated, by ic_report_flush() and by
 *                 ic_report_end(). A program that writes to it too must flush the report first.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The report, to be freed with ic_report_free(); NULL if memory runs out.
 */
IC_API struct ic_report *ic_report_new(enum ic_rows_kind kind,
				       const struct ic_report_options *options, FILE *out,
				       struct ic_error *err);

/**
 * Starts a part, for example for another file: text repeats its headings before the first line of
 * the part. CSV has its heading before the first part, even if that has no rows. Rows added before
 * any part are in a part without a name.
 *
 * @param name  Text prints it above the lines of the part, with a colon. Must outlive the part.
 *              NULL for none.
 *
 * @return false if the report failed before.
 */
IC_API bool ic_report_begin(struct ic_report *report, const char *name);

/**
 * Adds a row, such as one from ic_rows_next(). Text prints nothing for a row without code: a site
 * without ranges that is not a call, or a function with only zero counts. CSV prints a line for
 * every frame of a stack, or one if there are none.
 *
 * @return false if the report fails now or failed before: nothing more is then written, and
 *         ic_report_end() returns the reason. A row of another kind is also a failure
 *         (IC_ERROR_ARGUMENT).
 *
 * Cost: 0.1 us per frame in text. No memory.
 */
IC_API bool ic_report_row(struct ic_report *report, const struct ic_row *row);

/**
 * Adds all remaining rows.
 *
 * @return false as for ic_report_row(), or if there is no memory for a row, which also makes the
 *         report fail.
 */
IC_API bool ic_report_rows(struct ic_report *report, struct ic_rows *rows);

/**
 * Says that a limit left out some rows of a file, in text and JSON; nothing for none. Adding all
 * rows of an answer also says it.
 *
 * @param file   Its name; NULL for none.
 * @param count  The number of rows left out.
 *
 * @return false as for ic_report_row().
 */
IC_API bool ic_report_left_out(struct ic_report *report, const char *file, uint64_t count);

/**
 * Writes everything added so far, and flushes the stream, for a waiting reader.
 *
 * @return false if the report fails now or failed before.
 */
IC_API bool ic_report_flush(struct ic_report *report);

/**
 * Ends a report: writes and flushes the rest. Afterwards it can only be freed: all other calls fail
 * (IC_ERROR_ARGUMENT), and write nothing.
 *
 * @param err  [out] The first failure since the report was made; may be NULL. os_error is EPIPE if
 *             the reader has gone.
 *
 * @return false if not everything could be written.
 */
IC_API bool ic_report_end(struct ic_report *report, struct ic_error *err);

/** Frees a report; NULL is allowed. If it was not ended, data not yet flushed is lost. */
IC_API void ic_report_free(struct ic_report *report);

#ifdef __cplusplus
}
#endif

#endif
