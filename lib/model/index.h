// The model: what was inlined where, as plain tables that know nothing of files.
//
// A table for each unit of the source, since units are what is scanned, left out and looked up one
// by one; inside a unit everything refers to everything else by index (docs/decisions/0002).
// Strings belong to the image or to the index's arena; both must outlive the model.
#ifndef MODEL_INDEX_H
#define MODEL_INDEX_H

#include <assert.h>

#include "base/bytes.h"
#include "base/problems.h"
#include "base/range.h"
#include "base/segments.h"
#include "base/symbols.h"

#include <inlinecall/index.h>

struct ic_function {                     // a subprogram as the source declares it, inlined or not
	const char *name, *linkage_name; // NULL where it has none
	const char *decl_file;           // path, NULL where not said
	uint64_t die_off;    // of its abstract instance root: two are the same function where equal
	uint32_t decl_line;  // 0 where not said
	uint32_t scope_unit; // the unit that `scope` is in
	uint32_t scope;      // the namespace or class around it, IC_NONE outside any
	uint8_t inlining;    // enum ic_inlining
};

struct ic_scope {         // a namespace, class or function that others are declared in
	const char *name; // NULL where it has none
	uint32_t parent;  // IC_NONE at the outermost
	bool is_namespace;
};

enum ic_instance_kind {
	IC_INSTANCE_INLINED,
	IC_INSTANCE_HOST, // out of line
};

struct ic_instance {       // one copy of a function in the code
	uint64_t entry;    // address of its first instruction, IC_NO_ADDR where not said
	uint32_t function; // IC_NONE where its origin cannot be found
	uint32_t parent;   // the instance around it; IC_NONE for a host
	uint32_t die_off;  // from the start of its unit; where that is a line table, its number
	uint32_t first_range, range_count; // in list order, none empty; 0: no code is left
	uint32_t call_file;                // in ic_unit_model::files, IC_NONE where not said
	uint32_t call_line, call_column;   // 0 where not said
	uint32_t call_discriminator;       // likewise: tells calls in one line apart
	uint8_t kind;                      // enum ic_instance_kind
};
static_assert(sizeof(struct ic_instance) == 48, "a kernel has 400,000 of them");

struct ic_call {              // a call that was not inlined
	uint64_t return_addr; // of the instruction after it, IC_NO_ADDR where not said
	uint64_t addr;        // of the call itself, likewise
	uint32_t function;    // what is called
	uint32_t parent;      // the instance that calls, IC_NONE where none is around it
	uint32_t die_off;
	uint32_t call_file, call_line, call_column; // as in ic_instance
	bool is_tail;                               // a jump: it does not return here
};

struct ic_declaration {   // where a function's entry stands, if in any scope
	uint32_t die_off; // from the start of the unit
	uint32_t scope;
};

struct ic_code_row {       // code of one place in the source, from here to the next row
	uint32_t addr_off; // from the start of its sequence
	uint32_t file;     // in ic_unit_model::files, IC_NONE where not said
	uint32_t line;     // 0 if not said
	uint32_t column : 31, is_approximate : 1; // the place is that of a row before
	uint32_t discriminator;
};
static_assert(sizeof(struct ic_code_row) == 20, "a kernel has two million of them");

struct ic_code_sequence { // a run of rows, sorted by address; at each address there is one
	struct ic_range range;
	uint32_t first_row, row_count; // at least one
};

struct ic_code_map {                  // what a unit says of addresses: see model/code_map.h
	struct ic_segments instances; // owners are instances of the unit, the innermost
	struct ic_segments lines;     // owners are sequences
	const struct ic_code_sequence *sequences;
	const struct ic_code_row *rows;
	uint32_t sequence_count, row_count;
};

struct ic_unit_model {    // what one unit says
	const char *name; // of the unit, NULL where not said
	const char *file; // that it is in; NULL for the one that was asked for
	uint64_t off;     // in its section
	struct ic_function *functions;
	struct ic_instance *instances; // in the order of the entries: a parent before its children
	struct ic_range *ranges;
	struct ic_call *calls; // in the order of the entries; only where asked for
	const char **files;    // paths
	const char **sources;  // the texts of the first `source_count` files, or NULL
	struct ic_scope *scopes;
	struct ic_declaration *declarations; // sorted by die_off
	struct ic_problem *problems;         // in the index's too, once it is built
	uint32_t function_count, instance_count, range_count, call_count, file_count, scope_count;
	uint32_t source_count, declaration_count, problem_count;
	uint64_t outside_addr; // that the unit claims, but is in no code, and no linker's mark of
			       // code that it threw away; 0 if there is none
	struct ic_code_map code_map; // only where asked for
};

struct ic_code_section {     // a section that addresses of a relocatable file lie in
	uint64_t start, end; // as this index numbers them
	const char *name;
};

struct ic_index {
	struct ic_unit_model *units; // in the order of the file
	uint32_t unit_count;
	struct ic_symbol_source *symbols;       // the image's; NULL if there are none
	const struct ic_code_section *sections; // sorted; none in a linked file
	uint32_t section_count;
	struct ic_range_set code;    // what can be executed
	struct ic_range_set holes;   // in segments that can, but in no section
	struct ic_problem *problems; // of the whole file, then of unit after unit
	uint32_t problem_count;
	struct ic_arena arena;
};

// The symbol that names all of a range; of several at one address the one of that function, which
// may be NULL, or of a clone of it. False if there is none. Any number of threads may ask.
bool ic_index_symbol_of(const struct ic_index *index, struct ic_range range, const char *function,
			struct ic_symbol *symbol);

// Says that so many symbols will be asked for.
void ic_index_expect_symbols(const struct ic_index *index, uint64_t count);

// The section that an address of a relocatable file lies in; NULL in a linked file.
const struct ic_code_section *ic_index_section_of(const struct ic_index *index, uint64_t addr);

#endif
