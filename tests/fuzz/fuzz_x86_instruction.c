// Fuzzes the reader of x86 instructions: the input is code. Wanted: it declines, or reads what
// libcapstone reads.
#include <stdlib.h>

#include "fuzz_input.h"
#include "instructions/disassembler.h"
#include "instructions/x86.h"

enum { START = 0x1000, MACHINE_386 = 3, MACHINE_AMD64 = 62 };

static void check(struct ic_disassembler *disassembler, struct ic_bytes bytes, bool is_64,
		  uint64_t addr)
{
	struct ic_instruction read = { .addr = addr };

	if (!ic_x86_instruction_read(bytes, is_64, is_64 ? UINT64_MAX : UINT32_MAX, &read))
		return;
	const struct ic_instruction wanted = ic_instruction_disassemble(disassembler, bytes, addr);
	PROMISE(read.size == wanted.size && read.kind == wanted.kind && read.addr == wanted.addr);
	PROMISE(read.target == wanted.target && read.slot == wanted.slot);
	PROMISE(read.condition == wanted.condition && read.is_move == wanted.is_move);
	PROMISE(read.operation != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ic_disassembler *disassemblers[2]; // they take long to open
	struct ic_error err;

	for (unsigned i = 0; i < 2; i++) {
		bool is_64 = i == 1;
		if (!disassemblers[i])
			disassemblers[i] = ic_disassembler_open(is_64 ? MACHINE_AMD64 : MACHINE_386,
								is_64 ? 8 : 4, &err);
		for (size_t at = 0; disassemblers[i] && at < size; at++)
			check(disassemblers[i], (struct ic_bytes){ data + at, size - at }, is_64,
			      START + at);
	}
	return 0;
}
