// ORC: the tables by which Linux on x86-64 unwinds its own stacks, in the sections .orc_unwind_ip
// and .orc_unwind of vmlinux (Documentation/arch/x86/orc-unwinder.rst of Linux). They know where
// the frame and the frame pointer are, in code without call frame information too, and where the
// kernel switches stacks.
#ifndef UNWIND_FRAMES_ORC_H
#define UNWIND_FRAMES_ORC_H

#include "base/bytes.h"
#include "base/error.h"

#include <inlinecall/extra/call_frames.h>

// How the bits of an entry are used; there is a hash in .orc_header since Linux 6.4.
enum ic_orc_form {
	IC_ORC_FIRST,  // until Linux 6.2
	IC_ORC_SIGNAL, // of 6.3, with a bit for code that was interrupted
	IC_ORC_TYPES   // since 6.4: the end of a stack is a type
};

struct ic_orc {
	struct ic_bytes addrs; // .orc_unwind_ip: 32-bit offsets from themselves
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

// Begins with the contents of the sections, which are borrowed. `header` is that of .orc_header,
// empty if there is none. False if the form is not known, or they are not sorted, as before Linux
// 5.6.
bool ic_orc_init(struct ic_orc *orc, const struct ic_orc_sections *sections, struct ic_error *err)
	IC_CHECKED;

enum ic_orc_kind {
	IC_ORC_CALL, // a function that was called
	IC_ORC_END,  // where stacks begin
	IC_ORC_REGS, // struct pt_regs is at the CFA
	IC_ORC_IRET  // what the processor pushed for an exception is at the CFA
};

enum {
	IC_ORC_MOST_RULES = 18,
	IC_ORC_MOST_BYTES = 16, // of the expressions in a row
};

// The rules for an address, as those of call frame information.
struct ic_orc_row {
	enum ic_orc_kind kind;
	bool is_exact; // the caller was interrupted where its address is
	bool switches; // to another stack, which may be anywhere
	int16_t mode;  // where the code segment is from the CFA; 0 if it is not saved
	struct ic_register_rule cfa;
	struct ic_register_rule rules[IC_ORC_MOST_RULES];
	uint8_t rule_count;
};

// The row for an address. Expressions of the rules are written to `bytes`. False if the tables do
// not know, or only the kernel itself could.
bool ic_orc_find(const struct ic_orc *orc, uint64_t addr, uint8_t bytes[IC_ORC_MOST_BYTES],
		 struct ic_orc_row *row);

#endif
