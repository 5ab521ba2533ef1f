// Prints rows on standard output, in the format that the options ask for.
#ifndef CLI_BASE_REPORT_H
#define CLI_BASE_REPORT_H

#include <inlinecall/extra/report.h>
#include <inlinecall/parameters.h>

#include "base/cli.h"
#include "base/options.h"
#include "base/output_file.h"

struct cli_report {
	struct ic_report_options options;
	struct ic_row_options rows; // `parameters` belongs to the command
	bool parameters;
	struct ic_parameters_options parameter_options;
	const char *page; // where it is written, if it is one; NULL or "-": standard output
	struct cli_output_file file; // likewise
	bool is_empty;               // nothing was printed: a page that is there stays
	struct ic_report *report;    // between cli_report_open() and cli_report_close()
};

// Takes an option about how rows look; *status is CLI_ANSWERED, or CLI_USAGE after a complaint.
// False if it is not such an option.
bool cli_report_take(struct cli_report *report, enum cli_option option, const char *argument,
		     enum cli_status *status);

// To be called after all options, with the kind of rows that will be printed; other than
// CLI_ANSWERED after a complaint.
enum cli_status cli_report_check(const struct cli_report *report, enum ic_rows_kind kind);

// Asks a symbolizer for the names of frames that the rows want.
void cli_report_name_frames(const struct cli_report *report, struct ic_symbolizer_options *options);

// False, after a complaint, if memory runs out.
bool cli_report_open(struct cli_report *report, enum ic_rows_kind kind);

// Prints rows and frees them. They are flushed when it returns; if they cannot be written, the
// program ends. `rows` is NULL if they could not be made; `err` has the reason.
void cli_report_print(struct cli_report *report, struct ic_rows *rows, const struct ic_error *err);

// False, after a complaint, if a file could not be written.
bool cli_report_close(struct cli_report *report);

#endif
