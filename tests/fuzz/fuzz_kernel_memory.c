// Fuzzes what is read of a kernel's dump before its file: VMCOREINFO, and page tables in memory.
// Wanted: addresses within a page, and the same bytes by translation as by reading.
#include <stdlib.h>

#include "elf/files/kernel_info.h"
#include "elf/files/kernel_memory.h"
#include "fuzz_input.h"

static void check_info(struct ic_bytes text, struct ic_kernel_info *info)
{
	const char *begin = (const char *)text.data;

	ic_kernel_info_read(text, info);
	PROMISE(info->build_id_size <= IC_KERNEL_LONGEST_ID);
	PROMISE(info->release.size == 0 ||
		(info->release.text >= begin &&
		 info->release.text + info->release.size <= begin + text.size));
}

static void check_address(const struct ic_core_file *core, const struct ic_kernel_memory *memory,
			  uint64_t addr)
{
	uint8_t bytes[16], again[16];
	uint64_t physical, size;

	if (!ic_kernel_memory_translate(core, memory, addr, &physical, &size)) {
		// No segment has an address of its own.
		PROMISE(!ic_kernel_memory_read(core, memory, addr, bytes, 1));
		return;
	}
	PROMISE(memory->levels >= 4 && size > 0 && size <= 1 << 30);
	PROMISE((addr & 0xfff) == (physical & 0xfff) && (addr + size) % 0x1000 == 0);
	if (size >= sizeof(bytes) && ic_kernel_memory_read(core, memory, addr, bytes, 16)) {
		PROMISE(ic_core_read_physical(core, physical, again, 16));
		PROMISE(memcmp(bytes, again, 16) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_kernel_info info;
	struct ic_bytes sections[2];
	uint8_t choice = fuzz_take_u8(&in);

	fuzz_take_sections(&in, sections, 2);
	check_info(sections[0], &info);
	struct ic_core_segment segment = { .start = (uint64_t)(choice >> 2) << 12,
					   .bytes = sections[1] };
	segment.end = segment.start + sections[1].size;
	const struct ic_core_file core = { .physical = &segment,
					   .physical_count = sections[1].size > 0,
					   .swap = choice & 1 };
	const struct ic_kernel_memory memory = { .root = info.page_table,
						 .levels = choice & 2 ? 5 : 4,
						 .ignored = info.sme_mask };
	check_address(&core, &memory, info.offset);
	for (uint64_t i = 0; i < 512; i += 37)
		check_address(&core, &memory,
			      info.offset ^ (i << 39 | i << 30 | i << 21 | i << 12));
	fuzz_free_sections(sections, 2);
	return 0;
}
