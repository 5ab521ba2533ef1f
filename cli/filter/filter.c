#include "filter/filter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inlinecall/extra/mentions.h>

#include "filter/answer.h"
#include "filter/open.h"

enum {
	READ_SIZE = 1 << 16,
	MOST_LINE_SIZE = 1 << 20, // longer lines are only copied
	MOST_AHEAD = 16 << 20,    // of a regular file, which can be read ahead without waiting
	MOST_INDENT = 64,         // before frames, however far to the right the mention is
	MOST_ANSWERS = 16,        // of one line, so that each is printed once
	MOST_NOTES = 8,           // on standard error
};

struct tally { // about what the text mentions
	uint64_t mentioned, known;
	bool noted;        // an answer was a note on why nothing is known
	char objects[512]; // named by the text: " a, b,"
};

struct filter {
	struct cli_filter_files files;
	struct ic_mentions *mentions;
	struct ic_row_options rows;
	struct ic_report *report;
	FILE *text; // buffer for one answer of the report
	char *text_data;
	size_t text_size;
	struct cli_filter_place answered[MOST_ANSWERS]; // in this line, by the address looked up
	size_t answered_count;
	struct tally tally;
	bool as_perf;
	bool after_inlined; // the previous line is a frame that perf expanded itself
	unsigned notes;     // printed on standard error so far
	bool found, failed;
};

static void write_out(const char *data, size_t size)
{
	if (fwrite(data, 1, size, stdout) != size)
		cli_write_failed(errno, strerror(errno));
}

// Indents by as much as precedes the mention: a tab for each tab, a blank for any other character.
static void write_indent(const char *line, size_t size)
{
	char indent[MOST_INDENT + 4];
	size_t used = 0;

	for (size_t i = 0; i < size && used < MOST_INDENT; i++)
		if (((unsigned char)line[i] & 0xc0) != 0x80) // the first byte of a character
			indent[used++] = line[i] == '\t' ? '\t' : ' ';
	memset(indent + used, ' ', 4);
	write_out(indent, used + 4);
}

// The report's line for a frame is its function, its position, and perhaps the fact that it was
// inlined, separated by tabs.
static void write_frame(const char *line, const char *end)
{
	const char *function = memchr(line, '\t', (size_t)(end - line));
	const char *place = memchr(function + 1, '\t', (size_t)(end - function - 1));
	const char *word = memchr(place + 1, '\t', (size_t)(end - place - 1));

	write_out(function + 1, (size_t)(place - function - 1));
	write_out(" at ", 4);
	write_out(place + 1, (size_t)((word ? word : end) - place - 1));
	if (word) {
		write_out(" (", 2);
		write_out(word + 1, (size_t)(end - word - 1));
		write_out(")", 1);
	}
	write_out("\n", 1);
}

static void write_frames(struct filter *filter, const struct cli_answer *answer, const char *line,
			 size_t start)
{
	const struct ic_rows_stack stack = { .text = "",
					     .frames = answer->frames,
					     .frame_count = answer->frame_count };
	struct ic_error err;
	struct ic_rows *rows = ic_rows_of_stacks(&stack, 1, &filter->rows, &err);

	rewind(filter->text);
	bool ok = rows && ic_report_rows(filter->report, rows) && ic_report_flush(filter->report);
	if (rows && !ok)
		ic_report_end(filter->report, &err);
	ic_rows_free(rows);
	if (!ok) {
		cli_complain("%s", err.message);
		filter->failed = true;
		return;
	}
	const char *at = filter->text_data, *end = at + ftell(filter->text);
	for (const char *newline; at < end && (newline = memchr(at, '\n', (size_t)(end - at)));
	     at = newline + 1) {
		write_indent(line, start);
		write_frame(at, newline);
	}
}

static bool is_answered(struct filter *filter, const struct cli_answer *answer)
{
	for (size_t i = 0; i < filter->answered_count; i++)
		if (filter->answered[i].file == answer->place.file &&
		    filter->answered[i].addr == answer->addr)
			return true;
	if (answer->place.file && filter->answered_count < MOST_ANSWERS)
		filter->answered[filter->answered_count++] =
			(struct cli_filter_place){ answer->place.file, answer->addr };
	return false;
}

// A kernel that panics prints its offset after the addresses that require it: looks for it in the
// text read so far.
static void look_ahead(struct filter *filter, const char *text, const char *end)
{
	for (const char *newline; text < end; text = newline + 1) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline)
			newline = end;
		struct ic_kernel_fact fact;
		ic_kernel_fact_read(text, (size_t)(newline - text), &fact);
		if (fact.kind == IC_KERNEL_OFFSET)
			cli_filter_files_learn(&filter->files, &fact);
		if (fact.kind == IC_KERNEL_OFFSET || fact.kind == IC_KERNEL_BOOT)
			return;
	}
}

// Takes what the line tells about the kernel; returns whether it mentions nothing else.
static bool take_fact(struct filter *filter, struct ic_span line, const char *text_end)
{
	struct ic_kernel_fact fact;

	ic_kernel_fact_read(line.text, line.size, &fact);
	cli_filter_files_learn(&filter->files, &fact);
	cli_filter_open_learn(&filter->files, line);
	if (fact.kind == IC_KERNEL_BOOT || fact.kind == IC_KERNEL_OFFSET)
		look_ahead(filter, line.text + line.size, text_end);
	return fact.kind == IC_KERNEL_OFFSET;
}

static void add_object(struct tally *tally, struct ic_span object)
{
	size_t used = strlen(tally->objects), room = sizeof(tally->objects) - used;
	char entry[128];

	if (!object.text || object.size > 100)
		return;
	// Includes the comma, so that a name does not match the beginning of a longer one.
	int size = snprintf(entry, sizeof(entry), " %.*s,", (int)object.size, object.text);
	if (!strstr(tally->objects, entry) && (size_t)size < room)
		strcpy(tally->objects + used, entry);
}

static void count_mention(struct tally *tally, const struct ic_mention *mention,
			  const struct cli_answer *answer)
{
	tally->mentioned++;
	tally->known += answer->place.file != NULL;
	tally->noted |= answer->note[0] != 0;
	add_object(tally, mention->object.text ? mention->object : mention->module);
}

// Copies a line and `end`, which is its newline, or empty after the last line, and adds the
// answers. Text after the line has been read up to `text_end`.
static void filter_line(struct filter *filter, const char *line, size_t size, const char *end,
			const char *text_end)
{
	struct ic_mention mention;
	struct cli_answer answer;
	bool ended = *end == '\n';

	write_out(line, size);
	write_out(end, strlen(end));
	if (take_fact(filter, (struct ic_span){ line, size }, text_end))
		return;
	filter->answered_count = 0;
	ic_mentions_begin(filter->mentions, line, size);
	while (ic_mentions_next(filter->mentions, &mention)) {
		bool has_answer = cli_filter_answer(&filter->files, &mention, &answer);
		count_mention(&filter->tally, &mention, &answer);
		filter->found |= answer.agrees;
		if (!has_answer || (answer.frame_count > 0 && is_answered(filter, &answer)))
			continue;
		if (!ended)
			write_out("\n", 1);
		ended = true;
		if (answer.frame_count > 0) {
			filter->found = true;
			write_frames(filter, &answer, line, mention.start);
		} else {
			write_indent(line, mention.start);
			write_out("(", 1);
			cli_print_name(answer.note);
			write_out(")\n", 2);
		}
	}
}

// ---- perf script's format: a line for each frame, inlined ones before their host

static bool ends_with_inlined(const char *line, size_t size)
{
	static const char mark[] = " (inlined)";

	while (size > 0 && (line[size - 1] == ' ' || line[size - 1] == '\r'))
		size--;
	return size >= sizeof(mark) - 1 &&
	       memcmp(line + size - (sizeof(mark) - 1), mark, sizeof(mark) - 1) == 0;
}

// Whether the line is a frame of a stack: only blanks precede its address.
static bool is_perf_frame(const char *line, const struct ic_mention *mention)
{
	size_t start = 0;

	while (start < mention->start && (line[start] == ' ' || line[start] == '\t'))
		start++;
	return mention->is_of_perf && start == mention->start && start > 0;
}

// Writes the functions inlined at the line's place, with its address.
static void write_perf_frames(const struct cli_answer *answer, const char *line,
			      const struct ic_mention *mention)
{
	size_t prefix = mention->start + strspn(line + mention->start, "0123456789abcdef");

	for (size_t i = 0; i < answer->frame_count; i++) {
		const struct ic_frame *frame = &answer->frames[i];
		const char *name = frame->display_name ? frame->display_name : frame->function;
		if (!frame->inlined)
			continue;
		write_out(line, prefix);
		write_out(" ", 1);
		cli_print_name(name ? name : "[unknown]");
		write_out(" (inlined)\n", 11);
	}
}

// Prints a note on standard error: this format has no place for it.
static void complain_of_note(struct filter *filter, const struct ic_mention *mention,
			     const struct cli_answer *answer)
{
	filter->failed = true;
	if (filter->notes++ < MOST_NOTES)
		cli_complain("%.*s: %s", mention->label.size > 100 ? 100 : (int)mention->label.size,
			     mention->label.text, answer->note);
}

static void filter_perf_line(struct filter *filter, const char *line, size_t size, const char *end,
			     const char *text_end)
{
	struct ic_mention mention;
	struct cli_answer answer;
	bool is_fact = take_fact(filter, (struct ic_span){ line, size }, text_end);

	if (!is_fact)
		ic_mentions_begin(filter->mentions, line, size);
	while (!is_fact && ic_mentions_next(filter->mentions, &mention)) {
		if (!is_perf_frame(line, &mention))
			continue;
		bool has_answer = cli_filter_answer(&filter->files, &mention, &answer);
		count_mention(&filter->tally, &mention, &answer);
		filter->found |= answer.agrees;
		if (has_answer && answer.frame_count == 0)
			complain_of_note(filter, &mention, &answer);
		else if (has_answer && !filter->after_inlined)
			write_perf_frames(&answer, line, &mention);
		filter->found |= answer.frame_count > 0;
	}
	filter->after_inlined = ends_with_inlined(line, size);
	write_out(line, size);
	write_out(end, strlen(end));
}

// ---- Input

static void take_line(struct filter *filter, const char *line, size_t size, const char *end,
		      const char *text_end)
{
	if (filter->as_perf)
		filter_perf_line(filter, line, size, end, text_end);
	else
		filter_line(filter, line, size, end, text_end);
}

struct input {
	char *data;
	size_t size, capacity;
	size_t searched; // there is no newline before this
	bool is_long;    // inside a line that is only copied
};

// Takes the complete lines of the input; what is left is a line without its end.
static void take_lines(struct filter *filter, struct input *input)
{
	size_t at = 0;

	look_ahead(filter, input->data, input->data + input->size);
	for (const char *newline; (newline = memchr(input->data + input->searched, '\n',
						    input->size - input->searched));) {
		size_t end = (size_t)(newline - input->data);
		if (input->is_long || end - at > MOST_LINE_SIZE)
			write_out(input->data + at, end + 1 - at);
		else
			take_line(filter, input->data + at, end - at, "\n",
				  input->data + input->size);
		input->is_long = false;
		at = input->searched = end + 1;
	}
	memmove(input->data, input->data + at, input->size - at);
	input->size -= at;
	if (input->is_long || input->size > MOST_LINE_SIZE) {
		write_out(input->data, input->size);
		input->is_long = true;
		input->size = 0;
	}
	input->searched = input->size;
}

static bool reserve_input(struct input *input)
{
	if (input->capacity - input->size >= READ_SIZE)
		return true;
	size_t capacity = input->capacity * 2 + READ_SIZE;
	char *data = realloc(input->data, capacity);
	if (!data) {
		cli_complain("out of memory");
		return false;
	}
	input->data = data;
	input->capacity = capacity;
	return true;
}

// Filters the input, writing all answers before waiting for more.
static bool filter_input(struct filter *filter)
{
	struct input input = { .data = NULL };
	struct stat st;
	bool is_file = fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode);
	ssize_t count = 1;

	while (count > 0 && reserve_input(&input)) {
		if (fflush(stdout) != 0)
			cli_write_failed(errno, strerror(errno));
		count = read(STDIN_FILENO, input.data + input.size, READ_SIZE);
		if (count < 0 && errno == EINTR) {
			count = 1;
			continue;
		}
		if (count < 0)
			cli_complain("cannot read standard input: %s", strerror(errno));
		else
			input.size += (size_t)count;
		if (!is_file || count <= 0 || input.size >= MOST_AHEAD)
			take_lines(filter, &input);
	}
	if (input.size > 0)
		take_line(filter, input.data, input.size, "", input.data + input.size);
	if (fflush(stdout) != 0)
		cli_write_failed(errno, strerror(errno));
	free(input.data);
	return count == 0;
}

// Explains why nothing was added to the text, unless notes do: usually it is from another program.
static void explain_nothing(const struct filter *filter)
{
	const struct cli_filter_files *files = &filter->files;
	const struct tally *tally = &filter->tally;
	bool is_one = files->count == 1 &&
		      ic_module_files_count(files->modules) + files->directory_count == 0;
	const char *where = is_one ? ic_image_path(files->files[0]->image) : "any FILE";
	const char *names = tally->objects[0] ? "; the text names" : "";
	// Without the last comma.
	int listed = tally->objects[0] ? (int)strlen(tally->objects) - 1 : 0;

	if (tally->mentioned == 0 && filter->as_perf)
		cli_complain("no perf script frames in the text; it must have the fields ip, sym "
			     "and dso");
	else if (tally->mentioned == 0)
		cli_complain("no address and no SYMBOL+0xOFFSET in the text");
	else if (tally->known > 0)
		cli_complain("nothing found in %s beyond what the text says", where);
	else if (tally->mentioned == 1)
		cli_complain("the address or symbol in the text was not found in %s%s%.*s", where,
			     names, listed, tally->objects);
	else
		cli_complain("none of the %" PRIu64
			     " addresses and symbols in the text was found in %s%s%.*s",
			     tally->mentioned, where, names, listed, tally->objects);
}

static void print_problems(struct filter *filter)
{
	bool explained = filter->found || filter->tally.noted || filter->files.missing[0];

	for (size_t i = 0; i < filter->files.count; i++) {
		const struct cli_filter_file *file = filter->files.files[i];
		filter->failed |=
			cli_files_print_problems(file->symbolizer, ic_image_path(file->image));
		explained |= file->unplaced_lines > 0;
		if (file->unplaced_lines > 0)
			cli_complain("%s: %" PRIu64
				     " %s in memory, but its load address is unknown; print "
				     "offsets (perf script -F +symoff), or give --base",
				     ic_image_path(file->image), file->unplaced_lines,
				     file->unplaced_lines == 1 ? "line has an address"
							       : "lines have addresses");
	}
	if (filter->files.missing[0])
		cli_complain("no FILE for these modules:%s", filter->files.missing);
	explained |= cli_filter_open_complain(&filter->files, filter->found);
	if (!explained && !filter->failed && !filter->files.left_out)
		explain_nothing(filter);
}

static bool open_text(struct filter *filter, const struct ic_report_options *options)
{
	filter->text = open_memstream(&filter->text_data, &filter->text_size);
	if (filter->text)
		filter->report = ic_report_new(IC_ROWS_STACKS, options, filter->text, NULL);
	if (!filter->report)
		cli_complain("out of memory");
	return filter->report != NULL;
}

enum cli_status cli_filter(char *const *paths, size_t count, struct cli_files *opening,
			   struct cli_running *running, const struct cli_filter_options *options)
{
	const struct ic_mentions_options mentions = { options->return_addresses };
	struct filter filter = { .rows = options->report.rows,
				 .as_perf = options->as_perf,
				 .files = { .open_none = options->open_none,
					    .sysroot = options->sysroot } };
	struct ic_error err;
	bool ok = cli_filter_files_open(&filter.files, paths, count, opening, running,
					&options->symbolizer);

	filter.files.base_names = filter.rows.base_names;
	if (ok) {
		filter.mentions = ic_mentions_new(&mentions, &err);
		if (!filter.mentions)
			cli_complain("%s", err.message);
		ok = filter.mentions && open_text(&filter, &options->report.options) &&
		     filter_input(&filter);
		print_problems(&filter);
	}
	bool complete = ok && !filter.failed && !filter.files.left_out && !opening->lacks_debug;
	ic_report_free(filter.report);
	if (filter.text)
		fclose(filter.text);
	free(filter.text_data);
	ic_mentions_free(filter.mentions);
	cli_filter_open_deinit(&filter.files);
	cli_filter_files_deinit(&filter.files);
	return !complete ? CLI_INCOMPLETE : filter.found ? CLI_ANSWERED : CLI_NOTHING;
}
