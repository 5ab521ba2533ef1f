#include "btf/inline_lower.h"

#include "btf/inline_expression.h"
#include "btf/inline_kinds.h"
#include "btf/out.h"

const char *ic_btf_loss_text(enum ic_btf_loss loss)
{
	switch (loss) {
	case IC_BTF_LOSS_NONE: return "written";
	case IC_BTF_LOSS_UNAVAILABLE: return "not available";
	case IC_BTF_LOSS_UNREADABLE: return "not readable";
	case IC_BTF_LOSS_ENTRY_VALUE: return "the entry value of a register";
	case IC_BTF_LOSS_FRAME: return "in the stack frame";
	case IC_BTF_LOSS_ADDRESS: return "relative to the load address";
	case IC_BTF_LOSS_PIECES: return "split into pieces";
	case IC_BTF_LOSS_BYTES: return "a constant of more than 8 bytes";
	case IC_BTF_LOSS_SIZE: return "in memory, of a size that cannot be loaded at once";
	case IC_BTF_LOSS_POINTER: return "behind a pointer";
	case IC_BTF_LOSS_NUMBER: return "a register number or offset that is too large";
	case IC_BTF_LOSS_COMPUTED: return "computed";
	}
	return NULL;
}

struct lower {
	const struct ic_btf_lowering *how;
	const struct ic_location *location;
	uint64_t size;
	bool is_signed;
	struct ic_btf_out out;
};

static unsigned bytes_of(uint64_t number, bool is_signed)
{
	unsigned bytes = 1;

	while (bytes < 8 && ic_extend(number, 8 * bytes, is_signed) != number)
		bytes *= 2;
	return bytes;
}

// The low-order bytes of a constant, as many as its type has.
static uint64_t constant_of(const struct lower *lower)
{
	uint64_t constant = lower->location->constant;

	return lower->size == 0 || lower->size >= 8
		       ? constant
		       : ic_extend(constant, 8 * (unsigned)lower->size, lower->is_signed);
}

static bool is_loadable(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

// Whether two registers hold the value in the way a LOC_PARAM with two can express: the first has
// as much as fits.
static bool is_pair(const struct lower *lower)
{
	const struct ic_location_piece *pieces = lower->location->pieces;
	uint64_t first = lower->size > 8 ? 8 : lower->size / 2;

	if (lower->how->format != IC_BTF_INLINE_LOC || lower->location->piece_count != 2 ||
	    pieces[0].bit_size != 8 * first || pieces[1].bit_size != 8 * (lower->size - first))
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (pieces[i].location.kind != IC_LOCATION_REGISTER ||
		    pieces[i].location.offset != 0 || pieces[i].bit_offset != 0)
			return false;
	return pieces[0].location.reg != IC_BTF_LOC_FRAME;
}

// Whether the format can express the location's base.
static enum ic_btf_loss check_base(const struct lower *lower)
{
	switch (lower->location->base) {
	case IC_BASE_REGISTER:
	case IC_BASE_CONSTANT: return IC_BTF_LOSS_NONE;
	case IC_BASE_ADDRESS:
		return lower->how->has_fixed_addresses ? IC_BTF_LOSS_NONE : IC_BTF_LOSS_ADDRESS;
	case IC_BASE_CFA: return IC_BTF_LOSS_FRAME;
	case IC_BASE_ENTRY_REGISTER: return IC_BTF_LOSS_ENTRY_VALUE;
	}
	return IC_BTF_LOSS_COMPUTED;
}

static enum ic_btf_loss check_location(const struct lower *lower)
{
	const struct ic_location *location = lower->location;

	switch (location->kind) {
	case IC_LOCATION_UNAVAILABLE:
		return location->why == IC_LOCATION_WHY_UNREADABLE ? IC_BTF_LOSS_UNREADABLE
								   : IC_BTF_LOSS_UNAVAILABLE;
	case IC_LOCATION_CONSTANT:
	case IC_LOCATION_REGISTER: return IC_BTF_LOSS_NONE;
	case IC_LOCATION_BYTES: return location->size > 8 ? IC_BTF_LOSS_BYTES : IC_BTF_LOSS_NONE;
	case IC_LOCATION_ADDRESS:
		return lower->how->has_fixed_addresses ? IC_BTF_LOSS_NONE : IC_BTF_LOSS_ADDRESS;
	case IC_LOCATION_ENTRY_VALUE: return IC_BTF_LOSS_ENTRY_VALUE;
	case IC_LOCATION_PIECES: return is_pair(lower) ? IC_BTF_LOSS_NONE : IC_BTF_LOSS_PIECES;
	case IC_LOCATION_MEMORY:
	case IC_LOCATION_VALUE: return check_base(lower);
	case IC_LOCATION_COMPUTED: break;
	}
	return IC_BTF_LOSS_COMPUTED;
}

// ---- The RFC's expressions

static void put_constant(struct ic_btf_out *out, uint64_t constant, bool is_signed)
{
	bool is_negative = is_signed && (int64_t)constant < 0;
	unsigned bytes = bytes_of(constant, is_negative);

	ic_btf_put(out,
		   (is_negative ? IC_BTF_OP_SIGNED_1 : IC_BTF_OP_UNSIGNED_1) +
			   (unsigned)__builtin_ctz(bytes),
		   1);
	ic_btf_put(out, constant, bytes);
}

static enum ic_btf_loss put_register(struct ic_btf_out *out, const struct ic_location *location)
{
	if (location->reg > UINT8_MAX)
		return IC_BTF_LOSS_NUMBER;
	ic_btf_put(out, location->offset ? IC_BTF_OP_REGISTER_OFFSET : IC_BTF_OP_REGISTER, 1);
	ic_btf_put(out, location->reg, 1);
	if (location->offset)
		ic_btf_put(out, (uint64_t)location->offset, 8);
	return IC_BTF_LOSS_NONE;
}

static void put_load(struct ic_btf_out *out, uint64_t size)
{
	ic_btf_put(out, IC_BTF_OP_DEREF, 1);
	ic_btf_put(out, size, 1);
}

// Writes a base and the loads from there. No operator can add to a loaded value.
static enum ic_btf_loss put_loads(struct lower *lower)
{
	const struct ic_location *location = lower->location;
	bool is_memory = location->kind == IC_LOCATION_MEMORY;
	enum ic_btf_loss loss = IC_BTF_LOSS_NONE;

	for (uint32_t i = 0; i < location->load_count; i++)
		if (location->loads[i].offset != 0 || !is_loadable(location->loads[i].size))
			return IC_BTF_LOSS_POINTER;
	if (is_memory && !is_loadable(lower->size))
		return IC_BTF_LOSS_SIZE;
	if (location->base == IC_BASE_REGISTER)
		loss = put_register(&lower->out, location);
	else
		put_constant(&lower->out, location->constant + (uint64_t)location->offset, false);
	for (uint32_t i = 0; i < location->load_count; i++)
		put_load(&lower->out, location->loads[i].size);
	if (is_memory)
		put_load(&lower->out, lower->size);
	return loss;
}

static enum ic_btf_loss put_expression(struct lower *lower)
{
	enum ic_btf_loss loss = IC_BTF_LOSS_NONE;

	switch (lower->location->kind) {
	case IC_LOCATION_CONSTANT:
	case IC_LOCATION_BYTES:
	case IC_LOCATION_ADDRESS:
		put_constant(&lower->out, constant_of(lower), lower->is_signed);
		break;
	case IC_LOCATION_REGISTER: loss = put_register(&lower->out, lower->location); break;
	default: loss = put_loads(lower); break;
	}
	ic_btf_put(&lower->out, IC_BTF_OP_END, 1);
	return loss;
}

// ---- LOC_PARAM

static void put_words(struct lower *lower, uint32_t flags, uint64_t words, unsigned count)
{
	ic_btf_put(&lower->out, lower->size, 4);
	ic_btf_put(&lower->out, flags, 4);
	for (unsigned i = 0; i < count; i++)
		ic_btf_put(&lower->out, words >> 32 * i, 4);
}

static void put_constant_words(struct lower *lower, uint32_t flags)
{
	bool is_signed = lower->is_signed && lower->location->kind != IC_LOCATION_ADDRESS;
	uint64_t constant = constant_of(lower);

	put_words(lower, IC_BTF_LOC_CONST | flags | (is_signed ? IC_BTF_LOC_SIGNED : 0u), constant,
		  bytes_of(constant, is_signed) > 4 ? 2 : 1);
}

// Writes a register, its sum with an offset, or the memory there.
static enum ic_btf_loss put_register_words(struct lower *lower, bool is_memory)
{
	const struct ic_location *location = lower->location;
	uint32_t flags = IC_BTF_LOC_REG | (is_memory ? IC_BTF_LOC_DEREF : 0u);

	if (location->reg == IC_BTF_LOC_FRAME || location->offset != (int32_t)location->offset)
		return IC_BTF_LOSS_NUMBER;
	if (location->offset)
		flags |= IC_BTF_LOC_OFFSET;
	put_words(lower, flags, (uint64_t)location->offset << 32 | location->reg,
		  location->offset ? 2 : 1);
	return IC_BTF_LOSS_NONE;
}

static enum ic_btf_loss put_param(struct lower *lower)
{
	const struct ic_location *location = lower->location;
	bool is_memory = location->kind == IC_LOCATION_MEMORY;

	if (lower->size > INT32_MAX)
		return IC_BTF_LOSS_SIZE;
	switch (location->kind) {
	case IC_LOCATION_CONSTANT:
	case IC_LOCATION_BYTES: put_constant_words(lower, 0); return IC_BTF_LOSS_NONE;
	case IC_LOCATION_ADDRESS:
		put_constant_words(lower, IC_BTF_LOC_ADDR);
		return IC_BTF_LOSS_NONE;
	case IC_LOCATION_REGISTER: return put_register_words(lower, false);
	case IC_LOCATION_PIECES:
		put_words(lower, IC_BTF_LOC_REG,
			  (uint64_t)location->pieces[1].location.reg << 32 |
				  location->pieces[0].location.reg,
			  2);
		return IC_BTF_LOSS_NONE;
	default: break;
	}
	// A value that a single load of its size yields is in memory, too.
	uint32_t loads = location->load_count;
	if (!is_memory && loads == 1 && location->loads[0].offset == 0 &&
	    location->loads[0].size == lower->size) {
		is_memory = true;
		loads = 0;
	}
	if (loads > 0 || location->base != IC_BASE_REGISTER)
		return IC_BTF_LOSS_POINTER;
	if (is_memory && lower->size == 0)
		return IC_BTF_LOSS_SIZE;
	return put_register_words(lower, is_memory);
}

// ---- A location

// A single piece that covers the whole value is unwrapped.
static const struct ic_location *unwrap_location(const struct ic_location *location, uint64_t size)
{
	const struct ic_location_piece *piece = location->pieces;
	bool is_whole = location->kind == IC_LOCATION_PIECES && location->piece_count == 1 &&
			piece->bit_size == 8 * size && piece->bit_offset == 0;

	return is_whole ? &piece->location : location;
}

enum ic_btf_loss ic_btf_lower(const struct ic_btf_lowering *lowering,
			      const struct ic_location *location, uint64_t size, bool is_signed,
			      struct ic_btf_lowered *lowered)
{
	struct lower lower = { .how = lowering,
			       .location = unwrap_location(location, size),
			       .size = size,
			       .is_signed = is_signed,
			       .out = { lowered->bytes, lowering->swap } };
	enum ic_btf_loss loss = check_location(&lower);

	if (loss == IC_BTF_LOSS_NONE)
		loss = lowering->format == IC_BTF_INLINE_LOC ? put_param(&lower)
							     : put_expression(&lower);
	lowered->size = (uint32_t)(lower.out.at - lowered->bytes);
	return loss;
}
