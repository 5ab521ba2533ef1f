// Processes whose stacks are unwound. The type is declared in inlinecall/target.h.
#ifndef UNWIND_TARGETS_TARGET_H
#define UNWIND_TARGETS_TARGET_H

#include "base/array.h"
#include "base/problems.h"
#include "elf/files/kernel_memory.h"
#include "process/space.h"
#include "unwind/frames/thread_registers.h"

#include <inlinecall/target.h>

struct ic_target_stack { // a copy of some memory of a live process
	uint64_t start, size;
	const uint8_t *bytes;
};

struct ic_target_goroutine {     // that no thread runs, or that a thread has left
	uint64_t id, pc, sp, bp; // bp is 0 if unknown
	const char *state;
	uint64_t stack_start, stack_end;
	uint32_t tid;      // of the thread; 0 for none
	bool is_on_thread; // the thread's stack has it
};

struct ic_target_goroutines {
	bool are_missed;                           // they are wanted, and not found in the program
	IC_ARRAY(struct ic_target_goroutine) list; // come after the threads
	// Their threads handle a signal, which may have interrupted them or other code.
	IC_ARRAY(struct ic_target_goroutine) doubtful;
};

struct ic_target_file { // a mapping of a file in a core's process
	uint64_t start, end, offset;
	uint64_t code; // an address where the same file is mapped as code
};

struct ic_target_code { // a mapping whose file has been looked up
	struct ic_space_code code;
	bool is_held;
	struct ic_image *image; // NULL if it cannot be opened
	bool is_placed;         // the rest is valid
	bool is_go;             // functions preserve no registers
	uint64_t bias;
	struct ic_call_frames *frames; // NULL if it has none
	bool shares_frames;            // uses those of another mapping of the file
	struct ic_symbolizer *symbolizer;
	size_t frame_problems, symbolizer_problems; // already collected
};

struct ic_target {
	struct ic_modules *modules;
	struct ic_space *space;
	const struct ic_thread_layout *layout;
	bool is_big_endian;
	uint64_t signature_mask;
	IC_ARRAY(struct ic_target_thread) threads;
	struct ic_target_goroutines goroutines;
	struct ic_arena arena; // owns names and messages
	struct ic_problems problems;
	bool has_note;                         // among them
	IC_ARRAY(struct ic_target_code) codes; // sorted by start
	// For a core:
	struct ic_core_file core;
	bool is_core;
	IC_ARRAY(struct ic_target_file) files; // sorted by start
	bool has_no_memory;                    // ic_target_close_memory() was called
	// For a kernel dump, which is a core:
	bool is_kernel;
	struct ic_kernel_memory memory;
	// For a live process:
	int pid;
	IC_ARRAY(struct ic_target_stack) stacks; // sorted by start
	uint8_t *copies;                         // of all stacks; an anonymous mapping
	size_t copies_size;
	uint64_t stop_time;
	// The caller provides registers and memory.
	bool is_own;
	struct ic_target_options own;
};

// An empty target for a machine; NULL if it is not supported, or memory runs out.
struct ic_target *ic_target_alloc(struct ic_modules *modules, unsigned machine, bool is_32_bit,
				  struct ic_error *err);

// The stack pointer among the registers of a thread; false if it is unknown.
bool ic_target_sp(const struct ic_target *target, const struct ic_unwind_registers *registers,
		  uint64_t *sp);

// The code mapped at an address; NULL if there is none. Valid until the next call.
const struct ic_target_code *ic_target_code_at(struct ic_target *target, uint64_t addr);

// The file mapped at an address, and the bias of its addresses in memory. NULL if there is none, or
// it cannot be read.
const struct ic_image *ic_target_image_at(struct ic_target *target, uint64_t addr, uint64_t *bias);

// Adds the problems found in files to those of the target, once each, with their paths.
void ic_target_collect(struct ic_target *target);

// Adds a problem in a symbolizer's file, with its path.
void ic_target_add_problem(struct ic_target *target, const struct ic_symbolizer *symbolizer,
			   const struct ic_index_problem *problem);

// Adds a problem of a core, with its path if the problem has a position.
void ic_target_complain(struct ic_target *target, const struct ic_error *err);

// Gets the next note of a core; one that cannot be read becomes a problem. False after the last.
bool ic_target_note_next(struct ic_target *target, struct ic_core_notes *walk,
			 struct ic_core_note *note);

// Called after the notes of a core have been read: missing memory or threads become problems.
// `what` names its threads: "thread" or "processor".
void ic_target_check_core(struct ic_target *target, const char *what);

// A copy of a text, valid as long as the target; NULL for NULL, and if memory runs out.
const char *ic_target_text(struct ic_target *target, const char *text);

#endif
