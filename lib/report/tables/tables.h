// The numbers of rows in tables. The public part is inlinecall/extra/tables.h.
#ifndef REPORT_TABLES_TABLES_H
#define REPORT_TABLES_TABLES_H

#include "base/array.h"
#include "base/map.h"
#include "model/index.h"

#include <inlinecall/extra/tables.h>

struct ic_table_firsts {   // the numbers of a unit's first rows
	uint32_t function; // index in ic_tables::functions
	uint32_t instance, call;
};

struct ic_table_function { // where a function is in the model
	uint32_t unit, number;
};

struct ic_tables {
	const struct ic_index *index;
	struct ic_table_firsts *firsts; // by unit
	uint32_t *functions;            // numbers of all functions of units; 0 for none
	IC_ARRAY(struct ic_table_function) distinct; // by number, from 0
	struct ic_map source_slots;   // by the address of a path: its index in the next
	uint32_t *sources;            // their numbers
	IC_ARRAY(const char *) paths; // by number, from 0
};

// The numbers of a function and of an instance of a unit, and of a path; 0 for IC_NONE and NULL.
uint32_t ic_table_function_number(const struct ic_tables *tables, uint32_t unit, uint32_t function);
uint32_t ic_table_instance_number(const struct ic_tables *tables, uint32_t unit, uint32_t instance);
uint32_t ic_table_source_number(const struct ic_tables *tables, const char *path);

#endif
