// inlinecall COMMAND ..., or inlinecall FUNCTION FILE..., which is short for the command "sites".
// Called by the name of another symbolizer, acts as that.
#include <string.h>

#include "base/cut_short.h"
#include "base/guide.h"
#include "base/options.h"
#include "style/style.h"

static const struct cli_command *const commands[] = {
#define COMMAND(name, bit, group, what) &cli_command_##name,
#include "base/commands.def"
#undef COMMAND
};

static const struct cli_command *find_command(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

// Prints a hint if what was taken for a function is nearly the name of a command.
static void hint_at_command(const char *function)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (cli_is_near(function, commands[i]->name))
			cli_complain("'%s' was taken as a function name; did you mean the "
				     "command '%s'?",
				     function, commands[i]->name);
}

// The tool to act as, according to the program's name or to `inlinecall addr --style=NAME`, which
// is removed: all other arguments are for that tool.
static enum cli_style take_style(int *argc, char **argv)
{
	static const char option[] = "--style=";
	enum cli_style style = *argc > 0 ? cli_style_of_program(argv[0]) : CLI_STYLE_NONE;

	if (style != CLI_STYLE_NONE || *argc < 3 || strcmp(argv[1], "addr") != 0 ||
	    strncmp(argv[2], option, strlen(option)) != 0)
		return style;
	style = cli_style_of_name(argv[2] + strlen(option));
	if (style != CLI_STYLE_NONE) {
		memmove(&argv[1], &argv[3], (size_t)(*argc - 2) * sizeof(*argv));
		*argc -= 2;
	}
	return style;
}

// Whether --style is in the wrong place, or names no style.
static bool has_wrong_style(int argc, char **argv)
{
	if (argc < 3 || strcmp(argv[1], "addr") != 0)
		return false;
	for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], "--style", strlen("--style")) == 0)
			return true;
	return false;
}

// inlinecall help [COMMAND]
static enum cli_status print_help(int count, char **operands)
{
	const struct cli_command *command = count > 0 ? find_command(operands[0])
						      : &cli_command_sites;

	if (command && count <= 1)
		return cli_options_help(command);
	if (count > 1)
		return cli_usage_error("help takes one command; for a function named help, use "
				       "'inlinecall sites help FILE'");
	return cli_usage_error(
		"unknown command '%s'; for a function named help, use 'inlinecall sites help FILE'",
		operands[0]);
}

static enum cli_status print_guide(int operands)
{
	if (operands > 0)
		return cli_usage_error("guide takes no operands; for a function named guide, use "
				       "'inlinecall sites guide FILE'");
	fputs(cli_guide, stdout);
	return cli_end_print();
}

int main(int argc, char **argv)
{
	const struct cli_command *command = &cli_command_sites;
	enum cli_style style = take_style(&argc, argv);
	char name[] = "inlinecall"; // for getopt's messages

	if (argc > 0)
		argv[0] = name;
	cli_cut_short_watch(style == CLI_STYLE_NONE ? CLI_INCOMPLETE : CLI_STYLE_FAILED);
	if (style != CLI_STYLE_NONE)
		return (int)cli_style_run(style, argc, argv);
	if (has_wrong_style(argc, argv)) {
		cli_begin("addr");
		return (int)cli_usage_error(
			"--style must directly follow addr, and be gnu, llvm or llvm-14");
	}
	int first = cli_options_first_operand(argc, argv);

	// If the first operand is a command, it is removed, and the rest is for that command.
	if (first < argc && strcmp(argv[first], "help") == 0)
		return (int)print_help(argc - first - 1, argv + first + 1);
	if (first < argc && strcmp(argv[first], "guide") == 0)
		return (int)print_guide(argc - first - 1);
	bool is_named = first < argc && find_command(argv[first]);
	if (is_named) {
		command = find_command(argv[first]);
		memmove(&argv[first], &argv[first + 1], (size_t)(argc - first) * sizeof(*argv));
		argc--;
		cli_begin(command == &cli_command_sites ? NULL : command->name);
	}
	const char *function = command == &cli_command_sites && first < argc ? argv[first] : NULL;
	enum cli_status status = command->run(argc, argv);
	if (function && !is_named && (status == CLI_INCOMPLETE || status == CLI_USAGE))
		hint_at_command(function);
	return (int)status;
}
