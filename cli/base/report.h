// Prints rows on standard output, in the format that the options select.
#ifndef CLI_BASE_REPORT_H
#define CLI_BASE_REPORT_H

#include <inlinecall/extra/report.h>
#include <inlinecall/parameters.h>

#include "base/cli.h"
#include "base/options.h"
#include "base/output_file.h"

struct cli_report {
	struct ic_report_options options;
	struct ic_row_options rows; // the command sets `parameters`
	bool parameters;
	struct ic_parameters_options parameter_options;
	const char *page; // path of the page, if one is written; NULL or "-" for standard output
	struct cli_output_file file; // the file of the page
	bool is_empty;               // nothing was printed: an existing page is kept
	struct ic_report *report;    // from cli_report_open() to cli_report_close()
};

// Takes an option about the appearance of rows; *status is CLI_ANSWERED, or CLI_USAGE after an
// error message. Returns false for other options.
bool cli_report_take(struct cli_report *report, enum cli_option option, const char *argument,
		     enum cli_status *status);

// Call this after all options, with the kind of rows to print; returns something other than
// CLI_ANSWERED after an error message.
enum cli_status cli_report_check(const struct cli_report *report, enum ic_rows_kind kind);

// Requests the names of frames that the rows need from a symbolizer.
void cli_report_name_frames(const struct cli_report *report, struct ic_symbolizer_options *options);

// Prints an error and returns false if memory runs out.
bool cli_report_open(struct cli_report *report, enum ic_rows_kind kind);

// Prints rows, flushes them, and frees them; exits if they cannot be written. If `rows` is NULL
// because it could not be made, `err` is the reason.
void cli_report_print(struct cli_report *report, struct ic_rows *rows, const struct ic_error *err);

// Prints an error and returns false if a file could not be written.
bool cli_report_close(struct cli_report *report);

#endif
