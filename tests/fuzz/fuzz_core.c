// Fuzzes core files, and unwinds the stacks of their threads.
// Wanted: an error that says why, or a target whose stacks end; no file outside is opened.
#include <stdio.h>

#include <inlinecall/backtrace.h>
#include <inlinecall/extra/rows.h>
#include <inlinecall/extra/target.h>

#include "fuzz_input.h"
#include "open_guard.h"

enum { MOST_FRAMES = 100 };

static void check_thread(const struct ic_backtrace_thread *thread)
{
	uint32_t next = 0;

	PROMISE(thread->frame_count > 0 && thread->end_text[0]);
	for (size_t i = 0; i < thread->frame_count; i++) {
		const struct ic_backtrace_frame *frame = &thread->frames[i];

		PROMISE(frame->number == next || (i > 0 && frame->number + 1 == next));
		next = frame->number + 1;
		PROMISE(frame->lookup == frame->address - !frame->is_exact);
		if (frame->module)
			fuzz_read_text(frame->module, NULL);
		if (frame->symbol)
			fuzz_read_text(frame->symbol, NULL);
	}
	PROMISE(next <= MOST_FRAMES);
}

// Threads are the same as themselves: those of the list twice are as many groups as those of one.
static void check_groups(const struct ic_backtraces *backtraces)
{
	const struct ic_backtraces *const list[] = { backtraces, backtraces };
	size_t counts[2] = { 0 };
	struct ic_row row;

	for (size_t i = 0; i < 2; i++) {
		struct ic_rows *rows = ic_rows_of_backtraces(list, i + 1, true, NULL, NULL);
		PROMISE(rows);
		for (; ic_rows_next(rows, &row, NULL); counts[i]++)
			PROMISE(row.thread->other_count + 1 >= i + 1);
		ic_rows_free(rows);
	}
	PROMISE(counts[0] == counts[1]);
}

static void check_target(struct ic_target *target)
{
	const struct ic_backtraces_options options = { .most_frames = MOST_FRAMES };
	struct ic_backtraces *backtraces = ic_backtraces_make(target, &options, NULL);
	struct ic_backtrace_thread thread;
	struct ic_target_thread own;
	struct ic_index_problem problem;
	size_t count = 0;

	PROMISE(backtraces);
	for (; ic_backtraces_get(backtraces, count, &thread); count++)
		check_thread(&thread);
	PROMISE(!ic_target_thread_get(target, count, &own));
	for (size_t i = 0; ic_target_problem_get(target, i, &problem); i++)
		PROMISE(fuzz_read_text(problem.message, NULL) > 0);
	ic_target_close_memory(target);
	check_groups(backtraces);
	ic_backtraces_free(backtraces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const nowhere[] = { "/nonexistent" };
	const struct ic_modules_options options = {
		.image = { .allow_no_debug = true, .debug_dirs = nowhere, .debug_dir_count = 1 },
		.symbolizer.jobs = 1
	};
	const struct ic_target_core_options core = { .sysroot = "/nonexistent" };
	struct ic_modules *modules = ic_modules_new(&options, NULL);
	const char *path = open_guard_put(data, size);
	struct ic_error err = { 0 };

	PROMISE(modules);
	struct ic_target *target = ic_target_open_core(modules, path, &core, &err);
	if (target)
		check_target(target);
	else
		PROMISE_REASON(err);
	ic_target_free(target);
	ic_modules_free(modules);
	return 0;
}
