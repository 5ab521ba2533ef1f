// Fuzzes compressed sections, with the headers of the ELF standard and with GNU's older one.
// Wanted: the size in the header, or an error that says why, and no memory allocated.
#include "elf/files/compress.h"

#include <elf.h>
#include <sys/mman.h>

#include "fuzz_input.h"

enum { MOST_EXPANSION = 1 << 16 }; // by any compression

static void check_section(const struct ic_elf_file *file, struct ic_section *section)
{
	struct ic_error err = { 0 };

	PROMISE(ic_section_is_compressed(section));
	if (!ic_section_decompress(file, section, &err)) {
		PROMISE_REASON(err);
		PROMISE(!section->is_buffer && !section->bytes.data);
		return;
	}
	PROMISE(section->is_buffer == (section->bytes.size > 0));
	PROMISE(section->bytes.size / MOST_EXPANSION <= section->raw.size);
	uint8_t sum = 0;
	for (size_t i = 0; i < section->bytes.size; i += 4096)
		sum ^= section->bytes.data[i];
	if (section->is_buffer) {
		((uint8_t *)section->bytes.data)[0] = sum; // it must be writable
		munmap((void *)section->bytes.data, section->bytes.size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	bool is_old = choice & 1;
	const struct ic_elf_file file = { .path = (char *)"fuzz.elf",
					  .addr_size = choice & 2 ? 4 : 8,
					  .swap = ((choice & 4) != 0) != IC_HOST_IS_BIG_ENDIAN };
	struct ic_section section = { .name = is_old ? ".zdebug_info" : ".debug_info",
				      .type = SHT_PROGBITS,
				      .flags = is_old ? 0 : SHF_COMPRESSED };

	fuzz_take_sections(&in, &section.raw, 1);
	check_section(&file, &section);
	fuzz_free_sections(&section.raw, 1);
	return 0;
}
