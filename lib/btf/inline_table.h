// Tables of inlined calls: where the record of each is. What is in a record is read when it is
// asked for.
#ifndef BTF_INLINE_TABLE_H
#define BTF_INLINE_TABLE_H

#include "btf/types.h"

struct ic_btf_record {
	uint32_t off;   // of the record in the bytes
	uint32_t owner; // of kinds: the number of the LOCSEC
};

struct ic_btf_inline {
	enum ic_btf_inline_format format;
	struct ic_bytes bytes;
	bool swap;
	const struct ic_btf *types; // NULL if not known
	struct ic_btf *own_types;   // of kinds: the bytes as BTF
	struct ic_btf_record *records;
	uint32_t record_count;
	// Of the RFC's form and the prototype's:
	uint32_t fixed_size; // of a record before its parameters: 14, or 16 with padding
	uint64_t info_off;
	uint32_t info_size;
	uint64_t locations_off; // in the bytes
	uint32_t locations_size;
	bool is_strange; // records refer to types or locations that are not there
	// How offsets in the header count: from the section's start instead of the header's end.
	bool is_from_start;
};

enum {
	IC_BTF_INLINE_PACKED = 14, // bytes of a record before its parameters
	IC_BTF_INLINE_PADDED = 16,
	// More parameters than any function has: the limit for those of kinds, of which many calls
	// can share one list.
	IC_BTF_MOST_PARAMETERS = 1024,
};

// A record of the RFC's form or the prototype's.
struct ic_btf_call {
	uint64_t addr; // of the prototype
	uint32_t callee, caller, offset;
	uint32_t parameter_count;
	const uint8_t *locations; // a number of 32 bits each, an offset in the locations
};

void ic_btf_call_read(const struct ic_btf_inline *table, uint32_t number, struct ic_btf_call *call);

// The number of the function that was inlined: as ic_btf_inline_get() has it, in a few loads.
uint32_t ic_btf_inline_callee(const struct ic_btf_inline *table, uint32_t number);

// The locations of a table.
struct ic_bytes ic_btf_inline_locations(const struct ic_btf_inline *table);

// Lists the calls of BTF that is parsed: every item of its LOCSECs.
bool ic_btf_kinds_list(struct ic_btf_inline *table, struct ic_error *err) IC_CHECKED;
void ic_btf_kinds_get(const struct ic_btf_inline *table, uint32_t number,
		      struct ic_btf_inline_site *site);
// The numbers of types of a call: its function's, and that of its list of locations.
void ic_btf_kinds_ids(const struct ic_btf_inline *table, uint32_t number, uint32_t *function,
		      uint32_t *list);
void ic_btf_kinds_parameter(const struct ic_btf_inline *table, uint32_t site_number,
			    uint32_t number, struct ic_btf_inline_parameter *parameter);

#endif
