// What commands share that ask every file about a function: FUNCTION FILE..., where a FILE may be
// an archive or a list of names, and the answer text, JSON lines or CSV.
#ifndef CLI_ANSWERS_H
#define CLI_ANSWERS_H

#include <inlinecall/inlinecall.h>

#include "cli.h"
#include "explain.h"
#include "files.h"

enum {
	CLI_OPTION_JSON = 2048,
	CLI_OPTION_CSV,
	CLI_OPTION_COLOR,
	CLI_OPTION_STRICT,
};

// Their rows in a command's table of options, and the letters of the short ones.
// clang-format off
#define CLI_ANSWERS_OPTIONS                                         \
	{ "all",       no_argument,       NULL, 'a' },               \
	{ "glob",      no_argument,       NULL, 'g' },               \
	{ "regex",     no_argument,       NULL, 'r' },               \
	{ "demangle",  no_argument,       NULL, 'C' },               \
	{ "basenames", no_argument,       NULL, 's' },               \
	{ "json",      no_argument,       NULL, CLI_OPTION_JSON },   \
	{ "csv",       no_argument,       NULL, CLI_OPTION_CSV },    \
	{ "color",     optional_argument, NULL, CLI_OPTION_COLOR },  \
	CLI_FILES_OPTIONS,                                           \
	{ "strict",    no_argument,       NULL, CLI_OPTION_STRICT }, \
	{ "jobs",      required_argument, NULL, 'j' }
// clang-format on

#define CLI_ANSWERS_LETTERS "agrCsj:"

// The lines of --help on formats, and of those on how it is done.
#define CLI_ANSWERS_FORMATS_HELP                                             \
	"      --csv               comma-separated values, with a heading\n" \
	"      --color[=WHEN]      always, never, or auto (the default)\n"

#define CLI_ANSWERS_HOW_HELP                                                       \
	CLI_FILES_HELP                                                             \
	"      --strict            print nothing from a file that has faults\n"    \
	"  -j, --jobs=N            use N threads; 0, the default, is one a CPU\n"  \
	"  -h, --help              this text\n"                                    \
	"  -V, --version           the version\n"                                  \
	"\n"                                                                       \
	"Exit status: 0 answered, 1 nothing found, 2 something could not be read " \
	"or was left\n"                                                            \
	"out, 64 wrong usage.\n"

struct cli_answers {
	// What it is for one file. False where that failed.
	bool (*answer)(struct cli_answers *, const struct ic_index *, struct ic_error *);
	cli_explain_function *explain; // of which the context is this
	const char *nothing;           // is found, in several files: "no call site"

	struct ic_sites_query query; // which functions
	struct ic_report_options report;
	struct ic_index_options index;
	struct cli_files files;
	bool all, strict;

	// While it runs:
	bool several_files, headings; // the file's name above the answer
	bool found, incomplete;
	unsigned long file_count;
};

// Everything but the first three fields. The struct stays where it is.
void cli_answers_init(struct cli_answers *answers);

// Takes an option that is one of CLI_ANSWERS_OPTIONS, or getopt's complaint.
enum cli_status cli_answers_take(struct cli_answers *answers, int option, const char *argument);

// Takes the operands, and answers for each file.
enum cli_status cli_answers_run(struct cli_answers *answers, int count, char **operands);

// For cli_answers::answer: whether to write a report, of which there is anything to print or not.
// Prints the name of the file where that is due.
bool cli_answers_begin(struct cli_answers *answers, bool any);

#endif
