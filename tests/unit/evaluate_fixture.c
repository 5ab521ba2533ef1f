#include "evaluate_fixture.h"

#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "dwarf_constants.h"

enum { ROOM = 4 };

// A register holds 0x1000 times its number; a byte of memory the low-order byte of its address.
static bool read_register(void *context, uint32_t reg, void *bytes, size_t size,
			  struct ic_error *err)
{
	(void)context;
	if (reg == 99) // says nothing
		return false;
	if (reg == 98)
		return ic_fail(err, IC_ERROR_SYSTEM, "no such process");
	for (size_t i = 0; i < size; i++)
		((uint8_t *)bytes)[i] = i < 8 ? (uint8_t)(0x1000ull * reg >> 8 * i) : 0;
	return true;
}

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size,
			struct ic_error *err)
{
	(void)context;
	(void)err;
	for (size_t i = 0; i < size; i++)
		((uint8_t *)bytes)[i] = (uint8_t)(addr + i);
	return addr != 0;
}

static bool read_space(void *context, uint64_t space, uint64_t addr, void *bytes, size_t size,
		       struct ic_error *err)
{
	return read_memory(context, addr + space, bytes, size, err);
}

static bool find_frame_base(void *context, uint64_t *addr, struct ic_error *err)
{
	(void)context;
	(void)err;
	*addr = 0x7000;
	return true;
}

static bool find_cfa(void *context, uint64_t *addr, struct ic_error *err)
{
	(void)context;
	(void)err;
	*addr = 0x7100;
	return true;
}

static bool find_object(void *context, uint64_t *addr, struct ic_error *err)
{
	(void)context;
	(void)err;
	*addr = 0x7200;
	return true;
}

static bool find_entry_value(void *context, const uint8_t *expression, size_t size, uint64_t *value,
			     struct ic_error *err)
{
	(void)context;
	(void)err;
	*value = 0x1122334455667700 + size + expression[0];
	return true;
}

static bool find_thread_local(void *context, uint64_t offset, uint64_t *addr, struct ic_error *err)
{
	(void)context;
	(void)err;
	*addr = 0x8000 + offset;
	return true;
}

static bool find_address(void *context, uint64_t index, uint64_t *addr, struct ic_error *err)
{
	(void)context;
	*addr = 0x2000 + index;
	return index < 8 || ic_fail(err, IC_ERROR_MALFORMED, "no such index");
}

static bool find_location(void *context, enum ic_die_base base, uint64_t die_off,
			  const uint8_t **expression, size_t *size, struct ic_error *err)
{
	static const uint8_t itself[] = { DW_OP_call2, 7, 0 };
	static const uint8_t number[] = { LIT(9) };
	static const uint8_t broken[] = { LIT(9), BREG(1) };

	(void)context;
	(void)err;
	if (die_off == 0)
		return true; // there is no location
	*expression = die_off == 7 ? itself : die_off == 8 ? broken : number;
	*size = die_off == 7 ? sizeof(itself) : die_off == 8 ? sizeof(broken) : sizeof(number);
	return (die_off == 6) == (base == IC_DIE_OF_SECTION);
}

static bool find_value(void *context, enum ic_die_base base, uint64_t die_off, uint64_t *value,
		       struct ic_error *err)
{
	(void)context;
	(void)err;
	*value = die_off + (base == IC_DIE_OF_UNIT ? 0x100 : 0x200);
	return true;
}

static bool find_type(void *context, uint64_t off, struct ic_base_type *type, struct ic_error *err)
{
	static const struct ic_base_type types[] = {
		[U32] = { 4, DW_ATE_unsigned },       [S32] = { 4, DW_ATE_signed },
		[U64] = { 8, DW_ATE_unsigned },       [FLOAT] = { 4, DW_ATE_float },
		[DOUBLE] = { 8, DW_ATE_float },       [S8] = { 1, DW_ATE_signed_char },
		[LONG_DOUBLE] = { 16, DW_ATE_float }, [ODD] = { 4, DW_ATE_packed_decimal },
	};

	(void)context;
	(void)err;
	if (off >= COUNT_OF(types))
		return false;
	*type = types[off];
	return true;
}

static struct ic_evaluated_piece pieces[ROOM];

const struct ic_evaluate_options evaluate_amd64 = {
	.version = 5,
	.addr_size = 8,
	.offset_size = 4,
	.is_big_endian = false,
	.bias = 0x100000,
	.pieces = pieces,
	.piece_room = ROOM,
	.read_register = read_register,
	.read_memory = read_memory,
	.read_space = read_space,
	.find_frame_base = find_frame_base,
	.find_cfa = find_cfa,
	.find_entry_value = find_entry_value,
	.find_thread_local = find_thread_local,
	.find_object = find_object,
	.find_address = find_address,
	.find_location = find_location,
	.find_value = find_value,
	.find_type = find_type,
};

static size_t put(char *text, size_t size, const struct ic_evaluated *of)
{
	int length = 0;

	switch (of->kind) {
	case IC_EVALUATED_NOTHING: length = snprintf(text, size, "nothing"); break;
	case IC_EVALUATED_MEMORY: length = snprintf(text, size, "at 0x%" PRIx64, of->addr); break;
	case IC_EVALUATED_REGISTER: length = snprintf(text, size, "reg%" PRIu32, of->reg); break;
	case IC_EVALUATED_VALUE:
		length = snprintf(text, size, "0x%" PRIx64 "/%u", of->value, (unsigned)of->size);
		break;
	case IC_EVALUATED_BYTES:
		length = snprintf(text, size, "bytes %u", (unsigned)of->size);
		break;
	case IC_EVALUATED_POINTER:
		length = snprintf(text, size, "pointer 0x%" PRIx64 "%+d", of->die_off,
				  (int)of->offset);
		break;
	case IC_EVALUATED_PIECES: break;
	}
	return (size_t)length;
}

const char *evaluate_text(const struct ic_evaluate_options *options, struct ic_bytes bytes,
			  struct ic_evaluated *evaluated)
{
	static char text[4096];
	struct ic_error err;
	size_t length = 0;

	if (!ic_evaluate(bytes.data, bytes.size, options, evaluated, &err)) {
		assert_int_not_equal(err.code, IC_ERROR_NONE);
		snprintf(text, sizeof(text), "%s", err.message);
		return text;
	}
	put(text, sizeof(text), evaluated);
	for (size_t i = 0; i < evaluated->piece_count; i++) {
		length += put(text + length, sizeof(text) - length, &pieces[i].place);
		length += (size_t)snprintf(text + length, sizeof(text) - length, ":%u@%u ",
					   (unsigned)pieces[i].bit_size,
					   (unsigned)pieces[i].bit_offset);
	}
	return text;
}
