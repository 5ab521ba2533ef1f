// What rows need of probes. The public half is inlinecall/extra/probe.h.
#ifndef PROBE_PROBES_H
#define PROBE_PROBES_H

#include "model/index.h"

#include <inlinecall/extra/probe.h>

// The index that their symbols are of.
const struct ic_index *ic_probes_index(const struct ic_probes *probes);

#endif
