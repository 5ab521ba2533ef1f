// Fuzzes location expressions: what they are reduced to, their text, and their evaluation.
// Wanted: a fault is reported; what is reduced and what is evaluated are the same, wherever both
// know; pieces and texts are no larger than the expression allows.
#include <inlinecall/extra/evaluate.h>

#include "dwarf/expressions/reduce.h"
#include "dwarf/expressions/shape.h"
#include "expression_agreement.h"
#include "fuzz_input.h"

static void check_text(const struct ic_location *location)
{
	const struct ic_location_text_options options = { .machine = 62, .size = 8 };
	char small[16], text[1 << 14];

	size_t length = ic_location_text(location, &options, text, sizeof(text));
	PROMISE(length > 0 && length < sizeof(text) && strlen(text) == length);
	PROMISE(ic_location_text(location, &options, small, sizeof(small)) == length);
	PROMISE(strlen(small) < sizeof(small) && memcmp(small, text, strlen(small)) == 0);
}

static void check_reduction(struct ic_bytes bytes, const struct expression_setting *setting)
{
	const struct ic_dwarf dwarf = { .swap = setting->is_big_endian != IC_HOST_IS_BIG_ENDIAN };
	const struct ic_unit unit = {
		.dwarf = &dwarf, .version = 4, .addr_size = setting->addr_size, .offset_size = 8
	};
	struct ic_cursor cur = ic_cursor_at(bytes, ".debug_loc", 0, bytes.size, dwarf.swap);
	struct ic_arena arena = { .blocks = NULL };
	const struct ic_reduction reduction = {
		.unit = &unit, .frame_base = cur, .size = setting->size, .arena = &arena
	};
	struct ic_location location;
	struct ic_error err = { 0 };

	if (!ic_expression_reduce(&reduction, cur, &location, &err))
		PROMISE_REASON(err);
	PROMISE(location.piece_count <= bytes.size / 2);
	PROMISE(location.load_count <= IC_LOCATION_MOST_LOADS);
	check_text(&location);
	ic_arena_free(&arena);
	PROMISE(ic_expression_category(cur, &unit) <= IC_CATEGORY_STACK);
	PROMISE(ic_expression_shape(cur, &unit) <= IC_SHAPE_NUMBER_MEMORY);
}

// Gives the expression itself wherever one is asked for, and numbers that are as bad.
static bool find_location(void *context, enum ic_die_base base, uint64_t die_off,
			  const uint8_t **expression, size_t *size, struct ic_error *err)
{
	const struct ic_bytes *bytes = context;

	(void)base;
	(void)err;
	*expression = bytes->data;
	*size = bytes->size;
	return die_off % 4 != 3;
}

static bool find_type(void *context, uint64_t off, struct ic_base_type *type, struct ic_error *err)
{
	(void)context;
	(void)err;
	*type = (struct ic_base_type){ .size = off & 0x1f,
				       .encoding = (uint32_t)(off >> 5 & 0x1f) };
	return true;
}

static bool read_register(void *context, uint32_t reg, void *bytes, size_t size,
			  struct ic_error *err)
{
	(void)context;
	(void)err;
	memset(bytes, (int)reg, size);
	return true;
}

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size,
			struct ic_error *err)
{
	return read_register(context, (uint32_t)addr, bytes, size, err);
}

static bool find_number(void *context, uint64_t *number, struct ic_error *err)
{
	(void)context;
	(void)err;
	*number = UINT64_MAX;
	return true;
}

static void check_evaluation(struct ic_bytes bytes, const struct expression_setting *setting)
{
	struct ic_evaluated_piece pieces[8];
	const struct ic_evaluate_options options = { .version = 5,
						     .addr_size = setting->addr_size,
						     .offset_size = 4,
						     .is_big_endian = setting->is_big_endian,
						     .pieces = pieces,
						     .piece_room = 8,
						     .read_register = read_register,
						     .read_memory = read_memory,
						     .find_location = find_location,
						     .find_type = find_type,
						     .find_cfa = find_number,
						     .find_frame_base = find_number,
						     .context = &bytes };
	struct ic_evaluated evaluated;
	struct ic_error err = { 0 };
	uint8_t value[64];

	if (!ic_evaluate(bytes.data, bytes.size, &options, &evaluated, &err)) {
		PROMISE_REASON(err);
		return;
	}
	PROMISE(evaluated.piece_count <= 8);
	for (size_t size = 0; size <= sizeof(value); size += 1 + size / 2)
		if (!ic_evaluated_read(&evaluated, &options, value, size, &err))
			PROMISE_REASON(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_bytes bytes;
	uint8_t sizes = fuzz_take_u8(&in);
	const struct expression_setting setting = { .addr_size = sizes & 1 ? 4 : 8,
						    .is_big_endian = sizes & 2,
						    .size = (uint8_t)(1u << (sizes >> 2 & 3)),
						    .frame = (uint8_t)((sizes >> 4) % 3) };
	const char *why;

	fuzz_take_sections(&in, &bytes, 1);
	check_reduction(bytes, &setting);
	check_evaluation(bytes, &setting);
	PROMISE(expression_compare(bytes, &setting, &why) != EXPRESSION_DIFFERS);
	fuzz_free_sections(&bytes, 1);
	return 0;
}
