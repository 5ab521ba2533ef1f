#include "read/unit.h"

#include <stdlib.h>

#include "read/calls.h"
#include "read/claim.h"
#include "read/entries.h"
#include "read/function.h"
#include "read/function_names.h"
#include "read/lines.h"
#include "read/pc.h"
#include "read/rows.h"
#include "units/units.h"

// If so, a walk may skip every DIE without code: nine of ten subprograms of a kernel are
// declarations (docs/decisions/0005).
bool ic_unit_is_flat(const struct ic_unit *unit)
{
	switch (unit->root.language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C17:
	case DW_LANG_UPC:
	case DW_LANG_OpenCL:
	case DW_LANG_Mips_Assembler: return true;
	}
	return false;
}

static void start_walk(struct ic_stream *stream, bool flat)
{
	const struct ic_read_options *want = &stream->reader.context->want;
	uint8_t kinds = IC_TAG_HOST;

	if (!want->names_only)
		kinds |= IC_TAG_INLINED | (want->calls ? IC_TAG_CALL : 0) |
			 (want->parameters ? IC_TAG_PARAMETER : 0);
	if (!flat && ic_read_wants_scopes(want))
		kinds |= IC_TAG_SCOPE | IC_TAG_DECLARED;
	if (want->declarations || want->names_only)
		kinds |= IC_TAG_DECLARED;
	ic_walk_init(&stream->walk, stream->reader.unit, stream->reader.table);
	stream->kinds = stream->walk.kinds = kinds;
}

static bool open_dies(struct ic_reader *reader, bool root_only)
{
	struct ic_read_context *context = reader->context;
	struct ic_unit *unit = reader->unit;
	struct ic_error err;

	reader->table = ic_shared_table_of(&context->listed->tables, &context->units,
					   reader->unit_index, root_only, &reader->own_table, &err);
	if (!reader->table || !ic_unit_read_root(unit, reader->table, &reader->problems, &err)) {
		ic_reader_problem(reader, unit->off, &err);
		return false;
	}
	return true;
}

static void begin_walk(struct ic_stream *stream)
{
	ic_pc_begin(&stream->reader);
	start_walk(stream, ic_unit_is_flat(stream->reader.unit));
}

static const struct open_scope *innermost_scope(const struct ic_stream *stream)
{
	static const struct open_scope outside = { .scope = IC_NONE, .instance = IC_NONE };

	return stream->open.count > 0 ? &stream->open.items[stream->open.count - 1] : &outside;
}

// Enters the DIE that was just read, if it has children.
static bool enter_scope(struct ic_stream *stream, struct open_scope scope)
{
	struct ic_error err;

	if (stream->walk.step->depth_change <= 0)
		return true;
	if (stream->open.count == IC_DEEPEST_NESTING) {
		ic_fail(&err, IC_ERROR_MALFORMED, "DIEs are nested more than %d deep",
			IC_DEEPEST_NESTING);
		ic_reader_problem(&stream->reader, stream->die.off, &err);
		return false;
	}
	struct open_scope *place = IC_ARRAY_PUSH(&stream->open);
	if (!place) {
		stream->reader.out_of_memory = true;
		return false;
	}
	scope.depth = stream->walk.leave_depth = stream->walk.depth;
	*place = scope;
	return true;
}

// Skips what was inlined into a function without wanted addresses. In languages with nested
// functions, it may contain functions whose code is elsewhere. A nested function without code keeps
// its own copies.
static void choose_kinds(struct ic_stream *stream)
{
	const struct open_scope *around = innermost_scope(stream);

	if (stream->wanted.count > 0 && around->unwanted)
		stream->walk.kinds = IC_TAG_HOST;
	else
		stream->walk.kinds = stream->kinds |
				     (around->instance != IC_NONE ? IC_TAG_DECLARED : 0);
}

// Leaves every scope that ended with the null entry just read.
static void leave_scope(struct ic_stream *stream)
{
	struct ic_walk *walk = &stream->walk;
	struct ic_error err;

	while (stream->open.count > 0 && innermost_scope(stream)->depth > walk->depth)
		stream->open.count--;
	choose_kinds(stream);
	walk->leave_depth = stream->open.count > 0 ? innermost_scope(stream)->depth : 0;
	if (walk->depth < 0 && !ic_walk_pass_padding(walk, &err))
		ic_problems_add(&stream->reader.problems, &err, NULL, 0);
}

static uint32_t die_off_in_unit(const struct ic_stream *stream)
{
	return (uint32_t)(stream->die.off - stream->reader.unit->off);
}

static uint32_t function_referred_to(struct ic_stream *stream, const struct ic_value *value)
{
	struct ic_error err;
	uint64_t off;

	if (ic_value_reference(value, stream->reader.unit, &off, &err))
		return ic_function_of(stream, off);
	ic_reader_problem(&stream->reader, stream->die.off, &err);
	return IC_NONE;
}

static uint32_t own_function(struct ic_stream *stream)
{
	return ic_function_of(stream, ic_unit_global_off(stream->reader.unit, stream->die.off));
}

// Finishes reading a DIE's attributes; returns false if some were unreadable.
static bool finish_attrs(struct ic_stream *stream)
{
	struct ic_error err;

	if (!ic_cursor_ok(&stream->die.cur, &err)) {
		ic_reader_problem(&stream->reader, stream->die.off, &err);
		return false;
	}
	ic_walk_pass(&stream->walk, stream->die.cur.pos);
	return true;
}

static bool push_instance(struct ic_stream *stream, const struct ic_instance *instance, bool dead)
{
	if (!IC_ARRAY_ADD(&stream->built.instances, *instance)) {
		stream->reader.out_of_memory = true;
		return false;
	}
	return enter_scope(stream,
			   (struct open_scope){ .scope = innermost_scope(stream)->scope,
						.instance = stream->built.instances.count - 1,
						.dead = dead,
						.discarded = stream->reader.discarded });
}

// Records the scope of the DIE, for functions that refer to it.
static bool declare_function(struct ic_stream *stream, uint32_t scope)
{
	if (scope == IC_NONE)
		return true;
	struct ic_declaration *place = IC_ARRAY_PUSH(&stream->built.declarations);
	if (place)
		*place = (struct ic_declaration){ die_off_in_unit(stream), scope };
	else
		stream->reader.out_of_memory = true;
	return place != NULL;
}

// Checks a copy without code in an instance that has some.
static void check_without_code(struct ic_stream *stream, uint32_t around, const struct ic_pc *pc,
			       bool dead)
{
	const struct ic_instance *host = &stream->built.instances.items[around];

	if (host->range_count == 0)
		return;
	uint64_t start = stream->reader.ranges.items[host->first_range].start;
	if (!dead)
		ic_pc_check_list(&stream->reader, pc, start, stream->die.off);
	else if (host->range_count == 1)
		ic_pc_check_pair(&stream->reader, pc, start, stream->die.off);
}

static bool take_inlined(struct ic_stream *stream)
{
	const struct open_scope *around = innermost_scope(stream);
	struct ic_instance instance = { .entry = IC_NO_ADDR,
					.function = IC_NONE,
					.parent = around->instance,
					.die_off = die_off_in_unit(stream),
					.call_file = IC_NONE,
					.kind = IC_INSTANCE_INLINED };
	struct ic_pc pc = { .low_pc.form = 0 };
	struct ic_value value, origin = { .form = 0 }, file = { .form = 0 };

	for (uint16_t name; (name = ic_die_next(&stream->die, &value));) {
		switch (name) {
		case DW_AT_abstract_origin: origin = value; break;
		case DW_AT_call_file: file = value; break;
		case DW_AT_call_line: instance.call_line = ic_value_small(&value); break;
		case DW_AT_call_column: instance.call_column = ic_value_small(&value); break;
		case DW_AT_GNU_discriminator:
			instance.call_discriminator = ic_value_small(&value);
			break;
		default: ic_pc_take(&pc, name, &value); break;
		}
	}
	if (!finish_attrs(stream))
		return false;
	if (around->instance == IC_NONE && !ic_value_is_given(&pc.low_pc) &&
	    !ic_value_is_given(&pc.ranges)) // in an abstract tree
		return enter_scope(stream, *around);
	if (ic_value_is_given(&origin))
		instance.function = function_referred_to(stream, &origin);
	if (ic_value_is_given(&file))
		instance.call_file = ic_decl_file_of(&stream->reader, &file, stream->die.off);
	bool dead = ic_pc_resolve(&stream->reader, &pc, around->dead, &instance, stream->die.off);
	if (around->dead) {
		ic_pc_check_discarded(&stream->reader, &pc, around->discarded, stream->die.off);
		stream->reader.discarded = around->discarded;
	} else if (instance.range_count == 0 && around->instance != IC_NONE)
		check_without_code(stream, around->instance, &pc, dead);
	return push_instance(stream, &instance, dead) && ic_entry_rows_note_empty(stream);
}

// Whether the instance covers a wanted address that no earlier function covers.
static bool is_wanted(struct ic_stream *stream, const struct ic_instance *instance)
{
	const struct ic_requested_addrs *wanted = &stream->wanted;
	bool found = wanted->count == 0;

	for (uint32_t i = 0; i < instance->range_count; i++) {
		struct ic_range range = stream->reader.ranges.items[instance->first_range + i];
		uint32_t j = ic_stream_first_requested(stream, range.start);
		for (; j < wanted->count && wanted->addrs[j] < range.end; j++) {
			uint64_t bit = j < 64 ? 1ull << j : 0;
			found |= !(stream->covered & bit);
			stream->covered |= bit;
		}
	}
	return found;
}

// Whether the functions of all wanted addresses have been found: the rest of the unit cannot change
// them.
static bool is_answered(const struct ic_stream *stream)
{
	uint32_t count = stream->wanted.count;

	return count > 0 && count <= 64 && stream->covered == UINT64_MAX >> (64 - count) &&
	       innermost_scope(stream)->instance == IC_NONE;
}

static bool enter_unwanted(struct ic_stream *stream, const struct ic_instance *instance)
{
	struct open_scope scope = { .scope = IC_NONE, .instance = IC_NONE, .unwanted = true };

	stream->reader.ranges.count = instance->first_range;
	if (!enter_scope(stream, scope))
		return false;
	choose_kinds(stream);
	return true;
}

static bool take_host(struct ic_stream *stream)
{
	struct ic_instance instance = { .entry = IC_NO_ADDR,
					.parent = IC_NONE,
					.die_off = die_off_in_unit(stream),
					.call_file = IC_NONE,
					.kind = IC_INSTANCE_HOST };
	struct ic_pc pc = { .low_pc.form = 0 };
	struct ic_value value;

	for (uint16_t name; (name = ic_die_next(&stream->die, &value));) {
		switch (name) {
		case DW_AT_call_all_calls:
		case DW_AT_call_all_source_calls:
		case DW_AT_GNU_all_call_sites:
		case DW_AT_GNU_all_source_call_sites:
			instance.has_all_calls |= ic_value_constant(&value) != 0;
			break;
		default: ic_pc_take(&pc, name, &value); break;
		}
	}
	if (!finish_attrs(stream) || !declare_function(stream, innermost_scope(stream)->scope))
		return false;
	bool dead = ic_pc_resolve(&stream->reader, &pc, false, &instance, stream->die.off);
	if (!is_wanted(stream, &instance))
		return enter_unwanted(stream, &instance);
	// Its own DIE, even if that has an origin: each copy of a C++ constructor has its own
	// linkage name.
	instance.function = own_function(stream);
	if (!push_instance(stream, &instance, dead))
		return false;
	choose_kinds(stream);
	return true;
}

static bool take_declared(struct ic_stream *stream)
{
	const struct ic_read_options *want = &stream->reader.context->want;
	struct open_scope scope = { .scope = innermost_scope(stream)->scope, .instance = IC_NONE };
	struct ic_named_function named = { .name.form = 0 };
	bool wants_any = want->declarations || want->names_only;
	struct ic_value value;

	for (uint16_t name; (name = ic_die_next(&stream->die, &value));)
		if (wants_any)
			ic_named_function_take(&named, name, &value);
	if (!finish_attrs(stream))
		return false;
	bool is_wanted = wants_any && ic_named_function_may_be_wanted(stream, &named);
	if ((is_wanted || !want->names_only) && !declare_function(stream, scope.scope))
		return false;
	if (is_wanted)
		own_function(stream);
	else if (want->names_only)
		ic_named_function_keep(stream, &named, stream->die.off);
	return enter_scope(stream, scope);
}

// Finds the name of a class defined in a type unit, which may be only there.
static void seek_name(struct ic_stream *stream, uint32_t scope, uint64_t signature)
{
	struct ic_reference reference = { .unit = stream->reader.unit_index,
					  .number = scope,
					  .is_scope = true };

	if (!ic_units_find_type(stream->reader.context->listed, signature, &reference.off))
		return; // its object was not linked: {unnamed}
	if (!IC_ARRAY_ADD(&stream->references, reference))
		stream->reader.out_of_memory = true;
}

static bool take_scope(struct ic_stream *stream)
{
	struct open_scope scope = *innermost_scope(stream);
	struct ic_scope *place = IC_ARRAY_PUSH(&stream->built.scopes);
	struct ic_value value, signature = { .form = 0 };
	struct ic_error err;

	if (!place) {
		stream->reader.out_of_memory = true;
		return false;
	}
	*place = (struct ic_scope){ .parent = scope.scope,
				    .decl_file = IC_NONE,
				    .is_namespace = stream->die.tag == DW_TAG_namespace };
	scope.scope = stream->built.scopes.count - 1;
	for (uint16_t name; (name = ic_die_next(&stream->die, &value));) {
		if (name == DW_AT_signature)
			signature = value;
		else if (name == DW_AT_name &&
			 !ic_value_string(&value, stream->reader.unit, &place->name, &err))
			ic_reader_problem(&stream->reader, stream->die.off, &err);
		else if (name == DW_AT_decl_file)
			place->decl_file = ic_value_small(&value);
		else if (name == DW_AT_decl_line)
			place->decl_line = ic_value_small(&value);
	}
	if (!place->name && signature.form == DW_FORM_ref_sig8)
		seek_name(stream, scope.scope, signature.number);
	return finish_attrs(stream) && enter_scope(stream, scope);
}

// Reports that the next DIE cannot be read.
static void report_fault(struct ic_stream *stream)
{
	struct ic_error err;

	ic_walk_fault(&stream->walk, &err);
	ic_problems_add(&stream->reader.problems, &err, NULL, 0);
}

// Reads an address in code or, with `behind`, just after it: a call that does not return may be the
// last instruction of its section.
static uint64_t code_address(struct ic_stream *stream, const struct ic_value *value, bool behind)
{
	struct ic_error err;
	uint64_t addr;

	if (ic_value_address(value, stream->reader.unit, &addr, &err))
		return ic_pc_is_code(&stream->reader, addr - behind) ? addr : IC_NO_ADDR;
	ic_reader_problem(&stream->reader, stream->die.off, &err);
	return IC_NO_ADDR;
}

// A call that was not inlined: DW_TAG_call_site, or GNU's in DWARF 4, whose DW_AT_low_pc is the
// return address. Calls through pointers have no origin and are skipped.
static bool take_call(struct ic_stream *stream)
{
	struct ic_call call = { .return_addr = IC_NO_ADDR,
				.addr = IC_NO_ADDR,
				.parent = innermost_scope(stream)->instance,
				.die_off = die_off_in_unit(stream),
				.call_file = IC_NONE };
	struct ic_value value, origin = { .form = 0 }, file = { .form = 0 };
	struct ic_value back = { .form = 0 }, at = { .form = 0 };

	for (uint16_t name; (name = ic_die_next(&stream->die, &value));) {
		switch (name) {
		case DW_AT_call_origin:
		case DW_AT_abstract_origin: origin = value; break;
		case DW_AT_call_return_pc:
		case DW_AT_low_pc: back = value; break;
		case DW_AT_call_pc: at = value; break;
		case DW_AT_call_file: file = value; break;
		case DW_AT_call_line: call.call_line = ic_value_small(&value); break;
		case DW_AT_call_column: call.call_column = ic_value_small(&value); break;
		case DW_AT_call_tail_call:
		case DW_AT_GNU_tail_call: call.is_tail = ic_value_constant(&value) != 0; break;
		}
	}
	if (!finish_attrs(stream))
		return false;
	if (!ic_value_is_given(&origin) || innermost_scope(stream)->dead)
		return true;
	call.function = function_referred_to(stream, &origin);
	if (ic_value_is_given(&file))
		call.call_file = ic_decl_file_of(&stream->reader, &file, stream->die.off);
	call.return_addr = ic_value_is_given(&back) ? code_address(stream, &back, true)
						    : IC_NO_ADDR;
	call.addr = ic_value_is_given(&at) ? code_address(stream, &at, false) : IC_NO_ADDR;

	struct ic_call *place = IC_ARRAY_PUSH(&stream->built.calls);
	if (place)
		*place = call;
	else
		stream->reader.out_of_memory = true;
	return place != NULL;
}

// Records a parameter of the innermost instance, to be read on demand. Those of types and blocks
// inside it are not its own.
static bool take_parameter(struct ic_stream *stream)
{
	const struct open_scope *around = innermost_scope(stream);
	const struct ic_walk *walk = &stream->walk;

	if (around->instance != IC_NONE && around->depth == walk->depth) {
		struct ic_parameter_die *place = IC_ARRAY_PUSH(&stream->built.parameters);
		const uint8_t *unit = walk->unit->dwarf->info.data + walk->unit->off;
		if (!place) {
			stream->reader.out_of_memory = true;
			return false;
		}
		*place = (struct ic_parameter_die){ around->instance,
						    (uint32_t)(walk->entry - unit) };
	}
	if (ic_walk_skip(&stream->walk))
		return true;
	report_fault(stream);
	return false;
}

// A unit has only one DIE that is not inside another (DWARF 5, 7.5). If there are more, some
// children have lost their parent.
static void check_depth(struct ic_stream *stream)
{
	struct ic_error err;

	if (stream->walk.depth > 0 || stream->die.off == stream->reader.unit->die_off ||
	    stream->has_stray)
		return;
	stream->has_stray = true;
	ic_fail(&err, IC_ERROR_MALFORMED, "DIE without a parent");
	ic_reader_problem(&stream->reader, stream->die.off, &err);
}

static bool take_entry(struct ic_stream *stream)
{
	if (stream->walk.step->kind == IC_TAG_PARAMETER)
		return take_parameter(stream);
	ic_die_at_walk(&stream->die, &stream->walk);
	check_depth(stream);
	switch ((enum ic_tag_kind)stream->walk.step->kind) {
	case IC_TAG_CALL: return take_call(stream);
	case IC_TAG_SCOPE: return take_scope(stream);
	case IC_TAG_DECLARED: return take_declared(stream);
	case IC_TAG_PARAMETER: break;
	case IC_TAG_INLINED: return take_inlined(stream);
	case IC_TAG_HOST:
		return stream->reader.context->want.names_only ? take_declared(stream)
							       : take_host(stream);
	}
	return true;
}

bool ic_unit_event(struct ic_stream *stream, enum ic_walk_event event)
{
	switch (event) {
	case IC_WALK_ON: return true;
	case IC_WALK_ENTRY: return take_entry(stream) && !stream->reader.out_of_memory;
	case IC_WALK_LEAVE: leave_scope(stream); return !is_answered(stream);
	case IC_WALK_END: return false;
	case IC_WALK_FAULT: report_fault(stream); return false;
	}
	return false;
}

static void build_unit(struct ic_stream *stream)
{
	if (!stream->reader.table)
		return;
	ic_functions_read(stream);
	ic_named_functions_add(stream);
	if (stream->built.calls.count > 0 && !stream->reader.context->want.without_call_lines)
		ic_calls_place(&stream->reader, stream->built.calls.items,
			       stream->built.calls.count);
}

static bool has_code(const struct ic_stream *stream)
{
	const struct ic_unit *unit = ic_unit_lines_unit(&stream->reader);

	return stream->built.instances.count > 0 || unit->root.has_low_pc ||
	       unit->root.has_ranges || unit->root.has_only_lines;
}

static void read_rows(struct ic_stream *stream)
{
	if (stream->reader.table && has_code(stream))
		ic_unit_rows_read(stream);
}

const struct ic_unit_source ic_unit_source_dies = {
	.has_dies = true,
	.list = ic_unit_list_parse,
	.open = open_dies,
	.claim = ic_unit_claim_by_root,
	.walk = begin_walk,
	.build = build_unit,
	.rows = read_rows,
};
