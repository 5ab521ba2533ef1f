// Compares the effects of AArch64 instructions with what libcapstone says of them: compare_effects
// FILE OFFSET SIZE. Prints each difference, and how many instructions and places in memory were
// compared.
#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instructions/aarch64.h"

enum { START = 0x10000, LINES = 40 };

struct comparison {
	csh handle;
	cs_insn *instruction;
	unsigned long instructions, places, differences;
};

// The bit of a register; 0 for another, such as the flags and the zero register.
static uint64_t bit_of(unsigned reg)
{
	static const struct {
		unsigned first, count, bit;
	} runs[] = {
		{ ARM64_REG_X0, 29, 0 },  { ARM64_REG_X29, 1, 29 }, { ARM64_REG_X30, 1, 30 },
		{ ARM64_REG_W0, 31, 0 },  { ARM64_REG_SP, 1, 31 },  { ARM64_REG_WSP, 1, 31 },
		{ ARM64_REG_B0, 32, 32 }, { ARM64_REG_H0, 32, 32 }, { ARM64_REG_S0, 32, 32 },
		{ ARM64_REG_D0, 32, 32 }, { ARM64_REG_Q0, 32, 32 }, { ARM64_REG_V0, 32, 32 },
	};

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++)
		if (reg - runs[i].first < runs[i].count)
			return 1ull << (runs[i].bit + reg - runs[i].first);
	return 0;
}

static void report(struct comparison *comparison, const char *what, uint32_t word)
{
	const cs_insn *instruction = comparison->instruction;

	if (comparison->differences++ < LINES)
		printf("%s: %08x %s %s\n", what, word, instruction->mnemonic, instruction->op_str);
}

// libcapstone says of these that they write what they compare.
static bool is_test(const char *mnemonic)
{
	return strncmp(mnemonic, "cmp", 3) == 0 || strncmp(mnemonic, "cmn", 3) == 0 ||
	       strncmp(mnemonic, "tst", 3) == 0 || strncmp(mnemonic, "cc", 2) == 0;
}

// The places of an instruction: the base, and the number added to it.
static bool has_place(const struct ic_effect *effects, unsigned count, const cs_arm64_op *operand,
		      bool is_moved)
{
	const arm64_op_mem *memory = &operand->mem;

	for (unsigned i = 0; i < count; i++) {
		const struct ic_operand *place = effects[i].read.kind ? &effects[i].read
								      : &effects[i].to;
		if (memory->index != ARM64_REG_INVALID
			    ? place->kind == IC_OPERAND_OTHER
			    : place->kind == IC_OPERAND_MEMORY &&
				      1ull << place->reg == bit_of(memory->base) &&
				      (is_moved ||
				       place->number == (uint64_t)(int64_t)memory->disp))
			return true;
	}
	return false;
}

// A literal, whose address the instruction tells by its distance.
static bool has_literal(const struct ic_effect *effects, unsigned count, uint64_t addr)
{
	return count == 1 && effects->read.kind == IC_OPERAND_MEMORY && effects->read.reg < 0 &&
	       effects->read.number == addr;
}

static void compare_memory(struct comparison *comparison, uint32_t word,
			   const struct ic_effect *effects, unsigned count)
{
	const cs_arm64 *arm64 = &comparison->instruction->detail->arm64;

	for (uint8_t i = 0; i < arm64->op_count; i++) {
		const cs_arm64_op *operand = &arm64->operands[i];
		bool is_moved = arm64->writeback || i + 1 < arm64->op_count;
		if (operand->type == ARM64_OP_MEM) {
			comparison->places++;
			if (!has_place(effects, count, operand, is_moved))
				report(comparison, "another place", word);
		} else if (operand->type == ARM64_OP_IMM && i == 1) {
			comparison->places++;
			if (!has_literal(effects, count, (uint64_t)operand->imm))
				report(comparison, "another literal", word);
		}
	}
}

static void compare_word(struct comparison *comparison, uint32_t word, uint64_t addr)
{
	struct ic_effect effects[IC_MOST_EFFECTS];
	unsigned count = ic_aarch64_effects_read(word, addr, effects);
	uint64_t ours = 0, theirs = 0;
	cs_regs read, written;
	uint8_t read_count = 0, written_count = 0;
	bool stores = false;

	for (unsigned i = 0; i < count; i++) {
		const struct ic_operand *to = &effects[i].to;
		ours |= effects[i].changed;
		stores |= to->kind == IC_OPERAND_MEMORY || to->kind == IC_OPERAND_OTHER;
	}
	if (count == 0)
		return;
	comparison->instructions++;
	const char *mnemonic = comparison->instruction->mnemonic;
	bool is_store = strncmp(mnemonic, "st", 2) == 0, is_load = strncmp(mnemonic, "ld", 2) == 0;
	if (is_store != stores)
		report(comparison, is_store ? "no store" : "a store", word);
	if (is_store || is_load)
		compare_memory(comparison, word, effects, count);
	cs_regs_access(comparison->handle, comparison->instruction, read, &read_count, written,
		       &written_count);
	for (uint8_t i = 0; i < written_count; i++)
		theirs |= bit_of(written[i]);
	// Of stores it says that they write what they store.
	if ((theirs & ~ours) && !is_store && !is_test(mnemonic))
		report(comparison, "a register more", word);
}

static bool is_plain(const struct comparison *comparison)
{
	static const uint8_t groups[] = { CS_GRP_JUMP, CS_GRP_CALL, CS_GRP_RET };

	for (size_t i = 0; i < sizeof(groups); i++)
		if (cs_insn_group(comparison->handle, comparison->instruction, groups[i]))
			return false;
	return true;
}

static void compare_code(struct comparison *comparison, const uint8_t *code, size_t size)
{
	for (size_t at = 0; at + 4 <= size; at += 4) {
		const uint8_t *bytes = code + at;
		size_t rest = 4;
		uint64_t addr = START + at;
		uint32_t word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 |
				(uint32_t)bytes[3] << 24;
		if (cs_disasm_iter(comparison->handle, &bytes, &rest, &addr,
				   comparison->instruction) &&
		    is_plain(comparison))
			compare_word(comparison, word, START + at);
	}
}

int main(int argc, char **argv)
{
	struct comparison comparison = { .differences = 0 };
	FILE *file = argc == 4 ? fopen(argv[1], "rb") : NULL;
	size_t size = file ? strtoul(argv[3], NULL, 0) : 0;
	uint8_t *code = malloc(size + 1);

	if (!file || !code || fseek(file, strtol(argv[2], NULL, 0), SEEK_SET) != 0 ||
	    fread(code, 1, size, file) != size ||
	    cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &comparison.handle) != CS_ERR_OK ||
	    cs_option(comparison.handle, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK)
		return 2;
	comparison.instruction = cs_malloc(comparison.handle);
	compare_code(&comparison, code, size);
	printf("%lu instructions, %lu places, %lu differences\n", comparison.instructions,
	       comparison.places, comparison.differences);
	return comparison.differences > 0;
}
