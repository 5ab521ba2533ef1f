#include "model/code_map.h"

#include "unit_test.h"

enum { MOST = 24, ADDRS = 64 };

struct unit { // a model with room
	struct ic_unit_model model;
	struct ic_instance instances[MOST];
	struct ic_range ranges[3 * MOST];
	struct ic_arena arena;
};

static uint32_t random_below(uint32_t *seed, uint32_t most)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % most;
}

static void add_instance(struct unit *unit, uint32_t parent)
{
	unit->instances[unit->model.instance_count++] = (struct ic_instance){
		.parent = parent,
		.first_range = unit->model.range_count,
		.kind = parent == IC_NONE ? IC_INSTANCE_HOST : IC_INSTANCE_INLINED,
	};
}

// Adds it to the instance that was added last.
static void add_range(struct unit *unit, uint64_t start, uint64_t end)
{
	unit->ranges[unit->model.range_count++] = (struct ic_range){ start, end };
	unit->instances[unit->model.instance_count - 1].range_count++;
}

static void build(struct unit *unit)
{
	unit->model.instances = unit->instances;
	unit->model.ranges = unit->ranges;
	assert_true(ic_code_map_build_instances(&unit->model, &unit->arena));
}

static uint32_t depth_of(const struct unit *unit, uint32_t number)
{
	uint32_t depth = 0;

	while ((number = unit->instances[number].parent) != IC_NONE)
		depth++;
	return depth;
}

static uint32_t outermost_of(const struct unit *unit, uint32_t number)
{
	while (unit->instances[number].parent != IC_NONE)
		number = unit->instances[number].parent;
	return number;
}

// Whether an address is in ranges of an instance that begin in code of the outermost one, and are
// not separated from there.
static bool holds(const struct unit *unit, uint32_t number, uint64_t addr)
{
	const struct ic_instance *instance = &unit->instances[number];
	uint32_t outermost = outermost_of(unit, number);
	bool in_host = unit->instances[outermost].kind == IC_INSTANCE_HOST && outermost != number;
	for (uint32_t i = 0; i < instance->range_count; i++) {
		const struct ic_range *range = &unit->ranges[instance->first_range + i];
		bool held = range->start <= addr && addr < range->end;
		for (uint64_t at = range->start; in_host && held && at <= addr; at++)
			held = holds(unit, outermost, at);
		if (held)
			return true;
	}
	return false;
}

// The instance at an address, by looking at all: the deepest in the first outermost one that holds
// it, and of several the first.
static uint32_t innermost(const struct unit *unit, uint64_t addr)
{
	uint32_t found = IC_NONE;

	for (uint32_t i = 0; i < unit->model.instance_count; i++) {
		if (!holds(unit, i, addr))
			continue;
		uint32_t outermost = outermost_of(unit, i);
		uint32_t before = found == IC_NONE ? IC_NONE : outermost_of(unit, found);
		if (outermost < before ||
		    (outermost == before && depth_of(unit, i) > depth_of(unit, found)))
			found = i;
	}
	return found;
}

static uint32_t found_at(const struct unit *unit, uint64_t addr)
{
	return ic_segments_find(&unit->model.code_map.instances, addr);
}

TEST(the_deepest_instance_is_found_whatever_is_around_it)
{
	uint32_t seed = 1;

	for (uint32_t i = 0; i < 5000; i++) {
		struct unit unit = { .arena = { .blocks = NULL } };
		uint32_t count = random_below(&seed, MOST + 1);

		// Siblings overlap, children lie outside of their parents: whatever there can be.
		for (uint32_t j = 0; j < count; j++) {
			uint32_t parent = random_below(&seed, j + 1);
			add_instance(&unit, parent == j ? IC_NONE : parent);
			if (parent == j && random_below(&seed, 4) == 0)
				unit.instances[j].kind = IC_INSTANCE_INLINED; // without a parent
			for (uint32_t k = random_below(&seed, 4); k > 0; k--) {
				uint64_t start = random_below(&seed, ADDRS);
				add_range(&unit, start, start + 1 + random_below(&seed, 20));
			}
		}
		build(&unit);
		for (uint64_t addr = 0; addr < ADDRS + 20; addr++)
			assert_int_equal(found_at(&unit, addr), innermost(&unit, addr));
		ic_arena_free(&unit.arena);
	}
}

TEST(a_child_counts_beyond_its_parent)
{
	struct unit unit = { .arena = { .blocks = NULL } };

	add_instance(&unit, IC_NONE);
	add_range(&unit, 0x1000, 0x1200);
	add_instance(&unit, 0);
	add_range(&unit, 0x10f0, 0x1110);
	add_instance(&unit, 1); // without code
	add_instance(&unit, 2);
	add_range(&unit, 0x1104, 0x1118);
	build(&unit);
	assert_int_equal(found_at(&unit, 0xfff), IC_NONE);
	assert_int_equal(found_at(&unit, 0x10ef), 0);
	assert_int_equal(found_at(&unit, 0x10f0), 1);
	assert_int_equal(found_at(&unit, 0x1103), 1);
	assert_int_equal(found_at(&unit, 0x1104), 3);
	assert_int_equal(found_at(&unit, 0x1117), 3);
	assert_int_equal(found_at(&unit, 0x1118), 0);
	assert_int_equal(found_at(&unit, 0x1200), IC_NONE);
	ic_arena_free(&unit.arena);
}

TEST(a_child_ends_where_its_host_does)
{
	struct unit unit = { .arena = { .blocks = NULL } };

	add_instance(&unit, IC_NONE);
	add_range(&unit, 0x1080, 0x1100); // touches the next, which is before it
	add_range(&unit, 0x1000, 0x1080);
	add_range(&unit, 0x3000, 0x3010);
	add_instance(&unit, 0);
	add_range(&unit, 0x1070, 0x1110); // through both, and beyond
	add_range(&unit, 0x2ff0, 0x3008); // begins outside
	add_range(&unit, 0x2000, 0x2010);
	build(&unit);
	assert_int_equal(found_at(&unit, 0x106f), 0);
	assert_int_equal(found_at(&unit, 0x1070), 1);
	assert_int_equal(found_at(&unit, 0x10ff), 1);
	assert_int_equal(found_at(&unit, 0x1100), IC_NONE);
	assert_int_equal(found_at(&unit, 0x2008), IC_NONE);
	assert_int_equal(found_at(&unit, 0x2ff8), IC_NONE);
	assert_int_equal(found_at(&unit, 0x3004), 0);
	ic_arena_free(&unit.arena);
}

TEST(of_siblings_that_overlap_the_first_is_meant_but_a_deeper_one_counts_more)
{
	struct unit unit = { .arena = { .blocks = NULL } };

	add_instance(&unit, IC_NONE);
	add_range(&unit, 0x1000, 0x1100);
	add_instance(&unit, 0);
	add_range(&unit, 0x1010, 0x1030);
	add_instance(&unit, 0);
	add_range(&unit, 0x1020, 0x1040);
	add_instance(&unit, 2);
	add_range(&unit, 0x1028, 0x1038);
	build(&unit);
	assert_int_equal(found_at(&unit, 0x1020), 1);
	assert_int_equal(found_at(&unit, 0x1028), 3);
	assert_int_equal(found_at(&unit, 0x1038), 2);
	ic_arena_free(&unit.arena);
}

// The linker folds functions that have the same code.
TEST(of_hosts_that_share_code_the_first_is_meant_whatever_is_in_the_others)
{
	struct unit unit = { .arena = { .blocks = NULL } };

	add_instance(&unit, IC_NONE);
	add_range(&unit, 0x1000, 0x1100);
	add_instance(&unit, IC_NONE);
	add_range(&unit, 0x1000, 0x1200);
	add_instance(&unit, 1);
	add_range(&unit, 0x1010, 0x1180);
	build(&unit);
	assert_int_equal(found_at(&unit, 0x1010), 0);
	assert_int_equal(found_at(&unit, 0x1100), 2);
	assert_int_equal(found_at(&unit, 0x1180), 1);
	ic_arena_free(&unit.arena);
}

TEST(a_unit_without_instances_has_none_anywhere)
{
	struct unit unit = { .arena = { .blocks = NULL } };

	build(&unit);
	assert_int_equal(found_at(&unit, 0), IC_NONE);
	assert_null(ic_code_map_row(&unit.model.code_map, 0));
	ic_arena_free(&unit.arena);
}

// ---- Rows

struct lines { // a map with room
	struct ic_code_map map;
	struct ic_code_sequence sequences[MOST];
	struct ic_code_row rows[8 * MOST];
	struct ic_arena arena;
};

static void add_sequence(struct lines *lines, uint64_t start, uint64_t end)
{
	lines->sequences[lines->map.sequence_count++] =
		(struct ic_code_sequence){ { start, end }, lines->map.row_count, 0 };
}

// Adds it to the sequence that was added last, with its number as its line.
static void add_row(struct lines *lines, uint32_t addr_off)
{
	lines->rows[lines->map.row_count] =
		(struct ic_code_row){ .addr_off = addr_off, .line = lines->map.row_count };
	lines->map.row_count++;
	lines->sequences[lines->map.sequence_count - 1].row_count++;
}

static void build_lines(struct lines *lines)
{
	lines->map.sequences = lines->sequences;
	lines->map.rows = lines->rows;
	assert_true(ic_code_map_build_lines(&lines->map, &lines->arena));
}

// The last row that is not beyond the address, of the first sequence that holds it.
static const struct ic_code_row *row_of(const struct lines *lines, uint64_t addr)
{
	for (uint32_t i = 0; i < lines->map.sequence_count; i++) {
		const struct ic_code_sequence *sequence = &lines->sequences[i];
		const struct ic_code_row *found = NULL;

		if (addr < sequence->range.start || addr >= sequence->range.end)
			continue;
		for (uint32_t j = 0; j < sequence->row_count; j++) {
			const struct ic_code_row *row = &lines->rows[sequence->first_row + j];
			if (sequence->range.start + row->addr_off <= addr)
				found = row;
		}
		return found;
	}
	return NULL;
}

TEST(a_row_holds_to_the_next_one_and_the_first_of_overlapping_sequences_counts)
{
	uint32_t seed = 1;

	for (uint32_t i = 0; i < 5000; i++) {
		struct lines lines = { .arena = { .blocks = NULL } };

		for (uint32_t j = random_below(&seed, MOST + 1); j > 0; j--) {
			uint64_t start = random_below(&seed, ADDRS);
			uint32_t size = 1 + random_below(&seed, 20), off = 0;
			add_sequence(&lines, start, start + size);
			for (uint32_t k = 1 + random_below(&seed, 8); k > 0 && off < size; k--) {
				add_row(&lines, off);
				off += 1 + random_below(&seed, 5);
			}
		}
		build_lines(&lines);
		for (uint64_t addr = 0; addr < ADDRS + 20; addr++)
			assert_ptr_equal(ic_code_map_row(&lines.map, addr), row_of(&lines, addr));
		ic_arena_free(&lines.arena);
	}
}

// If few addresses are wanted, rows that hold none of them are left out.
TEST(a_sequence_may_lack_its_first_rows)
{
	struct lines lines = { .arena = { .blocks = NULL } };

	add_sequence(&lines, 0x1000, 0x1020);
	add_row(&lines, 0x10);
	build_lines(&lines);
	assert_null(ic_code_map_row(&lines.map, 0x100f));
	assert_non_null(ic_code_map_row(&lines.map, 0x1010));
	ic_arena_free(&lines.arena);
}

TEST(a_sequence_may_be_of_four_gigabytes)
{
	struct lines lines = { .arena = { .blocks = NULL } };
	const uint64_t start = 0x700000000000;

	add_sequence(&lines, start, start + (1ull << 32));
	add_row(&lines, 0);
	add_row(&lines, UINT32_MAX);
	build_lines(&lines);
	assert_null(ic_code_map_row(&lines.map, start - 1));
	assert_int_equal(ic_code_map_row(&lines.map, start)->line, 0);
	assert_int_equal(ic_code_map_row(&lines.map, start + 0xfffffffe)->line, 0);
	assert_int_equal(ic_code_map_row(&lines.map, start + 0xffffffff)->line, 1);
	assert_null(ic_code_map_row(&lines.map, start + (1ull << 32)));
	ic_arena_free(&lines.arena);
}

UNIT_TESTS(model_code_map)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_deepest_instance_is_found_whatever_is_around_it),
		cmocka_unit_test(a_child_counts_beyond_its_parent),
		cmocka_unit_test(a_child_ends_where_its_host_does),
		cmocka_unit_test(
			of_siblings_that_overlap_the_first_is_meant_but_a_deeper_one_counts_more),
		cmocka_unit_test(
			of_hosts_that_share_code_the_first_is_meant_whatever_is_in_the_others),
		cmocka_unit_test(a_unit_without_instances_has_none_anywhere),
		cmocka_unit_test(
			a_row_holds_to_the_next_one_and_the_first_of_overlapping_sequences_counts),
		cmocka_unit_test(a_sequence_may_lack_its_first_rows),
		cmocka_unit_test(a_sequence_may_be_of_four_gigabytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
