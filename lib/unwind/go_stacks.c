#include "unwind/go_stacks.h"

#include <string.h>

bool ic_go_stack_has_called(struct ic_target *target, const struct ic_target_thread *thread)
{
	const struct ic_target_code *code =
		thread->goroutine ? ic_target_code_at(target, thread->registers.pc) : NULL;
	struct ic_symbolizer_symbol symbol;

	return code && code->is_placed &&
	       ic_symbolizer_symbol_at(code->symbolizer, thread->registers.pc - code->bias,
				       &symbol) &&
	       symbol.start != thread->registers.pc - code->bias;
}

// Functions of the runtime that switch to another stack, or begin one. Those that read the clock in
// the vDSO do it on the runtime's own stack.
static const char *const starts[] = {
	"runtime.asmcgocall",  "runtime.goexit",    "runtime.mcall",
	"runtime.morestack",   "runtime.mstart",    "runtime.rt0_go",
	"runtime.systemstack", "runtime.nanotime1", "runtime.walltime",
	"runtime.walltime1",   "time.now",
};

// Whether it is the code that continues a goroutine, and is on that goroutine's stack most of the
// time: nothing there has called it.
static bool is_switch(const struct ic_backtrace_frame *frame, const char *name)
{
	const char *file = frame->frame.file;

	return name && strcmp(name, "gogo") == 0 && file && strstr(file, "/runtime/asm_");
}

bool ic_go_stack_starts_at(const struct ic_backtrace_frame *frame, bool has_switched)
{
	const char *name = frame->frame.function ? frame->frame.function : frame->symbol;

	if (is_switch(frame, name))
		return true;
	for (size_t i = 0; has_switched && name && i < sizeof(starts) / sizeof(*starts); i++) {
		size_t length = strlen(starts[i]);
		if (strncmp(name, starts[i], length) == 0 &&
		    (name[length] == '\0' || name[length] == '.')) // as in ".abi0"
			return true;
	}
	return false;
}

void ic_go_stack_see(struct ic_target *target, uint32_t tid,
		     const struct ic_unwind_registers *registers)
{
	uint64_t sp;

	if (target->goroutines.doubtful.count == 0 || !ic_target_sp(target, registers, &sp))
		return;
	for (uint32_t i = 0; i < target->goroutines.doubtful.count; i++) {
		struct ic_target_goroutine *goroutine = &target->goroutines.doubtful.items[i];
		if (goroutine->tid == tid && sp >= goroutine->stack_start &&
		    sp <= goroutine->stack_end)
			goroutine->is_on_thread = true;
	}
}

bool ic_go_stack_settle(struct ic_target *target)
{
	bool ok = true;

	for (uint32_t i = 0; ok && i < target->goroutines.doubtful.count; i++)
		ok = target->goroutines.doubtful.items[i].is_on_thread ||
		     IC_ARRAY_ADD(&target->goroutines.list, target->goroutines.doubtful.items[i]);
	target->goroutines.doubtful.count = 0;
	return ok;
}

void ic_go_stack_check(struct ic_target *target)
{
	bool any = false;

	for (uint32_t i = 0; target->goroutines.are_missed && i < target->codes.count; i++)
		any |= target->codes.items[i].is_placed && target->codes.items[i].is_go;
	target->goroutines.are_missed = false;
	if (any)
		ic_problems_note(&target->problems,
				 "goroutines that no thread runs are not shown: the program is "
				 "not one of Go, but uses code of Go");
}
