// The code that a unit claims by the ranges of its root DIE (DWARF 5, 3.1.1).
#ifndef READ_CLAIM_H
#define READ_CLAIM_H

#include "read/reader.h"

// Reads the ranges of the unit's root DIE into the reader.
enum ic_unit_claim ic_unit_claim_by_root(struct ic_reader *reader);

#endif
