// inlinecall lines FILE SOURCE:LINE...: where the code of a line is, in every inlined copy.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra.h>

#include "base/cli.h"
#include "base/files.h"
#include "base/report.h"

static const char usage[] =
	"Usage: inlinecall lines [OPTION]... FILE SOURCE:LINE[:COLUMN]...\n"
	"       inlinecall lines [OPTION]... FILE SOURCE:FIRST-LAST...\n"
	"Print where the code of a source line is: its address ranges in every inlined\n"
	"copy, each with the functions that it was inlined into.\n"
	"\n"
	"SOURCE is the path of a source file, or its last components: 'slub.c' and\n"
	"'mm/slub.c' both find '/usr/src/linux/mm/slub.c'. If several files match, all of\n"
	"them are used. FILE is an ELF file with DWARF, or one whose debug file can be\n"
	"found; or a member of an archive, as in 'lib.a(member.o)'.\n";

struct request { // the command line's request
	struct cli_report report;
	struct ic_symbolizer_options symbolizer;
	struct cli_files files;
	bool breakpoints, empty;
	char **operands; // "SOURCE:LINE", all checked
	size_t count;

	// While it runs:
	uint64_t printed, left_out; // numbers of ranges, and of empty ones
	uint64_t *hosts;            // entries of the functions around them, with repetitions
	size_t host_count, host_capacity;
	char **reasons; // why operands have no code
	size_t reason_count;
};

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;

	if (cli_files_take(&request->files, option, argument, &status) ||
	    cli_report_take(&request->report, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_BREAKPOINTS: request->breakpoints = true; break;
	case CLI_OPTION_EMPTY: request->empty = true; break;
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->symbolizer.jobs);
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

struct operand { // "SOURCE:LINE", "SOURCE:LINE:COLUMN" or "SOURCE:LINE-LAST"
	const char *source;
	size_t source_size;
	uint32_t line, last;
	uint32_t column; // 0 if not given
};

// Reads the number after the last `separator` before `end`, and moves `end` there. Returns 0 if
// there is none.
static uint32_t read_number(const char *text, char separator, const char **end)
{
	const char *before = memrchr(text, separator, (size_t)(*end - text));
	char *stop;

	if (!before || before[1] < '0' || before[1] > '9')
		return 0;
	errno = 0;
	unsigned long number = strtoul(before + 1, &stop, 10);
	if (errno != 0 || stop != *end || number > UINT32_MAX)
		return 0;
	*end = before;
	return (uint32_t)number;
}

static bool parse_operand(const char *text, struct operand *operand)
{
	const char *end = text + strlen(text);

	while (strncmp(text, "./", 2) == 0)
		text += 2;
	uint32_t last = read_number(text, '-', &end);
	uint32_t number = read_number(text, ':', &end);
	uint32_t before = number > 0 && last == 0 ? read_number(text, ':', &end) : 0;
	const char *first = end;
	// A range has no column: the SOURCE in "a.c:3-5:7" would be "a.c:3-5".
	if (last == 0 && read_number(text, '-', &first) && read_number(text, ':', &first))
		return false;
	*operand = (struct operand){ .source = text,
				     .source_size = (size_t)(end - text),
				     .line = before > 0 ? before : number,
				     .column = before > 0 ? number : 0 };
	operand->last = last > 0 ? last : operand->line;
	return operand->line > 0 && operand->line <= operand->last && operand->source_size > 0;
}

// For relocatable files, the section and the offset in it are printed.
static void show_addr(const struct ic_symbolizer *symbolizer, struct ic_rows_stack *stack)
{
	struct ic_index_section section;

	if (!ic_symbolizer_section_at(symbolizer, stack->addr, &section))
		return;
	stack->addr -= section.start;
	stack->section = section.name;
}

// ---- Printing

enum { LEAST_FRAMES = 4096 }; // printed at a time

struct batch { // places to print together
	struct ic_rows_stack *stacks;
	struct ic_line_place *places;
	struct ic_frame *frames;
	size_t count, frame_count, capacity;
};

static void print_batch(struct batch *batch, struct request *request)
{
	struct ic_error err;

	if (batch->count > 0)
		cli_report_print(
			&request->report,
			ic_rows_of_stacks(batch->stacks, batch->count, &request->report.rows, &err),
			&err);
	batch->count = batch->frame_count = 0;
}

static void free_batch(struct batch *batch)
{
	free(batch->stacks);
	free(batch->places);
	free(batch->frames);
}

// Replaces an empty batch with one that has room for this many frames. Prints an error and returns
// false if out of memory.
static bool make_batch(struct batch *batch, size_t capacity)
{
	free_batch(batch);
	if (capacity < LEAST_FRAMES)
		capacity = LEAST_FRAMES;
	*batch = (struct batch){ .stacks = calloc(capacity, sizeof(*batch->stacks)),
				 .places = calloc(capacity, sizeof(*batch->places)),
				 .frames = calloc(capacity, sizeof(*batch->frames)),
				 .capacity = capacity };
	if (batch->stacks && batch->places && batch->frames)
		return true;
	cli_complain("out of memory");
	return false;
}

// Records the outermost function around a place, for the total. Prints an error and returns false
// if out of memory.
static bool count_host(struct request *request, uint64_t entry)
{
	request->printed++;
	if (entry == UINT64_MAX || // unknown
	    (request->host_count > 0 && request->hosts[request->host_count - 1] == entry))
		return true;
	if (request->host_count == request->host_capacity) {
		size_t capacity = request->host_capacity * 2 + 1024;
		uint64_t *grown = reallocarray(request->hosts, capacity, sizeof(*grown));
		if (!grown) {
			cli_complain("out of memory");
			return false;
		}
		request->hosts = grown;
		request->host_capacity = capacity;
	}
	request->hosts[request->host_count++] = entry;
	return true;
}

static int compare_entries(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

// Prints the total at the end of the text.
static void print_total(struct request *request)
{
	unsigned long long functions = 0, left_out = request->left_out;

	if (request->printed == 0 || request->report.options.format != IC_REPORT_TEXT)
		return;
	if (request->host_count > 0)
		qsort(request->hosts, request->host_count, sizeof(*request->hosts),
		      compare_entries);
	for (size_t i = 0; i < request->host_count; i++)
		functions += i == 0 || request->hosts[i] != request->hosts[i - 1];
	printf(request->printed == 1 ? "%llu place" : "%llu places",
	       (unsigned long long)request->printed);
	printf(functions == 1 ? " in %llu function" : " in %llu functions", functions);
	if (left_out > 0)
		printf(left_out == 1 ? ", and %llu empty one (--empty)"
				     : ", and %llu empty ones (--empty)",
		       left_out);
	putchar('\n');
	(void)cli_end_print();
}

// Adds a place, printing the batch first if there is no room.
static bool add_to_batch(struct batch *batch, struct request *request,
			 const struct ic_symbolizer *symbolizer, const struct ic_lines *lines,
			 size_t number)
{
	struct ic_line_place place;
	size_t count = ic_lines_get(lines, number, &place, NULL, 0);

	if (batch->count == batch->capacity || count > batch->capacity - batch->frame_count)
		print_batch(batch, request);
	if ((count > batch->capacity || batch->capacity == 0) && !make_batch(batch, count))
		return false;
	struct ic_rows_stack *stack = &batch->stacks[batch->count];
	struct ic_frame *frames = batch->frames + batch->frame_count;
	ic_lines_get(lines, number, &batch->places[batch->count], frames, count);
	*stack = (struct ic_rows_stack){ .addr = place.range.start,
					 .frames = frames,
					 .frame_count = count,
					 .place = &batch->places[batch->count] };
	show_addr(symbolizer, stack);
	batch->count++;
	batch->frame_count += count;
	return count_host(request, frames[count - 1].start);
}

// Records why there is no code, to be reported if the file turns out to have no problems.
static bool explain_missing(struct request *request, const char *operand, const char *source,
			    const struct ic_lines *lines, bool has_empty)
{
	char **reason = &request->reasons[request->reason_count++];
	unsigned next = (unsigned)ic_lines_next(lines);
	int length;

	if (!ic_lines_has_file(lines))
		length = asprintf(reason, "no code from a source file named '%s'", source);
	else if (has_empty)
		length = asprintf(reason, "no code at %s; --empty lists its empty ranges", operand);
	else if (ic_lines_count(lines) > 0 && request->breakpoints)
		length = asprintf(reason, "no breakpoint location at %s", operand);
	else if (ic_lines_count(lines) > 0)
		length = asprintf(reason, "no code at %s; the line has code only in other columns",
				  operand);
	else if (next > 0)
		length = asprintf(reason, "no code at %s; the next line with code is %u", operand,
				  next);
	else
		length = asprintf(reason, "no code at %s or after it", operand);
	if (length >= 0)
		return true;
	*reason = NULL;
	cli_complain("out of memory");
	return false;
}

// Prints the reasons. For that, the whole file is read: if it has problems, the unreadable parts
// may contain the lines, and the reasons are not printed. Returns false then.
static bool say_reasons(struct request *request, struct ic_image *image)
{
	const struct ic_index_options options = { .jobs = request->symbolizer.jobs };
	struct ic_error err;
	struct ic_index *index = ic_index_build(image, &options, &err);
	bool sound = index && !cli_files_print_index_problems(index, request->report.rows.file);

	if (!index)
		cli_complain("%s", err.message);
	for (size_t i = 0; sound && i < request->reason_count; i++)
		cli_complain("%s: %s", request->report.rows.file, request->reasons[i]);
	ic_index_free(index);
	return sound;
}

static void free_results(struct request *request)
{
	for (size_t i = 0; request->reasons && i < request->reason_count; i++)
		free(request->reasons[i]);
	free(request->reasons);
	free(request->hosts);
}

static bool is_asked_for(const struct request *request, const struct operand *operand,
			 const struct ic_line_place *place)
{
	return (place->is_stmt || !request->breakpoints) &&
	       (operand->column == 0 || place->column == operand->column);
}

static bool is_left_out(const struct request *request, const struct ic_line_place *place)
{
	return !request->empty && place->range.start == place->range.end;
}

// Prints the results; *found tells whether there were any. Prints an error and returns false if out
// of memory.
static bool report_places(struct request *request, const struct operand *operand,
			  const struct ic_symbolizer *symbolizer, const struct ic_lines *lines,
			  bool *found)
{
	struct batch batch = { .capacity = 0 };
	struct ic_line_place place;
	bool ok = true;

	for (size_t i = 0; ok && i < ic_lines_count(lines); i++) {
		ic_lines_get(lines, i, &place, NULL, 0);
		if (!is_asked_for(request, operand, &place))
			continue;
		if (is_left_out(request, &place)) {
			request->left_out++;
			continue;
		}
		ok = add_to_batch(&batch, request, symbolizer, lines, i);
		*found = true;
	}
	if (ok)
		print_batch(&batch, request);
	free_batch(&batch);
	return ok;
}

// Prints the results for the lines of an operand; if they have no code, records why.
static bool answer_source(struct request *request, struct ic_symbolizer *symbolizer,
			  const char *text, const struct operand *operand, const char *source,
			  bool *found)
{
	struct ic_error err;
	uint64_t left_out = request->left_out;
	bool any = false, ok = true;

	for (uint64_t line = operand->line, next; ok && line <= operand->last; line = next) {
		struct ic_lines *lines = ic_lines_find(symbolizer, source, (uint32_t)line, &err);
		if (!lines) {
			cli_complain("%s", err.message); // this contains the file's path
			return false;
		}
		bool here = false;
		ok = report_places(request, operand, symbolizer, lines, &here);
		any |= here;
		next = ic_lines_count(lines) > 0  ? line + 1
		       : ic_lines_next(lines) > 0 ? ic_lines_next(lines)
						  : UINT64_MAX;
		if (ok && !any && next > operand->last)
			ok = explain_missing(request, text, source, lines,
					     request->left_out > left_out);
		ic_lines_free(lines);
	}
	*found |= any;
	return ok;
}

static bool answer_line(struct request *request, struct ic_symbolizer *symbolizer, const char *text,
			bool *found)
{
	struct operand operand;
	char *source = parse_operand(text, &operand) // it has been checked
			       ? strndup(operand.source, operand.source_size)
			       : NULL;
	bool ok = source && answer_source(request, symbolizer, text, &operand, source, found);

	if (!source)
		cli_complain("%s: out of memory", request->report.rows.file);
	free(source);
	return ok;
}

static enum cli_status answer_image(struct request *request, struct ic_image *image)
{
	struct ic_error err;
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(image, &request->symbolizer, &err);
	bool ok = symbolizer != NULL, found = false;

	if (!symbolizer) {
		cli_complain("%s", err.message);
		return CLI_INCOMPLETE;
	}
	request->report.rows.file = ic_image_path(image);
	request->reasons = calloc(request->count, sizeof(*request->reasons));
	if (!request->reasons) {
		cli_complain("out of memory");
		ok = false;
	}
	ok = ok && cli_report_open(&request->report, IC_ROWS_STACKS);
	for (size_t i = 0; ok && i < request->count; i++)
		ok = answer_line(request, symbolizer, request->operands[i], &found);
	if (request->report.report)
		cli_report_close(&request->report);
	print_total(request);
	if (cli_files_print_problems(symbolizer, request->report.rows.file))
		ok = false;
	ic_symbolizer_free(symbolizer);
	if (ok && request->reason_count > 0)
		ok = say_reasons(request, image);
	free_results(request);
	return !ok ? CLI_INCOMPLETE : found ? CLI_ANSWERED : CLI_NOTHING;
}

static enum cli_status check_operands(const struct request *request)
{
	struct operand operand;

	for (size_t i = 0; i < request->count; i++)
		if (!parse_operand(request->operands[i], &operand)) {
			cli_hint_at_order(request->operands[i], "FILE SOURCE:LINE...");
			return cli_usage_error("expected SOURCE:LINE, SOURCE:LINE:COLUMN or "
					       "SOURCE:FIRST-LAST, not '%s'",
					       request->operands[i]);
		}
	return CLI_ANSWERED;
}

static enum cli_status run_lines(int argc, char **argv)
{
	struct request request = { .breakpoints = false };
	enum cli_status status;

	cli_files_init(&request.files);
	request.report.options.colors = cli_use_colors("auto");
	if (!cli_options_read(&cli_command_lines, argc, argv, take_option, &request, &status))
		return status;
	cli_report_name_frames(&request.report, &request.symbolizer);
	if (optind == argc)
		return cli_usage_error("no FILE given");
	if (optind + 1 == argc)
		return cli_usage_error("no SOURCE:LINE given");
	request.operands = argv + optind + 1;
	request.count = (size_t)(argc - optind - 1);
	status = check_operands(&request);
	if (status == CLI_ANSWERED)
		status = cli_files_begin(&request.files);
	if (status != CLI_ANSWERED)
		return status;
	struct ic_image *image = cli_files_open_one(&request.files, argv[optind]);
	status = image ? answer_image(&request, image) : CLI_INCOMPLETE;
	ic_image_free(image);
	cli_files_end(&request.files);
	return status;
}

const struct cli_command cli_command_lines = {
	.name = "lines",
	.usage = usage,
	.which = "Which code",
	.run = run_lines,
};
