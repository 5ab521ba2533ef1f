#include "report/rows/entry.h"

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }
#define SCHEMA(fields, row) { fields, sizeof(fields) / sizeof(*fields), sizeof(struct row) }

static const struct ic_field entry_fields[] = {
	FIELD(ic_row_entry, address, OFFSET),
	FIELD(ic_row_entry, symbol,  TEXT),
	FIELD(ic_row_entry, offset,  BYTES),
};
static const struct ic_field doubt_fields[] = {
	FIELD(ic_row_doubt, kind,    TEXT),
	FIELD(ic_row_doubt, address, OFFSET),
	FIELD(ic_row_doubt, target,  OFFSET),
};
// clang-format on

const struct ic_schema ic_entry_schema = SCHEMA(entry_fields, ic_row_entry),
		       ic_doubt_schema = SCHEMA(doubt_fields, ic_row_doubt);

bool ic_row_doubts_fill(ic_row_doubts *doubts, const struct ic_entries *entries, size_t site,
			const struct ic_row_doubt **list, size_t *count, const char **why_not)
{
	*list = NULL;
	*count = 0;
	*why_not = NULL;
	if (!entries)
		return true;
	struct ic_site_entries found = ic_entries_of(entries, site);
	*why_not = found.why_not;
	if (found.why_not)
		return true;
	doubts->count = 0;
	if (!IC_ARRAY_RESERVE(doubts, found.doubt_count + 1)) // an empty list is not NULL
		return false;
	for (size_t i = 0; i < found.doubt_count; i++)
		*IC_ARRAY_PUSH(doubts) =
			(struct ic_row_doubt){ ic_entry_doubt_name(found.doubts[i].kind),
					       found.doubts[i].addr, found.doubts[i].target };
	*list = doubts->items;
	*count = found.doubt_count;
	return true;
}
