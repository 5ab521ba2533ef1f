// What is not certain of where a copy is entered, by the flow of control around it.
#ifndef CODE_ENTRIES_DOUBTS_H
#define CODE_ENTRIES_DOUBTS_H

#include <inlinecall/extra/entries.h>

#include "code/entries/ways_in.h"

struct ic_entry_doubts { // of one copy; zero-initialised is empty
	IC_ARRAY(struct ic_entry_doubt) list;
	bool gave_up; // too much code had to be looked at
};

// Adds the doubts of rows to those of the copy, or the instance out of line, that was chosen in a
// host. False if memory runs out.
bool ic_entry_repeats_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			   struct ic_entry_doubts *doubts) IC_CHECKED;

// Adds a doubt if control goes back to the first statement of the instance out of line that was
// chosen as a host, whose flow was read: a loop, or a call of itself that was made one.
bool ic_entry_recursion_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			     struct ic_entry_doubts *doubts) IC_CHECKED;

// Adds all doubts of the copy that was chosen in a host whose flow was read. False if memory is
// out.
bool ic_entry_doubts_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			  struct ic_entry_doubts *doubts) IC_CHECKED;

#endif
