#include "values/location_text.h"

#include "base/bytes.h"
#include "base/registers.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct writer {
	const struct ic_location_text_options *options;
	char *text;
	size_t size, length;
};

static void put_text(struct writer *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put_text(struct writer *to, const char *format, ...)
{
	bool has_room = to->length < to->size;
	va_list args;

	va_start(args, format);
	int length = vsnprintf(has_room ? to->text + to->length : NULL,
			       has_room ? to->size - to->length : 0, format, args);
	va_end(args);
	if (length > 0)
		to->length += (size_t)length;
}

static void put_register(struct writer *to, uint32_t reg)
{
	const char *name = ic_register_name(to->options->machine, reg);

	if (name)
		put_text(to, "%s%s", ic_register_has_percent(to->options->machine) ? "%" : "",
			 name);
	else
		put_text(to, "reg%" PRIu32, reg);
}

// "+8"; larger numbers are in hexadecimal.
static void put_offset(struct writer *to, int64_t offset)
{
	uint64_t size = offset < 0 ? -(uint64_t)offset : (uint64_t)offset;

	if (offset != 0)
		put_text(to, size < 0x10000 ? "%c%" PRIu64 : "%c0x%" PRIx64, offset < 0 ? '-' : '+',
			 size);
}

static void put_address(struct writer *to, uint64_t addr)
{
	const struct ic_location_text_options *options = to->options;
	uint64_t offset = 0;
	const char *name = options->symbol_at ? options->symbol_at(options->context, addr, &offset)
					      : NULL;

	if (!name)
		put_text(to, "&0x%" PRIx64, addr);
	else if (offset == 0)
		put_text(to, "&%s", name);
	else
		put_text(to, "&%s+0x%" PRIx64, name, offset);
}

static bool is_size_of_number(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

// The C type of a number with that size; otherwise an array of bytes.
static void put_pointer_to_size(struct writer *to, uint64_t size, bool is_signed)
{
	if (is_size_of_number(size))
		put_text(to, "(%c%" PRIu64 " *)", is_signed ? 's' : 'u', 8 * size);
	else if (size > 0)
		put_text(to, "(u8 (*)[%" PRIu64 "])", size);
}

// The position in the type of the first of some characters outside any <>.
static size_t find_outside(const char *type, const char *characters)
{
	unsigned depth = 0;
	size_t at = 0;

	for (; type[at]; at++) {
		if (type[at] == '<')
			depth++;
		else if (type[at] == '>' && depth > 0)
			depth--;
		else if (depth == 0 && strchr(characters, type[at]))
			break;
	}
	return at;
}

// Whether a type is an array as in C, not a slice or map as in Rust and Go.
static bool is_array(const char *type)
{
	size_t length = strlen(type);

	return length > 0 && type[length - 1] == ']' && (isalpha((uint8_t)*type) || *type == '_');
}

// Undoes a pointer in C notation: `int (**)(void)` becomes `int (*)(void)`, `int (*)[4]` `int [4]`.
static void put_pointer_to(struct writer *to, const char *type)
{
	size_t at = find_outside(type, "(["), end = at;

	if (type[at] == '(' && type[at + 1] == '*') {
		put_text(to, "(%.*s(**%s)", (int)at, type, type + at + 2);
	} else if (type[at] == '[' && is_array(type)) {
		while (end > 0 && type[end - 1] == ' ')
			end--;
		put_text(to, "(%.*s (*)%s)", (int)end, type, type + at);
	} else {
		size_t length = strlen(type);
		put_text(to, "(%s%s)", type, length > 0 && type[length - 1] == '*' ? "*" : " *");
	}
}

// The sum of a base and an offset, with `count` loads, the innermost first.
static void put_sum(struct writer *to, const struct ic_location *location, uint32_t count)
{
	if (count > 0) {
		const struct ic_location_load *load = &location->loads[count - 1];
		put_text(to, "*");
		put_pointer_to_size(to, load->size, false);
		put_text(to, "(");
		put_sum(to, location, count - 1);
		put_text(to, ")");
		put_offset(to, load->offset);
		return;
	}
	switch (location->base) {
	case IC_BASE_REGISTER: put_register(to, location->reg); break;
	case IC_BASE_ADDRESS: put_address(to, location->constant); break;
	case IC_BASE_CFA: put_text(to, "CFA"); break;
	case IC_BASE_ENTRY_REGISTER:
		put_text(to, "entry(");
		put_register(to, location->reg);
		put_text(to, ")");
		break;
	case IC_BASE_CONSTANT: put_text(to, "0x%" PRIx64, location->constant); break;
	}
	put_offset(to, location->offset);
}

static void put_number(struct writer *to, uint64_t number, uint64_t size)
{
	unsigned bits = size > 0 && size < 8 ? 8 * (unsigned)size : 64;

	number = ic_extend(number, bits, to->options->is_signed);
	if (to->options->is_signed)
		put_text(to, "%" PRId64, (int64_t)number);
	else
		put_text(to, "0x%" PRIx64, number);
}

static void put_bytes(struct writer *to, const struct ic_location *location)
{
	enum { MOST = 32 };

	put_text(to, "{");
	for (uint64_t i = 0; i < location->size && i < MOST; i++)
		put_text(to, "%s%02x", i > 0 ? " " : "", location->bytes[i]);
	put_text(to, "%s}", location->size > MOST ? " ..." : "");
}

// In C notation: an octal escape ends after three digits, whatever follows.
static void put_string(struct writer *to, const struct ic_location *location)
{
	enum { MOST = 64 };
	uint64_t size = location->size - 1; // without the NUL

	put_text(to, "\"");
	for (uint64_t i = 0; i < size && i < MOST; i++) {
		uint8_t byte = location->bytes[i];
		if (byte == '"' || byte == '\\')
			put_text(to, "\\%c", byte);
		else
			put_text(to, byte >= ' ' && byte <= '~' ? "%c" : "\\%03o", byte);
	}
	put_text(to, "\"%s", size > MOST ? "..." : "");
}

static void put_location(struct writer *to, const struct ic_location *location, const char *type,
			 uint64_t size);

static void put_pieces(struct writer *to, const struct ic_location *location)
{
	put_text(to, "{");
	for (size_t i = 0; i < location->piece_count; i++) {
		const struct ic_location_piece *piece = &location->pieces[i];
		bool is_whole = piece->bit_size % 8 == 0 && piece->bit_offset == 0;

		put_text(to, "%s", i > 0 ? ", " : "");
		if (piece->location.kind == IC_LOCATION_UNAVAILABLE)
			put_text(to, "unavailable");
		else
			put_location(to, &piece->location, NULL, (piece->bit_size + 7) / 8);
		put_text(to, ":%" PRIu64 "%s", is_whole ? piece->bit_size / 8 : piece->bit_size,
			 is_whole ? "" : "b");
		if (piece->bit_offset)
			put_text(to, "@%" PRIu64, piece->bit_offset);
	}
	put_text(to, "}");
}

const char *ic_location_why_text(enum ic_location_why why)
{
	switch (why) {
	case IC_LOCATION_WHY_KNOWN: return NULL;
	case IC_LOCATION_WHY_OPTIMISED_OUT: return "optimised out";
	case IC_LOCATION_WHY_NOT_HERE: return "not here";
	case IC_LOCATION_WHY_UNREADABLE: return "unreadable";
	case IC_LOCATION_WHY_NOT_STORED: return "not stored yet";
	case IC_LOCATION_WHY_NO_ADDRESS: return "no address";
	case IC_LOCATION_WHY_NOT_READ: return "not read";
	}
	return NULL;
}

static void put_unavailable(struct writer *to, enum ic_location_why why)
{
	const char *text = ic_location_why_text(why);

	if (text)
		put_text(to, "unavailable (%s)", text);
	else
		put_text(to, "unavailable");
}

// The sum that is equivalent to a kind without a base of its own.
static struct ic_location sum_of(const struct ic_location *location, enum ic_location_base base)
{
	struct ic_location sum = *location;

	sum.base = base;
	return sum;
}

static void put_location(struct writer *to, const struct ic_location *location, const char *type,
			 uint64_t size)
{
	struct ic_location sum;

	switch (location->kind) {
	case IC_LOCATION_UNAVAILABLE: put_unavailable(to, location->why); break;
	case IC_LOCATION_CONSTANT: put_number(to, location->constant, size); break;
	case IC_LOCATION_BYTES:
		if (location->is_string)
			put_string(to, location);
		else if (is_size_of_number(location->size) && (size == 0 || size == location->size))
			put_number(to, location->constant, location->size);
		else
			put_bytes(to, location);
		break;
	case IC_LOCATION_REGISTER:
		sum = sum_of(location, IC_BASE_REGISTER);
		put_sum(to, &sum, 0);
		break;
	case IC_LOCATION_ADDRESS: put_address(to, location->constant); break;
	case IC_LOCATION_MEMORY:
		put_text(to, "*");
		if (type)
			put_pointer_to(to, type);
		else
			put_pointer_to_size(to, size, to->options->is_signed);
		put_text(to, "(");
		put_sum(to, location, location->load_count);
		put_text(to, ")");
		break;
	case IC_LOCATION_ENTRY_VALUE:
		sum = sum_of(location, IC_BASE_ENTRY_REGISTER);
		put_sum(to, &sum, 0);
		break;
	case IC_LOCATION_PIECES: put_pieces(to, location); break;
	case IC_LOCATION_COMPUTED: put_text(to, "computed"); break;
	case IC_LOCATION_VALUE: put_sum(to, location, location->load_count); break;
	}
}

size_t ic_location_text(const struct ic_location *location,
			const struct ic_location_text_options *options, char *text, size_t size)
{
	static const struct ic_location_text_options defaults;
	struct writer to = { .options = options ? options : &defaults, .text = text, .size = size };

	put_text(&to, "%s", "");
	put_location(&to, location, to.options->type, to.options->size);
	if (location->kind == IC_LOCATION_COMPUTED && to.options->expression)
		put_text(&to, ": %s", to.options->expression);
	return to.length;
}
