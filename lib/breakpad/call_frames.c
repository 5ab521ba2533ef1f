#include "breakpad/call_frames.h"

#include <string.h>

#include "dwarf/frames/instruction.h"
#include "text/text.h"

#include <inlinecall/extra/registers.h>

enum { LONGEST_NAME = 15, ADDR_SIZE = 8 };

struct builder {
	struct ic_breakpad_frames *frames;
	const struct ic_breakpad_registers *registers;
	uint32_t fde;     // offset of the open FDE
	bool is_open;     // there is one
	uint64_t at, end; // the address of its last row, and its end
};

// ---- Bytes

static void put_bytes(struct builder *builder, const void *bytes, size_t size)
{
	uint64_t wanted = (uint64_t)builder->frames->bytes.count + size;

	if (builder->frames->failed || !IC_ARRAY_RESERVE(&builder->frames->bytes, wanted)) {
		builder->frames->failed = true;
		return;
	}
	memcpy(builder->frames->bytes.items + builder->frames->bytes.count, bytes, size);
	builder->frames->bytes.count = (uint32_t)wanted;
}

static void put_uint(struct builder *builder, uint64_t number, unsigned size)
{
	uint8_t bytes[8];

	ic_store(bytes, number, size, false);
	put_bytes(builder, bytes, size);
}

// SLEB128; also ULEB128 for numbers below 64.
static void put_sleb(struct builder *builder, int64_t number)
{
	for (; number < -0x40 || number > 0x3f; number >>= 7)
		put_uint(builder, ((uint64_t)number & 0x7f) | 0x80, 1);
	put_uint(builder, (uint64_t)number & 0x7f, 1);
}

// ULEB128, in one byte: no machine has more than 128 registers that matter.
static void put_operation(struct builder *builder, uint8_t operation, uint8_t reg)
{
	put_uint(builder, operation, 1);
	put_uint(builder, reg, 1);
}

// DWARF 3, 6.4.1: a CIE without instructions and without factors.
static void put_cie(struct builder *builder)
{
	static const uint8_t zero = 0;

	put_uint(builder, 9, 4); // its length
	put_uint(builder, UINT32_MAX, 4);
	put_uint(builder, 3, 1); // version
	put_bytes(builder, &zero, 1);
	put_uint(builder, 1, 1);
	put_uint(builder, 1, 1);
	put_uint(builder, builder->registers->return_reg, 1);
}

static void open_fde(struct builder *builder, uint64_t addr, uint64_t size)
{
	builder->fde = builder->frames->bytes.count;
	put_uint(builder, 0, 4); // its length
	put_uint(builder, 0, 4); // the CIE is the first
	put_uint(builder, addr, ADDR_SIZE);
	put_uint(builder, size, ADDR_SIZE);
	builder->at = addr;
	builder->end = addr + size;
	builder->is_open = true;
}

static void close_fde(struct builder *builder)
{
	struct ic_breakpad_frames *frames = builder->frames;

	if (builder->is_open && !builder->frames->failed)
		ic_store(frames->bytes.items + builder->fde, frames->bytes.count - builder->fde - 4,
			 4, false);
	builder->is_open = false;
}

// ---- Rules

static bool read_register(const struct builder *builder, struct ic_bytes word, uint8_t *reg)
{
	char name[LONGEST_NAME + 1];
	const char *prefix = builder->registers->prefix;
	size_t before = strlen(prefix);
	uint32_t number;

	if (word.size <= before || word.size - before > LONGEST_NAME ||
	    memcmp(word.data, prefix, before) != 0)
		return false;
	memcpy(name, word.data + before, word.size - before);
	name[word.size - before] = '\0';
	if (!ic_register_number(builder->registers->machine, name, &number) || number >= 64)
		return false;
	*reg = (uint8_t)number;
	return true;
}

static bool read_offset(struct ic_bytes word, int64_t *offset)
{
	bool is_negative = word.size > 0 && word.data[0] == '-';
	uint64_t number = 0;

	for (size_t i = is_negative; i < word.size; i++) {
		if (word.data[i] < '0' || word.data[i] > '9' || number > INT32_MAX)
			return false;
		number = number * 10 + (uint64_t)(word.data[i] - '0');
	}
	*offset = is_negative ? -(int64_t)number : (int64_t)number;
	return word.size > is_negative;
}

struct rule { // BASE, BASE OFFSET +, or the memory there (^)
	bool is_undefined, is_cfa, is_memory;
	uint8_t base; // a register unless is_cfa
	int64_t offset;
};

// Takes a rule in postfix notation, up to the next word that ends with a colon.
static bool take_rule(const struct builder *builder, struct ic_bytes *text, struct rule *rule)
{
	struct ic_bytes rest = *text, word = ic_breakpad_word_take(&rest);

	*rule = (struct rule){ .is_undefined = ic_breakpad_is_word(word, ".undef"),
			       .is_cfa = ic_breakpad_is_word(word, ".cfa") };
	if (!rule->is_undefined && !rule->is_cfa && !read_register(builder, word, &rule->base))
		return false;
	for (;;) {
		*text = rest;
		word = ic_breakpad_word_take(&rest);
		if (word.size == 0 || word.data[word.size - 1] == ':')
			return true;
		if (ic_breakpad_is_word(word, "^") && !rule->is_memory) {
			rule->is_memory = true;
			continue;
		}
		struct ic_bytes sign = ic_breakpad_word_take(&rest);
		bool is_minus = ic_breakpad_is_word(sign, "-");
		if (rule->is_memory || rule->offset != 0 || !read_offset(word, &rule->offset) ||
		    (!is_minus && !ic_breakpad_is_word(sign, "+")))
			return false;
		if (is_minus)
			rule->offset = -rule->offset;
	}
}

// An address, or the value in memory there, as an expression.
static void put_expression(struct builder *builder, const struct rule *rule, bool loads)
{
	enum { DW_OP_deref = 0x06, DW_OP_breg0 = 0x70 };
	uint32_t length = builder->frames->bytes.count;

	put_uint(builder, 0, 1);
	put_uint(builder, DW_OP_breg0 + rule->base, 1);
	put_sleb(builder, rule->offset);
	if (loads)
		put_uint(builder, DW_OP_deref, 1);
	if (!builder->frames->failed)
		builder->frames->bytes.items[length] =
			(uint8_t)(builder->frames->bytes.count - length - 1);
}

static bool put_cfa(struct builder *builder, const struct rule *rule)
{
	if (rule->is_undefined || rule->is_cfa || (rule->is_memory && rule->base >= 32))
		return false;
	if (rule->is_memory) {
		put_uint(builder, DW_CFA_def_cfa_expression, 1);
		put_expression(builder, rule, true);
		return true;
	}
	put_operation(builder, DW_CFA_def_cfa_sf, rule->base);
	put_sleb(builder, rule->offset);
	return true;
}

static bool put_register(struct builder *builder, uint8_t reg, const struct rule *rule)
{
	if (rule->is_undefined) {
		put_operation(builder, DW_CFA_undefined, reg);
	} else if (rule->is_cfa) {
		put_operation(builder,
			      rule->is_memory ? DW_CFA_offset_extended_sf : DW_CFA_val_offset_sf,
			      reg);
		put_sleb(builder, rule->offset);
	} else if (rule->is_memory && rule->base < 32) {
		put_operation(builder, DW_CFA_expression, reg);
		put_expression(builder, rule, false);
	} else if (!rule->is_memory && rule->offset == 0 && rule->base == reg) {
		put_operation(builder, DW_CFA_restore_extended,
			      reg); // like a register without a rule
	} else if (!rule->is_memory && rule->offset == 0) {
		put_operation(builder, DW_CFA_register, reg);
		put_uint(builder, rule->base, 1);
	} else {
		return false;
	}
	return true;
}

static bool put_rules(struct builder *builder, struct ic_bytes text)
{
	for (;;) {
		struct ic_bytes name = ic_breakpad_word_take(&text);
		struct rule rule;
		uint8_t reg;
		if (name.size == 0)
			return true;
		if (name.data[name.size - 1] != ':' || !take_rule(builder, &text, &rule))
			return false;
		name.size--;
		if (ic_breakpad_is_word(name, ".cfa")) {
			if (!put_cfa(builder, &rule))
				return false;
			continue;
		}
		reg = builder->registers->return_reg;
		if ((!ic_breakpad_is_word(name, ".ra") && !read_register(builder, name, &reg)) ||
		    !put_register(builder, reg, &rule))
			return false;
	}
}

// ---- Lines

// Marks rules that cannot be read by an instruction that does not exist, so that readers of the
// section report them, and keep the rows before.
static void put_fault(struct builder *builder)
{
	enum { DW_CFA_hi_user = 0x3f };
	put_uint(builder, DW_CFA_hi_user, 1);
}

static void take_first(struct builder *builder, struct ic_bytes text)
{
	uint64_t addr, size;

	close_fde(builder);
	if (!ic_breakpad_hex_take(&text, &addr) || !ic_breakpad_hex_take(&text, &size) ||
	    size == 0 || size > UINT64_MAX - addr)
		return; // the survey has counted it
	open_fde(builder, addr, size);
	if (!put_rules(builder, text))
		put_fault(builder);
}

static void take_next(struct builder *builder, struct ic_bytes text)
{
	uint64_t addr;

	if (!builder->is_open)
		return;
	if (!ic_breakpad_hex_take(&text, &addr) || addr < builder->at || addr >= builder->end ||
	    addr - builder->at > UINT32_MAX) {
		put_fault(builder);
		return;
	}
	put_uint(builder, DW_CFA_advance_loc4, 1);
	put_uint(builder, addr - builder->at, 4);
	builder->at = addr;
	if (text.size == 0 || !put_rules(builder, text))
		put_fault(builder);
}

bool ic_breakpad_frames_build(struct ic_breakpad_frames *frames, const struct ic_breakpad *file,
			      uint16_t machine)
{
	struct builder builder = { .frames = frames, .registers = ic_breakpad_registers(machine) };
	struct ic_bytes line, rest = { file->text.data + file->stack_off,
				       file->text.size - (size_t)file->stack_off };

	*frames = (struct ic_breakpad_frames){ .bytes = { .count = 0 } };
	if (!builder.registers || rest.size == 0)
		return true;
	put_cie(&builder);
	while (!frames->failed && ic_text_take_line(&rest, &line)) {
		if (!ic_breakpad_is_word(ic_breakpad_word_take(&line), "STACK"))
			continue;
		struct ic_bytes kind = ic_breakpad_word_take(&line);
		if (kind.size > 0 && !ic_breakpad_is_word(kind, "CFI"))
			continue;
		struct ic_bytes after = line;
		if (ic_breakpad_is_word(ic_breakpad_word_take(&after), "INIT"))
			take_first(&builder, after);
		else
			take_next(&builder, line);
	}
	if (file->is_cut && builder.is_open)
		put_fault(&builder);
	close_fde(&builder);
	return !frames->failed;
}

void ic_breakpad_frames_free(struct ic_breakpad_frames *frames)
{
	IC_ARRAY_FREE(&frames->bytes);
}
