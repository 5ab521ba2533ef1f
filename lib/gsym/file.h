// A GSYM file: the header, and the tables that all functions share. There is no standard; the
// source of the rules is LLVM's implementation (llvm/DebugInfo/GSYM/Header.h, HeaderV2.h and
// GlobalData.h).
#ifndef GSYM_FILE_H
#define GSYM_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"

#define IC_GSYM_SECTION ".gsym" // the name in messages

enum { // types of the tables in version 2
	IC_GSYM_TABLE_END,
	IC_GSYM_TABLE_ADDRS,
	IC_GSYM_TABLE_INFOS, // offsets of function infos
	IC_GSYM_TABLE_STRINGS,
	IC_GSYM_TABLE_FILES,
	IC_GSYM_TABLE_FUNCTIONS,
	IC_GSYM_TABLE_ID,
};

enum {
	IC_GSYM_MAGIC = 0x4753594d,
	IC_GSYM_HEADER_SIZE = 48,   // of version 1
	IC_GSYM_HEADER_SIZE_2 = 20, // of version 2
	IC_GSYM_TABLE_SIZE = 20,    // of an entry of its list of tables
	IC_GSYM_MOST_ID_SIZE = 20,  // of the build ID in version 1
};

struct ic_gsym {
	struct ic_bytes bytes; // of the file, borrowed
	struct ic_bytes id;    // build ID; may be empty
	struct ic_bytes strings;
	uint64_t base;  // the address that the table of addresses counts from
	uint32_t count; // of functions
	uint32_t file_count;
	uint64_t addrs_off, infos_off,
		files_off;      // offsets in the file; the last, of the first entry
	uint64_t functions_off; // the start of function infos, from which their offsets count
	uint64_t functions_end;
	uint8_t version;     // 1 or 2
	uint8_t addr_size;   // bytes of an entry of the table of addresses
	uint8_t offset_size; // bytes of an offset of a string or function info
	bool swap;
};

// Whether a file begins as a GSYM file does, in either byte order.
bool ic_gsym_begins(struct ic_bytes bytes);

// Parses the header. False if the version is unknown, or a table is malformed or not in the file.
bool ic_gsym_parse(struct ic_gsym *gsym, struct ic_bytes bytes, struct ic_error *err) IC_CHECKED;

// The address of function `number`, which must be below the count.
uint64_t ic_gsym_addr(const struct ic_gsym *gsym, uint32_t number);

// Where the info of function `number` is in the file; not checked.
uint64_t ic_gsym_info_off(const struct ic_gsym *gsym, uint32_t number);

// The string at an offset of the table of strings; NULL if it is outside, or does not end there.
const char *ic_gsym_string(const struct ic_gsym *gsym, uint64_t off);

// Gets the directory and the name of file `number`, either may be "". False if there is no such
// file, or a string is outside of its table. File 0 stands for an unknown file.
bool ic_gsym_file(const struct ic_gsym *gsym, uint64_t number, const char **directory,
		  const char **name);

#endif
