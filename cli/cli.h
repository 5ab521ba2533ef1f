// What the commands share: their table entry, messages and exit statuses. A command uses the public
// headers of the library and nothing else of it.
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum cli_status {
	CLI_ANSWERED = 0,
	CLI_NOTHING = 1,    // nothing was found
	CLI_INCOMPLETE = 2, // something could not be read or was left out
	CLI_USAGE = 64,     // sysexits(3): EX_USAGE
};

struct cli_command {
	const char *name;
	const char *usage; // the beginning of its --help
	const char *which; // the title of the options there that say what is asked for
	enum cli_status (*run)(int argc, char **argv);
};

#define COMMAND(name, operands, what) extern const struct cli_command cli_command_##name;
#include "commands.def"
#undef COMMAND

// Says which command's --help is the one to hint at; without this, it is the program's.
void cli_begin(const char *command);

// "inlinecall: ..." on standard error, behind whatever standard output holds.
void cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The same with another program's name in front.
void cli_complain_as(const char *program, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Whether one letter more, less or other makes one name of the other.
bool cli_is_near(const char *name, const char *other);

// Like cli_complain(), with a hint at --help; returns CLI_USAGE.
enum cli_status cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The hint alone, behind a complaint of getopt's.
enum cli_status cli_hint_at_help(void);

// How many bytes at the start of a text are a control character, also one of UTF-8's from U+0080
// on; 0 if there is none.
size_t cli_control_size(const char *text);

// Writes a text that a file chose to standard output: control characters become question marks.
void cli_print_name(const char *name);

// What follows the last slash of a path.
const char *cli_base_name(const char *path);

// Reads a number of `what` in [least, most]; false, after a complaint, where it is none.
bool cli_parse_number(const char *text, const char *what, unsigned long least, unsigned long most,
		      unsigned long *number);

// If an operand that is to be something else is a file, says in which order operands come; whether
// it did. For use after a complaint about another operand.
bool cli_hint_at_order(const char *operand, const char *order);

// The end after a write to standard output failed: quiet and as a signal would have it where nobody
// reads any more, else with a complaint.
void cli_write_failed(int os_error, const char *message) __attribute__((noreturn));

// Whether to use colours: `when` is "always", "never" or "auto" (a terminal, and no NO_COLOR).
bool cli_use_colors(const char *when);

// What options of several commands take: the argument of --color, which may be NULL, and that of
// --jobs. CLI_ANSWERED, or CLI_USAGE after a complaint.
enum cli_status cli_take_color(const char *when, bool *colors);
enum cli_status cli_take_jobs(const char *text, uint32_t *jobs);

// --version: printed and flushed.
enum cli_status cli_print_version(void);

// The end of a text that was printed to standard output: flushed.
enum cli_status cli_end_print(void);

// A line on a terminal's standard error that says how far a long work is; it appears after a second
// and is wiped by cli_progress_end.
struct cli_progress {
	const char *what;
	double started, shown; // seconds
	// Where the work is one of several of a kind, its number and how many they are; else 0.
	unsigned long long part, parts;
};

void cli_progress_begin(struct cli_progress *progress, const char *what);
// ic_index_options::progress; true.
bool cli_progress_show(void *progress, unsigned long long done, unsigned long long total);
// The same of a debug file that a server is asked for; `total` bytes are 0 where not known.
void cli_progress_show_download(struct cli_progress *progress, unsigned long long done,
				unsigned long long total);
void cli_progress_end(struct cli_progress *progress);

#endif
