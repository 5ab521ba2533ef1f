// Problems: what was left out, and why. A fault in a file affects only its own part and becomes a
// problem, which is reported with the answer.
#ifndef BASE_PROBLEMS_H
#define BASE_PROBLEMS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"

struct ic_index_problem; // inlinecall/index.h

struct ic_problem {
	const char *section; // static; NULL if none is to blame
	uint64_t offset;     // in that section
	const char *message; // a sentence
	const char *file;    // path; NULL for the file that the user named
	bool is_note;        // nothing was left out for it
};

struct ic_problems {
	IC_ARRAY(struct ic_problem) list;
	// How many ic_problems_add() has kept since the start, or since ic_problems_finish(); those
	// beyond the first few are only counted.
	uint32_t added, unlisted;
	uint32_t counted; // the count in `more`
	const char *more;
	bool out_of_memory;     // some could not be kept: what they concern must not be trusted
	struct ic_arena *arena; // of the messages
	const char *file;       // of problems added next; NULL for the one that the user named
};

// Adds a problem; if the error has no location, it is at `section` and `offset`, or concerns the
// whole file if the section is NULL. Only the first few are kept: a file can have the same error a
// million times.
void ic_problems_add(struct ic_problems *problems, const struct ic_error *err, const char *section,
		     uint64_t offset) IC_COLD;

// Adds information that is not a problem.
void ic_problems_note(struct ic_problems *problems, const char *message);

// Whether there are any besides notes, from this number in the list on.
bool ic_problems_are_there(const struct ic_problems *problems, uint32_t first);

// If some were not kept, adds a last one with their number. Problems added afterwards are about
// something else, and the first few of them are kept again.
void ic_problems_finish(struct ic_problems *problems, const char *section, uint64_t offset);

// The number of those not kept, as a sentence; NULL if all were. It belongs to the arena, and does
// not change later.
const char *ic_problems_more(struct ic_problems *problems);

// Gets problem number `number`; the last is the sentence about those not kept. False if there are
// fewer.
bool ic_problems_get(struct ic_problems *problems, uint64_t number,
		     struct ic_index_problem *problem);

// Adds all of `items`, whatever their number; the messages are borrowed.
void ic_problems_copy(struct ic_problems *problems, const struct ic_problem *items, uint32_t count);

// The same for all of `some`, with copies of the messages, which may be freed earlier.
void ic_problems_copy_texts(struct ic_problems *problems, const struct ic_problems *some);

// Moves all of `some` to the end of `all`, whatever their number.
void ic_problems_append(struct ic_problems *all, struct ic_problems *some);

#endif
