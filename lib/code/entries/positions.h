// Entries of inlined copies in LLVM's code, which has no marks for them: judged by what comes first
// in the source.
#ifndef CODE_ENTRIES_POSITIONS_H
#define CODE_ENTRIES_POSITIONS_H

#include "code/entries/ways_in.h"

// Finds where the copy chosen in a host is entered. The flow of the host must have been read. False
// if memory runs out.
bool ic_entry_positions_find(struct ic_host_code *code, struct ic_ways_in *ways) IC_CHECKED;

#endif
