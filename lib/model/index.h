// The model: what was inlined where, as plain tables, independent of file formats.
//
// Each unit has its own tables, since units are scanned, omitted and looked up one by one; inside a
// unit, all references are indexes (docs/decisions/0002). Strings belong to the image or to the
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

struct ic_function {                     // a subprogram as declared in the source, inlined or not
	const char *name, *linkage_name; // NULL if it has none
	const char *decl_file;           // path, NULL if unknown
	uint64_t die_off; // of its abstract instance root: functions with the same one are the same
	uint32_t decl_line;   // 0 if unknown
	uint32_t scope_unit;  // the unit of `scope`
	uint32_t scope;       // the namespace or class around it, IC_NONE if there is none
	uint8_t inlining;     // enum ic_inlining
	uint16_t decl_column; // 0 if unknown, or too large
};

struct ic_scope {         // a namespace, class or function that contains declarations
	const char *name; // NULL if it has none
	uint32_t parent;  // IC_NONE if outermost
	// Where it is declared: its unit's number of the file, IC_NONE if unknown, and the line, 0
	// if unknown.
	uint32_t decl_file, decl_line;
	bool is_namespace;
};

enum ic_instance_kind {
	IC_INSTANCE_INLINED,
	IC_INSTANCE_HOST, // out of line
};

struct ic_instance {       // one copy of a function in the code
	uint64_t entry;    // address of its first instruction, IC_NO_ADDR if unknown
	uint32_t function; // IC_NONE if its origin was not found
	uint32_t parent;   // the instance around it; IC_NONE for a host
	uint32_t die_off;  // offset in its unit; in a line table, its number; in a table of inlined
			   // calls, the number of the call, and for hosts higher numbers
	// In list order, none of them empty; 0 if no code is left.
	uint32_t first_range, range_count;
	uint32_t call_file;              // index in ic_unit_model::files, IC_NONE if unknown
	uint32_t call_line, call_column; // 0 if unknown
	uint32_t call_discriminator;     // 0 if unknown: tells calls on the same line apart
	uint8_t kind;                    // enum ic_instance_kind
	bool has_all_calls; // of a host: all of its calls are described (DWARF 5, 3.3.1.3)
};
static_assert(sizeof(struct ic_instance) == 48, "a kernel has 400,000 of them");

struct ic_call {              // a call that was not inlined
	uint64_t return_addr; // address of the next instruction, IC_NO_ADDR if unknown
	uint64_t addr;        // address of the call itself, IC_NO_ADDR if unknown
	uint32_t function;    // the callee
	uint32_t parent;      // the calling instance, IC_NONE if there is none
	uint32_t die_off;
	uint32_t call_file, call_line, call_column; // as in ic_instance
	bool is_tail;                               // a jump: control does not return here
};

struct ic_parameter_die { // of an instance: its name, type and location are read on demand
	uint32_t instance;
	uint32_t die_off; // offset in the unit
};
static_assert(sizeof(struct ic_parameter_die) == 8, "a kernel has 600,000 of them");

// How far after the start of a copy is still "soon after" it. Longer padding is not skipped.
enum { IC_ENTRY_MOST_PADDING = 63 };

struct ic_entry_row { // a row of the line table that may be a copy's entry
	uint64_t addr;
	uint32_t file; // index in ic_unit_model::files, IC_NONE if unknown
	uint32_t line; // 0 if unknown
	uint32_t column : 29, is_stmt : 1;
	uint32_t is_prologue_end : 1; // as marked by DW_LNS_set_prologue_end
	// It is marked as a statement, or the mark may be missing only because the previous row is
	// on the same line.
	uint32_t may_be_stmt : 1;
};

struct ic_empty_range { // of an inlined instance: marks another entry of it
	uint64_t addr;
	uint32_t instance;
};

struct ic_declaration {   // the scope, if any, that a function's DIE is in
	uint32_t die_off; // offset in the unit
	uint32_t scope;
};

struct ic_code_row {       // the code of one source position, up to the next row
	uint32_t addr_off; // offset from the start of its sequence
	uint32_t file;     // index in ic_unit_model::files, IC_NONE if unknown
	uint32_t line;     // 0 if unknown
	uint32_t column : 31, is_approximate : 1; // the position is that of an earlier row
	uint32_t discriminator;
};
static_assert(sizeof(struct ic_code_row) == 20, "a kernel has two million of them");

struct ic_code_sequence { // a run of rows, sorted by address, one per address
	struct ic_range range;
	uint32_t first_row, row_count; // at least one
};

struct ic_code_map { // see model/code_map.h
	// Owners are instances of the unit, the innermost at each address.
	struct ic_segments instances;
	struct ic_segments lines; // owners are indexes of sequences
	const struct ic_code_sequence *sequences;
	const struct ic_code_row *rows;
	uint32_t sequence_count, row_count;
};

struct ic_unit_model {         // the model of one unit
	const char *name;      // of the unit, NULL if unknown
	const char *directory; // in which it was compiled; NULL if unknown
	const char *producer;  // the compiler, NULL if unknown
	const char *language;  // as DWARF names it, such as "C11"; NULL if unknown
	const char *file;      // path of the unit's file; NULL for the one that the user named
	uint64_t off;          // offset in its section
	struct ic_function *functions;
	struct ic_instance *instances; // in DIE order: parents before their children
	struct ic_range *ranges;
	struct ic_call *calls; // in DIE order; only if requested
	// Sorted by instance, then in DIE order; only if requested. A host without an abstract
	// instance has none: its own DIE declares its parameters.
	struct ic_parameter_die *parameters;
	// Only if requested. The rows are sorted by address, those at one address in table order;
	// the ranges are in the order of the instances.
	struct ic_entry_row *entry_rows;
	struct ic_empty_range *empty_ranges;
	const char **files;   // paths
	const char **sources; // contents of the first `source_count` files, or NULL
	struct ic_scope *scopes;
	struct ic_declaration *declarations; // sorted by die_off
	struct ic_problem *problems;         // also in the index's problems, once it is built
	uint32_t function_count, instance_count, range_count, call_count, file_count, scope_count;
	uint32_t source_count, declaration_count, problem_count, parameter_count;
	uint32_t entry_row_count, empty_range_count;
	uint64_t outside_addr; // claimed but outside code, and not a linker's mark; 0 if there is
			       // none
	// Only the entries of inlined instances are known: their ranges are their first bytes, and
	// the nesting of those at the same address is unknown.
	bool has_only_entries;
	bool is_flat;                // its language has no scopes that contain functions
	struct ic_code_map code_map; // only if requested
};

// The host around an instance, or the instance itself if it is a host; IC_NONE if there is none.
// `hosts` has those of all earlier instances.
uint32_t ic_instance_host(const struct ic_unit_model *unit, uint32_t number, const uint32_t *hosts);

// Whether an inlined instance is a part of the function around it that GCC split off and then
// inlined back: the source has no such call. Its position is that of the function's declaration.
// query/find/parts.h recognises others.
bool ic_instance_is_part(const struct ic_unit_model *unit, const struct ic_instance *instance);

// Bytes of an instance's ranges, including everything that was inlined into it.
uint64_t ic_instance_size(const struct ic_unit_model *unit, const struct ic_instance *instance);

// Whether an address is in the ranges of an instance.
bool ic_instance_has_address(const struct ic_unit_model *unit, const struct ic_instance *instance,
			     uint64_t addr);

// Whether an instance has code left. If only the entries of inlined instances are known, all of
// them do, though maybe at an unknown address.
static inline bool ic_instance_has_code(const struct ic_unit_model *unit,
					const struct ic_instance *instance)
{
	return instance->range_count > 0 ||
	       (unit->has_only_entries && instance->kind == IC_INSTANCE_INLINED);
}

struct ic_code_section {     // a section of code
	uint64_t start, end; // in relocatable files, as this index assigns them
	const char *name;
};

struct ic_btf_inline;

struct ic_index {
	struct ic_unit_model *units; // in the file's order
	uint32_t unit_count;
	struct ic_symbol_source *symbols;       // the image's; NULL if there are none
	const struct ic_code_section *sections; // sorted; empty for a linked file
	uint32_t section_count;
	const struct ic_code_section *all_sections; // sorted; also for linked files
	uint32_t all_section_count;
	struct ic_range_set code;    // executable ranges
	struct ic_range_set holes;   // executable segments outside of sections
	struct ic_problem *problems; // of the file as a whole, then of each unit
	uint32_t problem_count;
	struct ic_arena arena;
	bool has_parameters; // the units have parameters
	bool has_entries;    // the units have entry rows
	// The table it was built from; NULL if there is none.
	const struct ic_btf_inline *inline_table;
	const struct ic_image *image;    // with the code; NULL if there is none
	ic_branch_finder *find_branches; // finds branches in the image's code; NULL without one
};

// Gets the symbol that covers all of a range; if several do, the one with the name `function`,
// which may be NULL, or of a clone of it. Returns false if there is none. May be called from any
// number of threads.
bool ic_index_symbol_of(const struct ic_index *index, struct ic_range range, const char *function,
			struct ic_symbol *symbol);

// Calls `visit` for the symbols in code with this name, until it returns false.
void ic_index_symbols_named(const struct ic_index *index, const char *name, ic_symbol_visit *visit,
			    void *context);

// Calls `take` for all symbols in code, in the file's order. Time: O(n log r) for n symbols of the
// file and r ranges of code.
void ic_index_symbols_each(const struct ic_index *index, ic_symbol_take *take, void *context);

// Announces how many symbols will be looked up.
void ic_index_expect_symbols(const struct ic_index *index, uint64_t count);

// Gets the parameters of an instance of the unit, and returns their number.
uint32_t ic_unit_model_parameters(const struct ic_unit_model *unit, uint32_t instance,
				  const struct ic_parameter_die **first);

// The index of the first entry row at or after an address; their number if there is none.
uint32_t ic_unit_model_entry_row(const struct ic_unit_model *unit, uint64_t addr);

// The section of an address in a relocatable file; NULL for a linked file.
const struct ic_code_section *ic_index_section_of(const struct ic_index *index, uint64_t addr);

// The section of code that contains an address, in any file; NULL if there is none. Time: O(log n).
const struct ic_code_section *ic_index_code_section(const struct ic_index *index, uint64_t addr);

#endif
