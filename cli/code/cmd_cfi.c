// inlinecall cfi FILE [ADDRESS|FUNCTION]...: how to restore a caller's registers.
#include <inlinecall/extra/addresses.h>

#include "base/files.h"
#include "base/report.h"

static const char usage[] =
	"Usage: inlinecall cfi [OPTION]... FILE [ADDRESS|FUNCTION]...\n"
	"Print call frame information: for each address range, the canonical frame\n"
	"address (CFA) and the locations of the caller's registers. For an ADDRESS, print\n"
	"the range that contains it; for a FUNCTION, all its ranges; without either, all\n"
	"ranges in the file.\n"
	"\n"
	"An ADDRESS is a hexadecimal number, SECTION+0xOFFSET or SYMBOL+0xOFFSET; a\n"
	"FUNCTION is the name of a symbol. FILE is any ELF file with .eh_frame,\n"
	".debug_frame or .sframe; .debug_frame may be in its debug file.\n";

struct request {
	struct cli_report report;
	struct cli_files files;
	struct ic_symbolizer_options symbolizer;
	bool raw;
};

struct session {
	struct request *request;
	const char *path;
	struct ic_call_frames *frames;
	struct ic_symbolizer *symbolizer;
	struct ic_addresses *addresses;
	bool found, incomplete;
};

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;

	if (cli_files_take(&request->files, option, argument, &status) ||
	    cli_report_take(&request->report, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_RAW: request->raw = true; return CLI_ANSWERED;
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->symbolizer.jobs);
	default: return cli_hint_at_help();
	}
}

// Prints the rows for some code; for all if `range` is NULL.
static void print_rows(struct session *session, const struct ic_range *range)
{
	struct cli_report *report = &session->request->report;
	struct ic_error err;
	struct ic_rows *rows =
		session->request->raw
			? ic_rows_of_call_frame_items(session->frames, session->symbolizer, range,
						      &report->rows, &err)
			: ic_rows_of_call_frames(session->frames, session->symbolizer, range,
						 &report->rows, &err);

	cli_report_print(report, rows, &err);
}

// Whether there is call frame information for any part of some code.
static bool has_any(const struct session *session, struct ic_range range)
{
	size_t number = 0;

	return ic_call_frames_next(session->frames, range, &number);
}

static void answer_range(struct session *session, const char *operand, struct ic_range range)
{
	if (has_any(session, range)) {
		session->found = true;
		print_rows(session, &range);
	} else {
		cli_complain("%s: '%.200s': no call frame information for 0x%llx", session->path,
			     operand, (unsigned long long)range.start);
	}
}

// The code of a symbol: all of it, if its size is known.
static struct ic_range code_of(const struct ic_symbolizer_symbol *symbol)
{
	return (struct ic_range){ symbol->start,
				  symbol->end > symbol->start ? symbol->end : symbol->start + 1 };
}

// Prints the rows of all symbols of a name, the first of which is `symbol`.
static void answer_symbols(struct session *session, const char *name,
			   struct ic_symbolizer_symbol symbol)
{
	uint64_t last = symbol.start;

	answer_range(session, name, code_of(&symbol));
	for (uint32_t i = 1; ic_symbolizer_symbol_find(session->symbolizer, name, i, &symbol);
	     i++) {
		if (symbol.start != last) // otherwise it is the same one in another table
			answer_range(session, name, code_of(&symbol));
		last = symbol.start;
	}
}

// Prints the rows of everything that a source name may mean: symbols with other names, such as
// clones.
static bool answer_meant(struct session *session, const char *name, const uint64_t *addr)
{
	enum { MOST = 64 };
	struct ic_symbolizer_symbol symbols[MOST];
	size_t count = ic_symbolizer_symbols_match(session->symbolizer, name, symbols, MOST);
	bool is_meant = addr == NULL;

	for (size_t i = 0; i < count && i < MOST; i++)
		is_meant |= addr && symbols[i].start == *addr;
	if (count == 0 || count > MOST || !is_meant)
		return false;
	for (size_t i = 0; i < count; i++)
		answer_range(session, name, code_of(&symbols[i]));
	return true;
}

static void answer_operand(struct session *session, const char *operand)
{
	struct ic_symbolizer_symbol symbol;
	struct ic_address addr;
	struct ic_error err;
	bool is_one = ic_addresses_parse(session->addresses, operand, &addr, &err);

	if (ic_symbolizer_symbol_find(session->symbolizer, operand, 0, &symbol) &&
	    (!is_one || symbol.start == addr.lookup)) {
		answer_symbols(session, operand, symbol);
	} else if (answer_meant(session, operand, is_one ? &addr.lookup : NULL)) {
		return;
	} else if (is_one) {
		answer_range(session, operand, (struct ic_range){ addr.lookup, addr.lookup + 1 });
	} else {
		cli_complain("%s: '%.200s': %s", session->path, operand, err.message);
		session->incomplete |= err.code != IC_ERROR_NOT_FOUND;
	}
}

static void print_problems(struct session *session)
{
	struct ic_index_problem problem;

	for (size_t i = 0; ic_call_frames_problem_get(session->frames, i, &problem); i++)
		session->incomplete |= cli_files_print_problem(&problem, session->path);
}

static bool open_session(struct session *session, struct ic_image *image)
{
	const struct ic_addresses_options options = { .section = NULL };
	struct ic_error err;

	session->path = session->request->report.rows.file = ic_image_path(image);
	session->frames = ic_call_frames_open(image, &err);
	if (session->frames && ic_call_frames_list(session->frames, &err))
		session->symbolizer = ic_symbolizer_new(image, &session->request->symbolizer, &err);
	if (session->symbolizer)
		session->addresses = ic_addresses_new(session->symbolizer, &options, &err);
	if (session->addresses)
		return true;
	cli_complain("%s", err.message);
	session->incomplete = err.code != IC_ERROR_NOT_FOUND;
	return false;
}

static void close_session(struct session *session)
{
	if (session->symbolizer)
		session->incomplete |= cli_files_print_problems(session->symbolizer, session->path);
	if (session->frames)
		print_problems(session);
	ic_addresses_free(session->addresses);
	ic_symbolizer_free(session->symbolizer);
	ic_call_frames_free(session->frames);
}

static enum cli_status answer_image(struct request *request, struct ic_image *image,
				    char **operands, size_t count)
{
	struct session session = { .request = request };

	enum ic_rows_kind kind = request->raw ? IC_ROWS_CALL_FRAME_ITEMS : IC_ROWS_CALL_FRAMES;
	bool is_open = open_session(&session, image);

	if (is_open && !cli_report_open(&request->report, kind)) {
		session.incomplete = true;
	} else if (is_open) {
		for (size_t i = 0; i < count; i++)
			answer_operand(&session, operands[i]);
		if (count == 0) {
			session.found = ic_call_frames_count(session.frames) > 0;
			print_rows(&session, NULL);
		}
		cli_report_close(&request->report);
	}
	close_session(&session);
	if (session.incomplete)
		return CLI_INCOMPLETE;
	return session.found ? CLI_ANSWERED : CLI_NOTHING;
}

static enum cli_status run_cfi(int argc, char **argv)
{
	struct request request = { .raw = false };
	enum cli_status status;

	cli_files_init(&request.files);
	request.report.options.colors = cli_use_colors("auto");
	request.files.image.allow_no_debug = true;
	if (!cli_options_read(&cli_command_cfi, argc, argv, take_option, &request, &status))
		return status;
	if (optind == argc)
		return cli_usage_error("no FILE given");
	if (request.raw && request.report.options.format == IC_REPORT_CSV)
		return cli_usage_error("--raw cannot be used with --csv; use --json");
	status = cli_files_begin(&request.files);
	if (status != CLI_ANSWERED)
		return status;
	struct ic_image *image = cli_files_open_one(&request.files, argv[optind]);
	status = image ? answer_image(&request, image, argv + optind + 1,
				      (size_t)(argc - optind - 1))
		       : CLI_INCOMPLETE;
	ic_image_free(image);
	cli_files_end(&request.files);
	return status;
}

const struct cli_command cli_command_cfi = {
	.name = "cfi",
	.usage = usage,
	.run = run_cfi,
};
