// Finds the frames at all locations of a profile.
#include <inttypes.h>
#include <stdlib.h>

#include <inlinecall/demangle.h>

#include "profile/file_map.h"
#include "profile/jit_names.h"
#include "profile/profile.h"
#include "profile/recorded_kernel.h"

enum { MOST_OF_A_NAME = 64 }; // symbols to examine

// ---- Functions

struct function_key { // identifies a function, in whichever files it has copies
	uint32_t name, decl_file, decl_line;
	uint32_t file; // only if its declaration is unknown; otherwise IC_NONE
};

// The number of a function, added if it is new; IC_NONE if memory runs out.
static uint32_t add_function(struct ic_profile *profile, const struct ic_profile_function *like)
{
	struct ic_profile_keys *keys = &profile->resolved.function_keys;
	const struct function_key key = { ic_profile_keys_text(keys, like->name),
					  ic_profile_keys_text(keys, like->decl_file),
					  like->decl_line, like->decl_file ? IC_NONE : like->file };
	uint32_t *place = ic_profile_keys_at(keys, &key, sizeof(key));

	if (!place)
		return IC_NONE;
	if (*place == IC_NONE) {
		if (!IC_ARRAY_ADD(&profile->resolved.functions, *like))
			return IC_NONE;
		return *place = profile->resolved.functions.count - 1;
	}
	// The first of its files by name: recordings have them in any order.
	struct ic_profile_function *known = &profile->resolved.functions.items[*place];
	const struct ic_profile_file *files = profile->files.items;
	if (known->file != like->file &&
	    strcmp(files[like->file].name, files[known->file].name) < 0)
		known->file = like->file;
	return *place;
}

static bool add_frame(struct ic_profile *profile, const struct ic_profile_function *function,
		      const struct ic_profile_frame *like)
{
	uint32_t number = add_function(profile, function);
	struct ic_profile_frame *place = IC_ARRAY_PUSH(&profile->resolved.frames);

	if (!place || number == IC_NONE)
		return false;
	*place = *like;
	place->function = number;
	return true;
}

static bool add_found(struct ic_profile *profile, const struct ic_frame *frame, uint32_t file)
{
	const struct ic_profile_function function = { frame->display_name ? frame->display_name
									  : frame->function,
						      frame->linkage_name, frame->decl_file,
						      frame->decl_line, file };

	return add_frame(profile, &function,
			 &(struct ic_profile_frame){ .source = frame->file,
						     .line = frame->line,
						     .start = frame->start,
						     .inlined = frame->inlined });
}

// Names are shown demangled, like those found here. NULL if unknown.
static const char *display_name(struct ic_profile *profile, uint32_t number)
{
	const char *name = ic_profile_text_at(profile, number);
	char *demangled = NULL;

	if (!name || *name != '_' || !ic_demangle(name, IC_DEMANGLE_NAME, &demangled) || !demangled)
		return name;
	number = ic_profile_text_number(
		profile, (struct ic_bytes){ (const uint8_t *)demangled, strlen(demangled) });
	free(demangled);
	return number == IC_NONE ? name : ic_profile_text_at(profile, number);
}

static bool add_given(struct ic_profile *profile, const struct ic_profile_given *given,
		      uint32_t file)
{
	const struct ic_profile_function function = {
		display_name(profile, given->name),
		ic_profile_text_at(profile, given->linkage_name),
		ic_profile_text_at(profile, given->decl_file), given->decl_line, file
	};

	return add_frame(
		profile, &function,
		&(struct ic_profile_frame){ .source = ic_profile_text_at(profile, given->source),
					    .line = given->line,
					    .start = UINT64_MAX,
					    .inlined = given->inlined != 0 });
}

static bool is_name(const char *name, const char *wanted)
{
	return name && strcmp(name, wanted) == 0;
}

// Whether the code found belongs to the recording's function at that location: a symbol with its
// name starts at the same distance before the address.
static bool has_name(const struct ic_profile *profile, const struct ic_profile_location *location,
		     const struct ic_space_answer *answer)
{
	const struct ic_profile_given *given =
		&profile->given.items[location->first_given + location->given_count - 1];
	const struct ic_frame *host = &answer->frames[answer->frame_count - 1];
	const char *wanted = ic_profile_text_at(profile, given->name);
	bool has_offset = location->in_function != UINT64_MAX;
	uint64_t start = answer->addr - location->in_function;
	struct ic_symbolizer_symbol symbol;

	if (!wanted)
		return false;
	if ((is_name(host->function, wanted) || is_name(host->linkage_name, wanted) ||
	     is_name(host->display_name, wanted)) &&
	    (!has_offset || host->start == UINT64_MAX || host->start == start))
		return true;
	for (uint32_t i = 0; answer->symbolizer && i < MOST_OF_A_NAME &&
			     ic_symbolizer_symbol_find(answer->symbolizer, wanted, i, &symbol);
	     i++)
		if (has_offset ? symbol.start == start
			       : answer->addr >= symbol.start && answer->addr < symbol.end)
			return true;
	return false;
}

// Whether the recording has more for a location than what was found: names, or lines.
static bool knows_more(struct ic_profile *profile, const struct ic_profile_location *location,
		       const struct ic_space_answer *answer)
{
	if (location->must_have_name && answer->frame_count > 0) {
		if (location->given_count == 0)
			return true;
		if (!has_name(profile, location, answer)) {
			profile->files.items[location->file].misplaced++;
			return true;
		}
	}
	if (answer->frame_count == 0 || location->given_count == 0)
		return answer->frame_count == 0;
	return !answer->frames[0].file &&
	       profile->given.items[location->first_given].source != IC_NONE;
}

static bool add_frames(struct ic_profile *profile, struct ic_profile_location *location,
		       const struct ic_space_answer *answer)
{
	static const struct ic_profile_frame no_frame = { .start = UINT64_MAX };
	bool from_recording = knows_more(profile, location, answer);
	uint32_t file = location->file;

	location->first_frame = profile->resolved.frames.count;
	for (size_t i = 0; !from_recording && i < answer->frame_count; i++)
		if (!add_found(profile, &answer->frames[i], file))
			return false;
	for (uint32_t i = 0; from_recording && i < location->given_count; i++)
		if (!add_given(profile, &profile->given.items[location->first_given + i], file))
			return false;
	if (profile->resolved.frames.count == location->first_frame &&
	    !add_frame(profile, &(struct ic_profile_function){ .file = file }, &no_frame))
		return false;
	location->frame_count = profile->resolved.frames.count - location->first_frame;
	return true;
}

// ---- Files

// An error about a file, without its name.
static const char *without_name(const char *file, const char *message)
{
	size_t length = strlen(file);

	return strncmp(message, file, length) == 0 && strncmp(message + length, ": ", 2) == 0
		       ? message + length + 2
		       : message;
}

static void report_problem(struct ic_profile *profile, const char *file, const char *message)
{
	struct ic_error err;

	profile->problems.file = file;
	ic_fail(&err, IC_ERROR_NOT_FOUND, "%s", without_name(file, message));
	ic_problems_add(&profile->problems, &err, NULL, 0);
	ic_problems_finish(&profile->problems, NULL, 0);
}

static void copy_problems(struct ic_profile *profile, struct ic_symbolizer *symbolizer,
			  const char *path)
{
	struct ic_index_problem problem;

	for (size_t i = 0; ic_symbolizer_problem_get(symbolizer, i, &problem); i++) {
		const struct ic_problem copy = { problem.section, problem.offset,
						 ic_profile_text(profile, problem.message),
						 problem.file ? problem.file : path,
						 problem.is_note };
		profile->problems.out_of_memory |= !copy.message;
		if (copy.message)
			ic_problems_copy(&profile->problems, &copy, 1);
	}
}

// Records that a file cannot be queried for a location; the recording may still have data for it.
static void report_unopened(struct ic_profile *profile, const struct ic_profile_location *location,
			    const char *reason)
{
	struct ic_profile_file *file = &profile->files.items[location->file];

	if (file->is_reported)
		return;
	if (location->given_count == 0) {
		file->is_reported = true;
		report_problem(profile, file->path, reason);
	} else if (!file->unopened) {
		file->unopened = ic_profile_text(profile, reason);
		profile->problems.out_of_memory |= !file->unopened;
	}
}

// Reports once for a kernel, and for each module, that no file contains the location. If it is
// running, its symbols are still known.
static void report_kernel(struct ic_profile *profile, struct ic_profile_kernel *kernel,
			  const struct ic_profile_location *location)
{
	const char *reason = location->given_count == 0
				     ? ic_profile_kernel_missing(kernel, location->addr)
				     : NULL;

	if (reason)
		report_problem(profile, profile->files.items[location->file].path, reason);
}

// Reports the error of a file, once.
static void report_file(struct ic_profile *profile, const struct ic_profile_location *location,
			const struct ic_space_answer *answer)
{
	struct ic_profile_file *file = &profile->files.items[location->file];

	if (file->kind == IC_PROFILE_KERNEL && answer->status == IC_SPACE_NONE)
		report_kernel(profile, &profile->kernels.items[file->pid], location);
	if (answer->status == IC_SPACE_UNOPENED && answer->reason)
		report_unopened(profile, location, answer->reason);
	else if (answer->symbolizer && !file->is_reported) {
		file->is_reported = true;
		copy_problems(profile, answer->symbolizer, file->path);
	}
}

// Reports the files for which some or all of the data comes from the recording.
static void tell_unopened(struct ic_profile *profile)
{
	for (uint32_t i = 0; i < profile->files.count; i++) {
		const struct ic_profile_file *file = &profile->files.items[i];
		struct ic_error err;
		if (!file->is_reported && file->unopened) {
			ic_fail(&err, IC_ERROR_NOT_FOUND,
				"%s; its functions are those in the recording",
				without_name(file->path, file->unopened));
			report_problem(profile, file->path, err.message);
		}
		if (file->misplaced > 0) {
			ic_fail(&err, IC_ERROR_MISMATCH,
				"not the file that was recorded: %" PRIu32
				" locations are in a different function than in the recording",
				file->misplaced);
			report_problem(profile, file->path, err.message);
		}
	}
}

struct batch { // addresses to look up together
	struct ic_space *space;
	uint64_t *addrs;
	uint32_t *locations; // their indexes
	size_t count;
};

// Looks up the addresses of a batch; valid as long as the profile. NULL with an error.
static struct ic_space_answers *ask_space(struct ic_profile *profile, struct ic_space *space,
					  const uint64_t *addrs, size_t count, struct ic_error *err)
{
	struct ic_space_answers **place = IC_ARRAY_PUSH(&profile->resolved.answers);

	if (!place) {
		ic_fail_memory(err);
		return NULL;
	}
	return *place = ic_space_find(space, addrs, count, err);
}

// The kernel's objtool names the padding before functions.
static bool is_padding_name(const char *name)
{
	static const char prefix[] = "__pfx_";

	return strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}

// Whether an address may be in the padding before a function: a symbol without a size, such as a
// label or one in the kernel's list, does not show how far it extends.
static bool may_be_padding(const struct ic_space_answer *answer)
{
	struct ic_symbolizer_symbol symbol;

	if (answer->frame_count == 0 || answer->status == IC_SPACE_SYMBOL)
		return true;
	const struct ic_frame *host = &answer->frames[answer->frame_count - 1];
	if (!host->function || is_padding_name(host->function))
		return true;
	return !host->file && answer->symbolizer &&
	       ic_symbolizer_symbol_at(answer->symbolizer, answer->addr, &symbol) &&
	       symbol.start == symbol.end;
}

// Whether the address is the entry of a function.
static bool is_entry(const struct ic_space_answer *answer, uint64_t addr)
{
	if (answer->frame_count == 0)
		return false;
	const struct ic_frame *host = &answer->frames[answer->frame_count - 1];
	return host->start == (answer->status == IC_SPACE_SYMBOL ? addr : answer->addr) &&
	       host->function && !is_padding_name(host->function);
}

// Answers for callers that were not left by a call: a signal or an interrupt arrived at the first
// byte of a function, so there is no call before it. `places` are their indexes in the batch.
struct interrupted {
	struct ic_space_answers *answers; // NULL if there are none
	uint32_t *places;
	uint64_t *addrs;
	size_t count;
};

static bool find_interrupted(struct ic_profile *profile, const struct batch *batch,
			     const struct ic_space_answers *answers, struct interrupted *found,
			     struct ic_error *err)
{
	struct ic_space_answer answer;

	*found = (struct interrupted){
		.places = ic_items_alloc(batch->count, sizeof(*found->places)),
		.addrs = ic_items_alloc(batch->count, sizeof(*found->addrs)),
	};
	if (!found->places || !found->addrs)
		return ic_fail_memory(err);
	for (size_t i = 0; i < batch->count; i++) {
		ic_space_answers_get(answers, i, &answer);
		if (!profile->locations.items[batch->locations[i]].is_caller ||
		    !may_be_padding(&answer))
			continue;
		found->places[found->count] = (uint32_t)i;
		found->addrs[found->count++] = batch->addrs[i] + 1;
	}
	if (found->count > 0)
		found->answers = ask_space(profile, batch->space, found->addrs, found->count, err);
	return found->answers || found->count == 0;
}

static bool find_batch(struct ic_profile *profile, const struct batch *batch, struct ic_error *err)
{
	struct ic_space_answers *answers =
		ask_space(profile, batch->space, batch->addrs, batch->count, err);
	struct interrupted interrupted = { .count = 0 };
	struct ic_space_answer answer, other;
	bool ok = answers && find_interrupted(profile, batch, answers, &interrupted, err);

	for (size_t i = 0, next = 0; ok && i < batch->count; i++) {
		struct ic_profile_location *location =
			&profile->locations.items[batch->locations[i]];
		ic_space_answers_get(answers, i, &answer);
		if (next < interrupted.count && interrupted.places[next] == i) {
			ic_space_answers_get(interrupted.answers, next, &other);
			if (is_entry(&other, interrupted.addrs[next])) {
				answer = other;
				location->addr++;
			}
			next++;
		}
		location->has_no_debug =
			answer.status == IC_SPACE_SYMBOL ||
			(answer.status == IC_SPACE_FILE && answer.lookup == IC_LOOKUP_NO_DEBUG);
		profile->files.items[location->file].has_debug |= answer.status == IC_SPACE_FILE &&
								  answer.lookup == IC_LOOKUP_FOUND;
		ok = add_frames(profile, location, &answer) || ic_fail_memory(err);
		if (ok)
			report_file(profile, location, &answer);
	}
	free(interrupted.places);
	free(interrupted.addrs);
	return ok;
}

// Maps the files consecutively, each from its start: an address is then that of the file's first
// byte here, plus the location's file offset.
static bool map_files(struct ic_profile *profile, uint64_t *starts, struct ic_error *err)
{
	uint64_t next = 1, end;
	bool ok = true;

	for (uint32_t i = 0; ok && i < profile->files.count; i++) {
		struct ic_profile_file *file = &profile->files.items[i];
		if (!ic_profile_has_offsets(file) || file->locations.count == 0)
			continue;
		// One byte more than the last location: it may be a caller that was interrupted.
		if (file->last_addr >= UINT64_MAX - 1 ||
		    __builtin_add_overflow(next, file->last_addr + 2, &end)) {
			report_problem(profile, file->path,
				       "the recording has addresses that no file can have");
			file->kind = IC_PROFILE_NOWHERE;
			continue;
		}
		const struct ic_mapped_part part = { next, end, 0 };
		ok = ic_profile_file_map(profile, file, &part, profile->resolved.space, err);
		if (!ok && file->kind == IC_PROFILE_VDSO && err->code != IC_ERROR_MEMORY) {
			report_problem(profile, file->path, err->message);
			file->kind = IC_PROFILE_NOWHERE;
			ok = true;
			continue;
		}
		starts[i] = next;
		next = end;
	}
	return ok;
}

// ---- All

// The space to look up a location in: its kernel's, or that of all files. NULL for neither.
static struct ic_space *space_of(const struct ic_profile *profile,
				 const struct ic_profile_file *file)
{
	if (ic_profile_has_offsets(file))
		return profile->resolved.space;
	return file->kind == IC_PROFILE_KERNEL ? profile->kernels.items[file->pid].space : NULL;
}

// Looks up the locations that are in a space.
static bool find_in(struct ic_profile *profile, struct batch *batch, struct ic_space *space,
		    const uint64_t *starts, struct ic_error *err)
{
	batch->space = space;
	batch->count = 0;
	for (uint32_t i = 0; space && i < profile->locations.count; i++) {
		const struct ic_profile_location *location = &profile->locations.items[i];
		if (space_of(profile, &profile->files.items[location->file]) != space)
			continue;
		batch->locations[batch->count] = i;
		batch->addrs[batch->count++] = location->addr + starts[location->file];
	}
	return batch->count == 0 || find_batch(profile, batch, err);
}

// Handles locations that cannot be looked up.
static bool find_nothing(struct ic_profile *profile, struct ic_error *err)
{
	static const struct ic_space_answer nothing = { .status = IC_SPACE_NONE };

	for (uint32_t i = 0; i < profile->locations.count; i++) {
		struct ic_profile_location *location = &profile->locations.items[i];
		const struct ic_profile_file *file = &profile->files.items[location->file];
		if (space_of(profile, file))
			continue;
		if (file->kind == IC_PROFILE_KERNEL)
			report_unopened(profile, location,
					profile->kernels.items[file->pid].missing);
		if (!add_frames(profile, location, &nothing))
			return ic_fail_memory(err);
	}
	return true;
}

static bool find_all(struct ic_profile *profile, const uint64_t *starts, struct ic_error *err)
{
	const uint64_t most = profile->locations.count + 1ull;
	struct batch batch = { .addrs = ic_items_alloc(most, sizeof(*batch.addrs)),
			       .locations = ic_items_alloc(most, sizeof(*batch.locations)) };
	bool ok = (batch.addrs && batch.locations) || ic_fail_memory(err);

	ok = ok && find_nothing(profile, err) &&
	     find_in(profile, &batch, profile->resolved.space, starts, err);
	for (uint32_t i = 0; ok && i < profile->kernels.count; i++)
		ok = find_in(profile, &batch, profile->kernels.items[i].space, starts, err);
	free(batch.addrs);
	free(batch.locations);
	return ok;
}

// Opens the kernels that have samples; for one that cannot be opened, the reason is kept.
static bool open_kernels(struct ic_profile *profile, struct ic_error *err)
{
	struct ic_error why;

	for (uint32_t i = 0; i < profile->files.count; i++) {
		const struct ic_profile_file *file = &profile->files.items[i];
		if (file->kind != IC_PROFILE_KERNEL)
			continue;
		struct ic_profile_kernel *kernel = &profile->kernels.items[file->pid];
		if (kernel->has_too_many)
			report_problem(profile, file->path, "too many modules");
		kernel->space = ic_space_new(profile->modules, err);
		if (!kernel->space)
			return false;
		if (ic_profile_kernel_open(profile, kernel, &why))
			continue;
		ic_space_free(kernel->space);
		kernel->space = NULL;
		kernel->missing = ic_profile_text(profile, why.message);
		if (!kernel->missing || why.code == IC_ERROR_MEMORY)
			return ic_fail_memory(err);
	}
	return true;
}

bool ic_profile_resolve(struct ic_profile *profile, struct ic_error *err)
{
	uint64_t *starts = ic_items_zeroed(profile->files.count + 1ull, sizeof(*starts));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (profile->limits.moments > 0 && profile->moments.count == profile->limits.moments)
		report_problem(
			profile, profile->problems.file,
			"the times of its samples do not fit in the memory reserved for them");
	profile->resolved.space = ic_space_new(profile->modules, err);
	bool ok = (starts || ic_fail_memory(err)) && profile->resolved.space &&
		  open_kernels(profile, err) && ic_profile_name_jit_code(profile, err) &&
		  map_files(profile, starts, err) && find_all(profile, starts, err);
	tell_unopened(profile);
	free(starts);
	profile->resolved.is_done = ok;
	return ok;
}
