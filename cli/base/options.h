// The options of the commands: a single table (options.def) for parsing, --help, and shell
// completion.
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

enum cli_option { // an option with a letter has that as its value
#define OPTION(identifier, letter, ...) \
	CLI_OPTION_##identifier = letter ? letter : 256 + CLI_OPTION_NUMBER_##identifier,
#define TEXT(...)
#include "base/options.def"
#undef OPTION
#undef TEXT
};
// clang-format on

// Takes one option; returns something other than CLI_ANSWERED after an error message.
typedef enum cli_status cli_take_option(void *context, enum cli_option option, char *argument);

// Reads the options of a command; optind is then the index of the first operand. Returns false if
// the command should exit with *status: after --help, --version, or an error message.
bool cli_options_read(const struct cli_command *command, int argc, char **argv,
		      cli_take_option *take, void *context, enum cli_status *status);

// The index of the first operand, whatever the command, which that operand may name.
int cli_options_first_operand(int argc, char **argv);

// Prints the --help of a command.
enum cli_status cli_options_help(const struct cli_command *command);

#endif
