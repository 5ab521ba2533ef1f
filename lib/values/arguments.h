// Where the arguments of an instance are, at one address or by all that is said of them.
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
	struct ic_cursor expression; // if it is not a list
};

struct ic_arguments { // zero-initialised but for the first four
	struct ic_image *image;
	const struct ic_split *split;
	struct ic_dies *dies;
	struct ic_arena *arena;               // gets what the parameters point to
	bool lists;                           // everything that is said of where they are is wanted
	bool leaves_texts;                    // what only people read is not
	ic_entry_location_function *at_entry; // corrects them there; NULL
	void *context;                        // of that
	const struct ic_dwarf *dwarf;         // that the location lists are of
	struct ic_location_sections sections;
	bool lacks_sections; // they cannot be made readable, which was reported
	struct ic_frame_base frame_base;
	struct ic_expression_text text;
	IC_ARRAY(struct ic_parameter_entry) entries; // of one parameter

	// Of the instance that was begun last.
	const struct ic_range *ranges;
	uint32_t range_count;
	struct ic_location_query query;
	bool at_function_entry; // before its first instruction
	struct ic_cursor frame; // the expression of its frame base; `pos` is NULL if there is none
};

// Begins with an instance, in the code of a host: the DIEs of both. IC_NO_ADDR as the address, or
// the instance's entry, is for where the arguments are when it is entered.
void ic_arguments_begin(struct ic_arguments *arguments, const struct ic_unit_model *model,
			const struct ic_instance *instance, struct ic_die_place place,
			uint64_t addr, const struct ic_range_set *code);

// Fills in where an argument of it is, and all that is known of that, in a parameter whose size and
// sign are known. If the location's `why` is IC_LOCATION_WHY_NOT_STORED it is not true yet. False
// if memory runs out.
bool ic_arguments_locate(struct ic_arguments *arguments, const struct ic_argument *argument,
			 struct ic_parameter *parameter) IC_CHECKED;

// Corrects where an argument, or a member of one, is when the instance is entered.
void ic_arguments_correct(const struct ic_arguments *arguments, struct ic_parameter *list,
			  uint32_t count);

void ic_arguments_free(struct ic_arguments *arguments);

#endif
