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

bool ic_go_stack_starts_at(const struct ic_backtrace_frame *frame)
{
	static const char *const names[] = { "asmcgocall", "goexit", "mcall",
					     "morestack",  "mstart", "rt0_go" };
	static const char package[] = "runtime.";
	const char *name = frame->frame.function ? frame->frame.function : frame->symbol;

	if (!name || strncmp(name, package, sizeof(package) - 1) != 0)
		return false;
	name += sizeof(package) - 1;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcspn(name, ".") == strlen(names[i]) && // without ".abi0"
		    strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}
