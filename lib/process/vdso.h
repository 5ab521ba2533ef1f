// The code that the running kernel maps into programs (vdso(7)).
#ifndef PROCESS_VDSO_H
#define PROCESS_VDSO_H

#include "process/space.h"

// Maps the vDSO of this process at an address, if it has this build ID or that is empty. False if
// it has another one, it cannot be read, or memory runs out.
bool ic_vdso_map(struct ic_space *space, uint64_t start, struct ic_bytes build_id,
		 struct ic_error *err) IC_CHECKED;

#endif
