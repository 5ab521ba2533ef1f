// VMCOREINFO: a Linux kernel's description of itself in its dumps, as lines of text
// (Documentation/admin-guide/kdump/vmcoreinfo.rst in Linux).
#ifndef ELF_FILES_KERNEL_INFO_H
#define ELF_FILES_KERNEL_INFO_H

#include "base/bytes.h"
#include "text/span.h"

enum { IC_KERNEL_LONGEST_ID = 20 };

struct ic_kernel_info {
	struct ic_span release; // as printed by `uname -r`; borrowed, empty if absent
	uint8_t build_id[IC_KERNEL_LONGEST_ID];
	size_t build_id_size; // 0 if absent, as before Linux 5.9
	uint64_t offset;      // of addresses in memory relative to those in vmlinux (KASLR)
	uint64_t page_table;  // address of the topmost one
	int64_t phys_base;    // of physical addresses relative to those of the kernel's mapping
	uint64_t sme_mask;    // the bits of a page table's addresses that mean "encrypted"
	bool has_offset, has_page_table, has_phys_base;
	bool has_5_levels; // the page tables have 5 levels
};

// Parses the lines; unexpected contents are ignored.
void ic_kernel_info_read(struct ic_bytes text, struct ic_kernel_info *info);

#endif
