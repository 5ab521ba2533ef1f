// llvm-symbolizer [OPTION]... [ADDRESS]...: prints what LLVM 22's or 14's does; the same for
// llvm-addr2line.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/addr_lines.h"
#include "style/llvm_input.h"
#include "style/llvm_modules.h"
#include "style/llvm_options.h"
#include "style/llvm_print.h"
#include "style/style.h"

struct session {
	struct llvm_options *options;
	struct llvm_modules modules;
	struct llvm_frame *frames;
	size_t frame_capacity;
	bool failed;
};

struct question { // one line of input
	struct llvm_query query;
	char *line;                 // the original line, if it was not understood
	struct llvm_module *module; // NULL if memory runs out
	size_t first, count;        // addresses in the module's file; a symbol may have several
};

static bool reserve_frames(struct session *session, size_t count)
{
	if (count <= session->frame_capacity)
		return true;
	struct llvm_frame *frames = realloc(session->frames, 2 * count * sizeof(*frames));
	if (!frames) {
		cli_complain("out of memory");
		session->failed = true;
		return false;
	}
	session->frames = frames;
	session->frame_capacity = 2 * count;
	return true;
}

static struct llvm_frame frame_of(const struct llvm_options *options, const struct ic_frame *from)
{
	struct llvm_frame frame = {
		.file = from->file,
		.source = from->source,
		.start_file = from->decl_file,
		.start_line = from->decl_line,
		.line = from->line,
		.column = from->column,
		.discriminator = from->discriminator,
		.start = from->start,
		.has_start = from->start != UINT64_MAX,
		.is_approximate = from->is_approximate,
	};

	// Names from the symbol table are used only as linkage names.
	if (options->names == LLVM_NAMES_LINKAGE)
		frame.function = from->linkage_name ? from->linkage_name : from->function;
	else if (from->is_symbol)
		frame = (struct llvm_frame){ .file = from->line > 0 ? from->file : NULL,
					     .line = from->line,
					     .column = from->column,
					     .discriminator = from->discriminator,
					     .is_approximate = from->is_approximate };
	else if (options->names == LLVM_NAMES_SHORT)
		frame.function = from->function;
	return frame;
}

// If a function is described, but has no line there, only LLVM 14 prints the file of the symbol.
static bool name_by_symbol(const struct session *session, struct cli_style_file *file,
			   uint64_t addr, bool is_described, struct llvm_frame *frame)
{
	struct ic_symbolizer_symbol symbol;

	if (session->options->names != LLVM_NAMES_LINKAGE ||
	    !ic_symbolizer_symbol_at(file->symbolizer, addr, &symbol))
		return false;
	frame->function = symbol.name;
	frame->start = symbol.start;
	frame->has_start = true;
	if (!frame->file && (!is_described || session->options->of_14))
		frame->file = symbol.source;
	return true;
}

// The base from which LLVM counts addresses: in a relocatable file, the start of the section.
static uint64_t base_of(const struct cli_style_file *file, uint64_t addr)
{
	struct ic_index_section section;

	return file->relocatable && ic_symbolizer_section_at(file->symbolizer, addr, &section)
		       ? section.start
		       : 0;
}

// Adds the frames of one address to the session's, from `first` on; returns their number.
static size_t add_frames(struct session *session, struct cli_style_file *file, size_t number,
			 size_t first, bool is_symbol)
{
	const struct llvm_options *options = session->options;
	bool inlines = options->inlines && !is_symbol;
	uint64_t addr = file->addrs[number], base = base_of(file, addr);
	const struct ic_frame *from;
	size_t count = cli_style_frames(file, number, &from);

	if (!reserve_frames(session, first + count + 1))
		return 0;
	struct llvm_frame *frames = &session->frames[first];
	frames[0] = (struct llvm_frame){ .function = NULL };
	for (size_t i = 0; i < count; i++)
		frames[i] = frame_of(options, &from[i]);
	if (count > 0 && !inlines && (is_symbol || options->printer.output != LLVM_OUTPUT_GNU))
		count = 1; // the innermost frame's line, with the symbol's name
	size_t last = count > 0 ? count - 1 : 0;
	bool is_described = count > 0 && !from[last].is_symbol;
	if (name_by_symbol(session, file, addr, is_described, &frames[last]) && count == 0)
		count = 1;
	for (size_t i = 0; i < count; i++)
		frames[i].start -= base;
	return count == 0 || !inlines ? 1 : count;
}

static void answer_code(struct session *session, struct question *question,
			const struct llvm_request *request)
{
	struct llvm_printer *printer = &session->options->printer;
	struct cli_style_file *file = &question->module->file;
	bool is_symbol = question->query.symbol != NULL;
	size_t count = 0;

	for (size_t i = 0; i < question->count; i++)
		count += add_frames(session, file, question->first + i, count, is_symbol);
	if (is_symbol) {
		llvm_print_places(printer, request, session->frames, count);
	} else if (question->count > 0) {
		llvm_print_frames(printer, request, session->frames, count);
	} else {
		const struct llvm_frame unknown = { .function = NULL };
		llvm_print_frames(printer, request, &unknown, 1);
	}
}

static void answer_data(struct session *session, struct question *question,
			const struct llvm_request *request)
{
	struct cli_style_file *file = &question->module->file;
	struct ic_symbolizer_symbol symbol = { .name = NULL };
	struct llvm_data data = { .name = NULL };
	uint64_t addr = question->count > 0 ? file->addrs[question->first] : 0;

	if (question->count > 0 && ic_symbolizer_symbol_at(file->symbolizer, addr, &symbol))
		data = (struct llvm_data){ .name = symbol.name,
					   .start = symbol.start - base_of(file, addr),
					   .size = symbol.end - symbol.start,
					   .file = symbol.source };
	struct ic_local variable;
	if (!session->options->of_14 && question->count > 0 &&
	    session->options->printer.output != LLVM_OUTPUT_JSON &&
	    ic_variable_at(file->symbolizer, addr, &variable) && variable.decl_line > 0) {
		data.file = variable.decl_file;
		data.line = variable.decl_line;
	}
	llvm_print_data(&session->options->printer, request, &data);
}

static void answer_variables(struct session *session, struct question *question,
			     const struct llvm_request *request)
{
	struct cli_style_file *file = &question->module->file;
	struct ic_locals *locals = NULL;
	const struct ic_local *list = NULL;
	struct ic_error err;

	if (question->count > 0) {
		locals = ic_locals_find(file->symbolizer, file->addrs[question->first], &err);
		if (!locals)
			cli_complain("%s", err.message);
	}
	size_t count = locals ? ic_locals_get(locals, &list) : 0;
	llvm_print_variables(&session->options->printer, request, list, count);
	ic_locals_free(locals);
}

// Reports that a file cannot be read; returns whether that replaces the answer.
static bool complain_unreadable(struct session *session, struct llvm_module *module,
				const struct llvm_request *request)
{
	const char *message = module ? module->err.message : "out of memory";
	size_t length = strlen(request->module);

	if (!strncmp(message, request->module, length) && !strncmp(message + length, ": ", 2))
		message += length + 2;
	if (module && module->message)
		message = module->message;
	if (module)
		module->complained = true;
	if (session->options->printer.output == LLVM_OUTPUT_JSON) {
		llvm_print_error(&session->options->printer, request, message);
		return true;
	}
	if (session->options->of_14)
		cli_complain_as("LLVMSymbolizer", "error reading file: %s", message);
	else
		cli_complain_as(session->options->program, "error: '%s': %s", request->module,
				message);
	return false;
}

// Like LLVM, reports a file once, but a build ID each time.
static void answer_without_file(struct session *session, const struct question *question,
				const struct llvm_request *request)
{
	struct llvm_printer *printer = &session->options->printer;
	struct llvm_module *module = question->module;

	if ((!module || !module->complained || module->is_build_id) &&
	    complain_unreadable(session, module, request))
		return;
	if (question->query.command == LLVM_COMMAND_DATA)
		llvm_print_data(printer, request, &(struct llvm_data){ .name = NULL });
	else if (question->query.command == LLVM_COMMAND_FRAME)
		llvm_print_variables(printer, request, NULL, 0);
	else if (request->symbol)
		llvm_print_places(printer, request, NULL, 0);
	else
		llvm_print_frames(printer, request, NULL, 0);
}

static void answer_unknown(struct session *session, const struct question *question)
{
	struct llvm_printer *printer = &session->options->printer;
	const struct llvm_frame unknown = { .function = NULL };
	struct llvm_request request = { .module = question->query.module };

	if (session->options->of_14) {
		llvm_print_invalid(printer, request.module, question->line ? question->line : "");
		return;
	}
	// An empty line is not an error: programs send one to see whether the symbolizer runs.
	if (question->line && *question->line)
		cli_complain_as(session->options->program, "error: '%s': %s", question->line,
				question->query.why);
	llvm_print_frames(printer, &request, &unknown, 1);
}

static void answer_question(struct session *session, struct question *question)
{
	const struct llvm_query *query = &question->query;
	const struct llvm_request request = { .module = query->module,
					      .symbol = query->symbol,
					      .address = query->address,
					      .has_address = !query->symbol };

	if (!query->understood)
		answer_unknown(session, question);
	else if (!question->module || !question->module->found)
		answer_without_file(session, question, &request);
	else if (query->command == LLVM_COMMAND_CODE)
		answer_code(session, question, &request);
	else if (query->command == LLVM_COMMAND_DATA)
		answer_data(session, question, &request);
	else
		answer_variables(session, question, &request);
}

// Adds the address of each symbol with this name, plus the offset if that is inside the symbol.
static void add_symbols(const struct llvm_options *options, struct question *question)
{
	bool untags = options->symbolizer.symbols == IC_SYMBOLS_LLVM_UNTAGGED;
	struct cli_style_file *file = &question->module->file;
	const struct llvm_query *query = &question->query;
	struct ic_symbolizer_symbol symbol;
	size_t number;

	for (uint32_t i = 0; ic_symbolizer_symbol_find(file->symbolizer, query->symbol, i, &symbol);
	     i++) {
		uint64_t addend = query->address < symbol.end - symbol.start ? query->address : 0;
		uint64_t start = untags ? (uint64_t)((int64_t)(symbol.start << 8) >> 8)
					: symbol.start;
		if (!cli_style_add(file, start + addend, &number))
			return;
		question->first = question->count++ == 0 ? number : question->first;
	}
}

static void read_question(struct session *session, struct question *question, char *line)
{
	const struct llvm_options *options = session->options;
	uint64_t addr;

	*question = (struct question){ .line = strdup(line) };
	question->query = llvm_query_read(options, line);
	if (!question->query.understood)
		return;
	free(question->line);
	question->line = NULL;
	struct llvm_module *module = llvm_modules_get(
		&session->modules, options, question->query.module, question->query.is_build_id);
	question->module = module;
	if (!module || !module->found)
		return;
	if (question->query.symbol)
		add_symbols(options, question);
	else if (cli_style_addr(&module->file, question->query.address - options->adjust, &addr) &&
		 cli_style_add(&module->file, addr, &question->first))
		question->count = 1;
}

static void answer_some(struct session *session, size_t count, char **lines)
{
	struct question *questions = calloc(count, sizeof(*questions));

	if (!questions) {
		cli_complain("out of memory");
		session->failed = true;
		return;
	}
	for (size_t i = 0; i < count; i++)
		read_question(session, &questions[i], lines[i]);
	for (size_t i = 0; i < count; i++) {
		answer_question(session, &questions[i]);
		free(questions[i].line);
	}
	llvm_modules_forget(&session->modules);
	free(questions);
}

static void answer_all(struct session *session, size_t count, char **lines)
{
	for (size_t i = 0; i < count; i += CLI_STYLE_AT_ONCE)
		answer_some(session, count - i < CLI_STYLE_AT_ONCE ? count - i : CLI_STYLE_AT_ONCE,
			    lines + i);
}

static void remove_returns(char *line)
{
	char *to = line;

	for (const char *from = line; *from; from++)
		if (*from != '\r')
			*to++ = *from;
	*to = 0;
}

static void answer_input(struct session *session)
{
	struct cli_addr_lines lines = { .is_verbatim = true };

	while (!session->failed && cli_addr_lines_next(&lines)) {
		for (size_t i = 0; i < lines.count; i++)
			remove_returns(lines.texts[i]);
		answer_all(session, lines.count, lines.texts);
		if (fflush(stdout) != 0)
			cli_write_failed(errno, strerror(errno));
	}
	if (lines.os_error) {
		cli_complain("cannot read standard input: %s", strerror(lines.os_error));
		session->failed = true;
	}
	cli_addr_lines_free(&lines);
}

// Versions later than 14 print no answers if the file cannot be read.
static bool open_object(struct session *session)
{
	struct llvm_options *options = session->options;

	if (options->of_14 || !options->object)
		return true;
	struct llvm_module *module =
		llvm_modules_get(&session->modules, options, options->object, false);
	const struct llvm_request request = { .module = options->object, .has_address = true };
	if (module && module->found)
		return true;
	complain_unreadable(session, module, &request);
	session->failed = true;
	return false;
}

enum cli_status cli_style_llvm(struct cli_arguments *arguments, enum cli_style style)
{
	struct llvm_options options;
	struct session session = { .options = &options };
	enum cli_status status;

	if (!llvm_options_read(&options, arguments, style, &status))
		return status;
	if (open_object(&session)) {
		options.printer.in_list = options.input_count > 0;
		llvm_print_begin(&options.printer);
		if (options.input_count > 0)
			answer_all(&session, (size_t)options.input_count, options.inputs);
		else
			answer_input(&session);
		llvm_print_end(&options.printer);
	}
	llvm_modules_close(&session.modules);
	free(session.frames);
	llvm_options_end(&options);
	return session.failed ? CLI_STYLE_FAILED : CLI_ANSWERED;
}
