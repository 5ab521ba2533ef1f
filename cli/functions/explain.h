// Explains why there was no answer.
#ifndef CLI_FUNCTIONS_EXPLAIN_H
#define CLI_FUNCTIONS_EXPLAIN_H

#include <inlinecall/extra.h>

enum { CLI_MOST_NAMES = 5, CLI_EXPLAIN_SIZE = 4200, CLI_MOST_SUBJECTS = 128 };

struct cli_subject { // a name that was asked for
	const char *name;
	bool is_host;
	bool is_found;                      // nothing is to be explained
	struct ic_function_summary summary; // its decl_file is a copy
	char *names[CLI_MOST_NAMES];        // the nearest ones
	size_t name_count;
	char *symbol; // where its symbol is, if its code is not described; else NULL
	char *alias;  // the function that the debug information has there instead; or NULL
};

// Explains on standard error why there is no answer for a name that functions match; `subject` is
// NULL if all functions were asked for.
typedef void cli_explain_function(void *context, const struct cli_subject *subject,
				  const char *path);

struct cli_explanation { // what is known of names for which nothing was found, in all images
	enum ic_match match;
	bool is_of_table; // of inlined calls: not all functions that are inlined need be in it
	cli_explain_function *known;
	void *context; // for `known`
	struct cli_subject subjects[CLI_MOST_SUBJECTS];
	size_t subject_count;
	bool failed; // after a complaint
};

void cli_explain_begin(struct cli_explanation *explanation, enum ic_match match,
		       cli_explain_function *known, void *context);

// Adds a name of a function that is asked for, or of a host. There are at most CLI_MOST_SUBJECTS.
void cli_explain_name(struct cli_explanation *explanation, const char *name, bool is_host);

// Adds what the index of one image knows of copies of the names that are not found.
void cli_explain_copies(struct cli_explanation *explanation, const struct ic_index *index);

// Adds what one image knows beside copies. The options are those that its index was built with;
// whatever functions they name, all units are read.
void cli_explain_add(struct cli_explanation *explanation, struct ic_image *image,
		     const struct ic_index_options *index_options);

// Explains on standard error why there is no answer for a file or for all of an archive: no such
// function, with the nearest names; or what `known` prints. False, after a complaint and without
// an explanation, if something could not be read or if out of memory.
bool cli_explain_end(struct cli_explanation *explanation, const char *path);

// Frees what was collected. To be called in any case.
void cli_explain_free(struct cli_explanation *explanation);

// How often a function was inlined and where it is declared, as far as known, to follow a verb:
// " 3 times (declared at a.c:7)".
void cli_explain_about(const struct ic_function_summary *summary, char about[CLI_EXPLAIN_SIZE]);

#endif
