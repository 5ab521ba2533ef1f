// Prepares a trace: the program's parameters, and the data of its copies.
#include "trace/copies.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/machine.h"
#include "query/find/sites.h"
#include "trace/bpf/program.h"
#include "trace/groups/keys.h"
#include "trace/hits/filter.h"
#include "unwind/frames/machine.h"

#include <inlinecall/extra/call_frames.h>

enum {
	RING_SIZE = 16 << 20,
	MOST_RING = 1 << 30,
	STRING_SIZE = 128,
	MORE_SLOTS = 16,
	MOST_GROUPS = 1 << 14
};

// Whether this machine executes programs for that one.
static bool is_native(unsigned machine)
{
#if defined(__x86_64__)
	return machine == IC_MACHINE_X86_64 || machine == IC_MACHINE_386;
#elif defined(__aarch64__)
	return machine == IC_MACHINE_AARCH64;
#elif defined(__riscv) && __riscv_xlen == 64
	return machine == IC_MACHINE_RISCV;
#else
	return false;
#endif
}

// Determines the program's parameters from the fetches of all copies, and converts these.
static bool join_fetches(struct ic_trace *trace, const ic_trace_fetch_list *fetches,
			 struct ic_error *err)
{
	struct ic_trace_shape *shape = &trace->shape;

	for (uint32_t i = 0; i < fetches->count; i++) {
		uint32_t argument = i % IC_TRACE_MOST_ARGUMENTS;
		if (fetches->items[i].base == IC_TRACE_NOTHING)
			continue;
		if (shape->argument_count <= argument)
			shape->argument_count = argument + 1;
		if (fetches->items[i].is_string)
			shape->strings |= 1ull << argument;
	}
	for (uint32_t i = 0; i < trace->exits.count; i++) {
		const struct ic_trace_fetch *result = &trace->exits.items[i].result;
		if (result->base != IC_TRACE_NOTHING && shape->argument_count == 0)
			shape->argument_count = 1;
		shape->strings |= result->is_string;
	}
	ic_trace_layout_find(shape, &trace->layout);
	shape->has_exits = trace->exits.count > 0;
	trace->data = ic_items_zeroed(ic_trace_item_count(trace), ic_trace_copy_size(shape));
	if (!trace->data)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < trace->items.count; i++) {
		struct ic_trace_copy_data *data = ic_trace_data(trace, trace->data, i);
		data->addr = trace->items.items[i].copy.addr;
		if (shape->argument_count > 0)
			memcpy(ic_trace_fetches(shape, data),
			       fetches->items + (size_t)i * IC_TRACE_MOST_ARGUMENTS,
			       shape->argument_count * sizeof(*fetches->items));
	}
	for (uint32_t i = 0; i < trace->exits.count; i++) {
		struct ic_trace_copy_data *data =
			ic_trace_data(trace, trace->data, trace->items.count + i);
		data->addr = trace->exits.items[i].addr;
		data->is_exit = true;
		if (shape->argument_count > 0)
			ic_trace_fetches(shape, data)[0] = trace->exits.items[i].result;
	}
	return true;
}

// An argument, and the parts of its string.
static uint64_t bits_of(const struct ic_trace_item *item, uint8_t argument)
{
	if (argument >= IC_TRACE_MOST_ARGUMENTS || argument >= item->copy.argument_count)
		return 0;
	uint8_t parts = item->types[argument].parts;
	return 1ull << argument | (parts ? 3ull << (parts - 1) : 0);
}

// If calls are not printed, only what they are selected and added up by is fetched.
static void find_unused(struct ic_trace *trace)
{
	struct ic_trace_shape *shape = &trace->shape;
	uint64_t used = 0;

	for (uint32_t i = 0; i < trace->items.count; i++) {
		const struct ic_trace_copy_data *data = ic_trace_data(trace, trace->data, i);
		const struct ic_trace_item *item = &trace->items.items[i];
		for (uint32_t j = 0; j < shape->filter.count; j++)
			used |= bits_of(item, item->terms[j].left) |
				bits_of(item, item->terms[j].right);
		for (uint32_t j = 0; j < shape->grouping.key_count; j++)
			used |= bits_of(item, data->key_arguments[j]);
		if (shape->grouping.has_measure)
			used |= bits_of(item, data->measure);
	}
	if (shape->only_counts || trace->keys.count > 0)
		shape->unused = ~used;
}

static bool make_items(struct ic_trace_ways *ways, struct ic_parameters *parameters,
		       const struct ic_trace_options *options)
{
	struct ic_trace *trace = ways->trace;
	struct ic_probe_places *places = ic_probe_places_new(ways->image, trace->sites->index);
	ic_trace_fetch_list fetches = { .items = NULL };
	bool ok;

	if (!places)
		return ic_fail_memory(ways->err);
	ways->places = places;
	if (ic_probe_places_is_kernel(places) && !trace->shape.is_kernel)
		ok = ic_fail(ways->err, IC_ERROR_UNSUPPORTED,
			     "%s: is a kernel; use 'inlinecall trace -k' to trace the running one, "
			     "or 'inlinecall probe' to define probes",
			     ic_image_path(ways->image));
	else
		ok = ic_trace_copies_find(ways, parameters, options, &fetches) &&
		     ic_trace_keys_find(trace, ways->err) &&
		     join_fetches(trace, &fetches, ways->err) &&
		     ic_trace_filter_bind(trace, ways->err) && ic_trace_keys_bind(trace, ways->err);
	if (ok)
		find_unused(trace);
	IC_ARRAY_FREE(&fetches);
	ic_probe_places_free(places);
	return ok;
}

// ---- The trace

static bool take_grouping(struct ic_trace *trace, const struct ic_trace_options *options,
			  struct ic_error *err)
{
	const char *measure = options->measure;

	if (options->only_counts || options->sample > 1)
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "calls that are added up are all counted, and none is left out");
	if (!ic_trace_keys_read(options->by, &trace->keys, err))
		return false;
	if (measure)
		trace->keys.measure = ic_arena_copy(&trace->arena, measure, strlen(measure) + 1, 1);
	trace->groups.sort = options->order;
	trace->groups.has_buckets = options->has_buckets && (measure || options->exits);
	trace->shape.grouping.is_on = !options->exits;
	trace->shape.grouping.has_measure = measure != NULL;
	trace->shape.grouping.has_buckets = measure && options->has_buckets;
	trace->shape.grouping.most = options->most_groups ? options->most_groups : MOST_GROUPS;
	return !measure || trace->keys.measure || ic_fail_memory(err);
}

static bool take_options(struct ic_trace *trace, struct ic_image *image,
			 const struct ic_trace_options *options, struct ic_error *err)
{
	unsigned machine = ic_image_machine(image);
	bool is_32_bit = ic_image_addr_size(image) == 4;
	const struct ic_unwind_machine *known = ic_unwind_machine(machine, is_32_bit);
	struct ic_trace_shape *shape = &trace->shape;
	uint64_t size = (uint64_t)sysconf(_SC_PAGESIZE), wanted = options->ring_size;

	if (ic_image_is_relocatable(image) && !options->placement)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "%s: relocatable files have no addresses and are not executed; use "
			       "'inlinecall trace -k' to trace a kernel module that is loaded, or "
			       "'inlinecall probe' to define probes",
			       ic_image_path(image));
	shape->registers = ic_thread_layout(machine, false); // of the kernel
	if (!known || !shape->registers || (is_32_bit && machine != IC_MACHINE_386) ||
	    machine == IC_MACHINE_S390)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "%s: cannot trace programs for this machine", ic_image_path(image));
	trace->is_native = is_native(machine);
	shape->has_processes = options->has_children;
	shape->is_kernel = options->placement != NULL;
	if (options->placement && !options->with_own)
		shape->without_pid = (uint32_t)getpid();
	trace->progress =
		(struct ic_trace_progress){ options->progress, options->progress_context };
	trace->placement = options->placement;
	if (options->exits && (options->only_counts || options->points))
		return ic_fail(err, IC_ERROR_ARGUMENT, "a trace %s cannot trace exits",
			       options->points ? "of lines" : "that only counts");
	if (options->stack_size > IC_TRACE_MOST_STACK ||
	    options->string_size > IC_TRACE_MOST_STRING || wanted > MOST_RING)
		return ic_fail(err, IC_ERROR_ARGUMENT, "a size of the trace exceeds its maximum");
	while (size < (wanted ? wanted : RING_SIZE))
		size *= 2;
	trace->ring_size = (uint32_t)size;
	shape->slot_count = (uint32_t)sysconf(_SC_NPROCESSORS_CONF) + MORE_SLOTS;
	shape->stack_reg = known->sp;
	trace->string_size = options->string_size ? options->string_size : STRING_SIZE;
	// Conditions compare more than may be printed.
	shape->string_size = (options->filter && trace->string_size < IC_TRACE_TERM_TEXT
				      ? IC_TRACE_TERM_TEXT
				      : trace->string_size) +
			     IC_TRACE_STRING_MORE;
	shape->stack_size = (options->stack_size + IC_TRACE_STACK_STEP - 1) &
			    ~(uint32_t)(IC_TRACE_STACK_STEP - 1);
	if (shape->stack_size > 0) // the first step starts below the stack pointer
		shape->stack_size += IC_TRACE_STACK_STEP;
	shape->sample = options->sample;
	shape->only_counts = options->only_counts;
	if (!ic_trace_buffers_check(options->buffers, err))
		return false;
	if (options->filter && !ic_trace_filter_read(options->filter, &shape->filter, err))
		return false;
	if (options->by && !take_grouping(trace, options, err))
		return false;
	const char *path = options->path ? options->path : ic_image_path(image);
	trace->path = ic_arena_copy(&trace->arena, path, strlen(path) + 1, 1);
	return trace->path || ic_fail_memory(err);
}

bool ic_trace_prepare(struct ic_trace *trace, struct ic_image *image,
		      struct ic_parameters *parameters, const struct ic_trace_options *options,
		      struct ic_error *err)
{
	if (!take_options(trace, image, options, err))
		return false;
	bool needs_frames = parameters || options->exits;
	struct ic_call_frames *frames = needs_frames ? ic_call_frames_open(image, NULL) : NULL;
	struct ic_call_frame_reader *rows = frames ? ic_call_frame_reader_new(frames, NULL) : NULL;
	struct ic_trace_ways ways = { trace, image, NULL, rows, options->exits, err };
	bool ok = make_items(&ways, parameters, options);
	ic_call_frame_reader_free(rows);
	ic_call_frames_free(frames);
	return ok;
}

size_t ic_trace_program(struct ic_trace *trace, const struct ic_trace_maps *maps,
			const struct bpf_insn **code)
{
	trace->shape.maps = *maps;
	trace->code.items.count = 0;
	ic_trace_program_write(&trace->shape, &trace->code);
	if (trace->code.out_of_memory)
		return 0;
	*code = trace->code.items.items;
	return trace->code.items.count;
}

void ic_trace_slots_get(const struct ic_trace *trace, uint32_t *size, uint32_t *count)
{
	*size = trace->layout.size;
	*count = trace->shape.slot_count;
}

const void *ic_trace_copy_bytes(const struct ic_trace *trace, size_t number, size_t *size)
{
	if (number >= trace->items.count)
		return NULL;
	*size = ic_trace_copy_size(&trace->shape);
	return ic_trace_data(trace, trace->data, number);
}
