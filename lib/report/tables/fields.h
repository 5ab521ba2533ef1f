// The public part is inlinecall/extra/tables.h.
#ifndef REPORT_TABLES_FIELDS_H
#define REPORT_TABLES_FIELDS_H

#include <inlinecall/extra/tables.h>

// The type of a table's rows, such as "unit".
const char *ic_table_row_name(enum ic_table table);

#endif
