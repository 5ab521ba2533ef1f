#include "unwind/goroutines/list.h"

#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 0x10, REASONS = 0x40, GOROUTINES = 0x200, SIZE = 0x80 };

struct memory { // of a process, from address 0 on
	uint8_t bytes[0x1000];
	size_t size;
};

// A goroutine's fields, eight bytes each.
static const struct ic_goroutine_layout layout = {
	.list = LIST,
	.reasons = REASONS,
	.fields = { [IC_GOROUTINE_ID] = { 0x08, 8 },
		    [IC_GOROUTINE_STATUS] = { 0x10, 4 },
		    [IC_GOROUTINE_REASON] = { 0x18, 1 },
		    [IC_GOROUTINE_SP] = { 0x20, 8 },
		    [IC_GOROUTINE_PC] = { 0x28, 8 },
		    [IC_GOROUTINE_STACK_START] = { 0x30, 8 },
		    [IC_GOROUTINE_STACK_END] = { 0x38, 8 },
		    [IC_GOROUTINE_M] = { 0x40, 8 },
		    [IC_GOROUTINE_TID] = { 0x08, 8 },
		    [IC_GOROUTINE_OF_SIGNALS] = { 0x10, 8 },
		    [IC_GOROUTINE_CLOCK_PC] = { 0x18, 8 },
		    [IC_GOROUTINE_CLOCK_SP] = { 0x20, 8 } },
	.size = 0x48,
};

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct memory *memory = context;

	if (addr > memory->size || size > memory->size - addr)
		return false;
	memcpy(bytes, memory->bytes + addr, size);
	return true;
}

static void put_word(struct memory *memory, uint64_t addr, uint64_t word)
{
	for (int i = 0; i < 8; i++)
		memory->bytes[addr + (uint64_t)i] = (uint8_t)(word >> 8 * i);
}

// Adds a goroutine; returns its address.
static uint64_t put_goroutine(struct memory *memory, uint64_t id, uint32_t status, uint8_t reason)
{
	uint64_t count = memory->bytes[LIST + 8], addr = GOROUTINES + count * SIZE;

	put_word(memory, LIST, 0x100);
	put_word(memory, LIST + 8, count + 1);
	put_word(memory, 0x100 + 8 * count, addr);
	put_word(memory, addr + 0x08, id);
	put_word(memory, addr + 0x10, status);
	put_word(memory, addr + 0x18, reason);
	put_word(memory, addr + 0x20, 0x7000 + id);
	put_word(memory, addr + 0x28, 0x400000 + id);
	put_word(memory, addr + 0x30, 0x7000);
	put_word(memory, addr + 0x38, 0x8000);
	return addr;
}

static bool put_text(void *context, const struct ic_goroutine *goroutine)
{
	fprintf(context, "%d %s %x %x", (int)goroutine->id, goroutine->state,
		(unsigned)goroutine->pc, (unsigned)goroutine->sp);
	if (goroutine->tid != 0)
		fprintf(context, " tid %d", (int)goroutine->tid);
	fputs("; ", context);
	return true;
}

static void check(struct memory *memory, const char *expected)
{
	const struct ic_goroutine_memory of = { .read = read_memory, .context = memory };
	struct ic_error err;
	char *text = NULL;
	size_t length;

	FILE *out = open_memstream(&text, &length);
	if (!ic_goroutines_visit(&layout, &of, put_text, out, &err))
		fputs(err.message, out);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

TEST(goroutines_that_no_thread_runs_have_a_state)
{
	struct memory memory = { .size = sizeof(memory.bytes) };

	memcpy(memory.bytes + 0x90, "chan receive", 12);
	put_word(&memory, REASONS + 3 * 16, 0x90);
	put_word(&memory, REASONS + 3 * 16 + 8, 12);
	put_goroutine(&memory, 1, 1, 0);
	put_goroutine(&memory, 2, 4, 3);
	put_goroutine(&memory, 3, 0x1004,
		      2);                // whose stack is being scanned, with an unknown reason
	put_goroutine(&memory, 4, 6, 0); // dead
	put_goroutine(&memory, 5, 9, 0);
	check(&memory, "1 runnable 400001 7001; 2 chan receive 400002 7002; "
		       "3 waiting 400003 7003; 5 preempted 400005 7005; ");
}

TEST(a_goroutine_that_runs_has_a_thread)
{
	struct memory memory = { .size = sizeof(memory.bytes) };
	uint64_t thread = 0xa00;

	put_word(&memory, put_goroutine(&memory, 1, 2, 0) + 0x40, thread);
	put_goroutine(&memory, 2, 2, 0); // whose thread is not known
	put_word(&memory, thread + 0x08, 77);
	check(&memory, "1 on thread 77 400001 7001 tid 77; ");
	put_word(&memory, thread + 0x18, 0x450000); // it reads the clock
	put_word(&memory, thread + 0x20, 0x7abc);
	check(&memory, "1 on thread 77 450000 7abc tid 77; ");
	put_word(&memory, thread + 0x20, 0x9abc); // of another stack
	check(&memory, "1 on thread 77 400001 7001 tid 77; ");
}

TEST(what_cannot_be_read_is_counted)
{
	struct memory memory = { .size = sizeof(memory.bytes) };

	put_goroutine(&memory, 1, 1, 0);
	put_goroutine(&memory, 2, 1, 0);
	put_word(&memory, 0x100, UINT64_MAX);
	check(&memory, "2 runnable 400002 7002; 1 of 2 goroutines cannot be read");
	put_word(&memory, LIST + 8, 1ull << 60);
	put_word(&memory, LIST, UINT64_MAX - 8);
	check(&memory, "1152921504606846976 of 1152921504606846976 goroutines cannot be read");
	memory.size = LIST;
	check(&memory, "runtime.allgs, the list of goroutines, cannot be read");
}

UNIT_TESTS(unwind_goroutines_list)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goroutines_that_no_thread_runs_have_a_state),
		cmocka_unit_test(a_goroutine_that_runs_has_a_thread),
		cmocka_unit_test(what_cannot_be_read_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
