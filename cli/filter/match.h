// Finds out which files a place mentioned by a text may be in.
#ifndef CLI_FILTER_MATCH_H
#define CLI_FILTER_MATCH_H

#include <inlinecall/extra/mentions.h>

#include "filter/files.h"

// Opens the modules that the mention may mean, unless they are open.
void cli_filter_need_modules(struct cli_filter_files *files, const struct ic_mention *mention);

// Whether the symbol mentioned may be in the file.
bool cli_filter_may_have_symbol(const struct cli_filter_files *files,
				const struct cli_filter_file *file,
				const struct ic_mention *mention);

// Whether the address mentioned may be in the file.
bool cli_filter_may_have_addr(const struct cli_filter_files *files,
			      const struct cli_filter_file *file, const struct ic_mention *mention);

// Whether a given file is the one that the mention names.
bool cli_filter_is_given(const struct cli_filter_files *files, const struct ic_mention *mention);

// Whether an open file has the build ID that the text gives for the module or object.
bool cli_filter_knows_id(const struct cli_filter_files *files, const struct ic_mention *mention);

// Whether a build ID in a text, which kernels pad, is the file's.
bool cli_filter_is_id(const char *text, const char *own);

// Whether the build ID that the text gives for the module, object or kernel is not the file's.
bool cli_filter_is_other_build(const struct cli_filter_files *files,
			       const struct cli_filter_file *file,
			       const struct ic_mention *mention);

#endif
