#include "elf/sections/reloc_entry.h"

#include <elf.h>

// Machines that the <elf.h> of some systems lacks.
#ifndef EM_SPARC32PLUS
#define EM_SPARC32PLUS 18
#endif
#ifndef EM_ARC_COMPACT
#define EM_ARC_COMPACT 93
#endif
#ifndef EM_QDSP6
#define EM_QDSP6 164
#endif
#ifndef EM_ARCV2
#define EM_ARCV2 195
#endif
#ifndef EM_BPF
#define EM_BPF 247
#endif
#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

enum reloc_op {
	OP_UNKNOWN,
	OP_NONE,
	OP_SET,
	OP_PC,
	OP_ADD,
	OP_SUB,
	OP_SET6,
	OP_ADD6,
	OP_SUB6,
	OP_SET_ULEB,
	OP_ADD_ULEB,
	OP_SUB_ULEB,
};

static const struct ic_reloc_kind reloc_kinds[] = {
#define RELOC(machine, code, size, op) { EM_##machine, code, size, OP_##op },
#include "elf/sections/relocs.def"
#undef RELOC
};

struct reloc { // one entry of SHT_REL or SHT_RELA, of either class
	uint64_t off, addend;
	uint32_t symbol, code;
	uint8_t then[2], special; // for MIPS: the operations that follow, and their symbol
};

uint64_t ic_reloc_entry_size(const struct ic_reloc_machine *machine,
			     const struct ic_section *relocs)
{
	uint64_t words = relocs->type == SHT_RELA ? 3 : 2;

	return words * machine->addr_size;
}

uint64_t ic_reloc_count(const struct ic_reloc_machine *machine, const struct ic_section *relocs)
{
	return relocs->raw.size / ic_reloc_entry_size(machine, relocs);
}

static struct reloc read_reloc64(const uint8_t *at, bool has_addend, enum ic_reloc_layout layout,
				 bool swap)
{
	uint64_t info = ic_load64(at + 8, swap);
	struct reloc reloc = { .off = ic_load64(at, swap),
			       .addend = has_addend ? ic_load64(at + 16, swap) : 0,
			       .symbol = (uint32_t)(info >> 32),
			       .code = (uint32_t)info };

	if (layout == IC_RELOC_LAYOUT_SPARC) {
		reloc.code &= 0xff;
	} else if (layout == IC_RELOC_LAYOUT_MIPS) { // the same bytes in either byte order
		reloc.symbol = ic_load32(at + 8, swap);
		reloc.special = at[12];
		reloc.then[1] = at[13];
		reloc.then[0] = at[14];
		reloc.code = at[15];
	}
	return reloc;
}

static struct reloc read_reloc(const struct ic_reloc_machine *machine,
			       const struct ic_section *relocs, uint64_t index)
{
	const uint8_t *at = relocs->raw.data + index * ic_reloc_entry_size(machine, relocs);
	bool has_addend = relocs->type == SHT_RELA, swap = machine->swap;

	if (machine->addr_size == 8)
		return read_reloc64(at, has_addend, machine->layout, swap);
	uint32_t info = ic_load32(at + 4, swap);
	uint64_t addend = has_addend ? (uint64_t)(int64_t)(int32_t)ic_load32(at + 8, swap) : 0;
	return (struct reloc){ .off = ic_load32(at, swap),
			       .addend = addend,
			       .symbol = info >> 8,
			       .code = info & 0xff };
}

static uint64_t load_field(const uint8_t *at, uint8_t size, bool swap)
{
	switch (size) {
	case 1: return *at;
	case 2: return ic_load16(at, swap);
	case 4: return ic_load32(at, swap);
	default: return ic_load64(at, swap);
	}
}

static void store_field(uint8_t *at, uint8_t size, uint64_t value, bool swap)
{
	uint16_t value16 = swap ? __builtin_bswap16((uint16_t)value) : (uint16_t)value;
	uint32_t value32 = swap ? __builtin_bswap32((uint32_t)value) : (uint32_t)value;
	uint64_t value64 = swap ? __builtin_bswap64(value) : value;

	switch (size) {
	case 1: *at = (uint8_t)value; break;
	case 2: memcpy(at, &value16, sizeof(value16)); break;
	case 4: memcpy(at, &value32, sizeof(value32)); break;
	default: memcpy(at, &value64, sizeof(value64)); break;
	}
}

static uint64_t extend_sign(uint64_t value, uint8_t size)
{
	switch (size) {
	case 1: return (uint64_t)(int8_t)value;
	case 2: return (uint64_t)(int16_t)value;
	case 4: return (uint64_t)(int32_t)value;
	default: return value;
	}
}

// A ULEB128 keeps its width, since what follows is laid out already. SET, or ADD to 0, and SUB are
// a pair that makes a difference, so the field has the first value only in between.
static bool patch_uleb(uint8_t *at, const uint8_t *end, uint64_t value, enum reloc_op op)
{
	uint64_t old = 0;
	uint8_t *last = at;

	while (last < end && last - at < IC_RELOC_MOST_FIELD && *last & 0x80)
		last++;
	if (last == end || last - at == IC_RELOC_MOST_FIELD)
		return false;
	for (const uint8_t *byte = last; byte >= at; byte--)
		old = old << 7 | (*byte & 0x7f);
	if (op != OP_SET_ULEB)
		value = op == OP_ADD_ULEB ? old + value : old - value;
	for (uint8_t *byte = at; byte <= last; byte++, value >>= 7)
		*byte = (uint8_t)((value & 0x7f) | (byte < last ? 0x80 : 0));
	return true;
}

static const struct ic_reloc_kind *kind_of(const struct ic_reloc_machine *machine, uint32_t code)
{
	static const struct ic_reloc_kind unknown = { 0 };

	return code < IC_RELOC_MOST_CODES ? &machine->kinds[code] : &unknown;
}

// MIPS64's ABI: up to two more operations on the same field. The result of one is the addend of the
// next, whose symbol is not one of the file; the last sets the field's width. False if such a
// relocation is not supported.
static bool compose_value(const struct ic_reloc_machine *machine, const struct reloc *reloc,
			  uint64_t field_addr, const struct ic_reloc_kind **kind, uint64_t *value)
{
	for (int i = 0; i < 2 && reloc->then[i] != 0; i++) {
		const struct ic_reloc_kind *next = kind_of(machine, reloc->then[i]);
		bool is_pc = (*kind)->op == OP_PC;

		if (((*kind)->op != OP_SET && !is_pc) || (next->op != OP_SET && next->op != OP_PC))
			return false;
		*value = extend_sign(*value - (is_pc ? field_addr : 0), (*kind)->size);
		*kind = next;
	}
	return reloc->then[0] == 0 || reloc->special == 0;
}

static bool put_value(uint8_t *at, const uint8_t *end, const struct ic_reloc_kind *kind,
		      uint64_t value, uint64_t old, bool swap)
{
	switch ((enum reloc_op)kind->op) {
	case OP_SET:
	case OP_PC:
	case OP_ADD: store_field(at, kind->size, old + value, swap); break;
	case OP_SUB: store_field(at, kind->size, old - value, swap); break;
	case OP_SET6: *at = (uint8_t)((old & 0xc0) | (value & 0x3f)); break;
	case OP_ADD6: *at = (uint8_t)((old & 0xc0) | ((old + value) & 0x3f)); break;
	case OP_SUB6: *at = (uint8_t)((old & 0xc0) | ((old - value) & 0x3f)); break;
	case OP_SET_ULEB:
	case OP_ADD_ULEB:
	case OP_SUB_ULEB: return patch_uleb(at, end, value, kind->op);
	case OP_NONE:
	case OP_UNKNOWN: break;
	}
	return true;
}

static const char *apply_reloc(const struct ic_reloc_machine *machine,
			       const struct ic_reloc_table *table, const struct reloc *reloc)
{
	static const char not_ours[] = "relocation type not for debug sections";
	const struct ic_reloc_kind *kind = kind_of(machine, reloc->code);
	const struct ic_bytes target = table->target->bytes;
	bool in_place = table->relocs->type == SHT_REL || machine->has_addends_in_place;

	if (kind->op == OP_UNKNOWN)
		return not_ours;
	if (kind->op == OP_NONE)
		return NULL;
	if (reloc->symbol >= table->symbol_count)
		return "relocation with a symbol that does not exist";
	uint64_t value = table->symbols[reloc->symbol] + reloc->addend;
	uint64_t field_addr = table->target->addr + reloc->off; // debugging sections are at 0
	if (!compose_value(machine, reloc, field_addr, &kind, &value))
		return not_ours;
	if (reloc->off > target.size || kind->size > target.size - reloc->off)
		return "relocation beyond the end of its section";

	uint8_t *at = (uint8_t *)target.data + reloc->off; // writable: see ic_sections_load
	uint64_t old = 0;
	if (in_place || kind->op >= OP_ADD)
		old = load_field(at, kind->size, machine->swap);
	if (kind->op == OP_PC)
		value -= field_addr;
	if (!put_value(at, target.data + target.size, kind, value, old, machine->swap))
		return "relocation of an unterminated LEB128 number";
	return NULL;
}

// Machines of one instruction set share their relocations.
static uint16_t machine_family(uint16_t machine)
{
	switch (machine) {
	case EM_MIPS_RS3_LE: return EM_MIPS;
	case EM_SPARC32PLUS:
	case EM_SPARCV9: return EM_SPARC;
	case EM_ARCV2: return EM_ARC_COMPACT;
	default: return machine;
	}
}

bool ic_reloc_machine_init(struct ic_reloc_machine *machine, const struct ic_elf_file *file)
{
	uint16_t number = machine_family(file->machine);
	bool known = false;

	*machine = (struct ic_reloc_machine){
		.layout = number == EM_MIPS    ? IC_RELOC_LAYOUT_MIPS
			  : number == EM_SPARC ? IC_RELOC_LAYOUT_SPARC
					       : IC_RELOC_LAYOUT_PLAIN,
		.addr_size = file->addr_size,
		.swap = file->swap,
		.has_addends_in_place = number == EM_SH, // its assembler leaves r_addend 0
	};
	for (size_t i = 0; i < sizeof(reloc_kinds) / sizeof(*reloc_kinds); i++) {
		if (reloc_kinds[i].machine != number)
			continue;
		machine->kinds[reloc_kinds[i].code] = reloc_kinds[i];
		known = true;
	}
	return known;
}

uint32_t ic_reloc_code(const struct ic_reloc_machine *machine, const struct ic_section *relocs,
		       uint64_t index)
{
	return read_reloc(machine, relocs, index).code;
}

const char *ic_reloc_apply(const struct ic_reloc_machine *machine,
			   const struct ic_reloc_table *table, uint64_t index)
{
	struct reloc reloc = read_reloc(machine, table->relocs, index);

	return apply_reloc(machine, table, &reloc);
}
