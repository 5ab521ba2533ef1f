// Go's table of functions, runtime.pclntab, which every program has, stripped or not: names, files,
// and where a function's tables of lines and of inlined calls are. Pure bytes: whose file they are
// from does not matter. The facts are those of Go's runtime/symtab.go and cmd/link, 1.2 to 1.27.
#ifndef GO_PCLNTAB_H
#define GO_PCLNTAB_H

#include "base/bytes.h"
#include "base/error.h"

enum ic_go_format { // by the magic number: the first release of Go that has it, 1.N
	IC_GO_FORMAT_2 = 2,
	IC_GO_FORMAT_16 = 16,
	IC_GO_FORMAT_18 = 18,
	IC_GO_FORMAT_20 = 20,
};

enum ic_go_counts { // of struct ic_go_layout
	IC_GO_COUNTS_LONG,
	IC_GO_COUNTS_BYTES,
};

enum ic_go_record {          // of an inlined call: what it says besides the function
	IC_GO_RECORD_NONE,   // there are none
	IC_GO_RECORD_PARENT, // the call around it, and its file and line
	IC_GO_RECORD_BOTH,   // likewise, and an instruction at the place of the call
	IC_GO_RECORD_PLACE,  // only that instruction, and the line where the function begins
};

struct ic_go_layout { // a row of layouts.def
	const char *versions;
	enum ic_go_format format;
	enum ic_go_counts counts;
	uint8_t pcdata, funcdata;
	enum ic_go_record record;
	uint8_t gofunc;
};

// Code that the linker has split into several sections, as of large programs for PowerPC: offsets
// up to `end` count from `base`.
struct ic_go_text {
	uint64_t start, end; // offsets
	uint64_t base;       // address of `start`
};

struct ic_go_pclntab {
	struct ic_bytes bytes; // from its header on, perhaps with more after it; borrowed
	uint64_t addr;         // of the header
	bool swap;             // their byte order is not ours
	enum ic_go_format format;
	uint8_t pointer_size, quantum; // quantum: bytes that a step of addresses is counted in
	uint32_t function_count;
	// Parts of `bytes`: names of functions and paths of files (each cut after its last NUL),
	// files by unit, tables of values by address, functions.
	struct ic_bytes names, paths, files, values, functions;
	// Set by the owner, if the format needs them: see ic_go_module_apply().
	uint64_t text;                  // what entries count from
	const struct ic_go_text *texts; // instead of it, if there are several; borrowed
	uint32_t text_count;
	// How its functions say what is inlined: see ic_go_layout_choose(), before which none is.
	const struct ic_go_layout *layout;
	bool has_inlined;
	uint64_t gofunc; // what funcdata count from; unused if they are addresses
};

struct ic_go_function {
	uint64_t entry, end;   // addresses; the end is the entry of the next one
	uint32_t record_off;   // in the table, for messages
	uint32_t name_off;     // in the names
	uint32_t first_file;   // of its unit, in the files
	uint32_t pc_sp;        // in the values: bytes on the stack, by address; 0 if none
	uint32_t pc_file;      // likewise, as the next two: the file
	uint32_t pc_line;      // the line
	uint32_t pc_inlined;   // the number of the innermost inlined call
	uint64_t inlined_addr; // of the records of these; IC_NO_ADDR if there are none
	uint32_t start_line;   // 0 if unknown, as before Go 1.20
	bool is_outermost;     // nothing is beyond it on a stack; known from Go 1.17 on
};

enum { IC_GO_HEADER_SIZE = 8 }; // bytes that ic_go_pclntab_begins() looks at

struct ic_go_pattern { // of these bytes, as they are in memory
	uint64_t mask, value;
};

// What all tables begin with, and little else: for a search.
struct ic_go_pattern ic_go_pclntab_pattern(bool swap, uint8_t pointer_size);

// Whether a table can begin with these bytes, of which there are IC_GO_HEADER_SIZE.
bool ic_go_pclntab_begins(const uint8_t *bytes, bool swap, uint8_t pointer_size);

// Reads the header. Its layout is at first the newest of its format. False if the parts are not all
// within the bytes, or it is of no known format; messages call the table `name`.
bool ic_go_pclntab_open(struct ic_go_pclntab *table, struct ic_bytes bytes, uint64_t addr,
			bool swap, const char *name, struct ic_error *err) IC_CHECKED;

// Has names and paths borrowed from other bytes than the table's, of the same size: they are the
// same there, but live longer.
void ic_go_pclntab_borrow_texts(struct ic_go_pclntab *table, const uint8_t *bytes);

// Where the list of functions is in the table, and what an item of it takes: an address or offset,
// and the offset of a record. After the last item comes one more address.
uint64_t ic_go_functions_off(const struct ic_go_pclntab *table);
uint32_t ic_go_functions_step(const struct ic_go_pclntab *table);

// The address that function `number` begins at; of number function_count the end of the last one.
uint64_t ic_go_function_entry(const struct ic_go_pclntab *table, uint32_t number);

// Reads the record of a function. False if it is not in the table, or its address is not below that
// of the next one. Time: O(1).
bool ic_go_function_read(const struct ic_go_pclntab *table, uint32_t number, const char *name,
			 struct ic_go_function *function, struct ic_error *err) IC_CHECKED;

// A name, or NULL if the offset is not that of one.
const char *ic_go_name_at(const struct ic_go_pclntab *table, uint32_t name_off);

// The path of a file, given what the function's values have for it; NULL if there is none.
const char *ic_go_path_of(const struct ic_go_pclntab *table, const struct ic_go_function *function,
			  int32_t file);

// The rows of layouts.def; NULL after the last.
const struct ic_go_layout *ic_go_layout_get(uint32_t number);

#endif
