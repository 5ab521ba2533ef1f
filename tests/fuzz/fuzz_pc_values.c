// Fuzzes tables of values by address of Go's functions.
// Wanted: runs that follow each other within the function, no two in a row of one value; no more
// steps than allowed; a lookup finds what a search in order does.
#include "fuzz_input.h"
#include "go/pc_values.h"

enum { MOST_STEPS = 4096 };

static void check_runs(const ic_go_runs *runs, uint32_t size)
{
	uint32_t start = 0;

	for (uint32_t i = 0; i < runs->count; i++) {
		const struct ic_go_run *run = &runs->items[i];
		PROMISE(run->end > start && run->end <= size);
		PROMISE(i == 0 || runs->items[i - 1].value != run->value);
		PROMISE(ic_go_runs_at(runs, start) == run->value);
		PROMISE(ic_go_runs_at(runs, run->end - 1) == run->value);
		start = run->end;
	}
	PROMISE(ic_go_runs_at(runs, start) == -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_go_pclntab table = { .quantum = (uint8_t)(1u << (fuzz_take_u8(&in) & 3)) };
	uint32_t code = (uint32_t)fuzz_take_u16(&in) << (fuzz_take_u8(&in) & 15);
	uint64_t steps = MOST_STEPS;
	ic_go_runs runs = { .count = 0 };

	fuzz_take_sections(&in, &table.values, 1);
	enum ic_go_values_end end = ic_go_runs_read(&table, 1, code, &runs, &steps);
	PROMISE(steps <= MOST_STEPS && runs.count <= MOST_STEPS);
	PROMISE(end != IC_GO_VALUES_STEPS || steps == 0);
	check_runs(&runs, code);
	IC_ARRAY_FREE(&runs);
	fuzz_free_sections(&table.values, 1);
	return 0;
}
