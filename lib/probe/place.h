// What is known about the places for probes in a file: whether it is a kernel, which of its code
// cannot be probed, and which symbol names are ambiguous.
#ifndef PROBE_PLACE_H
#define PROBE_PLACE_H

#include "model/index.h"

#include <inlinecall/image.h>

struct ic_probe_places;

// Returns NULL if memory runs out.
struct ic_probe_places *ic_probe_places_new(struct ic_image *image, const struct ic_index *index);

void ic_probe_places_free(struct ic_probe_places *places);

// Whether the file is a Linux kernel or module, judging by its sections.
bool ic_probe_places_is_kernel(const struct ic_probe_places *places);

// Whether it is a Go program. Go moves stacks, including return addresses that a tracer has
// replaced.
bool ic_probe_places_is_go(const struct ic_probe_places *places);

// The kernel's name of the module; NULL if the file is not a module, or has no name.
const char *ic_probe_places_module(const struct ic_probe_places *places);

// Why the kernel allows no probe at an address, in static text; NULL if it may.
const char *ic_probe_place_fault(const struct ic_probe_places *places, uint64_t addr);

// Finds out whether code other than that at `start` has a symbol of this name, which must outlive
// the places. Returns false if memory runs out.
bool ic_probe_places_is_ambiguous(struct ic_probe_places *places, const char *symbol,
				  uint64_t start, bool *is_ambiguous) IC_CHECKED;

#endif
