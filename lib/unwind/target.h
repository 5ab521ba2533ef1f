// Processes whose stacks are unwound. The type is declared in inlinecall/target.h.
#ifndef UNWIND_TARGET_H
#define UNWIND_TARGET_H

#include "base/array.h"
#include "base/problems.h"
#include "elf/files/kernel_memory.h"
#include "process/space.h"
#include "unwind/frames/thread_registers.h"

#include <inlinecall/target.h>

struct ic_target_stack { // a copy of part of a live process's memory
	uint64_t start, size;
	const uint8_t *bytes;
};

struct ic_target_file { // a mapping of a file into a core's process
	uint64_t start, end, offset;
	uint64_t code; // an address at which the same file is mapped as code
};

struct ic_target_code { // a mapping whose file was asked for
	struct ic_space_code code;
	bool is_held;
	struct ic_image *image; // NULL if it cannot be opened
	bool is_placed;         // the following are known
	bool is_go;             // functions keep no registers
	uint64_t bias;
	struct ic_call_frames *frames; // NULL if it has none
	bool shares_frames;            // with another mapping of the file, which has them
	struct ic_symbolizer *symbolizer;
	size_t frame_problems, symbolizer_problems; // that were collected
};

struct ic_target {
	struct ic_modules *modules;
	struct ic_space *space;
	const struct ic_thread_layout *layout;
	bool is_big_endian;
	uint64_t signature_mask;
	IC_ARRAY(struct ic_target_thread) threads;
	struct ic_arena arena; // of names and messages
	struct ic_problems problems;
	bool has_note;                         // among them
	IC_ARRAY(struct ic_target_code) codes; // sorted by their start
	// Of a core:
	struct ic_core_file core;
	bool is_core;
	IC_ARRAY(struct ic_target_file) files; // sorted by their start
	bool has_no_memory;                    // ic_target_close_memory() was called
	// Of a kernel's dump, which is a core:
	bool is_kernel;
	struct ic_kernel_memory memory;
	// Of a live process:
	int pid;
	IC_ARRAY(struct ic_target_stack) stacks; // sorted by their start
	uint8_t *copies;                         // of all stacks; mapped
	size_t copies_size;
	uint64_t stop_time;
	// Of the caller's own; without a function of any other.
	bool is_own;
	struct ic_target_options own;
};

// An empty target of some machine; NULL if the machine is not known, or memory runs out.
struct ic_target *ic_target_alloc(struct ic_modules *modules, unsigned machine, bool is_32_bit,
				  struct ic_error *err);

// The file that is mapped at an address, and what its addresses are lower by than those in memory.
// NULL if there is none, or it cannot be read.
const struct ic_image *ic_target_image_at(struct ic_target *target, uint64_t addr, uint64_t *bias);

// Adds the problems that files met to those of the target, once each, with their paths.
void ic_target_collect(struct ic_target *target);

// Adds a problem met in the file of a symbolizer, with its path.
void ic_target_add_problem(struct ic_target *target, const struct ic_symbolizer *symbolizer,
			   const struct ic_index_problem *problem);

// Adds a problem of a core; one that has a place in it gets its path.
void ic_target_complain(struct ic_target *target, const struct ic_error *err);

// The next note of a core; one that cannot be read becomes a problem. False after the last.
bool ic_target_note_next(struct ic_target *target, struct ic_core_notes *walk,
			 struct ic_core_note *note);

// After the notes of a core were read: memory that is missing, and that there is no thread, become
// problems. What a thread of it is: "thread" or "processor".
void ic_target_check_core(struct ic_target *target, const char *what);

// A copy of a text that lives as long as the target; NULL for NULL, and if memory runs out.
const char *ic_target_text(struct ic_target *target, const char *text);

#endif
