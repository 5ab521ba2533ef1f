// The frames of stacks in rows.
#ifndef REPORT_THREAD_ROW_H
#define REPORT_THREAD_ROW_H

#include "report/rows.h"

extern const struct ic_schema
	ic_thread_frame_schema; // of struct ic_row_thread_frame, without arguments

void ic_row_frame_fill(struct ic_row_thread_frame *frame, struct ic_filler *filler,
		       const struct ic_backtrace_frame *from);

#endif
