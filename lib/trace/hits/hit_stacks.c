// Stacks of hits: unwinds the copied parts.
#include <stdlib.h>

#include "base/error.h"
#include "trace/hits/trace.h"
#include "unwind/targets/target.h"

#include <inlinecall/backtrace.h>
#include <inlinecall/extra/image.h>

enum { MOST_PROCESSES = 64 }; // whose mappings are cached

static void forget_target(struct ic_trace *trace, uint32_t number)
{
	ic_target_free(trace->processes.items[number].target);
	trace->processes.items[number] = trace->processes.items[--trace->processes.count];
}

// Maps the running kernel's code: a kernel's file at its known address, the others after searching
// for them, a traced module where it is. False if memory runs out.
static bool map_kernel(const struct ic_trace *trace, struct ic_space *space, struct ic_error *err)
{
	bool is_module = ic_image_is_relocatable(trace->image);
	const struct ic_space_kernel_options options = { .module_file = is_module ? trace->path
										  : NULL };
	struct ic_space_mapping mapping = { .path = trace->path };
	struct ic_range range;

	mapping.build_id_size = ic_image_build_id(trace->image, &mapping.build_id);
	if (!ic_space_read_kernel(space, &options, err) && err->code == IC_ERROR_MEMORY)
		return false;
	for (size_t i = 0; ic_image_code_segment(trace->image, i, &range, &mapping.offset); i++) {
		if (is_module ||
		    !ic_placement_loaded(trace->placement, range.start, &mapping.start))
			continue;
		mapping.end = mapping.start + (range.end - range.start);
		if (!ic_space_add(space, &mapping, err))
			return false;
	}
	return true;
}

// A target without memory of its own: the process's memory may have changed since.
static struct ic_target *open_process(struct ic_trace *trace, struct ic_modules *modules,
				      uint32_t pid, struct ic_error *err)
{
	struct ic_target *target = ic_target_alloc(modules, trace->shape.registers->machine,
						   ic_image_addr_size(trace->image) == 4, err);

	if (!target)
		return NULL;
	target->is_big_endian = IC_HOST_IS_BIG_ENDIAN;
	const struct ic_target_thread *thread = IC_ARRAY_PUSH(&target->threads);
	const struct ic_target_stack *stack = IC_ARRAY_PUSH(&target->stacks);
	if ((thread && stack) || ic_fail_memory(err))
		if (trace->shape.is_kernel ? map_kernel(trace, target->space, err)
					   : ic_space_read_process(target->space, (int)pid, err))
			return target;
	ic_target_free(target);
	return NULL;
}

static struct ic_target *find_process(struct ic_trace *trace, struct ic_modules *modules,
				      uint32_t pid, struct ic_error *err)
{
	for (uint32_t i = 0; i < trace->processes.count; i++)
		if (trace->processes.items[i].pid == pid)
			return trace->processes.items[i].target;
	struct ic_target *target = open_process(trace, modules, pid, err);
	if (!target)
		return NULL;
	if (trace->processes.count == MOST_PROCESSES)
		forget_target(trace, 0);
	struct ic_trace_process *added = IC_ARRAY_PUSH(&trace->processes);
	if (added) {
		*added = (struct ic_trace_process){ pid, target };
		return target;
	}
	ic_target_free(target);
	ic_fail_memory(err);
	return NULL;
}

static struct ic_backtraces *unwind_hit(struct ic_trace *trace, struct ic_target *target,
					const struct ic_trace_hit *hit, struct ic_error *err)
{
	uint64_t sp = 0;

	if (!ic_unwind_register_get(&hit->registers, trace->shape.stack_reg, &sp))
		return NULL;
	target->threads.items[0] = (struct ic_target_thread){ .pid = hit->pid,
							      .tid = hit->tid,
							      .registers = hit->registers };
	target->stacks.items[0] = (struct ic_target_stack){ sp, hit->stack_size, hit->stack };
	return ic_backtraces_make(target, NULL, err);
}

// Whether the stack ends at an address that was not mapped when the mappings were read.
static bool ends_in_nothing(const struct ic_backtraces *backtraces)
{
	struct ic_backtrace_thread thread;

	return ic_backtraces_get(backtraces, 0, &thread) && thread.end == IC_UNWIND_NO_CODE;
}

struct ic_backtraces *ic_trace_backtrace(struct ic_trace *trace, struct ic_modules *modules,
					 const struct ic_trace_hit *hit, struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	for (bool is_again = false;; is_again = true) {
		uint32_t known = trace->processes.count;
		struct ic_target *target =
			find_process(trace, modules, trace->shape.is_kernel ? 0 : hit->pid, err);
		struct ic_backtraces *backtraces = target ? unwind_hit(trace, target, hit, err)
							  : NULL;

		// A library may have been loaded since.
		if (!backtraces || is_again || trace->shape.is_kernel ||
		    known < trace->processes.count || !ends_in_nothing(backtraces))
			return backtraces;
		ic_backtraces_free(backtraces);
		for (uint32_t i = trace->processes.count; i-- > 0;)
			if (trace->processes.items[i].pid == hit->pid)
				forget_target(trace, i);
	}
}

void ic_trace_stacks_free(struct ic_trace *trace)
{
	while (trace->processes.count > 0)
		forget_target(trace, trace->processes.count - 1);
	IC_ARRAY_FREE(&trace->processes);
}
