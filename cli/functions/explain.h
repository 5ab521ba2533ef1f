// Explains why there are no results.
#ifndef CLI_FUNCTIONS_EXPLAIN_H
#define CLI_FUNCTIONS_EXPLAIN_H

#include <inlinecall/extra.h>

enum { CLI_MOST_NAMES = 5, CLI_EXPLAIN_SIZE = 4200, CLI_MOST_SUBJECTS = 128 };

struct cli_subject { // a requested name
	const char *name;
	bool is_host;
	bool is_found;                      // no explanation is needed
	struct ic_function_summary summary; // its decl_file is an owned copy
	char *names[CLI_MOST_NAMES];        // the most similar ones
	size_t name_count;
	char *symbol; // the address of its symbol, if its code is not described; otherwise NULL
	char *alias;  // the function that the debug information has there instead; or NULL
};

// Explains on standard error why there are no results for a name that functions match; `subject` is
// NULL if all functions were requested.
typedef void cli_explain_function(void *context, const struct cli_subject *subject,
				  const char *path);

struct cli_explanation { // what is known, over all images, about names without results
	enum ic_match match;
	bool is_of_table; // of inlined calls, which may lack inlined functions
	cli_explain_function *known;
	void *context; // argument of `known`
	struct cli_subject subjects[CLI_MOST_SUBJECTS];
	size_t subject_count;
	bool failed; // after an error message
};

void cli_explain_begin(struct cli_explanation *explanation, enum ic_match match,
		       cli_explain_function *known, void *context);

// Adds the name of a requested function, or of a host; at most CLI_MOST_SUBJECTS.
void cli_explain_name(struct cli_explanation *explanation, const char *name, bool is_host);

// Adds what the index of one image knows about copies of the names without results.
void cli_explain_copies(struct cli_explanation *explanation, const struct ic_index *index);

// Adds what one image knows besides copies. The options are those used to build its index; whatever
// functions they name, all units are read.
void cli_explain_add(struct cli_explanation *explanation, struct ic_image *image,
		     const struct ic_index_options *index_options);

// Explains on standard error why there are no results for a file or for a whole archive: there is
// no such function, with the most similar names; or what `known` prints. If something could not be
// read or memory ran out, prints an error instead and returns false.
bool cli_explain_end(struct cli_explanation *explanation, const char *path);

// Frees the collected data. Must always be called.
void cli_explain_free(struct cli_explanation *explanation);

// Writes how often a function was inlined and where it is declared, as far as known, in a form that
// follows a verb: " 3 times (declared at a.c:7)".
void cli_explain_about(const struct ic_function_summary *summary, char about[CLI_EXPLAIN_SIZE]);

#endif
