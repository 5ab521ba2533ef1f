// What was left out, and why. Nothing bad is silent and nothing bad spreads: a fault in a file
// costs what it is about and becomes a problem, which the reader of the answer is told.
#ifndef BASE_PROBLEMS_H
#define BASE_PROBLEMS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"

struct ic_problem {
	const char *section; // static; NULL where none is to blame
	uint64_t offset;     // in that section
	const char *message; // a sentence
	const char *file;    // path; NULL for the file that was asked for
};

struct ic_problems {
	IC_ARRAY(struct ic_problem) list;
	// How many ic_problems_add() has kept since the start, or since ic_problems_finish(); of
	// those beyond the first few only the number is known.
	uint32_t added, unlisted;
	uint32_t counted; // the number that `more` has
	const char *more;
	bool out_of_memory;     // some could not be kept: what they are about must not be believed
	struct ic_arena *arena; // of the messages
	const char *file; // that what is added next is in; NULL for the file that was asked for
};

// Adds a problem; where the error names no place itself, it is at `section` and `offset`, or of the
// whole file where the section is NULL. Only the first few are kept: a file can be wrong a million
// times in the same way.
void ic_problems_add(struct ic_problems *problems, const struct ic_error *err, const char *section,
		     uint64_t offset) IC_COLD;

// Where some were not kept, adds a last one that says how many. What is added behind it is of
// something else, and the first few of that are kept again.
void ic_problems_finish(struct ic_problems *problems, const char *section, uint64_t offset);

// How many have not been kept, as a sentence; NULL if all were. It is the arena's, and not changed
// later.
const char *ic_problems_more(struct ic_problems *problems);

// Adds problems that are kept elsewhere, whatever their number.
void ic_problems_copy(struct ic_problems *problems, const struct ic_problem *items, uint32_t count);

// The same of all of `some`, whose messages may be freed before the others are: they are copied.
void ic_problems_copy_texts(struct ic_problems *problems, const struct ic_problems *some);

// Moves all of `some` behind those of `all`, whatever their number.
void ic_problems_append(struct ic_problems *all, struct ic_problems *some);

#endif
