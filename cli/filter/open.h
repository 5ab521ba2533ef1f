// Opens the files that a text names, by their paths or, failing that, by their build IDs.
#ifndef CLI_FILTER_OPEN_H
#define CLI_FILTER_OPEN_H

#include <inlinecall/extra/mentions.h>

#include "filter/files.h"

// Opens the file that the mention names, unless a given one will do, and makes it the named file of
// `files`; if there is none, that becomes NULL. Text is not trusted: only regular files are opened,
// only for reading, and a limited number of them; no servers are asked except those that an option
// names.
void cli_filter_open_named(struct cli_filter_files *files, const struct ic_mention *mention);

// Takes the path of a program that later lines name without it: "Executable: /usr/bin/prog", as
// printed by coredumpctl.
void cli_filter_open_learn(struct cli_filter_files *files, struct ic_span line);

// Prints errors about files that the text names and that could not be opened; returns whether there
// are any.
bool cli_filter_open_complain(const struct cli_filter_files *files, bool is_anything_found);

void cli_filter_open_deinit(struct cli_filter_files *files);

#endif
