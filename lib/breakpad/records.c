#include "breakpad/records.h"

#include <string.h>

#include "base/machine.h"
#include "text/text.h"

// ---- Machines

static const struct {
	const char *name;
	uint16_t machine;
	uint8_t addr_size;
} arches[] = {
#define ARCH(name, machine, addr_size) { name, machine, addr_size },
#include "breakpad/arches.def"
#undef ARCH
};

uint16_t ic_breakpad_machine(struct ic_bytes arch)
{
	for (size_t i = 0; i < sizeof(arches) / sizeof(*arches); i++)
		if (ic_breakpad_is_word(arch, arches[i].name))
			return arches[i].machine;
	return 0;
}

const char *ic_breakpad_arch(uint16_t machine, uint8_t addr_size)
{
	for (size_t i = 0; i < sizeof(arches) / sizeof(*arches); i++)
		if (arches[i].machine == machine &&
		    (arches[i].addr_size == 0 || arches[i].addr_size == addr_size))
			return arches[i].name;
	return "unknown";
}

const struct ic_breakpad_registers *ic_breakpad_registers(uint16_t machine)
{
	static const struct ic_breakpad_registers registers[] = {
		{ IC_MACHINE_386, 8, 9, "$" },   { IC_MACHINE_X86_64, 16, 17, "$" },
		{ IC_MACHINE_ARM, 14, 16, "" },  { IC_MACHINE_AARCH64, 30, 32, "" },
		{ IC_MACHINE_RISCV, 1, 32, "" },
	};

	for (size_t i = 0; i < sizeof(registers) / sizeof(*registers); i++)
		if (registers[i].machine == machine)
			return &registers[i];
	return NULL;
}

const uint8_t ic_breakpad_guid_order[IC_BREAKPAD_GUID_SIZE] = { 3, 2, 1,  0,  5,  4,  7,  6,
								8, 9, 10, 11, 12, 13, 14, 15 };

// ---- Lines

static inline bool begins_with(struct ic_bytes line, const char *word)
{
	return line.size >= strlen(word) && memcmp(line.data, word, strlen(word)) == 0;
}

// Most lines are rows.
enum ic_breakpad_kind ic_breakpad_kind_of(struct ic_bytes line)
{
	char first = line.size > 0 ? (char)line.data[0] : '\n';

	if ((first >= '0' && first <= '9') || (first >= 'a' && first <= 'f'))
		return IC_BREAKPAD_ROW;
	if (first >= 'A' && first <= 'F' && line.size > 1 &&
	    (line.data[1] == ' ' || ic_text_hex_digit((char)line.data[1]) >= 0))
		return IC_BREAKPAD_ROW;
	switch (first) {
	case '\n': return IC_BREAKPAD_EMPTY;
	case 'F':
		if (begins_with(line, "FUNC "))
			return IC_BREAKPAD_FUNCTION;
		if (begins_with(line, "FILE "))
			return IC_BREAKPAD_FILE;
		break;
	case 'I':
		if (begins_with(line, "INLINE "))
			return IC_BREAKPAD_CALL;
		if (begins_with(line, "INLINE_ORIGIN "))
			return IC_BREAKPAD_ORIGIN;
		if (begins_with(line, "INFO "))
			return IC_BREAKPAD_INFO;
		break;
	case 'S': return begins_with(line, "STACK ") ? IC_BREAKPAD_STACK : IC_BREAKPAD_UNKNOWN;
	case 'P': return begins_with(line, "PUBLIC ") ? IC_BREAKPAD_PUBLIC : IC_BREAKPAD_UNKNOWN;
	case 'M': return begins_with(line, "MODULE ") ? IC_BREAKPAD_MODULE : IC_BREAKPAD_UNKNOWN;
	}
	return IC_BREAKPAD_UNKNOWN;
}

// ---- Fields

static void skip_blanks(struct ic_bytes *text)
{
	while (text->size > 0 && ic_text_is_blank((char)text->data[0])) {
		text->data++;
		text->size--;
	}
}

// Removes the first word from a text, with the blanks after it.
struct ic_bytes ic_breakpad_word_take(struct ic_bytes *text)
{
	struct ic_bytes word = { text->data, 0 };

	while (word.size < text->size && !ic_text_is_blank((char)text->data[word.size]))
		word.size++;
	*text = (struct ic_bytes){ text->data + word.size, text->size - word.size };
	skip_blanks(text);
	return word;
}

bool ic_breakpad_hex_take(struct ic_bytes *text, uint64_t *number)
{
	struct ic_bytes word = ic_breakpad_word_take(text);

	*number = 0;
	for (size_t i = 0; i < word.size; i++) {
		int digit = ic_text_hex_digit((char)word.data[i]);
		if (digit < 0 || *number >> 60)
			return false;
		*number = *number << 4 | (unsigned)digit;
	}
	return word.size > 0;
}

static bool parse_decimal(struct ic_bytes word, uint64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < word.size; i++)
		if (word.data[i] < '0' || word.data[i] > '9' ||
		    __builtin_mul_overflow(*number, UINT64_C(10), number) ||
		    __builtin_add_overflow(*number, (uint64_t)(word.data[i] - '0'), number))
			return false;
	return word.size > 0;
}

static bool take_decimal(struct ic_bytes *text, uint64_t *number)
{
	return parse_decimal(ic_breakpad_word_take(text), number);
}

// Takes a line number: 0 if it is unknown or too large.
static bool take_line_number(struct ic_bytes *text, uint32_t *line)
{
	uint64_t number;

	if (!take_decimal(text, &number))
		return false;
	*line = number <= UINT32_MAX ? (uint32_t)number : 0;
	return true;
}

// Takes the number of a file; artificial functions have -1.
static bool take_file(struct ic_bytes *text, uint64_t *file)
{
	struct ic_bytes word = ic_breakpad_word_take(text);

	*file = IC_BREAKPAD_NO_FILE;
	return ic_breakpad_is_word(word, "-1") || parse_decimal(word, file);
}

// Whether code of a size at an address ends before the end of all addresses.
static bool is_code(uint64_t addr, uint64_t size)
{
	return size <= UINT64_MAX - addr;
}

// ---- Records

bool ic_breakpad_module_read(struct ic_bytes line, struct ic_breakpad_module *module)
{
	ic_breakpad_word_take(&line);
	module->system = ic_breakpad_word_take(&line);
	module->arch = ic_breakpad_word_take(&line);
	module->id = ic_breakpad_word_take(&line);
	module->name = line;
	return module->id.size > 0;
}

bool ic_breakpad_id_read(struct ic_bytes line, struct ic_bytes *digits)
{
	ic_breakpad_word_take(&line);
	if (!ic_breakpad_is_word(ic_breakpad_word_take(&line), "CODE_ID"))
		return false;
	*digits = ic_breakpad_word_take(&line);
	return true;
}

// Until 2022 the number of a file, or -1, preceded the name of an inlined function. No name is a
// number.
static void skip_old_file(struct ic_bytes *text)
{
	struct ic_bytes rest = *text;
	uint64_t unused;

	if (take_file(&rest, &unused) && rest.size > 0)
		*text = rest;
}

bool ic_breakpad_name_read(struct ic_bytes line, struct ic_breakpad_name *name)
{
	bool is_origin = ic_breakpad_is_word(ic_breakpad_word_take(&line), "INLINE_ORIGIN");

	if (!take_decimal(&line, &name->number))
		return false;
	if (is_origin)
		skip_old_file(&line);
	name->name = line;
	return true;
}

bool ic_breakpad_function_read(struct ic_bytes line, struct ic_breakpad_function *function)
{
	bool is_public = ic_breakpad_is_word(ic_breakpad_word_take(&line), "PUBLIC");
	uint64_t unused;
	struct ic_bytes rest = line;

	if (ic_breakpad_is_word(ic_breakpad_word_take(&rest),
				"m")) // other functions have the same code
		line = rest;
	function->size = 0;
	if (!ic_breakpad_hex_take(&line, &function->addr) ||
	    (!is_public && !ic_breakpad_hex_take(&line, &function->size)) ||
	    !ic_breakpad_hex_take(&line, &unused))
		return false;
	function->name = line;
	return is_code(function->addr, function->size);
}

bool ic_breakpad_row_read(struct ic_bytes line, struct ic_breakpad_row *row)
{
	return ic_breakpad_hex_take(&line, &row->addr) && ic_breakpad_hex_take(&line, &row->size) &&
	       take_line_number(&line, &row->line) && take_file(&line, &row->file) &&
	       line.size == 0 && is_code(row->addr, row->size);
}

// STACK CFI INIT address size ..., or STACK CFI address ...; Windows has others.
bool ic_breakpad_stack_is_sound(struct ic_bytes line)
{
	uint64_t addr, size;

	ic_breakpad_word_take(&line);
	if (!ic_breakpad_is_word(ic_breakpad_word_take(&line), "CFI"))
		return true;
	struct ic_bytes rest = line;
	if (!ic_breakpad_is_word(ic_breakpad_word_take(&rest), "INIT"))
		return ic_breakpad_hex_take(&line, &addr) && line.size > 0;
	return ic_breakpad_hex_take(&rest, &addr) && ic_breakpad_hex_take(&rest, &size) &&
	       is_code(addr, size);
}

static uint32_t count_words(struct ic_bytes text)
{
	uint32_t count = 0;

	for (; text.size > 0; count++)
		ic_breakpad_word_take(&text);
	return count;
}

// Until 2022 there was no file, and the number of words was even.
bool ic_breakpad_call_has_file(struct ic_bytes line)
{
	return count_words(line) % 2 == 1;
}

bool ic_breakpad_call_read(struct ic_bytes line, bool has_file, struct ic_breakpad_call *call)
{
	uint64_t depth;

	if (ic_breakpad_call_has_file(line) != has_file)
		return false;
	ic_breakpad_word_take(&line);
	call->call_file = IC_BREAKPAD_NO_FILE;
	if (!take_decimal(&line, &depth) || depth > UINT32_MAX ||
	    !take_line_number(&line, &call->call_line) ||
	    (has_file && !take_file(&line, &call->call_file)) ||
	    !take_decimal(&line, &call->origin))
		return false;
	call->depth = (uint32_t)depth;
	call->ranges = line;
	return line.size > 0;
}

bool ic_breakpad_range_next(struct ic_breakpad_call *call, struct ic_range *range)
{
	struct ic_bytes rest = call->ranges;
	uint64_t size;

	if (rest.size == 0 || !ic_breakpad_hex_take(&rest, &range->start) ||
	    !ic_breakpad_hex_take(&rest, &size) || !is_code(range->start, size))
		return false;
	range->end = range->start + size;
	call->ranges = rest;
	return true;
}
