// Files that become shorter while they are mapped.
#ifndef CLI_BASE_CUT_SHORT_H
#define CLI_BASE_CUT_SHORT_H

// If a file becomes shorter while it is being read, exits with a message and `status`, instead of
// dying of SIGBUS.
void cli_cut_short_watch(int status);

#endif
