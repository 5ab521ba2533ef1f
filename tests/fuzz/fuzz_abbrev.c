// Fuzzes only .debug_abbrev.
// Wanted: a table, or an error that says why; all that the table refers to is in it; the first
// declaration of every code is the one that is found; its memory is bounded by the input.
#include "dwarf/units/abbrev.h"
#include "fuzz_input.h"
#include "fuzz_reader.h"

static bool is_absent(const struct ic_step *step)
{
	return step->size == IC_STEP_PLANNED && step->kind == IC_KIND_OTHER && step->detail == 0;
}

// Whether a declaration of this tag and size may have become this step.
static void check_found(const struct ic_abbrev_table *table, uint32_t code, uint16_t tag,
			bool has_children)
{
	const struct ic_step *step = ic_abbrev_table_find(table, code);

	PROMISE(!is_absent(step));
	PROMISE((step->depth_change == 1) == has_children);
	PROMISE((step->kind != IC_KIND_OTHER) == fuzz_reader.wants_tag(tag));
	if (step->kind != IC_KIND_OTHER)
		PROMISE(table->kept.items[step->detail].tag == tag);
}

// Reads a sound table again, in the simplest way. If a code is declared twice, the first
// declaration holds.
static void check_all_found(const struct ic_abbrev_table *table, struct ic_cursor cur)
{
	IC_ARRAY(uint32_t) seen = { 0 };

	for (uint32_t code; (code = ic_cursor_uleb32(&cur)) != 0;) {
		uint16_t tag = ic_cursor_uleb16(&cur);
		bool has_children = ic_cursor_u8(&cur) != 0, again = false;

		for (uint16_t name = 1, form = 1; name != 0 || form != 0;) {
			name = ic_cursor_uleb16(&cur);
			form = ic_cursor_uleb16(&cur);
			if (form == DW_FORM_implicit_const)
				ic_cursor_sleb(&cur);
		}
		for (uint32_t i = 0; i < seen.count; i++)
			again |= seen.items[i] == code;
		if (again)
			continue;
		check_found(table, code, tag, has_children);
		*IC_ARRAY_PUSH(&seen) = code;
	}
	IC_ARRAY_FREE(&seen);
}

static uint64_t memory_of(const struct ic_abbrev_table *table)
{
	return table->steps.capacity * sizeof(*table->steps.items) +
	       table->sparse.capacity * sizeof(*table->sparse.items) +
	       table->kept.capacity * sizeof(*table->kept.items) +
	       table->specs.capacity * sizeof(*table->specs.items) +
	       table->plans.capacity * sizeof(*table->plans.items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_abbrev_table table = { 0 };
	struct ic_error err = { 0 };
	uint8_t sizes = fuzz_take_u8(&in);
	const struct ic_unit unit = { .version = sizes & 1 ? 2 : 5,
				      .addr_size = sizes & 2 ? 4 : 8,
				      .offset_size = sizes & 4 ? 8 : 4 };
	struct ic_bytes section;

	fuzz_take_sections(&in, &section, 1);
	struct ic_cursor cur = ic_cursor_at(section, ".debug_abbrev", 0, section.size, sizes & 8);
	const struct ic_cursor begin = cur;
	if (ic_abbrev_table_parse(&table, &cur, &unit, &fuzz_reader, &err)) {
		fuzz_check_table(&table);
		check_all_found(&table, begin);
	} else {
		PROMISE_REASON(err);
		PROMISE(err.code == IC_ERROR_MALFORMED);
	}
	PROMISE(memory_of(&table) <= 100 * section.size + (64 << 10));
	ic_abbrev_table_free(&table);
	fuzz_free_sections(&section, 1);
	return 0;
}
