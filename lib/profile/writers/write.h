// File formats of whole profiles. The frames of `profile` must have been found, and the event must
// be valid. False if memory runs out.
#ifndef PROFILE_WRITERS_WRITE_H
#define PROFILE_WRITERS_WRITE_H

#include "base/output.h"
#include "profile/profile.h"

bool ic_profile_write_folded(const struct ic_profile *profile, size_t event,
			     struct ic_output *output, struct ic_error *err) IC_CHECKED;
bool ic_profile_write_pprof(const struct ic_profile *profile, size_t event,
			    struct ic_output *output, struct ic_error *err) IC_CHECKED;
bool ic_profile_write_speedscope(const struct ic_profile *profile, size_t event,
				 struct ic_output *output, struct ic_error *err) IC_CHECKED;
bool ic_profile_write_firefox(const struct ic_profile *profile, size_t event,
			      struct ic_output *output, struct ic_error *err) IC_CHECKED;

bool ic_profile_write_page(const struct ic_profile *profile, size_t event, struct ic_output *output,
			   struct ic_error *err) IC_CHECKED;

#endif
