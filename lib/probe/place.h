// What is known of places in a file that probes are put at: whether it is a kernel's, which of its
// code cannot be probed, and which symbols are not the only ones of their name.
#ifndef PROBE_PLACE_H
#define PROBE_PLACE_H

#include "model/index.h"

#include <inlinecall/image.h>

struct ic_probe_places;

// NULL if memory runs out.
struct ic_probe_places *ic_probe_places_new(struct ic_image *image, const struct ic_index *index);

void ic_probe_places_free(struct ic_probe_places *places);

// Whether the file is a Linux kernel or a module of one, by its sections.
bool ic_probe_places_is_kernel(const struct ic_probe_places *places);

// Whether it is of Go, whose stacks move, and with them return addresses that were changed.
bool ic_probe_places_is_go(const struct ic_probe_places *places);

// The name of the module, as the kernel has it; NULL if it is none, or has no name.
const char *ic_probe_places_module(const struct ic_probe_places *places);

// Why the kernel has no probe at an address, in static text; NULL if nothing is against it.
const char *ic_probe_place_fault(const struct ic_probe_places *places, uint64_t addr);

// Whether other code than that at `start` has a symbol of the name, which must live as long as the
// places. False if memory runs out.
bool ic_probe_places_is_ambiguous(struct ic_probe_places *places, const char *symbol,
				  uint64_t start, bool *is_ambiguous) IC_CHECKED;

#endif
