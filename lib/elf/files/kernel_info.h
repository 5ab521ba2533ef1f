// VMCOREINFO: what a Linux kernel says of itself in its dumps, as lines of text
// (Documentation/admin-guide/kdump/vmcoreinfo.rst of Linux).
#ifndef ELF_FILES_KERNEL_INFO_H
#define ELF_FILES_KERNEL_INFO_H

#include "base/bytes.h"
#include "text/span.h"

enum { IC_KERNEL_LONGEST_ID = 20 };

struct ic_kernel_info {
	struct ic_span release; // as `uname -r` prints it; borrowed, empty if it is not there
	uint8_t build_id[IC_KERNEL_LONGEST_ID];
	size_t build_id_size; // 0 if it is not there, as before Linux 5.9
	uint64_t offset;      // of the addresses of vmlinux from those in memory (KASLR)
	uint64_t page_table;  // address of the topmost one
	int64_t phys_base;    // of physical addresses from those of the kernel's mapping
	uint64_t sme_mask;    // the bits of an address in a page table that say "encrypted"
	bool has_offset, has_page_table, has_phys_base;
	bool has_5_levels; // of page tables
};

// Reads the lines; what is not as expected is as if it were not there.
void ic_kernel_info_read(struct ic_bytes text, struct ic_kernel_info *info);

#endif
