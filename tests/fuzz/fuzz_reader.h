// How abbreviations are read in the targets without a scan: for all tags that a scan wants, with
// kinds by tag.
#ifndef TESTS_FUZZ_FUZZ_READER_H
#define TESTS_FUZZ_FUZZ_READER_H

#include "dwarf/units/abbrev.h"

extern const struct ic_abbrev_reader fuzz_reader;

// Checks that everything a table refers to is in it.
void fuzz_check_table(const struct ic_abbrev_table *table);

#endif
