// Locations as text: see also ic_location_text().
#ifndef VALUES_LOCATION_TEXT_H
#define VALUES_LOCATION_TEXT_H

#include <inlinecall/location.h>

// Why a location is unavailable, in two or three words; NULL for IC_LOCATION_WHY_KNOWN.
const char *ic_location_why_text(enum ic_location_why why);

#endif
