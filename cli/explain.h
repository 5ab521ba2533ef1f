// Why there was no answer.
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <inlinecall/inlinecall.h>

enum { CLI_MOST_NAMES = 5, CLI_EXPLAIN_SIZE = 4200 };

// Says on standard error why there is no answer, though there are functions that match; `summary`
// is NULL where none was named.
typedef void cli_explain_function(void *context, const struct ic_function_summary *summary,
				  const char *path);

struct cli_explanation { // what is known of a query that found nothing, in one image or in several
	const struct ic_sites_query *query;
	cli_explain_function *known;
	void *context;                      // of that
	struct ic_function_summary summary; // its decl_file is a copy
	char *names[CLI_MOST_NAMES];        // the nearest ones
	size_t name_count;
	bool failed; // and said so
};

void cli_explain_begin(struct cli_explanation *explanation, const struct ic_sites_query *query,
		       cli_explain_function *known, void *context);

// Adds what one image knows. The options are those that its index was built with.
void cli_explain_add(struct cli_explanation *explanation, struct ic_image *image,
		     const struct ic_index_options *index_options);

// Says on standard error why there is no answer for a file or for all of an archive: no such
// function, with the nearest names; or what `known` says.
void cli_explain_end(struct cli_explanation *explanation, const char *path);

// How often a function was inlined and where it is declared, as far as known, for behind a verb:
// " 3 times (declared at a.c:7)".
void cli_explain_about(const struct ic_function_summary *summary, char about[CLI_EXPLAIN_SIZE]);

#endif
