// Doubts about where a copy is entered, from the flow of control around it.
#ifndef CODE_ENTRIES_DOUBTS_H
#define CODE_ENTRIES_DOUBTS_H

#include <inlinecall/extra/entries.h>

#include "code/entries/ways_in.h"

struct ic_entry_doubts { // for one copy; zero-initialised is empty
	IC_ARRAY(struct ic_entry_doubt) list;
	bool gave_up; // the search exceeded its limit
};

// Adds the doubts from line table rows to those of the copy, or out-of-line instance, chosen in a
// host. False if memory runs out.
bool ic_entry_repeats_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			   struct ic_entry_doubts *doubts) IC_CHECKED;

// Adds a doubt if control returns to the first statement of the out-of-line instance chosen as a
// host, whose flow has been read: by a loop, or a recursive call turned into one.
bool ic_entry_recursion_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			     struct ic_entry_doubts *doubts) IC_CHECKED;

// Adds all doubts about the copy chosen in a host whose flow has been read. False if memory runs
// out.
bool ic_entry_doubts_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			  struct ic_entry_doubts *doubts) IC_CHECKED;

#endif
