// Members that the conditions and the histogram of a trace are of.
#ifndef CLI_TRACE_MEMBERS_H
#define CLI_TRACE_MEMBERS_H

#include <stdbool.h>

// Adds the members that a text names outside of quotes, "a.b" of "p->a.b", to those that are asked
// for, which may be NULL, as the text may. *kept is the list that was made so far, to be freed.
// False after a complaint if memory is out.
bool cli_trace_members_add(char **kept, const char **members, const char *text);

#endif
