#include "values/globals.h"

#include <stdlib.h>

#include "base/search.h"
#include "dwarf/expressions/locations.h"
#include "dwarf/expressions/operation.h"
#include "dwarf/units/constants.h"
#include "types/dies.h"

enum { MOST_DIES = 1 << 16 }; // for one variable, with its type

static bool wants_tag(uint16_t tag)
{
	return tag == DW_TAG_variable || tag == DW_TAG_compile_unit ||
	       tag == DW_TAG_skeleton_unit || tag == DW_TAG_partial_unit || tag == DW_TAG_type_unit;
}

static uint8_t classify_abbrev(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs,
			       const void *context)
{
	(void)context;
	for (uint32_t i = 0; abbrev->tag == DW_TAG_variable && i < abbrev->spec_count; i++)
		if (specs[i].name == DW_AT_location && specs[i].class == IC_FORM_CLASS_BLOCK)
			return IC_KIND_FIRST;
	return IC_KIND_PASSED;
}

static const struct ic_abbrev_reader variables = { wants_tag, classify_abbrev, NULL };

// Whether an expression is only an address, or an address plus an offset. A missing address is a
// problem.
static bool read_address(struct ic_cursor expression, struct ic_reader *reader, uint64_t off,
			 uint64_t *addr)
{
	const struct ic_unit *unit = reader->unit;
	struct ic_error err;

	switch (ic_cursor_u8(&expression)) {
	case DW_OP_addr: *addr = ic_cursor_uint(&expression, unit->addr_size); break;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		if (!ic_unit_address_at(unit, ic_cursor_uleb(&expression), addr, &err)) {
			ic_reader_problem(reader, off, &err);
			return false;
		}
		break;
	default: return false;
	}
	if (ic_cursor_more(&expression)) {
		if (ic_cursor_u8(&expression) != DW_OP_plus_uconst)
			return false;
		*addr += ic_cursor_uleb(&expression);
	}
	*addr &= ic_unit_addr_mask(unit);
	return !expression.fault && !ic_cursor_more(&expression);
}

// Adds the variable at which the walk has stopped, and continues after it.
static bool add_variable(struct ic_globals *globals, struct ic_reader *reader, struct ic_walk *walk)
{
	struct ic_value value;
	struct ic_die die;
	uint64_t addr;
	bool ok = true;

	ic_die_at_walk(&die, walk);
	for (;;) {
		struct ic_cursor before = die.cur;
		const struct ic_attr_spec *spec = die.spec;
		uint16_t name = ic_die_next(&die, &value);
		if (name == 0)
			break;
		if (name != DW_AT_location || spec->class != IC_FORM_CLASS_BLOCK ||
		    !read_address(ic_block_read(&before, spec->form), reader, die.off, &addr))
			continue;
		struct ic_global *global = IC_ARRAY_PUSH(&globals->list);
		ok = ok && global;
		if (global)
			*global = (struct ic_global){ addr, die.off - walk->unit->off,
						      reader->unit_index };
	}
	ic_walk_pass(walk, die.cur.pos);
	return ok;
}

static bool read_unit(struct ic_globals *globals, struct ic_reader *reader,
		      const struct ic_shared_tables *tables, struct ic_abbrev_table *own)
{
	const struct ic_unit *of = reader->unit;
	enum ic_walk_event event;
	struct ic_error err;
	struct ic_walk walk;
	bool ok = true;

	const struct ic_abbrev_table *table = ic_shared_table_of(
		tables, &reader->context->units, reader->unit_index, false, own, &err);
	if (!table) {
		ic_reader_problem(reader, of->off, &err);
		return true;
	}
	ic_walk_init(&walk, of, table);
	while (ok && (event = ic_walk_step(&walk)) != IC_WALK_END && event != IC_WALK_FAULT)
		if (event == IC_WALK_ENTRY)
			ok = add_variable(globals, reader, &walk);
	if (ok && event == IC_WALK_FAULT && !ic_walk_fault(&walk, &err))
		ic_problems_add(&reader->problems, &err, NULL, 0);
	return ok;
}

static int compare_globals(const void *left, const void *right)
{
	const struct ic_global *a = left, *b = right;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return (a->off > b->off) - (a->off < b->off);
}

bool ic_globals_read(struct ic_globals *globals, struct ic_scan *scan, struct ic_problems *problems,
		     struct ic_error *err)
{
	ic_scan_prepare(scan);
	const struct ic_read_context *context = &scan->context;
	struct ic_reader *reader = &ic_scan_stream(scan, 0)->reader;
	struct ic_abbrev_table own = { .declared = 0 };
	struct ic_shared_tables tables;
	bool ok = ic_shared_tables_build(&tables, &context->units, &variables, 1, err);

	for (uint32_t i = 0; ok && i < context->units.units.count; i++) {
		const struct ic_unit *unit = &context->units.units.items[i];
		if (!unit->dwarf->source->has_dies || unit->dwarf->is_types || unit->is_passive)
			continue;
		bool is_open = ic_reader_open_root(reader, i);
		ic_reader_problems_drop(reader);
		ok = !is_open || read_unit(globals, reader, &tables, &own);
		if (context->index->units[i].problem_count > 0) // this has been reported
			ic_reader_problems_drop(reader);
		struct ic_problems of_unit = ic_reader_problems_take(reader);
		ic_problems_append(problems, &of_unit);
	}
	ic_abbrev_table_free(&own);
	ic_shared_tables_free(&tables);
	if (globals->list.count > 0)
		qsort(globals->list.items, globals->list.count, sizeof(*globals->list.items),
		      compare_globals);
	return (ok && !reader->out_of_memory) || ic_fail_memory(err);
}

// Reads the attributes of a variable's DIE and of those that it refers to; the size is its type's.
static bool describe_variable(struct ic_dies *dies, struct ic_die_place place,
			      struct ic_local *variable)
{
	struct ic_full_die die;

	if (!ic_full_die_open(dies, place, &die))
		return false;
	*variable = (struct ic_local){ .name = NULL };
	for (unsigned i = 0;; i++) {
		if (!variable->name)
			variable->name = ic_full_die_text(dies, place, &die.attrs.name);
		if (!variable->has_size)
			variable->has_size = ic_full_die_type_size(dies, place, &die.attrs.type,
								   &variable->size);
		if (!variable->decl_file)
			variable->decl_file = ic_full_die_decl_file(dies, place, &die);
		if (variable->decl_line == 0)
			variable->decl_line = ic_value_small(&die.attrs.decl_line);
		const struct ic_value *link = ic_value_is_given(&die.attrs.origin)
						      ? &die.attrs.origin
						      : &die.attrs.specification;
		if (i == IC_DIE_MOST_LINKS || !ic_full_die_follow(dies, link, &place) ||
		    !ic_full_die_open(dies, place, &die))
			return true;
	}
}

bool ic_globals_find(const struct ic_globals *globals, struct ic_scan *scan, uint64_t addr,
		     struct ic_found_variable *found, struct ic_problems *problems,
		     struct ic_error *err)
{
	struct ic_local *variable = &found->variable;
	struct ic_reader *reader;
	uint32_t beyond = ic_search_up_to(globals->list.items, sizeof(*globals->list.items),
					  globals->list.count, addr);

	found->is_found = false;
	if (beyond == 0)
		return true;
	const struct ic_global *global = &globals->list.items[beyond - 1];
	bool is_open = ic_scan_begin_unit(scan, global->unit, &reader);
	struct ic_dies dies = { .reader = reader, .most = MOST_DIES };
	if (is_open) {
		struct ic_die_place place = { reader->unit, reader->unit->off + global->off };
		found->is_found = describe_variable(&dies, place, variable) &&
				  addr - global->addr < (variable->size > 0 ? variable->size : 1);
	}
	ic_dies_free(&dies);
	return ic_scan_end_unit(reader, problems, err);
}

void ic_globals_free(struct ic_globals *globals)
{
	IC_ARRAY_FREE(&globals->list);
}
