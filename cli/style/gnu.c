// addr2line [OPTION]... [ADDRESS]...: prints what GNU addr2line of binutils 2.40 to 2.44 does.
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/addr_lines.h"
#include "style/file.h"
#include "style/style.h"

static const char help[] =
	"Usage: addr2line [OPTION]... [ADDRESS]...\n"
	"Print the file and line of each ADDRESS, as GNU addr2line does. An ADDRESS is a\n"
	"hexadecimal number, with or without 0x, or SYMBOL+OFFSET; without any, they are\n"
	"read from standard input, one per line.\n"
	"\n"
	"  @FILE                    read arguments from FILE\n"
	"  -a, --addresses          print the address first\n"
	"  -b, --target=NAME        the format of the file, as in elf64-x86-64\n"
	"  -C, --demangle[=STYLE]   demangle names; STYLE is auto, gnu-v3, rust, "
	"dlang\n"
	"                           or none\n"
	"  -e, --exe=FILE           the file (default: a.out)\n"
	"  -f, --functions          also print the function\n"
	"  -i, --inlines            also print the functions that it was inlined into, with\n"
	"                           the lines of the calls\n"
	"  -j, --section=NAME       addresses are offsets in this section\n"
	"  -p, --pretty-print       print each frame on one line\n"
	"  -r, --no-recurse-limit   only prints a warning: demangling always has limits\n"
	"  -R, --recurse-limit      the default\n"
	"  -s, --basenames          print files without their directories\n"
	"  -h, --help               print this help\n"
	"  -v, --version            print the version\n"
	"\n"
	"See inlinecall-addr2line(1) for the differences from GNU addr2line.\n";

// clang-format off
static const struct option long_options[] = {
	{ "addresses",          no_argument,       NULL, 'a' },
	{ "basenames",          no_argument,       NULL, 's' },
	{ "demangle",           optional_argument, NULL, 'D' },
	{ "exe",                required_argument, NULL, 'e' },
	{ "functions",          no_argument,       NULL, 'f' },
	{ "inlines",            no_argument,       NULL, 'i' },
	{ "pretty-print",       no_argument,       NULL, 'p' },
	{ "recurse-limit",      no_argument,       NULL, 'R' },
	{ "recursion-limit",    no_argument,       NULL, 'R' },
	{ "no-recurse-limit",   no_argument,       NULL, 'r' },
	{ "no-recursion-limit", no_argument,       NULL, 'r' },
	{ "section",            required_argument, NULL, 'j' },
	{ "target",             required_argument, NULL, 'b' },
	{ "help",               no_argument,       NULL, 'h' },
	{ "version",            no_argument,       NULL, 'v' },
	{ NULL,                 0,                 NULL, 0 },
};

static const struct demangling { // styles, and the letter after the "_" of their symbols
	const char *style, *letters;
	bool is_cxx;  // and Rust's legacy symbols, which look like those of C++
	bool is_rust; // only Rust's legacy symbols
} demanglings[] = {
	{ "auto",   "ZR", false, false },
	{ "gnu-v3", "Z",  true,  false },
	{ "rust",   "ZR", false, true },
	{ "dlang",  "D",  false, false },
	{ "none",   "",   false, false },
};
// clang-format on

struct request {
	const char *path, *section, *target;
	const struct demangling *demangling; // NULL for none
	bool addresses, functions, inlines, pretty, base_names;
	struct cli_style_file file;
	struct ic_symbolizer_section where; // `section`, if given
};

static enum cli_status take_style(struct request *request, const char *style)
{
	size_t count = sizeof(demanglings) / sizeof(*demanglings);

	for (size_t i = 0; i < count; i++)
		if (!style || strcmp(demanglings[i].style, style) == 0) {
			request->demangling = &demanglings[i];
			return CLI_ANSWERED;
		}
	cli_complain("unknown demangling style '%s'; use auto, gnu-v3, rust, dlang or none", style);
	fprintf(stderr, "Try 'addr2line --help' for the options.\n");
	return CLI_STYLE_FAILED;
}

static enum cli_status take_option(struct request *request, int option, const char *argument)
{
	switch (option) {
	case 'a': request->addresses = true; break;
	case 'b': request->target = argument; break;
	case 'C': return take_style(request, NULL);
	case 'D': return take_style(request, argument);
	case 'e': request->path = argument; break;
	case 'f': request->functions = true; break;
	case 'i': request->inlines = true; break;
	case 'j': request->section = argument; break;
	case 'p': request->pretty = true; break;
	case 'R': break;
	case 'r': cli_complain("-r has no effect: demangling always has limits"); break;
	case 's': request->base_names = true; break;
	default:
		fputs("Try 'addr2line --help' for the options.\n", stderr);
		return CLI_STYLE_FAILED;
	}
	return CLI_ANSWERED;
}

static bool open_file(struct request *request)
{
	struct cli_style_file *file = &request->file;
	const char *target = request->target, *path = request->path;
	bool is_elf = target && (!strncmp(target, "elf32-", 6) || !strncmp(target, "elf64-", 6));
	struct ic_error err;

	if (target && !is_elf && strcmp(target, "default") != 0) {
		cli_complain("%s: not an ELF target, as in 'elf64-x86-64'; other file formats are "
			     "not supported",
			     target);
		return false;
	}
	if (!cli_style_file_open(file, path, &(struct ic_image_options){ 0 }, IC_SYMBOLS_GNU,
				 &err)) {
		cli_complain("%s", err.message);
		return false;
	}
	if (is_elf && (target[3] == '3') != file->is_32_bit) {
		cli_complain("%s: file format does not match target %s", path, target);
		return false;
	}
	if (!request->section ||
	    ic_symbolizer_section_find(file->symbolizer, request->section, 0, &request->where))
		return true;
	cli_complain("%s: no allocated section '%s'", path, request->section);
	return false;
}

// An address as given, and as the symbolizer counts them.
struct place {
	uint64_t number; // as -a prints it
	uint64_t addr;   // as the symbolizer counts it
	bool known;      // the file has such an address
	size_t question; // its number among the file's addresses
};

static struct place place_of_number(struct request *request, uint64_t number)
{
	struct place place = { .number = number };

	if (request->file.is_32_bit)
		place.number &= UINT32_MAX;
	if (!request->section) {
		place.known = cli_style_addr(&request->file, place.number, &place.addr);
	} else {
		place.known = place.number < request->where.size;
		place.addr = request->where.start + place.number;
	}
	return place;
}

// Reads "SYMBOL" or "SYMBOL+OFFSET", and anything else that is not a number, such as the "," that
// perf sends to mark the end of an answer.
static struct place place_of_symbol(struct request *request, char *text)
{
	char *end = text + strcspn(text, " \t\r\n\v\f+"), *plus = end + strspn(end, " \t\r\n\v\f");
	uint64_t offset = *plus == '+' ? strtoull(plus + 1, NULL, 0) : 0;
	struct ic_symbolizer *symbolizer = request->file.symbolizer;
	struct ic_symbolizer_symbol symbol;
	struct ic_index_section section;
	struct place place = { .known = false };

	*end = 0;
	if (!ic_symbolizer_symbol_find(symbolizer, text, 0, &symbol))
		return place;
	if (request->section)
		return place_of_number(request, symbol.start + offset);
	place.addr = place.number = symbol.start + offset;
	place.known = true;
	if (ic_symbolizer_section_at(symbolizer, symbol.start, &section))
		place.number -= section.start;
	return place;
}

static struct place read_place(struct request *request, char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	// What may be either is a number, unless it contains a "+".
	if (*text && *text != '+' && !isdigit((unsigned char)*text) &&
	    (!isxdigit((unsigned char)*text) || strchr(text, '+')))
		return place_of_symbol(request, text);
	return place_of_number(request, strtoull(text, NULL, 16));
}

// Compilers omit the linkage name of a function that cannot be called from elsewhere, such as one
// in an unnamed namespace; its symbol has it.
static const char *linkage_name(const struct request *request, const struct ic_frame *frame)
{
	struct ic_symbolizer_symbol symbol;

	if (frame->linkage_name || frame->inlined || !frame->function || frame->start == UINT64_MAX)
		return frame->linkage_name ? frame->linkage_name : frame->function;
	if (ic_symbolizer_symbol_at(request->file.symbolizer, frame->start, &symbol) &&
	    symbol.start == frame->start && symbol.name[0] == '_' && symbol.name[1] &&
	    strchr("ZRD", symbol.name[1]))
		return symbol.name;
	return frame->function;
}

// The 'h' and 16 digits at the end of a legacy Rust symbol, after "17"; NULL for other symbols.
static const char *find_rust_hash(const char *name)
{
	for (const char *at = name; (at = strstr(at, "17h")); at++)
		if (strspn(at + 3, "0123456789abcdef") == 16 && at[19] == 'E')
			return at + 2;
	return NULL;
}

// Makes libiberty demangle a legacy Rust symbol as C++, by corrupting its hash.
static char *demangle_as_cxx(const char *name, const char *hash)
{
	char *copy = strdup(name), *demangled = NULL, *last = NULL;

	if (copy)
		copy[hash - name] = 'g';
	if (!copy || !ic_demangle(copy, IC_DEMANGLE_FULL, &demangled))
		cli_complain("out of memory");
	for (char *at = demangled; at && (at = strstr(at, "::g")); at++)
		last = at;
	if (last)
		last[2] = 'h';
	free(copy);
	return demangled;
}

// Demangles a name; the result is to be freed. NULL if the name is not of this style.
static char *demangle_name(const struct demangling *style, const char *name)
{
	const char *hash = name[0] == '_' && name[1] == 'Z' ? find_rust_hash(name) : NULL;
	char *demangled = NULL;

	if (!style || name[0] != '_' || !name[1] || !strchr(style->letters, name[1]) ||
	    (style->is_rust && name[1] == 'Z' && !hash))
		return NULL;
	if (style->is_cxx && hash)
		return demangle_as_cxx(name, hash);
	if (!ic_demangle(name, IC_DEMANGLE_FULL, &demangled))
		cli_complain("out of memory");
	return demangled;
}

static void put_function(const struct request *request, const struct ic_frame *frame)
{
	const char *name = linkage_name(request, frame);

	if (!name || !*name)
		name = "??";
	char *demangled = demangle_name(request->demangling, name);
	cli_style_put(demangled ? demangled : name);
	free(demangled);
	fputs(request->pretty ? " at " : "\n", stdout);
}

static void put_frame(const struct request *request, const struct ic_frame *frame)
{
	if (request->functions)
		put_function(request, frame);
	if (!frame->file)
		fputs("??", stdout);
	else
		cli_style_put(request->base_names ? cli_base_name(frame->file) : frame->file);
	if (frame->line == 0)
		fputs(":?\n", stdout);
	else if (frame->discriminator == 0)
		printf(":%u\n", frame->line);
	else
		printf(":%u (discriminator %u)\n", frame->line, frame->discriminator);
}

static void answer_place(struct request *request, const struct place *place)
{
	const struct ic_frame *frames = NULL;
	size_t count = place->known ? cli_style_frames(&request->file, place->question, &frames)
				    : 0;

	if (request->addresses)
		printf("0x%0*" PRIx64 "%s", request->file.is_32_bit ? 8 : 16, place->number,
		       request->pretty ? ": " : "\n");
	if (count == 0) {
		if (request->functions)
			fputs(request->pretty ? "?? " : "??\n", stdout);
		fputs("??:0\n", stdout);
	}
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && request->pretty)
			fputs(" (inlined by) ", stdout);
		put_frame(request, &frames[i]);
		if (!request->inlines)
			break;
	}
}

static bool answer_some(struct request *request, size_t count, char **texts)
{
	struct place *places = calloc(count + 1, sizeof(*places));

	if (!places) {
		cli_complain("out of memory");
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		places[i] = read_place(request, texts[i]);
		if (places[i].known &&
		    !cli_style_add(&request->file, places[i].addr, &places[i].question))
			places[i].known = false;
	}
	for (size_t i = 0; i < count; i++)
		answer_place(request, &places[i]);
	cli_style_forget(&request->file);
	free(places);
	return true;
}

static bool answer_all(struct request *request, size_t count, char **texts)
{
	bool ok = true;

	for (size_t i = 0; ok && i < count; i += CLI_STYLE_AT_ONCE)
		ok = answer_some(request,
				 count - i < CLI_STYLE_AT_ONCE ? count - i : CLI_STYLE_AT_ONCE,
				 texts + i);
	return ok;
}

static bool answer_lines(struct request *request)
{
	struct cli_addr_lines lines = { .is_verbatim = true };
	bool ok = true;

	while (ok && cli_addr_lines_next(&lines)) {
		ok = answer_all(request, lines.count, lines.texts);
		if (fflush(stdout) != 0)
			cli_write_failed(errno, strerror(errno));
	}
	if (lines.os_error)
		cli_complain("cannot read standard input: %s", strerror(lines.os_error));
	ok = ok && !lines.os_error;
	cli_addr_lines_free(&lines);
	return ok;
}

static enum cli_status run_command(struct request *request, int count, char **addresses)
{
	bool ok = open_file(request);

	if (ok)
		ok = count > 0 ? answer_all(request, (size_t)count, addresses)
			       : answer_lines(request);
	cli_style_file_close(&request->file);
	return ok ? CLI_ANSWERED : CLI_STYLE_FAILED;
}

enum cli_status cli_style_gnu(struct cli_arguments *arguments)
{
	struct request request = { .path = "a.out" };
	int count = arguments->count;
	char **values = arguments->values;

	for (int option; (option = getopt_long(count, values, "ab:Ce:rRsfHhij:pVv", long_options,
					       NULL)) != -1;) {
		if (option == 'h' || option == 'H' || option == 'v' || option == 'V') {
			if (option == 'h' || option == 'H')
				fputs(help, stdout);
			else
				printf("inlinecall %s, in place of addr2line\n", ic_version());
			return CLI_ANSWERED;
		}
		enum cli_status status = take_option(&request, option, optarg);
		if (status != CLI_ANSWERED)
			return status;
	}
	return run_command(&request, count - optind, values + optind);
}
