#include "profile/writers/write.h"

typedef bool write_function(const struct ic_profile *profile, size_t event,
			    struct ic_output *output, struct ic_error *err);

static write_function *const writers[] = {
	[IC_PROFILE_FOLDED] = ic_profile_write_folded,
	[IC_PROFILE_PPROF] = ic_profile_write_pprof,
	[IC_PROFILE_SPEEDSCOPE] = ic_profile_write_speedscope,
	[IC_PROFILE_FIREFOX] = ic_profile_write_firefox,
	[IC_PROFILE_PAGE] = ic_profile_write_page,
};

bool ic_profile_write(const struct ic_profile *profile, enum ic_profile_form form, size_t event,
		      FILE *out, struct ic_error *err)
{
	struct ic_output output;
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!profile->resolved.is_done || event >= profile->events.count ||
	    (size_t)form >= sizeof(writers) / sizeof(*writers))
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "the profile has no such event or form, or its frames are not "
			       "resolved yet");
	ic_output_init(&output, out);
	return writers[form](profile, event, &output, err) && ic_output_finish(&output, err);
}
