// Adds the samples of a perf recording to a profile.
#include "recording/perf/read.h"

#include <inttypes.h>

#include "profile/recorded_kernel.h"
#include "recording/perf/file.h"
#include "recording/perf/user_stacks.h"

enum { MOST_CHAIN = 1 << 16 };

struct reader {
	struct ic_profile *profile;
	struct ic_perf_file file;
	struct ic_processes processes;
	struct ic_user_stacks user_stacks;
	uint32_t first_event;                 // index in the profile of the file's first event
	uint32_t kernel;                      // index of its file
	uint32_t kernel_code;                 // the same for code that it made itself
	struct ic_mapping_space kernel_space; // mappings of that code: its "files" are indexes of
					      // names, IC_NONE for code that has files, or is gone
	IC_ARRAY(uint32_t) chain;             // locations of a sample, innermost first
	uint64_t faults;                      // unreadable records
	uint64_t deferred;                    // chains whose user part is in another record
};

static void report_problem(struct reader *reader, const struct ic_error *err)
{
	reader->faults++;
	ic_problems_add(&reader->profile->problems, err, NULL, 0);
}

// ---- Mappings

static uint32_t add_file(struct reader *reader, const struct ic_perf_mapping *mapping)
{
	struct ic_profile_file file = { .path = mapping->path,
					.kind = ic_profile_file_kind_of(mapping->path),
					.start = mapping->start,
					.offset = mapping->offset };
	const struct ic_perf_build_id *known = ic_perf_file_build_id(&reader->file, mapping->path);

	if (file.kind == IC_PROFILE_MEMORY) {
		file.pid = mapping->pid;
		file.start = file.offset = 0;
	} else if (mapping->build_id_size > 0) {
		memcpy(file.build_id, mapping->build_id, mapping->build_id_size);
		file.build_id_size = mapping->build_id_size;
	} else if (known) {
		memcpy(file.build_id, known->bytes, known->size);
		file.build_id_size = known->size;
	}
	return ic_profile_file_add(reader->profile, &file);
}

static bool map_kernel(struct reader *reader, const struct ic_perf_mapping *mapping)
{
	const struct ic_perf_build_id *known = ic_perf_file_build_id(&reader->file, mapping->path);
	struct ic_bytes build_id = { mapping->build_id, mapping->build_id_size };
	const struct ic_mapped module = { mapping->start, mapping->start + mapping->size, 0,
					  IC_NONE };

	if (build_id.size == 0 && known)
		build_id = (struct ic_bytes){ known->bytes, known->size };
	ic_mappings_put(&reader->processes.mappings, &reader->kernel_space, &module);
	return !reader->processes.mappings.out_of_memory &&
	       ic_profile_kernel_map(reader->profile, mapping->path, mapping->start, mapping->size,
				     mapping->offset, build_id);
}

static bool read_mapping(struct reader *reader, const struct ic_perf_record *record,
			 struct ic_error *err)
{
	struct ic_perf_mapping mapping;

	if (!ic_perf_mapping_read(record, &mapping, err)) {
		report_problem(reader, err);
		return true;
	}
	if ((record->misc & IC_PERF_MISC_CPU_MODE) == IC_PERF_MISC_KERNEL)
		return map_kernel(reader, &mapping);
	if (!mapping.is_code)
		return true;
	const struct ic_mapped mapped = { mapping.start, mapping.start + mapping.size,
					  mapping.offset, add_file(reader, &mapping) };
	return mapped.file != IC_NONE && ic_processes_map(&reader->processes, mapping.pid, &mapped);
}

// Code made by the kernel, such as BPF programs, or removed.
static bool read_kernel_code(struct reader *reader, const struct ic_perf_record *record,
			     struct ic_error *err)
{
	struct ic_perf_code code;

	if (!ic_perf_code_read(record, &code, err)) {
		report_problem(reader, err);
		return true;
	}
	const struct ic_bytes name = { (const uint8_t *)code.name, strlen(code.name) };
	uint32_t number = code.is_gone ? IC_NONE : ic_profile_text_number(reader->profile, name);
	const struct ic_mapped mapped = { code.start, code.start + code.size, 0, number };
	ic_mappings_put(&reader->processes.mappings, &reader->kernel_space, &mapped);
	return (code.is_gone || number != IC_NONE) && !reader->processes.mappings.out_of_memory;
}

// ---- Samples

// The location of code made by the kernel itself, which has only a name.
static uint32_t kernel_code_location(struct reader *reader, const struct ic_mapped *code)
{
	static const struct ic_profile_file file = { .path = "[kernel]",
						     .kind = IC_PROFILE_NAMES,
						     .is_kernel = true };
	const struct ic_profile_given frame = ic_profile_given_name(code->file, false);

	if (reader->kernel_code == IC_NONE)
		reader->kernel_code = ic_profile_file_add(reader->profile, &file);
	return reader->kernel_code == IC_NONE
		       ? IC_NONE
		       : ic_profile_named_location_add(reader->profile, reader->kernel_code, &frame,
						       1);
}

static uint32_t kernel_location(struct reader *reader, uint64_t addr)
{
	const struct ic_mapped *code =
		ic_mappings_find(&reader->processes.mappings, reader->kernel_space, addr);

	if (code && code->file != IC_NONE)
		return kernel_code_location(reader, code);
	if (reader->kernel == IC_NONE)
		reader->kernel = ic_profile_kernel_file(reader->profile);
	return reader->kernel == IC_NONE
		       ? IC_NONE
		       : ic_profile_location_add(reader->profile, reader->kernel, addr);
}

static bool push_address(struct reader *reader, uint32_t pid, bool is_kernel, uint64_t addr,
			 bool is_caller)
{
	uint32_t location, *place;

	addr -= is_caller;
	if (is_kernel)
		location = kernel_location(reader, addr);
	else if (!ic_processes_location(&reader->processes, pid, addr, &location))
		return false;
	place = location == IC_NONE ? NULL : IC_ARRAY_PUSH(&reader->chain);
	if (!place)
		return false;
	*place = location;
	reader->profile->locations.items[location].is_caller |= is_caller;
	return true;
}

// The addresses of a chain. The first one after a mark is where the code was, in the kernel or in
// user mode; the others are return addresses.
static bool read_chain(struct reader *reader, const struct ic_perf_sample *sample, bool is_kernel)
{
	enum { MARK_USER_DEFERRED = -640 };
	struct ic_cursor chain = sample->chain;
	bool is_exact = true, is_other = false;

	for (uint64_t i = 0; i < sample->chain_count && i < MOST_CHAIN; i++) {
		uint64_t addr = ic_cursor_u64(&chain);
		if (IC_PERF_IS_MARK(addr)) {
			is_kernel = addr == IC_PERF_MARK_KERNEL;
			is_other = !is_kernel && addr != IC_PERF_MARK_USER; // such as a guest's
			reader->deferred += addr == (uint64_t)(int64_t)MARK_USER_DEFERRED;
			is_exact = true;
			continue;
		}
		if (!is_other && addr != 0 &&
		    !push_address(reader, sample->pid, is_kernel, addr, !is_exact))
			return false;
		is_exact = false;
	}
	return true;
}

// The user part of a stack, which was copied: the chain has only the kernel's.
static bool read_user_stack(struct reader *reader, const struct ic_perf_sample *sample,
			    uint32_t event, struct ic_error *err)
{
	struct ic_user_stacks *stacks = &reader->user_stacks;
	bool ok = ic_user_stacks_unwind(stacks, &reader->file.events.items[event], sample, err);

	for (uint32_t i = 0; ok && i < stacks->addrs.count; i++)
		ok = push_address(reader, sample->pid, false, stacks->addrs.items[i], false);
	reader->profile->events.items[reader->first_event + event].cut_stacks += stacks->is_cut;
	return ok;
}

static bool add_stack(struct reader *reader, uint32_t *node)
{
	*node = IC_NONE;
	for (uint32_t i = reader->chain.count; i > 0; i--) {
		if (!ic_profile_node_add(reader->profile, *node, reader->chain.items[i - 1], node))
			return false;
		if (*node == IC_NONE)
			break;
	}
	return true;
}

static bool read_sample(struct reader *reader, const struct ic_perf_record *record, uint32_t number,
			struct ic_error *err)
{
	struct ic_perf_sample sample;
	uint64_t time = ic_perf_record_time(record, &reader->file.events.items[number]);
	uint32_t thread, node;

	if (!ic_perf_sample_read(record, &reader->file.events.items[number], &sample, err)) {
		report_problem(reader, err);
		return true;
	}
	bool is_kernel = (record->misc & IC_PERF_MISC_CPU_MODE) == IC_PERF_MISC_KERNEL;
	reader->chain.count = 0;
	bool ok = read_chain(reader, &sample, is_kernel) &&
		  (sample.stack.size == 0 || read_user_stack(reader, &sample, number, err));
	if (ok && reader->chain.count == 0)
		ok = push_address(reader, sample.pid, is_kernel, sample.ip, false);
	return ok && add_stack(reader, &node) &&
	       ic_processes_thread(&reader->processes, sample.pid, sample.tid, &thread) &&
	       ic_profile_sample_add(reader->profile,
				     &(struct ic_profile_cell){ node, thread,
								reader->first_event + number,
								sample.period, 1 },
				     time ? time : IC_PROFILE_NO_TIME);
}

// ---- Records

static bool read_task(struct reader *reader, const struct ic_perf_record *record,
		      struct ic_error *err)
{
	struct ic_task task;

	if (!ic_perf_task_read(record, &task, err)) {
		report_problem(reader, err);
		return true;
	}
	switch (record->type) {
	case IC_PERF_COMM:
		return ic_processes_name(&reader->processes, &task,
					 record->misc & IC_PERF_MISC_EXEC);
	case IC_PERF_FORK: return ic_processes_fork(&reader->processes, &task);
	default: ic_processes_end(&reader->processes, &task); return true;
	}
}

static void read_lost(struct reader *reader, const struct ic_perf_record *record)
{
	struct ic_cursor cur = record->body;

	if (record->type == IC_PERF_LOST)
		ic_cursor_u64(&cur); // which event
	reader->profile->lost += ic_cursor_u64(&cur);
}

static bool read_record(struct reader *reader, const struct ic_perf_record *record, uint32_t event,
			struct ic_error *err)
{
	switch (record->type) {
	case IC_PERF_MMAP:
	case IC_PERF_MMAP2: return read_mapping(reader, record, err);
	case IC_PERF_SAMPLE: return read_sample(reader, record, event, err);
	case IC_PERF_COMM:
	case IC_PERF_FORK:
	case IC_PERF_EXIT: return read_task(reader, record, err);
	case IC_PERF_KSYMBOL: return read_kernel_code(reader, record, err);
	case IC_PERF_LOST:
	case IC_PERF_LOST_SAMPLES: read_lost(reader, record); return true;
	}
	return true;
}

static bool add_events(struct reader *reader)
{
	reader->first_event = reader->profile->events.count;
	for (uint32_t i = 0; i < reader->file.events.count; i++) {
		const struct ic_perf_event *event = &reader->file.events.items[i];
		bool is_clock = event->type == 1 && event->config <= 1;
		const char *name = event->name ? ic_profile_text(reader->profile, event->name)
					       : NULL;
		if ((event->name && !name) ||
		    ic_profile_event_add(reader->profile, name, is_clock ? "nanoseconds" : NULL) ==
			    IC_NONE)
			return false;
	}
	return true;
}

// For the kernel, which perf calls by a name of its own, or by that of a file.
static void find_kernel_build_id(const struct ic_perf_file *file, struct ic_profile_kernel *kernel)
{
	const struct ic_perf_build_id *known = ic_perf_file_build_id(file, "[kernel.kallsyms]");

	for (uint32_t i = 0; !known && i < file->build_ids.count; i++) {
		struct ic_bytes path = ic_byte_pool_get(&file->build_id_paths, i);
		if (file->build_ids.items[i].is_kernel &&
		    memmem(path.data, path.size, "/vmlinux", 8))
			known = &file->build_ids.items[i];
	}
	if (!known)
		return;
	memcpy(kernel->build_id, known->bytes, known->size);
	kernel->build_id_size = known->size;
}

static bool read_records(struct reader *reader, struct ic_error *err)
{
	struct ic_perf_record record;
	uint32_t event;
	bool ok = add_events(reader);

	for (uint32_t i = 0; ok && ic_perf_file_get(&reader->file, i, &record, &event); i++)
		ok = read_record(reader, &record, event, err);
	if (!ok)
		return ic_fail_memory(err);
	if (reader->file.skipped + reader->deferred > 0) {
		ic_fail(err, IC_ERROR_UNSUPPORTED,
			"not supported: %" PRIu64 " records of guests or of hardware traces, and "
			"the deferred user part of %" PRIu64 " stacks",
			reader->file.skipped, reader->deferred);
		report_problem(reader, err);
	}
	return true;
}

bool ic_perf_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
{
	struct reader reader = { .profile = profile,
				 .processes = { .profile = profile },
				 .kernel = IC_NONE,
				 .kernel_code = IC_NONE,
				 .kernel_space = IC_MAPPING_SPACE_EMPTY };

	bool ok = ic_perf_file_open(&reader.file, bytes, &profile->problems, err);
	ic_user_stacks_init(&reader.user_stacks, &reader.processes, reader.file.machine,
			    reader.file.swap != IC_HOST_IS_BIG_ENDIAN);
	ok = ok && read_records(&reader, err);
	struct ic_profile_kernel *kernel = ic_profile_kernel(profile);
	if (ok && reader.file.release)
		kernel->release = ic_profile_text(profile, reader.file.release);
	if (ok && kernel->build_id_size == 0)
		find_kernel_build_id(&reader.file, kernel);
	ic_user_stacks_free(&reader.user_stacks);
	ic_perf_file_close(&reader.file);
	ic_processes_free(&reader.processes);
	IC_ARRAY_FREE(&reader.chain);
	return ok;
}
