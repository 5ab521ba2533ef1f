// Adds the samples of perf script's output. What perf prints as an address is one, or a file
// offset, depending on its version; so the printed names decide.
#include "recording/text/script.h"

#include <inttypes.h>

#include "profile/recorded_kernel.h"
#include "recording/processes/processes.h"
#include "recording/text/script_line.h"
#include "text/text.h"

enum { MOST_EVENTS = 1 << 10 };

struct reader {
	struct ic_profile *profile;
	struct ic_bytes left; // rest of the text
	uint64_t line, wrong, first_wrong;
	bool lacks_threads;  // there are stacks, but no thread for them
	uint64_t inlined_at; // the address of `frames`
	struct ic_processes processes;
	IC_ARRAY(uint32_t) stack;                 // locations of the sample, innermost first
	IC_ARRAY(struct ic_profile_given) frames; // of the current location, innermost first
	struct ic_script_sample sample;
	bool in_sample, is_exact; // is_exact: no frame of the sample was read yet
	bool has_head_frame;      // the line that starts the sample also has a frame
	bool has_addresses;       // programs have addresses, not offsets
	uint32_t first_event;     // index in the profile of the text's first event
	uint64_t misnamed;        // samples of events beyond those that are told apart
	bool is_cut;              // the text ends within a line
	uint64_t unplaced;        // frames whose file is known, but not its mapping
};

static bool take_line(struct reader *reader, struct ic_bytes *line)
{
	reader->line++;
	return ic_text_take_line(&reader->left, line);
}

static const char *copy_text(struct reader *reader, struct ic_bytes text)
{
	return ic_profile_text_at(reader->profile, ic_profile_text_number(reader->profile, text));
}

static bool is_text(struct ic_bytes text, const char *wanted)
{
	return text.size == strlen(wanted) && memcmp(text.data, wanted, text.size) == 0;
}

// Not for "//anon", or names listed by a JIT compiler.
static bool is_path(struct ic_bytes file)
{
	static const char list[] = "/tmp/perf-";

	return file.size > 1 && file.data[0] == '/' && file.data[1] != '/' &&
	       (file.size < sizeof(list) || memcmp(file.data, list, sizeof(list) - 1) != 0);
}

// "[kernel.kallsyms]", "[ext4]" and others, except those mapped into programs.
static bool is_of_kernel(struct ic_bytes file)
{
	static const char *const others[] = { "[vdso", "[vvar",    "[vsyscall", "[heap",   "[stack",
					      "[anon", "[uprobes", "[vectors",  "[sigpage" };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (file.size >= strlen(others[i]) &&
		    memcmp(file.data, others[i], strlen(others[i])) == 0)
			return false;
	return file.size > 2 && file.data[0] == '[';
}

// ---- Places

static uint32_t add_file(struct reader *reader, const char *path, enum ic_profile_file_kind kind)
{
	const struct ic_profile_file file = { .path = path,
					      .kind = kind,
					      .pid = kind == IC_PROFILE_MEMORY ? reader->sample.pid
									       : 0 };

	return path ? ic_profile_file_add(reader->profile, &file) : IC_NONE;
}

// The location of the collected frames, of which only the names are known.
static uint32_t add_named(struct reader *reader, struct ic_bytes path)
{
	uint32_t file = add_file(reader, path.size > 0 ? copy_text(reader, path) : "[unknown]",
				 IC_PROFILE_NAMES);

	return file == IC_NONE
		       ? IC_NONE
		       : ic_profile_named_location_add(reader->profile, file, reader->frames.items,
						       reader->frames.count);
}

// The location of an address, for which the frames were collected.
static uint32_t locate_frame(struct reader *reader, const struct ic_script_frame *frame,
			     bool has_names)
{
	struct ic_profile *profile = reader->profile;
	uint64_t addr = frame->addr - (reader->is_exact || frame->addr == 0 ? 0 : 1);
	uint32_t file, location;

	if (is_of_kernel(frame->file)) {
		file = ic_profile_kernel_file(profile);
	} else if (frame->file.size == 0 && frame->addr >> 63) {
		file = ic_profile_kernel_file(profile);
	} else if (!is_path(frame->file) && has_names) {
		return add_named(reader, frame->file);
	} else if (frame->file.size == 0) {
		return ic_processes_location(&reader->processes, reader->sample.pid, addr,
					     &location)
			       ? location
			       : IC_NONE;
	} else if (!is_path(frame->file)) {
		file = add_file(reader, copy_text(reader, frame->file), IC_PROFILE_MEMORY);
	} else if (frame->has_offset || !reader->has_addresses) {
		file = add_file(reader, copy_text(reader, frame->file), IC_PROFILE_DISK);
		if (frame->has_offset)
			addr = frame->file_offset -
			       (reader->is_exact || frame->file_offset == 0 ? 0 : 1);
	} else {
		if (!ic_processes_location(&reader->processes, reader->sample.pid, addr, &location))
			return IC_NONE;
		uint32_t of = profile->locations.items[location].file;
		if (profile->files.items[of].kind == IC_PROFILE_DISK)
			return location;
		reader->unplaced++;
		return add_named(reader, frame->file);
	}
	location = file == IC_NONE ? IC_NONE : ic_profile_location_add(profile, file, addr);
	// A call that does not return may be the last of a function, with its return address in the
	// next one.
	bool is_behind = frame->in_function == 0 && frame->addr != addr;
	if (location != IC_NONE && is_path(frame->file) && !frame->has_offset && !is_behind) {
		struct ic_profile_location *place = &profile->locations.items[location];
		place->must_have_name = true;
		place->in_function = frame->in_function;
		if (frame->in_function != UINT64_MAX)
			place->in_function -= frame->addr - addr;
	}
	return location;
}

static bool add_given(struct reader *reader, const struct ic_script_frame *frame, bool inlined)
{
	struct ic_profile_given *place = IC_ARRAY_PUSH(&reader->frames);

	if (!place)
		return false;
	*place = ic_profile_given_name(IC_NONE, inlined);
	if (!frame->name.data)
		return true;
	place->name = ic_profile_text_number(reader->profile, frame->name);
	return place->name != IC_NONE;
}

// Functions that perf marked as inlined, without a line for the one they were inlined into: the
// last one takes its place.
static bool end_inlined(struct reader *reader)
{
	if (reader->frames.count == 0)
		return true;
	reader->frames.items[reader->frames.count - 1].inlined = 0;
	uint32_t *place = IC_ARRAY_PUSH(&reader->stack);
	if (place)
		*place = add_named(reader, (struct ic_bytes){ NULL, 0 });
	reader->frames.count = 0;
	reader->is_exact = false;
	return place && *place != IC_NONE;
}

// A function that perf found to be inlined belongs to the line below it.
static bool add_frame(struct reader *reader, const struct ic_script_frame *frame)
{
	bool inlined = is_text(frame->file, "inlined");

	if (reader->frames.count > 0 && frame->addr != reader->inlined_at && !end_inlined(reader))
		return false;
	reader->inlined_at = frame->addr;
	if (!frame->name.data && reader->frames.count == 0 && frame->addr == 0)
		return true; // where perf could not continue
	if (!add_given(reader, frame, inlined))
		return false;
	if (inlined)
		return true;
	bool has_names = frame->name.data || reader->frames.count > 1;
	uint32_t location = locate_frame(reader, frame, has_names);
	uint32_t *place = IC_ARRAY_PUSH(&reader->stack);
	bool ok = location != IC_NONE && place &&
		  (!has_names ||
		   ic_profile_location_give(reader->profile, location, reader->frames.items,
					    reader->frames.count));
	if (ok) {
		*place = location;
		reader->profile->locations.items[location].is_caller |= !reader->is_exact;
	}
	reader->frames.count = 0;
	reader->is_exact = false;
	return ok;
}

// ---- Samples

static uint32_t event_of(struct reader *reader, struct ic_bytes name)
{
	const struct ic_profile *profile = reader->profile;
	const char *text = name.data ? copy_text(reader, name) : NULL;

	if (name.data && !text)
		return IC_NONE;
	for (uint32_t i = reader->first_event; i < profile->events.count; i++)
		if (profile->events.items[i].name == text)
			return i;
	if (profile->events.count - reader->first_event >= MOST_EVENTS) {
		reader->misnamed++;
		return profile->events.count - 1;
	}
	bool is_clock =
		text && reader->sample.has_period &&
		(strncmp(text, "cpu-clock", 9) == 0 || strncmp(text, "task-clock", 10) == 0);
	return ic_profile_event_add(reader->profile, text, is_clock ? "nanoseconds" : NULL);
}

static bool end_sample(struct reader *reader)
{
	struct ic_profile *profile = reader->profile;
	const struct ic_script_sample *sample = &reader->sample;

	if (!reader->in_sample)
		return true;
	reader->in_sample = false;
	if (!end_inlined(reader))
		return false;
	const char *name = sample->thread.data ? copy_text(reader, sample->thread) : NULL;
	const struct ic_profile_thread thread = { sample->pid, sample->tid, name, false };
	struct ic_profile_cell cell = { IC_NONE, ic_profile_thread_add(profile, &thread),
					event_of(reader, sample->event), sample->period, 1 };
	if (reader->stack.count == 0) {
		uint32_t file = add_file(reader, "[unknown]", IC_PROFILE_NOWHERE);
		uint32_t *place = IC_ARRAY_PUSH(&reader->stack);
		if (file == IC_NONE || !place)
			return false;
		*place = ic_profile_location_add(profile, file, 0);
	}
	for (uint32_t i = reader->stack.count; i > 0; i--) {
		uint32_t location = reader->stack.items[i - 1];
		if (location == IC_NONE ||
		    !ic_profile_node_add(profile, cell.node, location, &cell.node))
			return false;
		if (cell.node == IC_NONE)
			break;
	}
	return (name || !sample->thread.data) && cell.thread != IC_NONE && cell.event != IC_NONE &&
	       ic_profile_sample_add(profile, &cell, sample->time);
}

static bool begin_sample(struct reader *reader, const struct ic_script_sample *sample,
			 struct ic_bytes rest)
{
	struct ic_script_frame frame;

	if (!end_sample(reader))
		return false;
	reader->sample = *sample;
	reader->in_sample = reader->is_exact = true;
	reader->stack.count = reader->frames.count = 0;
	reader->has_head_frame = ic_script_frame_line(rest, &frame);
	return !reader->has_head_frame || add_frame(reader, &frame);
}

static void count_wrong(struct reader *reader)
{
	if (reader->wrong++ == 0)
		reader->first_wrong = reader->line;
}

static bool add_mapping(struct reader *reader, const struct ic_script_mapping *mapping)
{
	const char *path = copy_text(reader, mapping->path);

	if (!path)
		return false;
	if (mapping->pid == UINT32_MAX)
		return ic_profile_kernel_map(reader->profile, path, mapping->start, mapping->size,
					     mapping->offset, (struct ic_bytes){ NULL, 0 });
	if (!mapping->is_code)
		return true;
	reader->sample.pid = mapping->pid; // for the memory of the process
	const struct ic_mapped mapped = { mapping->start, mapping->start + mapping->size,
					  mapping->offset,
					  add_file(reader, path, ic_profile_file_kind_of(path)) };
	if (mapped.end < mapped.start || mapped.offset + mapping->size < mapped.offset) {
		count_wrong(reader);
		return true;
	}
	return mapped.file != IC_NONE &&
	       ic_processes_map(&reader->processes, mapping->pid, &mapped);
}

// ---- Lines

static bool is_comment(struct ic_bytes line)
{
	return line.size > 0 && line.data[0] == '#';
}

// With --header: "# os release : 6.1.0"
static bool read_comment(struct reader *reader, struct ic_bytes line)
{
	static const char release[] = "# os release : ";
	size_t size = sizeof(release) - 1;

	if (line.size < size || memcmp(line.data, release, size) != 0)
		return true;
	struct ic_profile_kernel *kernel = ic_profile_kernel(reader->profile);
	kernel->release =
		copy_text(reader, (struct ic_bytes){ line.data + size, line.size - size });
	return kernel->release != NULL;
}

static bool is_blank(struct ic_bytes line)
{
	for (size_t i = 0; i < line.size; i++)
		if (line.data[i] != ' ' && line.data[i] != '\t')
			return false;
	return true;
}

static bool is_other_record(struct ic_bytes line)
{
	static const char record[] = "PERF_RECORD_";

	return memmem(line.data, line.size, record, sizeof(record) - 1) != NULL;
}

static bool read_line(struct reader *reader, struct ic_bytes line)
{
	struct ic_script_mapping mapping;
	struct ic_script_sample sample;
	struct ic_script_frame frame;
	struct ic_bytes rest;

	if (is_blank(line))
		return end_sample(reader);
	if (is_comment(line))
		return read_comment(reader, line);
	if (ic_script_mapping_line(line, &mapping))
		return end_sample(reader) && add_mapping(reader, &mapping);
	if (is_other_record(line))
		return end_sample(reader);
	if (ic_script_sample_line(line, reader->left, &sample, &rest))
		return begin_sample(reader, &sample, rest);
	if (reader->in_sample && ic_script_frame_line(line, &frame)) {
		if (reader->has_head_frame) { // it was the sample's data address (-F addr), not
					      // code
			reader->has_head_frame = false;
			reader->is_exact = true;
			reader->stack.count = reader->frames.count = 0;
		}
		return add_frame(reader, &frame);
	}
	if (reader->in_sample && ic_script_is_source_line(line))
		return true;
	reader->lacks_threads |= !reader->in_sample && ic_script_is_of_stack(line);
	count_wrong(reader);
	return true;
}

// File offsets are small: a larger one means that these are addresses.
static bool has_addresses(struct ic_bytes text)
{
	struct reader reader = { .left = text };
	struct ic_script_sample sample;
	struct ic_script_frame frame;
	struct ic_bytes line, rest;

	while (take_line(&reader, &line)) {
		if (ic_script_sample_line(line, reader.left, &sample, &rest))
			line = rest;
		if (ic_script_frame_line(line, &frame) && is_path(frame.file) &&
		    !frame.has_offset && frame.addr > UINT32_MAX)
			return true;
	}
	return false;
}

bool ic_script_is(struct ic_bytes text)
{
	enum { LOOKED_AT = 200 }; // lines to examine
	struct reader reader = { .left = text };
	struct ic_script_mapping mapping;
	struct ic_script_sample sample;
	struct ic_bytes line, rest;

	for (uint32_t i = 0; i < LOOKED_AT && take_line(&reader, &line); i += !is_comment(line))
		if (!is_comment(line) &&
		    (ic_script_is_of_stack(line) || ic_script_mapping_line(line, &mapping) ||
		     ic_script_sample_line(line, reader.left, &sample, &rest)))
			return true;
	return false;
}

static void say_what_is_not_known(struct reader *reader)
{
	struct ic_problems *problems = &reader->profile->problems;
	struct ic_error err;

	if (reader->wrong > 0) {
		ic_fail(&err, IC_ERROR_MALFORMED,
			"%" PRIu64 " lines are not perf script output, the first is line %" PRIu64
			"%s",
			reader->wrong, reader->first_wrong,
			reader->lacks_threads ? "; samples need a thread ID (perf script -F +tid)"
					      : "");
		ic_problems_add(problems, &err, NULL, 0);
	}
	if (reader->misnamed > 0) {
		ic_fail(&err, IC_ERROR_LIMIT,
			"more than %d events: %" PRIu64
			" samples are counted under a different one",
			MOST_EVENTS, reader->misnamed);
		ic_problems_add(problems, &err, NULL, 0);
	}
	if (reader->is_cut) {
		ic_fail(&err, IC_ERROR_MALFORMED, "the text ends in the middle of a line");
		ic_problems_add(problems, &err, NULL, 0);
	}
	if (reader->unplaced > 0) {
		ic_fail(&err, IC_ERROR_NOT_FOUND,
			"%" PRIu64 " frames have only the names from perf: the text has no "
			"mappings for them (perf script --show-mmap-events)",
			reader->unplaced);
		ic_problems_add(problems, &err, NULL, 0);
	}
}

bool ic_script_read(struct ic_profile *profile, struct ic_bytes text, struct ic_error *err)
{
	struct reader reader = { .profile = profile,
				 .left = text,
				 .processes = { .profile = profile },
				 .has_addresses = has_addresses(text),
				 .first_event = profile->events.count };
	struct ic_bytes line;
	bool ok = true;

	while (ok && take_line(&reader, &line))
		ok = read_line(&reader, line);
	ok = ok && end_sample(&reader);
	reader.is_cut = text.size > 0 && text.data[text.size - 1] != '\n';
	say_what_is_not_known(&reader);
	ic_processes_free(&reader.processes);
	IC_ARRAY_FREE(&reader.stack);
	IC_ARRAY_FREE(&reader.frames);
	return ok || ic_fail_memory(err);
}
