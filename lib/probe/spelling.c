#include "probe/spelling.h"

#include "base/machine.h"
#include "values/location_text.h"
#include "values/value_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ic_probe_text_add(struct ic_probe_text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0 || text->out_of_memory ||
	    !IC_ARRAY_RESERVE(&text->bytes, text->bytes.count + (uint64_t)length + 1)) {
		text->out_of_memory = true;
		return;
	}
	va_start(args, format);
	vsnprintf(text->bytes.items + text->bytes.count, (size_t)length + 1, format, args);
	va_end(args);
	text->bytes.count += (uint32_t)length;
}

void ic_probe_text_cut(struct ic_probe_text *text, uint32_t length)
{
	if (length >= text->bytes.count)
		return;
	text->bytes.count = length;
	text->bytes.items[length] = 0;
}

static bool is_letter(char character)
{
	return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
	       (character >= '0' && character <= '9') || character == '_';
}

void ic_probe_identifier(const char *name, char *identifier, size_t size)
{
	size_t length = 0;

	if (!name || !*name)
		name = "arg";
	if (*name >= '0' && *name <= '9')
		identifier[length++] = '_';
	for (; *name && length + 1 < size; name++)
		identifier[length++] = is_letter(*name) ? *name : '_';
	identifier[length] = 0;
}

void ic_spelling_leave_out(struct ic_spelling *spelling, const struct ic_parameter *param,
			   const char *why)
{
	ic_probe_text_add(&spelling->left_out, "%s%s: %s",
			  spelling->left_out.bytes.count > 0 ? "; " : "",
			  param->name ? param->name : "?", why);
}

static bool has_only(const char *text, const char *more)
{
	for (; *text; text++)
		if (!is_letter(*text) && !strchr(more, *text))
			return false;
	return true;
}

bool ic_probe_path_is_plain(const char *path, const char *more)
{
	bool has_slash = false;

	for (; *path; path++) {
		has_slash |= *path == '/';
		if (!is_letter(*path) && (unsigned char)*path < 0x80 &&
		    !strchr("/._-+,@=~^", *path) && !strchr(more, *path))
			return false;
	}
	return has_slash;
}

bool ic_probe_path_is_of_kernel(const char *path)
{
	return !strchr(path, 0xa0);
}

bool ic_probe_symbol_is_plain(const char *symbol)
{
	return *symbol && !(*symbol >= '0' && *symbol <= '9') && has_only(symbol, "_.$");
}

const char *ic_probe_symbol_fault(const struct ic_probe *probe)
{
	if (!probe->symbol)
		return "no symbol covers its code";
	if (!ic_probe_symbol_is_plain(probe->symbol))
		return "the symbol of its code cannot be written in the tracer's syntax";
	if (probe->is_ambiguous)
		return "the name of its symbol is not unique";
	return NULL;
}

// ---- Arguments

static struct ic_fetch no_fetch(const char *why)
{
	return (struct ic_fetch){ .kind = IC_FETCH_NONE, .why = why };
}

static bool is_size_of_number(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool is_shown_as_bits(const struct ic_parameter *param)
{
	switch (param->encoding) {
	case IC_TYPE_INTEGER:
	case IC_TYPE_BOOLEAN:
	case IC_TYPE_CHARACTER:
	case IC_TYPE_ENUMERATION: return false;
	default: return true;
	}
}

// Intermediate pointers must have the size of an address: tracers can follow no others.
static struct ic_fetch fetch_through(const struct ic_location *location, unsigned addr_size,
				     uint32_t loads)
{
	struct ic_fetch fetch = { .kind = IC_FETCH_MEMORY,
				  .reg = location->reg,
				  .number = location->constant,
				  .is_absolute = location->base == IC_BASE_ADDRESS };

	if (location->base == IC_BASE_CFA)
		return no_fetch("in the function's stack frame");
	if (location->base == IC_BASE_ENTRY_REGISTER)
		return no_fetch("relative to the entry value of a register");
	if (location->base == IC_BASE_CONSTANT || location->load_count > IC_LOCATION_MOST_LOADS)
		return no_fetch("in memory that no tracer can read");
	fetch.offsets[fetch.offset_count++] = location->offset;
	for (uint32_t i = 0; i < loads; i++) {
		if (location->loads[i].size != addr_size)
			return no_fetch("behind a pointer of unsupported size");
		fetch.offsets[fetch.offset_count++] = location->loads[i].offset;
	}
	return fetch;
}

// Fetches a sum that is not loaded, or a last load whose size is not that of the type.
static struct ic_fetch fetch_value(const struct ic_location *location, unsigned addr_size)
{
	uint32_t last = location->load_count - 1;
	struct ic_fetch fetch;

	if (location->load_count == 0) {
		if (location->base != IC_BASE_REGISTER)
			return fetch_through(location, addr_size, 0).kind == IC_FETCH_NONE
				       ? fetch_through(location, addr_size, 0)
				       : no_fetch("an address known only at load time");
		return (struct ic_fetch){ .kind = location->offset ? IC_FETCH_SUM
								   : IC_FETCH_REGISTER,
					  .reg = location->reg,
					  .offsets = { location->offset },
					  .offset_count = 1 };
	}
	if (location->load_count > IC_LOCATION_MOST_LOADS)
		return no_fetch("in memory that no tracer can read");
	if (location->loads[last].offset != 0)
		return no_fetch("a sum with a value in memory");
	fetch = fetch_through(location, addr_size, last);
	if (fetch.kind != IC_FETCH_NONE && !is_size_of_number(location->loads[last].size))
		return no_fetch("its size is not 1, 2, 4 or 8 bytes");
	fetch.size = location->loads[last].size;
	return fetch;
}

static struct ic_fetch fetch_from(const struct ic_location *location, unsigned addr_size)
{
	const char *why;

	switch (location->kind) {
	case IC_LOCATION_UNAVAILABLE:
		why = ic_location_why_text(location->why);
		return no_fetch(why ? why : "unavailable");
	case IC_LOCATION_CONSTANT:
		return (struct ic_fetch){ .kind = IC_FETCH_NUMBER, .number = location->constant };
	case IC_LOCATION_BYTES:
		if (location->size > 8)
			return no_fetch("a constant of more than 8 bytes");
		return (struct ic_fetch){ .kind = IC_FETCH_NUMBER, .number = location->constant };
	case IC_LOCATION_REGISTER:
		return (struct ic_fetch){ .kind = location->offset ? IC_FETCH_SUM
								   : IC_FETCH_REGISTER,
					  .reg = location->reg,
					  .offsets = { location->offset },
					  .offset_count = 1 };
	case IC_LOCATION_ADDRESS: return no_fetch("an address known only at load time");
	case IC_LOCATION_MEMORY: return fetch_through(location, addr_size, location->load_count);
	case IC_LOCATION_VALUE: return fetch_value(location, addr_size);
	case IC_LOCATION_ENTRY_VALUE: return no_fetch("the entry value of a register");
	case IC_LOCATION_PIECES: return no_fetch("split into pieces");
	case IC_LOCATION_COMPUTED: break;
	}
	return no_fetch("computed");
}

struct ic_fetch ic_fetch_value_of(const struct ic_parameter *param, unsigned addr_size)
{
	struct ic_fetch fetch = fetch_from(&param->location, addr_size);

	if (fetch.kind == IC_FETCH_NONE)
		return fetch;
	if (param->location.is_uninitialised)
		return no_fetch("possibly uninitialised");
	if (!is_size_of_number(param->size))
		return no_fetch(param->size == 0 ? "its size is unknown"
						 : "its size is not 1, 2, 4 or 8 bytes");
	if (fetch.kind != IC_FETCH_NUMBER && fetch.kind != IC_FETCH_MEMORY &&
	    param->size > addr_size)
		return no_fetch("larger than a register");
	// A value loaded with another size is zero-extended, not cut.
	if (fetch.size == 0 || param->size < fetch.size)
		fetch.size = (unsigned)param->size;
	fetch.is_pointer = is_shown_as_bits(param);
	fetch.is_signed = param->is_signed && !fetch.is_pointer && fetch.size == param->size;
	fetch.bit_size = param->bit_size;
	fetch.bit_offset = param->bit_offset;
	fetch.is_bit = fetch.kind != IC_FETCH_MEMORY && ic_value_is_bit(param);
	if (fetch.is_bit)
		fetch.number &= 1;
	bool is_whole = fetch.kind == IC_FETCH_REGISTER || fetch.kind == IC_FETCH_MEMORY;
	if (fetch.bit_size > 0 && (!is_whole || fetch.bit_offset + fetch.bit_size > 8 * fetch.size))
		return no_fetch("a bit-field that tracers cannot read");
	return fetch;
}

// Finds where the characters are that an argument consists of or points to. Returns false if it is
// no string, or its pointer is in no place that could be followed.
static bool find_characters(const struct ic_parameter *param, unsigned addr_size,
			    struct ic_location *characters)
{
	*characters = param->location;
	if (ic_value_is_text(param))
		return characters->kind == IC_LOCATION_MEMORY;
	if (!ic_value_is_string(param) || param->size != addr_size)
		return false;
	switch (characters->kind) {
	case IC_LOCATION_REGISTER: characters->base = IC_BASE_REGISTER; break;
	case IC_LOCATION_ADDRESS: characters->base = IC_BASE_ADDRESS; break;
	case IC_LOCATION_VALUE: break;
	case IC_LOCATION_MEMORY:
		if (characters->load_count >= IC_LOCATION_MOST_LOADS)
			return false;
		characters->loads[characters->load_count++] =
			(struct ic_location_load){ .size = addr_size };
		break;
	default: return false;
	}
	characters->kind = IC_LOCATION_MEMORY;
	return true;
}

struct ic_fetch ic_fetch_of(const struct ic_parameter *param, unsigned addr_size)
{
	struct ic_location characters;

	if (!find_characters(param, addr_size, &characters))
		return ic_fetch_value_of(param, addr_size);
	if (characters.is_uninitialised)
		return no_fetch("possibly uninitialised");
	struct ic_fetch fetch = fetch_through(&characters, addr_size, characters.load_count);
	fetch.is_text = fetch.kind == IC_FETCH_MEMORY;
	fetch.most_text = ic_value_is_text(param) ? param->size : 0;
	return fetch;
}

uint64_t ic_fetch_unsigned(const struct ic_fetch *fetch)
{
	return fetch->size >= 8 ? fetch->number : fetch->number & ((1ull << 8 * fetch->size) - 1);
}

int64_t ic_fetch_signed(const struct ic_fetch *fetch)
{
	uint64_t number = ic_fetch_unsigned(fetch), sign = 1ull << (8 * fetch->size - 1);

	return (int64_t)((number ^ sign) - sign);
}

// ---- Registers

const char *ic_probe_kernel_register(unsigned machine, uint32_t reg)
{
	static const char *const r[] = { "r0", "r1", "r2",  "r3",  "r4",  "r5",  "r6",  "r7",
					 "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" };
	static const char *const powers[] = {
		"gpr0",  "gpr1",  "gpr2",  "gpr3",  "gpr4",  "gpr5",  "gpr6",  "gpr7",
		"gpr8",  "gpr9",  "gpr10", "gpr11", "gpr12", "gpr13", "gpr14", "gpr15",
		"gpr16", "gpr17", "gpr18", "gpr19", "gpr20", "gpr21", "gpr22", "gpr23",
		"gpr24", "gpr25", "gpr26", "gpr27", "gpr28", "gpr29", "gpr30", "gpr31",
	};
	const char *name = ic_register_name(machine, reg);

	switch (machine) {
	case IC_MACHINE_X86_64: return reg < 8 && name ? name + 1 : reg < 16 ? name : NULL;
	case IC_MACHINE_386: return reg < 8 && name ? name + 1 : NULL;
	case IC_MACHINE_AARCH64:
	case IC_MACHINE_RISCV:
		return reg < 32 && !(machine == IC_MACHINE_RISCV && reg == 0) ? name : NULL;
	case IC_MACHINE_ARM: return reg < 16 ? name : NULL;
	case IC_MACHINE_PPC64: return reg < 32 ? powers[reg] : NULL;
	case IC_MACHINE_S390: return reg < 16 ? r[reg] : NULL;
	default: return NULL;
	}
}
