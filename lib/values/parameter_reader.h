// The reader of parameters, shared by its files. The public part is inlinecall/parameters.h.
#ifndef VALUES_PARAMETER_READER_H
#define VALUES_PARAMETER_READER_H

#include "index/scan.h"
#include "types/enumerators.h"
#include "types/members/strings.h"
#include "values/arguments.h"
#include "values/inline_parameters.h"
#include "values/parameter_list.h"

struct ic_typed { // the type of a parameter in the results
	bool is_known;
	struct ic_die_place place;
	struct ic_value value;
};

struct ic_parameters {
	struct ic_image *image;
	const struct ic_index *index;     // or a symbolizer's equivalent, without units
	struct ic_symbolizer *symbolizer; // NULL if it is of an index
	struct ic_debug *debug;
	struct ic_index own;        // for the scan: without models
	struct ic_problems ignored; // from opening it; the index has them
	struct ic_scan scan;
	struct ic_reader *reader; // has the problems
	struct ic_dies dies;
	struct ic_formals formals;
	struct ic_arguments arguments;
	struct ic_arena arena; // owns the latest results
	IC_ARRAY(struct ic_parameter) list;
	IC_ARRAY(struct ic_typed) types; // of each item in the list that is in an instance
	struct ic_enumerations enumerations;
	struct ic_type_members members; // requested members
	bool wants_strings, wants_variables;
	uint32_t first_variable; // among the arguments of the last instance
	struct ic_type_strings strings;
	bool is_variadic, is_known, is_undescribed;
	uint32_t last_unit;           // last in file order of those read
	struct ic_inline_texts texts; // if the index is of a table, instead of the scan
};

// Starts a query about a unit. False if it has no DIEs.
bool ic_parameters_enter_unit(struct ic_parameters *parameters, uint32_t number);

// The unit's language decides how types are spelled.
void ic_parameters_need_language(struct ic_parameters *parameters, struct ic_unit *unit);

// The DIE of an instance's function; UINT64_MAX without one: it can still have parameters of its
// own.
uint64_t ic_parameters_function_of(const struct ic_instance_place *place);

struct ic_instance_place ic_parameters_place_of(const struct ic_parameters *parameters,
						const struct ic_site *site);

// A parameter of which only the type is known, whose whole text is `type`.
struct ic_parameter ic_parameter_of_type(const struct ic_type_text *text, const char *type);

#endif
