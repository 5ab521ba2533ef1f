// The parameters of a site as text, below its lines (docs/formats/text.md).
#ifndef REPORT_PARAMETERS_TEXT_H
#define REPORT_PARAMETERS_TEXT_H

#include "report/output.h"

#include <inlinecall/rows.h>

// One line for all of them; with their lists, one for each and one for each entry.
void ic_parameters_write(struct ic_output *output, const struct ic_site_row *row);

#endif
