#include "runs/traced_command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli.h"

char **cli_traced_command_find(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			*argc = i;
			return argv + i + 1;
		}
	}
	return NULL;
}

// Runs in the new process: waits for a byte from `go`, and becomes the command. If our process ends
// before that, nothing is started.
static void run_command(char **arguments, int go, int failure)
{
	char byte;

	if (read(go, &byte, 1) == 1) {
		execvp(arguments[0], arguments);
		int reason = errno;
		if (write(failure, &reason, sizeof(reason)) < 0)
			_exit(126);
	}
	_exit(127);
}

// Without ptrace, the memory map is gone when the last calls are printed.
static void hold_process(struct cli_traced_command *command)
{
	void *options = (void *)(intptr_t)PTRACE_O_TRACEEXIT;

	command->is_held = ptrace(PTRACE_SEIZE, command->pid, NULL, options) == 0;
	if (!command->is_held)
		cli_complain("cannot hold %s with ptrace, its last stacks may be missing: %s",
			     command->name, strerror(errno));
}

bool cli_traced_command_prepare(struct cli_traced_command *command, char **arguments,
				bool must_hold)
{
	int go[2] = { -1, -1 }, failure[2] = { -1, -1 };
	pid_t pid = -1;

	if (pipe2(go, O_CLOEXEC) == 0 && pipe2(failure, O_CLOEXEC) == 0)
		pid = fork();
	if (pid == 0) {
		close(go[1]);
		run_command(arguments, go[0], failure[1]);
	}
	if (pid < 0)
		cli_complain("cannot start %s: %s", arguments[0], strerror(errno));
	if (go[0] >= 0)
		close(go[0]);
	if (failure[1] >= 0)
		close(failure[1]);
	*command = (struct cli_traced_command){ .pid = pid, .go = go[1], .failure = failure[0] };
	command->name = arguments[0];
	if (pid < 0)
		command->pid = 0;
	else if (must_hold)
		hold_process(command);
	return pid > 0;
}

// Reads the errno of a failed start: 0 if the command started, since it does not inherit the other
// end of the pipe. A signal such as Ctrl-C may interrupt the read.
static int read_reason(const struct cli_traced_command *command)
{
	int reason = 0;
	ssize_t size;

	do
		size = read(command->failure, &reason, sizeof(reason));
	while (size < 0 && errno == EINTR);
	return size < 0 ? errno : reason;
}

bool cli_traced_command_begin(struct cli_traced_command *command)
{
	int reason = write(command->go, "", 1) == 1 ? 0 : errno; // one byte is not interrupted

	close(command->go);
	command->go = -1;
	if (reason == 0)
		reason = read_reason(command);
	if (reason == 0)
		return true;
	cli_complain("cannot execute %s: %s", command->name, strerror(reason));
	return false;
}

// Continues a process that has stopped because we trace it, with the signal it stopped for. Returns
// whether it has stopped because it is exiting.
static bool go_on(pid_t pid, int status)
{
	int event = status >> 16, signal = WSTOPSIG(status);

	if (event == PTRACE_EVENT_EXIT)
		return true;
	if (event == PTRACE_EVENT_STOP && signal != SIGTRAP)
		ptrace(PTRACE_LISTEN, pid, NULL, NULL); // it was stopped by job control
	else
		ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)(event ? 0 : signal));
	return false;
}

// Handles a result of waitpid().
static void take_status(struct cli_traced_command *command, pid_t got, int status)
{
	command->is_gone = got < 0 || !WIFSTOPPED(status);
	command->has_ended = command->is_gone || go_on(command->pid, status);
}

bool cli_traced_command_has_ended(struct cli_traced_command *command)
{
	int status = 0;
	pid_t got = 0;

	while (!command->has_ended && (got = waitpid(command->pid, &status, WNOHANG)) != 0)
		take_status(command, got, status);
	return command->has_ended;
}

void cli_traced_command_end(struct cli_traced_command *command)
{
	int status = 0;

	if (!command->pid)
		return;
	if (command->go >= 0)
		close(command->go);
	close(command->failure);
	if (!command->has_ended)
		kill(command->pid, SIGTERM);
	while (!command->is_gone) {
		if (command->has_ended) // it is stopped, and not yet gone
			ptrace(PTRACE_CONT, command->pid, NULL, NULL);
		pid_t got = waitpid(command->pid, &status, 0);
		if (got >= 0 || errno != EINTR)
			take_status(command, got, status);
	}
	command->pid = 0;
}

void cli_traced_files_raise(void)
{
	enum { MOST = 1 << 20 }; // the default of /proc/sys/fs/nr_open
	const struct rlimit most = { MOST, MOST };
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || setrlimit(RLIMIT_NOFILE, &most) == 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

bool cli_traced_output_begin(const char *path)
{
	if (!path)
		return true;
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool ok = file >= 0 && dup2(file, STDOUT_FILENO) >= 0;

	if (!ok)
		cli_complain("%s: cannot open: %s", path, strerror(errno));
	if (file >= 0)
		close(file);
	return ok;
}
