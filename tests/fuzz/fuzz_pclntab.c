// Fuzzes Go's tables of functions, and the records of what was inlined.
// Wanted: an error that says why, or functions that end after they begin, whose names and paths are
// texts within the table.
#include "fuzz_input.h"
#include "go/inline_tree.h"

enum { MOST_FUNCTIONS = 256, RECORDS = 0x600000 };

static void check_text(const char *text, const struct ic_bytes *section)
{
	if (text)
		fuzz_read_text(text, section);
}

static void check_function(const struct ic_go_pclntab *table, const struct ic_go_memory *memory,
			   const struct ic_go_function *function)
{
	struct ic_go_inlined inlined;

	PROMISE(function->entry < function->end);
	check_text(ic_go_name_at(table, function->name_off), &table->names);
	for (int32_t file = -1; file < 4; file++)
		check_text(ic_go_path_of(table, function, file), &table->paths);
	struct ic_bytes records = ic_go_memory_at(memory, function->inlined_addr);
	for (uint32_t i = 0; i < 8; i++)
		if (ic_go_inlined_read(table, records, i, &inlined))
			check_text(ic_go_name_at(table, inlined.name_off), &table->names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	bool swap = fuzz_take_u8(&in) & 1;
	uint64_t module[64] = { [38] = RECORDS, [40] = RECORDS, [43] = RECORDS };
	struct ic_bytes sections[2];
	struct ic_go_pclntab table;
	struct ic_go_function function;
	struct ic_error err = { 0 };

	fuzz_take_sections(&in, sections, 2);
	const struct ic_go_span span = { RECORDS, sections[1] };
	const struct ic_go_memory memory = { &span, 1 };
	if (ic_go_pclntab_open(&table, sections[0], 0x500000, swap, "pclntab", &err)) {
		(void)!ic_go_layout_choose(&table, &memory, module);
		for (uint32_t i = 0; i < table.function_count && i < MOST_FUNCTIONS; i++) {
			if (ic_go_function_read(&table, i, "pclntab", &function, &err))
				check_function(&table, &memory, &function);
			else
				PROMISE_REASON(err);
		}
	} else {
		PROMISE_REASON(err);
	}
	fuzz_free_sections(sections, 2);
	return 0;
}
