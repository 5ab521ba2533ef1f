// Locations of an instance's arguments: at one address, or complete location lists.
#ifndef VALUES_ARGUMENTS_H
#define VALUES_ARGUMENTS_H

#include "dwarf/expressions/locations.h"
#include "dwarf/expressions/text.h"
#include "types/formals.h"

struct ic_split;

struct ic_frame_base { // of the last host
	const struct ic_unit *unit;
	uint64_t off; // of its DIE
	struct ic_full_die_attr attr;
	bool is_list;
	struct ic_cursor expression; // if it is not a location list
};

struct ic_arguments { // zero-initialised except the first four
	struct ic_image *image;
	const struct ic_split *split;
	struct ic_dies *dies;
	struct ic_arena *arena;               // owns what the parameters point to
	bool lists;                           // also collect complete location lists
	bool leaves_texts;                    // omit texts that are only for people
	ic_entry_location_function *at_entry; // corrects locations at the entry; may be NULL
	void *context;                        // passed to `at_entry`
	bool at_other_places;                 // other addresses than the entry are no entries
	const struct ic_dwarf *dwarf;         // the unit's, for location lists
	struct ic_location_sections sections;
	bool lacks_sections; // loading them failed, which was reported
	struct ic_frame_base frame_base;
	struct ic_expression_text text;
	IC_ARRAY(struct ic_parameter_entry) entries; // of one parameter

	// For the current instance:
	const struct ic_range *ranges;
	uint32_t range_count;
	struct ic_location_query query;
	bool is_entered;        // the address is an entry
	bool at_function_entry; // the address is that of the host's first instruction
	struct ic_cursor frame; // the expression of its frame base; `pos` is NULL if there is none
};

// Starts an instance, in the code of a host: by the DIEs of both. IC_NO_ADDR as the address, or the
// instance's entry, selects the locations on entry.
void ic_arguments_begin(struct ic_arguments *arguments, const struct ic_unit_model *model,
			const struct ic_instance *instance, struct ic_die_place place,
			uint64_t addr, const struct ic_range_set *code);

// Fills in the location of an argument and related facts, in a parameter whose size and sign are
// set. If the location's `why` is IC_LOCATION_WHY_NOT_STORED, it does not hold yet. False if memory
// runs out.
bool ic_arguments_locate(struct ic_arguments *arguments, const struct ic_argument *argument,
			 struct ic_parameter *parameter) IC_CHECKED;

// Corrects the locations of arguments, and of their members, if the instance is entered at the
// address.
void ic_arguments_correct(const struct ic_arguments *arguments, struct ic_parameter *list,
			  uint32_t count);

void ic_arguments_free(struct ic_arguments *arguments);

#endif
