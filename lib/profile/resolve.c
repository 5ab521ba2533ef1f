// Finds the frames at all locations of a profile.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "profile/profile.h"

// ---- Functions

struct function_key { // of one function, whatever files have copies of it
	uint32_t name, decl_file, decl_line;
	uint32_t file; // if it is not known where it is declared; else IC_NONE
};

// The number of a function; IC_NONE if memory is out. `frame` is NULL if nothing is known.
static uint32_t add_function(struct ic_profile *profile, const struct ic_frame *frame,
			     uint32_t file)
{
	static const struct ic_frame nothing = { .function = NULL };

	if (!frame)
		frame = &nothing;
	const char *name = frame->display_name ? frame->display_name : frame->function;
	struct ic_profile_keys *keys = &profile->function_keys;
	const struct function_key key = { ic_profile_keys_text(keys, name),
					  ic_profile_keys_text(keys, frame->decl_file),
					  frame->decl_line, frame->decl_file ? IC_NONE : file };
	uint32_t *place = ic_profile_keys_at(keys, &key, sizeof(key));
	if (!place || *place != IC_NONE)
		return place ? *place : IC_NONE;
	struct ic_profile_function *function = IC_ARRAY_PUSH(&profile->functions);
	if (!function)
		return IC_NONE;
	*function = (struct ic_profile_function){ name, frame->linkage_name, frame->decl_file,
						  frame->decl_line, file };
	return *place = profile->functions.count - 1;
}

static bool add_frame(struct ic_profile *profile, const struct ic_frame *frame, uint32_t file)
{
	uint32_t function = add_function(profile, frame, file);
	struct ic_profile_frame *place = IC_ARRAY_PUSH(&profile->frames);

	if (!place || function == IC_NONE)
		return false;
	*place = (struct ic_profile_frame){ .function = function };
	if (frame) {
		place->source = frame->file;
		place->line = frame->line;
		place->inlined = frame->inlined;
	}
	return true;
}

static bool add_frames(struct ic_profile *profile, struct ic_profile_location *location,
		       const struct ic_space_answer *answer)
{
	location->first_frame = profile->frames.count;
	for (size_t i = 0; i < answer->frame_count; i++)
		if (!add_frame(profile, &answer->frames[i], location->file))
			return false;
	if (answer->frame_count == 0 && !add_frame(profile, NULL, location->file))
		return false;
	location->frame_count = profile->frames.count - location->first_frame;
	return true;
}

// ---- Files

static void complain(struct ic_profile *profile, const char *file, const char *message)
{
	struct ic_error err;

	profile->problems.file = file;
	ic_fail(&err, IC_ERROR_NOT_FOUND, "%s", message);
	ic_problems_add(&profile->problems, &err, NULL, 0);
	ic_problems_finish(&profile->problems, NULL, 0);
}

static void copy_problems(struct ic_profile *profile, struct ic_symbolizer *symbolizer,
			  const char *path)
{
	struct ic_index_problem problem;

	for (uint64_t i = 0; ic_symbolizer_problem_get(symbolizer, i, &problem); i++) {
		const struct ic_problem copy = { problem.section, problem.offset,
						 ic_profile_text(profile, problem.message),
						 problem.file ? problem.file : path,
						 problem.is_note };
		if (copy.message)
			ic_problems_copy(&profile->problems, &copy, 1);
	}
}

// Says once of a file what is wrong with it.
static void report_file(struct ic_profile *profile, struct ic_profile_file *file,
			const struct ic_space_answer *answer)
{
	if (file->is_reported)
		return;
	file->is_reported = true;
	if (answer->status == IC_SPACE_UNOPENED && answer->reason)
		complain(profile, file->path, answer->reason);
	else if (answer->symbolizer)
		copy_problems(profile, answer->symbolizer, file->path);
}

struct batch { // addresses that are looked up together
	struct ic_space *space;
	uint64_t *addrs;
	uint32_t *locations; // their numbers
	size_t count;
};

static bool find(struct ic_profile *profile, const struct batch *batch,
		 struct ic_space_answers **answers, struct ic_error *err)
{
	struct ic_space_answer answer;

	*answers = ic_space_find(batch->space, batch->addrs, batch->count, err);
	if (!*answers)
		return false;
	for (size_t i = 0; i < batch->count; i++) {
		struct ic_profile_location *location =
			&profile->locations.items[batch->locations[i]];
		ic_space_answers_get(*answers, i, &answer);
		if (!add_frames(profile, location, &answer))
			return ic_fail_memory(err);
		report_file(profile, &profile->files.items[location->file], &answer);
	}
	return true;
}

// Maps each file from its beginning, one behind the other: so an address is that of the file's
// first byte here, and an offset.
static bool map_files(struct ic_profile *profile, uint64_t *starts, struct ic_error *err)
{
	uint64_t next = 1;
	bool ok = true;

	for (uint32_t i = 0; ok && i < profile->files.count; i++) {
		const struct ic_profile_file *file = &profile->files.items[i];
		if (file->kind != IC_PROFILE_DISK || file->locations.count == 0)
			continue;
		uint64_t end = next + file->last_addr + 1;
		ok = end > next &&
		     ic_profile_file_map(profile, file, next, end, 0, profile->space, err);
		starts[i] = next;
		next = end;
	}
	return ok;
}

// ---- The kernel

// Whether the running kernel is the one of the recording, where it was then.
static bool is_running(const struct ic_profile *profile)
{
	struct utsname name;
	uint64_t addr, start = 0;
	char kind, symbol[64], line[256];

	if (!profile->release || uname(&name) != 0 || strcmp(name.release, profile->release) != 0)
		return false;
	FILE *symbols = fopen("/proc/kallsyms", "re");
	if (!symbols)
		return false;
	while (start == 0 && fgets(line, sizeof(line), symbols))
		if (sscanf(line, "%" SCNx64 " %c %63s", &addr, &kind, symbol) == 3 &&
		    strcmp(symbol, "_text") == 0)
			start = addr;
	fclose(symbols);
	return start != 0 && start == profile->kernel_start;
}

static bool open_kernel(struct ic_profile *profile, struct ic_profile_file *file)
{
	struct ic_error err;

	file->is_reported = true;
	if (!is_running(profile)) {
		complain(profile, file->path,
			 "not the kernel that runs, or not since its last start: addresses in it "
			 "are not known");
		return false;
	}
	if (ic_space_read_kernel(profile->kernel, NULL, &err))
		return true;
	complain(profile, file->path, err.message);
	return false;
}

// ---- All

static bool find_all(struct ic_profile *profile, const uint64_t *starts, struct batch *disk,
		     struct batch *kernel, struct ic_error *err)
{
	static const struct ic_space_answer nothing = { .status = IC_SPACE_NONE };

	for (uint32_t i = 0; i < profile->locations.count; i++) {
		struct ic_profile_location *location = &profile->locations.items[i];
		struct ic_profile_file *file = &profile->files.items[location->file];
		struct batch *batch = file->kind == IC_PROFILE_DISK     ? disk
				      : file->kind == IC_PROFILE_KERNEL ? kernel
									: NULL;
		if (batch && batch->space) {
			batch->locations[batch->count] = i;
			batch->addrs[batch->count++] = location->addr + starts[location->file];
		} else if (!add_frames(profile, location, &nothing)) {
			return ic_fail_memory(err);
		}
	}
	return find(profile, disk, &profile->answers, err) &&
	       (!kernel->space || find(profile, kernel, &profile->kernel_answers, err));
}

static bool alloc_batch(struct batch *batch, uint32_t count)
{
	batch->addrs = ic_items_alloc(count + 1ull, sizeof(*batch->addrs));
	batch->locations = ic_items_alloc(count + 1ull, sizeof(*batch->locations));
	return batch->addrs && batch->locations;
}

bool ic_profile_resolve(struct ic_profile *profile, struct ic_error *err)
{
	struct batch disk = { .count = 0 }, kernel = { .count = 0 };
	uint64_t *starts = ic_items_zeroed(profile->files.count + 1ull, sizeof(*starts));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	profile->space = ic_space_new(profile->modules, err);
	profile->kernel = ic_space_new(profile->modules, err);
	disk.space = profile->space;
	for (uint32_t i = 0; i < profile->files.count; i++)
		if (profile->files.items[i].kind == IC_PROFILE_KERNEL &&
		    open_kernel(profile, &profile->files.items[i]))
			kernel.space = profile->kernel;
	bool ok = (starts && profile->space && profile->kernel &&
		   alloc_batch(&disk, profile->locations.count) &&
		   alloc_batch(&kernel, profile->locations.count)) ||
		  ic_fail_memory(err);
	ok = ok && map_files(profile, starts, err) &&
	     find_all(profile, starts, &disk, &kernel, err);
	free(starts);
	free(disk.addrs);
	free(disk.locations);
	free(kernel.addrs);
	free(kernel.locations);
	profile->is_resolved = ok;
	return ok;
}
