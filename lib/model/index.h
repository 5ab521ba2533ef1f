// The model: what was inlined where, as plain tables, independent of files.
//
// Each unit has its own tables, since units are scanned, left out and looked up one by one; inside
// a unit all references are indexes (docs/decisions/0002). Strings belong to the image or to the
// index's arena; both must outlive the model.
#ifndef MODEL_INDEX_H
#define MODEL_INDEX_H

#include <assert.h>

#include "base/branch.h"
#include "base/bytes.h"
#include "base/problems.h"
#include "base/range.h"
#include "base/segments.h"
#include "text/symbols.h"

#include <inlinecall/index.h>

struct ic_function {                     // a subprogram as the source declares it, inlined or not
	const char *name, *linkage_name; // NULL if it has none
	const char *decl_file;           // path, NULL if unknown
	uint64_t die_off;     // of its abstract instance root: the same function if equal
	uint32_t decl_line;   // 0 if unknown
	uint32_t scope_unit;  // the unit of `scope`
	uint32_t scope;       // the namespace or class around it, IC_NONE if none
	uint8_t inlining;     // enum ic_inlining
	uint16_t decl_column; // 0 if unknown, or too large
};

struct ic_scope {         // a namespace, class or function that others are declared in
	const char *name; // NULL if it has none
	uint32_t parent;  // IC_NONE if outermost
	// Where it is declared: the number that its unit has for the file, IC_NONE if unknown, and
	// the line, 0 if unknown.
	uint32_t decl_file, decl_line;
	bool is_namespace;
};

enum ic_instance_kind {
	IC_INSTANCE_INLINED,
	IC_INSTANCE_HOST, // out of line
};

struct ic_instance {       // one copy of a function in the code
	uint64_t entry;    // address of its first instruction, IC_NO_ADDR if unknown
	uint32_t function; // IC_NONE if its origin cannot be found
	uint32_t parent;   // the instance around it; IC_NONE for a host
	uint32_t die_off;  // from the start of its unit; in a line table, its number; in a table
			   // of inlined calls that of the call, of hosts numbers after these
	uint32_t first_range, range_count; // in list order, none empty; 0: no code is left
	uint32_t call_file;                // in ic_unit_model::files, IC_NONE if unknown
	uint32_t call_line, call_column;   // 0 if unknown
	uint32_t call_discriminator;       // likewise: tells calls in one line apart
	uint8_t kind;                      // enum ic_instance_kind
};
static_assert(sizeof(struct ic_instance) == 48, "a kernel has 400,000 of them");

struct ic_call {              // a call that was not inlined
	uint64_t return_addr; // of the instruction after it, IC_NO_ADDR if unknown
	uint64_t addr;        // of the call itself, likewise
	uint32_t function;    // what is called
	uint32_t parent;      // the instance that calls, IC_NONE if there is none
	uint32_t die_off;
	uint32_t call_file, call_line, call_column; // as in ic_instance
	bool is_tail;                               // a jump: it does not return here
};

struct ic_parameter_die { // of an instance: name, type and location are read when asked for
	uint32_t instance;
	uint32_t die_off; // from the start of the unit
};
static_assert(sizeof(struct ic_parameter_die) == 8, "a kernel has 600,000 of them");

// Soon after an address at which a copy begins. Longer padding is not passed over.
enum { IC_ENTRY_MOST_PADDING = 63 };

struct ic_entry_row { // a row of the line table where a copy may be entered
	uint64_t addr;
	uint32_t file; // in ic_unit_model::files, IC_NONE if unknown
	uint32_t line; // 0 if unknown
	uint32_t column : 29, is_stmt : 1;
	uint32_t is_prologue_end : 1; // as DW_LNS_set_prologue_end says
	// It is marked as a statement, or that may only be missing because the row before is of the
	// same line.
	uint32_t may_be_stmt : 1;
};

struct ic_empty_range { // of an inlined instance: the marker of another place where it is entered
	uint64_t addr;
	uint32_t instance;
};

struct ic_declaration {   // the scope, if any, of a function's DIE
	uint32_t die_off; // from the start of the unit
	uint32_t scope;
};

struct ic_code_row {       // code of one source position, from here to the next row
	uint32_t addr_off; // from the start of its sequence
	uint32_t file;     // in ic_unit_model::files, IC_NONE if unknown
	uint32_t line;     // 0 if unknown
	uint32_t column : 31, is_approximate : 1; // the position is that of a row before
	uint32_t discriminator;
};
static_assert(sizeof(struct ic_code_row) == 20, "a kernel has two million of them");

struct ic_code_sequence { // a run of rows, sorted by address, one at each address
	struct ic_range range;
	uint32_t first_row, row_count; // at least one
};

struct ic_code_map {                  // see model/code_map.h
	struct ic_segments instances; // owners are instances of the unit, the innermost
	struct ic_segments lines;     // owners are sequences
	const struct ic_code_sequence *sequences;
	const struct ic_code_row *rows;
	uint32_t sequence_count, row_count;
};

struct ic_unit_model {         // the model of one unit
	const char *name;      // of the unit, NULL if unknown
	const char *directory; // in which it was compiled, NULL if unknown
	const char *file;      // the unit's file; NULL for the one that the user named
	uint64_t off;          // in its section
	struct ic_function *functions;
	struct ic_instance *instances; // in the order of the DIEs: a parent before its children
	struct ic_range *ranges;
	struct ic_call *calls; // in the order of the DIEs; only if requested
	// Sorted by instance, then in the order of the DIEs; only if requested. A host without an
	// abstract instance has none: its own DIE declares its parameters.
	struct ic_parameter_die *parameters;
	// Only if requested: by address, several at one address in the order of the table; and in
	// the order of the instances.
	struct ic_entry_row *entry_rows;
	struct ic_empty_range *empty_ranges;
	const char **files;   // paths
	const char **sources; // the texts of the first `source_count` files, or NULL
	struct ic_scope *scopes;
	struct ic_declaration *declarations; // sorted by die_off
	struct ic_problem *problems;         // also in the index's, once it is built
	uint32_t function_count, instance_count, range_count, call_count, file_count, scope_count;
	uint32_t source_count, declaration_count, problem_count, parameter_count;
	uint32_t entry_row_count, empty_range_count;
	uint64_t outside_addr; // claimed but outside code, and no linker's mark; 0 if none
	// Of inlined instances only the entries are known: their ranges are the first byte, and
	// which of those entered at one address is within which is not known.
	bool has_only_entries;
	bool is_flat;                // in its language functions are in no scopes
	struct ic_code_map code_map; // only if requested
};

// The host around an instance, or itself if it is one; IC_NONE if there is none. `hosts` has those
// of the instances before it.
uint32_t ic_instance_host(const struct ic_unit_model *unit, uint32_t number, const uint32_t *hosts);

// Whether an inlined instance is a part of the function around it, which GCC had split off and
// inlined back: the source has no such call. Its position is that of the function's declaration.
// query/find/parts.h knows of others.
bool ic_instance_is_part(const struct ic_unit_model *unit, const struct ic_instance *instance);

// Whether code is left of an instance, as of all inlined ones of which only the entries are known;
// where, may not be known.
static inline bool ic_instance_has_code(const struct ic_unit_model *unit,
					const struct ic_instance *instance)
{
	return instance->range_count > 0 ||
	       (unit->has_only_entries && instance->kind == IC_INSTANCE_INLINED);
}

struct ic_code_section {     // a section of code
	uint64_t start, end; // in relocatable files as assigned in this index
	const char *name;
};

struct ic_btf_inline;

struct ic_index {
	struct ic_unit_model *units; // in the order of the file
	uint32_t unit_count;
	struct ic_symbol_source *symbols;       // the image's; NULL if there are none
	const struct ic_code_section *sections; // sorted; none in a linked file
	uint32_t section_count;
	const struct ic_code_section *all_sections; // sorted; of linked files, too
	uint32_t all_section_count;
	struct ic_range_set code;    // executable ranges
	struct ic_range_set holes;   // in executable segments, but in no section
	struct ic_problem *problems; // of the whole file, then of unit after unit
	uint32_t problem_count;
	struct ic_arena arena;
	bool has_parameters;                      // the units do
	bool has_entries;                         // they have the rows of entries
	const struct ic_btf_inline *inline_table; // that it was built from; NULL if it was not
	const struct ic_image *image;             // whose code it is about; NULL if there is none
	ic_branch_finder *find_branches;          // in the code of the image, if there is one
};

// The symbol that names all of a range; of several at one address the one of `function`, which may
// be NULL, or of a clone of it. False if there is none. Any number of threads may call it.
bool ic_index_symbol_of(const struct ic_index *index, struct ic_range range, const char *function,
			struct ic_symbol *symbol);

// Calls `visit` for the symbols in code that have the name, until it returns false.
void ic_index_symbols_named(const struct ic_index *index, const char *name, ic_symbol_visit *visit,
			    void *context);

// Calls `take` for all symbols in code, in the order of the file. Time: O(n log r), for n symbols
// of the file and r ranges of code.
void ic_index_symbols_each(const struct ic_index *index, ic_symbol_take *take, void *context);

// Announces how many symbols will be looked up.
void ic_index_expect_symbols(const struct ic_index *index, uint64_t count);

// The parameters of an instance of the unit; their number is the return.
uint32_t ic_unit_model_parameters(const struct ic_unit_model *unit, uint32_t instance,
				  const struct ic_parameter_die **first);

// The first row of entries at or after an address; their count if there is none.
uint32_t ic_unit_model_entry_row(const struct ic_unit_model *unit, uint64_t addr);

// The section of an address of a relocatable file; NULL in a linked file.
const struct ic_code_section *ic_index_section_of(const struct ic_index *index, uint64_t addr);

// The section of code that an address is in, of any file; NULL if there is none. Time: O(log n).
const struct ic_code_section *ic_index_code_section(const struct ic_index *index, uint64_t addr);

#endif
