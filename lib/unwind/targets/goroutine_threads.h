// Goroutines that no thread runs, as threads of a target.
#ifndef UNWIND_TARGETS_GOROUTINE_THREADS_H
#define UNWIND_TARGETS_GOROUTINE_THREADS_H

#include "unwind/goroutines/list.h"
#include "unwind/targets/target.h"

struct ic_goroutine_source { // zero-initialised: there are none
	bool is_known;
	struct ic_goroutine_layout layout;
	uint64_t bias;
};

// Finds out whether the program with code at an address is one of Go, and where its goroutines are
// listed. If that is unknown, a note says so.
void ic_goroutine_source_find(struct ic_target *target, uint64_t addr,
			      struct ic_goroutine_source *source);

// The same for a live process, before it is stopped.
void ic_goroutine_source_of_process(struct ic_target *target, int pid,
				    struct ic_goroutine_source *source);

struct ic_goroutine_reader {
	bool (*read)(void *context, uint64_t addr, void *bytes, size_t size);
	// Gets the stack pointer of a thread; false if it is unknown.
	bool (*find_sp)(void *context, uint64_t tid, uint64_t *sp);
	// Copies a stack from its pointer to its end; NULL if memory can be read later. False if
	// memory runs out.
	bool (*copy)(void *context, uint64_t sp, uint64_t end);
	void *context;
};

// Adds the goroutines to the target. What cannot be read is a problem. False if
// memory runs out.
bool ic_goroutine_threads_add(struct ic_target *target, const struct ic_goroutine_source *source,
			      const struct ic_goroutine_reader *reader) IC_CHECKED;

#endif
