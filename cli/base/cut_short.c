#include "base/cut_short.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/output_file.h"

static int exit_status;

// Calls only functions that are safe in signal handlers (signal-safety(7)). Buffered output is
// lost, so the output may end in the middle of a line.
static void end_by_signal(int number, siginfo_t *info, void *context)
{
	static const char message[] = "inlinecall: a file was truncated while it was being read; "
				      "the output may be incomplete\n";
	(void)context;

	if (info->si_code != BUS_ADRERR) { // not caused by a file that became shorter
		signal(number, SIG_DFL);
		return; // to the instruction that caused it
	}
	ssize_t written = write(STDERR_FILENO, message, strlen(message));
	(void)written; // nothing else can be done
	cli_output_files_abandon();
	_exit(exit_status);
}

void cli_cut_short_watch(int status)
{
	struct sigaction action = { .sa_sigaction = end_by_signal, .sa_flags = SA_SIGINFO };

	exit_status = status;
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}
