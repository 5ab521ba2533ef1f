// Sections of call frame information from the builder, as the library reads them.
#ifndef TESTS_UNIT_CFI_FIXTURE_H
#define TESTS_UNIT_CFI_FIXTURE_H

#include "dwarf/cfi_entry.h"

#include "cfi_builder.h"

enum { CFI_SECTION_ADDR = 0x40000, CFI_TEXT_ADDR = 0x1000, CFI_DATA_ADDR = 0x3000 };

// The section with what was built so far, of a program for x86-64.
struct ic_cfi_section cfi_section(const struct cfi_builder *cfi);

// Reads the CIE and the FDE at an offset, which must be good.
struct ic_cie cfi_read_cie(const struct ic_cfi_section *section, uint64_t off);
struct ic_fde cfi_read_fde(const struct ic_cfi_section *section, uint64_t off,
			   const struct ic_cie *cie);

#endif
