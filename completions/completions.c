// completions bash|zsh|fish: prints the completions for that shell, from the tables of commands and
// options. Runs when inlinecall is built, on the build machine.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/command_bits.h"
#include "base/options.h"

static const struct command {
	const char *name, *what;
} commands[] = {
#define COMMAND(name, bit, group, what) { #name, what },
#include "base/commands.def"
#undef COMMAND
};

// clang-format off
static const struct row {
	char letter; // 0 if there is none
	const char *name;
	int has_argument;
	const char *argument, *values;
} rows[CLI_OPTION_COUNT] = {
#define OPTION(identifier, letter, name, has_argument, argument, values) \
	{ letter, name, has_argument##_argument, argument, values },
#define TEXT(...)
#include "base/options.def"
#undef OPTION
#undef TEXT
};

static const struct text {
	const struct row *row;
	unsigned commands;
	const char *text;
} texts[] = {
#define OPTION(...)
#define TEXT(identifier, commands, group, text) \
	{ &rows[CLI_OPTION_NUMBER_##identifier], commands, text },
#include "base/options.def"
#undef OPTION
#undef TEXT
};
// clang-format on

enum { TEXT_COUNT = sizeof(texts) / sizeof(*texts) };

static bool is_files(const struct row *row)
{
	return row->values && strcmp(row->values, "@file") == 0;
}

static bool is_dirs(const struct row *row)
{
	return row->values && strcmp(row->values, "@dir") == 0;
}

static void print_command_names(const char *separator)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		printf("%s%s", i > 0 ? separator : "", commands[i].name);
}

// Prints a text with a backslash before each of some characters, for use between single quotes.
static void print_quoted(const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'') {
			fputs("'\\''", stdout);
			continue;
		}
		if (strchr(special, *text))
			putchar('\\');
		putchar(*text);
	}
}

static void print_bash_values(const struct row *row)
{
	if (row->has_argument == no_argument)
		return;
	printf("\t--%s", row->name);
	if (row->letter && row->has_argument == required_argument)
		printf("|-%c", row->letter);
	putchar(')');
	if (is_files(row))
		puts(" compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")) ;;");
	else if (is_dirs(row))
		puts(" compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\")) ;;");
	else
		printf(" COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n",
		       row->values ? row->values : "");
}

// What follows the command itself, and an option that is none of those that all commands know.
#define ACTIONS "dump check convert encode"
#define STYLES  "gnu llvm llvm-14"

static void print_bash(void)
{
	puts("# bash completion for inlinecall\n"
	     "_inlinecall()\n"
	     "{\n"
	     "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	     "\tlocal command=sites options i");
	puts("\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	     "\t\tcase ${COMP_WORDS[i]} in");
	fputs("\t\t", stdout);
	print_command_names("|");
	puts("|help) command=${COMP_WORDS[i]}; break ;;\n"
	     "\t\t-*) ;;\n"
	     "\t\t*) break ;;\n"
	     "\t\tesac\n"
	     "\tdone");
	// Bash splits "--color=auto" at the sign.
	puts("\tif [[ $cur == = ]]; then\n"
	     "\t\tcur=\n"
	     "\telif [[ $prev == = && $COMP_CWORD -gt 2 ]]; then\n"
	     "\t\tprev=${COMP_WORDS[COMP_CWORD - 2]}\n"
	     "\telif [[ $prev == --* ]]; then\n"
	     "\t\tprev=\n"
	     "\tfi\n"
	     "\tcase $prev in");
	for (size_t i = 0; i < CLI_OPTION_COUNT; i++)
		print_bash_values(&rows[i]);
	puts("\t--style) COMPREPLY=($(compgen -W '" STYLES "' -- \"$cur\")) ;;\n"
	     "\t*)\n"
	     "\t\tcase $command in");
	for (size_t c = 0; c < COMMAND_COUNT; c++) {
		printf("\t\t%s) options='", commands[c].name);
		for (size_t i = 0, any = 0; i < TEXT_COUNT; i++) {
			const struct row *row = texts[i].row;
			if (texts[i].commands & 1u << c)
				printf("%s--%s%s", any++ ? " " : "", row->name,
				       row->has_argument == required_argument ? "=" : "");
		}
		puts(strcmp(commands[c].name, "addr") == 0 ? " --style=' ;;" : "' ;;");
	}
	puts("\t\tesac\n"
	     "\t\tif [[ $cur == -* ]]; then\n"
	     "\t\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
	     "\t\t\t[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace");
	fputs("\t\telif [[ $command == help ]]; then\n"
	      "\t\t\tCOMPREPLY=($(compgen -W '",
	      stdout);
	print_command_names(" ");
	puts("' -- \"$cur\"))\n"
	     "\t\telif [[ $command == btf && $prev == btf ]]; then\n"
	     "\t\t\tCOMPREPLY=($(compgen -W '" ACTIONS "' -- \"$cur\"))\n"
	     "\t\telse\n"
	     "\t\t\tcompopt -o filenames\n"
	     "\t\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))");
	fputs("\t\t\t[[ $COMP_CWORD -gt 1 ]] || COMPREPLY+=($(compgen -W '", stdout);
	print_command_names(" ");
	puts(" help' -- \"$cur\"))\n"
	     "\t\tfi ;;\n"
	     "\tesac\n"
	     "}\n"
	     "complete -F _inlinecall inlinecall");
}

// Prints what follows the help of an option in a specification of _arguments.
static void print_zsh_argument(const struct row *row)
{
	if (row->has_argument == no_argument)
		return;
	printf("%s%s:", row->has_argument == optional_argument ? "::" : ":", row->argument);
	if (is_files(row))
		fputs("_files", stdout);
	else if (is_dirs(row))
		fputs("_files -/", stdout);
	else if (row->values)
		printf("(%s)", row->values);
}

static void print_zsh_option(const struct row *row, const char *text)
{
	static const char *const after_name[] = { "", "=", "=-" }, *const after_letter[] = { "",
											     "+",
											     "-" };
	bool is_repeated = strstr(text, "several times") != NULL;

	fputs("\t\t\t", stdout);
	if (row->letter)
		printf("'(-%c --%s)'{-%c%s,--%s%s}", row->letter, row->name, row->letter,
		       after_letter[row->has_argument], row->name, after_name[row->has_argument]);
	else
		printf("'%s--%s%s'", is_repeated ? "*" : "", row->name,
		       after_name[row->has_argument]);
	fputs("'[", stdout);
	print_quoted(text, "[]:\\");
	putchar(']');
	print_zsh_argument(row);
	puts("' \\");
}

static void print_zsh(void)
{
	puts("#compdef inlinecall\n"
	     "_inlinecall_operand() {\n"
	     "\tlocal -a commands=(");
	for (size_t c = 0; c < COMMAND_COUNT; c++) {
		printf("\t\t'%s:", commands[c].name);
		print_quoted(commands[c].what, ":\\");
		puts("'");
	}
	puts("\t\t'help:the options of a command'\n"
	     "\t)\n"
	     "\tif [[ ${words[2]} == help && $CURRENT -gt 2 ]]; then\n"
	     "\t\t(( CURRENT > 3 )) || _describe command commands\n"
	     "\t\treturn\n"
	     "\tfi\n"
	     "\tif [[ ${words[2]} == btf && $CURRENT -eq 3 ]]; then\n"
	     "\t\tcompadd " ACTIONS "\n"
	     "\t\treturn\n"
	     "\tfi\n"
	     "\t(( CURRENT > 2 )) || _describe command commands\n"
	     "\t_files\n"
	     "}\n"
	     "_inlinecall() {\n"
	     "\tlocal command=sites word\n"
	     "\tfor word in ${words[2,CURRENT-1]}; do\n"
	     "\t\tcase $word in");
	fputs("\t\t(", stdout);
	print_command_names("|");
	puts(") command=$word; break ;;\n"
	     "\t\t(-*) ;;\n"
	     "\t\t(*) break ;;\n"
	     "\t\tesac\n"
	     "\tdone\n"
	     "\tcase $command in");
	for (size_t c = 0; c < COMMAND_COUNT; c++) {
		printf("\t(%s)\n\t\t_arguments -s -S \\\n", commands[c].name);
		for (size_t i = 0; i < TEXT_COUNT; i++)
			if (texts[i].commands & 1u << c)
				print_zsh_option(texts[i].row, texts[i].text);
		if (strcmp(commands[c].name, "addr") == 0)
			puts("\t\t\t'--style=[as another symbolizer]:style:(" STYLES ")' \\");
		puts("\t\t\t'*: :_inlinecall_operand' ;;");
	}
	puts("\tesac\n"
	     "}\n"
	     "_inlinecall \"$@\"");
}

static void print_fish_option(const struct row *row, const char *text, unsigned command)
{
	printf("complete -c inlinecall -n 'test (__inlinecall_command) = %s' -l %s",
	       commands[command].name, row->name);
	if (row->letter)
		printf(" -s %c", row->letter);
	if (row->has_argument == required_argument)
		fputs(row->values && *row->values == '@' ? " -r" : " -x", stdout);
	if (is_dirs(row))
		fputs(" -a '(__fish_complete_directories)'", stdout);
	else if (row->values && !is_files(row))
		printf(" -a '%s'", row->values);
	fputs(" -d '", stdout);
	print_quoted(text, "\\");
	puts("'");
}

static void print_fish(void)
{
	puts("# fish completion for inlinecall\n"
	     "function __inlinecall_command\n"
	     "    for word in (commandline -opc)[2..-1]\n"
	     "        switch $word");
	fputs("            case ", stdout);
	print_command_names(" ");
	puts("\n"
	     "                echo $word\n"
	     "                return\n"
	     "            case '-*'\n"
	     "            case '*'\n"
	     "                break\n"
	     "        end\n"
	     "    end\n"
	     "    echo sites\n"
	     "end");
	for (size_t c = 0; c < COMMAND_COUNT; c++) {
		printf("complete -c inlinecall -n 'test (count (commandline -opc)) -eq 1' -a %s -d "
		       "'",
		       commands[c].name);
		print_quoted(commands[c].what, "\\");
		puts("'");
	}
	puts("complete -c inlinecall -n 'test (count (commandline -opc)) -eq 1' -a help"
	     " -d 'the options of a command'");
	fputs("complete -c inlinecall -f -n 'set -l words (commandline -opc); "
	      "test \"$words[2]\" = help' -a '",
	      stdout);
	print_command_names(" ");
	puts("'");
	puts("complete -c inlinecall -f -n 'set -l words (commandline -opc); "
	     "test \"$words[2]\" = btf -a (count $words) -eq 2' -a '" ACTIONS "'\n"
	     "complete -c inlinecall -n 'test (__inlinecall_command) = addr' -l style -x -a "
	     "'" STYLES "' -d 'as another symbolizer'");
	for (unsigned c = 0; c < COMMAND_COUNT; c++)
		for (size_t i = 0; i < TEXT_COUNT; i++)
			if (texts[i].commands & 1u << c)
				print_fish_option(texts[i].row, texts[i].text, c);
}

int main(int argc, char **argv)
{
	const char *shell = argc == 2 ? argv[1] : "";

	if (strcmp(shell, "bash") == 0)
		print_bash();
	else if (strcmp(shell, "zsh") == 0)
		print_zsh();
	else if (strcmp(shell, "fish") == 0)
		print_fish();
	else
		return 64;
	return fflush(stdout) != 0;
}
