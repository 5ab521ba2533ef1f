#include "btf/inline_expression.h"

#include "base/cursor.h"

static const uint8_t operand_sizes[] = {
#define OP(name, number, operand_size) [number] = operand_size,
#include "btf/inline_ops.def"
#undef OP
};

// The value on top of the stack; no operator can reach those below it.
struct value {
	bool exists, is_too_deep;
	struct ic_location location; // only `base`, its operands and `loads`
};

static struct ic_location no_location(enum ic_location_why why)
{
	return (struct ic_location){ .kind = IC_LOCATION_UNAVAILABLE, .why = why };
}

static void push_base(struct value *value, enum ic_location_base base)
{
	*value = (struct value){ .exists = true, .location = { .base = base } };
}

static void push_constant(struct value *value, struct ic_cursor *cur, unsigned op)
{
	unsigned size = operand_sizes[op];

	push_base(value, IC_BASE_CONSTANT);
	value->location.constant =
		ic_extend(ic_cursor_uint(cur, size), 8 * size, op <= IC_BTF_OP_SIGNED_8);
}

static void push_register(struct value *value, struct ic_cursor *cur, bool has_offset)
{
	push_base(value, IC_BASE_REGISTER);
	value->location.reg = ic_cursor_u8(cur);
	if (has_offset)
		value->location.offset = (int64_t)ic_cursor_u64(cur);
}

// Returns false if there is no value to load from, or the size is invalid.
static bool load_memory(struct value *value, uint8_t size)
{
	struct ic_location *location = &value->location;

	if (!value->exists || (size != 1 && size != 2 && size != 4 && size != 8))
		return false;
	if (location->load_count == IC_LOCATION_MOST_LOADS)
		value->is_too_deep = true;
	else
		location->loads[location->load_count++].size = size;
	return true;
}

// If the last load has the value's size, the value is in memory there.
static struct ic_location location_of(const struct value *value, uint64_t size)
{
	struct ic_location location = value->location;

	if (!value->exists)
		return no_location(IC_LOCATION_WHY_KNOWN);
	if (value->is_too_deep)
		return (struct ic_location){ .kind = IC_LOCATION_COMPUTED };
	if (location.load_count > 0) {
		struct ic_location_load *last = &location.loads[location.load_count - 1];
		bool is_own = size == last->size || size == 0;
		location.kind = is_own ? IC_LOCATION_MEMORY : IC_LOCATION_VALUE;
		if (is_own) {
			location.size = last->size;
			*last = (struct ic_location_load){ 0 };
			location.load_count--;
		}
	} else if (location.base == IC_BASE_CONSTANT) {
		location.kind = IC_LOCATION_CONSTANT;
		location.base = IC_BASE_REGISTER; // unused
	} else {
		location.kind = IC_LOCATION_REGISTER;
	}
	return location;
}

struct ic_location ic_btf_expression_read(struct ic_bytes locations, uint32_t off, bool swap,
					  uint64_t size)
{
	struct ic_cursor cur = ic_cursor_at(locations, NULL, off,
					    off <= locations.size ? locations.size - off : 0, swap);
	struct value value = { .exists = false };

	for (unsigned i = 0; i < IC_BTF_MOST_OPS; i++) {
		unsigned op = ic_cursor_u8(&cur);
		bool ok = true;

		if (cur.fault)
			return no_location(IC_LOCATION_WHY_UNREADABLE);
		if (op == IC_BTF_OP_END)
			return location_of(&value, size);
		if (op <= IC_BTF_OP_UNSIGNED_8)
			push_constant(&value, &cur, op);
		else if (op <= IC_BTF_OP_REGISTER_OFFSET)
			push_register(&value, &cur, op == IC_BTF_OP_REGISTER_OFFSET);
		else
			ok = op == IC_BTF_OP_DEREF && load_memory(&value, ic_cursor_u8(&cur));
		if (!ok)
			return no_location(IC_LOCATION_WHY_UNREADABLE);
	}
	return no_location(IC_LOCATION_WHY_UNREADABLE);
}

uint32_t ic_btf_expression_next(struct ic_bytes locations, uint32_t off)
{
	unsigned op = locations.data[off];

	if (op >= IC_BTF_OP_COUNT || operand_sizes[op] >= locations.size - off)
		return 0;
	return off + 1 + operand_sizes[op];
}
