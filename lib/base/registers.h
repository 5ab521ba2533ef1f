// Names of processor registers.
#ifndef BASE_REGISTERS_H
#define BASE_REGISTERS_H

#include <inlinecall/extra/registers.h>

// Whether assemblers write % before the machine's register names.
bool ic_register_has_percent(unsigned machine);

#endif
