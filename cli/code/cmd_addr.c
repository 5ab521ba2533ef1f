// inlinecall addr FILE [ADDRESS...]: what is at an address, including inlined functions.
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra.h>

#include "base/addr_lines.h"
#include "base/cli.h"
#include "base/files.h"
#include "base/inline_tables.h"
#include "base/report.h"
#include "base/running_kernel.h"
#include "filter/filter.h"

static const char usage[] =
	"Usage: inlinecall addr [OPTION]... FILE [ADDRESS]...\n"
	"       inlinecall addr [OPTION]... --filter [FILE]...\n"
	"       inlinecall addr --style=gnu|llvm|llvm-14 ...\n"
	"Print the function and the source line at each ADDRESS, and the functions that\n"
	"it was inlined into. Without an ADDRESS, read addresses from standard input, one\n"
	"per line, and answer each before waiting for the next.\n"
	"\n"
	"An ADDRESS is a hexadecimal address as in FILE, with or without 0x; or\n"
	"SECTION+0xOFFSET, SYMBOL+0xOFFSET, SYMBOL+0xOFFSET/0xSIZE or SYMBOL. FILE is an\n"
	"ELF file with DWARF, or one whose debug file can be found; or a member of an\n"
	"archive, as in 'lib.a(member.o)'.\n"
	"\n"
	"With --filter, copy the text on standard input, such as an oops, and add the\n"
	"functions at the code locations that it mentions, as an address or as\n"
	"SYMBOL+0xOFFSET/0xSIZE [MODULE]. Files that it names by path or build ID are\n"
	"opened. A FILE can be a directory, whose modules are opened if they are\n"
	"mentioned.\n"
	"\n"
	"With --style, which must come first, take the options of addr2line (gnu) or\n"
	"llvm-symbolizer (llvm, llvm-14), and print what they print.\n";

struct request { // the command line's request
	struct cli_report report;
	struct ic_symbolizer_options symbolizer;
	struct cli_files files;
	struct cli_inline_files tables;
	struct cli_running running;
	const char *section;
	const char *sysroot;
	bool are_return_addrs, filter, filter_as_perf, symbols, open_none;
};

struct session { // a file, and addresses in it that are looked up together
	struct request *request;
	const struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	const char *path; // for messages
	struct ic_addresses *addresses;
	struct ic_address *addrs;
	uint64_t *lookups;                    // the addresses to look up
	struct ic_symbolizer_symbol *symbols; // at these addresses
	struct ic_rows_stack *stacks;
	size_t capacity;
	bool found, incomplete;
};

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;

	if (cli_files_take(&request->files, option, argument, &status) ||
	    cli_running_take(&request->running, option, argument, &status) ||
	    cli_report_take(&request->report, option, argument, &status))
		return status;
	if (cli_inline_files_take(&request->tables, option, argument))
		return CLI_ANSWERED;
	switch (option) {
	case CLI_OPTION_RETURN_ADDRS: request->are_return_addrs = true; break;
	case CLI_OPTION_SECTION: request->section = argument; break;
	case CLI_OPTION_FILTER:
		if (argument && strcmp(argument, "perf") != 0)
			return cli_usage_error("--filter takes 'perf' or nothing, not '%s'",
					       argument);
		request->filter = true;
		request->filter_as_perf = argument != NULL;
		break;
	case CLI_OPTION_SYSROOT: request->sysroot = argument; break;
	case CLI_OPTION_NO_OPEN: request->open_none = true; break;
	case CLI_OPTION_SYMBOLS: request->symbols = true; break;
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->symbolizer.jobs);
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

static bool grow_array(void **items, size_t count, size_t size)
{
	void *grown = realloc(*items, count * size);

	if (grown)
		*items = grown;
	return grown != NULL;
}

static bool reserve_lookups(struct session *session, size_t count)
{
	if (count <= session->capacity)
		return true;
	session->capacity = count;
	return grow_array((void **)&session->addrs, count, sizeof(*session->addrs)) &&
	       grow_array((void **)&session->lookups, count, sizeof(*session->lookups)) &&
	       grow_array((void **)&session->symbols, count, sizeof(*session->symbols)) &&
	       grow_array((void **)&session->stacks, count, sizeof(*session->stacks));
}

// What to subtract from addresses of the file, in order to print them in the form of this one.
static uint64_t start_of(const struct session *session, const struct ic_address *addr)
{
	if (!session->request->are_return_addrs)
		return addr->lookup - addr->shown;
	return addr->lookup + 1 - ic_image_code_addr(session->image, addr->shown);
}

// Parses the texts as addresses; returns how many of them to look up.
static size_t parse_all(struct session *session, char **texts, size_t count)
{
	enum { MOST_COMPLAINTS = 8 };
	struct ic_error err;
	size_t bad = 0, wanted = 0;

	for (size_t i = 0; i < count; i++) {
		struct ic_address *addr = &session->addrs[i];
		if (ic_addresses_parse(session->addresses, texts[i], addr, &err)) {
			session->stacks[i] = (struct ic_rows_stack){
				.addr = addr->shown,
				.section = addr->section,
				.lookup = addr->lookup,
				.start = start_of(session, addr),
			};
			if (!addr->is_outside)
				session->lookups[wanted++] = addr->lookup;
			continue;
		}
		addr->is_outside = true;
		// A name that is not found does not make the output incomplete, as in other
		// commands.
		session->incomplete |= err.code != IC_ERROR_NOT_FOUND;
		session->stacks[i] = (struct ic_rows_stack){ .text = texts[i] };
		if (bad++ < MOST_COMPLAINTS)
			cli_complain("%s: '%.200s': %s", session->path, texts[i], err.message);
	}
	if (bad > MOST_COMPLAINTS)
		cli_complain("%s: %zu more are not addresses", session->path,
			     bad - MOST_COMPLAINTS);
	return wanted;
}

// Adds the symbols at the addresses looked up.
static void add_symbols(struct session *session, size_t count, size_t wanted)
{
	ic_symbolizer_symbols_at(session->symbolizer, session->lookups, wanted, session->symbols);
	for (size_t i = 0, number = 0; i < count; i++) {
		struct ic_rows_stack *stack = &session->stacks[i];
		if (session->addrs[i].is_outside)
			continue;
		const struct ic_symbolizer_symbol *symbol = &session->symbols[number++];
		stack->symbol = symbol->name;
		stack->symbol_offset = session->addrs[i].lookup - symbol->start +
				       session->request->are_return_addrs;
		stack->symbol_size = symbol->end - symbol->start;
	}
}

// Prints the results for some texts. Prints an error and returns false if out of memory.
static bool answer_some(struct session *session, char **texts, size_t count)
{
	struct ic_error err;

	if (!reserve_lookups(session, count)) {
		cli_complain("out of memory");
		return false;
	}
	size_t wanted = parse_all(session, texts, count);
	struct ic_stacks *stacks =
		ic_stacks_find(session->symbolizer, session->lookups, wanted, &err);
	if (!stacks) {
		cli_complain("%s: %s", session->path, err.message);
		return false;
	}
	for (size_t i = 0, number = 0; i < count; i++) {
		struct ic_stack stack;

		if (session->addrs[i].is_outside)
			continue;
		if (!ic_stacks_get(stacks, number++, &stack))
			break;
		session->stacks[i].frames = stack.frames;
		session->stacks[i].frame_count = stack.count;
		session->found |= stack.count > 0;
	}
	// In a kernel, finding a few symbols takes as long as finding the frames.
	if (session->request->symbols || session->request->report.options.format != IC_REPORT_TEXT)
		add_symbols(session, count, wanted);
	struct cli_report *report = &session->request->report;
	cli_report_print(report, ic_rows_of_stacks(session->stacks, count, &report->rows, &err),
			 &err);
	ic_stacks_free(stacks);
	return true;
}

// Prints the results for all texts in order, in parts, since the frames of a part are in memory
// together. Prints an error and returns false if out of memory.
static bool answer_all(struct session *session, char **texts, size_t count)
{
	enum { AT_ONCE = 1 << 16 };
	bool ok = true;

	for (size_t i = 0; ok && i < count; i += AT_ONCE)
		ok = answer_some(session, texts + i, count - i < AT_ONCE ? count - i : AT_ONCE);
	return ok;
}

static bool answer_lines(struct session *session)
{
	struct cli_addr_lines *lines = calloc(1, sizeof(*lines));
	bool ok = true;

	if (!lines) {
		cli_complain("out of memory");
		return false;
	}
	while (ok && cli_addr_lines_next(lines))
		ok = answer_all(session, lines->texts, lines->count);
	if (lines->os_error != 0) {
		cli_complain("cannot read addresses from standard input: %s",
			     strerror(lines->os_error));
		ok = false;
	}
	cli_addr_lines_free(lines);
	free(lines);
	return ok;
}

static bool answer_operands(struct session *session, char **operands, size_t count)
{
	for (size_t i = 0; i < count; i++)
		operands[i] = cli_addr_trimmed(operands[i]);
	return answer_all(session, operands, count);
}

// Prints an error and returns false on failure.
static bool open_parameters(struct session *session)
{
	struct cli_report *report = &session->request->report;
	struct ic_error err;

	if (!report->parameters)
		return true;
	report->rows.parameters =
		ic_parameters_open_frames(session->symbolizer, &report->parameter_options, &err);
	if (!report->rows.parameters)
		cli_complain("%s", err.message);
	return report->rows.parameters != NULL;
}

static void close_parameters(struct session *session)
{
	struct ic_parameters **parameters = &session->request->report.rows.parameters;

	if (*parameters)
		session->incomplete |=
			cli_files_print_parameter_problems(*parameters, session->path);
	ic_parameters_free(*parameters);
	*parameters = NULL;
}

// If the options tell where the file is loaded, addresses are those in memory.
static bool place_image(struct request *request, const struct ic_image *image,
			struct session *session, struct ic_placement **placement,
			struct ic_addresses_options *options)
{
	if (!cli_running_is_given(&request->running))
		return true;
	*placement = cli_running_place(&request->running, image, session->symbolizer);
	if (!*placement)
		return false;
	bool is_known = cli_running_is_known(*placement);
	if (!is_known)
		cli_running_complain(&request->running, image, *placement);
	options->window_count = ic_placement_windows(*placement, &options->windows);
	return is_known;
}

// Prepares to parse addresses according to the options. Prints an error and returns false on
// failure.
static bool begin_addresses(struct session *session, const struct ic_addresses_options *options)
{
	struct ic_error err;

	session->addresses = ic_addresses_new(session->symbolizer, options, &err);
	if (session->addresses)
		return true;
	if (err.code == IC_ERROR_NOT_FOUND)
		cli_complain("%s: no allocated section '%s'", session->path, options->section);
	else if (err.code == IC_ERROR_ARGUMENT)
		cli_complain("%s: --section: %s", session->path, err.message);
	else
		cli_complain("%s", err.message);
	return false;
}

static enum cli_status filter_text(struct request *request, char **paths, size_t count)
{
	struct cli_filter_options options = { .return_addresses = request->are_return_addrs,
					      .as_perf = request->filter_as_perf,
					      .open_none = request->open_none,
					      .sysroot = request->sysroot,
					      .symbolizer = request->symbolizer,
					      .report = request->report };

	if (request->report.options.format != IC_REPORT_TEXT)
		return cli_usage_error("--filter prints text, not JSON or CSV");
	if (request->symbols)
		return cli_usage_error(
			"--filter does not print symbols, so --symbols has no effect");
	if (request->report.parameters)
		return cli_usage_error("--filter does not print parameters, so -p has no effect");
	if (request->tables.table)
		return cli_usage_error("--filter does not read tables of inlined calls, so "
				       "--btf-inline has no effect");
	if (request->section)
		return cli_usage_error("--filter and --section cannot be used together");
	for (size_t i = 0; i < count; i++)
		if (strcmp(paths[i], "-") == 0)
			return cli_usage_error(
				"--filter reads text from standard input, so file names cannot be "
				"read from there; give a directory for modules");
	if (request->sysroot &&
	    !cli_files_add_debug_dir(&request->files, request->sysroot, "/usr/lib/debug"))
		return CLI_INCOMPLETE;
	if (request->filter_as_perf) { // as perf's names of hosts are
		options.symbolizer.display_names = true;
		options.symbolizer.display_style = IC_DEMANGLE_NAME;
	}
	return cli_filter(paths, count, &request->files, &request->running, &options);
}

static enum cli_status answer_image(struct request *request, struct ic_image *image,
				    char **operands, size_t count)
{
	struct ic_error err;
	struct ic_placement *placement = NULL;
	struct session session = {
		.request = request,
		.image = image,
		.symbolizer = ic_symbolizer_new(image, &request->symbolizer, &err),
	};

	if (!session.symbolizer) {
		cli_complain("%s", err.message);
		return CLI_INCOMPLETE;
	}
	struct ic_addresses_options options = {
		.are_return_addrs = request->are_return_addrs,
		.section = request->section,
		.section_option = "--section",
		.inlined_hint = "if it was inlined, 'inlinecall sites' lists its copies",
	};
	request->report.rows.file = session.path = ic_image_path(image);
	bool ok = place_image(request, image, &session, &placement, &options) &&
		  begin_addresses(&session, &options) && open_parameters(&session) &&
		  cli_report_open(&request->report, IC_ROWS_STACKS) &&
		  (count > 0 ? answer_operands(&session, operands, count) : answer_lines(&session));
	if (request->report.report)
		cli_report_close(&request->report);
	session.incomplete |= cli_files_print_problems(session.symbolizer, session.path);
	close_parameters(&session);
	if (request->symbolizer.inline_table && session.found) {
		cli_complain("%s: a table of inlined calls has the entries of copies, not their "
			     "ranges: inlined frames may be missing",
			     session.path);
		session.incomplete = true;
	}
	ic_addresses_free(session.addresses);
	ic_placement_free(placement);
	free(session.addrs);
	free(session.lookups);
	free(session.symbols);
	free(session.stacks);
	ic_symbolizer_free(session.symbolizer);
	return !ok || session.incomplete || request->files.lacks_debug ? CLI_INCOMPLETE
	       : session.found                                         ? CLI_ANSWERED
								       : CLI_NOTHING;
}

static enum cli_status answer_file(struct request *request, const char *path, char **operands,
				   size_t count)
{
	static const char order[] = "FILE [ADDRESS...]";
	struct cli_btf_table table;
	struct ic_error err;
	bool has_table;
	struct ic_image *image = cli_inline_table_open(&request->files, &request->tables, path,
						       &table, &has_table, &err);

	if (!image && err.code != IC_ERROR_NONE)
		image = cli_files_open_other(&request->files, path, &err);
	request->symbolizer.inline_table = has_table ? table.table : NULL;
	enum cli_status status = image ? answer_image(request, image, operands, count)
				       : CLI_INCOMPLETE;

	for (size_t i = 0; !image && i < count && !cli_hint_at_order(operands[i], order); i++) {}
	ic_image_free(image);
	if (has_table)
		cli_btf_table_close(&table);
	return status;
}

static enum cli_status run_addr(int argc, char **argv)
{
	struct request request = { .section = NULL };
	enum cli_status status;

	cli_files_init(&request.files);
	cli_running_init(&request.running);
	if (cli_running_check(argc, argv) != CLI_ANSWERED)
		return CLI_USAGE;
	request.report.options.colors = cli_use_colors("auto");
	request.files.symbols_do = true;
	if (!cli_options_read(&cli_command_addr, argc, argv, take_option, &request, &status))
		return status;
	cli_report_name_frames(&request.report, &request.symbolizer);
	if (optind == argc && (!request.filter || request.open_none))
		return cli_usage_error("no FILE given");
	if (!request.filter && (request.sysroot || request.open_none))
		return cli_usage_error("%s is for files named by a text: it requires --filter",
				       request.sysroot ? "--sysroot" : "--no-open");
	if (request.section && cli_running_is_given(&request.running))
		return cli_usage_error("addresses are either section offsets (--section) or in "
				       "memory (-k, --base and others)");
	if (cli_report_check(&request.report, IC_ROWS_STACKS) != CLI_ANSWERED)
		return CLI_USAGE;
	char **operands = argv + optind + 1;

	status = cli_files_begin(&request.files);
	if (status != CLI_ANSWERED)
		return status;
	status = request.filter ? filter_text(&request, argv + optind, (size_t)(argc - optind))
				: answer_file(&request, argv[optind], operands,
					      (size_t)(argc - optind - 1));
	cli_running_deinit(&request.running);
	cli_files_end(&request.files);
	return status;
}

const struct cli_command cli_command_addr = {
	.name = "addr",
	.usage = usage,
	.which = "Which addresses",
	.run = run_addr,
};
