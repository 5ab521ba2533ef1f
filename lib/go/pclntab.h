// Go's table of functions (runtime.pclntab), which every Go program has, stripped or not: their
// names and files, and the tables of their lines and inlined calls. Works on bytes, whatever file
// they are from. Based on Go's runtime/symtab.go and cmd/link, 1.2 to 1.27.
#ifndef GO_PCLNTAB_H
#define GO_PCLNTAB_H

#include "base/bytes.h"
#include "base/error.h"

enum ic_go_format { // by the magic number; named after the first release of Go with it, 1.N
	IC_GO_FORMAT_2 = 2,
	IC_GO_FORMAT_16 = 16,
	IC_GO_FORMAT_18 = 18,
	IC_GO_FORMAT_20 = 20,
};

enum ic_go_counts { // see layouts.def
	IC_GO_COUNTS_LONG,
	IC_GO_COUNTS_BYTES,
};

enum ic_go_record {          // what the record of an inlined call contains besides the function
	IC_GO_RECORD_NONE,   // no records
	IC_GO_RECORD_PARENT, // the call around it, and the call's file and line
	IC_GO_RECORD_BOTH,   // the same, and an instruction at the place of the call
	IC_GO_RECORD_PLACE,  // only that instruction, and the first line of the function
};

struct ic_go_layout { // a row of layouts.def
	enum ic_go_format format;
	enum ic_go_counts counts;
	uint8_t pcdata, funcdata;
	enum ic_go_record record;
	uint8_t gofunc;
};

// A section of code, in programs whose code the linker has split into several, such as large ones
// for PowerPC: offsets up to `end` count from `base`.
struct ic_go_text {
	uint64_t start, end; // offsets
	uint64_t base;       // the address of `start`
};

struct ic_go_pclntab {
	struct ic_bytes bytes; // from the header on, perhaps followed by other data; borrowed
	uint64_t addr;         // address of the header
	bool swap;             // the byte order is not the host's
	enum ic_go_format format;
	uint8_t pointer_size, quantum; // quantum: the unit of address steps, in bytes
	uint32_t function_count;
	// Parts of `bytes`: names of functions and paths of files (each cut after its last NUL),
	// files by unit, tables of values by address, functions.
	struct ic_bytes names, paths, files, values, functions;
	// Set by the owner, for formats that need them: see ic_go_module_apply().
	uint64_t text;                  // base of entries
	const struct ic_go_text *texts; // used instead of it if there are several; borrowed
	uint32_t text_count;
	// How functions record their inlining. Before ic_go_layout_choose(), none is read.
	const struct ic_go_layout *layout;
	bool has_inlined;
	uint64_t gofunc; // base of funcdata; unused if they are addresses
};

struct ic_go_function {
	uint64_t entry, end; // the end is the entry of the next function
	uint32_t record_off; // offset in the table, for messages
	uint32_t name_off;   // offset in the names
	uint32_t first_file; // of its unit, in the files
	uint32_t pc_sp; // offset in the values: bytes on the stack by address; 0 if there are none
	uint32_t pc_file;      // the same, for the file
	uint32_t pc_line;      // for the line
	uint32_t pc_inlined;   // for the number of the innermost inlined call
	uint64_t inlined_addr; // address of the records of inlined calls; IC_NO_ADDR if there are
			       // none
	uint32_t start_line;   // 0 if unknown, as always before Go 1.20
	bool is_outermost;     // the outermost function of a stack; known from Go 1.17 on
};

enum { IC_GO_HEADER_SIZE = 8 }; // bytes that ic_go_pclntab_begins() needs

struct ic_go_pattern { // of these bytes, as in memory
	uint64_t mask, value;
};

// Matches the start of every table, and little else, for searching.
struct ic_go_pattern ic_go_pclntab_pattern(bool swap, uint8_t pointer_size);

// Whether a table may start with these IC_GO_HEADER_SIZE bytes.
bool ic_go_pclntab_begins(const uint8_t *bytes, bool swap, uint8_t pointer_size);

// Reads the header. The layout is at first the newest of its format. Returns false if a part is
// outside the bytes, or the format is unknown. Messages call the table `name`.
bool ic_go_pclntab_open(struct ic_go_pclntab *table, struct ic_bytes bytes, uint64_t addr,
			bool swap, const char *name, struct ic_error *err) IC_CHECKED;

// Lets names and paths refer to other bytes of the same size and contents, which live longer.
void ic_go_pclntab_borrow_texts(struct ic_go_pclntab *table, const uint8_t *bytes);

// The offset of the list of functions, and the size of its items: an address or offset, and the
// offset of a record. After the last item is one more address.
uint64_t ic_go_functions_off(const struct ic_go_pclntab *table);
uint32_t ic_go_functions_step(const struct ic_go_pclntab *table);

// The address of a function's entry; for number function_count, the end of the last one.
uint64_t ic_go_function_entry(const struct ic_go_pclntab *table, uint32_t number);

// Reads the record of a function. Returns false if it is outside the table, or its entry is not
// below that of the next one. Time: O(1).
bool ic_go_function_read(const struct ic_go_pclntab *table, uint32_t number, const char *name,
			 struct ic_go_function *function, struct ic_error *err) IC_CHECKED;

// A name; NULL if the offset is not that of one.
const char *ic_go_name_at(const struct ic_go_pclntab *table, uint32_t name_off);

// The path of the file with this number in the function's values; NULL if there is none.
const char *ic_go_path_of(const struct ic_go_pclntab *table, const struct ic_go_function *function,
			  int32_t file);

// The rows of layouts.def; NULL after the last one.
const struct ic_go_layout *ic_go_layout_get(uint32_t number);

#endif
