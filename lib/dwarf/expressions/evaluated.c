// Reads a value from the location that an expression evaluated to.
#include "base/bytes.h"
#include "base/error.h"

#include <inlinecall/extra/evaluate.h>

static bool lack_fact(struct ic_error *err, const char *what)
{
	return ic_fail(err, IC_ERROR_NOT_FOUND, "%s is not available", what);
}

static bool need_fact(bool is_told, const char *what, uint64_t number, struct ic_error *err)
{
	if (!is_told && (err->code == IC_ERROR_NONE || err->message[0] == 0))
		return ic_fail(err, IC_ERROR_NOT_FOUND, "cannot read %s 0x%llx", what,
			       (unsigned long long)number);
	return is_told;
}

// Clears the error, so that need_fact() can see whether a callback filled it in.
static void clear_error(struct ic_error *err)
{
	err->code = IC_ERROR_NONE;
	err->message[0] = 0;
}

static bool read_memory(const struct ic_evaluate_options *options, uint64_t addr, void *bytes,
			size_t size, struct ic_error *err)
{
	if (size == 0)
		return true;
	if (!options->read_memory)
		return lack_fact(err, "memory");
	clear_error(err);
	return need_fact(options->read_memory(options->context, addr, bytes, size, err),
			 "memory at", addr, err);
}

static bool read_register(const struct ic_evaluate_options *options, uint32_t reg, void *bytes,
			  size_t size, struct ic_error *err)
{
	if (size == 0)
		return true;
	if (!options->read_register)
		return lack_fact(err, "register");
	clear_error(err);
	return need_fact(options->read_register(options->context, reg, bytes, size, err),
			 "register", reg, err);
}

// Stores the low-order bytes of a number.
static void put_number(uint64_t number, bool is_big_endian, uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[is_big_endian ? size - 1 - i : i] = (uint8_t)(number >> 8 * i);
}

// Reads a location that is not in pieces.
static bool read_place(const struct ic_evaluated *place, const struct ic_evaluate_options *options,
		       uint8_t *bytes, size_t size, struct ic_error *err)
{
	switch (place->kind) {
	case IC_EVALUATED_MEMORY: return read_memory(options, place->addr, bytes, size, err);
	case IC_EVALUATED_REGISTER: return read_register(options, place->reg, bytes, size, err);
	case IC_EVALUATED_VALUE:
	case IC_EVALUATED_BYTES: break;
	case IC_EVALUATED_POINTER:
		return ic_fail(err, IC_ERROR_NOT_FOUND,
			       "an implicit pointer has no value: its target is not in memory");
	case IC_EVALUATED_NOTHING:
	case IC_EVALUATED_PIECES:
		return ic_fail(err, IC_ERROR_NOT_FOUND, "the value is optimised out");
	}
	if (size > place->size)
		return ic_fail(err, IC_ERROR_MISMATCH, "the value has %llu bytes, not %zu",
			       (unsigned long long)place->size, size);
	if (place->kind == IC_EVALUATED_VALUE)
		put_number(place->value, options->is_big_endian, bytes, size);
	else if (size > 0)
		memcpy(bytes, place->bytes, size);
	return true;
}

static unsigned bit_at(const uint8_t *bytes, uint64_t bit)
{
	return bytes[bit / 8] >> bit % 8 & 1;
}

// Copies `wanted` bits of a location to bit `done` of `bytes`, which has its lower bits already.
// Bits are counted from the low-order end.
static bool read_bits(const struct ic_evaluated_piece *piece,
		      const struct ic_evaluate_options *options, uint8_t *bytes, uint64_t done,
		      uint64_t wanted, struct ic_error *err)
{
	enum { MOST = 32 };
	uint64_t first = piece->bit_offset / 8, end;
	struct ic_evaluated place = piece->place;
	uint8_t from[MOST];

	if (options->is_big_endian)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "bit pieces are not supported in big-endian order");
	if (place.kind == IC_EVALUATED_MEMORY) { // start at the first byte needed
		place.addr += first;
		first = 0;
	}
	uint64_t skipped = first * 8 + piece->bit_offset % 8;
	if (__builtin_add_overflow(skipped, wanted, &end) || end > 8 * (uint64_t)sizeof(from))
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "bit piece is too large");
	if (!read_place(&place, options, from, (size_t)(end + 7) / 8, err))
		return false;
	for (uint64_t i = 0; i < wanted; i++) {
		unsigned at = (done + i) % 8;
		uint8_t *to = &bytes[(done + i) / 8];
		*to = (uint8_t)((*to & ~(1u << at)) | bit_at(from, skipped + i) << at);
	}
	return true;
}

static bool read_pieces(size_t count, const struct ic_evaluate_options *options, uint8_t *bytes,
			size_t size, struct ic_error *err)
{
	uint64_t bits = 8 * (uint64_t)size, done = 0;

	for (size_t i = 0; i < count && done < bits; i++) {
		const struct ic_evaluated_piece *piece = &options->pieces[i];
		uint64_t wanted = piece->bit_size < bits - done ? piece->bit_size : bits - done;
		if (wanted == 0)
			continue;
		// In big-endian order, the first bytes of a partly used register are not its
		// low-order bytes.
		bool is_whole = piece->bit_size % 8 == 0 && piece->bit_offset == 0 &&
				done % 8 == 0 &&
				(wanted == piece->bit_size || !options->is_big_endian);

		if (is_whole ? !read_place(&piece->place, options, bytes + done / 8,
					   (size_t)(wanted / 8), err)
			     : !read_bits(piece, options, bytes, done, wanted, err))
			return false;
		done += wanted;
	}
	return done == bits ||
	       ic_fail(err, IC_ERROR_MISMATCH, "the pieces have %llu bytes, not %zu",
		       (unsigned long long)(done / 8), size);
}

bool ic_evaluated_read(const struct ic_evaluated *evaluated,
		       const struct ic_evaluate_options *options, void *bytes, size_t size,
		       struct ic_error *err)
{
	struct ic_error unused;

	if (!err)
		err = &unused;
	if (evaluated->kind == IC_EVALUATED_PIECES)
		return read_pieces(evaluated->piece_count, options, bytes, size, err);
	return read_place(evaluated, options, bytes, size, err);
}
