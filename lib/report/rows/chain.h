// The functions around an inlined copy, as part of rows.
#ifndef REPORT_ROWS_CHAIN_H
#define REPORT_ROWS_CHAIN_H

#include "query/find/sites.h"
#include "report/rows/filler.h"
#include "report/rows/row.h"

struct ic_row_chain {
	IC_ARRAY(struct ic_site_caller) callers;
};

extern const struct ic_schema ic_chain_schema; // of struct ic_site_caller

// Fills in the inlined functions around a site, innermost first, without the host. False if memory
// runs out.
bool ic_row_chain_fill(struct ic_row_chain *chain, struct ic_filler *filler,
		       const struct ic_sites *sites, const struct ic_site_place *place) IC_CHECKED;

#endif
