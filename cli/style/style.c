#include "style/style.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Finds the name of the tool in "tool", "prefix-tool" or "tool-14"; NULL if it is not there.
static const char *find_tool(const char *name, const char *tool)
{
	const char *at = strstr(name, tool);

	if (!at || (at > name && at[-1] != '-'))
		return NULL;
	char behind = at[strlen(tool)];
	return behind == 0 || behind == '-' || behind == '.' ? at : NULL;
}

// Whether the name of one of LLVM's tools ends in version 14 or an older one.
static bool is_llvm_14(const char *name)
{
	const char *dash = strrchr(name, '-');
	char *end;
	unsigned long version = dash ? strtoul(dash + 1, &end, 10) : 0;

	return version > 0 && version <= 14 && (*end == 0 || *end == '.');
}

enum cli_style cli_style_of_program(const char *path)
{
	const char *name = cli_base_name(path);

	if (find_tool(name, "llvm-symbolizer"))
		return is_llvm_14(name) ? CLI_STYLE_LLVM_14 : CLI_STYLE_LLVM;
	if (find_tool(name, "llvm-addr2line"))
		return is_llvm_14(name) ? CLI_STYLE_LLVM_ADDR2LINE_14 : CLI_STYLE_LLVM_ADDR2LINE;
	// elfutils' eu-addr2line has other options.
	return find_tool(name, "addr2line") && strncmp(name, "eu-", 3) != 0 ? CLI_STYLE_GNU
									    : CLI_STYLE_NONE;
}

enum cli_style cli_style_of_name(const char *name)
{
	if (strcmp(name, "gnu") == 0)
		return CLI_STYLE_GNU;
	if (strcmp(name, "llvm-14") == 0)
		return CLI_STYLE_LLVM_14;
	return strcmp(name, "llvm") == 0 ? CLI_STYLE_LLVM : CLI_STYLE_NONE;
}

enum cli_status cli_style_run(enum cli_style style, int argc, char **argv)
{
	struct cli_arguments arguments;
	enum cli_status status = CLI_STYLE_FAILED;

	if (!cli_arguments_begin(&arguments, argc, argv))
		return status;
	if (style == CLI_STYLE_GNU)
		status = cli_style_gnu(&arguments);
	else
		status = cli_style_llvm(&arguments, style);
	if (fflush(stdout) != 0)
		cli_write_failed(errno, strerror(errno));
	cli_arguments_end(&arguments);
	return status;
}
