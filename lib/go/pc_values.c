#include "go/pc_values.h"

#include "base/search.h"

struct values { // a table that is being read
	const uint8_t *pos, *end;
	bool is_cut; // a number is truncated, or has too many bytes
};

static uint32_t long_number(struct values *values)
{
	uint32_t number = 0;

	for (unsigned shift = 0; shift < 35; shift += 7) {
		if (values->pos == values->end)
			break;
		uint8_t byte = *values->pos++;
		number |= (uint32_t)(byte & 0x7f) << (shift & 31);
		if (byte < 0x80)
			return number;
	}
	values->is_cut = true;
	return 0;
}

static inline uint32_t next_number(struct values *values)
{
	if (__builtin_expect(values->pos < values->end && *values->pos < 0x80, 1))
		return *values->pos++;
	return long_number(values);
}

// Appends a run, or extends the last one. Returns false if memory runs out.
static bool add_run(ic_go_runs *runs, uint32_t end, int32_t value)
{
	if (runs->count > 0 && runs->items[runs->count - 1].value == value) {
		runs->items[runs->count - 1].end = end;
		return true;
	}
	struct ic_go_run *run = IC_ARRAY_PUSH(runs);
	if (run)
		*run = (struct ic_go_run){ end, value };
	return run;
}

enum ic_go_values_end ic_go_runs_read(const struct ic_go_pclntab *table, uint32_t off,
				      uint32_t size, ic_go_runs *runs, uint64_t *steps)
{
	uint32_t value = UINT32_MAX; // -1
	uint64_t pc = 0;
	bool is_first = true;

	runs->count = 0;
	if (off == 0)
		return IC_GO_VALUES_OK;
	if (off >= table->values.size)
		return IC_GO_VALUES_FAULT;
	struct values values = { table->values.data + off, table->values.data + table->values.size,
				 false };
	while (pc < size) {
		uint32_t change = next_number(&values);
		if (change == 0 && !is_first && !values.is_cut)
			return IC_GO_VALUES_OK;
		uint64_t length = (uint64_t)next_number(&values) * table->quantum;
		if (values.is_cut)
			return IC_GO_VALUES_FAULT;
		if (*steps == 0)
			return IC_GO_VALUES_STEPS;
		--*steps;
		value += change & 1 ? ~(change >> 1) : change >> 1;
		pc += length;
		is_first = false;
		// A pair of length 0, as some on s390x, only changes the value.
		if (length > 0 && !add_run(runs, pc < size ? (uint32_t)pc : size, (int32_t)value))
			return IC_GO_VALUES_MEMORY;
	}
	return IC_GO_VALUES_OK;
}

int32_t ic_go_runs_at(const ic_go_runs *runs, uint32_t pc)
{
	uint32_t first; // that ends beyond it

	IC_SEARCH(first, runs->count, at, runs->items[at].end <= pc);
	return first < runs->count ? runs->items[first].value : -1;
}
