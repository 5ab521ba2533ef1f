#include "unwind/tables/orc.h"

#include "base/search.h"
#include "dwarf/expressions/operation.h"

#include <inttypes.h>

enum { ADDR_SIZE = 4, ENTRY_SIZE = 6, HASH_SIZE = 20 };

enum { // DWARF's numbers (System V ABI, AMD64 supplement, figure 3.36)
	RDX = 1,
	RBP = 6,
	RDI = 5,
	RSP = 7,
	R10 = 10,
	R13 = 13,
	RIP = 16,
};

enum orc_reg { // ORC_REG_* (arch/x86/include/asm/orc_types.h)
	ORC_UNDEFINED,
	ORC_PREV_SP,
	ORC_DX,
	ORC_DI,
	ORC_BP,
	ORC_SP,
	ORC_R10,
	ORC_R13,
	ORC_BP_INDIRECT,
	ORC_SP_INDIRECT
};

enum orc_type { // ORC_TYPE_* of IC_ORC_TYPES; the other formats have the last three, from 0
	TYPE_UNDEFINED,
	TYPE_END,
	TYPE_CALL,
	TYPE_REGS,
	TYPE_IRET
};

struct entry { // in the latest format
	int16_t sp_off, bp_off;
	enum orc_reg sp_reg, bp_reg;
	enum orc_type type;
	bool is_signal;
};

// ---- Entries

static uint16_t flags_of(const struct ic_orc *orc, uint32_t number)
{
	return ic_load16(orc->entries.data + (size_t)number * ENTRY_SIZE + 4, orc->swap);
}

static uint64_t addr_of(const struct ic_orc *orc, uint32_t number)
{
	uint64_t off = (uint64_t)number * ADDR_SIZE;
	int32_t from_here = (int32_t)ic_load32(orc->addrs.data + off, orc->swap);

	return orc->addrs_addr + off + (uint64_t)(int64_t)from_here;
}

static enum orc_type type_of(enum ic_orc_form form, uint16_t flags)
{
	if (form == IC_ORC_TYPES)
		return flags >> 8 & 7;
	bool is_end = flags >> (form == IC_ORC_SIGNAL ? 11 : 10) & 1;
	if ((flags & 15) == ORC_UNDEFINED)
		return is_end ? TYPE_END : TYPE_UNDEFINED;
	return TYPE_CALL + (flags >> 8 & 3);
}

static struct entry read_entry(const struct ic_orc *orc, uint32_t number)
{
	const uint8_t *at = orc->entries.data + (size_t)number * ENTRY_SIZE;
	uint16_t flags = flags_of(orc, number);
	struct entry entry = {
		.sp_off = (int16_t)ic_load16(at, orc->swap),
		.bp_off = (int16_t)ic_load16(at + 2, orc->swap),
		.sp_reg = flags & 15,
		.bp_reg = flags >> 4 & 15,
		.type = type_of(orc->form, flags),
	};

	switch (orc->form) {
	case IC_ORC_FIRST: entry.is_signal = entry.type > TYPE_CALL; break;
	case IC_ORC_SIGNAL: entry.is_signal = flags >> 10 & 1; break;
	case IC_ORC_TYPES: entry.is_signal = flags >> 11 & 1; break;
	}
	return entry;
}

// ---- Format

// By the hash in arch/x86/include/asm/orc_types.h, made by scripts/orc_hash.sh.
static bool form_of_header(struct ic_bytes header, enum ic_orc_form *form)
{
	static const struct {
		enum ic_orc_form form;
		uint8_t hash[HASH_SIZE];
	} known[] = {
		{ IC_ORC_TYPES, { 0xfe, 0x5d, 0x32, 0xbf, 0x58, 0x1b, 0xd6, 0x3b, 0x2c, 0xa9,
				  0xa5, 0xc6, 0x5b, 0xa5, 0xa6, 0x25, 0xea, 0xb3, 0xfe, 0x24 } },
		{ IC_ORC_SIGNAL, { 0xdb, 0x84, 0xae, 0xd4, 0x10, 0x3b, 0x31, 0xdd, 0x51, 0xe0,
				   0x17, 0xf8, 0xf7, 0x97, 0x83, 0xca, 0x98, 0x5c, 0x2c, 0x51 } },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		*form = known[i].form;
		if (header.size == HASH_SIZE && !memcmp(header.data, known[i].hash, HASH_SIZE))
			return true;
	}
	return false;
}

// Without a hash, judged by the entries: most are of called functions, whose type was 0 until it
// became 2; and the bit for interrupted code is set in those with struct pt_regs. The kernel
// release is no guide, because stable releases changed the format.
static enum ic_orc_form guess_form(const struct ic_orc *orc)
{
	uint32_t calls = 0, others = 0, signals = 0;

	for (uint32_t i = 0; i < orc->count; i++) {
		uint16_t flags = flags_of(orc, i);

		if ((flags & 15) != ORC_SP)
			continue;
		calls += (flags >> 8 & 7) == 0;
		others += (flags >> 8 & 7) == TYPE_CALL;
		signals += (flags >> 8 & 3) == 1 && (flags >> 10 & 1);
	}
	if (others > calls)
		return IC_ORC_TYPES;
	return signals > 0 ? IC_ORC_SIGNAL : IC_ORC_FIRST;
}

bool ic_orc_init(struct ic_orc *orc, const struct ic_orc_sections *sections, struct ic_error *err)
{
	const struct ic_bytes addrs = sections->addrs, entries = sections->entries;
	uint64_t count = addrs.size / ADDR_SIZE;

	*orc = (struct ic_orc){ .addrs = addrs,
				.entries = entries,
				.addrs_addr = sections->addrs_addr,
				.swap = sections->swap };
	if (addrs.size % ADDR_SIZE != 0 || entries.size != count * ENTRY_SIZE || count > UINT32_MAX)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       ".orc_unwind has %zu bytes, which does not match the %" PRIu64
			       " addresses in .orc_unwind_ip",
			       entries.size, count);
	orc->count = (uint32_t)count;
	if (sections->header.size == 0)
		orc->form = guess_form(orc);
	else if (!form_of_header(sections->header, &orc->form))
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "unknown .orc_unwind format in .orc_header");
	for (uint32_t i = 1; i < orc->count; i++)
		if (addr_of(orc, i) < addr_of(orc, i - 1))
			return ic_fail(err, IC_ERROR_UNSUPPORTED,
				       ".orc_unwind_ip is not sorted (kernels before Linux 5.6 "
				       "sort it at boot)");
	return true;
}

// ---- Rows

static uint8_t *put_sleb(uint8_t *at, int64_t value)
{
	for (;;) {
		uint8_t byte = value & 0x7f;

		value >>= 7;
		if (value == (byte & 0x40 ? -1 : 0)) {
			*at++ = byte;
			return at;
		}
		*at++ = byte | 0x80;
	}
}

// The CFA is what is in memory at a register, and an offset before or after that.
static struct ic_register_rule read_cfa(uint8_t *bytes, uint32_t reg, int16_t before, int16_t after)
{
	uint8_t *at = bytes;

	*at++ = (uint8_t)(DW_OP_breg0 + reg);
	at = put_sleb(at, before);
	*at++ = DW_OP_deref;
	if (after != 0) {
		*at++ = DW_OP_consts;
		at = put_sleb(at, after);
		*at++ = DW_OP_plus;
	}
	return (struct ic_register_rule){ .kind = IC_RULE_VAL_EXPRESSION,
					  .from = (uint32_t)(at - bytes),
					  .at.expression = bytes };
}

static bool find_cfa(const struct entry *entry, uint8_t *bytes, struct ic_orc_row *row)
{
	uint32_t reg = RSP;

	switch (entry->sp_reg) {
	case ORC_SP: break;
	case ORC_BP: reg = RBP; break;
	case ORC_DX: reg = RDX; break;
	case ORC_DI: reg = RDI; break;
	case ORC_R10: reg = R10; break;
	case ORC_R13: reg = R13; break;
	case ORC_SP_INDIRECT:
		// Before Linux 5.12 the offset was added first, but only for these types.
		if (entry->type != TYPE_CALL && entry->sp_off != 0)
			return false;
		row->switches = true;
		row->cfa = read_cfa(bytes, RSP, 0, entry->sp_off);
		return true;
	case ORC_BP_INDIRECT:
		row->switches = true;
		row->cfa = read_cfa(bytes, RBP, entry->sp_off, 0);
		return true;
	default: return false;
	}
	// Other registers have the stack address from before it was switched or aligned.
	row->switches = reg != RSP && reg != RBP;
	row->cfa = (struct ic_register_rule){ .kind = IC_RULE_REGISTER,
					      .from = reg,
					      .at.offset = entry->sp_off };
	return true;
}

static void add_rule(struct ic_orc_row *row, uint16_t reg, enum ic_register_rule_kind kind,
		     int64_t offset)
{
	row->rules[row->rule_count++] =
		(struct ic_register_rule){ .reg = reg, .kind = (uint8_t)kind, .at.offset = offset };
}

static bool add_frame_pointer(const struct entry *entry, uint8_t *bytes, struct ic_orc_row *row)
{
	switch (entry->bp_reg) {
	case ORC_UNDEFINED: return true; // unchanged
	case ORC_PREV_SP: add_rule(row, RBP, IC_RULE_OFFSET, entry->bp_off); return true;
	case ORC_BP: // saved where the frame pointer of a stack that was aligned is
		bytes[0] = DW_OP_breg0 + RBP;
		row->rules[row->rule_count++] = (struct ic_register_rule){
			.reg = RBP,
			.kind = IC_RULE_EXPRESSION,
			.from = (uint32_t)(put_sleb(bytes + 1, entry->bp_off) - bytes),
			.at.expression = bytes,
		};
		return true;
	default: return false;
	}
}

// The caller's other registers are unknown: the tables do not describe where functions save them.
static void fill_call(struct ic_orc_row *row)
{
	static const uint8_t kept[] = { 3, 12, 13, 14, 15 };

	add_rule(row, RIP, IC_RULE_OFFSET, -8);
	for (size_t i = 0; i < sizeof(kept); i++)
		add_rule(row, kept[i], IC_RULE_UNDEFINED, 0);
}

// struct pt_regs (arch/x86/include/asm/ptrace.h), in order of DWARF register numbers.
static void fill_registers(struct ic_orc_row *row)
{
	static const uint8_t offsets[] = { 80, 96, 88, 40, 104, 112, 32, 152, 72,
					   64, 56, 48, 24, 16,  8,   0,  128 };

	for (uint16_t i = 0; i < sizeof(offsets); i++)
		add_rule(row, i, IC_RULE_OFFSET, offsets[i]);
	row->mode = 136;
}

// The instruction pointer, code segment, flags and stack pointer, as pushed by the processor. Entry
// code may have used the registers that functions need not preserve.
static void fill_pushed(struct ic_orc_row *row)
{
	static const uint8_t used[] = { 0, 1, 2, 4, 5, 8, 9, 10, 11 };

	add_rule(row, RIP, IC_RULE_OFFSET, 0);
	add_rule(row, RSP, IC_RULE_OFFSET, 24);
	for (size_t i = 0; i < sizeof(used); i++)
		add_rule(row, used[i], IC_RULE_UNDEFINED, 0);
	row->mode = 8;
}

static bool fill_row(const struct entry *entry, uint8_t *bytes, struct ic_orc_row *row)
{
	uint8_t *more = bytes + IC_ORC_MOST_BYTES / 2; // for the frame pointer's expression

	*row = (struct ic_orc_row){ .is_exact = entry->is_signal };
	switch (entry->type) {
	case TYPE_END:
		row->kind = IC_ORC_END;
		row->cfa = (struct ic_register_rule){ .kind = IC_RULE_REGISTER, .from = RSP };
		add_rule(row, RIP, IC_RULE_UNDEFINED, 0);
		return true;
	case TYPE_CALL:
		row->kind = IC_ORC_CALL;
		fill_call(row);
		return find_cfa(entry, bytes, row) && add_frame_pointer(entry, more, row);
	case TYPE_REGS:
	case TYPE_IRET:
		row->kind = entry->type == TYPE_REGS ? IC_ORC_REGS : IC_ORC_IRET;
		if (row->kind == IC_ORC_REGS)
			fill_registers(row);
		else
			fill_pushed(row);
		return find_cfa(entry, bytes, row) && add_frame_pointer(entry, more, row);
	default: return false;
	}
}

bool ic_orc_find(const struct ic_orc *orc, uint64_t addr, uint8_t bytes[IC_ORC_MOST_BYTES],
		 struct ic_orc_row *row)
{
	uint32_t next; // the first that begins after the address

	IC_SEARCH(next, orc->count, at, addr_of(orc, at) <= addr);
	if (next == 0)
		return false;
	const struct entry entry = read_entry(orc, next - 1);
	return fill_row(&entry, bytes, row);
}
