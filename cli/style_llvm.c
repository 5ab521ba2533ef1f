// llvm-symbolizer [OPTION]... [ADDRESS]...: what LLVM's says, of LLVM 14; and as llvm-addr2line.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stdin_lines.h"
#include "style.h"
#include "style_llvm_options.h"
#include "style_llvm_print.h"

struct module { // a file that was asked about
	char *name;
	struct cli_style_file file;
	bool found; // that it could be opened; what could not is complained about once
};

struct session {
	struct llvm_options *options;
	struct module *modules; // sorted by name
	size_t module_count, module_capacity;
	struct llvm_frame *frames;
	size_t frame_capacity;
	bool failed;
};

enum command { COMMAND_CODE, COMMAND_DATA, COMMAND_FRAME };

struct query { // one line of input
	enum command command;
	char *module; // ends where its name does
	uint64_t address;
	bool understood;
};

static const char delimiters[] = " \n\r";

// As LLVM reads numbers: 0x, 0b, 0o and 0 say the base, and nothing may follow.
static bool read_number(const char *text, unsigned base, uint64_t *number)
{
	static const struct {
		const char *prefix;
		unsigned base;
	} prefixes[] = { { "0x", 16 }, { "0b", 2 }, { "0o", 8 } };

	for (size_t i = 0; base == 0 && i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (strncasecmp(text, prefixes[i].prefix, 2) == 0) {
			base = prefixes[i].base;
			text += 2;
		}
	if (base == 0 && text[0] == '0' && isdigit((unsigned char)text[1])) {
		base = 8;
		text++;
	}
	if (base == 0)
		base = 10;
	*number = 0;
	for (const char *at = text; *at || at == text; at++) {
		const char *all = "0123456789abcdef";
		const char *digit = *at ? strchr(all, tolower((unsigned char)*at)) : NULL;
		if (!digit || (unsigned)(digit - all) >= base ||
		    __builtin_mul_overflow(*number, base, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(digit - all), number))
			return false;
	}
	return true;
}

static bool skip_word(char **at, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*at, word, length) != 0)
		return false;
	*at += length;
	return true;
}

// The name of the file in front of an address, which may be quoted; NULL without a closing quote.
static char *take_module(char **at)
{
	*at += strspn(*at, delimiters);
	char quote = **at == '"' || **at == '\'' ? **at : 0, *name = *at + (quote != 0);
	char *end = quote ? strchr(name, quote) : name + strcspn(name, delimiters);

	if (!end)
		return NULL;
	*at = end + (*end != 0);
	*end = 0;
	return name;
}

// `line` is changed.
static struct query read_query(const struct llvm_options *options, char *line)
{
	static char none[] = "";
	struct query query = { .command = COMMAND_CODE, .module = none };
	char *at = line;

	if (skip_word(&at, "DATA "))
		query.command = COMMAND_DATA;
	else if (skip_word(&at, "FRAME "))
		query.command = COMMAND_FRAME;
	else
		skip_word(&at, "CODE ");
	if (options->object) {
		query.module = options->object;
	} else {
		char *module = take_module(&at);
		if (!module)
			return query;
		query.module = module;
	}
	at += strspn(at, delimiters);
	at[strcspn(at, delimiters)] = 0;
	if (options->is_addr2line && !skip_word(&at, "0x"))
		skip_word(&at, "0X");
	query.understood = read_number(at, options->is_addr2line ? 16 : 0, &query.address);
	return query;
}

// The module of that name, or the place where it belongs.
static size_t find_module(const struct session *session, const char *name)
{
	size_t from = 0, to = session->module_count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (strcmp(session->modules[middle].name, name) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static struct module *insert_module(struct session *session, size_t index, const char *name)
{
	if (session->module_count == session->module_capacity) {
		size_t capacity = 2 * session->module_capacity + 8;
		struct module *modules = realloc(session->modules, capacity * sizeof(*modules));
		if (!modules)
			return NULL;
		session->modules = modules;
		session->module_capacity = capacity;
	}
	char *copy = strdup(name);
	if (!copy)
		return NULL;
	memmove(&session->modules[index + 1], &session->modules[index],
		(session->module_count - index) * sizeof(*session->modules));
	session->modules[index] = (struct module){ .name = copy };
	session->module_count++;
	return &session->modules[index];
}

// What a query is about; NULL, after `err` was filled in, where it is asked for the first time and
// cannot be opened.
static struct module *open_module(struct session *session, const char *name, struct ic_error *err)
{
	size_t index = find_module(session, name);

	if (index < session->module_count && !strcmp(session->modules[index].name, name))
		return &session->modules[index];
	struct module *module = insert_module(session, index, name);
	if (!module) {
		*err = (struct ic_error){ .code = IC_ERROR_MEMORY, .message = "out of memory" };
		return NULL;
	}
	module->found = cli_style_file_open(&module->file, name, &session->options->image, err);
	return module->found ? module : NULL;
}

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
		.start_file = from->decl_file,
		.start_line = from->decl_line,
		.line = from->line,
		.column = from->column,
		.discriminator = from->discriminator,
		.start = from->start,
		.has_start = from->start != UINT64_MAX,
	};

	// The symbol table is asked for linkage names alone.
	if (options->names == LLVM_NAMES_LINKAGE)
		frame.function = from->linkage_name ? from->linkage_name : from->function;
	else if (from->is_symbol)
		frame = (struct llvm_frame){ .file = from->line > 0 ? from->file : NULL,
					     .line = from->line,
					     .column = from->column,
					     .discriminator = from->discriminator };
	else if (options->names == LLVM_NAMES_SHORT)
		frame.function = from->function;
	return frame;
}

static void name_by_symbol(const struct session *session, struct cli_style_file *file,
			   uint64_t addr, struct llvm_frame *frame)
{
	struct ic_symbolizer_symbol symbol;

	if (session->options->names != LLVM_NAMES_LINKAGE ||
	    !ic_symbolizer_symbol_at(file->symbolizer, addr, &symbol))
		return;
	frame->function = symbol.name;
	frame->start = symbol.start;
	frame->has_start = true;
}

static void answer_code(struct session *session, struct cli_style_file *file, uint64_t addr,
			const struct llvm_request *request)
{
	const struct llvm_options *options = session->options;
	uint64_t internal_addr;
	bool known = cli_style_addr(file, addr, &internal_addr);
	size_t count = known ? cli_style_frames(file, internal_addr) : 0;

	if (!reserve_frames(session, count + 1))
		return;
	session->frames[0] = (struct llvm_frame){ .function = NULL };
	for (size_t i = 0; i < count; i++)
		session->frames[i] = frame_of(options, &file->frames[i]);
	if (count > 0 && !options->inlines && options->printer.output != LLVM_OUTPUT_GNU)
		count = 1; // the line of the innermost, and the name of the symbol that holds it
	if (count > 0)
		name_by_symbol(session, file, internal_addr, &session->frames[count - 1]);
	if (file->relocatable)
		for (size_t i = 0; i < count; i++)
			session->frames[i].start -= internal_addr - addr;
	llvm_print_frames(&session->options->printer, request, session->frames,
			  count == 0 || !options->inlines ? 1 : count);
}

static void answer_data(struct session *session, struct cli_style_file *file, uint64_t addr,
			const struct llvm_request *request)
{
	struct ic_symbolizer_symbol symbol = { .name = NULL };
	uint64_t internal_addr;

	if (cli_style_addr(file, addr, &internal_addr) &&
	    (ic_symbolizer_data_at(file->symbolizer, internal_addr, &symbol) ||
	     ic_symbolizer_symbol_at(file->symbolizer, internal_addr, &symbol)))
		symbol.start -= internal_addr - addr, symbol.end -= internal_addr - addr;
	llvm_print_data(&session->options->printer, request, symbol.name, symbol.start,
			symbol.end - symbol.start);
}

static void answer_without_file(struct session *session, const struct query *query,
				const struct llvm_request *request, const struct ic_error *err)
{
	struct llvm_printer *printer = &session->options->printer;

	if (err->code != IC_ERROR_NONE) {
		cli_complain("%s", err->message);
		if (printer->output == LLVM_OUTPUT_JSON) {
			llvm_print_error(printer, request,
					 err->os_error ? strerror(err->os_error) : err->message);
			return;
		}
	}
	switch (query->command) {
	case COMMAND_CODE: llvm_print_frames(printer, request, NULL, 0); break;
	case COMMAND_DATA: llvm_print_data(printer, request, NULL, 0, 0); break;
	case COMMAND_FRAME: llvm_print_variables(printer, request); break;
	}
}

static void answer(struct session *session, char *line)
{
	struct ic_error err = { .code = IC_ERROR_NONE };
	char *whole = strdup(line);

	struct query query = read_query(session->options, line);
	struct llvm_request request = { query.module, query.address };
	if (!query.understood) {
		llvm_print_invalid(&session->options->printer, query.module, whole ? whole : "");
		free(whole);
		return;
	}
	free(whole);
	struct module *module = open_module(session, query.module, &err);
	uint64_t addr = query.address - session->options->adjust;
	if (!module || !module->found)
		answer_without_file(session, &query, &request, &err);
	else if (query.command == COMMAND_CODE)
		answer_code(session, &module->file, addr, &request);
	else if (query.command == COMMAND_DATA)
		answer_data(session, &module->file, addr, &request);
	else
		llvm_print_variables(&session->options->printer, &request);
}

static void close_modules(struct session *session)
{
	for (size_t i = 0; i < session->module_count; i++) {
		cli_style_file_close(&session->modules[i].file);
		free(session->modules[i].name);
	}
	free(session->modules);
	free(session->frames);
}

static enum cli_status answer_all(struct llvm_options *options)
{
	struct session session = { .options = options };
	struct cli_stdin_lines lines = { .text = NULL };
	char *line;

	options->printer.in_list = options->input_count > 0;
	llvm_print_begin(&options->printer);
	for (int i = 0; i < options->input_count; i++)
		answer(&session, options->inputs[i]);
	while (options->input_count == 0 && (line = cli_stdin_lines_next(&lines))) {
		line[strcspn(line, "\r")] = 0;
		answer(&session, line);
	}
	llvm_print_end(&options->printer);
	bool ok = cli_stdin_lines_end(&lines) && !session.failed;
	close_modules(&session);
	return ok ? CLI_ANSWERED : CLI_STYLE_FAILED;
}

enum cli_status cli_style_llvm(struct cli_arguments *arguments, bool is_addr2line)
{
	struct llvm_options options;
	enum cli_status status;

	if (!llvm_options_read(&options, arguments, is_addr2line, &status))
		return status;
	status = answer_all(&options);
	llvm_options_end(&options);
	return status;
}
