// The files that were mapped when a core was written.
#ifndef UNWIND_TARGETS_CORE_MAPPING_H
#define UNWIND_TARGETS_CORE_MAPPING_H

#include "unwind/targets/target.h"

// Adds a mapping of code to a target's space. `first` is where the first byte of the file was
// mapped, 0 if unknown: if the core contains that page, the file must start with the same bytes and
// have the same build ID. An invalid mapping is a problem. False if memory runs out.
bool ic_core_mapping_add(struct ic_target *target, const struct ic_space_mapping *mapping,
			 uint64_t first, struct ic_error *err) IC_CHECKED;

#endif
