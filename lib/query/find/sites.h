// The sites that a query selects. The public part is inlinecall/sites.h.
#ifndef QUERY_FIND_SITES_H
#define QUERY_FIND_SITES_H

#include "base/array.h"
#include "model/index.h"

#include <inlinecall/sites.h>

struct ic_site_place { // the place of a site in the model
	uint64_t function_off;
	uint32_t unit;
	uint32_t number; // of the instance, or of the call
	uint8_t kind;    // enum ic_site_kind
	bool is_part;
};

struct ic_sites {
	const struct ic_index *index;
	IC_ARRAY(struct ic_site_place) places;
};

// Same as ic_sites_find(), but if the query names no function, also includes the copies and calls
// of functions that were never inlined. Neither the query nor `err` may be NULL.
struct ic_sites *ic_sites_select(const struct ic_index *index, const struct ic_sites_query *query,
				 struct ic_error *err);

// Describes the site at a place.
void ic_site_describe(const struct ic_index *index, const struct ic_site_place *place,
		      struct ic_site *site);

// The index of a site's function in its unit, IC_NONE if unknown.
uint32_t ic_site_function_number(const struct ic_index *index, const struct ic_site_place *place);

// The function of a site, and the one that contains its code; NULL if unknown.
const struct ic_function *ic_site_function(const struct ic_index *index,
					   const struct ic_site_place *place);
const struct ic_function *ic_site_host(const struct ic_index *index,
				       const struct ic_site_place *place);

// The instance around a site, IC_NONE if there is none.
uint32_t ic_site_parent(const struct ic_index *index, const struct ic_site_place *place);

#endif
