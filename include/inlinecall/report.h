// Sites as text, JSON lines or CSV.
#ifndef INLINECALL_REPORT_H
#define INLINECALL_REPORT_H

#include <stdio.h>

#include <inlinecall/lookup.h>

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
	bool base_names;    /**< of source files, without their directories */
	bool names;         /**< text: the function in the heading, behind a tab */
	bool demangle;      /**< names as the source has them */
	bool colors;        /**< text: with the escape sequences of a terminal */
	bool no_csv_header; /**< CSV: no heading, for files after the first */
};

/**
 * Writes all sites of a selection.
 *
 * @param options  NULL for plain text. Not kept.
 * @param out      Written to, and flushed at the end.
 * @param err      [out] Why not; may be NULL. os_error is EPIPE where nobody reads any more.
 *
 * @return false where `out` cannot be written to, or memory is out.
 *
 * Cost: holds one row at a time.
 *
 * Since: 0.1
 */
IC_API bool ic_report_sites(const struct ic_sites *sites, const struct ic_report_options *options,
			    FILE *out, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
