#include "units/tables.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/workers.h"
#include "dwarf/units/constants.h"
#include "units/source.h"

static bool wants_tag(uint16_t tag)
{
	enum { OTHER, MODEL };

	switch (tag) {
#define TAG(name, code, reader) \
	case code:              \
		return reader == MODEL;
#include "dwarf/units/tags.def"
#undef TAG
	}
	return false;
}

static bool has_code(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs)
{
	for (uint32_t i = 0; i < abbrev->spec_count; i++)
		if (specs[i].name == DW_AT_low_pc || specs[i].name == DW_AT_ranges)
			return true;
	return false;
}

static bool has_origin(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs)
{
	for (uint32_t i = 0; i < abbrev->spec_count; i++)
		if (specs[i].name == DW_AT_abstract_origin)
			return true;
	return false;
}

static uint8_t classify_abbrev(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs,
			       const void *context)
{
	(void)context;
	switch (abbrev->tag) {
	case DW_TAG_inlined_subroutine: return IC_TAG_INLINED;
	case DW_TAG_subprogram: return has_code(abbrev, specs) ? IC_TAG_HOST : IC_TAG_DECLARED;
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site: return IC_TAG_CALL;
	case DW_TAG_formal_parameter:
		return has_origin(abbrev, specs) ? IC_TAG_PARAMETER : IC_KIND_PASSED;
	case DW_TAG_compile_unit:
	case DW_TAG_partial_unit:
	case DW_TAG_skeleton_unit:
	case DW_TAG_type_unit: return IC_KIND_PASSED;
	}
	return abbrev->has_children ? IC_TAG_SCOPE : IC_KIND_PASSED;
}

const struct ic_abbrev_reader ic_model_tags = { wants_tag, classify_abbrev, NULL };

static bool parse_table(struct ic_abbrev_table *table, const struct ic_unit *unit,
			const struct ic_abbrev_reader *reader, uint64_t budget, bool root_only,
			struct ic_error *err)
{
	const struct ic_bytes *section = &unit->dwarf->abbrev;
	uint64_t off = unit->abbrev_off;
	uint64_t size = off < section->size ? section->size - off : 1;
	struct ic_cursor cur =
		ic_cursor_at(*section, ".debug_abbrev", off, size, unit->dwarf->swap);

	if (size > budget && !cur.fault)
		cur.end = cur.pos + budget;
	if (!root_only)
		return ic_abbrev_table_parse(table, &cur, unit, reader, err);
	struct ic_cursor root = ic_unit_cursor(unit, unit->die_off);
	uint64_t code = ic_cursor_uleb(&root);
	return ic_cursor_ok(&root, err) &&
	       ic_abbrev_table_parse_code(table, &cur, unit, reader, code, err);
}

// What the steps of a table depend on besides its bytes. The size of DW_FORM_ref_addr depends on
// the version, but only DWARF 2 differs.
static uint32_t sizes_of(const struct ic_unit *unit)
{
	return (uint32_t)(unit->version <= 2) << 16 | (uint32_t)unit->addr_size << 8 |
	       unit->offset_size;
}

static bool same_section(const struct ic_unit *a, const struct ic_unit *b)
{
	return a->dwarf->abbrev.data == b->dwarf->abbrev.data;
}

// An order that puts units with the same table next to each other.
static int compare_tables(const void *left, const void *right)
{
	const struct ic_unit *a = *(const struct ic_unit *const *)left;
	const struct ic_unit *b = *(const struct ic_unit *const *)right;

	if (!same_section(a, b))
		return (uintptr_t)a->dwarf->abbrev.data < (uintptr_t)b->dwarf->abbrev.data ? -1 : 1;
	if (a->abbrev_off != b->abbrev_off)
		return a->abbrev_off < b->abbrev_off ? -1 : 1;
	if (sizes_of(a) != sizes_of(b))
		return sizes_of(a) < sizes_of(b) ? -1 : 1;
	return (a > b) - (a < b);
}

// For two units of the same section.
static bool same_table(const struct ic_unit *a, const struct ic_unit *b)
{
	return a->abbrev_off == b->abbrev_off && sizes_of(a) == sizes_of(b);
}

// Decides which units of one section share a table, and how large each table may be. In a valid
// file, tables do not overlap; if they do, a small file could make us read the same bytes a million
// times. So a table may extend up to the next one, and beyond that by its share of four times the
// section's size.
static void assign_tables(struct ic_shared_tables *tables, const struct ic_unit *units,
			  const struct ic_unit **sorted, uint32_t count)
{
	uint64_t section_size = sorted[0]->dwarf->abbrev.size;
	uint64_t extra = section_size * 4 / count + 64;
	uint32_t beyond = 0; // the first unit whose table starts after this one

	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && same_table(sorted[i], sorted[end]);)
			end++;
		uint64_t off = sorted[i]->abbrev_off;
		while (beyond < count && sorted[beyond]->abbrev_off <= off)
			beyond++;
		uint64_t next = beyond < count ? sorted[beyond]->abbrev_off : section_size;
		uint64_t budget = (next > off ? next - off : 0) + extra;
		uint32_t shared = end - i > 1 ? tables->shared_count++ : IC_NONE;

		if (shared != IC_NONE)
			tables->shared[shared] =
				(struct ic_shared_table){ .unit = (uint32_t)(sorted[i] - units),
							  .budget = budget };
		for (uint32_t j = i; j < end; j++) {
			uint32_t unit = (uint32_t)(sorted[j] - units);
			tables->table_of[unit] = shared;
			tables->budgets[unit] = budget;
		}
	}
}

static void assign_sections(struct ic_shared_tables *tables, const struct ic_unit_list *list,
			    const struct ic_unit **sorted, uint32_t count)
{
	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && same_section(sorted[i], sorted[end]);)
			end++;
		assign_tables(tables, list->units.items, sorted + i, end - i);
	}
}

struct parse_job {
	struct ic_shared_tables *tables;
	const struct ic_unit *units;
};

static void parse_shared(struct ic_items *items, uint32_t worker, void *context)
{
	struct parse_job *job = context;
	(void)worker;

	for (uint32_t i; ic_items_take(items, &i);) {
		struct ic_shared_table *table = &job->tables->shared[i];
		struct ic_error err;
		table->readable = parse_table(&table->table, &job->units[table->unit],
					      job->tables->reader, table->budget, false, &err);
		table->out_of_memory = !table->readable && err.code == IC_ERROR_MEMORY;
	}
}

bool ic_shared_tables_build(struct ic_shared_tables *tables, const struct ic_unit_list *units,
			    const struct ic_abbrev_reader *reader, uint32_t jobs,
			    struct ic_error *err)
{
	uint32_t count = units->units.count, sorted_count = 0;
	const struct ic_unit **sorted = ic_items_zeroed(count + 1ull, sizeof(*sorted));

	*tables = (struct ic_shared_tables){
		.reader = reader,
		.table_of = ic_items_zeroed(count + 1ull, sizeof(*tables->table_of)),
		.budgets = ic_items_zeroed(count + 1ull, sizeof(*tables->budgets)),
		.shared = ic_items_zeroed(count / 2 + 1ull, sizeof(*tables->shared))
	};
	bool ok = sorted && tables->table_of && tables->budgets && tables->shared;
	if (ok) {
		for (uint32_t i = 0; i < count; i++)
			if (units->units.items[i].dwarf->source->has_dies)
				sorted[sorted_count++] = &units->units.items[i];
		qsort(sorted, sorted_count, sizeof(*sorted), compare_tables);
		assign_sections(tables, units, sorted, sorted_count);
	}
	free(sorted);
	if (!ok)
		return ic_fail_memory(err);
	struct parse_job job = { tables, units->units.items };
	ic_workers_run(ic_workers_count(jobs, tables->shared_count), tables->shared_count,
		       parse_shared, &job);
	return true;
}

const struct ic_abbrev_table *ic_shared_table_of(const struct ic_shared_tables *tables,
						 const struct ic_unit_list *units, uint32_t unit,
						 bool root_only, struct ic_abbrev_table *own,
						 struct ic_error *err)
{
	uint32_t shared = tables->table_of[unit];

	const struct ic_shared_table *table = shared != IC_NONE ? &tables->shared[shared] : NULL;
	const struct ic_unit *of = &units->units.items[unit];

	if (table && table->readable)
		return &table->table;
	if (table && table->out_of_memory) {
		ic_fail_memory(err);
		return NULL;
	}
	// The first unit that uses an invalid table reads it again, in order to report the reason.
	if (table && table->unit != unit) {
		ic_fail_at(err, ".debug_abbrev", of->abbrev_off,
			   "invalid abbreviations, as reported for the unit at 0x%" PRIx64,
			   units->units.items[table->unit].off);
		return NULL;
	}
	return parse_table(own, of, tables->reader, tables->budgets[unit], root_only, err) ? own
											   : NULL;
}

void ic_shared_tables_free(struct ic_shared_tables *tables)
{
	for (uint32_t i = 0; i < tables->shared_count; i++)
		ic_abbrev_table_free(&tables->shared[i].table);
	free(tables->shared);
	free(tables->table_of);
	free(tables->budgets);
}
