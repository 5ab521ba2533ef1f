// inlinecall btf dump FILE: tables of inlined calls for tools that have BTF and no DWARF.
#include <string.h>

#include "btf_files.h"
#include "report.h"

static const char usage[] =
	"Usage: inlinecall btf dump [OPTION]... FILE\n"
	"Print the inlined calls that .BTF.inline lists, and where their arguments are.\n"
	"\n"
	"FILE is an ELF file with a section .BTF.inline, .BTF_inline, .BTF.extra or .BTF, or such\n"
	"a section as a file of its own. Its form is told by its contents: that of the RFC of\n"
	"2025, that of its prototype, or BTF with the kinds LOC_PARAM, LOC_PROTO and LOCSEC.\n";

struct request {
	struct cli_report report;
	const char *types, *base;
	bool raw;
};

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;

	if (cli_report_take(&request->report, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_BTF: request->types = argument; break;
	case CLI_OPTION_BTF_BASE: request->base = argument; break;
	case CLI_OPTION_RAW: request->raw = true; break;
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

static enum cli_status print_raw(const struct cli_btf_table *table)
{
	if (ic_btf_inline_print_kinds(table->table, stdout))
		return cli_end_print();
	cli_complain("%s: it has no types of the kinds that --raw prints", table->file.path);
	return CLI_INCOMPLETE;
}

static void print_rows(struct request *request, const struct cli_btf_table *table)
{
	unsigned machine = table->file.image ? ic_image_machine(table->file.image) : 0;
	struct ic_error err;

	request->report.rows.file = table->file.path;
	if (!cli_report_open(&request->report, IC_ROWS_BTF_SITES))
		return;
	cli_report_print(&request->report,
			 ic_rows_of_btf_sites(table->table, machine, &request->report.rows, &err),
			 &err);
	cli_report_close(&request->report);
}

static enum cli_status dump(struct request *request, const struct cli_btf_table *table)
{
	if (request->raw)
		return print_raw(table);
	print_rows(request, table);
	if (ic_btf_inline_count(table->table) == 0) {
		cli_complain("%s: it lists no inlined calls", table->file.path);
		return CLI_NOTHING;
	}
	if (ic_btf_inline_types(table->table))
		return CLI_ANSWERED;
	cli_complain("%s: there is no BTF to name functions and types by; --btf says where it is",
		     table->file.path);
	return CLI_INCOMPLETE;
}

static enum cli_status run_btf(int argc, char **argv)
{
	struct request request = { .raw = false };
	struct cli_btf_table table;
	enum cli_status status;

	if (!cli_options_read(&cli_command_btf, argc, argv, take_option, &request, &status))
		return status;
	if (optind == argc || strcmp(argv[optind], "dump") != 0)
		return optind == argc ? cli_usage_error("no FILE given; as in 'btf dump FILE'")
				      : cli_usage_error("btf can dump, not '%s'", argv[optind]);
	if (optind + 2 != argc)
		return optind + 1 == argc ? cli_usage_error("no FILE given")
					  : cli_usage_error("more than one FILE given");
	if (request.raw && request.report.options.format != IC_REPORT_TEXT)
		return cli_usage_error("--raw excludes --json and --csv");
	status = cli_btf_table_open(&table, argv[optind + 1], request.types, request.base)
			 ? dump(&request, &table)
			 : CLI_INCOMPLETE;
	cli_btf_table_close(&table);
	return status;
}

const struct cli_command cli_command_btf = {
	.name = "btf",
	.usage = usage,
	.which = "Which types",
	.run = run_btf,
};
