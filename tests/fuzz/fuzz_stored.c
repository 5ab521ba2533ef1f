// Fuzzes what is stored after an address: the input is a slot and instructions. Wanted: whatever
// these are, the search ends, and a value that it finds is one that can be read at the address.
#include <stdlib.h>

#include "code/stored/stored.h"
#include "fuzz_input.h"

enum { START = 0x1000, MACHINE_AMD64 = 62, MACHINE_AARCH64 = 183 };

static struct ic_bytes bytes_at(void *context, uint64_t addr)
{
	const struct ic_bytes *code = context;

	if (addr < START || addr - START >= code->size)
		return (struct ic_bytes){ NULL, 0 };
	return (struct ic_bytes){ code->data + (addr - START),
				  code->size - (size_t)(addr - START) };
}

static void check(const struct ic_location *value, uint64_t size, bool is_aarch64)
{
	bool is_wide = is_aarch64 && value->reg >= 64;

	switch (value->kind) {
	case IC_LOCATION_REGISTER:
		PROMISE((is_wide ? value->reg < 96 : value->reg < 33) && size <= 16);
		break;
	case IC_LOCATION_CONSTANT:
	case IC_LOCATION_ADDRESS: PROMISE(size <= 16); break;
	case IC_LOCATION_MEMORY:
		PROMISE(value->base == IC_BASE_REGISTER || value->base == IC_BASE_ADDRESS);
		PROMISE(value->reg < 33);
		break;
	default: abort();
	}
	PROMISE(value->load_count == 0 && !value->bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	const struct ic_slot slot = { .reg = choice & 0x80 ? (choice & 4 ? 31 : 7)
							   : fuzz_take_u8(&in),
				      .offset = (uint64_t)(int64_t)(int8_t)fuzz_take_u8(&in),
				      .size = fuzz_take_u8(&in),
				      .moves = choice & 1,
				      .is_reached = choice & 2 };
	struct ic_bytes code = { in.pos, (size_t)(in.end - in.pos) };
	struct ic_error err;
	struct ic_stored_source source = {
		ic_disassembler_open(choice & 4 ? MACHINE_AARCH64 : MACHINE_AMD64, 8, &err),
		bytes_at, &code
	};
	struct ic_location value = { .kind = IC_LOCATION_UNAVAILABLE };
	uint64_t after = IC_NO_ADDR;

	if (!source.disassembler)
		return 0;
	enum ic_stored_answer answer = ic_stored_find(&source, START, &slot, &value, &after);
	PROMISE(answer == IC_STORED_NOTHING || (after >= START && after <= START + code.size));
	if (answer == IC_STORED_VALUE)
		check(&value, slot.size, choice & 4);
	ic_disassembler_close(source.disassembler);
	return 0;
}
