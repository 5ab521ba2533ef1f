// Which files a place that a text mentions may be in.
#ifndef CLI_FILTER_MATCH_H
#define CLI_FILTER_MATCH_H

#include <inlinecall/extra/mentions.h>

#include "filter/files.h"

// Opens the modules that the mention may refer to, as far as they are not open.
void cli_filter_need_modules(struct cli_filter_files *files, const struct ic_mention *mention);

// Whether the symbol that is mentioned may be the file's.
bool cli_filter_may_have_symbol(const struct cli_filter_files *files,
				const struct cli_filter_file *file,
				const struct ic_mention *mention);

// Whether the address that is mentioned may be in the file.
bool cli_filter_may_have_addr(const struct cli_filter_files *files,
			      const struct cli_filter_file *file, const struct ic_mention *mention);

// Whether a file that was given is the one that the mention names.
bool cli_filter_is_given(const struct cli_filter_files *files, const struct ic_mention *mention);

// Whether a file that is open has the build ID that the text has for the module or object.
bool cli_filter_knows_id(const struct cli_filter_files *files, const struct ic_mention *mention);

// Whether a build ID in a text, which kernels pad, is the file's own.
bool cli_filter_is_id(const char *text, const char *own);

// Whether the build ID that the text has for the module, object or kernel is not the file's.
bool cli_filter_is_other_build(const struct cli_filter_files *files,
			       const struct cli_filter_file *file,
			       const struct ic_mention *mention);

#endif
