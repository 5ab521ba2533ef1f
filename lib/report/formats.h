// The formats of reports, and which writer makes each.
#ifndef REPORT_FORMATS_H
#define REPORT_FORMATS_H

#include "report/writers/writer.h"

// Whether it is one of the formats, and rows of the kind can be in it.
bool ic_writer_has_format(enum ic_report_format format, enum ic_rows_kind kind);

// A writer of `type` in the format of the options. False if memory runs out.
bool ic_writer_init(struct ic_writer *writer, const struct ic_row_type *type,
		    const struct ic_report_options *options, FILE *out) IC_CHECKED;

#endif
