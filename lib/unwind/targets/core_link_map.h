// Files of a core that does not list them, such as QEMU's: the given program, and the libraries in
// its dynamic linker's list.
#ifndef UNWIND_TARGETS_CORE_LINK_MAP_H
#define UNWIND_TARGETS_CORE_LINK_MAP_H

#include "unwind/targets/target.h"

struct ic_core_program {
	const char *path;    // NULL if not given
	const char *sysroot; // for the libraries; NULL for none
	uint64_t entry;      // address of its entry point (AT_ENTRY); 0 if unknown
};

// Adds the program's code to the target's space, and that of its libraries if `with_libraries`.
// False, with the reason, if the program is not given, cannot be opened or is for another machine,
// or if memory runs out.
bool ic_core_program_add(struct ic_target *target, const struct ic_core_program *program,
			 bool with_libraries, struct ic_error *err) IC_CHECKED;

#endif
