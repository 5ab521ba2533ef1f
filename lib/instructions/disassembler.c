#include "instructions/disassembler.h"

#include "base/machine.h"
#include "instructions/aarch64.h"
#include "instructions/x86.h"

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number)  #number
#define SONAME_OF(major) "libcapstone.so." TEXT_OF(major)
#define SONAME           SONAME_OF(CS_API_MAJOR)

struct ic_disassembler {
	csh handle;
	cs_insn *instruction;
	unsigned machine, addr_size;
};

// The functions of libcapstone, loaded once per process; valid only if is_loaded.
static struct {
	cs_err (*open)(cs_arch, cs_mode, csh *);
	cs_err (*close)(csh *);
	cs_err (*option)(csh, cs_opt_type, size_t);
	cs_insn *(*malloc)(csh);
	void (*free)(cs_insn *, size_t);
	bool (*disasm_iter)(csh, const uint8_t **, size_t *, uint64_t *, cs_insn *);
	cs_err (*regs_access)(csh, const cs_insn *, cs_regs, uint8_t *, cs_regs, uint8_t *);
	bool is_loaded;
	char why_not[256];
} library;

static bool find_function(void *handle, const char *name, void *function)
{
	void *found = dlsym(handle, name);

	memcpy(function, &found, sizeof(found));
	return found != NULL;
}

// The layout of cs_insn depends on the major version, which is in the library's file name.
static void load_library(void)
{
	void *handle = dlopen(SONAME, RTLD_LAZY | RTLD_LOCAL);
	const char *fault = handle ? NULL : dlerror(); // includes the name of the library

	snprintf(library.why_not, sizeof(library.why_not), "%s", fault ? fault : SONAME);
	library.is_loaded = handle && find_function(handle, "cs_open", &library.open) &&
			    find_function(handle, "cs_close", &library.close) &&
			    find_function(handle, "cs_option", &library.option) &&
			    find_function(handle, "cs_malloc", &library.malloc) &&
			    find_function(handle, "cs_free", &library.free) &&
			    find_function(handle, "cs_disasm_iter", &library.disasm_iter) &&
			    find_function(handle, "cs_regs_access", &library.regs_access);
}

// Capstone's identifiers for a machine; false if it is not supported here.
static bool find_mode(unsigned machine, unsigned addr_size, cs_arch *arch, cs_mode *mode)
{
	switch (machine) {
	case IC_MACHINE_X86_64: // x32 has the same instructions
	case IC_MACHINE_386:
		*arch = CS_ARCH_X86;
		*mode = machine == IC_MACHINE_X86_64 ? CS_MODE_64 : CS_MODE_32;
		return true;
	case IC_MACHINE_AARCH64:
#if CS_API_MAJOR >= 6
		*arch = CS_ARCH_AARCH64;
#else
		*arch = CS_ARCH_ARM64;
#endif
		*mode = CS_MODE_LITTLE_ENDIAN; // of code, whatever the byte order of data
		return addr_size == 8;
	}
	return false;
}

static bool open_handle(struct ic_disassembler *disassembler, cs_arch arch, cs_mode mode,
			struct ic_error *err)
{
	cs_err status = library.open(arch, mode, &disassembler->handle);
	if (status == CS_ERR_MEM)
		return ic_fail_memory(err);
	if (status != CS_ERR_OK)
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s does not support this machine",
			       SONAME);
	library.option(disassembler->handle, CS_OPT_DETAIL, CS_OPT_ON);
	disassembler->instruction = library.malloc(disassembler->handle);
	return disassembler->instruction || ic_fail_memory(err);
}

struct ic_disassembler *ic_disassembler_open(unsigned machine, unsigned addr_size,
					     struct ic_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct ic_disassembler *disassembler;
	cs_arch arch;
	cs_mode mode;

	if (!find_mode(machine, addr_size, &arch, &mode)) {
		ic_fail(err, IC_ERROR_UNSUPPORTED,
			machine == 0 ? "the file does not say for which machine its code is"
				     : "disassembly is not supported for this machine");
		return NULL;
	}
	pthread_once(&once, load_library);
	if (!library.is_loaded) {
		ic_fail(err, IC_ERROR_UNSUPPORTED, "cannot load the disassembler library: %s",
			library.why_not);
		return NULL;
	}
	disassembler = calloc(1, sizeof(*disassembler));
	if (!disassembler) {
		ic_fail_memory(err);
		return NULL;
	}
	disassembler->machine = machine;
	disassembler->addr_size = addr_size;
	if (open_handle(disassembler, arch, mode, err))
		return disassembler;
	ic_disassembler_close(disassembler);
	return NULL;
}

unsigned ic_disassembler_machine(const struct ic_disassembler *disassembler)
{
	return disassembler->machine;
}

void ic_disassembler_close(struct ic_disassembler *disassembler)
{
	if (!disassembler)
		return;
	if (disassembler->instruction)
		library.free(disassembler->instruction, 1);
	if (disassembler->handle)
		library.close(&disassembler->handle);
	free(disassembler);
}

// ---- x86

static bool has_group(const cs_insn *insn, uint8_t group)
{
	for (uint8_t i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

static enum ic_instruction_kind x86_kind(const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_CALL:
	case X86_INS_LCALL: return IC_INSTRUCTION_CALL;
	case X86_INS_JMP:
		return insn->detail->x86.op_count == 1 &&
				       insn->detail->x86.operands[0].type == X86_OP_IMM
			       ? IC_INSTRUCTION_JUMP
			       : IC_INSTRUCTION_INDIRECT;
	case X86_INS_LJMP: return IC_INSTRUCTION_INDIRECT;
	case X86_INS_RET:
	case X86_INS_RETF:
	case X86_INS_RETFQ:
	case X86_INS_IRET:
	case X86_INS_IRETD:
	case X86_INS_IRETQ:
	case X86_INS_SYSRET:
	case X86_INS_SYSEXIT: return IC_INSTRUCTION_RETURN;
	case X86_INS_HLT: return IC_INSTRUCTION_TRAP;
	case X86_INS_NOP:
	case X86_INS_INT3: // between functions; in a debugger control continues after it
		return IC_INSTRUCTION_PADDING;
	case X86_INS_XBEGIN: return IC_INSTRUCTION_BRANCH;
	}
	// ud0, ud1 or ud2: their identifiers differ between versions of Capstone.
	if (strncmp(insn->mnemonic, "ud", 2) == 0)
		return IC_INSTRUCTION_TRAP;
	return has_group(insn, X86_GRP_JUMP) ? IC_INSTRUCTION_BRANCH : IC_INSTRUCTION_PLAIN;
}

// The number of bytes that an instruction copies from its second operand to its first; 0 if it does
// something else.
static uint8_t copied_size(const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
	case X86_INS_MOVZX:
	case X86_INS_MOVSX:
	case X86_INS_MOVSXD:
	case X86_INS_MOVAPS:
	case X86_INS_MOVUPS:
	case X86_INS_MOVAPD:
	case X86_INS_MOVUPD:
	case X86_INS_MOVDQA:
	case X86_INS_MOVDQU:
	case X86_INS_VMOVAPS:
	case X86_INS_VMOVUPS:
	case X86_INS_VMOVAPD:
	case X86_INS_VMOVUPD:
	case X86_INS_VMOVDQA:
	case X86_INS_VMOVDQU: return 16;
	case X86_INS_MOVSD:
	case X86_INS_VMOVSD:
	case X86_INS_MOVQ:
	case X86_INS_VMOVQ: return 8;
	case X86_INS_MOVSS:
	case X86_INS_VMOVSS:
	case X86_INS_MOVD:
	case X86_INS_VMOVD: return 4;
	}
	return 0;
}

static bool begins_with_one_of(const char *name, const char *const *beginnings)
{
	for (; *beginnings; beginnings++)
		if (strncmp(name, *beginnings, strlen(*beginnings)) == 0)
			return true;
	return false;
}

static bool is_vector(const cs_x86_op *operand)
{
	return operand->type == X86_OP_REG && operand->reg >= X86_REG_XMM0 &&
	       operand->reg <= X86_REG_ZMM31;
}

// Whether two operands are the same register.
static bool is_same(const cs_x86_op *a, const cs_x86_op *b)
{
	return a->type == X86_OP_REG && b->type == X86_OP_REG && a->reg == b->reg;
}

static bool is_constant(const cs_x86_op *operand)
{
	return operand->type == X86_OP_MEM && operand->mem.index == X86_REG_INVALID &&
	       (operand->mem.base == X86_REG_RIP || operand->mem.base == X86_REG_INVALID);
}

// Corresponds to is_packed() in x86.c. AVX instructions have the names of SSE's.
static bool is_packed(const cs_insn *insn)
{
	static const char *const of_integers[] = {
		"padd", "pand", "pavg", "pabs", "pcmpeq", "pcmpgt", "pmadd", "pmax",
		"pmin", "pmov", "pmul", "por",  "prol",   "pror",   "psad",  "psign",
		"psll", "psra", "psrl", "psub", "ptern",  "pxor",   NULL,
	};
	static const char *const of_floats[] = {
		"add", "cmp", "cvt",   "div",   "fmadd", "fmsub", "fnmadd", "fnmsub", "max",
		"min", "mul", "round", "rsqrt", "rcp",   "sqrt",  "sub",    NULL,
	};
	static const char *const of_bits[] = { "and", "or", "xor", NULL };
	static const char *const of_same[] = { "pcmp", "pxor", NULL }; // to set all ones, or zero
	const cs_x86 *x86 = &insn->detail->x86;
	const char *name = insn->mnemonic[0] == 'v' ? insn->mnemonic + 1 : insn->mnemonic;

	if (x86->op_count < 2 || !is_vector(&x86->operands[0]))
		return false;
	const cs_x86_op *last = &x86->operands[x86->op_count - 1], *before = last - 1;
	if (strcmp(name, "pslldq") == 0 || strcmp(name, "psrldq") == 0) // shift the whole register
		return false;
	if (begins_with_one_of(name, of_same))
		return !is_same(last, before);
	if (begins_with_one_of(name, of_integers))
		return true;
	if (!strstr(name, "ps") && !strstr(name, "pd"))
		return false;
	if (begins_with_one_of(name, of_bits))
		return !is_same(last, before) && !is_constant(last);
	return begins_with_one_of(name, of_floats);
}

static void read_x86(const struct ic_disassembler *disassembler, struct ic_instruction *read)
{
	const cs_insn *insn = disassembler->instruction;
	const cs_x86 *x86 = &insn->detail->x86;
	uint64_t mask = disassembler->addr_size == 8 ? UINT64_MAX : UINT32_MAX;

	read->kind = (uint8_t)x86_kind(insn);
	read->operation = (uint16_t)insn->id;
	read->is_move = copied_size(insn) > 0 || insn->id == X86_INS_PUSH;
	read->is_packed = is_packed(insn);
	if (read->kind < IC_INSTRUCTION_CALL || read->kind > IC_INSTRUCTION_INDIRECT ||
	    x86->op_count == 0)
		return;
	// jcc is 0x70 to 0x7f, or 0x0f 0x80 to 0x8f.
	uint8_t opcode = x86->opcode[0] == 0x0f ? x86->opcode[1] ^ 0xf0 : x86->opcode[0];
	if (read->kind == IC_INSTRUCTION_BRANCH && opcode >> 4 == 7)
		read->condition = (int8_t)(opcode & 15);
	const cs_x86_op *operand = &x86->operands[0];
	if (operand->type == X86_OP_IMM && x86->op_count == 1)
		read->target = (uint64_t)operand->imm & mask;
	else if (operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP &&
		 operand->mem.index == X86_REG_INVALID && operand->mem.segment == X86_REG_INVALID)
		read->slot = (read->addr + read->size + (uint64_t)operand->mem.disp) & mask;
	if (read->kind == IC_INSTRUCTION_BRANCH && read->target == IC_NO_ADDR)
		read->kind = IC_INSTRUCTION_INDIRECT;
}

struct ic_instruction ic_instruction_disassemble(struct ic_disassembler *disassembler,
						 struct ic_bytes bytes, uint64_t addr)
{
	bool is_aarch64 = disassembler->machine == IC_MACHINE_AARCH64;
	struct ic_instruction read = { .addr = addr,
				       .target = IC_NO_ADDR,
				       .slot = IC_NO_ADDR,
				       .size = is_aarch64 ? 4 : 1,
				       .kind = IC_INSTRUCTION_UNKNOWN,
				       .condition = -1 };
	const uint8_t *code = bytes.data;
	size_t size = bytes.size;
	uint64_t after = addr;

	if (is_aarch64 && size >= 4 && ic_load32(code, IC_HOST_IS_BIG_ENDIAN) <= 0xffff) {
		read.kind = IC_INSTRUCTION_TRAP; // udf, which old versions do not decode
		return read;
	}
	if (size == 0 || !library.disasm_iter(disassembler->handle, &code, &size, &after,
					      disassembler->instruction))
		return read;
	read.size = (uint8_t)disassembler->instruction->size;
	if (is_aarch64)
		ic_aarch64_instruction_read(ic_load32(bytes.data, IC_HOST_IS_BIG_ENDIAN), &read);
	else
		read_x86(disassembler, &read);
	return read;
}

struct ic_instruction ic_instruction_read(struct ic_disassembler *disassembler,
					  struct ic_bytes bytes, uint64_t addr)
{
	uint64_t mask = disassembler->addr_size == 8 ? UINT64_MAX : UINT32_MAX;
	bool is_64 = disassembler->machine == IC_MACHINE_X86_64;
	struct ic_instruction read = { .addr = addr };

	if (disassembler->machine != IC_MACHINE_AARCH64 &&
	    ic_x86_instruction_read(bytes, is_64, mask, &read))
		return read;
	return ic_instruction_disassemble(disassembler, bytes, addr);
}

// ---- What instructions of x86-64 do

// DWARF number of a register (System V ABI for AMD64, 3.6.2), for any part of it; -1 for others.
static int8_t number_of(unsigned reg)
{
	// clang-format off
	static const int8_t numbers[X86_REG_ENDING] = { // plus 1
#define ROW(number, byte, word, half, whole) \
	[X86_REG_##byte] = (number) + 1, [X86_REG_##word] = (number) + 1, \
	[X86_REG_##half] = (number) + 1, [X86_REG_##whole] = (number) + 1
		ROW(0, AL, AX, EAX, RAX), [X86_REG_AH] = 1,
		ROW(1, DL, DX, EDX, RDX), [X86_REG_DH] = 2,
		ROW(2, CL, CX, ECX, RCX), [X86_REG_CH] = 3,
		ROW(3, BL, BX, EBX, RBX), [X86_REG_BH] = 4,
		ROW(4, SIL, SI, ESI, RSI),
		ROW(5, DIL, DI, EDI, RDI),
		ROW(6, BPL, BP, EBP, RBP),
		ROW(7, SPL, SP, ESP, RSP),
#undef ROW
	};
	// clang-format on
	static const struct {
		unsigned first;
		int8_t number, count;
	} runs[] = { { X86_REG_R8, 8, 8 },  { X86_REG_R8D, 8, 8 },    { X86_REG_R8W, 8, 8 },
		     { X86_REG_R8B, 8, 8 }, { X86_REG_XMM0, 17, 16 }, { X86_REG_YMM0, 17, 16 } };

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++)
		if (reg >= runs[i].first && reg - runs[i].first < (unsigned)runs[i].count)
			return (int8_t)(runs[i].number + (int)(reg - runs[i].first));
	return reg < X86_REG_ENDING ? (int8_t)(numbers[reg] - 1) : -1;
}

static bool is_high_byte(unsigned reg)
{
	return reg == X86_REG_AH || reg == X86_REG_BH || reg == X86_REG_CH || reg == X86_REG_DH;
}

static struct ic_operand operand_of(const cs_insn *insn, const cs_x86_op *from)
{
	struct ic_operand operand = { .kind = IC_OPERAND_OTHER, .size = from->size, .reg = -1 };

	switch (from->type) {
	case X86_OP_REG:
		operand.reg = number_of(from->reg);
		if (operand.reg >= 0 && !is_high_byte(from->reg))
			operand.kind = IC_OPERAND_REGISTER;
		break;
	case X86_OP_IMM:
		operand.kind = IC_OPERAND_NUMBER;
		operand.number = (uint64_t)from->imm;
		break;
	case X86_OP_MEM:
		operand.number = (uint64_t)from->mem.disp;
		if (from->mem.index != X86_REG_INVALID || from->mem.segment != X86_REG_INVALID)
			break;
		if (from->mem.base == X86_REG_RIP)
			operand.number += insn->address + insn->size;
		else
			operand.reg = number_of(from->mem.base);
		if (operand.reg >= 0 || from->mem.base == X86_REG_RIP)
			operand.kind = IC_OPERAND_MEMORY;
		break;
	default: break;
	}
	return operand;
}

// The source of the first operand, if it can be determined.
static struct ic_operand source_of(const cs_insn *insn, const struct ic_operand *to)
{
	const cs_x86 *x86 = &insn->detail->x86;
	struct ic_operand from = { .kind = IC_OPERAND_OTHER };
	uint8_t size = copied_size(insn);

	if (x86->op_count != 2)
		return from;
	const struct ic_operand second = operand_of(insn, &x86->operands[1]);
	bool is_number = second.kind == IC_OPERAND_NUMBER;
	if (size > 0) {
		from = second;
		if (from.size > size)
			from.size = size;
	} else if (insn->id == X86_INS_LEA && second.kind == IC_OPERAND_MEMORY) {
		from = second;
		from.kind = second.reg < 0 ? IC_OPERAND_ADDRESS : IC_OPERAND_REGISTER;
		from.size = to->size;
	} else if ((insn->id == X86_INS_ADD || insn->id == X86_INS_SUB) && is_number &&
		   to->kind == IC_OPERAND_REGISTER) {
		from = *to;
		from.number = insn->id == X86_INS_ADD ? second.number : -second.number;
	} else if (insn->id == X86_INS_XOR && to->kind == IC_OPERAND_REGISTER &&
		   second.kind == IC_OPERAND_REGISTER &&
		   x86->operands[0].reg == x86->operands[1].reg) {
		from = (struct ic_operand){ .kind = IC_OPERAND_NUMBER, .size = 8, .reg = -1 };
	}
	return from;
}

static bool find_changed(const struct ic_disassembler *disassembler, uint64_t *changed)
{
	cs_regs read, written;
	uint8_t read_count = 0, written_count = 0;

	if (library.regs_access(disassembler->handle, disassembler->instruction, read, &read_count,
				written, &written_count) != CS_ERR_OK)
		return false;
	for (uint8_t i = 0; i < written_count; i++)
		if (number_of(written[i]) >= 0)
			*changed |= 1ull << number_of(written[i]);
	return true;
}

// Whether an instruction only reads its first operand. Capstone 4 is often wrong about this.
static bool only_reads(const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_CMP:
	case X86_INS_TEST:
	case X86_INS_BT:
	case X86_INS_MUL:
	case X86_INS_IMUL:
	case X86_INS_DIV:
	case X86_INS_IDIV:
	case X86_INS_FLD:
	case X86_INS_FILD:
	case X86_INS_UCOMISS:
	case X86_INS_UCOMISD:
	case X86_INS_COMISS:
	case X86_INS_COMISD:
	case X86_INS_NOP:
	case X86_INS_PREFETCHT0: return true;
	}
	return false;
}

// Stack memory is not an operand.
static void read_push_or_pop(const cs_insn *insn, struct ic_effect *effect)
{
	enum { STACK_POINTER = 7 };
	const struct ic_operand operand = operand_of(insn, &insn->detail->x86.operands[0]);
	struct ic_operand top = { IC_OPERAND_MEMORY, operand.size, STACK_POINTER, 0 };

	if (insn->id == X86_INS_POP) {
		effect->to = operand;
		effect->from = effect->read = top;
		effect->pushed = (int8_t)-operand.size;
		return;
	}
	top.number = -(uint64_t)operand.size;
	effect->to = top;
	effect->from = operand;
	if (insn->detail->x86.operands[0].type == X86_OP_MEM)
		effect->read = operand;
	effect->pushed = (int8_t)operand.size;
}

static void read_operands(const cs_insn *insn, struct ic_effect *effect)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *first = &x86->operands[0];
	bool is_memory = first->type == X86_OP_MEM;

	if (x86->op_count == 0)
		return;
	for (uint8_t i = 1; i < x86->op_count; i++)
		if (x86->operands[i].type == X86_OP_MEM && insn->id != X86_INS_LEA)
			effect->read = operand_of(insn, &x86->operands[i]);
	if (is_memory && (only_reads(insn) || first->access == (CS_AC_READ | CS_AC_WRITE)))
		effect->read = operand_of(insn, first);
	if (only_reads(insn) && (is_memory || insn->id != X86_INS_IMUL))
		return;
	effect->to = operand_of(insn, first);
	effect->from = source_of(insn, &effect->to);
	if (is_memory && (x86->prefix[0] == 0xf3 || x86->prefix[0] == 0xf2)) {
		effect->to.size = 0; // repeated
		effect->from = (struct ic_operand){ .kind = IC_OPERAND_OTHER };
	}
}

static bool read_x86_effect(struct ic_disassembler *disassembler, struct ic_bytes bytes,
			    uint64_t addr, struct ic_effect *effect)
{
	const cs_insn *insn = disassembler->instruction;
	const uint8_t *code = bytes.data;
	size_t size = bytes.size;

	*effect = (struct ic_effect){ .changed = 0 };
	if (!library.disasm_iter(disassembler->handle, &code, &size, &addr,
				 disassembler->instruction) ||
	    !find_changed(disassembler, &effect->changed))
		return false;
	switch (insn->id) {
	case X86_INS_ENTER:
	case X86_INS_SYSCALL:
	case X86_INS_SYSENTER:
	case X86_INS_INT: return false;
	case X86_INS_PUSH:
	case X86_INS_POP:
		if (insn->detail->x86.op_count != 1)
			return false;
		read_push_or_pop(insn, effect);
		return true;
	}
	read_operands(insn, effect);
	return true;
}

unsigned ic_effects_read(struct ic_disassembler *disassembler, struct ic_bytes bytes, uint64_t addr,
			 struct ic_effect effects[IC_MOST_EFFECTS])
{
	if (disassembler->machine == IC_MACHINE_AARCH64 && bytes.size >= 4)
		return ic_aarch64_effects_read(ic_load32(bytes.data, IC_HOST_IS_BIG_ENDIAN), addr,
					       effects);
	if (disassembler->machine != IC_MACHINE_X86_64 || disassembler->addr_size != 8)
		return 0;
	return read_x86_effect(disassembler, bytes, addr, effects);
}
