#include "sframe/table.h"

#include <inttypes.h>

#include "base/cursor.h"
#include "base/machine.h"
#include "base/search.h"

#define NAME ".sframe"

enum { MAGIC = 0xdee2, X86_64_PLT_ENTRY_SIZE = 16 };

enum { // sfp_flags
	FLAG_SORTED = 1,
	FLAG_FRAME_POINTER = 2, // all functions have a frame pointer; until version 2
	FLAG_RELATIVE = 4,      // since an erratum to version 2
};

enum fde_type { TYPE_DEFAULT, TYPE_FLEXIBLE }; // of version 3

static const struct ic_sframe_abi abis[] = {
#define ABI(number, is_big_endian, machine, sp, fp, ra) \
	{ number, is_big_endian, machine, sp, fp, ra },
#include "sframe/abis.def"
#undef ABI
};

static const uint8_t fde_sizes[] = { 0, 17, 20, 16 }; // by version

// ---- Header

static const struct ic_sframe_abi *find_abi(const struct ic_sframe_section *section, uint8_t number)
{
	bool is_big_endian = section->swap != IC_HOST_IS_BIG_ENDIAN;

	for (size_t i = 0; i < sizeof(abis) / sizeof(*abis); i++)
		if (abis[i].number == number && abis[i].machine == section->machine &&
		    abis[i].is_big_endian == is_big_endian)
			return &abis[i];
	return NULL;
}

static bool fail_unsupported(struct ic_error *err, uint64_t off, const char *what, unsigned number)
{
	ic_fail_at(err, NAME, off, "%s %u", what, number);
	err->code = IC_ERROR_UNSUPPORTED;
	return false;
}

// Where FDEs and FREs are. Offsets are from the end of the header.
static bool place_parts(struct ic_sframe *sframe, struct ic_cursor *cur, uint8_t more_size,
			struct ic_error *err)
{
	uint32_t count = ic_cursor_u32(cur);
	ic_cursor_u32(cur); // the number of all FREs, which is not needed
	uint64_t fres_size = ic_cursor_u32(cur);
	uint64_t fdes_off = ic_cursor_u32(cur), fres_off = ic_cursor_u32(cur);
	ic_cursor_take(cur, more_size);
	uint64_t base = ic_cursor_off(cur), size = sframe->bytes.size;
	uint8_t fde_size = fde_sizes[sframe->version];

	if (!ic_cursor_ok(cur, err))
		return false;
	sframe->fdes_off = base + fdes_off;
	sframe->fres_off = base + fres_off;
	sframe->fres_end = sframe->fres_off + fres_size;
	if (sframe->fdes_off > size || sframe->fres_end > size)
		return ic_fail_at(err, NAME, 0, "FDEs or FREs are beyond the end of the section");
	uint64_t room = (size - sframe->fdes_off) / fde_size;
	sframe->fde_count = count < room ? count : (uint32_t)room;
	sframe->lost_count = count - sframe->fde_count;
	sframe->end = sframe->fdes_off + (uint64_t)sframe->fde_count * fde_size;
	if (sframe->end < sframe->fres_end)
		sframe->end = sframe->fres_end;
	return true;
}

bool ic_sframe_parse(struct ic_sframe *sframe, const struct ic_sframe_section *section,
		     struct ic_error *err)
{
	struct ic_cursor cur =
		ic_cursor_at(section->bytes, NAME, 0, section->bytes.size, section->swap);
	uint16_t magic = ic_cursor_u16(&cur);
	uint8_t version = ic_cursor_u8(&cur), flags = ic_cursor_u8(&cur);
	uint8_t abi = ic_cursor_u8(&cur);
	int8_t fixed_fp = (int8_t)ic_cursor_u8(&cur), fixed_ra = (int8_t)ic_cursor_u8(&cur);
	uint8_t more_size = ic_cursor_u8(&cur);

	if (!ic_cursor_ok(&cur, err))
		return false;
	if (magic != MAGIC)
		return ic_fail_at(err, NAME, 0, "not SFrame: the magic number is 0x%x", magic);
	if (version == 0 || version >= sizeof(fde_sizes))
		return fail_unsupported(err, 2, "unsupported SFrame version", version);
	if (flags & ~(FLAG_SORTED | FLAG_FRAME_POINTER | FLAG_RELATIVE))
		return fail_unsupported(err, 3, "unknown SFrame flags", flags);
	*sframe = (struct ic_sframe){
		.bytes = section->bytes,
		.addr = section->addr,
		.abi = find_abi(section, abi),
		.version = version,
		.is_sorted = flags & FLAG_SORTED,
		// In a relocatable file assemblers have always written offsets from the field.
		.is_relative = flags & FLAG_RELATIVE || section->is_relocatable,
		.fixed_fp = fixed_fp,
		.fixed_ra = fixed_ra,
		.swap = section->swap,
	};
	if (!sframe->abi)
		return fail_unsupported(err, 4, "the file's machine has no SFrame ABI", abi);
	return place_parts(sframe, &cur, more_size, err);
}

// ---- FDEs

static uint64_t fde_off(const struct ic_sframe *sframe, uint32_t number)
{
	return sframe->fdes_off + (uint64_t)number * fde_sizes[sframe->version];
}

uint8_t ic_sframe_fde_size(const struct ic_sframe *sframe)
{
	return fde_sizes[sframe->version];
}

uint32_t ic_sframe_fde_number(const struct ic_sframe *sframe, uint64_t off)
{
	return (uint32_t)((off - sframe->fdes_off) / fde_sizes[sframe->version]);
}

static uint64_t read_start(const struct ic_sframe *sframe, struct ic_cursor *cur)
{
	uint64_t base = sframe->addr + (sframe->is_relative ? ic_cursor_off(cur) : 0);

	if (sframe->version >= 3)
		return base + ic_cursor_u64(cur);
	return base + (uint64_t)(int64_t)(int32_t)ic_cursor_u32(cur);
}

static struct ic_cursor fde_cursor(const struct ic_sframe *sframe, uint32_t number)
{
	return ic_cursor_at(sframe->bytes, NAME, fde_off(sframe, number),
			    fde_sizes[sframe->version], sframe->swap);
}

// The start of an FDE's code.
static uint64_t start_at(const struct ic_sframe *sframe, uint32_t number)
{
	struct ic_cursor cur = fde_cursor(sframe, number);

	return read_start(sframe, &cur);
}

// The size of a repeated block. Version 1 has none: only x86-64's PLTs had such FDEs.
static uint8_t read_block_size(const struct ic_sframe *sframe, struct ic_cursor *cur)
{
	if (sframe->version > 1)
		return ic_cursor_u8(cur);
	return sframe->abi->machine == IC_MACHINE_X86_64 ? X86_64_PLT_ENTRY_SIZE : 0;
}

// Reads what describes the rows. Until version 2 it is in the FDE, then in front of the rows, with
// a shorter count and the type.
static void read_attributes(const struct ic_sframe *sframe, struct ic_cursor *cur,
			    struct ic_sframe_fde *fde)
{
	bool is_apart = sframe->version >= 3;
	struct ic_cursor apart = ic_cursor_at(sframe->bytes, NAME, fde->rows_off,
					      sframe->fres_end - fde->rows_off, sframe->swap);
	struct ic_cursor *from = is_apart ? &apart : cur;

	fde->row_count = is_apart ? ic_cursor_u16(from) : ic_cursor_u32(from);
	uint8_t info = ic_cursor_u8(from);
	uint8_t type = is_apart ? ic_cursor_u8(from) & 0x1f : TYPE_DEFAULT;
	uint8_t block_size = read_block_size(sframe, from);
	uint8_t size_code = info & 0xf;
	bool is_repeated = info & 0x10;

	if (is_apart)
		fde->rows_off = ic_cursor_off(from);
	fde->row_addr_size = (uint8_t)(1u << size_code);
	fde->block_size = is_repeated ? block_size : 0;
	fde->is_flexible = type == TYPE_FLEXIBLE;
	fde->is_signal = sframe->version >= 3 && info & 0x80;
	fde->has_b_key = sframe->abi->machine == IC_MACHINE_AARCH64 && info & 0x20;
	if (size_code > 2)
		ic_cursor_fault(from, "unknown type of FREs");
	else if (type > TYPE_FLEXIBLE)
		ic_cursor_fault(from, "unknown type of FDE");
	else if (is_repeated && block_size == 0)
		ic_cursor_fault(from, "repeated block has no size");
	else if (is_repeated && fde->row_count > block_size)
		ic_cursor_fault(from, "more FREs than bytes in the repeated block");
	if (is_apart && from->fault)
		*cur = *from;
}

bool ic_sframe_fde_read(const struct ic_sframe *sframe, uint32_t number, struct ic_sframe_fde *fde,
			struct ic_error *err)
{
	struct ic_cursor cur = fde_cursor(sframe, number);

	*fde = (struct ic_sframe_fde){ .off = fde_off(sframe, number) };
	fde->start = read_start(sframe, &cur);
	fde->end = fde->start + ic_cursor_u32(&cur);
	fde->rows_off = sframe->fres_off + ic_cursor_u32(&cur);
	if (fde->end < fde->start)
		return ic_fail_at(err, NAME, fde->off, "address range exceeds the address space");
	if (fde->rows_off > sframe->fres_end)
		return ic_fail_at(err, NAME, fde->off, "FREs are beyond the end of all FREs");
	read_attributes(sframe, &cur, fde);
	return ic_cursor_ok(&cur, err);
}

bool ic_sframe_fde_find(const struct ic_sframe *sframe, uint64_t addr, struct ic_sframe_fde *fde)
{
	struct ic_error unwanted;
	uint32_t next; // the first that begins after the address

	if (!sframe->is_sorted)
		return false;
	IC_SEARCH(next, sframe->fde_count, at, start_at(sframe, at) <= addr);
	return next > 0 && ic_sframe_fde_read(sframe, next - 1, fde, &unwanted) &&
	       fde->start <= addr && addr < fde->end;
}
