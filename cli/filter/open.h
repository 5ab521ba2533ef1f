// The files that a text names: opened by their paths, or else by their build IDs.
#ifndef CLI_FILTER_OPEN_H
#define CLI_FILTER_OPEN_H

#include <inlinecall/extra/mentions.h>

#include "filter/files.h"

// Opens the file that the mention names, unless one that was given will do, and makes it the named
// file of `files`, or else none. A text is not trusted: only regular files are opened, for reading,
// a limited number of them, and no servers are asked that no option names.
void cli_filter_open_named(struct cli_filter_files *files, const struct ic_mention *mention);

// Learns the path of a program that later lines name without it: "Executable: /usr/bin/prog", as
// coredumpctl prints it.
void cli_filter_open_learn(struct cli_filter_files *files, struct ic_span line);

// Complains about what the text names and could not be opened; whether there is any.
bool cli_filter_open_complain(const struct cli_filter_files *files, bool is_anything_found);

void cli_filter_open_deinit(struct cli_filter_files *files);

#endif
