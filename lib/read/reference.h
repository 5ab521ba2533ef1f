// References to other units: functions whose names are there (link-time optimisation, Go, dwz), and
// classes that are named in a type unit.
#ifndef READ_REFERENCE_H
#define READ_REFERENCE_H

#include "read/stream.h"

// Follows the references that units have left in the workers' streams, unit by unit and in
// parallel, until none are left.
bool ic_references_follow(struct ic_read_context *context, struct ic_read_worker *workers,
			  uint32_t worker_count, struct ic_problems *problems, struct ic_error *err)
	IC_CHECKED;

#endif
