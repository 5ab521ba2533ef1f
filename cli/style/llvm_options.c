#include "style/llvm_options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	" [options] addresses...\n"
	"\n"
	"Without --obj an ADDRESS is '[CODE|DATA|FRAME] FILE NUMBER', or a symbol instead of the\n"
	"number; without any, they are read from standard input, one per line.\n"
	"\n"
	"  @FILE                             read arguments from FILE\n"
	"  -a, --addresses, --print-address  print the address first\n"
	"      --adjust-vma=N                subtract N from every address\n"
	"  -s, --basenames                   print files without their directories\n"
	"      --build-id=ID                 the file with the addresses, by its build ID\n"
	"      --debug-file-directory=DIR    look for debug files here first\n"
	"      --debuginfod, --no-debuginfod whether to ask servers for debug files\n"
	"      --default-arch=ARCH           the architecture of archive members, as in x86_64\n"
	"  -C, --demangle, --no-demangle     whether to demangle names\n"
	"      --dwp=FILE                    the package of .dwo files\n"
	"  -e, --exe, --obj=FILE             the file with the addresses\n"
	"      --fallback-debug-path=DIR     the same as --debug-file-directory\n"
	"  -f, --functions[=KIND]            print function names: none, short or linkage\n"
	"  -i, --inlines, --no-inlines       whether to print the functions it was inlined into\n"
	"      --output-style=STYLE          the format of the output: LLVM, GNU or JSON\n"
	"  -p, --pretty-print                print each frame on one line\n"
	"      --print-source-context-lines=N\n"
	"                                    print N lines of source around each location\n"
	"      --relativenames               print files without the compilation directory\n"
	"      --skip-line-zero              for code without a line, use the line before it\n"
	"      --untag-addresses, --no-untag-addresses\n"
	"                                    whether to ignore tags in symbol addresses\n"
	"      --verbose                     print all details of each frame\n"
	"  -h, --help                        print this help\n"
	"  -v, --version                     print the version\n"
	"\n"
	"See inlinecall-llvm-symbolizer(1) for the differences from LLVM's.\n";

enum option {
	OPTION_ADDRESSES,
	OPTION_ADJUST,
	OPTION_ARCH,
	OPTION_BASE_NAMES,
	OPTION_BUILD_ID,
	OPTION_CONTEXT,
	OPTION_DEBUG_DIR,
	OPTION_DEBUGINFOD,
	OPTION_NO_DEBUGINFOD,
	OPTION_DEMANGLE,
	OPTION_NO_DEMANGLE,
	OPTION_DWP,
	OPTION_FUNCTIONS,
	OPTION_FUNCTIONS_KIND,
	OPTION_HELP,
	OPTION_IGNORED, // meaningless for ELF files
	OPTION_INLINES,
	OPTION_NO_INLINES,
	OPTION_NO_UNTAG,
	OPTION_OBJECT,
	OPTION_OUTPUT,
	OPTION_PRETTY,
	OPTION_RELATIVE,
	OPTION_SKIP_LINE_ZERO,
	OPTION_UNSUPPORTED,
	OPTION_UNTAG,
	OPTION_VERBOSE,
	OPTION_VERSION,
};

enum value {
	VALUE_NONE,
	VALUE_JOINED,   // "--name=value"
	VALUE_SEPARATE, // and "--name value"
};

// clang-format off
static const struct row {
	const char *name;
	enum value value;
	enum option option;
} rows[] = {
	{ "addresses",                  VALUE_NONE,     OPTION_ADDRESSES },
	{ "adjust-vma",                 VALUE_SEPARATE, OPTION_ADJUST },
	{ "basenames",                  VALUE_NONE,     OPTION_BASE_NAMES },
	{ "build-id",                   VALUE_SEPARATE, OPTION_BUILD_ID },
	{ "cache-size",                 VALUE_SEPARATE, OPTION_IGNORED },
	{ "color",                      VALUE_NONE,     OPTION_IGNORED },
	{ "color",                      VALUE_JOINED,   OPTION_IGNORED },
	{ "debug-file-directory",       VALUE_SEPARATE, OPTION_DEBUG_DIR },
	{ "debuginfod",                 VALUE_NONE,     OPTION_DEBUGINFOD },
	{ "default-arch",               VALUE_SEPARATE, OPTION_ARCH },
	{ "demangle",                   VALUE_NONE,     OPTION_DEMANGLE },
	{ "dia",                        VALUE_NONE,     OPTION_UNSUPPORTED },
	{ "disable-gsym",               VALUE_NONE,     OPTION_IGNORED },
	{ "dsym-hint",                  VALUE_SEPARATE, OPTION_IGNORED },
	{ "dwp",                        VALUE_SEPARATE, OPTION_DWP },
	{ "exe",                        VALUE_SEPARATE, OPTION_OBJECT },
	{ "fallback-debug-path",        VALUE_SEPARATE, OPTION_DEBUG_DIR },
	{ "filter-markup",              VALUE_NONE,     OPTION_UNSUPPORTED },
	{ "functions",                  VALUE_NONE,     OPTION_FUNCTIONS },
	{ "functions",                  VALUE_JOINED,   OPTION_FUNCTIONS_KIND },
	{ "help",                       VALUE_NONE,     OPTION_HELP },
	{ "inlines",                    VALUE_NONE,     OPTION_INLINES },
	{ "inlining",                   VALUE_NONE,     OPTION_INLINES },
	{ "inlining=false",             VALUE_NONE,     OPTION_NO_INLINES },
	{ "inlining=true",              VALUE_NONE,     OPTION_INLINES },
	{ "no-debuginfod",              VALUE_NONE,     OPTION_NO_DEBUGINFOD },
	{ "no-demangle",                VALUE_NONE,     OPTION_NO_DEMANGLE },
	{ "no-inlines",                 VALUE_NONE,     OPTION_NO_INLINES },
	{ "no-untag-addresses",         VALUE_NONE,     OPTION_NO_UNTAG },
	{ "obj",                        VALUE_SEPARATE, OPTION_OBJECT },
	{ "output-style",               VALUE_SEPARATE, OPTION_OUTPUT },
	{ "pretty-print",               VALUE_NONE,     OPTION_PRETTY },
	{ "print-address",              VALUE_NONE,     OPTION_ADDRESSES },
	{ "print-source-context-lines", VALUE_SEPARATE, OPTION_CONTEXT },
	{ "relative-address",           VALUE_NONE,     OPTION_IGNORED },
	{ "relativenames",              VALUE_NONE,     OPTION_RELATIVE },
	{ "skip-line-zero",             VALUE_NONE,     OPTION_SKIP_LINE_ZERO },
	{ "untag-addresses",            VALUE_NONE,     OPTION_UNTAG },
	{ "use-symbol-table=true",      VALUE_NONE,     OPTION_IGNORED },
	{ "verbose",                    VALUE_NONE,     OPTION_VERBOSE },
	{ "version",                    VALUE_NONE,     OPTION_VERSION },
};

static const struct letter {
	char letter;
	enum option option;
} letters[] = {
	{ 'a', OPTION_ADDRESSES },
	{ 'C', OPTION_DEMANGLE },
	{ 'f', OPTION_FUNCTIONS },
	{ 'h', OPTION_HELP },
	{ 'i', OPTION_INLINES },
	{ 'p', OPTION_PRETTY },
	{ 's', OPTION_BASE_NAMES },
	{ 'v', OPTION_VERSION },
};
// clang-format on

struct reader {
	struct llvm_options *options;
	bool named_functions; // -f without a kind, which overrides -f with one
	bool wants_help, wants_version, failed;
};

__attribute__((format(printf, 2, 3))) static void refuse(struct reader *reader, const char *format,
							 ...)
{
	char message[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	cli_complain_as(reader->options->program, "error: %s", message);
	reader->failed = true;
}

static uint64_t read_count(struct reader *reader, const char *option, const char *text,
			   uint64_t most)
{
	char *end;

	errno = 0;
	uint64_t number = strtoull(text, &end, 0);
	if (errno != 0 || end == text || *end || text[0] == '-' || number > most)
		refuse(reader,
		       "%s: expected a non-negative integer up to %" PRIu64 ", but got '%s'",
		       option, most, text);
	return number;
}

static void take_output(struct reader *reader, const char *style)
{
	struct llvm_printer *printer = &reader->options->printer;

	if (strcmp(style, "LLVM") == 0)
		printer->output = LLVM_OUTPUT_LLVM;
	else if (strcmp(style, "GNU") == 0)
		printer->output = LLVM_OUTPUT_GNU;
	else if (strcmp(style, "JSON") == 0)
		printer->output = LLVM_OUTPUT_JSON;
	else
		refuse(reader, "--output-style must be LLVM, GNU or JSON, not '%s'", style);
}

static void take_names(struct reader *reader, const char *kind)
{
	enum llvm_names *names = &reader->options->names;

	if (reader->named_functions)
		return;
	if (strcmp(kind, "none") == 0)
		*names = LLVM_NAMES_NONE;
	else if (strcmp(kind, "short") == 0)
		*names = LLVM_NAMES_SHORT;
	else if (strcmp(kind, "linkage") == 0)
		*names = LLVM_NAMES_LINKAGE;
	else
		refuse(reader, "--functions must be none, short or linkage, not '%s'", kind);
}

static void take_option(struct reader *reader, enum option option, const char *spelling,
			char *value)
{
	struct llvm_options *options = reader->options;
	struct llvm_printer *printer = &options->printer;

	switch (option) {
	case OPTION_ADDRESSES: printer->addresses = true; break;
	case OPTION_ADJUST:
		options->adjust = read_count(reader, spelling, value, UINT64_MAX);
		break;
	case OPTION_ARCH: options->arch = value; break;
	case OPTION_BASE_NAMES:
		printer->base_names = true;
		options->symbolizer.paths = IC_PATHS_ONE_SLASH;
		break;
	case OPTION_BUILD_ID: options->build_id = value; break;
	case OPTION_CONTEXT:
		printer->context = (uint32_t)read_count(reader, spelling, value, 1000);
		break;
	case OPTION_DEBUG_DIR: options->debug_dirs[options->image.debug_dir_count++] = value; break;
	case OPTION_DEBUGINFOD: options->ask_servers = true; break;
	case OPTION_NO_DEBUGINFOD: options->ask_servers = false; break;
	case OPTION_DEMANGLE: printer->demangle = true; break;
	case OPTION_NO_DEMANGLE: printer->demangle = false; break;
	case OPTION_DWP: options->image.dwp_path = value; break;
	case OPTION_FUNCTIONS:
		options->names = LLVM_NAMES_LINKAGE;
		reader->named_functions = true;
		break;
	case OPTION_FUNCTIONS_KIND: take_names(reader, value); break;
	case OPTION_HELP: reader->wants_help = true; break;
	case OPTION_IGNORED: break;
	case OPTION_INLINES: options->inlines = true; break;
	case OPTION_NO_INLINES: options->inlines = false; break;
	case OPTION_NO_UNTAG: options->symbolizer.symbols = IC_SYMBOLS_LLVM; break;
	case OPTION_OBJECT: options->object = value; break;
	case OPTION_OUTPUT: take_output(reader, value); break;
	case OPTION_PRETTY: printer->pretty = true; break;
	case OPTION_RELATIVE:
		printer->base_names = false;
		options->symbolizer.paths = IC_PATHS_RELATIVE;
		break;
	case OPTION_SKIP_LINE_ZERO: options->symbolizer.skip_line_zero = true; break;
	case OPTION_UNSUPPORTED: refuse(reader, "unsupported option '%s'", spelling); break;
	case OPTION_UNTAG: options->symbolizer.symbols = IC_SYMBOLS_LLVM_UNTAGGED; break;
	case OPTION_VERBOSE: printer->verbose = true; break;
	case OPTION_VERSION: reader->wants_version = true; break;
	}
}

static void refuse_unknown(struct reader *reader, const char *argument)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (cli_is_near(rows[i].name, argument + 2)) {
			refuse(reader, "unknown argument '%s', did you mean '--%s'?", argument,
			       rows[i].name);
			return;
		}
	refuse(reader, "unknown argument '%s'", argument);
}

// Takes the argument at values[index], which begins with "--"; returns how many arguments it uses.
static int take_long(struct reader *reader, char **values, int index)
{
	char *name = values[index] + 2, *equals = strchr(name, '=');

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t length = strlen(rows[i].name);
		if (strncmp(name, rows[i].name, length) != 0)
			continue;
		if (rows[i].value == VALUE_NONE && name[length] == 0) {
			take_option(reader, rows[i].option, values[index], NULL);
			return 1;
		}
		if (rows[i].value != VALUE_NONE && equals == name + length) {
			take_option(reader, rows[i].option, values[index], equals + 1);
			return 1;
		}
		if (rows[i].value == VALUE_SEPARATE && name[length] == 0) {
			if (values[index + 1])
				take_option(reader, rows[i].option, values[index],
					    values[index + 1]);
			else
				refuse(reader, "%s: missing argument", values[index]);
			return 2;
		}
	}
	refuse_unknown(reader, values[index]);
	return 1;
}

// Takes the letters after the "-" at values[index]; returns how many arguments they use.
static int take_letters(struct reader *reader, char **values, int index)
{
	for (char *at = values[index] + 1; *at; at++) {
		size_t i = 0, count = sizeof(letters) / sizeof(*letters);
		if (*at == 'e') {
			char *value = at[1] ? at + 1 + (at[1] == '=') : values[index + 1];
			if (value)
				take_option(reader, OPTION_OBJECT, "-e", value);
			else
				refuse(reader, "%s: missing argument", "-e");
			return at[1] ? 1 : 2;
		}
		if (*at == 'f' && at[1] == '=') {
			take_option(reader, OPTION_FUNCTIONS_KIND, "-f", at + 2);
			return 1;
		}
		while (i < count && letters[i].letter != *at)
			i++;
		if (i == count) {
			refuse(reader, "unknown argument '-%s'", at);
			return 1;
		}
		take_option(reader, letters[i].option, values[index], NULL);
	}
	return 1;
}

static void take_all(struct reader *reader, char **values, int count)
{
	struct llvm_options *options = reader->options;

	for (int i = 1; i < count;) {
		char *value = values[i];
		if (!value[0]) {
			i++; // LLVM skips it
		} else if (strcmp(value, "-demangle=true") == 0 ||
			   strcmp(value, "-demangle=false") == 0) {
			options->printer.demangle = value[10] == 't'; // as pprof writes it
			i++;
		} else if (value[0] != '-' || !value[1]) {
			options->inputs[options->input_count++] = value;
			i++;
		} else {
			i += value[1] == '-' ? take_long(reader, values, i)
					     : take_letters(reader, values, i);
		}
	}
}

static void check_options(struct reader *reader)
{
	struct llvm_options *options = reader->options;
	struct ic_error err;

	if (!reader->failed && options->ask_servers) {
		options->image.debuginfod = ic_debuginfod_open(NULL, &err);
		if (!options->image.debuginfod)
			refuse(reader, "--debuginfod: %s", err.message);
	}
	if (reader->failed || !options->build_id)
		return;
	if (options->object)
		refuse(reader, "cannot specify both --build-id and --obj");
	else if (!llvm_build_id_read(options->build_id))
		refuse(reader, "--build-id=: expected a build ID, but got '%s'", options->build_id);
}

// Prints what is printed instead of answers.
static enum cli_status answer_at_once(const struct reader *reader)
{
	const struct llvm_options *options = reader->options;

	if (reader->failed)
		fprintf(stderr, "Try '%s --help' for the options.\n", options->program);
	else if (reader->wants_help)
		printf("OVERVIEW: %s\n\nUSAGE: %s%s", options->program, options->program, help);
	else
		printf("%s\n  inlinecall %s, which answers as LLVM version %s does\n",
		       options->program, ic_version(), options->of_14 ? "14" : "22");
	return reader->failed ? CLI_STYLE_FAILED : CLI_ANSWERED;
}

bool llvm_options_read(struct llvm_options *options, struct cli_arguments *arguments,
		       enum cli_style style, enum cli_status *status)
{
	bool of_14 = style == CLI_STYLE_LLVM_14 || style == CLI_STYLE_LLVM_ADDR2LINE_14;
	bool is_addr2line = style == CLI_STYLE_LLVM_ADDR2LINE ||
			    style == CLI_STYLE_LLVM_ADDR2LINE_14;
	const char *more = getenv(is_addr2line ? "LLVM_ADDR2LINE_OPTS" : "LLVM_SYMBOLIZER_OPTS");
	struct reader reader = { .options = options };

	*status = CLI_STYLE_FAILED;
	if (more && !cli_arguments_insert(arguments, more))
		return false;
	size_t count = (size_t)arguments->count + 1;
	*options = (struct llvm_options){
		.printer = { .output = is_addr2line ? LLVM_OUTPUT_GNU : LLVM_OUTPUT_LLVM,
			     .of_14 = of_14,
			     .demangle = !is_addr2line },
		.program = is_addr2line ? "llvm-addr2line" : "llvm-symbolizer",
		.names = is_addr2line ? LLVM_NAMES_NONE : LLVM_NAMES_LINKAGE,
		.is_addr2line = is_addr2line,
		.of_14 = of_14,
		.inlines = !is_addr2line,
		.symbolizer = { .paths = IC_PATHS_ONE_SLASH,
				.symbols = is_addr2line ? IC_SYMBOLS_LLVM
							: IC_SYMBOLS_LLVM_UNTAGGED },
		.inputs = calloc(count, sizeof(char *)),
		.debug_dirs = calloc(count, sizeof(char *)),
	};
	if (options->inputs && options->debug_dirs)
		take_all(&reader, arguments->values, arguments->count);
	else
		refuse(&reader, "%s", "out of memory");
	options->image.debug_dirs = options->debug_dirs;
	options->printer.functions = options->names != LLVM_NAMES_NONE;
	if (!reader.wants_help && !reader.wants_version)
		check_options(&reader);
	if (!reader.failed && !reader.wants_help && !reader.wants_version)
		return true;
	*status = answer_at_once(&reader);
	llvm_options_end(options);
	return false;
}

void llvm_options_end(struct llvm_options *options)
{
	ic_debuginfod_free(options->image.debuginfod);
	free(options->inputs);
	free(options->debug_dirs);
}

bool llvm_build_id_read(char *text)
{
	size_t length = strspn(text, "0123456789abcdefABCDEF");

	if (length == 0 || length % 2 != 0 || text[length])
		return false;
	for (char *at = text; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	return true;
}
