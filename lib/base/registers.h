// The names of processors' registers.
#ifndef BASE_REGISTERS_H
#define BASE_REGISTERS_H

#include <inlinecall/extra/registers.h>

// Whether assemblers put % before the names of a machine's registers.
bool ic_register_has_percent(unsigned machine);

#endif
