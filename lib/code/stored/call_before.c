#include <inlinecall/extra/call_before.h>

#include "base/machine.h"
#include "elf/image/image.h"
#include "instructions/call_before.h"

// microMIPS and MIPS16 have other instructions, which may be mixed with MIPS.
static bool has_only_mips(const struct ic_elf_file *file)
{
	enum { FLAGS_OFF_32 = 36, FLAGS_OFF_64 = 48, MICROMIPS = 0x02000000, MIPS16 = 0x04000000 };
	size_t off = file->addr_size == 8 ? FLAGS_OFF_64 : FLAGS_OFF_32;

	return file->size >= off + 4 &&
	       !(ic_load32(file->data + off, file->swap) & (MICROMIPS | MIPS16));
}

static bool is_kernel(const struct ic_elf_file *file)
{
	return ic_elf_file_section(file, "__ksymtab") || ic_elf_file_section(file, "__jump_table");
}

enum ic_call_before ic_call_before_check(struct ic_image *image, uint64_t addr)
{
	const struct ic_elf_file *file = &image->file;
	bool is_mips = file->machine == IC_MACHINE_MIPS || file->machine == IC_MACHINE_MIPS_RS3_LE;
	uint64_t code = ic_image_code_addr(image, addr), last, first;
	size_t size = IC_CALL_BYTES;

	if (file->is_relocatable || (is_mips && !has_only_mips(file)) ||
	    !ic_image_offset_of_addr(image, code - 1, &last) || last >= file->size)
		return IC_CALL_BEFORE_UNKNOWN;
	while (size > 0 &&
	       (!ic_image_offset_of_addr(image, code - size, &first) || last - first != size - 1))
		size--;
	enum ic_call_before found =
		ic_call_before_bytes(file->machine, file->swap,
				     (struct ic_bytes){ file->data + last + 1 - size, size }, addr);
	// If a kernel patched in a call, the file does not have it.
	return found == IC_CALL_BEFORE_NONE && is_kernel(file) ? IC_CALL_BEFORE_UNKNOWN : found;
}
