// The frames of stacks, as part of rows.
#ifndef REPORT_RUNS_THREAD_H
#define REPORT_RUNS_THREAD_H

#include "report/rows/rows.h"

extern const struct ic_schema
	ic_thread_frame_schema; // of struct ic_row_thread_frame, without arguments

void ic_row_frame_fill(struct ic_row_thread_frame *frame, struct ic_filler *filler,
		       const struct ic_backtrace_frame *from);

#endif
