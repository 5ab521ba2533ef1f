// The files of a core that does not list them, as those of QEMU: the program that is given, and the
// libraries in the list of its dynamic linker.
#ifndef UNWIND_CORE_LINK_MAP_H
#define UNWIND_CORE_LINK_MAP_H

#include "unwind/target.h"

struct ic_core_program {
	const char *path;    // NULL if it is not given
	const char *sysroot; // of the libraries; NULL for none
	uint64_t entry;      // where its entry was (AT_ENTRY); 0 if not known
};

// Adds the program's code to the target's space, and that of its libraries if `with_libraries`.
// False, with the reason, if the program is not given, cannot be opened or is for another machine,
// or memory runs out.
bool ic_core_program_add(struct ic_target *target, const struct ic_core_program *program,
			 bool with_libraries, struct ic_error *err) IC_CHECKED;

#endif
