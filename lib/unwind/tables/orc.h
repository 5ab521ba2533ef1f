// ORC: the tables that Linux on x86-64 uses to unwind its own stacks, in the sections
// .orc_unwind_ip and .orc_unwind of vmlinux (Documentation/arch/x86/orc-unwinder.rst in Linux).
// They describe the frame and the frame pointer, also of code without call frame information, and
// where the kernel switches stacks.
#ifndef UNWIND_TABLES_ORC_H
#define UNWIND_TABLES_ORC_H

#include "base/bytes.h"
#include "base/error.h"

#include <inlinecall/extra/call_frames.h>

// The bit layout of an entry; since Linux 6.4 .orc_header has a hash of it.
enum ic_orc_form {
	IC_ORC_FIRST,  // until Linux 6.2
	IC_ORC_SIGNAL, // Linux 6.3, with a bit for interrupted code
	IC_ORC_TYPES   // since Linux 6.4: the end of a stack is a type
};

struct ic_orc {
	struct ic_bytes addrs; // .orc_unwind_ip: 32-bit offsets relative to their own addresses
	struct ic_bytes entries;
	uint64_t addrs_addr;
	uint32_t count;
	enum ic_orc_form form;
	bool swap;
};

struct ic_orc_sections {
	struct ic_bytes addrs, entries; // .orc_unwind_ip and .orc_unwind
	struct ic_bytes header;         // .orc_header; empty before Linux 6.4
	uint64_t addrs_addr;            // of .orc_unwind_ip
	bool swap;
};

// Opens the contents of the sections, which are borrowed. `header` is that of .orc_header, empty if
// there is none. False if the layout is unknown, or they are not sorted, as before Linux 5.6.
bool ic_orc_init(struct ic_orc *orc, const struct ic_orc_sections *sections, struct ic_error *err)
	IC_CHECKED;

enum ic_orc_kind {
	IC_ORC_CALL, // a called function
	IC_ORC_END,  // the start of a stack
	IC_ORC_REGS, // the CFA points to struct pt_regs
	IC_ORC_IRET  // the CFA points to what the processor pushed for an exception
};

enum {
	IC_ORC_MOST_RULES = 18,
	IC_ORC_MOST_BYTES = 16, // of the expressions in a row
};

// The rules for an address, in the form of call frame information.
struct ic_orc_row {
	enum ic_orc_kind kind;
	bool is_exact; // the caller was interrupted at its address
	bool switches; // to another stack, which may be anywhere
	int16_t mode;  // offset of the code segment from the CFA; 0 if it is not saved
	struct ic_register_rule cfa;
	struct ic_register_rule rules[IC_ORC_MOST_RULES];
	uint8_t rule_count;
};

// The row for an address. Expressions in the rules are written to `bytes`. False if the tables do
// not cover it, or only the kernel itself could tell.
bool ic_orc_find(const struct ic_orc *orc, uint64_t addr, uint8_t bytes[IC_ORC_MOST_BYTES],
		 struct ic_orc_row *row);

#endif
