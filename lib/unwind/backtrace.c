#include "unwind/bound_calls.h"
#include "unwind/frame_arguments.h"
#include "unwind/go_stacks.h"
#include "unwind/tail_frames.h"
#include "unwind/targets/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "elf/image/stub_names.h"
#include "process/perf_map.h"

#include <inlinecall/extra/backtrace.h>
#include <inlinecall/extra/unwind.h>

enum { MOST_UNWOUND = 1 << 20 }; // frames of all threads together

struct unwound { // a physical frame
	uint64_t address;
	enum ic_unwind_how how;
	bool is_exact, is_signal;
	struct ic_unwind_registers *registers; // if arguments are requested
	uint64_t cfa;                          // valid if has_cfa
	bool has_cfa;
};

struct stack {
	uint32_t first, count;             // range of unwound frames
	uint32_t first_frame, frame_count; // range including inlined frames
	enum ic_unwind_end end;
	const char *end_text;
};

struct ic_backtraces {
	struct ic_target *target;
	IC_ARRAY(struct stack) stacks; // indexed by thread
	IC_ARRAY(struct unwound) unwound;
	IC_ARRAY(struct ic_backtrace_frame) frames;
	struct ic_space_answers *answers;                // at the addresses of the unwound frames
	struct ic_arena arena;                           // owns texts, registers and arguments
	struct ic_perf_map perf_maps[IC_PERF_MAP_KINDS]; // of a live process, if has_perf_maps
	bool has_perf_maps, has_arguments;
	struct ic_frame_arguments arguments;
	struct ic_tail_frames tail_frames;
	// Indexed by frame number, for the stack that is being added.
	struct ic_argument_place *places;
};

// Keeps what is needed to find the arguments of the unwinder's frame. False if memory runs out.
static bool keep_registers(struct ic_backtraces *backtraces, struct ic_unwinder *unwinder,
			   const struct ic_unwind_frame *frame, struct unwound *unwound)
{
	unwound->registers =
		ic_arena_copy(&backtraces->arena, &frame->registers, 1, sizeof(frame->registers));
	unwound->has_cfa = ic_unwinder_cfa(unwinder, &unwound->cfa);
	return unwound->registers;
}

static bool unwind_thread(struct ic_backtraces *backtraces, struct ic_unwinder *unwinder,
			  const struct ic_target_thread *thread)
{
	struct stack *stack = IC_ARRAY_PUSH(&backtraces->stacks);
	const struct ic_unwind_frame *frame;

	if (!stack)
		return false;
	*stack = (struct stack){ .first = backtraces->unwound.count };
	if (ic_go_stack_has_called(backtraces->target, thread))
		ic_unwinder_begin_call(unwinder, &thread->registers);
	else
		ic_unwinder_begin(unwinder, &thread->registers);
	while (backtraces->unwound.count < MOST_UNWOUND && (frame = ic_unwinder_next(unwinder))) {
		struct unwound *unwound = IC_ARRAY_PUSH(&backtraces->unwound);

		if (!unwound)
			return false;
		if (thread->tid != 0)
			ic_go_stack_see(backtraces->target, thread->tid, &frame->registers);
		*unwound = (struct unwound){ .address = frame->registers.pc,
					     .how = frame->how,
					     .is_exact = frame->is_exact,
					     .is_signal = frame->is_signal };
		if (backtraces->has_arguments &&
		    !keep_registers(backtraces, unwinder, frame, unwound))
			return false;
		stack->count++;
		if (thread->is_user_mode)
			break;
	}
	bool is_full = backtraces->unwound.count == MOST_UNWOUND;
	const char *text = is_full ? "too many frames in total" : ic_unwinder_end_text(unwinder);
	stack->end = is_full ? IC_UNWIND_TOO_MANY : ic_unwinder_end(unwinder);
	if (thread->is_user_mode) { // the kernel has no frames there
		stack->end = IC_UNWIND_OUTERMOST;
		text = "outermost frame";
	}
	stack->end_text = ic_arena_copy(&backtraces->arena, text, strlen(text) + 1, 1);
	return stack->end_text;
}

static bool unwind_all(struct ic_backtraces *backtraces,
		       const struct ic_backtraces_options *options, struct ic_error *err)
{
	struct ic_unwind_options unwind_options;
	struct ic_target_thread thread;
	bool ok = true;

	ic_target_unwind_options(backtraces->target, &unwind_options);
	unwind_options.most_frames = options ? options->most_frames : 0;
	struct ic_unwinder *unwinder = ic_unwinder_new(&unwind_options, err);
	if (!unwinder)
		return false;
	for (size_t i = 0; ok; i++) {
		if (i == backtraces->target->threads.count)
			ok = ic_go_stack_settle(backtraces->target) || ic_fail_memory(err);
		if (!ok || !ic_target_thread_get(backtraces->target, i, &thread))
			break;
		ok = unwind_thread(backtraces, unwinder, &thread) || ic_fail_memory(err);
	}
	ic_unwinder_free(unwinder);
	return ok;
}

static uint64_t lookup_of(const struct unwound *unwound)
{
	return unwound->address - !unwound->is_exact;
}

// Looks up all addresses at once: many threads are in the same functions.
static bool find_functions(struct ic_backtraces *backtraces, struct ic_error *err)
{
	uint32_t count = backtraces->unwound.count;
	uint64_t *lookups = ic_items_alloc(count + 1ull, sizeof(*lookups));

	if (!lookups)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < count; i++)
		lookups[i] = lookup_of(&backtraces->unwound.items[i]);
	backtraces->answers =
		ic_space_find(ic_target_space(backtraces->target), lookups, count, err);
	free(lookups);
	return backtraces->answers;
}

// Names a stub of dynamic linking like disassemblers do, "puts@plt". False if memory runs out.
static bool name_stub(struct ic_backtraces *backtraces, const struct ic_space_answer *answer,
		      struct ic_backtrace_frame *frame)
{
	struct ic_symbolizer_symbol symbol;
	struct ic_stub stub;
	uint64_t bias;
	const struct ic_image *image = ic_target_image_at(backtraces->target, frame->lookup, &bias);

	if (!image || !ic_image_stub_find(image, answer->addr, &stub))
		return true;
	if (!stub.name && stub.resolver != IC_NO_ADDR &&
	    ic_symbolizer_symbol_at(answer->symbolizer, stub.resolver, &symbol))
		stub.name = symbol.name;
	if (!stub.name)
		return true;
	size_t size = strlen(stub.name) + sizeof("@plt");
	char *name = ic_arena_items(&backtraces->arena, size, 1);
	if (!name)
		return false;
	snprintf(name, size, "%s@plt", stub.name);
	frame->symbol = name;
	frame->symbol_offset = answer->addr - stub.start;
	return true;
}

// Reads the functions that the process has compiled, if there is code in no file. False if memory
// runs out.
static bool open_perf_maps(struct ic_backtraces *backtraces)
{
	struct ic_target *target = backtraces->target;
	struct ic_error err;

	for (unsigned kind = 0; !backtraces->has_perf_maps && kind < IC_PERF_MAP_KINDS; kind++) {
		if (ic_perf_map_read(&backtraces->perf_maps[kind], target->pid, kind, &err))
			continue;
		ic_problems_add(&target->problems, &err, NULL, 0);
		if (err.code == IC_ERROR_MEMORY)
			return false;
		if (err.code == IC_ERROR_SYSTEM) // most likely the process has ended
			break;
	}
	backtraces->has_perf_maps = true;
	return true;
}

// NULL if memory runs out.
static const char *copy_text(struct ic_backtraces *backtraces, struct ic_bytes text)
{
	char *copy = ic_arena_items(&backtraces->arena, text.size + 1, 1);

	if (!copy)
		return NULL;
	memcpy(copy, text.data, text.size);
	copy[text.size] = 0;
	return copy;
}

// Names code that was compiled at run time. False if memory runs out.
static bool name_compiled(struct ic_backtraces *backtraces, const struct ic_space_answer *answer,
			  struct ic_backtrace_frame *frame)
{
	if (!backtraces->target->pid ||
	    (answer->status != IC_SPACE_NO_FILE && answer->status != IC_SPACE_UNOPENED))
		return true;
	if (!open_perf_maps(backtraces))
		return false;
	const struct ic_jit_code *code = &backtraces->perf_maps[IC_PERF_MAP_DUMP].code;
	const struct ic_jit_function *function = ic_jit_code_find(code, frame->lookup);
	if (!function) {
		code = &backtraces->perf_maps[IC_PERF_MAP_LIST].code;
		function = ic_jit_code_find(code, frame->lookup);
	}
	if (!function)
		return true;
	const struct ic_jit_line *line = ic_jit_code_line(code, function, frame->lookup);
	if (line && line->source.size > 0) {
		frame->frame.file = copy_text(backtraces, line->source);
		frame->frame.line = line->line;
	}
	frame->symbol = copy_text(backtraces, function->name);
	frame->symbol_offset = frame->address - function->start;
	frame->is_jit = true;
	return frame->symbol && (frame->frame.line == 0 || frame->frame.file);
}

// False if memory runs out.
static bool find_symbol(struct ic_backtraces *backtraces, const struct ic_space_answer *answer,
			struct ic_backtrace_frame *frame)
{
	struct ic_symbolizer_symbol symbol;

	if (!answer->symbolizer)
		return name_compiled(backtraces, answer, frame);
	if (answer->addr == UINT64_MAX)
		return true;
	frame->module_addr = answer->addr + (frame->address - frame->lookup);
	if (!ic_symbolizer_symbol_at(answer->symbolizer, answer->addr, &symbol))
		return answer->frame_count > 0 || name_stub(backtraces, answer, frame);
	frame->symbol = symbol.name;
	frame->symbol_offset = frame->module_addr - symbol.start;
	return true;
}

// Whether control certainly left the frame's caller by a call.
static bool is_called(const struct ic_backtraces *backtraces, const struct stack *stack,
		      uint32_t number)
{
	const struct unwound *unwound = backtraces->unwound.items + stack->first + number;

	return number + 1 < stack->count && !unwound[0].is_signal && !unwound[1].is_exact &&
	       (unwound[1].how == IC_UNWIND_CALL_FRAMES || unwound[1].how == IC_UNWIND_CODE);
}

// The file to search for the tail calls that led to a frame: that of its caller, unless the call
// went to another function of the frame's own file, bound by the dynamic linker. In that case, the
// query is changed accordingly.
static struct ic_symbolizer *asked_file(struct ic_backtraces *backtraces,
					const struct unwound *unwound,
					const struct ic_space_answer *answer,
					const struct ic_space_answer *of_caller, uint64_t *bias,
					struct ic_tail_calls_query *query)
{
	struct ic_target *target = backtraces->target;
	uint64_t own_bias = lookup_of(unwound) - answer->addr, found_bias, found;

	*bias = lookup_of(&unwound[1]) - of_caller->addr;
	if ((answer->symbolizer == of_caller->symbolizer && own_bias == *bias) ||
	    answer->addr == UINT64_MAX ||
	    !ic_bound_call_find(target, unwound[1].address, true, &found))
		return of_caller->symbolizer;
	const struct ic_image *image = ic_target_image_at(target, found, &found_bias);
	if (!image || image != ic_target_image_at(target, lookup_of(unwound), &own_bias) ||
	    found_bias != own_bias || found - found_bias == query->entry)
		return of_caller->symbolizer;
	query->is_from_outside = true;
	query->start = found - found_bias;
	*bias = found_bias;
	return answer->symbolizer;
}

// Finds the tail calls between a frame and its caller, if any. False if memory runs out.
static bool find_tail_calls(struct ic_backtraces *backtraces, const struct stack *stack,
			    uint32_t number, struct ic_tail_answer *calls)
{
	const struct unwound *unwound = backtraces->unwound.items + stack->first + number;
	struct ic_space_answer answer, of_caller;

	calls->count = 0;
	if (!is_called(backtraces, stack, number))
		return true;
	ic_space_answers_get(backtraces->answers, stack->first + number, &answer);
	ic_space_answers_get(backtraces->answers, stack->first + number + 1, &of_caller);
	if (answer.frame_count == 0 || !answer.symbolizer || of_caller.lookup != IC_LOOKUP_FOUND ||
	    of_caller.addr == UINT64_MAX)
		return true;
	const struct ic_frame *frame = &answer.frames[answer.frame_count - 1];
	struct ic_tail_calls_query query = {
		.return_addr = of_caller.addr + (unwound[1].address - lookup_of(&unwound[1])),
		.symbolizer = answer.symbolizer,
		.entry = frame->start,
		.function = frame->function,
		.linkage_name = frame->linkage_name,
		.is_symbol = frame->is_symbol,
	};
	uint64_t bias;
	struct ic_symbolizer *symbolizer =
		asked_file(backtraces, unwound, &answer, &of_caller, &bias, &query);
	return ic_tail_frames_find(&backtraces->tail_frames, symbolizer, bias, &query, calls);
}

// Adds what is needed to find the arguments of functions that left the stack: the calls by which
// they were entered. The chain leads from `place` to `caller`; gaps in it show in the callees.
// False if memory runs out.
static bool link_tail_calls(struct ic_backtraces *backtraces, const struct ic_tail_answer *calls,
			    const struct ic_argument_place *caller, struct ic_argument_place *place)
{
	static const struct ic_unwind_registers none;
	struct ic_argument_place *added =
		ic_arena_items(&backtraces->arena, calls->count, sizeof(*added));

	if (!added)
		return false;
	for (size_t i = calls->count - 1; i > 0; i--, place = added++) {
		const struct ic_tail_call *call = &calls->list[i];

		*added = (struct ic_argument_place){ .symbolizer = calls->caller,
						     .addr = call->addr - call->is_after,
						     .bias = calls->bias,
						     .registers = &none,
						     .entry = call->entry };
		place->tail_call = call;
		place->caller = added;
	}
	place->return_addr = calls->query.return_addr + caller->bias;
	place->caller = caller;
	return true;
}

// Sets what is needed to find the arguments of the physical frames: each refers to its caller, if
// control left the caller by a call.
static bool make_places(struct ic_backtraces *backtraces, const struct stack *stack)
{
	const struct unwound *unwound = backtraces->unwound.items + stack->first;
	struct ic_space_answer answer;
	struct ic_tail_answer calls;

	backtraces->places = ic_arena_items(&backtraces->arena, stack->count + 1ull,
					    sizeof(*backtraces->places));
	for (uint32_t i = 0; backtraces->places && i < stack->count; i++) {
		struct ic_argument_place *place = &backtraces->places[i];

		ic_space_answers_get(backtraces->answers, stack->first + i, &answer);
		*place = (struct ic_argument_place){ .addr = answer.addr,
						     .bias = lookup_of(&unwound[i]) - answer.addr,
						     .registers = unwound[i].registers,
						     .cfa = unwound[i].cfa,
						     .has_cfa = unwound[i].has_cfa };
		if (answer.addr != UINT64_MAX)
			place->symbolizer = answer.symbolizer;
		place->entry = answer.frame_count > 0 ? answer.frames[answer.frame_count - 1].start
						      : IC_NO_ADDR;
	}
	for (uint32_t i = 0; backtraces->places && i < stack->count; i++) {
		struct ic_argument_place *place = &backtraces->places[i];

		if (!find_tail_calls(backtraces, stack, i, &calls) ||
		    (calls.count > 0 && !link_tail_calls(backtraces, &calls, place + 1, place)))
			return false;
		if (calls.count == 0 && is_called(backtraces, stack, i)) {
			place->return_addr = unwound[i + 1].address;
			place->caller = place + 1;
		}
	}
	return backtraces->places;
}

// The arguments of frame number `number` at the address of a physical frame.
static bool find_arguments(struct ic_backtraces *backtraces, size_t number,
			   struct ic_backtrace_frame *frame, struct ic_error *err)
{
	struct ic_argument_place *place = &backtraces->places[frame->number];

	if (!place->symbolizer || frame->frame.is_symbol || !frame->frame.function)
		return true;
	place->number = number;
	if (!ic_frame_arguments_read(&backtraces->arguments, place, err))
		return false;
	const struct ic_frame_arguments *found = &backtraces->arguments;
	frame->arguments = ic_arena_copy(&backtraces->arena, found->list.items, found->list.count,
					 sizeof(*frame->arguments));
	if (!frame->arguments)
		return ic_fail_memory(err);
	frame->argument_count = found->variable_start;
	frame->variables = frame->arguments + found->variable_start;
	frame->variable_count = found->list.count - found->variable_start;
	return true;
}

// Adds the frames above one that left the stack by tail calls. False if memory runs out.
static bool add_tail_frames(struct ic_backtraces *backtraces, struct stack *stack, uint32_t number,
			    const struct ic_tail_answer *calls)
{
	struct ic_space_answer answer;

	if (calls->count <= 1)
		return true;
	// They are in the caller's file, or in that of the frame they led to.
	ic_space_answers_get(backtraces->answers,
			     stack->first + number - calls->query.is_from_outside, &answer);
	for (size_t i = calls->count; i-- > 1;) { // the last is the innermost
		const struct ic_tail_call *call = &calls->list[i];
		uint64_t lookup = call->addr - call->is_after;
		uint64_t bias = calls->bias;
		size_t count = ic_symbolizer_frames_at(calls->caller, lookup, NULL, 0);
		struct ic_frame *frames =
			ic_arena_items(&backtraces->arena, count + 1, sizeof(*frames));
		struct ic_symbolizer_symbol symbol = { .name = NULL };

		if (!frames)
			return false;
		size_t again = ic_symbolizer_frames_at(calls->caller, lookup, frames, count);
		(void)ic_symbolizer_symbol_at(calls->caller, lookup, &symbol);
		for (size_t j = 0; j < count && j < again; j++, stack->frame_count++) {
			struct ic_backtrace_frame *added = IC_ARRAY_PUSH(&backtraces->frames);
			if (!added)
				return false;
			*added = (struct ic_backtrace_frame){
				.address = call->addr + bias,
				.lookup = lookup + bias,
				.number = number,
				.module = answer.path,
				.module_addr = call->addr,
				.frame = frames[j],
				.symbol = symbol.name,
				.symbol_offset = symbol.name ? call->addr - symbol.start : 0,
				.how = IC_UNWIND_TAIL_CALL,
				.is_exact = !call->is_after,
				.callee = j == 0 ? call->callee : NULL,
			};
		}
	}
	return true;
}

// Adds a physical frame with those inlined there; it calls `callee`, if that is not NULL.
static bool add_frames(struct ic_backtraces *backtraces, struct stack *stack, uint32_t number,
		       const char *callee, struct ic_error *err)
{
	const struct unwound *unwound = &backtraces->unwound.items[stack->first + number];
	struct ic_space_answer answer;
	struct ic_backtrace_frame frame = { .address = unwound->address,
					    .lookup = lookup_of(unwound),
					    .number = number,
					    .module_addr = UINT64_MAX,
					    .how = unwound->how,
					    .is_exact = unwound->is_exact,
					    .is_signal = unwound->is_signal };

	ic_space_answers_get(backtraces->answers, stack->first + number, &answer);
	frame.module = answer.path;
	if (!find_symbol(backtraces, &answer, &frame))
		return ic_fail_memory(err);
	for (size_t i = 0; i == 0 || i < answer.frame_count; i++) {
		struct ic_backtrace_frame *added = IC_ARRAY_PUSH(&backtraces->frames);

		if (!added)
			return ic_fail_memory(err);
		*added = frame;
		if (i < answer.frame_count)
			added->frame = answer.frames[i];
		if (i == 0)
			added->callee = callee;
		if (backtraces->has_arguments && !find_arguments(backtraces, i, added, err))
			return false;
		stack->frame_count++;
	}
	return true;
}

// Whether a stack of Go has an end, as far as that is known before its frames are named.
static bool is_sensible(const struct stack *stack)
{
	return stack->end == IC_UNWIND_OUTERMOST ||
	       (stack->end == IC_UNWIND_ZERO && stack->count > 1);
}

static bool add_all_frames(struct ic_backtraces *backtraces, struct ic_error *err)
{
	for (uint32_t i = 0; i < backtraces->stacks.count; i++) {
		struct stack *stack = &backtraces->stacks.items[i];
		struct ic_tail_answer calls = { .count = 0 }; // that led to the frame before

		if (backtraces->has_arguments && !make_places(backtraces, stack))
			return ic_fail_memory(err);
		stack->first_frame = backtraces->frames.count;
		for (uint32_t number = 0; number < stack->count; number++) {
			const char *callee = calls.count > 0 ? calls.list[0].callee : NULL;

			if (!add_tail_frames(backtraces, stack, number, &calls))
				return ic_fail_memory(err);
			if (!add_frames(backtraces, stack, number, callee, err))
				return false;
			if (ic_go_stack_starts_at(
				    &backtraces->frames.items[backtraces->frames.count - 1],
				    number > 0 || !is_sensible(stack))) {
				stack->count = number + 1;
				stack->end = IC_UNWIND_OUTERMOST;
				stack->end_text = "outermost frame";
			}
			if (!find_tail_calls(backtraces, stack, number, &calls))
				return ic_fail_memory(err);
		}
	}
	return true;
}

struct ic_backtraces *ic_backtraces_make(struct ic_target *target,
					 const struct ic_backtraces_options *options,
					 struct ic_error *err)
{
	struct ic_backtraces *backtraces = calloc(1, sizeof(*backtraces));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!backtraces) {
		ic_fail_memory(err);
		return NULL;
	}
	backtraces->target = backtraces->arguments.target = target;
	backtraces->tail_frames.target = target;
	backtraces->arguments.arena = backtraces->tail_frames.arena = &backtraces->arena;
	backtraces->arguments.tail_frames = &backtraces->tail_frames;
	backtraces->has_arguments = options && (options->arguments || options->variables);
	backtraces->arguments.wants_variables = options && options->variables;
	bool ok = unwind_all(backtraces, options, err) && find_functions(backtraces, err) &&
		  add_all_frames(backtraces, err);
	ic_frame_arguments_free(&backtraces->arguments);
	ic_tail_frames_free(&backtraces->tail_frames);
	for (unsigned kind = 0; kind < IC_PERF_MAP_KINDS; kind++)
		ic_perf_map_free(&backtraces->perf_maps[kind]);
	ic_target_collect(target);
	ic_go_stack_check(target);
	if (ok && (!target->problems.out_of_memory || ic_fail_memory(err)))
		return backtraces;
	ic_backtraces_free(backtraces);
	return NULL;
}

void ic_backtraces_free(struct ic_backtraces *backtraces)
{
	if (!backtraces)
		return;
	ic_space_answers_free(backtraces->answers);
	IC_ARRAY_FREE(&backtraces->stacks);
	IC_ARRAY_FREE(&backtraces->unwound);
	IC_ARRAY_FREE(&backtraces->frames);
	ic_arena_free(&backtraces->arena);
	free(backtraces);
}

bool ic_backtraces_get(const struct ic_backtraces *backtraces, size_t number,
		       struct ic_backtrace_thread *thread)
{
	if (number >= backtraces->stacks.count)
		return false;
	const struct stack *stack = &backtraces->stacks.items[number];
	*thread = (struct ic_backtrace_thread){
		.frames = backtraces->frames.items + stack->first_frame,
		.frame_count = stack->frame_count,
		.end = stack->end,
		.end_text = stack->end_text,
	};
	return ic_target_thread_get(backtraces->target, number, &thread->thread);
}

bool ic_backtraces_have_arguments(const struct ic_backtraces *backtraces)
{
	return backtraces->has_arguments;
}

bool ic_backtraces_have_variables(const struct ic_backtraces *backtraces)
{
	return backtraces->arguments.wants_variables;
}
