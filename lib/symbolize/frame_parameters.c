// The parameters of the frames at an address. Implements the parts of inlinecall/parameters.h that
// are about frames.
#include "symbolize/symbolizer.h"
#include "values/parameter_list.h"

struct ic_parameters *ic_parameters_open_frames(struct ic_symbolizer *symbolizer,
						const struct ic_parameters_options *options,
						struct ic_error *err)
{
	struct ic_error unwanted;

	return ic_parameters_new(symbolizer->image, &symbolizer->index, symbolizer, options,
				 err ? err : &unwanted);
}

bool ic_parameters_find_frame(struct ic_parameters *parameters, uint64_t addr, size_t frame,
			      struct ic_error *err)
{
	struct ic_symbolizer *symbolizer = ic_parameters_symbolizer(parameters);
	struct ic_instance_place place;
	struct ic_error unwanted;

	ic_parameters_clear(parameters);
	if (!err)
		err = &unwanted;
	if (!symbolizer)
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "these parameters are for an index, not for frames");
	if (!ic_symbolizer_instance_at(symbolizer, addr, &place))
		return true;
	while (frame-- > 0 && place.instance != IC_NONE)
		place.instance = place.model->instances[place.instance].parent;
	return place.instance == IC_NONE || (ic_parameters_begin(parameters, err) &&
					     ic_parameters_read(parameters, &place, addr, err));
}
