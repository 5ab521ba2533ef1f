// The formats of reports, and their writers.
#ifndef REPORT_FORMATS_H
#define REPORT_FORMATS_H

#include "report/writers/writer.h"

// Whether it is a valid format, and supports rows of the kind.
bool ic_writer_has_format(enum ic_report_format format, enum ic_rows_kind kind);

// Makes a writer of `type` in the format of the options. False if memory runs out.
bool ic_writer_init(struct ic_writer *writer, const struct ic_row_type *type,
		    const struct ic_report_options *options, FILE *out) IC_CHECKED;

#endif
