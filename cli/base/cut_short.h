// Files that become shorter while they are mapped.
#ifndef CLI_BASE_CUT_SHORT_H
#define CLI_BASE_CUT_SHORT_H

// Ends the program with a message and `status`, rather than by the signal SIGBUS, if a file becomes
// shorter in place while it is read.
void cli_cut_short_watch(int status);

#endif
