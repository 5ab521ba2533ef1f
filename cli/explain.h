// Why there was no answer.
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <inlinecall/inlinecall.h>

enum { CLI_MOST_NAMES = 5 };

struct cli_explanation { // what is known of a query that found nothing, in one image or in several
	const struct ic_sites_query *query;
	struct ic_function_summary summary; // its decl_file is a copy
	char *names[CLI_MOST_NAMES];        // the nearest ones
	size_t name_count;
	bool failed; // and said so
};

void cli_explain_begin(struct cli_explanation *explanation, const struct ic_sites_query *query);

// Adds what one image knows. The options are those that its index was built with.
void cli_explain_add(struct cli_explanation *explanation, struct ic_image *image,
		     const struct ic_index_options *index_options);

// Says on standard error why the query found nothing in a file or in all of an archive: no such
// function, with the nearest names; one that was never inlined; or one of which every copy was
// optimised away.
void cli_explain_end(struct cli_explanation *explanation, const char *path);

#endif
