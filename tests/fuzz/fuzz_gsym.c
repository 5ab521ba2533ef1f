// Fuzzes GSYM files: the header, functions, rows, inlined calls.
// Wanted: an error that says why; rows in the order of their addresses; calls with others around
// them only if these were there; ranges that do not end before they start.
#include "fuzz_input.h"
#include "gsym/function.h"

enum { MOST_FUNCTIONS = 64, MOST_ITEMS = 4096 };

static void check_end(const struct ic_error *err)
{
	if (err->code != IC_ERROR_NONE)
		PROMISE_REASON(*err);
}

static void check_rows(const struct ic_gsym *gsym, const struct ic_gsym_function *function)
{
	struct ic_gsym_rows rows;
	struct ic_gsym_row row;
	struct ic_error err = { 0 };
	uint64_t last = function->start;

	ic_gsym_rows_begin(&rows, gsym, function);
	for (int i = 0; i < MOST_ITEMS; i++) {
		if (!ic_gsym_rows_next(&rows, &row, &err)) {
			check_end(&err);
			PROMISE(!ic_gsym_rows_next(&rows, &row, &err)); // and so it stays
			return;
		}
		PROMISE(row.addr >= last);
		last = row.addr;
	}
}

static void check_calls(const struct ic_gsym *gsym, const struct ic_gsym_function *function)
{
	struct ic_gsym_calls calls;
	struct ic_gsym_call call;
	struct ic_range range;
	struct ic_error err = { 0 };
	uint32_t depth = 0;

	ic_gsym_calls_begin(&calls, gsym, function);
	for (int i = 0; i < MOST_ITEMS; i++) {
		if (!ic_gsym_calls_next(&calls, &call, &err)) {
			check_end(&err);
			PROMISE(!ic_gsym_calls_next(&calls, &call, &err));
			return;
		}
		PROMISE(call.depth <= depth);
		depth = call.depth + 1;
		bool is_first = true;
		for (; ic_gsym_range_next(&call, &range); is_first = false) {
			PROMISE(range.start <= range.end);
			PROMISE(!is_first || range.start == call.first);
		}
		PROMISE(!is_first);
	}
}

static void check_function(const struct ic_gsym *gsym, const struct ic_gsym_function *function)
{
	const char *name = ic_gsym_string(gsym, function->name);

	if (name)
		fuzz_read_text(name, &gsym->strings);
	PROMISE(function->start + function->size >= function->start);
	check_rows(gsym, function);
	check_calls(gsym, function);
}

static void check_functions(const struct ic_gsym *gsym)
{
	for (uint32_t i = 0; i < gsym->count && i < MOST_FUNCTIONS; i++) {
		struct ic_gsym_function function, other;
		struct ic_gsym_merged merged;
		struct ic_error err = { 0 };
		if (!ic_gsym_function_read(gsym, i, &function, &err)) {
			PROMISE_REASON(err);
			continue;
		}
		PROMISE(function.start == ic_gsym_addr(gsym, i));
		check_function(gsym, &function);
		ic_gsym_merged_begin(&merged, gsym, &function);
		for (int j = 0; j < MOST_FUNCTIONS; j++) {
			if (!ic_gsym_merged_next(&merged, &other, &err)) {
				check_end(&err);
				break;
			}
			PROMISE(other.start == function.start);
			check_function(gsym, &other);
		}
	}
}

static void check_files(const struct ic_gsym *gsym)
{
	const char *directory, *name;

	for (uint32_t i = 0; i < gsym->file_count && i < MOST_ITEMS; i++) {
		if (!ic_gsym_file(gsym, i, &directory, &name))
			continue;
		fuzz_read_text(directory, &gsym->strings);
		fuzz_read_text(name, &gsym->strings);
	}
	PROMISE(!ic_gsym_file(gsym, gsym->file_count, &directory, &name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_error err = { 0 };
	struct ic_bytes bytes;
	struct ic_gsym gsym;

	fuzz_take_sections(&in, &bytes, 1);
	if (ic_gsym_parse(&gsym, bytes, &err)) {
		PROMISE(gsym.count <= bytes.size && gsym.file_count <= bytes.size);
		check_functions(&gsym);
		check_files(&gsym);
	} else {
		PROMISE_REASON(err);
	}
	fuzz_free_sections(&bytes, 1);
	return 0;
}
