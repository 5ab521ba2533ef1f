#include "base/options.h"

#include <stdio.h>
#include <string.h>

#include <inlinecall/extra.h>

#include "base/command_bits.h"

enum group { WHICH, WHAT, HOW };

// clang-format off
static const struct row {
	enum cli_option option;
	const char *name;
	int has_argument;
	const char *argument;
} rows[CLI_OPTION_COUNT] = {
#define OPTION(identifier, letter, name, has_argument, argument, values) \
	{ CLI_OPTION_##identifier, name, has_argument##_argument, argument },
#define TEXT(...)
#include "base/options.def"
#undef OPTION
#undef TEXT
};

static const struct text {
	const struct row *row;
	unsigned commands;
	enum group group;
	const char *text;
} texts[] = {
#define OPTION(...)
#define TEXT(identifier, commands, group, text) \
	{ &rows[CLI_OPTION_NUMBER_##identifier], commands, group, text },
#include "base/options.def"
#undef OPTION
#undef TEXT
};

enum command_group { FUNCTIONS, PLACES, SIZE, RUNS, DEBUG };

static const char *const command_groups[] = {
	[FUNCTIONS] = "Ask about a function",
	[PLACES] = "Look up an address or a source line",
	[SIZE] = "Count and measure",
	[RUNS] = "Examine running programs, recordings and cores",
	[DEBUG] = "Check, print and write debug information",
};

static const struct {
	const char *name, *what;
	enum command_group group;
} command_rows[COMMAND_COUNT] = {
#define COMMAND(name, bit, group, what) { #name, what, group },
#include "base/commands.def"
#undef COMMAND
};
// clang-format on

enum { TEXT_COUNT = sizeof(texts) / sizeof(*texts) };

static unsigned bit_of(const struct cli_command *command)
{
	for (unsigned i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(command_rows[i].name, command->name) == 0)
			return 1u << i;
	return 0;
}

struct parser { // arguments of getopt_long()
	struct option longs[CLI_OPTION_COUNT + 1];
	char letters[3 * CLI_OPTION_COUNT + 2];
};

static void init_parser(struct parser *parser, unsigned commands, const char *prefix)
{
	const struct row *row = NULL;
	size_t count = 0;
	char *letter = stpcpy(parser->letters, prefix);

	for (size_t i = 0; i < TEXT_COUNT; i++) {
		if (!(texts[i].commands & commands) || texts[i].row == row)
			continue;
		row = texts[i].row;
		parser->longs[count++] =
			(struct option){ row->name, row->has_argument, NULL, (int)row->option };
		if (row->option >= 256)
			continue;
		*letter++ = (char)row->option;
		for (int colons = row->has_argument; colons > 0; colons--)
			*letter++ = ':';
	}
	parser->longs[count] = (struct option){ NULL, 0, NULL, 0 };
	*letter = 0;
}

int cli_options_first_operand(int argc, char **argv)
{
	struct parser parser;

	init_parser(&parser, EVERY, "+");
	opterr = 0;
	while (getopt_long(argc, argv, parser.letters, parser.longs, NULL) != -1) {}
	int first = optind;

	opterr = 1;
	optind = 0; // restart, and forget the "+"
	return first;
}

bool cli_options_read(const struct cli_command *command, int argc, char **argv,
		      cli_take_option *take, void *context, enum cli_status *status)
{
	struct parser parser;

	init_parser(&parser, bit_of(command), "");
	*status = CLI_ANSWERED;
	for (int option;
	     (option = getopt_long(argc, argv, parser.letters, parser.longs, NULL)) != -1;) {
		if (option == CLI_OPTION_HELP || option == CLI_OPTION_VERSION) {
			*status = option == CLI_OPTION_HELP ? cli_options_help(command)
							    : cli_print_version();
			return false;
		}
		*status = option == '?' ? cli_hint_at_help()
					: take(context, (enum cli_option)option, optarg);
		if (*status != CLI_ANSWERED)
			return false;
	}
	return true;
}

enum {
	HELP_COLUMN = 26, // of the description of an option
	COMMAND_COLUMN = 13,
	STATUS_COLUMN = 14,
	HELP_WIDTH = 80,
	HELP_GAP = 2, // the least between the columns
};

// Prints words from a column on, as many per line as fit.
static void print_wrapped(const char *text, int column)
{
	for (int at = column; *text;) {
		int length = (int)strcspn(text, " ");
		if (at > column && at + 1 + length > HELP_WIDTH) {
			printf("\n%*s", column, "");
			at = column;
		}
		at += printf("%s%.*s", at > column ? " " : "", length, text);
		text += length;
		text += strspn(text, " ");
	}
	putchar('\n');
}

// Prints a name and its description, which goes below the name if that is too long.
static void print_columns(const char *name, int column, const char *text)
{
	int length = printf("%s", name);

	if (length > column - HELP_GAP) {
		putchar('\n');
		length = 0;
	}
	printf("%*s", column - length, "");
	print_wrapped(text, column);
}

static void print_option(const struct row *row, const char *text)
{
	char name[64], letter[] = "-x, ";
	bool is_optional = row->has_argument == optional_argument;

	letter[1] = (char)row->option;
	snprintf(name, sizeof(name), "  %4s--%s%s%s%s%s", row->option < 256 ? letter : "",
		 row->name, is_optional ? "[" : "", row->argument ? "=" : "",
		 row->argument ? row->argument : "", is_optional ? "]" : "");
	print_columns(name, HELP_COLUMN, text);
}

static void print_group(const char *title, unsigned command, enum group group)
{
	for (size_t i = 0; i < TEXT_COUNT; i++) {
		if (texts[i].group != group || !(texts[i].commands & command))
			continue;
		if (title)
			printf("\n%s:\n", title);
		title = NULL;
		print_option(texts[i].row, texts[i].text);
	}
}

static void print_commands(void)
{
	char name[32];

	puts("\nThe commands, each with its own --help ('inlinecall guide' explains all):");
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (i == 0 || command_rows[i].group != command_rows[i - 1].group)
			printf("\n%s:\n", command_groups[command_rows[i].group]);
		snprintf(name, sizeof(name), "  %s", command_rows[i].name);
		print_columns(name, COMMAND_COLUMN, command_rows[i].what);
	}
	puts("\nThe options of 'sites', the default command:");
}

enum cli_status cli_options_help(const struct cli_command *command)
{
	static const char common_statuses[] = "0 answered; 1 nothing found; 2 part of the input "
					      "could not be read or was skipped; 64 usage error";
	unsigned bit = bit_of(command);

	fputs(command->usage, stdout);
	if (bit == SITES)
		print_commands();
	print_group(command->which, bit, WHICH);
	print_group("What is printed", bit, WHAT);
	print_group("Other options", bit, HOW);
	putchar('\n');
	print_columns("Exit status:", STATUS_COLUMN,
		      command->statuses ? command->statuses : common_statuses);
	if (!ic_debuginfod_is_built())
		puts("\ninlinecall was built without debuginfod.");
	return cli_end_print();
}
