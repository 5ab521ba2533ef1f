// What rows need from probes; the public part is inlinecall/extra/probe.h.
#ifndef PROBE_PROBES_H
#define PROBE_PROBES_H

#include "model/index.h"

#include <inlinecall/extra/probe.h>

// The index with their symbols.
const struct ic_index *ic_probes_index(const struct ic_probes *probes);

#endif
