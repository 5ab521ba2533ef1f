// Entries of inlined copies in GCC's code, from marks in the line table: a row at the position of
// the function's declarator, in each copy.
#ifndef CODE_ENTRIES_MARKS_H
#define CODE_ENTRIES_MARKS_H

#include "code/entries/ways_in.h"

// Whether there are marks for the function of the copy chosen in a host. GCC makes none with -g1
// and -flto.
bool ic_entry_marks_are_there(struct ic_host_code *code);

// Finds where the copy chosen in a host is entered, if there are marks for its function. False if
// memory runs out.
bool ic_entry_marks_find(struct ic_host_code *code, struct ic_ways_in *ways) IC_CHECKED;

#endif
