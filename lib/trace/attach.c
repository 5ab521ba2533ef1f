// Attaches a trace's program where its copies are entered, and detaches it.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "trace/bpf/kernel.h"
#include "trace/descendants.h"
#include "trace/hits/trace.h"

enum { ENOTSUPP_OF_KERNEL = 524 }; // an internal code that user programs should never see

struct starter {
	struct ic_trace *trace;
	int program;
	bool is_multi;
	uint64_t *offsets, *cookies;        // of copies and exits that have a place
	struct ic_bpf_places places;        // common to all
	uint32_t place_count, return_count; // returns come last
	uint32_t done;
	struct ic_error *err;
};

// ---- Maps

static size_t whole_pages(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (size + page - 1) / page * page;
}

static bool make_group_maps(struct ic_trace *trace, struct ic_error *err)
{
	struct ic_trace_maps *maps = &trace->shape.maps;
	const struct ic_trace_layout *layout = &trace->layout;

	maps->zeros = ic_bpf_slots_new(layout->sums_size, 1, err);
	if (maps->zeros < 0)
		return false;
	maps->groups = ic_bpf_table_new(layout->key_size, layout->sums_size,
					ic_trace_table_size(trace), err);
	return maps->groups >= 0;
}

// The items of an array are aligned to 8, as ours are. They are written before the program runs,
// and its counts are read from there.
static bool make_maps(struct ic_trace *trace, struct ic_error *err)
{
	struct ic_trace_shape *shape = &trace->shape;
	uint32_t size = ic_trace_copy_size(shape), count = ic_trace_item_count(trace);

	trace->counted_size = whole_pages((size_t)size * count);
	shape->maps.copies = ic_bpf_array_new(size, count, err);
	if (shape->maps.copies < 0)
		return false;
	trace->counted = mmap(NULL, trace->counted_size, PROT_READ | PROT_WRITE, MAP_SHARED,
			      shape->maps.copies, 0);
	if (trace->counted == MAP_FAILED) {
		trace->counted = NULL;
		return ic_fail_system(err, "mmap", "the BPF array");
	}
	memcpy(trace->counted, trace->data, (size_t)size * count);
	shape->maps.slots = ic_bpf_slots_new(trace->layout.size, shape->slot_count, err);
	if (shape->maps.slots < 0)
		return false;
	shape->maps.ring = ic_bpf_ring_new(trace->ring_size, err);
	return shape->maps.ring >= 0 &&
	       ic_ring_map(&trace->ring, shape->maps.ring, trace->ring_size, err) &&
	       (!shape->grouping.is_on || make_group_maps(trace, err));
}

// ---- Probes

static bool keep_link(struct starter *starter, int link)
{
	if (!IC_ARRAY_ADD(&starter->trace->links, link)) {
		close(link);
		return ic_fail_memory(starter->err);
	}
	return true;
}

// Counts places that have a probe, or cannot have one. False if the caller wants to stop.
static bool show_progress(struct starter *starter, uint32_t count)
{
	const struct ic_trace *trace = starter->trace;

	starter->done += count;
	return !trace->progress.show ||
	       trace->progress.show(trace->progress.context, starter->done, starter->place_count) ||
	       ic_fail(starter->err, IC_ERROR_STOPPED, "stopped by the caller");
}

static bool is_of_place(int reason)
{
	return reason == EINVAL || reason == ENOTSUPP_OF_KERNEL || reason == EOPNOTSUPP ||
	       reason == EIO || reason == EILSEQ; // for the kernel: inside an instruction
}

// Marks a copy or an exit as having no probe.
static void refuse_copy(struct ic_trace *trace, uint32_t number)
{
	static const char why[] = "the kernel cannot probe the instruction there";
	uint32_t count = trace->items.count;

	if (number < count)
		trace->items.items[number].copy.why_not = why;
	else
		trace->items.items[trace->exits.items[number - count].copy].copy.exits_why_not =
			why;
}

// Sets probes at places `first` to `last` - 1. If the kernel rejects one instruction, it rejects
// all: then both halves are tried, until that place is alone.
static bool attach_copies(struct starter *starter, uint32_t first, uint32_t last)
{
	struct ic_bpf_places places = starter->places;

	places.offsets = starter->offsets + first;
	places.cookies = starter->cookies + first;
	places.count = last - first;
	int link = -EINVAL;
	if (starter->is_multi)
		link = ic_bpf_attach_multi(starter->program, &places, starter->err);
	else if (places.count == 1)
		link = ic_bpf_attach_one(starter->program, &places, 0, starter->err);
	if (link >= 0)
		return keep_link(starter, link) && show_progress(starter, places.count);
	if (!is_of_place(-link))
		return false;
	if (places.count > 1)
		return attach_copies(starter, first, first + places.count / 2) &&
		       attach_copies(starter, first + places.count / 2, last);
	refuse_copy(starter->trace, (uint32_t)starter->cookies[first]);
	return show_progress(starter, 1);
}

// Places in a kernel or module are addresses in memory, others are offsets in the file.
static void add_place(struct starter *starter, uint64_t addr, uint64_t offset, uint32_t number)
{
	const struct ic_trace *trace = starter->trace;

	if (trace->placement && !ic_placement_loaded(trace->placement, addr, &offset))
		return;
	starter->offsets[starter->place_count] = offset;
	starter->cookies[starter->place_count++] = number;
}

static void add_exits(struct starter *starter, bool returns)
{
	const struct ic_trace *trace = starter->trace;

	for (uint32_t i = 0; i < trace->exits.count; i++) {
		const struct ic_trace_exit *leave = &trace->exits.items[i];
		if (leave->is_return == returns)
			add_place(starter, leave->addr, leave->file_off, trace->items.count + i);
	}
}

static bool find_places(struct starter *starter)
{
	struct ic_trace *trace = starter->trace;

	uint32_t room = ic_trace_item_count(trace);

	starter->offsets = ic_items_alloc(room, sizeof(*starter->offsets));
	starter->cookies = ic_items_alloc(room, sizeof(*starter->cookies));
	if (!starter->offsets || !starter->cookies)
		return ic_fail_memory(starter->err);
	for (uint32_t i = 0; i < trace->items.count; i++) {
		const struct ic_trace_copy *copy = &trace->items.items[i].copy;
		if (!copy->why_not && !copy->is_counted_elsewhere)
			add_place(starter, copy->addr, copy->file_off, i);
	}
	bool has_copies = starter->place_count > 0;
	add_exits(starter, false);
	uint32_t before = starter->place_count;
	add_exits(starter, true);
	starter->return_count = starter->place_count - before;
	if (has_copies)
		return true;
	return ic_fail(starter->err, IC_ERROR_NOT_FOUND, "%s: nothing to trace", trace->path);
}

// Writes the program, and loads it into starter->program.
static bool load_program(struct starter *starter, bool can_sleep)
{
	struct ic_trace *trace = starter->trace;
	const struct bpf_insn *code;

	trace->shape.can_sleep = can_sleep;
	size_t count = ic_trace_program(trace, &trace->shape.maps, &code);
	if (count == 0)
		return ic_fail_memory(starter->err);
	if (trace->code.is_too_long)
		return ic_fail(starter->err, IC_ERROR_UNSUPPORTED, "the BPF program is too long");
	const struct ic_bpf_program program = { .code = code,
						.count = (uint32_t)count,
						.is_multi = starter->is_multi,
						.can_sleep = can_sleep };
	starter->program = ic_bpf_program_load(&program, starter->err);
	return starter->program >= 0;
}

static bool attach_all(struct starter *starter, bool are_returns)
{
	uint32_t first_return = starter->place_count - starter->return_count;
	uint32_t first = are_returns ? first_return : 0;
	uint32_t last = are_returns ? starter->place_count : first_return;

	starter->places.is_returned = are_returns;
	return first == last || attach_copies(starter, first, last);
}

// A program that cannot sleep does not read memory that is not resident. On Linux 6.1, which sets
// probes one by one, programs that can sleep made some traced programs crash.
static bool load_and_attach(struct starter *starter)
{
	struct ic_trace *trace = starter->trace;

	starter->is_multi = !trace->shape.is_kernel && ic_bpf_has_multi();
	if (!(starter->is_multi && load_program(starter, true)) && !load_program(starter, false))
		return false;
	// Of kprobes at one place the last one set runs first, and one of a return replaces the
	// return address, which is the caller that the others read.
	bool returns_first = trace->shape.is_kernel;
	return attach_all(starter, returns_first) && attach_all(starter, !returns_first);
}

uint64_t ic_trace_start_time(const struct ic_trace *trace)
{
	return trace->start_time;
}

static bool check_start(const struct ic_trace *trace, uint32_t pid, struct ic_error *err)
{
	if (!trace->is_native)
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: is not a program for this machine",
			       trace->path);
	if (trace->shape.is_kernel && pid)
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "a kernel can only be traced in all processes");
	return !trace->counted || ic_fail(err, IC_ERROR_ARGUMENT, "the trace was already started");
}

// Sets the probes. False if there is nothing to trace, or on failure.
static bool set_probes(struct ic_trace *trace, uint32_t pid, struct ic_error *err)
{
	struct starter starter = { .trace = trace,
				   .program = -1,
				   .places = { .path = trace->shape.is_kernel ? NULL : trace->path,
					       .pid = pid },
				   .err = err };

	trace->shape.has_processes &= pid != 0;
	if (trace->shape.has_processes)
		starter.places.pid = 0;
	bool ok = find_places(&starter) && make_maps(trace, starter.err) &&
		  (!trace->shape.has_processes || ic_trace_follow(trace, pid, starter.err)) &&
		  load_and_attach(&starter);
	if (starter.program >= 0)
		close(starter.program); // links keep it loaded
	free(starter.offsets);
	free(starter.cookies);
	if (ok && trace->links.count == 0)
		ok = ic_fail(starter.err, IC_ERROR_SYSTEM,
			     "%s: the kernel cannot probe any of the copies", trace->path);
	return ok;
}

bool ic_trace_start_all(struct ic_trace *const *traces, size_t count, uint32_t pid,
			struct ic_error *err)
{
	struct ic_error unwanted;
	bool ok = true;

	for (size_t i = 0; i < count; i++) // one that was started before goes on
		if (!check_start(traces[i], pid, err ? err : &unwanted))
			return false;
	for (size_t i = 0; ok && i < count; i++)
		ok = set_probes(traces[i], pid, err ? err : &unwanted);
	if (!ok) {
		for (size_t i = 0; i < count; i++)
			ic_trace_stop(traces[i]);
		return false;
	}
	uint64_t now = ic_clock_now();
	for (size_t i = 0; i < count; i++) {
		traces[i]->start_time = now;
		ic_trace_epoch_set(traces[i], 1); // probes are set one by one: none counted before
	}
	return true;
}

bool ic_trace_start(struct ic_trace *trace, uint32_t pid, struct ic_error *err)
{
	return ic_trace_start_all(&trace, 1, pid, err);
}

void ic_trace_stop(struct ic_trace *trace)
{
	for (uint32_t i = 0; i < trace->links.count; i++)
		close(trace->links.items[i]);
	trace->links.count = 0;
}

static void close_map(int *descriptor)
{
	if (*descriptor >= 0)
		close(*descriptor);
	*descriptor = -1;
}

void ic_trace_close(struct ic_trace *trace)
{
	ic_trace_stop(trace);
	IC_ARRAY_FREE(&trace->links);
	ic_ring_unmap(&trace->ring);
	if (!trace->counted)
		return; // the maps of ic_trace_program() are not ours
	munmap(trace->counted, trace->counted_size);
	trace->counted = NULL;
	close_map(&trace->shape.maps.copies);
	close_map(&trace->shape.maps.slots);
	close_map(&trace->shape.maps.ring);
	close_map(&trace->shape.maps.groups);
	close_map(&trace->shape.maps.zeros);
	close_map(&trace->shape.maps.processes);
}
