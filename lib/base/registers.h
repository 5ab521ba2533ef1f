// The names of processors' registers.
#ifndef BASE_REGISTERS_H
#define BASE_REGISTERS_H

#include <inlinecall/registers.h>

#endif
