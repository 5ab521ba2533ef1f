#include "values/locals.h"

#include "dwarf/expressions/operation.h"
#include "dwarf/units/constants.h"
#include "types/dies.h"

enum { MOST_DIES = 1 << 20 }; // that one function may have, with the types of its variables

struct search {
	struct ic_dies dies;
	struct ic_function_locals *locals;
};

struct level { // an open DIE of the walk
	const char *function;
	int frame_register; // the register that is the frame base, -1 if it is not a register
};

// The name of a function, which may be in its declaration.
static const char *function_name(struct search *search, struct ic_die_place place,
				 struct ic_full_die entry)
{
	for (unsigned i = 0; i < IC_DIE_MOST_LINKS; i++) {
		if (ic_value_is_given(&entry.attrs.name))
			return ic_full_die_text(&search->dies, place, &entry.attrs.name);
		const struct ic_value *link = ic_value_is_given(&entry.attrs.origin)
						      ? &entry.attrs.origin
						      : &entry.attrs.specification;
		if (!ic_full_die_follow(&search->dies, link, &place) ||
		    !ic_full_die_open(&search->dies, place, &entry))
			return NULL;
	}
	return NULL;
}

// ---- Places in the frame

// The register that is a function's frame base; -1 if the frame base is not a register.
static int frame_register(const struct ic_full_die *entry)
{
	struct ic_cursor cur = entry->attrs.frame_base.cur;

	if (entry->attrs.frame_base.spec.class != IC_FORM_CLASS_BLOCK)
		return -1;
	struct ic_cursor block = ic_block_read(&cur, entry->attrs.frame_base.spec.form);
	uint8_t op = ic_cursor_u8(&block);
	return op >= DW_OP_reg0 && op <= DW_OP_reg0 + 31 ? op - DW_OP_reg0 : -1;
}

// Whether an expression is an offset from the frame base, or the value at one (Fortran's arrays).
static bool frame_offset(struct ic_cursor expression, int frame_register, int64_t *offset)
{
	uint8_t op = ic_cursor_u8(&expression);

	if (op != DW_OP_fbreg && (frame_register < 0 || op != DW_OP_breg0 + frame_register))
		return false;
	*offset = ic_cursor_sleb(&expression);
	if (ic_cursor_more(&expression) && ic_cursor_u8(&expression) != DW_OP_deref)
		return false;
	return !expression.fault && !ic_cursor_more(&expression);
}

static void locate_variable(struct search *search, struct ic_die_place place,
			    const struct ic_full_die *entry, const struct level *level,
			    struct ic_local *local)
{
	const struct ic_attr_spec *spec = &entry->attrs.location.spec;
	struct ic_locations locations;
	struct ic_location_entry found;
	struct ic_error err;

	if (spec->form == 0)
		return;
	const struct ic_die_table *table = ic_dies_table(&search->dies, place.unit, &err);
	bool ok = table != NULL;
	if (ok) {
		const struct ic_location_lists lists = { place.unit, search->locals->sections,
							 table->lists_base };
		ok = ic_locations_open(&locations, entry->attrs.location.cur, spec, &lists, &err);
	}
	while (ok && !local->has_frame_offset && ic_locations_next(&locations, &found))
		local->has_frame_offset =
			frame_offset(found.expression, level->frame_register, &local->frame_offset);
	if (!ok || !ic_locations_ok(&locations, &err))
		ic_full_die_problem(&search->dies, place, &err);
}

static void declare_variable(struct search *search, struct ic_die_place place,
			     const struct ic_full_die *entry, struct ic_local *local)
{
	local->name = ic_full_die_text(&search->dies, place, &entry->attrs.name);
	local->has_size =
		ic_full_die_type_size(&search->dies, place, &entry->attrs.type, &local->size);
	local->decl_line = ic_value_small(&entry->attrs.decl_line);
	local->decl_file = ic_full_die_decl_file(&search->dies, place, entry);
}

static bool add_local(struct search *search, struct ic_die_place place,
		      const struct ic_full_die *entry, const struct level *level)
{
	struct ic_local *local = IC_ARRAY_PUSH(&search->locals->list);
	struct ic_full_die origin;

	if (!local)
		return false;
	*local = (struct ic_local){ .function = level->function };
	local->has_tag_offset = ic_full_die_constant(&entry->attrs.tag_offset, &local->tag_offset);
	locate_variable(search, place, entry, level, local);
	if (ic_full_die_follow(&search->dies, &entry->attrs.origin, &place)) {
		if (ic_full_die_open(&search->dies, place, &origin))
			declare_variable(search, place, &origin, local);
	} else {
		declare_variable(search, place, entry, local);
	}
	return true;
}

// ---- The walk

// An inlined function: its name comes from its origin.
static struct level level_of(struct search *search, struct ic_die_place place,
			     const struct ic_full_die *entry)
{
	return (struct level){ .function = function_name(search, place, *entry),
			       .frame_register = frame_register(entry) };
}

static void report_depth(struct search *search, struct ic_die_place place)
{
	struct ic_error err;

	ic_fail(&err, IC_ERROR_MALFORMED,
		"DIEs are nested more than %d deep; deeper variables are left out",
		IC_DEEPEST_NESTING);
	ic_full_die_problem(&search->dies, place, &err);
}

static bool walk_scope(struct search *search, struct ic_die_place place)
{
	IC_ARRAY(struct level) levels = { .items = NULL };
	struct ic_full_die entry;
	int depth = 0;
	bool ok = true;

	if (!ic_full_die_open(&search->dies, place, &entry))
		return true;
	struct level level = level_of(search, place, &entry);
	do {
		struct level own = level;
		levels.count = (uint32_t)depth;
		if (depth > 0)
			own = levels.items[depth - 1];
		if (depth > 0 && entry.die.tag == DW_TAG_inlined_subroutine)
			own = level_of(search, place, &entry);
		if (entry.die.tag == DW_TAG_variable || entry.die.tag == DW_TAG_formal_parameter)
			ok = add_local(search, place, &entry, &own);
		if (depth == IC_DEEPEST_NESTING) {
			report_depth(search, place);
			break;
		}
		struct level *kept = IC_ARRAY_PUSH(&levels);
		ok = ok && kept;
		if (ok)
			*kept = own;
	} while (ok && ic_full_die_below(&search->dies, &place, &entry, &depth));
	IC_ARRAY_FREE(&levels);
	return ok;
}

bool ic_function_locals_find(struct ic_function_locals *locals, struct ic_scan *scan, uint32_t unit,
			     uint32_t die_off, struct ic_problems *problems, struct ic_error *err)
{
	struct ic_reader *reader;
	bool is_open = ic_scan_begin_unit(scan, unit, &reader);
	struct search search = { .dies = { .reader = reader, .most = MOST_DIES },
				 .locals = locals };
	bool ok = !is_open ||
		  walk_scope(&search,
			     (struct ic_die_place){ reader->unit, reader->unit->off + die_off });

	ic_dies_free(&search.dies);
	return ic_scan_end_unit(reader, problems, err) && (ok || ic_fail_memory(err));
}

void ic_function_locals_free(struct ic_function_locals *locals)
{
	IC_ARRAY_FREE(&locals->list);
}
