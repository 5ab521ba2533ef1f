// A program with made-up call frame information, and the memory of a stack.
#ifndef TESTS_UNIT_UNWIND_FIXTURE_H
#define TESTS_UNIT_UNWIND_FIXTURE_H

#include <inlinecall/image.h>
#include <inlinecall/unwind.h>

#include "base/bytes.h"

enum {
	CODE = 0x1000,
	CODE_SIZE = 0x2000,
	BIAS = 0x400000,
	STACK = 0x70000,
	WORDS = 512,
	RAX = 0,
	RBX = 3,
	RBP = 6,
	RSP = 7,
	RIP = 16,
	X19 = 19,
	LR = 30,
	SP_AARCH64 = 31,
};

struct function {
	uint64_t start;
	bool is_signal;
	struct ic_bytes rules;
};

struct world {
	struct ic_image *image;
	struct ic_call_frames *frames;
	uint64_t words[WORDS]; // of the stack
	size_t count;          // those that can be read
	struct ic_bytes code;  // that can be read
	uint64_t code_addr;
	unsigned reads, finds;
	uint16_t machine;
	bool is_32_bit;
};

// Opens a program for a machine. Code from CODE on is mapped at BIAS. A function has 0x100 bytes,
// and before its own rules those that hold when it is called.
void world_open(struct world *world, uint16_t machine, const struct function *functions,
		size_t count);
void world_close(struct world *world);

struct ic_unwinder *world_unwinder(struct world *world, uint32_t most_frames);

#endif
