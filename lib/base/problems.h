// Problems: what was left out, and why. A fault in a file affects only its own part and becomes a
// problem, which is reported along with the results.
#ifndef BASE_PROBLEMS_H
#define BASE_PROBLEMS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"

struct ic_index_problem; // inlinecall/index.h

struct ic_problem {
	const char *section; // static; NULL if it is not about a section
	uint64_t offset;     // offset in that section
	const char *message; // a sentence
	const char *file;    // path; NULL for the file that the user named
	bool is_note;        // nothing was left out because of it
};

struct ic_problems {
	IC_ARRAY(struct ic_problem) list;
	// How many ic_problems_add() has added since the start, or since ic_problems_finish();
	// those after the first few are only counted.
	uint32_t added, unlisted;
	uint32_t counted; // the count in `more`
	const char *more;
	bool out_of_memory; // some could not be stored: the data they concern must not be trusted
	struct ic_arena *arena; // memory for messages
	const char *file;       // file of problems added next; NULL for the one that the user named
};

// Adds a problem. If the error has no location, it is at `section` and `offset`, or concerns the
// whole file if the section is NULL. Only the first few are kept, since a file can have the same
// error a million times.
void ic_problems_add(struct ic_problems *problems, const struct ic_error *err, const char *section,
		     uint64_t offset) IC_COLD;

// Adds information that is not a problem.
void ic_problems_note(struct ic_problems *problems, const char *message);

// Whether there are any besides notes, from index `first` of the list on.
bool ic_problems_are_there(const struct ic_problems *problems, uint32_t first);

// If some were not kept, adds a final one with their number. Problems added afterwards are about
// something else, and again the first few of them are kept.
void ic_problems_finish(struct ic_problems *problems, const char *section, uint64_t offset);

// A sentence with the number of those not kept; NULL if all were. It belongs to the arena, and does
// not change.
const char *ic_problems_more(struct ic_problems *problems);

// Gets problem number `number`; the last one is the sentence about those not kept. Returns false if
// there are fewer.
bool ic_problems_get(struct ic_problems *problems, size_t number, struct ic_index_problem *problem);

// Adds all of `items`, however many; the messages are borrowed.
void ic_problems_copy(struct ic_problems *problems, const struct ic_problem *items, uint32_t count);

// The same for all of `some`, copying the messages, which may be freed earlier.
void ic_problems_copy_texts(struct ic_problems *problems, const struct ic_problems *some);

// Moves all of `some`, however many, to the end of `all`.
void ic_problems_append(struct ic_problems *all, struct ic_problems *some);

#endif
