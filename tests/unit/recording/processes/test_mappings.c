#include "recording/processes/mappings.h"

#include "unit_test.h"

#include <stdlib.h>

enum { SIZE = 256, SPACES = 8, CHANGES = 20000 };

// The same, a byte at a time: which file is at an address, and which of its bytes.
struct simple {
	struct {
		uint32_t file;
		uint64_t offset;
	} at[SIZE];
};

static unsigned random_below(uint64_t *seed, unsigned limit)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(*seed >> 33) % limit;
}

static void check(const struct ic_mappings *mappings, struct ic_mapping_space space,
		  const struct simple *simple)
{
	for (uint64_t addr = 0; addr < SIZE; addr++) {
		const struct ic_mapped *found = ic_mappings_find(mappings, space, addr);
		assert_int_equal(found ? found->file : 0, simple->at[addr].file);
		if (found)
			assert_int_equal(addr - found->start + found->offset,
					 simple->at[addr].offset);
	}
}

static void put(struct ic_mappings *mappings, struct ic_mapping_space *space, struct simple *simple,
		uint64_t *seed, uint32_t file)
{
	uint64_t start = random_below(seed, SIZE), end = start + random_below(seed, 40);
	const struct ic_mapped mapped = { start, end < SIZE ? end : SIZE, random_below(seed, 1000),
					  file };

	ic_mappings_put(mappings, space, &mapped);
	for (uint64_t addr = mapped.start; addr < mapped.end; addr++) {
		simple->at[addr].file = file;
		simple->at[addr].offset = addr - start + mapped.offset;
	}
}

TEST(what_is_mapped_last_is_there_and_copies_go_their_own_ways)
{
	static struct simple simple[SPACES];
	struct ic_mapping_space spaces[SPACES];
	struct ic_mappings mappings = { .last_owner = 0 };
	uint64_t seed = 1;

	for (unsigned i = 0; i < SPACES; i++)
		spaces[i] = IC_MAPPING_SPACE_EMPTY;
	for (uint32_t i = 1; i <= CHANGES; i++) {
		unsigned to = random_below(&seed, SPACES), from = random_below(&seed, SPACES);
		if (random_below(&seed, 10) == 0 && to != from) {
			spaces[to] = ic_mappings_copy(&mappings, &spaces[from]);
			simple[to] = simple[from];
		}
		put(&mappings, &spaces[to], &simple[to], &seed, i);
		if (i % 100 == 0)
			for (unsigned j = 0; j < SPACES; j++)
				check(&mappings, spaces[j], &simple[j]);
	}
	assert_false(mappings.out_of_memory);
	ic_mappings_free(&mappings);
}

struct seen {
	uint64_t end;
	unsigned count;
};

static bool see(void *context, const struct ic_mapped *mapped)
{
	struct seen *seen = context;

	assert_true(mapped->start >= seen->end && mapped->start < mapped->end);
	seen->end = mapped->end;
	return ++seen->count < 3;
}

TEST(all_that_is_mapped_is_listed_by_address_until_it_is_enough)
{
	struct ic_mappings mappings = { .last_owner = 0 };
	struct ic_mapping_space space = IC_MAPPING_SPACE_EMPTY;
	struct seen seen = { 0, 0 };

	assert_true(ic_mappings_each(&mappings, space, see, &seen));
	assert_int_equal(space.version, 0);
	ic_mappings_put(&mappings, &space, &(struct ic_mapped){ 10, 20, 0, 1 });
	ic_mappings_put(&mappings, &space, &(struct ic_mapped){ 12, 14, 0, 2 });
	assert_int_not_equal(space.version, 0);
	assert_false(ic_mappings_each(&mappings, space, see, &seen));
	assert_int_equal(seen.count, 3);
	assert_int_equal(seen.end, 20);
	ic_mappings_free(&mappings);
}

// In order, and from the end: what makes a plain tree as deep as it has nodes.
TEST(many_mappings_in_order_are_found)
{
	enum { MANY = 100000 };

	for (int reversed = 0; reversed < 2; reversed++) {
		struct ic_mappings mappings = { .last_owner = 0 };
		struct ic_mapping_space space = IC_MAPPING_SPACE_EMPTY;
		for (uint32_t i = 0; i < MANY; i++) {
			uint64_t start = 16ull * (reversed ? MANY - i : i);
			ic_mappings_put(&mappings, &space,
					&(struct ic_mapped){ start, start + 8, 0, i });
		}
		for (uint32_t i = 0; i < MANY; i++) {
			uint64_t start = 16ull * (reversed ? MANY - i : i);
			const struct ic_mapped *found =
				ic_mappings_find(&mappings, space, start + 7);
			assert_true(found && found->file == i);
			assert_null(ic_mappings_find(&mappings, space, start + 8));
		}
		ic_mappings_free(&mappings);
	}
}

UNIT_TESTS(recording_processes_mappings)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_mapped_last_is_there_and_copies_go_their_own_ways),
		cmocka_unit_test(all_that_is_mapped_is_listed_by_address_until_it_is_enough),
		cmocka_unit_test(many_mappings_in_order_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
