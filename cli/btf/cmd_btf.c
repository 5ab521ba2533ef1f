// inlinecall btf dump FILE, btf check FILE and btf encode FILE: tables of inlined calls, for tools
// that have BTF but no DWARF.
#include <string.h>

#include "base/btf_files.h"
#include "base/output_file.h"
#include "base/report.h"
#include "btf/compare.h"
#include "btf/convert.h"
#include "btf/encode.h"
#include "btf/tally.h"

static const char usage[] =
	"Usage: inlinecall btf dump [OPTION]... FILE\n"
	"       inlinecall btf check [OPTION]... FILE\n"
	"       inlinecall btf encode [OPTION]... --output=OUT FILE\n"
	"       inlinecall btf convert [OPTION]... --output=OUT FILE\n"
	"Work with tables of inlined calls, which tools can read instead of DWARF:\n"
	"  dump     print the calls, and where their arguments are\n"
	"  check    check the references in the table, and count the errors\n"
	"  encode   write a table from the DWARF of FILE\n"
	"  convert  write the table of FILE in another format\n"
	"\n"
	"FILE is an ELF file with a section .BTF.inline or .BTF, or contains only such a\n"
	"section. The format of the table is recognised: that of the RFC of 2025, or BTF\n"
	"with the kinds LOC_PARAM, LOC_PROTO and LOCSEC. For encode, FILE needs a section\n"
	".BTF, and DWARF in FILE itself or in a debug file that can be found.\n";

struct request {
	struct cli_report report;
	struct cli_btf_encode encode;
	struct cli_files files;
	struct ic_index_options index;
	const char *types, *base, *against, *symbols_of;
	bool raw;
	bool writes, asks_dwarf; // options about the output, or about DWARF, were given
};

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;

	if (cli_report_take(&request->report, option, argument, &status))
		return status;
	if (cli_btf_encode_take(&request->encode, option, argument, &status)) {
		request->writes = true;
		return status;
	}
	if (cli_files_take(&request->files, option, argument, &status)) {
		request->asks_dwarf = true;
		return status;
	}
	switch (option) {
	case CLI_OPTION_BTF: request->types = argument; break;
	case CLI_OPTION_BTF_BASE: request->base = argument; break;
	case CLI_OPTION_SYMBOLS_OF: request->symbols_of = argument; break;
	case CLI_OPTION_AGAINST: request->against = argument; break;
	case CLI_OPTION_RAW: request->raw = true; break;
	case CLI_OPTION_JOBS:
		request->asks_dwarf = true;
		return cli_take_jobs(argument, &request->index.jobs);
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

static enum cli_status print_raw(const struct cli_btf_table *table)
{
	if (ic_btf_inline_print_kinds(table->table, stdout))
		return cli_end_print();
	cli_complain("%s: no types of the kinds that --raw prints", table->file.path);
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

static void take_fault(void *context, enum ic_btf_inline_fault fault, uint64_t off)
{
	cli_btf_tally_add((struct cli_btf_tally *)context + fault, off);
}

// Prints the faults of a table that is being used; returns false if there are any.
static bool complain_of_faults(const struct cli_btf_table *table)
{
	struct cli_btf_tally faults[IC_BTF_FAULT_COUNT_OF] = { { .count = 0 } };
	struct ic_error err;
	bool ok = true;

	if (!ic_btf_inline_check(table->table, take_fault, faults, &err)) {
		cli_complain("%s: %s", table->file.path, err.message);
		return false;
	}
	for (unsigned i = 0; i < IC_BTF_FAULT_COUNT_OF; i++) {
		if (faults[i].count == 0)
			continue;
		cli_complain("%s: %s+0x%llx: %s; %llu in all", table->file.path,
			     table->section ? table->section : ".BTF.inline",
			     (unsigned long long)faults[i].places[0],
			     ic_btf_inline_fault_text((enum ic_btf_inline_fault)i),
			     (unsigned long long)faults[i].count);
		ok = false;
	}
	if (!ok)
		cli_complain("%s: damaged, or encoded with other types; use --btf and --btf-base "
			     "to name the files with its types",
			     table->file.path);
	return ok;
}

static enum cli_status dump_table(struct request *request, const struct cli_btf_table *table)
{
	if (request->raw)
		return print_raw(table);
	print_rows(request, table);
	if (ic_btf_inline_count(table->table) == 0) {
		cli_complain("%s: no inlined calls", table->file.path);
		return CLI_NOTHING;
	}
	if (!complain_of_faults(table))
		return CLI_INCOMPLETE;
	if (ic_btf_inline_types(table->table))
		return CLI_ANSWERED;
	cli_complain("%s: no BTF for the names of functions and types; use --btf to name a file "
		     "that has it",
		     table->file.path);
	return CLI_INCOMPLETE;
}

static bool print_faults(struct cli_report *report, const struct cli_btf_tally *faults)
{
	bool any = false;

	for (unsigned i = 0; i < IC_BTF_FAULT_COUNT_OF; i++) {
		if (faults[i].count == 0)
			continue;
		any = true;
		cli_btf_tally_print(report, "fault", &faults[i],
				    ic_btf_inline_fault_text((enum ic_btf_inline_fault)i), true);
	}
	return any;
}

static enum cli_status check_table(struct request *request, const struct cli_btf_table *table)
{
	struct cli_btf_tally faults[IC_BTF_FAULT_COUNT_OF] = { { .count = 0 } };
	struct ic_error err;

	if (!ic_btf_inline_check(table->table, take_fault, faults, &err)) {
		cli_complain("%s: %s", table->file.path, err.message);
		return CLI_INCOMPLETE;
	}
	enum cli_status status = CLI_ANSWERED;
	request->report.rows.file = table->file.path;
	if (!cli_report_open(&request->report, IC_ROWS_BTF_TALLIES))
		return CLI_INCOMPLETE;
	bool any = print_faults(&request->report, faults);
	if (ic_btf_inline_types(table->table) && request->against)
		status = cli_btf_compare(&request->report, table, &request->files, &request->index,
					 request->against);
	cli_report_close(&request->report);
	if (ic_btf_inline_types(table->table))
		return any && status == CLI_ANSWERED ? CLI_NOTHING : status;
	cli_complain("%s: no BTF to check functions with; use --btf to name a file that has it",
		     table->file.path);
	return CLI_INCOMPLETE;
}

static enum cli_status convert_table(struct request *request, const struct cli_btf_table *table)
{
	request->encode.report = &request->report;
	bool is_sound = complain_of_faults(table);
	enum cli_status status = cli_btf_convert(table, &request->encode, request->symbols_of);
	return is_sound ? status : CLI_INCOMPLETE;
}

static enum cli_status encode_file(struct request *request, const char *path)
{
	request->encode.types = request->types;
	request->encode.base = request->base;
	request->encode.files = &request->files;
	request->encode.report = &request->report;
	request->encode.index = request->index;
	return cli_btf_encode_run(&request->encode, path);
}

struct action {
	const char *name;
	enum cli_status (*run)(struct request *request, const struct cli_btf_table *table);
};

static const struct action actions[] = { { "dump", dump_table },
					 { "check", check_table },
					 { "convert", convert_table },
					 { "encode", NULL } };

// Whether options were given that the action does not take; prints an error if so.
static bool takes_less(const struct action *action, const struct request *request)
{
	bool is_reader = action->run == dump_table || action->run == check_table;

	if (action->run == dump_table && request->raw &&
	    request->report.options.format != IC_REPORT_TEXT)
		cli_usage_error("--raw cannot be used with --json or --csv");
	else if (action->run != dump_table && request->raw)
		cli_usage_error("btf %s does not take --raw", action->name);
	else if ((action->run && request->encode.is_encoding) || (is_reader && request->writes))
		cli_usage_error("btf %s does not take options of btf encode", action->name);
	else if (!is_reader && !request->encode.output)
		cli_usage_error("btf %s requires --output=OUT", action->name);
	else if (action->run != convert_table && request->symbols_of)
		cli_usage_error("btf %s does not take --symbols-of", action->name);
	else if (action->run != check_table && request->against)
		cli_usage_error("btf %s does not take --against", action->name);
	else if (action->run && !request->against && request->asks_dwarf)
		cli_usage_error("btf %s does not read DWARF%s", action->name,
				action->run == check_table ? " without --against" : "");
	else if (!action->run && cli_btf_encode_fault(&request->encode))
		cli_usage_error("%s", cli_btf_encode_fault(&request->encode));
	else
		return false;
	return true;
}

static bool is_any(const char *output, const char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (paths[i] && cli_output_is(output, paths[i]))
			return true;
	return false;
}

// Whether the output would replace a file that is needed; prints an error if so. A copy may replace
// the file, and types may replace those to which they were added.
static bool loses_input(const struct request *request, const char *file)
{
	const struct cli_btf_encode *encode = &request->encode;
	const char *const reads[] = { request->base, encode->into ? NULL : file, request->types,
				      request->symbols_of };
	const char *const types_reads[] = { request->base, file };
	const char *output = encode->output, *types = encode->types_output;

	if (!output)
		return false;
	if (cli_output_is_standard(output) || (types && cli_output_is_standard(types)))
		cli_usage_error("--output and --btf-output must be files; the report goes to "
				"standard output");
	else if (types && cli_output_is(output, types))
		cli_usage_error("--output and --btf-output name the same file");
	else if (is_any(output, reads, sizeof(reads) / sizeof(*reads)))
		cli_usage_error("--output=%s would overwrite an input file", output);
	else if (types && is_any(types, types_reads, 2))
		cli_usage_error("--btf-output=%s would overwrite an input file", types);
	else
		return false;
	return true;
}

// Prints an error, sets *status and returns NULL on failure.
static const struct action *find_action(int argc, char **argv, const struct request *request,
					enum cli_status *status)
{
	const struct action *action = NULL;

	*status = CLI_USAGE;
	for (size_t i = 0; optind < argc && i < sizeof(actions) / sizeof(*actions); i++)
		if (strcmp(argv[optind], actions[i].name) == 0)
			action = &actions[i];
	if (optind == argc)
		cli_usage_error("no action given, as in 'btf dump FILE'");
	else if (!action)
		cli_usage_error("unknown action '%s'; btf has dump, check, convert and encode",
				argv[optind]);
	else if (optind + 2 != argc)
		cli_usage_error(optind + 1 == argc ? "no FILE given" : "more than one FILE given");
	else if (!takes_less(action, request) && !loses_input(request, argv[optind + 1]))
		return action;
	return NULL;
}

static enum cli_status run_btf(int argc, char **argv)
{
	struct request request = { .raw = false };
	struct cli_btf_table table;
	enum cli_status status;

	cli_files_init(&request.files);
	if (!cli_options_read(&cli_command_btf, argc, argv, take_option, &request, &status))
		return status;
	const struct action *action = find_action(argc, argv, &request, &status);
	if (!action)
		return status;
	if (!action->run)
		return encode_file(&request, argv[optind + 1]);
	status = cli_btf_table_open(&table, argv[optind + 1], request.types, request.base)
			 ? action->run(&request, &table)
			 : CLI_INCOMPLETE;
	cli_btf_table_close(&table);
	return status;
}

const struct cli_command cli_command_btf = {
	.name = "btf",
	.usage = usage,
	.statuses = "0 answered or written; 1 no calls, or errors in the table; 2 part of the "
		    "input could not be read or was skipped; 64 usage error",
	.which = "What is read and written",
	.run = run_btf,
};
