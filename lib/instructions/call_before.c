#include "instructions/call_before.h"

#include "base/machine.h"

// Word `number` from the end of `bytes`, which must be long enough; 1 is the last.

static uint32_t load_little32(struct ic_bytes bytes, size_t number)
{
	return ic_load32(bytes.data + bytes.size - 4 * number, IC_HOST_IS_BIG_ENDIAN);
}

static uint16_t load_little16(struct ic_bytes bytes, size_t number)
{
	return ic_load16(bytes.data + bytes.size - 2 * number, IC_HOST_IS_BIG_ENDIAN);
}

// CALL rel32 (E8), and CALL r/m (FF /2), whose size follows from the ModRM and SIB bytes after the
// opcode. Prefixes come before these.
static bool ends_x86_call(struct ic_bytes bytes)
{
	const uint8_t *end = bytes.size > 0 ? bytes.data + bytes.size : NULL;

	if (bytes.size >= 5 && end[-5] == 0xe8)
		return true;
	for (size_t size = 2; size <= 7 && size <= bytes.size; size++) {
		const uint8_t *at = end - size;
		unsigned mod = at[1] >> 6, rm = at[1] & 7;
		if (at[0] != 0xff || (at[1] >> 3 & 7) != 2)
			continue;
		bool has_sib = mod != 3 && rm == 4;
		bool has_disp32 = mod == 2 || (mod == 0 && rm == 5) ||
				  (mod == 0 && has_sib && size > 2 && (at[2] & 7) == 5);
		if (size == 2 + (size_t)has_sib + (has_disp32 ? 4 : mod == 1))
			return true;
	}
	return false;
}

// BL, BLX with a label or register, and ARMv4's "mov lr, pc" before a jump.
static bool ends_arm_call(struct ic_bytes bytes)
{
	uint32_t last = bytes.size >= 4 ? load_little32(bytes, 1) : 0;

	if ((last & 0x0f000000) == 0x0b000000 || (last & 0xfe000000) == 0xfa000000 ||
	    (last & 0x0ffffff0) == 0x012fff30)
		return true;
	return bytes.size >= 8 && (load_little32(bytes, 2) & 0x0fffffff) == 0x01a0e00f;
}

// BL and BLX: four bytes with a label, two with a register.
static bool ends_thumb_call(struct ic_bytes bytes)
{
	if (bytes.size >= 2 && (load_little16(bytes, 1) & 0xff87) == 0x4780)
		return true;
	if (bytes.size < 4 || (load_little16(bytes, 2) & 0xf800) != 0xf000)
		return false;
	uint16_t last = load_little16(bytes, 1);
	return (last & 0xd000) == 0xd000 || (last & 0xd001) == 0xc000;
}

// BL, BLR, and the variants of BLR that check a signature.
static bool ends_aarch64_call(struct ic_bytes bytes)
{
	uint32_t last = bytes.size >= 4 ? load_little32(bytes, 1) : 0;

	return (last & 0xfc000000) == 0x94000000 || (last & 0xfffffc1f) == 0xd63f0000 ||
	       (last & 0xfefff800) == 0xd63f0800;
}

// JAL and JALR that link to any register except x0, and their compressed forms. C.JAL is a
// different 64-bit instruction; that does not matter here, where it may be taken for a call.
static bool ends_riscv_call(struct ic_bytes bytes)
{
	uint32_t last = bytes.size >= 4 ? load_little32(bytes, 1) : 0;
	uint16_t half = bytes.size >= 2 ? load_little16(bytes, 1) : 0;
	bool links = (last >> 7 & 0x1f) != 0;

	if (links && ((last & 0x7f) == 0x6f || (last & 0x707f) == 0x67))
		return true;
	return (half & 0xf07f) == 0x9002 ? (half & 0x0f80) != 0 : (half & 0xe003) == 0x2001;
}

// Branches with the LK bit: b, bc, and those to the registers CTR, LR and TAR.
static bool ends_ppc_call(struct ic_bytes bytes, bool swap)
{
	uint32_t last = bytes.size >= 4 ? ic_load32(bytes.data + bytes.size - 4, swap) : 0;
	uint32_t extended = last >> 1 & 0x3ff;

	if (!(last & 1))
		return false;
	return last >> 26 == 18 || last >> 26 == 16 ||
	       (last >> 26 == 19 && (extended == 528 || extended == 16 || extended == 560));
}

// BRASL and BRAS, and the older BAL, BAS, BALR, BASR and BASSM.
static bool ends_s390_call(struct ic_bytes bytes)
{
	const uint8_t *end = bytes.data + bytes.size;

	if (bytes.size >= 6 && end[-6] == 0xc0 && (end[-5] & 0x0f) == 5)
		return true;
	if (bytes.size >= 4 &&
	    ((end[-4] == 0xa7 && (end[-3] & 0x0f) == 5) || end[-4] == 0x4d || end[-4] == 0x45))
		return true;
	return bytes.size >= 2 && (end[-2] == 0x0d || end[-2] == 0x05 || end[-2] == 0x0c);
}

// JAL, JALX, JALR and the "bal" branches have a delay slot; BALC, JIALC and the other compact ones
// of release 6 do not.
static bool ends_mips_call(struct ic_bytes bytes, bool swap)
{
	uint32_t slot = bytes.size >= 4 ? ic_load32(bytes.data + bytes.size - 4, swap) : 0;
	uint32_t jump = bytes.size >= 8 ? ic_load32(bytes.data + bytes.size - 8, swap) : 0;
	uint32_t code = slot >> 26;

	if (jump >> 26 == 3 || jump >> 26 == 0x1d || (jump & 0xfc00003f) == 9 ||
	    (jump >> 26 == 1 && (jump >> 18 & 7) == 4))
		return true;
	return code == 0x3a || code == 0x3e || code == 6 || code == 7 || code == 8 || code == 0x18;
}

// BL, and JIRL with a link register.
static bool ends_loongarch_call(struct ic_bytes bytes)
{
	uint32_t last = bytes.size >= 4 ? load_little32(bytes, 1) : 0;

	return last >> 26 == 0x15 || (last >> 26 == 0x13 && (last & 0x1f) != 0);
}

enum ic_call_before ic_call_before_bytes(unsigned machine, bool swap, struct ic_bytes bytes,
					 uint64_t addr)
{
	bool is_big = swap != IC_HOST_IS_BIG_ENDIAN, found;

	switch (machine) {
	case IC_MACHINE_386:
	case IC_MACHINE_X86_64: found = ends_x86_call(bytes); break;
	case IC_MACHINE_ARM:
		if (is_big) // the code may be in either byte order
			return IC_CALL_BEFORE_UNKNOWN;
		// Without bit 0 set, it may have been cleared.
		found = ends_thumb_call(bytes) || (!(addr & 1) && ends_arm_call(bytes));
		break;
	case IC_MACHINE_AARCH64: found = ends_aarch64_call(bytes); break;
	case IC_MACHINE_RISCV: found = ends_riscv_call(bytes); break;
	case IC_MACHINE_PPC:
	case IC_MACHINE_PPC64: found = ends_ppc_call(bytes, swap); break;
	case IC_MACHINE_S390: found = ends_s390_call(bytes); break;
	case IC_MACHINE_MIPS:
	case IC_MACHINE_MIPS_RS3_LE: found = ends_mips_call(bytes, swap); break;
	case IC_MACHINE_LOONGARCH: found = ends_loongarch_call(bytes); break;
	default: return IC_CALL_BEFORE_UNKNOWN;
	}
	return found ? IC_CALL_BEFORE_FOUND : IC_CALL_BEFORE_NONE;
}
