// Tables of inlined calls: locates the record of each call. Records are decoded on demand.
#ifndef BTF_INLINE_TABLE_H
#define BTF_INLINE_TABLE_H

#include "btf/types.h"

struct ic_btf_record {
	uint32_t off;   // of the record, in the bytes
	uint32_t owner; // BTF kinds: the type number of the LOCSEC
};

struct ic_btf_inline {
	struct ic_bytes bytes;
	bool swap;
	const struct ic_btf *types; // NULL if unknown
	struct ic_btf *own_types;   // BTF kinds: the table parsed as BTF; NULL for the RFC's format
	struct ic_btf_record *records;
	uint32_t record_count;
	// For the RFC's format:
	uint64_t info_off; // in the bytes
	uint32_t info_size;
	uint64_t locations_off; // in the bytes
	uint32_t locations_size;
	bool is_strange; // records refer to types or locations that do not exist
};

enum {
	IC_BTF_RECORD_SIZE = 14, // of a record of the RFC's format, before its parameters
	// More parameters than any function has: the limit for BTF kinds, since many calls can
	// share one list.
	IC_BTF_MOST_PARAMETERS = 1024,
};

// A record of the RFC's format.
struct ic_btf_call {
	uint32_t callee, caller, offset;
	uint32_t parameter_count;
	const uint8_t *locations; // 32-bit offsets in the locations
};

void ic_btf_call_read(const struct ic_btf_inline *table, uint32_t number, struct ic_btf_call *call);

// The type number of the inlined function, like that of ic_btf_inline_get() but in a few loads.
uint32_t ic_btf_inline_callee(const struct ic_btf_inline *table, uint32_t number);

// The locations of a table.
struct ic_bytes ic_btf_inline_locations(const struct ic_btf_inline *table);

// Lists the calls of parsed BTF: every item of its LOCSECs.
bool ic_btf_kinds_list(struct ic_btf_inline *table, struct ic_error *err) IC_CHECKED;
void ic_btf_kinds_get(const struct ic_btf_inline *table, uint32_t number,
		      struct ic_btf_inline_site *site);
// Gets a call's type numbers: of the inlined function, and of its list of locations.
void ic_btf_kinds_ids(const struct ic_btf_inline *table, uint32_t number, uint32_t *function,
		      uint32_t *list);
void ic_btf_kinds_parameter(const struct ic_btf_inline *table, uint32_t site_number,
			    uint32_t number, struct ic_btf_inline_parameter *parameter);

#endif
