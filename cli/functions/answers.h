// What the commands FUNCTION FILE... share, which ask every file about functions. A FILE may be an
// archive or a list of names; the answer is text, JSON lines or CSV.
#ifndef CLI_FUNCTIONS_ANSWERS_H
#define CLI_FUNCTIONS_ANSWERS_H

#include <inlinecall/extra.h>

#include "base/cli.h"
#include "base/files.h"
#include "base/inline_tables.h"
#include "base/report.h"
#include "functions/doubts.h"
#include "functions/explain.h"

enum { CLI_ANSWERS_MOST_NAMES = 64 };

struct cli_answers_run {                    // while a command runs
	struct ic_image *image;             // that is answered for
	bool several_files, headings;       // the file's name above the answer
	struct cli_explanation explanation; // of what the file does not have
	struct ic_entries *entries;         // of its sites
	uint32_t most_functions;            // as in struct ic_entries_options
	struct cli_doubts doubts;           // of the copies of all files
	bool found, incomplete;
	bool refused; // the query is wrong: no more files are read
	unsigned long file_count;
};

struct cli_answers {
	// Answers for one file. False if that failed.
	bool (*answer)(struct cli_answers *, const struct ic_index *, struct ic_error *);
	// Sets *any if one file has an answer for the functions of the query. False if that failed.
	// NULL if answer() notes which names it found.
	bool (*look)(struct cli_answers *, const struct ic_index *, bool *any, struct ic_error *);
	cli_explain_function *explain; // with this struct as its context
	const char *nothing;           // "no call site", for the message about several files
	// After the last file, if it is not NULL: prints what is of all of them.
	void (*finish)(struct cli_answers *);
	bool is_function_optional; // there is no operand FUNCTION: --function may name some
	bool takes_tables;         // of inlined calls, in place of DWARF
	bool takes_symbols;        // a name may be that of a symbol: see `wanted`

	struct ic_sites_query query; // which functions: `names`, in `hosts`; both end with NULL
	const char *names[CLI_ANSWERS_MOST_NAMES + 1], *hosts[CLI_ANSWERS_MOST_NAMES + 1];
	bool found_names[CLI_ANSWERS_MOST_NAMES];
	// What units are read for: the names, and what the source calls symbols among them.
	const char *wanted[2 * CLI_ANSWERS_MOST_NAMES + 1];
	char *demangled[CLI_ANSWERS_MOST_NAMES];
	size_t name_count, host_count;
	struct cli_report report;
	enum ic_rows_kind kind; // of what is printed
	struct ic_index_options index;
	struct cli_files files;
	bool all, strict;
	struct cli_inline_files tables;

	struct cli_answers_run now;
};

// Initializes all but the first eight fields. The struct must not move until cli_answers_run().
void cli_answers_init(struct cli_answers *answers);

// Takes an option that these commands share.
enum cli_status cli_answers_take(struct cli_answers *answers, enum cli_option option,
				 const char *argument);

// Takes the operands, and answers for each file.
enum cli_status cli_answers_run(struct cli_answers *answers, int count, char **operands);

// For cli_answers::answer: finds where the copies of its sites are entered, for the rows, if the
// index has what this needs; notes what is in doubt. False if memory runs out. The entries are
// freed after the answer.
bool cli_answers_find_entries(struct cli_answers *answers, const struct ic_index *index,
			      const struct ic_sites *sites, struct ic_error *err);

// For cli_answers::answer: prints the rows of one file as cli_report_print() does, below its name
// if there are headings. `any` is whether a row is printed: text leaves some out.
void cli_answers_print(struct cli_answers *answers, bool any, struct ic_rows *rows,
		       const struct ic_error *err);

#endif
