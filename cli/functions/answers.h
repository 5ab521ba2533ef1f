// Shared by the commands FUNCTION FILE..., which look up functions in every file. A FILE may be an
// archive or a list of names; the output is text, JSON lines or CSV.
#ifndef CLI_FUNCTIONS_ANSWERS_H
#define CLI_FUNCTIONS_ANSWERS_H

#include <inlinecall/extra.h>

#include "base/cli.h"
#include "base/entry_parameters.h"
#include "base/files.h"
#include "base/inline_tables.h"
#include "base/report.h"
#include "functions/doubts.h"
#include "functions/explain.h"

enum { CLI_ANSWERS_MOST_NAMES = 64 };

struct cli_open_file { // what is read of a file; NULL as far as it is not
	struct ic_image *image;
	struct cli_btf_table table;
	struct ic_index *index;
	struct ic_entries *entries; // of the copies found in it
	struct cli_entry_parameters reader;
};

struct cli_answers_run {                    // state while a command runs
	struct cli_open_file file;          // the one being queried
	bool several_files, headings;       // print the file's name above its results
	struct cli_explanation explanation; // of what the file does not contain
	uint32_t most_functions;            // as in struct ic_entries_options
	struct cli_doubts doubts;           // about the copies of all files
	bool found, incomplete;
	bool refused; // the query is invalid: read no more files
	unsigned long file_count;
};

struct cli_answers {
	// Prints the results for one file. Returns false on failure.
	bool (*answer)(struct cli_answers *, const struct ic_index *, struct ic_error *);
	// Sets *any if one file has a result for the functions of the query. Returns false on
	// failure. NULL if answer() records which names it found.
	bool (*look)(struct cli_answers *, const struct ic_index *, bool *any, struct ic_error *);
	cli_explain_function *explain; // with this struct as its context
	const char *nothing; // such as "no call site", for the message about several files
	// Unless NULL: called before a file is indexed, to set the functions of the query and of
	// the index. Prints an error and returns false if part of what this needs could not be
	// read.
	bool (*prepare)(struct cli_answers *, struct ic_image *);
	// Unless NULL: called after the last file, to print what concerns all of them.
	void (*finish)(struct cli_answers *);
	bool is_function_optional; // there is no operand FUNCTION; --function is optional
	bool takes_tables;         // tables of inlined calls may be used in place of DWARF
	bool takes_symbols;        // a name may be that of a symbol: see `wanted`

	struct ic_sites_query query; // its functions: `names`, in `hosts`; both NULL-terminated
	const char *names[CLI_ANSWERS_MOST_NAMES + 1], *hosts[CLI_ANSWERS_MOST_NAMES + 1];
	bool found_names[CLI_ANSWERS_MOST_NAMES];
	// The names for which units are read: those above, and the source names of symbols among
	// them.
	const char *wanted[2 * CLI_ANSWERS_MOST_NAMES + 1];
	char *demangled[CLI_ANSWERS_MOST_NAMES];
	size_t name_count, host_count;
	struct cli_report report;
	enum ic_rows_kind kind; // of the rows printed
	struct ic_index_options index;
	struct cli_files files;
	bool all, strict;
	struct cli_inline_files tables;

	struct cli_answers_run now;
};

// Initialises all but the first nine fields. The struct must not move until cli_answers_run().
void cli_answers_init(struct cli_answers *answers);

// Takes an option that these commands share.
enum cli_status cli_answers_take(struct cli_answers *answers, enum cli_option option,
				 const char *argument);

// Takes the operands, and prints the results for each file.
enum cli_status cli_answers_run(struct cli_answers *answers, int count, char **operands);

// For cli_answers::look: sets *any if a copy has code.
bool cli_answers_look_for_code(struct cli_answers *answers, const struct ic_index *index, bool *any,
			       struct ic_error *err);

// For cli_answers::answer: takes the file over, so that it stays open until cli_open_file_close().
void cli_answers_keep(struct cli_answers *answers, struct cli_open_file *file);

// Closes a file. Returns whether a problem with its parameters was printed.
bool cli_open_file_close(struct cli_open_file *file);

// For cli_answers::answer: finds the entries of the copies, for the rows, if the index has what
// this needs, and records doubts. Returns false if memory runs out. The entries are freed after the
// file.
bool cli_answers_find_entries(struct cli_answers *answers, const struct ic_index *index,
			      const struct ic_sites *sites, struct ic_error *err);

// Why there is no member that was asked for, to be followed by its name: "no argument has a
// member".
const char *cli_answers_no_member(const struct cli_answers *answers);

// For cli_answers::answer: prints the rows of one file, like cli_report_print(), below its name if
// headings are wanted. `any` tells whether any row is printed: text leaves some out.
void cli_answers_print(struct cli_answers *answers, bool any, struct ic_rows *rows,
		       const struct ic_error *err);

#endif
