// A command that is started once it can be traced.
#ifndef CLI_RUNS_TRACED_COMMAND_H
#define CLI_RUNS_TRACED_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

struct cli_traced_command {
	const char *name;
	pid_t pid;   // 0 for none
	int go;      // closing it lets the command begin; -1 after that
	int failure; // of the descriptor that it reports a failure on
	bool has_ended;
	bool is_gone; // and waited for
};

// Makes a process that waits, and will be the command: its arguments end with NULL. If it is held,
// its memory stays mapped when it has ended, by ptrace(2), until cli_traced_command_end(). False
// after a complaint.
bool cli_traced_command_prepare(struct cli_traced_command *command, char **arguments, bool is_held);

// Lets it begin. False after a complaint, if there is no such program.
bool cli_traced_command_begin(struct cli_traced_command *command);

bool cli_traced_command_has_ended(struct cli_traced_command *command);

// Terminates it, if it has not ended, and waits until it has. May be called twice.
void cli_traced_command_end(struct cli_traced_command *command);

#endif
