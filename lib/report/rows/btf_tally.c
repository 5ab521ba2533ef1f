// The rows of counts about tables of .BTF.inline: callers who count make them.
#include "report/rows/row.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_btf_tally_row, key), 0, NULL }

static const struct ic_field fields[] = {
	FIELD(type,   TEXT),
	FIELD(file,   TEXT),
	FIELD(of,     TEXT),
	FIELD(what,   TEXT),
	FIELD(count,  BYTES),
	FIELD(first,  ADDRESS),
	FIELD(second, ADDRESS),
	FIELD(third,  ADDRESS),
};
// clang-format on

static const struct ic_schema schema = { fields, sizeof(fields) / sizeof(*fields),
					 sizeof(struct ic_btf_tally_row) };

static const struct ic_schema *const btf_tally_schemas[] = { &schema, NULL };

const struct ic_row_type ic_btf_tally_row_type = { IC_ROWS_BTF_TALLIES, &schema, btf_tally_schemas,
						   NULL, NULL };
