// What the commands share: their entry in the table of commands, messages, and exit statuses.
// Commands use nothing of the library but its public headers.
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

// Describes FILE in the --help of commands that take several files.
#define CLI_FILE_HELP                                                                     \
	"A FILE is an ELF file with DWARF, or one whose debug file can be found; or an\n" \
	"archive of such files, or a member of it, as in 'lib.a(member.o)'; or '-', to\n" \
	"read file names from standard input, one per line.\n"

struct cli_command {
	const char *name;
	const char *usage; // start of its --help
	const char *which; // heading of the options that select what is shown; NULL if it has none
	const char *statuses; // its exit statuses, for --help; NULL for the usual ones
	enum cli_status (*run)(int argc, char **argv);
};

#define COMMAND(name, bit, group, what) extern const struct cli_command cli_command_##name;
#include "base/commands.def"
#undef COMMAND

// Names the command whose --help is hinted at; by default, that is the program's.
void cli_begin(const char *command);

// Prints "inlinecall: ..." on standard error, after flushing standard output.
void cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The same, with another program's name.
void cli_complain_as(const char *program, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Whether the names differ by one letter that is inserted, missing or replaced.
bool cli_is_near(const char *name, const char *other);

// Like cli_complain(), with a hint at --help; returns CLI_USAGE.
enum cli_status cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Prints only the hint, after an error message from getopt.
enum cli_status cli_hint_at_help(void);

// The size of the control character at the start of a text, including those from U+0080 on in
// UTF-8; 0 if there is none.
size_t cli_control_size(const char *text);

// Writes a text from a file to standard output, with question marks in place of control characters.
void cli_print_name(const char *name);

// The part of a path after its last slash.
const char *cli_base_name(const char *path);

// Reads a number in [least, most]; prints an error that begins with `what` and returns false if the
// text is not one.
bool cli_parse_number(const char *text, const char *what, unsigned long least, unsigned long most,
		      unsigned long *number);

enum { CLI_NO_LIMIT = INT32_MAX };

// Reads the argument of --limit: a number from `least`, or "all", for which *limit is CLI_NO_LIMIT;
// prints an error and returns false if the text is neither.
bool cli_parse_limit(const char *text, unsigned long least, unsigned long *limit);

// The index of a word; `count` if it is none of them.
size_t cli_find_word(const char *const *words, size_t count, const char *word);

// If an operand that should be something else is a file, prints the order of operands and returns
// true. For use after an error message about another operand.
bool cli_hint_at_order(const char *operand, const char *order);

// Exits after a failed write to standard output: silently, as by SIGPIPE, if there is no reader any
// more, otherwise with an error message.
void cli_write_failed(int os_error, const char *message) __attribute__((noreturn));

// Whether to use colours: `when` is "always", "never" or "auto" (only on a terminal, and unless
// NO_COLOR is set).
bool cli_use_colors(const char *when);

// Takes the argument of --color, which may be NULL, or of --jobs. Returns CLI_ANSWERED, or prints
// an error and returns CLI_USAGE.
enum cli_status cli_take_color(const char *when, bool *colors);
enum cli_status cli_take_jobs(const char *text, uint32_t *jobs);

// Prints and flushes the output of --version.
enum cli_status cli_print_version(void);

// Flushes standard output after printing text.
enum cli_status cli_end_print(void);

// A line on standard error, if that is a terminal, which shows the progress of long work; it
// appears after a second, and cli_progress_end() removes it.
struct cli_progress {
	const char *what;
	double started, shown; // in seconds
	// If the work is one of several parts, its number and the number of parts; otherwise 0.
	unsigned long long part, parts;
};

void cli_progress_begin(struct cli_progress *progress, const char *what);
// For ic_index_options::progress; always returns true.
bool cli_progress_show(void *progress, unsigned long long done, unsigned long long total);
// The same for the download of a debug file; `total` is in bytes, 0 if unknown.
void cli_progress_show_download(struct cli_progress *progress, unsigned long long done,
				unsigned long long total);
void cli_progress_end(struct cli_progress *progress);

#endif
