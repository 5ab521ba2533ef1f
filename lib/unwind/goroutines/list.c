#include "unwind/goroutines/list.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"

enum {
	WORD = 8,
	MOST = 1 << 20,       // goroutines
	AT_A_TIME = 512,      // pointers to them
	MOST_SIZE = 4096 + 8, // of a goroutine's fields
	STATE_SIZE = 64,
	MOST_REASONS = 64 // why goroutines wait; releases have up to 40
};

// Values of its status (runtime/runtime2.go), besides the bit of the collector that scans its
// stack. All others are dead, or their stack is being moved.
enum { RUNNABLE = 1, RUNNING = 2, SYSCALL = 3, WAITING = 4, PREEMPTED = 9, SCAN = 0x1000 };

struct walk {
	const struct ic_goroutine_layout *layout;
	const struct ic_goroutine_memory *memory;
	uint8_t bytes[MOST_SIZE]; // of the current goroutine
	char state[STATE_SIZE];
	char reasons[MOST_REASONS][STATE_SIZE]; // those read so far
	uint64_t unread;
};

static bool read_words(const struct walk *walk, uint64_t addr, uint64_t *words, size_t count)
{
	const struct ic_goroutine_memory *memory = walk->memory;

	if (!memory->read(memory->context, addr, words, count * WORD))
		return false;
	for (size_t i = 0; i < count; i++)
		words[i] = ic_load64((const uint8_t *)&words[i],
				     memory->is_big_endian != IC_HOST_IS_BIG_ENDIAN);
	return true;
}

// A field of the current goroutine; 0 if it has none.
static uint64_t field_of(const struct walk *walk, enum ic_goroutine_field field)
{
	const uint8_t *bytes = walk->bytes + walk->layout->fields[field].offset;
	uint32_t size = walk->layout->fields[field].size;
	uint64_t value = 0;

	for (uint32_t i = 0; i < size; i++)
		value |= (uint64_t)bytes[walk->memory->is_big_endian ? size - 1 - i : i] << 8 * i;
	return value;
}

// Reads a reason by the names of the runtime; "waiting" if that is impossible.
static void read_reason(const struct walk *walk, uint64_t reason, char *text)
{
	const struct ic_goroutine_memory *memory = walk->memory;
	uint64_t string[2], addr = walk->layout->reasons + memory->bias + reason * sizeof(string);
	char name[STATE_SIZE] = "";

	if (walk->layout->reasons != 0 && read_words(walk, addr, string, 2) &&
	    string[1] < sizeof(name) &&
	    !memory->read(memory->context, string[0], name, (size_t)string[1]))
		name[0] = '\0';
	snprintf(text, STATE_SIZE, "%s", name[0] ? name : "waiting");
}

// Sets why the current goroutine waits.
static void find_reason(struct walk *walk)
{
	uint64_t reason = field_of(walk, IC_GOROUTINE_REASON);
	char *known = walk->reasons[reason % MOST_REASONS];

	if (reason >= MOST_REASONS) {
		read_reason(walk, reason, walk->state);
		return;
	}
	if (!known[0])
		read_reason(walk, reason, known);
	memcpy(walk->state, known, STATE_SIZE);
}

// Reads a pointer-sized field of a structure; false if it has none, or it is 0.
static bool read_field(const struct walk *walk, uint64_t addr, enum ic_goroutine_field field,
		       uint64_t *word)
{
	return walk->layout->fields[field].size == WORD &&
	       read_words(walk, addr + walk->layout->fields[field].offset, word, 1) && *word != 0;
}

// To read the clock, functions leave a stack without saving where in the goroutine.
static void find_clock(const struct walk *walk, uint64_t thread, struct ic_goroutine *goroutine)
{
	uint64_t pc, sp;

	if (!read_field(walk, thread, IC_GOROUTINE_CLOCK_SP, &sp) || sp < goroutine->stack_start ||
	    sp > goroutine->stack_end || !read_field(walk, thread, IC_GOROUTINE_CLOCK_PC, &pc))
		return;
	goroutine->pc = pc;
	goroutine->sp = sp;
	goroutine->bp = 0;
}

// Finds the thread that runs the current goroutine, and the stack of its signal handlers.
static bool find_thread(struct walk *walk, struct ic_goroutine *goroutine)
{
	uint64_t thread = field_of(walk, IC_GOROUTINE_M), other;

	if (thread == 0 || !read_field(walk, thread, IC_GOROUTINE_TID, &goroutine->tid))
		return false;
	if (read_field(walk, thread, IC_GOROUTINE_OF_SIGNALS, &other) &&
	    (!read_field(walk, other, IC_GOROUTINE_STACK_START, &goroutine->signal_start) ||
	     !read_field(walk, other, IC_GOROUTINE_STACK_END, &goroutine->signal_end)))
		goroutine->signal_start = goroutine->signal_end = 0;
	snprintf(walk->state, sizeof(walk->state), "on thread %" PRIu64, goroutine->tid);
	find_clock(walk, thread, goroutine);
	return true;
}

// Finds the state of the current goroutine. False if it is dead.
static bool find_state(struct walk *walk, struct ic_goroutine *goroutine)
{
	switch (field_of(walk, IC_GOROUTINE_STATUS) & ~(uint64_t)SCAN) {
	case RUNNING:
	case SYSCALL: return find_thread(walk, goroutine);
	case RUNNABLE: snprintf(walk->state, sizeof(walk->state), "runnable"); return true;
	case WAITING: find_reason(walk); return true;
	case PREEMPTED: snprintf(walk->state, sizeof(walk->state), "preempted"); return true;
	default: return false;
	}
}

// Reads a goroutine. False if it is dead, or cannot be read.
static bool read_goroutine(struct walk *walk, uint64_t addr, struct ic_goroutine *goroutine)
{
	const struct ic_goroutine_memory *memory = walk->memory;

	if (!memory->read(memory->context, addr, walk->bytes, walk->layout->size)) {
		walk->unread++;
		return false;
	}
	*goroutine = (struct ic_goroutine){
		.id = field_of(walk, IC_GOROUTINE_ID),
		.state = walk->state,
		.pc = field_of(walk, IC_GOROUTINE_PC),
		.sp = field_of(walk, IC_GOROUTINE_SP),
		.bp = field_of(walk, IC_GOROUTINE_BP),
		.stack_start = field_of(walk, IC_GOROUTINE_STACK_START),
		.stack_end = field_of(walk, IC_GOROUTINE_STACK_END),
	};
	return find_state(walk, goroutine);
}

bool ic_goroutines_visit(const struct ic_goroutine_layout *layout,
			 const struct ic_goroutine_memory *memory,
			 bool (*visit)(void *context, const struct ic_goroutine *goroutine),
			 void *context, struct ic_error *err)
{
	struct walk walk = { .layout = layout, .memory = memory };
	uint64_t slice[2], pointers[AT_A_TIME]; // an address and a length
	struct ic_goroutine goroutine;
	bool goes_on = true;

	if (layout->size > sizeof(walk.bytes) ||
	    !read_words(&walk, layout->list + memory->bias, slice, 2))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "runtime.allgs, the list of goroutines, cannot be read");
	uint64_t count = slice[1] < MOST ? slice[1] : MOST;
	for (uint64_t first = 0; goes_on && first < count; first += AT_A_TIME) {
		size_t some = count - first < AT_A_TIME ? (size_t)(count - first) : AT_A_TIME;
		if (!read_words(&walk, slice[0] + first * WORD, pointers, some)) {
			walk.unread += count - first;
			break;
		}
		for (size_t i = 0; goes_on && i < some; i++)
			goes_on = !read_goroutine(&walk, pointers[i], &goroutine) ||
				  visit(context, &goroutine);
	}
	walk.unread += slice[1] - count;
	return walk.unread == 0 || ic_fail(err, IC_ERROR_MALFORMED,
					   "%" PRIu64 " of %" PRIu64 " goroutines cannot be read",
					   walk.unread, slice[1]);
}
