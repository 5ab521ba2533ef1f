// A command that starts only when it can be traced.
#ifndef CLI_RUNS_TRACED_COMMAND_H
#define CLI_RUNS_TRACED_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

struct cli_traced_command {
	const char *name;
	pid_t pid;    // 0 for none
	int go;       // writing to it starts the command; -1 after that
	int failure;  // reports the errno of a failed start
	bool is_held; // by ptrace(2), when it exits
	bool has_ended;
	bool is_gone; // and has been waited for
};

// Finds the command, which follows "--", and takes it from the arguments; NULL if there is none.
char **cli_traced_command_find(int *argc, char **argv);

// Creates a process that waits, and will become the command with these NULL-terminated arguments.
// If `must_hold`, it is kept by ptrace(2) when it exits, with its memory mapped, until
// cli_traced_command_end(); if that is not possible, prints a message and leaves `is_held` false.
// Prints an error and returns false on failure.
bool cli_traced_command_prepare(struct cli_traced_command *command, char **arguments,
				bool must_hold);

// Starts the command. Prints an error and returns false if there is no such program.
bool cli_traced_command_begin(struct cli_traced_command *command);

bool cli_traced_command_has_ended(struct cli_traced_command *command);

// Terminates the command if it has not ended, and waits for it. May be called twice.
void cli_traced_command_end(struct cli_traced_command *command);

// Lets us have as many open files as possible, as each probe may need one. A command that was
// prepared keeps its own limit.
void cli_traced_files_raise(void);

// Makes standard output a file, but not that of a command that was prepared; NULL for none. Prints
// an error and returns false on failure.
bool cli_traced_output_begin(const char *path);

#endif
