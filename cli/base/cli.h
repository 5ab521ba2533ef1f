// What the commands share: their table entry, messages and exit statuses. A command uses the public
// headers of the library and nothing else of it.
#ifndef CLI_BASE_CLI_H
#define CLI_BASE_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum cli_status {
	CLI_ANSWERED = 0,
	CLI_NOTHING = 1,    // nothing was found
	CLI_INCOMPLETE = 2, // part of the input could not be read; the output may be incomplete
	CLI_USAGE = 64,     // sysexits(3): EX_USAGE
};

// What a FILE is, in the --help of commands that take several of them.
#define CLI_FILE_HELP                                                                     \
	"A FILE is an ELF file with DWARF, or one whose debug file can be found; or an\n" \
	"archive of such files, or a member of it, as in 'lib.a(member.o)'; or '-', to\n" \
	"read the names of files from standard input, one per line.\n"

struct cli_command {
	const char *name;
	const char *usage; // the beginning of its --help
	const char *which; // its title for the options that choose what is shown; NULL without any
	const char *statuses; // its exit statuses, for --help; NULL for the common ones
	enum cli_status (*run)(int argc, char **argv);
};

#define COMMAND(name, bit, group, what) extern const struct cli_command cli_command_##name;
#include "base/commands.def"
#undef COMMAND

// Names the command whose --help is hinted at; without this, it is the program's.
void cli_begin(const char *command);

// Prints "inlinecall: ..." on standard error, after flushing standard output.
void cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The same with another program's name in front.
void cli_complain_as(const char *program, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Whether the names differ by one letter that is added, missing or replaced.
bool cli_is_near(const char *name, const char *other);

// Like cli_complain(), with a hint at --help; returns CLI_USAGE.
enum cli_status cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The hint only, after a complaint of getopt's.
enum cli_status cli_hint_at_help(void);

// The size of the control character at the start of a text, those from U+0080 on in UTF-8 included;
// 0 if there is none.
size_t cli_control_size(const char *text);

// Writes a text from a file to standard output, with question marks for control characters.
void cli_print_name(const char *name);

// What follows the last slash of a path.
const char *cli_base_name(const char *path);

// Reads a number in [least, most]; false, after a complaint that begins with `what`, if it is none.
bool cli_parse_number(const char *text, const char *what, unsigned long least, unsigned long most,
		      unsigned long *number);

// If an operand that should be something else is a file, prints the order of operands; whether it
// did. For use after a complaint about another operand.
bool cli_hint_at_order(const char *operand, const char *order);

// Ends the program after a write to standard output failed: silently and as by SIGPIPE if nobody
// reads it any more, else with a complaint.
void cli_write_failed(int os_error, const char *message) __attribute__((noreturn));

// Whether to use colours: `when` is "always", "never" or "auto" (a terminal, and no NO_COLOR).
bool cli_use_colors(const char *when);

// Takes the argument of --color, which may be NULL, or that of --jobs. CLI_ANSWERED, or CLI_USAGE
// after a complaint.
enum cli_status cli_take_color(const char *when, bool *colors);
enum cli_status cli_take_jobs(const char *text, uint32_t *jobs);

// Prints and flushes what --version shows.
enum cli_status cli_print_version(void);

// Flushes standard output after a text was printed.
enum cli_status cli_end_print(void);

// A line on standard error, if that is a terminal, with the progress of long work; it appears after
// a second and is removed by cli_progress_end.
struct cli_progress {
	const char *what;
	double started, shown; // seconds
	// If the work is one of several parts, its number and how many there are; else 0.
	unsigned long long part, parts;
};

void cli_progress_begin(struct cli_progress *progress, const char *what);
// For ic_index_options::progress; returns true.
bool cli_progress_show(void *progress, unsigned long long done, unsigned long long total);
// The same for a debug file from a server; `total` is in bytes, 0 if not known.
void cli_progress_show_download(struct cli_progress *progress, unsigned long long done,
				unsigned long long total);
void cli_progress_end(struct cli_progress *progress);

#endif
