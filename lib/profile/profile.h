// Samples of recordings, and the frames at their addresses. The public part is
// inlinecall/extra/profile.h.
//
// A stack is a node of a tree whose root is the outermost frame: a node has an address, and its
// caller's node. Samples with the same stack, thread and event form one cell. An address is a
// location in a file, with a frame for each function inlined there, and one for the host.
// Recordings may contain frames themselves: these are used if none are found, and for locations
// without an address.
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
	IC_PROFILE_DISK,    // a file that is or was on disk
	IC_PROFILE_KERNEL,  // the kernel and its modules: locations are addresses
	IC_PROFILE_VDSO,    // the code that the kernel maps into programs: locations are offsets
	IC_PROFILE_MEMORY,  // memory of a process that is not a file: locations are addresses
	IC_PROFILE_NOWHERE, // no known mapping: locations are addresses
	IC_PROFILE_NAMES,   // only names are known: locations have numbers of their own
};

struct ic_profile_file {
	const char *path; // or the kernel's name for it
	const char *name; // as printed in reports
	uint8_t build_id[20];
	uint8_t build_id_size; // 0 if unknown
	enum ic_profile_file_kind kind;
	bool is_kernel; // the kernel or a part of it
	bool has_addr;  // locations are addresses as the file numbers them
	uint32_t pid;   // for IC_PROFILE_MEMORY; for IC_PROFILE_KERNEL the index of the kernel
	uint64_t start, offset; // address and offset of its first mapping
	uint64_t last_addr;     // largest of its locations
	bool has_debug;         // some of its locations have debug information
	bool is_reported;       // its errors have been reported
	const char *unopened;   // why it cannot be queried, if the recording has names
	uint32_t misplaced; // number of locations where it does not have the recording's function
	struct ic_map locations; // index by address
};

// A frame in a recording. Texts are numbers: see ic_profile_text_number().
struct ic_profile_given {
	uint32_t name, linkage_name, decl_file, source; // IC_NONE if unknown
	uint32_t decl_line, line;                       // 0 if unknown
	uint32_t inlined;                               // into the next one
};

struct ic_profile_location {
	uint64_t addr; // see ic_profile_file_kind; otherwise an offset in the file
	uint32_t file;
	uint32_t first_given, given_count;
	// A call that returns to the next byte ends at this one, unless the frame was interrupted
	// at that next byte, which a recording does not show.
	bool is_caller;
	bool has_no_debug; // no debug information covers it; set once that is known
	// The result is only valid if its host has the given name and starts this many bytes
	// before; UINT64_MAX if the distance is unknown.
	bool must_have_name;
	uint64_t in_function;
	uint32_t first_frame, frame_count; // once they are found: at least one
};

struct ic_profile_node {
	uint32_t caller; // IC_NONE for an outermost frame
	uint32_t location;
};

struct ic_profile_cell {
	uint32_t node; // IC_NONE if its stack exceeded the memory limit
	uint32_t thread, event;
	uint64_t weight, samples;
};

struct ic_profile_moment { // the time of a sample in a cell
	uint64_t time;     // in nanoseconds
	uint64_t weight;
	uint32_t cell;
};

struct ic_profile_thread {
	uint32_t pid, tid;
	const char *name; // NULL if unknown
	bool is_unknown;  // the recording has no threads
};

struct ic_profile_module { // of a kernel, as loaded
	uint64_t start, end;
	const char *name;
	const char *missing; // why there is no file for it, until that has been reported
	uint8_t build_id[20];
	uint8_t build_id_size; // 0 if unknown
};

struct ic_profile_kernel {   // one per recording
	const char *release; // NULL if unknown
	uint64_t start;      // address of its symbol _text; 0 if unknown
	uint8_t build_id[20];
	uint8_t build_id_size; // 0 if unknown
	IC_ARRAY(struct ic_profile_module) modules;
	bool has_too_many;      // more modules than any kernel has, some of which are left out
	const char *missing;    // why there is no file for it, until that has been reported
	struct ic_space *space; // set when frames are found
};

struct ic_profile_frame {
	uint32_t function;
	const char *source; // path of the current line
	uint32_t line;
	uint64_t start; // entry address of this copy of the function, as its file numbers it;
			// UINT64_MAX if unknown
	bool inlined;   // into the next one
};

struct ic_profile_function {
	const char *name, *linkage_name; // `name` is NULL if nothing is known
	const char *decl_file;
	uint32_t decl_line;
	uint32_t file; // the file in which it was found first
};

struct ic_profile_texts { // from recordings
	struct ic_byte_pool texts;
	IC_ARRAY(const char *) text_copies; // indexed by number
};

struct ic_profile_limits { // on the size of a recording
	uint64_t memory;
	uint32_t nodes, cells, moments;
};

struct ic_profile_resolved { // valid once the frames are found
	bool is_done;
	IC_ARRAY(struct ic_profile_frame) frames;
	IC_ARRAY(struct ic_profile_function) functions;
	struct ic_profile_keys function_keys;        // from functions to their numbers
	struct ic_space *space;                      // for everything except kernels
	IC_ARRAY(struct ic_space_answers *) answers; // own the strings in frames
};

struct ic_profile {
	struct ic_modules *modules;
	const char *sysroot;
	struct ic_profile_limits limits;
	struct ic_arena arena;
	struct ic_problems problems;
	IC_ARRAY(struct ic_mapping) recordings; // mappings of open files
	IC_ARRAY(struct ic_profile_event) events;
	IC_ARRAY(struct ic_profile_thread) threads;
	IC_ARRAY(struct ic_profile_file) files;
	struct ic_byte_pool file_keys;
	IC_ARRAY(struct ic_profile_location) locations;
	IC_ARRAY(struct ic_profile_given) given; // grouped by location
	struct ic_profile_keys given_keys;       // for lists of them without an address
	uint32_t given_lists;
	struct ic_profile_texts kept;
	IC_ARRAY(struct ic_profile_node) nodes;
	struct ic_map node_of; // index by caller and location
	IC_ARRAY(struct ic_profile_cell) cells;
	struct ic_map cell_of;                      // index by node and context
	IC_ARRAY(struct ic_profile_moment) moments; // in the order of the recordings
	struct ic_byte_pool contexts;               // pairs of thread and event
	struct ic_profile_keys thread_keys;         // from threads to their numbers
	uint64_t lost;
	IC_ARRAY(struct ic_profile_kernel) kernels; // one per recording
	struct ic_profile_resolved resolved;
};

// The kind of a mapping by its path in perf's notation: "//anon", "[heap]" and others are not
// files.
enum ic_profile_file_kind ic_profile_file_kind_of(const char *path);

// Adds a file and returns its index; IC_NONE if memory runs out. Strings are copied.
uint32_t ic_profile_file_add(struct ic_profile *profile, const struct ic_profile_file *file);

// Whether locations are offsets in a file.
static inline bool ic_profile_has_offsets(const struct ic_profile_file *file)
{
	return file->kind == IC_PROFILE_DISK || file->kind == IC_PROFILE_VDSO;
}

// Adds a location and returns its index; IC_NONE if memory runs out.
uint32_t ic_profile_location_add(struct ic_profile *profile, uint32_t file, uint64_t addr);

// A frame of which only the name is known.
static inline struct ic_profile_given ic_profile_given_name(uint32_t name, bool inlined)
{
	return (struct ic_profile_given){ .name = name,
					  .linkage_name = IC_NONE,
					  .decl_file = IC_NONE,
					  .source = IC_NONE,
					  .inlined = inlined };
}

// Reverses frames: locations have the innermost first.
void ic_profile_given_reverse(struct ic_profile_given *frames, uint32_t count);

// Sets the frames that a recording has at a location, innermost first, unless already set. False if
// memory runs out.
bool ic_profile_location_give(struct ic_profile *profile, uint32_t location,
			      const struct ic_profile_given *frames, uint32_t count) IC_CHECKED;

// Adds a location for frames without an address, in a file that has only names, and returns its
// index; IC_NONE if memory runs out.
uint32_t ic_profile_named_location_add(struct ic_profile *profile, uint32_t file,
				       const struct ic_profile_given *frames, uint32_t count);

// Adds a text, copied, and returns its number; IC_NONE if memory runs out.
uint32_t ic_profile_text_number(struct ic_profile *profile, struct ic_bytes text);

static inline const char *ic_profile_text_at(const struct ic_profile *profile, uint32_t number)
{
	return number == IC_NONE ? NULL : profile->kept.text_copies.items[number];
}

// Adds a thread and returns its index; an identical thread has the same. IC_NONE if memory runs
// out. The name is not copied.
uint32_t ic_profile_thread_add(struct ic_profile *profile, const struct ic_profile_thread *thread);

// Adds an event and returns its index; IC_NONE if memory runs out. Strings are not copied.
uint32_t ic_profile_event_add(struct ic_profile *profile, const char *name, const char *unit);

// Gets the node of a frame; `caller` is IC_NONE if there is none. False if memory runs out; *node
// is IC_NONE if the memory limit for samples is reached.
bool ic_profile_node_add(struct ic_profile *profile, uint32_t caller, uint32_t location,
			 uint32_t *node);

// Adds weights, which a recording can make arbitrarily large: saturates at UINT64_MAX.
static inline void ic_profile_add(uint64_t *sum, uint64_t weight)
{
	if (__builtin_add_overflow(*sum, weight, sum))
		*sum = UINT64_MAX;
}

// Counts samples with the same stack.
bool ic_profile_samples_add(struct ic_profile *profile, const struct ic_profile_cell *samples)
	IC_CHECKED;

// The same for one sample, with its time, which may be unknown.
#define IC_PROFILE_NO_TIME UINT64_MAX
bool ic_profile_sample_add(struct ic_profile *profile, const struct ic_profile_cell *sample,
			   uint64_t time) IC_CHECKED;

// The number of a group's function, for groups by function.
uint32_t ic_profile_groups_function(const struct ic_profile_groups *groups, size_t number);

// A copy of a string, valid as long as the profile; NULL if memory runs out.
const char *ic_profile_text(struct ic_profile *profile, const char *text);

#endif
