#include "cfi_fixture.h"

#include "unit_test.h"

enum { X86_64 = 62 };

struct ic_cfi_section cfi_section(const struct cfi_builder *cfi)
{
	return (struct ic_cfi_section){
		.bytes = { cfi->bytes.data, cfi->bytes.size },
		.name = cfi->is_eh ? ".eh_frame" : ".debug_frame",
		.addr = CFI_SECTION_ADDR,
		.text_addr = CFI_TEXT_ADDR,
		.data_addr = CFI_DATA_ADDR,
		.machine = X86_64,
		.addr_size = cfi->addr_size,
		.is_eh = cfi->is_eh,
		.swap = cfi->bytes.big_endian != IC_HOST_IS_BIG_ENDIAN,
	};
}

struct ic_cie cfi_read_cie(const struct ic_cfi_section *section, uint64_t off)
{
	struct ic_error err = { .message = "" };
	struct ic_cie cie;

	if (!ic_cie_read(section, off, &cie, &err))
		fail_msg("%s", err.message);
	return cie;
}

struct ic_fde cfi_read_fde(const struct ic_cfi_section *section, uint64_t off,
			   const struct ic_cie *cie)
{
	struct ic_cfi_walk walk = { section, off };
	struct ic_error err = { .message = "" };
	struct ic_cfi_entry entry;
	struct ic_fde fde = { .start = 0 };

	if (!ic_cfi_entry_next(&walk, &entry, &err) ||
	    !ic_fde_read(section, &entry, cie, &fde, &err))
		fail_msg("%s", err.message);
	return fde;
}
