// Encodings are from the Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2:
// the format from chapter 2, the opcode maps from appendix A.
#include "instructions/x86.h"

enum { MOST_BYTES = 15 };

enum mandatory { P_NONE = 1, P_66 = 2, P_F3 = 4, P_F2 = 8, P_ANY = 15 }; // SSE prefixes

enum form {
	ALONE,     // without ModRM
	RM,        // with ModRM
	RM_MEMORY, // with a memory operand only
	GROUP,     // ModRM selects the instruction
	NEAR,      // a branch, jump or call
	OTHER_KIND // handled separately
};

enum immediate { I_0, I_8, I_16, I_Z, I_V }; // I_Z is 32 bits, or 16 with 0x66; I_V 64 with REX.W

struct opcode {
	char letter;
	uint8_t form;      // enum form
	uint8_t immediate; // enum immediate
	uint8_t prefixes;  // enum mandatory: the prefixes that make it SSE; 0 if it is not SSE
	bool is_move;
};

// The opcodes for the letters in the maps. Opcodes without a letter are rare, or have rare forms.
static const struct opcode opcodes[] = {
	{ 'a', ALONE, I_0, 0, false },
	{ 'b', ALONE, I_8, 0, false },
	{ 'c', ALONE, I_Z, 0, false },
	{ 'd', ALONE, I_0, 0, true },
	{ 'e', ALONE, I_8, 0, true },
	{ 'f', ALONE, I_Z, 0, true },
	{ 'g', ALONE, I_V, 0, true },
	{ 'h', RM, I_0, 0, false },
	{ 'i', RM, I_8, 0, false },
	{ 'j', RM, I_Z, 0, false },
	{ 'k', RM, I_0, 0, true },
	{ 'l', RM_MEMORY, I_0, 0, false },
	{ 'm', NEAR, I_8, 0, false },
	{ 'n', NEAR, I_Z, 0, false },
	{ 'o', GROUP, I_0, 0, false },
	{ 'p', GROUP, I_8, 0, false },
	{ 'q', GROUP, I_Z, 0, false },
	{ 'r', GROUP, I_8, 0, true },
	{ 's', GROUP, I_Z, 0, true },
	{ 't', OTHER_KIND, I_0, 0, false },
	{ 'u', OTHER_KIND, I_16, 0, false },
	{ 'A', RM, I_0, P_ANY, true },
	{ 'B', RM_MEMORY, I_0, P_NONE | P_66, false },
	{ 'C', RM, I_0, P_NONE | P_66, false },
	{ 'D', RM, I_0, P_NONE | P_66, true },
	{ 'E', RM, I_0, P_F3 | P_F2, false },
	{ 'F', RM, I_0, P_ANY, false },
	{ 'G', RM, I_0, P_NONE | P_66 | P_F3, false },
	{ 'H', RM, I_0, P_66, false },
	{ 'I', RM, I_0, P_66, true },
	{ 'J', RM, I_0, P_66 | P_F3, true },
	{ 'K', RM, I_8, P_66 | P_F3 | P_F2, false },
	{ 'L', RM, I_8, P_ANY, false },
	{ 'M', RM, I_8, P_NONE | P_66, false },
	{ 'N', RM, I_0, P_66 | P_F3 | P_F2, false },
};

static const char one_byte[] = "hhhhbc..hhhhbc.." // 0x00
			       "hhhhbc..hhhhbc.." // 0x10
			       "hhhhbc..hhhhbc.." // 0x20
			       "hhhhbc..hhhhbc.." // 0x30
			       "................" // 0x40
			       "ddddddddaaaaaaaa" // 0x50
			       "...k....fjei...." // 0x60
			       "mmmmmmmmmmmmmmmm" // 0x70
			       "ij.ihhhhkkkk.l.." // 0x80
			       "taaaaaaaaa......" // 0x90
			       "........bc......" // 0xa0
			       "eeeeeeeegggggggg" // 0xb0
			       "iiut..rs.a..t..." // 0xc0
			       "hhhh............" // 0xd0
			       "........nn.m...." // 0xe0
			       "....t.pqaaaaaaoo";

static const char after_0f[] = ".....a.....t...." // 0x00
			       "AABBCCBB.......t" // 0x10
			       "........DDE.EECC" // 0x20
			       "................" // 0x30
			       "hhhhhhhhhhhhhhhh" // 0x40
			       ".F..CCCCFFFGFFFF" // 0x50
			       "HHHHHHHHHHHHHHIJ" // 0x60
			       "K...HHH.......JJ" // 0x70
			       "nnnnnnnnnnnnnnnn" // 0x80
			       "hhhhhhhhhhhhhhhh" // 0x90
			       "..ahih.....hih.h" // 0xa0
			       "hh.h..kk..phhhkk" // 0xb0
			       "hhL...M.aaaaaaaa" // 0xc0
			       ".HHHHHI.HHHHHHHH" // 0xd0
			       "HHHHHHN.HHHHHHHH" // 0xe0
			       ".HHHHHH.HHHHHHH.";

struct reader {
	const uint8_t *code;
	size_t size, pos;
	bool is_64;
	bool has_66, has_segment;
	uint8_t repeat; // 0xf2 or 0xf3; 0 for none
	uint8_t rex;
	bool is_after_0f; // the opcode is
	uint8_t opcode, modrm;
	int32_t displacement;
	uint64_t immediate;
};

// The next byte; 0 beyond the end, which is detected at the end.
static uint8_t next_byte(struct reader *reader)
{
	size_t pos = reader->pos++;

	return pos < reader->size ? reader->code[pos] : 0;
}

static uint64_t next_number(struct reader *reader, unsigned size)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < size; i++)
		number |= (uint64_t)next_byte(reader) << 8 * i;
	return number;
}

// False for rare prefixes, and for several of one kind.
static bool read_prefixes(struct reader *reader)
{
	while (reader->pos < MOST_BYTES) {
		uint8_t byte = next_byte(reader);
		switch (byte) {
		case 0x66: reader->has_66 = true; continue;
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x26:
		case 0x64:
		case 0x65: reader->has_segment = true; continue;
		case 0xf2:
		case 0xf3:
			if (reader->repeat)
				return false;
			reader->repeat = byte;
			continue;
		}
		if (reader->is_64 && byte >> 4 == 4) {
			reader->rex = byte;
			byte = next_byte(reader);
		}
		reader->is_after_0f = byte == 0x0f;
		reader->opcode = reader->is_after_0f ? next_byte(reader) : byte;
		return true;
	}
	return false;
}

static void read_modrm(struct reader *reader)
{
	reader->modrm = next_byte(reader);
	unsigned mode = reader->modrm >> 6, memory = reader->modrm & 7, size = 0;
	if (mode == 3)
		return;
	if (memory == 4)
		memory = next_byte(reader) & 7; // the base of the SIB byte
	if (mode == 1)
		size = 1;
	else if (mode == 2 || memory == 5)
		size = 4;
	reader->displacement = (int32_t)(uint32_t)next_number(reader, size);
}

static unsigned reg_of(const struct reader *reader)
{
	return reader->modrm >> 3 & 7;
}

static unsigned immediate_size(const struct reader *reader, const struct opcode *opcode)
{
	bool is_wide = reader->rex & 8;

	switch (opcode->immediate) {
	case I_8: return 1;
	case I_16: return 2;
	case I_Z: return reader->has_66 && !is_wide ? 2 : 4;
	case I_V: return is_wide ? 8 : reader->has_66 ? 2 : 4;
	}
	return 0;
}

// Whether the prefixes are those for which this opcode is decoded here.
static bool has_prefixes(const struct reader *reader, const struct opcode *opcode)
{
	unsigned which = reader->repeat == 0xf2   ? P_F2
			 : reader->repeat == 0xf3 ? P_F3
			 : reader->has_66         ? P_66
						  : P_NONE;

	// libcapstone does not decode all of SSE with a segment.
	if (opcode->prefixes)
		return (opcode->prefixes & which) && !(reader->repeat && reader->has_66) &&
		       (which == P_NONE || !reader->has_segment);
	if (reader->repeat)
		return false;
	return opcode->form != NEAR || (!reader->has_66 && !reader->has_segment);
}

// Which member of a group it is; false if that is not decoded here.
static bool read_group(struct reader *reader, struct opcode *opcode, struct ic_instruction *read)
{
	unsigned reg = reg_of(reader);
	bool is_plain = !reader->has_segment && !reader->has_66;

	switch (reader->is_after_0f << 8 | reader->opcode) {
	case 0xc6:
	case 0xc7: return reg == 0;
	case 0xf6:
	case 0xf7:
		if (reg > 1)
			opcode->immediate = I_0;
		return reg != 1;
	case 0xfe: return reg < 2;
	case 0x1ba: return reg >= 4;
	}
	opcode->is_move = reg == 6; // push
	if (reg == 2 || reg == 4) {
		read->kind = reg == 2 ? IC_INSTRUCTION_CALL : IC_INSTRUCTION_INDIRECT;
		return is_plain;
	}
	return reg < 2 || reg == 6;
}

static bool read_other(const struct reader *reader, struct ic_instruction *read)
{
	switch (reader->is_after_0f << 8 | reader->opcode) {
	case 0xc2:
	case 0xc3:
		read->kind = IC_INSTRUCTION_RETURN;
		return !reader->has_66 && !reader->has_segment && !reader->rex;
	case 0xcc:
	case 0x90: read->kind = IC_INSTRUCTION_PADDING; return !reader->rex && !reader->has_segment;
	case 0xf4:
	case 0x10b:
		read->kind = IC_INSTRUCTION_TRAP;
		return !reader->rex && !reader->has_66 && !reader->has_segment;
	}
	read->kind = IC_INSTRUCTION_PADDING; // 0x0f 0x1f
	return reader->modrm >> 6 != 3 && reg_of(reader) == 0;
}

static void read_target(const struct reader *reader, unsigned size, uint64_t mask,
			struct ic_instruction *read)
{
	uint64_t distance = ic_extend(reader->immediate, 8 * size, true);

	read->target = (read->addr + reader->pos + distance) & mask;
	if (!reader->is_after_0f && reader->opcode >= 0xe8) {
		read->kind = reader->opcode == 0xe8 ? IC_INSTRUCTION_CALL : IC_INSTRUCTION_JUMP;
		return;
	}
	read->kind = IC_INSTRUCTION_BRANCH;
	read->condition = (int8_t)(reader->opcode & 15);
}

// A number for an operation, independent of its operands.
static uint16_t operation_of(const struct reader *reader)
{
	enum { OURS = 0x8000, AFTER_0F = 0x4000, MEMBER = 0x2000 };
	enum { MOVE = 0x88, TEST = 0x84, MULTIPLY = 0x69, PUSH = 0x50, SHIFT = 0xc0 };
	unsigned opcode = reader->opcode, reg = reg_of(reader);
	unsigned prefix = (reader->repeat & 3u) << 9 | (unsigned)reader->has_66 << 8;

	if (reader->is_after_0f && opcode == 0xaf)
		return OURS | MULTIPLY;
	if (reader->is_after_0f)
		return (uint16_t)(opcode == 0xba ? OURS | AFTER_0F | MEMBER | reg
						 : OURS | AFTER_0F | prefix | opcode);
	if (opcode < 0x40)
		opcode &= 0x38;
	else if (opcode >= 0x80 && opcode <= 0x83)
		opcode = reg << 3;
	else if ((opcode >= 0x88 && opcode <= 0x8b) || opcode >> 4 == 0xb || opcode >> 1 == 0x63)
		opcode = MOVE;
	else if ((opcode >= 0xd0 && opcode <= 0xd3) || opcode >> 1 == 0x60)
		opcode = MEMBER | SHIFT | reg;
	else if (opcode == 0x85 || opcode >> 1 == 0x54)
		opcode = TEST;
	else if (opcode == 0x6b)
		opcode = MULTIPLY;
	else if (opcode >> 3 == 0xa || opcode == 0x68 || opcode == 0x6a)
		opcode = PUSH;
	else if (opcode >> 1 == 0x7b || opcode >> 1 == 0x7f)
		opcode = MEMBER | (opcode & 0xfe) | reg << 8;
	return (uint16_t)(OURS | opcode);
}

// Whether it computes several values of a vector register at once. With itself as the operand it
// sets a register to zeros, or ones; and for the sign of a single value the operand is a constant
// in memory.
static bool is_packed(const struct reader *reader)
{
	unsigned opcode = reader->opcode;
	bool is_register = reader->modrm >> 6 == 3, is_scalar = reader->repeat != 0;
	bool is_same = is_register && (reader->modrm >> 3 & 7) == (reader->modrm & 7) &&
		       (reader->rex >> 2 & 1) == (reader->rex & 1);
	bool is_constant = (reader->modrm & 0xc7) == 5;

	if (!reader->is_after_0f)
		return false;
	switch (opcode) {
	case 0x54:
	case 0x55:
	case 0x56:
	case 0x57: return !is_same && !is_constant;
	case 0x5b:
	case 0xe6: return true;
	case 0xc2: return !is_scalar;
	case 0xd6:
	case 0xd7:
	case 0xe7:
	case 0xf0:
	case 0xf7:
	case 0xff: return false;
	}
	if (opcode >> 4 == 5)
		return opcode != 0x50 && !is_scalar;
	if ((opcode >= 0x64 && opcode <= 0x66) || (opcode >= 0x74 && opcode <= 0x76) ||
	    opcode == 0xef)
		return !is_same;
	return opcode > 0xd0;
}

static const struct opcode *find_opcode(const struct reader *reader)
{
	char letter = (reader->is_after_0f ? after_0f : one_byte)[reader->opcode];

	if (!(reader->rex & 8) && !reader->is_after_0f && reader->opcode == 0x63)
		return NULL; // arpl, or movsxd without extension, which libcapstone 5.0.7 does not
			     // decode
	for (size_t i = 0; i < sizeof(opcodes) / sizeof(*opcodes); i++)
		if (opcodes[i].letter == letter)
			return &opcodes[i];
	return NULL;
}

// Decodes the rest after the opcode.
static bool read_rest(struct reader *reader, struct opcode *opcode, uint64_t mask,
		      struct ic_instruction *read)
{
	bool has_modrm = (opcode->form >= RM && opcode->form <= GROUP) ||
			 (reader->is_after_0f && reader->opcode == 0x1f);

	read->kind = IC_INSTRUCTION_PLAIN;
	if (has_modrm)
		read_modrm(reader);
	if ((opcode->form == RM_MEMORY && reader->modrm >> 6 == 3) ||
	    (opcode->form == GROUP && !read_group(reader, opcode, read)) ||
	    (opcode->form == OTHER_KIND && !read_other(reader, read)))
		return false;
	unsigned size = immediate_size(reader, opcode);
	reader->immediate = next_number(reader, size);
	if (opcode->form == NEAR)
		read_target(reader, size, mask, read);
	else if (read->kind != IC_INSTRUCTION_PLAIN && opcode->form == GROUP && reader->is_64 &&
		 (reader->modrm & 0xc7) == 5) // at %rip
		read->slot = (read->addr + reader->pos + (uint64_t)(int64_t)reader->displacement) &
			     mask;
	return reader->pos <= reader->size && reader->pos <= MOST_BYTES;
}

bool ic_x86_instruction_read(struct ic_bytes bytes, bool is_64, uint64_t mask,
			     struct ic_instruction *read)
{
	struct reader reader = { .code = bytes.data, .size = bytes.size, .is_64 = is_64 };
	struct ic_instruction found = {
		.addr = read->addr, .target = IC_NO_ADDR, .slot = IC_NO_ADDR, .condition = -1
	};

	if (!read_prefixes(&reader))
		return false;
	const struct opcode *known = find_opcode(&reader);
	if (!known || !has_prefixes(&reader, known))
		return false;
	struct opcode opcode = *known;
	if (!read_rest(&reader, &opcode, mask, &found))
		return false;
	found.size = (uint8_t)reader.pos;
	found.operation = operation_of(&reader);
	found.is_move = opcode.is_move;
	found.is_packed = is_packed(&reader);
	*read = found;
	return true;
}
