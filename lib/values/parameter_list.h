// Parameters of any instance of a model. The public part is inlinecall/parameters.h.
#ifndef VALUES_PARAMETER_LIST_H
#define VALUES_PARAMETER_LIST_H

#include "model/index.h"

#include <inlinecall/parameters.h>

struct ic_instance_place {
	const struct ic_unit_model *model; // complete
	uint32_t unit, instance;           // their numbers
};

// Makes a reader of the parameters of an index, or of a symbolizer, whose code and sections are
// then in `index`. Nothing has been read yet. NULL if memory runs out.
struct ic_parameters *ic_parameters_new(struct ic_image *image, const struct ic_index *index,
					struct ic_symbolizer *symbolizer,
					const struct ic_parameters_options *options,
					struct ic_error *err);

// Decompresses and relocates the debug information, unless already done; required before
// ic_parameters_read(). False if that fails, or memory runs out.
bool ic_parameters_begin(struct ic_parameters *parameters, struct ic_error *err) IC_CHECKED;

// The symbolizer that it was made for; NULL if it is of an index.
struct ic_symbolizer *ic_parameters_symbolizer(const struct ic_parameters *parameters);

// Drops the latest results.
void ic_parameters_clear(struct ic_parameters *parameters);

// Same as ic_parameters_find(), for an instance.
bool ic_parameters_read(struct ic_parameters *parameters, const struct ic_instance_place *place,
			uint64_t addr, struct ic_error *err) IC_CHECKED;

#endif
