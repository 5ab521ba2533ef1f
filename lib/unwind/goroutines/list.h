// The goroutines in the memory of a process.
#ifndef UNWIND_GOROUTINES_LIST_H
#define UNWIND_GOROUTINES_LIST_H

#include "unwind/goroutines/layout.h"

struct ic_goroutine {
	uint64_t id;
	const char *state;   // "chan receive", "runnable"; valid until the next one; never NULL
	uint64_t pc, sp, bp; // where it stopped; bp is 0 if unknown
	uint64_t stack_start, stack_end;
	// The thread that runs it, 0 for none, and the stack of that thread's signal handlers. If
	// the thread is on neither stack, it has left the goroutine's where that stopped: for the
	// runtime's own stack, or for C code.
	uint64_t tid, signal_start, signal_end;
};

struct ic_goroutine_memory {
	uint64_t bias; // of the program
	bool is_big_endian;
	bool (*read)(void *context, uint64_t addr, void *bytes, size_t size);
	void *context;
};

// Visits the goroutines that are not dead, in the order in which they were created, until `visit`
// returns false. False if there are too many, or some cannot be read: the others are visited
// nevertheless, and *err says how many those are.
bool ic_goroutines_visit(const struct ic_goroutine_layout *layout,
			 const struct ic_goroutine_memory *memory,
			 bool (*visit)(void *context, const struct ic_goroutine *goroutine),
			 void *context, struct ic_error *err) IC_CHECKED;

#endif
