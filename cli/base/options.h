// The options of the commands: one table (options.def) for parsing, --help and completions.
#ifndef CLI_BASE_OPTIONS_H
#define CLI_BASE_OPTIONS_H

#include <getopt.h> // optind

#include "base/cli.h"

// clang-format off
enum cli_option_number {
#define OPTION(identifier, ...) CLI_OPTION_NUMBER_##identifier,
#define TEXT(...)
#include "base/options.def"
#undef OPTION
#undef TEXT
	CLI_OPTION_COUNT,
};

enum cli_option { // an option with a letter is that letter
#define OPTION(identifier, letter, ...) \
	CLI_OPTION_##identifier = letter ? letter : 256 + CLI_OPTION_NUMBER_##identifier,
#define TEXT(...)
#include "base/options.def"
#undef OPTION
#undef TEXT
};
// clang-format on

// Takes one option; other than CLI_ANSWERED after a complaint.
typedef enum cli_status cli_take_option(void *context, enum cli_option option, char *argument);

// Reads the options of a command; optind is then the index of the first operand. False if the
// command is to end with *status: after --help, --version, or a complaint.
bool cli_options_read(const struct cli_command *command, int argc, char **argv,
		      cli_take_option *take, void *context, enum cli_status *status);

// The index of the first operand, for any command's options: that operand may name the command.
int cli_options_first_operand(int argc, char **argv);

// Prints the --help of a command.
enum cli_status cli_options_help(const struct cli_command *command);

#endif
