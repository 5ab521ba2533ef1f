// Prints its own stack: a child copies it, because a process cannot stop itself.
#include <inttypes.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inlinecall/inlinecall.h>

static int print(int pid)
{
	const struct ic_modules_options options = { .image.allow_no_debug = true };
	struct ic_error err;
	struct ic_modules *modules = ic_modules_new(&options, &err);
	struct ic_target *target = modules ? ic_target_copy_process(modules, pid, NULL, &err)
					   : NULL;
	struct ic_backtraces *stacks = target ? ic_backtraces_make(target, NULL, &err) : NULL;
	struct ic_backtrace_thread thread;

	if (!stacks)
		fprintf(stderr, "%s\n", err.message);
	for (size_t i = 0; stacks && ic_backtraces_get(stacks, i, &thread); i++) {
		for (size_t j = 0; j < thread.frame_count; j++) {
			const struct ic_backtrace_frame *frame = &thread.frames[j];
			const char *name = frame->frame.function ? frame->frame.function
								 : frame->symbol;

			printf("0x%" PRIx64 " %s%s\n", frame->address, name ? name : "??",
			       frame->frame.inlined ? " (inlined)" : "");
		}
		printf("%s\n", thread.end_text);
	}
	ic_backtraces_free(stacks);
	ic_target_free(target);
	ic_modules_free(modules);
	return !stacks;
}

int main(void)
{
	int status = 1, parent = getpid(), ready[2];
	char none;

	if (pipe(ready) != 0)
		return 3;
	pid_t child = fork();
	if (child == 0) {
		close(ready[1]);
		// read() returns 0 at end of file.
		return read(ready[0], &none, 1) == 0 ? print(parent) : 3;
	}
	prctl(PR_SET_PTRACER, child, 0, 0, 0); // in case only descendants may be traced
	close(ready[1]);
	return waitpid(child, &status, 0) != child || status != 0;
}
