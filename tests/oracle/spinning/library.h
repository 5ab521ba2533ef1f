#ifndef LIBRARY_H
#define LIBRARY_H

#include "spin.h"

struct spent {
	double library, library_shared, program_shared;
};

INLINE void shared(double *spent)
{
	SPIN(*spent, +, 21000);
}

void from_library(struct spent *spent);

#endif
