// inlinecall COMMAND ..., or inlinecall FUNCTION FILE..., which is short for the command sites.
#include <string.h>

#include "cli.h"

static const struct cli_command *const commands[] = {
	&cli_command_addr,
	&cli_command_lines,
	&cli_command_sites,
	&cli_command_tree,
};

static const struct cli_command *find_command(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct cli_command *command = &cli_command_sites;
	char name[] = "inlinecall"; // what getopt begins its messages with

	if (argc > 0)
		argv[0] = name;
	int first = command->first_operand(argc, argv);

	// The first operand may be a command's name: it is taken out, and what is left is its own.
	if (first < argc && find_command(argv[first])) {
		command = find_command(argv[first]);
		memmove(&argv[first], &argv[first + 1], (size_t)(argc - first) * sizeof(*argv));
		argc--;
	}
	return (int)command->run(argc, argv);
}
