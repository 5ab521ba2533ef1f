// Why there was no answer.
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <inlinecall/inlinecall.h>

// Says on standard error why a query found nothing in a file: no such function, with the nearest
// names; one that was never inlined; or one of which every copy was optimised away.
// The options are those that the index was built with.
void cli_explain_nothing(struct ic_image *image, const struct ic_sites_query *query,
			 const struct ic_index_options *index_options, const char *path);

#endif
