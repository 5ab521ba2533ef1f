#include "base/report.h"

#include <inttypes.h>
#include <string.h>

static const char *const format_options[] = {
	[IC_REPORT_JSON] = "--json",     [IC_REPORT_CSV] = "--csv",
	[IC_REPORT_PAGE] = "--html",     [IC_REPORT_MARKDOWN] = "--markdown",
	[IC_REPORT_TAP] = "--tap",       [IC_REPORT_JUNIT] = "--junit",
	[IC_REPORT_GITHUB] = "--github", [IC_REPORT_SARIF] = "--sarif"
};

static enum cli_status take_format(struct ic_report_options *options, enum ic_report_format format)
{
	if (options->format != IC_REPORT_TEXT && options->format != format)
		return cli_usage_error("%s cannot be used with %s", format_options[format],
				       format_options[options->format]);
	options->format = format;
	return CLI_ANSWERED;
}

bool cli_report_take(struct cli_report *report, enum cli_option option, const char *argument,
		     enum cli_status *status)
{
	struct ic_report_options *options = &report->options;

	*status = CLI_ANSWERED;
	switch (option) {
	case CLI_OPTION_DEMANGLE: report->rows.demangle = true; return true;
	case CLI_OPTION_BASENAMES: report->rows.base_names = true; return true;
	case CLI_OPTION_JSON: *status = take_format(options, IC_REPORT_JSON); return true;
	case CLI_OPTION_CSV: *status = take_format(options, IC_REPORT_CSV); return true;
	case CLI_OPTION_TAP: *status = take_format(options, IC_REPORT_TAP); return true;
	case CLI_OPTION_JUNIT: *status = take_format(options, IC_REPORT_JUNIT); return true;
	case CLI_OPTION_GITHUB: *status = take_format(options, IC_REPORT_GITHUB); return true;
	case CLI_OPTION_SARIF: *status = take_format(options, IC_REPORT_SARIF); return true;
	case CLI_OPTION_MARKDOWN: *status = take_format(options, IC_REPORT_MARKDOWN); return true;
	case CLI_OPTION_HTML:
		report->page = argument;
		// Mangled names are not readable in a list of everything.
		report->rows.demangle = true;
		*status = take_format(options, IC_REPORT_PAGE);
		return true;
	case CLI_OPTION_PARAMETERS:
		report->parameter_options.lists = report->parameters;
		report->parameters = true;
		return true;
	case CLI_OPTION_COLOR: *status = cli_take_color(argument, &options->colors); return true;
	default: return false;
	}
}

void cli_report_name_frames(const struct cli_report *report, struct ic_symbolizer_options *options)
{
	options->display_names = report->rows.demangle;
	options->display_style = IC_DEMANGLE_FULL;
}

// Whether rows have a list of parameters, for which CSV has no columns.
static bool has_parameters(enum ic_rows_kind kind)
{
	switch (kind) {
	case IC_ROWS_ARGUMENTS:
	case IC_ROWS_CHANGES:
	case IC_ROWS_PROBES:
	case IC_ROWS_HITS:
	case IC_ROWS_HIT_COUNTS:
	case IC_ROWS_GROUPS: return false;
	default: return true;
	}
}

enum cli_status cli_report_check(const struct cli_report *report, enum ic_rows_kind kind)
{
	if (report->parameters && has_parameters(kind) && report->options.format == IC_REPORT_CSV)
		return cli_usage_error("-p cannot be used with --csv; use --json");
	if (report->parameters && report->options.format == IC_REPORT_PAGE)
		return cli_usage_error("-p cannot be used with --html");
	return CLI_ANSWERED;
}

static bool has_file(const struct cli_report *report)
{
	return report->page && strcmp(report->page, "-") != 0;
}

bool cli_report_open(struct cli_report *report, enum ic_rows_kind kind)
{
	struct ic_error err;

	report->file = (struct cli_output_file){ .stream = stdout };
	if (has_file(report) && !cli_output_file_open(&report->file, report->page, NULL))
		return false;
	report->report = ic_report_new(kind, &report->options, report->file.stream, &err);
	if (report->report)
		return true;
	cli_complain("%s", err.message);
	if (has_file(report))
		cli_output_files_close(&report->file, 1, false);
	return false;
}

// Exits if the report has failed.
static void end_report(struct cli_report *report)
{
	struct ic_error err;

	if (ic_report_end(report->report, &err))
		return;
	cli_output_files_abandon();
	cli_write_failed(err.os_error, err.message);
}

// Other formats have no place for it.
static void complain_of_limit(const struct cli_report *report, uint64_t count)
{
	enum ic_report_format format = report->options.format;

	if (count > 0 && format != IC_REPORT_TEXT && format != IC_REPORT_JSON &&
	    format != IC_REPORT_MARKDOWN)
		cli_complain("%s%s%" PRIu64 " row%s left out by --limit",
			     report->rows.file ? report->rows.file : "",
			     report->rows.file ? ": " : "", count, count == 1 ? "" : "s");
}

void cli_report_print(struct cli_report *report, struct ic_rows *rows, const struct ic_error *err)
{
	if (!rows) {
		cli_output_files_abandon();
		cli_write_failed(err->os_error, err->message);
	}
	complain_of_limit(report, ic_rows_left_out(rows));
	if (!ic_report_rows(report->report, rows) || !ic_report_flush(report->report))
		end_report(report);
	ic_rows_free(rows);
}

bool cli_report_close(struct cli_report *report)
{
	end_report(report);
	ic_report_free(report->report);
	report->report = NULL;
	return !has_file(report) || cli_output_files_close(&report->file, 1, !report->is_empty) ||
	       report->is_empty;
}
