#include "expression_agreement.h"

#include <inlinecall/extra/evaluate.h>

#include "dwarf/expressions/operation.h"
#include "dwarf/expressions/reduce.h"

enum { ROOM = 64, ADDRS = 4, BIAS = 0x1230000, CFA = 0x7ffe1000 };

struct world {
	const struct expression_setting *setting;
	bool is_entry; // the values are those when the function was entered
};

static uint64_t hash(uint64_t number)
{
	number = (number ^ number >> 31) * 0x9e3779b97f4a7c15;
	return number ^ number >> 29;
}

static uint64_t wrap(const struct world *world, uint64_t number)
{
	return world->setting->addr_size == 4 ? number & UINT32_MAX : number;
}

static void put(const struct world *world, uint64_t number, uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[world->setting->is_big_endian ? size - 1 - i : i] =
			i < 8 ? (uint8_t)(number >> 8 * i) : 0;
}

static uint64_t register_of(const struct world *world, uint64_t reg, bool is_entry)
{
	return wrap(world, hash(reg + (is_entry ? 1000 : 0)));
}

static bool read_register(void *context, uint32_t reg, void *bytes, size_t size,
			  struct ic_error *err)
{
	const struct world *world = context;

	(void)err;
	put(world, register_of(world, reg, world->is_entry), bytes, size);
	return true;
}

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size,
			struct ic_error *err)
{
	const struct world *world = context;

	(void)err;
	for (size_t i = 0; i < size; i++)
		((uint8_t *)bytes)[i] = (uint8_t)hash(wrap(world, addr + i) ^ 0x5555);
	return !world->is_entry; // what was there then is not known
}

static bool find_cfa(void *context, uint64_t *addr, struct ic_error *err)
{
	(void)context;
	(void)err;
	*addr = CFA;
	return true;
}

static bool find_frame_base(void *context, uint64_t *addr, struct ic_error *err)
{
	const struct world *world = context;

	(void)err;
	switch (world->setting->frame) {
	case 0: *addr = CFA; return true;
	case 1: *addr = register_of(world, 6, false); break;
	default: *addr = register_of(world, 7, false) + 8; break;
	}
	return !world->is_entry;
}

static bool find_address(void *context, uint64_t index, uint64_t *addr, struct ic_error *err)
{
	const struct world *world = context;

	*addr = wrap(world, hash(index + 77));
	return index < ADDRS || ic_fail(err, IC_ERROR_MALFORMED, "no such index");
}

static struct ic_evaluate_options options_of(struct world *world)
{
	return (struct ic_evaluate_options){ .version = 5,
					     .addr_size = world->setting->addr_size,
					     .offset_size = 4,
					     .is_big_endian = world->setting->is_big_endian,
					     .bias = BIAS,
					     .read_register = read_register,
					     .read_memory = read_memory,
					     .find_frame_base = find_frame_base,
					     .find_cfa = find_cfa,
					     .find_address = find_address,
					     .context = world };
}

static bool find_entry_value(void *context, const uint8_t *expression, size_t size, uint64_t *value,
			     struct ic_error *err)
{
	const struct world *world = context;
	struct world entry = { .setting = world->setting, .is_entry = true };
	const struct ic_evaluate_options options = options_of(&entry);
	struct ic_evaluated evaluated;

	if (!ic_evaluate(expression, size, &options, &evaluated, err))
		return false;
	if (evaluated.kind == IC_EVALUATED_REGISTER)
		*value = register_of(world, evaluated.reg, true);
	else
		*value = evaluated.kind == IC_EVALUATED_MEMORY ? evaluated.addr : evaluated.value;
	return evaluated.kind == IC_EVALUATED_REGISTER || evaluated.kind == IC_EVALUATED_MEMORY ||
	       evaluated.kind == IC_EVALUATED_VALUE ||
	       ic_fail(err, IC_ERROR_NOT_FOUND, "no entry value");
}

static uint64_t load(struct world *world, uint64_t addr, uint32_t size)
{
	uint8_t bytes[8];
	uint64_t number = 0;

	read_memory(world, addr, bytes, size, NULL);
	for (uint32_t i = 0; i < size; i++)
		number |= (uint64_t)bytes[world->setting->is_big_endian ? size - 1 - i : i]
			  << 8 * i;
	return number;
}

// The sum of a base and an offset, and what loads lead to.
static uint64_t sum_of(struct world *world, const struct ic_location *location,
		       enum ic_location_base base)
{
	uint64_t sum = location->constant;

	switch (base) {
	case IC_BASE_REGISTER: sum = register_of(world, location->reg, false); break;
	case IC_BASE_ADDRESS: sum += BIAS; break;
	case IC_BASE_CFA: sum = CFA; break;
	case IC_BASE_ENTRY_REGISTER: sum = register_of(world, location->reg, true); break;
	case IC_BASE_CONSTANT: break;
	}
	sum = wrap(world, sum + (uint64_t)location->offset);
	for (uint32_t i = 0; i < location->load_count; i++)
		sum = wrap(world, load(world, sum, location->loads[i].size) +
					  (uint64_t)location->loads[i].offset);
	return sum;
}

// The bytes of a value by its location; false if it has none of these.
static bool bytes_at(struct world *world, const struct ic_location *location, uint8_t *bytes,
		     size_t size)
{
	switch (location->kind) {
	case IC_LOCATION_CONSTANT: put(world, location->constant, bytes, size); return true;
	case IC_LOCATION_BYTES:
		if (location->size < size)
			return false;
		memcpy(bytes, location->bytes, size);
		return true;
	case IC_LOCATION_REGISTER:
		put(world, sum_of(world, location, IC_BASE_REGISTER), bytes, size);
		return true;
	case IC_LOCATION_ADDRESS:
		put(world, sum_of(world, location, IC_BASE_ADDRESS), bytes, size);
		return true;
	case IC_LOCATION_ENTRY_VALUE:
		put(world, sum_of(world, location, IC_BASE_ENTRY_REGISTER), bytes, size);
		return true;
	case IC_LOCATION_VALUE:
		put(world, sum_of(world, location, location->base), bytes, size);
		return true;
	case IC_LOCATION_MEMORY:
		return read_memory(world, sum_of(world, location, location->base), bytes, size,
				   NULL);
	default: return false;
	}
}

static enum expression_agreement compare(struct world *world, const struct ic_location *location,
					 const struct ic_evaluated *evaluated,
					 const struct ic_evaluate_options *options, size_t size,
					 const char **why)
{
	uint8_t reduced[8], read[8];
	struct ic_error err;

	if (location->kind == IC_LOCATION_COMPUTED)
		return EXPRESSION_UNKNOWN;
	*why = "whether it may be set differs";
	if (location->is_uninitialised != evaluated->is_uninitialised &&
	    evaluated->kind != IC_EVALUATED_PIECES) // which says so of the piece
		return EXPRESSION_DIFFERS;
	*why = "one of them is optimised out";
	if (location->kind == IC_LOCATION_UNAVAILABLE)
		return evaluated->kind == IC_EVALUATED_NOTHING ||
				       evaluated->kind == IC_EVALUATED_PIECES
			       ? EXPRESSION_AGREES
			       : EXPRESSION_DIFFERS;
	if (size > world->setting->addr_size || !bytes_at(world, location, reduced, size))
		return EXPRESSION_UNKNOWN;
	*why = "what was evaluated cannot be read";
	if (!ic_evaluated_read(evaluated, options, read, size, &err))
		return EXPRESSION_DIFFERS;
	*why = "the values differ";
	return memcmp(reduced, read, size) == 0 ? EXPRESSION_AGREES : EXPRESSION_DIFFERS;
}

static enum expression_agreement compare_pieces(struct world *world,
						const struct ic_location *location,
						const struct ic_evaluated *evaluated,
						const struct ic_evaluate_options *options,
						const char **why)
{
	*why = "the pieces differ";
	if (evaluated->kind != IC_EVALUATED_PIECES ||
	    location->piece_count != evaluated->piece_count)
		return EXPRESSION_DIFFERS;
	for (size_t i = 0; i < location->piece_count; i++) {
		const struct ic_location_piece *piece = &location->pieces[i];
		const struct ic_evaluated_piece *other = &options->pieces[i];

		if (piece->bit_size != other->bit_size || piece->bit_offset != other->bit_offset)
			return EXPRESSION_DIFFERS;
		if (piece->bit_size % 8 != 0 || piece->bit_size > 64 || piece->bit_offset != 0)
			continue;
		if (compare(world, &piece->location, &other->place, options, piece->bit_size / 8,
			    why) == EXPRESSION_DIFFERS)
			return EXPRESSION_DIFFERS;
	}
	return EXPRESSION_AGREES;
}

// Whether an expression has what can be evaluated, but not reduced: branches, or the value at the
// entry of an expression that is faulty, since that is looked up and not read.
static bool is_only_evaluated(struct ic_cursor bytes, const struct ic_unit *unit)
{
	struct ic_expression walk = ic_expression_open(bytes, unit);
	struct ic_operation op;

	while (ic_expression_next(&walk, &op)) {
		bool is_entry_value = op.code == DW_OP_entry_value ||
				      op.code == DW_OP_GNU_entry_value;
		if (op.code == DW_OP_bra || op.code == DW_OP_skip ||
		    (is_entry_value && is_only_evaluated(op.block, unit)))
			return true;
	}
	return walk.cur.fault;
}

static void fill_addresses(const struct world *world, uint8_t *table)
{
	for (size_t i = 0; i < ADDRS; i++)
		put(world, hash(i + 77), table + i * world->setting->addr_size,
		    world->setting->addr_size);
}

enum expression_agreement expression_compare(struct ic_bytes expression,
					     const struct expression_setting *setting,
					     const char **why)
{
	static const uint8_t frames[][2] = { { DW_OP_call_frame_cfa, DW_OP_nop },
					     { DW_OP_reg0 + 6, DW_OP_nop },
					     { DW_OP_breg0 + 7, 8 } };
	struct world world = { .setting = setting };
	uint8_t table[8 * ADDRS] = { 0 };
	struct ic_evaluated_piece pieces[ROOM];
	const struct ic_dwarf dwarf = { .swap = setting->is_big_endian != IC_HOST_IS_BIG_ENDIAN,
					.addr = { table, ADDRS * setting->addr_size } };
	const struct ic_unit unit = {
		.dwarf = &dwarf, .version = 5, .addr_size = setting->addr_size, .offset_size = 4
	};
	struct ic_arena arena = { .blocks = NULL };
	const struct ic_reduction reduction = {
		.unit = &unit,
		.frame_base = ic_cursor_at((struct ic_bytes){ frames[setting->frame], 2 }, "", 0, 2,
					   dwarf.swap),
		.size = setting->size,
		.arena = &arena
	};
	struct ic_evaluate_options options = options_of(&world);
	struct ic_location location;
	struct ic_evaluated evaluated;
	struct ic_error err;
	enum expression_agreement agreement;

	fill_addresses(&world, table);
	options.pieces = pieces;
	options.piece_room = ROOM;
	options.find_entry_value = find_entry_value;
	struct ic_cursor bytes = ic_cursor_at(expression, ".test", 0, expression.size, dwarf.swap);
	bool is_reduced = ic_expression_reduce(&reduction, bytes, &location, &err);
	bool is_evaluated =
		ic_evaluate(expression.data, expression.size, &options, &evaluated, &err);
	*why = "it can be evaluated, but not reduced";
	if (!is_reduced)
		agreement = !is_evaluated || is_only_evaluated(bytes, &unit) ? EXPRESSION_FAULTY
									     : EXPRESSION_DIFFERS;
	else if (!is_evaluated)
		agreement = EXPRESSION_UNKNOWN;
	else if (location.kind == IC_LOCATION_PIECES)
		agreement = compare_pieces(&world, &location, &evaluated, &options, why);
	else
		agreement = compare(&world, &location, &evaluated, &options, setting->size, why);
	ic_arena_free(&arena);
	return agreement;
}
