// The samples of recordings, and what is at their addresses. The public half is
// inlinecall/extra/profile.h.
//
// A stack is a node of a tree, from the outermost frame inwards: a node has an address, and the
// node of its caller. Samples of one stack, thread and event are one cell. An address is a
// location, of one file, which has one frame for each function that was inlined there, and one of
// its host. Recordings may have frames themselves: for what is not found here, and for what has no
// address.
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <inlinecall/extra/profile.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "base/problems.h"
#include "elf/files/mapping.h"
#include "profile/keys.h"

enum ic_profile_file_kind {
	IC_PROFILE_DISK,    // a file that is, or was, on a disk
	IC_PROFILE_KERNEL,  // the kernel and all its modules: locations are addresses
	IC_PROFILE_VDSO,    // what the kernel maps into programs: locations are offsets
	IC_PROFILE_MEMORY,  // memory of a process without a file: locations are addresses
	IC_PROFILE_NOWHERE, // nothing is known to be mapped there: likewise
	IC_PROFILE_NAMES,   // only names are known: locations are numbers of their own
};

struct ic_profile_file {
	const char *path; // or what the kernel calls it
	const char *name; // as reports have it
	uint8_t build_id[20];
	uint8_t build_id_size; // 0 if not known
	enum ic_profile_file_kind kind;
	bool is_kernel;          // or a part of it
	bool has_addr;           // locations are addresses as the file numbers them
	uint32_t pid;            // of IC_PROFILE_MEMORY; of IC_PROFILE_KERNEL the kernel's number
	uint64_t start, offset;  // where it was first mapped, from which offset on
	uint64_t last_addr;      // of its locations
	bool has_debug;          // debug information describes some of its locations
	bool is_reported;        // what is wrong with it has been said
	const char *unopened;    // why it cannot be asked, but the recording has names
	uint32_t misplaced;      // locations where it has not the function of the recording
	struct ic_map locations; // by address
};

// A frame as a recording has it. Texts are numbers: see ic_profile_text_number().
struct ic_profile_given {
	uint32_t name, linkage_name, decl_file, source; // IC_NONE if not known
	uint32_t decl_line, line;                       // 0 likewise
	uint32_t inlined;                               // into the next one
};

struct ic_profile_location {
	uint64_t addr; // as said at ic_profile_file_kind; else an offset in the file
	uint32_t file;
	uint32_t first_given, given_count;
	// A call that returns to the next byte has its last one here: unless its frame was
	// interrupted at that byte, which a recording does not say.
	bool is_caller;
	bool has_no_debug; // no debug information describes it, once that is known
	// What is found is right only if its host has the name given, and begins as many bytes
	// before; UINT64_MAX if that is not known.
	bool must_have_name;
	uint64_t in_function;
	uint32_t first_frame, frame_count; // once they are found: at least one
};

struct ic_profile_node {
	uint32_t caller; // IC_NONE of an outermost frame
	uint32_t location;
};

struct ic_profile_cell {
	uint32_t node; // IC_NONE if its stack did not fit into the memory
	uint32_t thread, event;
	uint64_t weight, samples;
};

struct ic_profile_moment { // when a sample of a cell was taken
	uint64_t time;     // in nanoseconds
	uint64_t weight;
	uint32_t cell;
};

struct ic_profile_thread {
	uint32_t pid, tid;
	const char *name; // NULL if not known
	bool is_unknown;  // the recording has no threads
};

struct ic_profile_module { // of a kernel, as it was loaded
	uint64_t start, end;
	const char *name;
	const char *missing; // why there is no file of it, until that is said
	uint8_t build_id[20];
	uint8_t build_id_size; // 0 if not known
};

struct ic_profile_kernel {   // of one recording
	const char *release; // NULL if not known
	uint64_t start;      // of its symbol _text; 0 if not known
	uint8_t build_id[20];
	uint8_t build_id_size; // 0 if not known
	IC_ARRAY(struct ic_profile_module) modules;
	bool has_too_many;      // more modules than any kernel has, of which some are left out
	const char *missing;    // why there is no file of it, until that is said
	struct ic_space *space; // once frames are found
};

struct ic_profile_frame {
	uint32_t function;
	const char *source; // path, of the line under way
	uint32_t line;
	uint64_t start; // where this copy of the function is entered, as its file numbers it;
			// UINT64_MAX if that is not known
	bool inlined;   // into the next one
};

struct ic_profile_function {
	const char *name, *linkage_name; // `name` is NULL if nothing is known
	const char *decl_file;
	uint32_t decl_line;
	uint32_t file; // where it was first found
};

struct ic_profile_texts { // of recordings
	struct ic_byte_pool texts;
	IC_ARRAY(const char *) text_copies; // by their numbers
};

struct ic_profile_limits { // of what a recording may have
	uint64_t memory;
	uint32_t nodes, cells, moments;
};

struct ic_profile_resolved { // once the frames are found
	bool is_done;
	IC_ARRAY(struct ic_profile_frame) frames;
	IC_ARRAY(struct ic_profile_function) functions;
	struct ic_profile_keys function_keys;        // of functions: their numbers
	struct ic_space *space;                      // of all but kernels
	IC_ARRAY(struct ic_space_answers *) answers; // whose strings frames have
};

struct ic_profile {
	struct ic_modules *modules;
	const char *sysroot;
	struct ic_profile_limits limits;
	struct ic_arena arena;
	struct ic_problems problems;
	IC_ARRAY(struct ic_mapping) recordings; // open
	IC_ARRAY(struct ic_profile_event) events;
	IC_ARRAY(struct ic_profile_thread) threads;
	IC_ARRAY(struct ic_profile_file) files;
	struct ic_byte_pool file_keys;
	IC_ARRAY(struct ic_profile_location) locations;
	IC_ARRAY(struct ic_profile_given) given; // by location
	struct ic_profile_keys given_keys;       // of lists of them without an address
	uint32_t given_lists;
	struct ic_profile_texts kept;
	IC_ARRAY(struct ic_profile_node) nodes;
	struct ic_map node_of; // by caller and location
	IC_ARRAY(struct ic_profile_cell) cells;
	struct ic_map cell_of;                      // by node and context
	IC_ARRAY(struct ic_profile_moment) moments; // in the order of the recordings
	struct ic_byte_pool contexts;               // threads and events
	struct ic_profile_keys thread_keys;         // of threads: their numbers
	uint64_t lost;
	IC_ARRAY(struct ic_profile_kernel) kernels; // one for each recording
	struct ic_profile_resolved resolved;
};

// What is mapped from a path, as perf has it: "//anon", "[heap]" and others are no files.
enum ic_profile_file_kind ic_profile_file_kind_of(const char *path);

// The number of a file; IC_NONE if memory runs out. Strings are copied.
uint32_t ic_profile_file_add(struct ic_profile *profile, const struct ic_profile_file *file);

// Whether locations are offsets in a file.
static inline bool ic_profile_has_offsets(const struct ic_profile_file *file)
{
	return file->kind == IC_PROFILE_DISK || file->kind == IC_PROFILE_VDSO;
}

// The number of a location; IC_NONE if memory runs out.
uint32_t ic_profile_location_add(struct ic_profile *profile, uint32_t file, uint64_t addr);

// A frame of which the name is all that is known.
static inline struct ic_profile_given ic_profile_given_name(uint32_t name, bool inlined)
{
	return (struct ic_profile_given){ .name = name,
					  .linkage_name = IC_NONE,
					  .decl_file = IC_NONE,
					  .source = IC_NONE,
					  .inlined = inlined };
}

// Puts frames in the opposite order, that of locations if they were the outermost first.
void ic_profile_given_reverse(struct ic_profile_given *frames, uint32_t count);

// Says what frames a recording has at a location, the innermost first, unless that is known. False
// if memory runs out.
bool ic_profile_location_give(struct ic_profile *profile, uint32_t location,
			      const struct ic_profile_given *frames, uint32_t count) IC_CHECKED;

// The number of a location of frames without an address, in a file that has only names; IC_NONE if
// memory runs out.
uint32_t ic_profile_named_location_add(struct ic_profile *profile, uint32_t file,
				       const struct ic_profile_given *frames, uint32_t count);

// The number of a text, and the text, which lives as long as the profile; IC_NONE if memory runs
// out.
uint32_t ic_profile_text_number(struct ic_profile *profile, struct ic_bytes text);

static inline const char *ic_profile_text_at(const struct ic_profile *profile, uint32_t number)
{
	return number == IC_NONE ? NULL : profile->kept.text_copies.items[number];
}

// The number of a thread, which is the same as another one if all of it is; IC_NONE if memory is
// out. The name is not copied.
uint32_t ic_profile_thread_add(struct ic_profile *profile, const struct ic_profile_thread *thread);

// The number of an event; IC_NONE if memory runs out. Strings are not copied.
uint32_t ic_profile_event_add(struct ic_profile *profile, const char *name, const char *unit);

// The node of a frame, whose caller is IC_NONE if there is none. False if memory runs out; what
// does not fit into the memory for samples is IC_NONE.
bool ic_profile_node_add(struct ic_profile *profile, uint32_t caller, uint32_t location,
			 uint32_t *node);

// A sum of weights, which a recording can make as large as it likes: at most UINT64_MAX.
static inline void ic_profile_add(uint64_t *sum, uint64_t weight)
{
	if (__builtin_add_overflow(*sum, weight, sum))
		*sum = UINT64_MAX;
}

// Counts samples of one stack.
bool ic_profile_samples_add(struct ic_profile *profile, const struct ic_profile_cell *samples)
	IC_CHECKED;

// The same of one sample, with its time, which may not be known.
#define IC_PROFILE_NO_TIME UINT64_MAX
bool ic_profile_sample_add(struct ic_profile *profile, const struct ic_profile_cell *sample,
			   uint64_t time) IC_CHECKED;

// The number of the function that a group is of, of groups by function.
uint32_t ic_profile_groups_function(const struct ic_profile_groups *groups, size_t number);

// A copy of a string, as long-lived as the profile; NULL if memory runs out.
const char *ic_profile_text(struct ic_profile *profile, const char *text);

#endif
