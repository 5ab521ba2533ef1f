// Fuzzes the lists and jitdumps of what processes have compiled.
// Wanted: each function that is found is one that was read and has the address, and its names and
// lines are within the file.
#include "process/jit_code.h"

#include "fuzz_input.h"

static void check_text(struct ic_bytes text, struct ic_bytes file)
{
	PROMISE(text.size == 0 ||
		(text.data >= file.data && text.data + text.size <= file.data + file.size));
}

static void check_address(const struct ic_jit_code *code, uint64_t addr, struct ic_bytes file)
{
	const struct ic_jit_function *function = ic_jit_code_find(code, addr);

	if (!function)
		return;
	PROMISE(addr >= function->start && addr - function->start < function->size);
	check_text(function->name, file);
	const struct ic_jit_line *line = ic_jit_code_line(code, function, addr);
	if (line)
		check_text(line->source, file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_jit_code code = { .functions = { 0 } };
	struct ic_bytes bytes;
	uint64_t wrong;

	fuzz_take_sections(&in, &bytes, 1);
	PROMISE(ic_jit_code_read(&code, bytes, &wrong));
	for (uint32_t i = 0; i < code.functions.count; i++) {
		const struct ic_jit_function *function = &code.functions.items[i];
		PROMISE(i == 0 || function[-1].start <= function->start);
		check_address(&code, function->start, bytes);
		check_address(&code, function->start + function->size - 1, bytes);
		check_address(&code, function->start + function->size, bytes);
	}
	ic_jit_code_free(&code);
	fuzz_free_sections(&bytes, 1);
	return 0;
}
