#include "dwarf/units/abbrev.h"

#include <stdlib.h>

#include "base/search.h"
#include "dwarf/units/constants.h"

enum { SLACK = 64 }; // how far a code may exceed the number of codes before it goes to `sparse`

enum {
	STANDARD_FORMS = 0x2d,
	MOST_FREE_ATTRS = 256, // limits how much a one-byte DIE can expand to
	// There are fewer names than this, and each occurs once in a DIE (DWARF 5, 2.2). The limit
	// matters because an abbreviation is read once for each DIE that uses it.
	MOST_ATTRS = 1024,
};

struct table_reader {
	const struct ic_unit *unit;
	const struct ic_abbrev_reader *reader;
	uint8_t sizes[STANDARD_FORMS]; // of the forms in the unit; IC_FORM_VARIES if not fixed
};

struct layout {       // of an abbreviation, as far as it has been read
	uint64_t add; // bytes since the last plan item
	bool planned; // it has plan items
	uint32_t first_item;
};

static bool push_plan_item(struct ic_abbrev_table *table, struct layout *layout, enum ic_plan_op op,
			   uint8_t length_size)
{
	do { // an item can add at most 64 KiB
		struct ic_plan_item *item = IC_ARRAY_PUSH(&table->plans);
		if (!item)
			return false;
		uint16_t add = layout->add < UINT16_MAX ? (uint16_t)layout->add : UINT16_MAX;
		layout->add -= add;
		*item = (struct ic_plan_item){ add, IC_PLAN_ADD, 0 };
		if (layout->add == 0) {
			item->op = (uint8_t)op;
			item->length_size = length_size;
		}
	} while (layout->add > 0);
	layout->planned = true;
	return true;
}

static bool add_varying_form(struct ic_abbrev_table *table, struct layout *layout, uint16_t form)
{
	const struct ic_form_info *info = ic_form_info(form);

	switch ((enum ic_form_kind)info->kind) {
	case IC_FORM_KIND_LEB: return push_plan_item(table, layout, IC_PLAN_LEB, 0);
	case IC_FORM_KIND_LEB_FIXED:
		if (!push_plan_item(table, layout, IC_PLAN_LEB, 0))
			return false;
		layout->add += info->size;
		return true;
	case IC_FORM_KIND_CSTRING: return push_plan_item(table, layout, IC_PLAN_CSTRING, 0);
	case IC_FORM_KIND_BLOCK: return push_plan_item(table, layout, IC_PLAN_BLOCK, info->size);
	case IC_FORM_KIND_INDIRECT: return push_plan_item(table, layout, IC_PLAN_INDIRECT, 0);
	default: return push_plan_item(table, layout, IC_PLAN_UNKNOWN, 0);
	}
}

// Reads one pair; nearly all have two bytes.
static void read_pair(struct ic_cursor *cur, uint16_t *name, uint16_t *form)
{
	const uint8_t *pos = cur->pos;

	if (cur->end - pos >= 2 && (pos[0] | pos[1]) < 0x80) {
		*name = pos[0];
		*form = pos[1];
		cur->pos = pos + 2;
		return;
	}
	*name = ic_cursor_uleb16(cur);
	*form = ic_cursor_uleb16(cur);
}

// Reads the attributes of an abbreviation up to the terminating pair of zeros, and stores them if
// `keep`. Returns false if memory runs out.
static bool parse_specs(struct ic_abbrev_table *table, struct ic_cursor *cur,
			const struct table_reader *reader, bool keep, struct layout *layout)
{
	uint32_t attrs = 0, free_attrs = 0;

	for (;;) {
		uint16_t name, form;

		read_pair(cur, &name, &form);
		if (name == 0 && form == 0)
			return true; // a faulted cursor yields zeros too
		if (name == 0)
			ic_cursor_fault(cur, "attribute has no name");
		int64_t implicit = form == DW_FORM_implicit_const ? ic_cursor_sleb(cur) : 0;
		uint8_t size = form < STANDARD_FORMS ? reader->sizes[form]
						     : ic_form_size(form, reader->unit);
		if (size != IC_FORM_VARIES)
			layout->add += size;
		else if (!add_varying_form(table, layout, form))
			return false;
		if (!keep)
			continue;
		free_attrs += size == 0;
		if (free_attrs > MOST_FREE_ATTRS)
			ic_cursor_fault(cur, "too many attributes of size 0 in an abbreviation");
		if (++attrs > MOST_ATTRS)
			ic_cursor_fault(cur, "too many attributes in an abbreviation");
		if (cur->fault)
			return true;
		if (!IC_ARRAY_ADD(&table->specs, ic_attr_spec_make(name, form, size, implicit)))
			return false;
	}
}

static bool parse_abbrev(struct ic_abbrev_table *table, struct ic_step *step, struct ic_cursor *cur,
			 const struct table_reader *table_reader)
{
	const struct ic_abbrev_reader *reader = table_reader->reader;
	struct ic_abbrev abbrev = { .first_spec = table->specs.count };
	struct layout layout = { .first_item = table->plans.count };

	abbrev.tag = ic_cursor_uleb16(cur);
	abbrev.has_children = ic_cursor_u8(cur) != 0;
	bool keep = reader->wants_tag(abbrev.tag);
	if (!parse_specs(table, cur, table_reader, keep, &layout))
		return false;
	*step = (struct ic_step){ .depth_change = abbrev.has_children };
	if (layout.planned || layout.add >= IC_STEP_PLANNED) {
		if (!push_plan_item(table, &layout, IC_PLAN_END, 0))
			return false;
		step->size = IC_STEP_PLANNED;
		step->detail = layout.first_item;
	} else {
		step->size = (uint16_t)layout.add;
	}
	if (!keep)
		return true;

	abbrev.spec_count = table->specs.count - abbrev.first_spec;
	abbrev.plan = step->detail;
	step->kind =
		reader->classify(&abbrev, table->specs.items + abbrev.first_spec, reader->context);
	step->detail = table->kept.count;
	return IC_ARRAY_ADD(&table->kept, abbrev);
}

static const struct ic_step absent_step = { .size = IC_STEP_PLANNED }; // its plan is plan 0

static int compare_codes(const void *left, const void *right)
{
	const struct ic_code_step *a = left, *b = right;

	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

// Places a step by its code: in `steps` if that leaves few holes, else in `sparse`.
static bool place_step(struct ic_abbrev_table *table, uint32_t code, const struct ic_step *step)
{
	uint32_t order = table->declared++;

	if (code <= 4ull * order + SLACK) {
		while (table->steps.count <= code) {
			if (!IC_ARRAY_ADD(&table->steps, absent_step))
				return false;
		}
		struct ic_step *place = &table->steps.items[code];
		if (place->size == IC_STEP_PLANNED && place->kind == 0 && place->detail == 0)
			*place = *step;
		return true;
	}
	return IC_ARRAY_ADD(&table->sparse, (struct ic_code_step){ code, order, *step });
}

static bool parse_abbrevs(struct ic_abbrev_table *table, struct ic_cursor *cur,
			  const struct table_reader *reader)
{
	for (uint32_t code; (code = ic_cursor_uleb32(cur)) != 0;) {
		struct ic_step step;
		if (!parse_abbrev(table, &step, cur, reader) || !place_step(table, code, &step))
			return false;
	}
	return true;
}

// Sorts `sparse`. If `steps` has since grown beyond a code, copies its step there, replacing one
// declared later.
static void settle_sparse(struct ic_abbrev_table *table)
{
	uint32_t last_code = 0;

	if (table->sparse.count == 0)
		return;
	qsort(table->sparse.items, table->sparse.count, sizeof(*table->sparse.items),
	      compare_codes);
	for (uint32_t i = 0; i < table->sparse.count; i++) {
		const struct ic_code_step *sparse = &table->sparse.items[i];
		if (sparse->code < table->steps.count && sparse->code != last_code)
			table->steps.items[sparse->code] = sparse->step;
		last_code = sparse->code;
	}
}

static bool begin_table(struct ic_abbrev_table *table, struct table_reader *table_reader,
			const struct ic_unit *unit, const struct ic_abbrev_reader *reader)
{
	static const struct ic_step null_step = { .depth_change = -1 };
	static const struct ic_plan_item absent_item = { .op = IC_PLAN_ABSENT };

	table->steps.count = table->sparse.count = table->kept.count = 0;
	table->specs.count = table->plans.count = table->declared = 0;
	struct ic_plan_item *plan = IC_ARRAY_PUSH(&table->plans);
	struct ic_step *step = IC_ARRAY_PUSH(&table->steps);
	if (!plan || !step || !IC_ARRAY_RESERVE(&table->specs, 1))
		return false;
	*plan = absent_item;
	*step = null_step;
	*table_reader = (struct table_reader){ .unit = unit, .reader = reader };
	for (uint16_t form = 0; form < STANDARD_FORMS; form++)
		table_reader->sizes[form] = ic_form_size(form, unit);
	return true;
}

bool ic_abbrev_table_parse(struct ic_abbrev_table *table, struct ic_cursor *cur,
			   const struct ic_unit *unit, const struct ic_abbrev_reader *reader,
			   struct ic_error *err)
{
	struct table_reader table_reader;

	if (!begin_table(table, &table_reader, unit, reader) ||
	    !parse_abbrevs(table, cur, &table_reader))
		return ic_fail_memory(err);
	settle_sparse(table);
	return ic_cursor_ok(cur, err);
}

// Skips pairs of two bytes. Returns whether the list ended with them.
static bool skip_short_pairs(struct ic_cursor *cur)
{
	const uint8_t *pos = cur->pos;
	bool more = true;

	while (more && cur->end - pos >= 2 && (pos[0] | pos[1]) < 0x80 &&
	       pos[1] != DW_FORM_implicit_const) {
		more = (pos[0] | pos[1]) != 0;
		pos += 2;
	}
	cur->pos = pos;
	return !more;
}

// Skips the tag and the attributes of a declaration.
static void skip_abbrev(struct ic_cursor *cur)
{
	uint16_t name, form;

	ic_cursor_uleb16(cur);
	ic_cursor_u8(cur);
	while (!skip_short_pairs(cur)) {
		read_pair(cur, &name, &form);
		if (form == DW_FORM_implicit_const)
			ic_cursor_sleb(cur);
		if (name == 0 && form == 0) // a faulted cursor yields zeros too
			return;
	}
}

bool ic_abbrev_table_parse_code(struct ic_abbrev_table *table, struct ic_cursor *cur,
				const struct ic_unit *unit, const struct ic_abbrev_reader *reader,
				uint64_t code, struct ic_error *err)
{
	struct table_reader table_reader;
	struct ic_step step;

	if (!begin_table(table, &table_reader, unit, reader))
		return ic_fail_memory(err);
	for (uint32_t found; (found = ic_cursor_uleb32(cur)) != 0;) {
		if (found != code) {
			skip_abbrev(cur);
			continue;
		}
		if (!parse_abbrev(table, &step, cur, &table_reader) ||
		    !place_step(table, found, &step))
			return ic_fail_memory(err);
		break;
	}
	settle_sparse(table);
	return ic_cursor_ok(cur, err);
}

const struct ic_step *ic_abbrev_table_find_sparse(const struct ic_abbrev_table *table,
						  uint64_t code)
{
	uint32_t first;

	IC_SEARCH(first, table->sparse.count, at, table->sparse.items[at].code < code);
	if (first == table->sparse.count || table->sparse.items[first].code != code)
		return &absent_step;
	return &table->sparse.items[first].step;
}

bool ic_abbrev_step_is_absent(const struct ic_abbrev_table *table, const struct ic_step *step)
{
	return step->kind == IC_KIND_OTHER && step->size == IC_STEP_PLANNED &&
	       table->plans.items[step->detail].op == IC_PLAN_ABSENT;
}

void ic_abbrev_table_free(struct ic_abbrev_table *table)
{
	IC_ARRAY_FREE(&table->steps);
	IC_ARRAY_FREE(&table->sparse);
	IC_ARRAY_FREE(&table->kept);
	IC_ARRAY_FREE(&table->specs);
	IC_ARRAY_FREE(&table->plans);
}
