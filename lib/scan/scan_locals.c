#include "scan/scan_locals.h"

#include "dwarf/constants.h"
#include "scan/scan_lines.h"
#include "scan/scan_units.h"

enum { // tags that nothing else looks into (DWARF 5, 7.5.3)
	TAG_ARRAY = 0x01,
	TAG_FORMAL_PARAMETER = 0x05,
	TAG_POINTER = 0x0f,
	TAG_REFERENCE = 0x10,
	TAG_SUBROUTINE_TYPE = 0x15,
	TAG_PTR_TO_MEMBER = 0x1f,
	TAG_SUBRANGE = 0x21,
	TAG_VARIABLE = 0x34,
	TAG_RVALUE_REFERENCE = 0x42,
};

enum { // operations (DWARF 5, 7.7.1)
	OP_DEREF = 0x06,
	OP_REG0 = 0x50,
	OP_REG31 = 0x6f,
	OP_BREG0 = 0x70,
	OP_FBREG = 0x91,
};

enum {
	MOST_LINKS = 32,     // from a DIE to the one that says more, and from a type to its own
	MOST_DIES = 1 << 20, // that one function may have, with the types of its variables
	TABLES = 4,
};

struct place { // of a DIE
	struct ic_unit *unit;
	uint64_t off; // in its section
};

struct attrs { // of a DIE, as far as they matter here; not given where the form is 0
	struct ic_value name, type, origin, specification, byte_size, count, lower, upper,
		tag_offset;
	struct ic_value decl_file, decl_line, lists_base;
	// These, from their bytes on.
	struct ic_cursor location, frame_base;
	const struct ic_attr_spec *location_spec, *frame_base_spec; // NULL if not given
};

struct entry {
	struct ic_die die; // behind its attributes
	struct attrs attrs;
};

struct unit_table { // all tags of a unit
	const struct ic_unit *unit;
	struct ic_abbrev_table table;
	uint64_t lists_base;
};

struct search {
	struct ic_scan_stream *stream; // of the unit
	const struct ic_location_sections *sections;
	struct ic_scan_locals *locals;
	struct unit_table tables[TABLES];
	uint32_t next_table, dies;
};

struct level { // that the walk is inside of
	const char *function;
	int frame_register; // that is the frame base, -1 if it is none
};

// ---- DIEs

static bool wants_all(uint16_t tag)
{
	(void)tag;
	return true;
}

static uint8_t classify_all(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs,
			    const void *context)
{
	(void)abbrev;
	(void)specs;
	(void)context;
	return IC_KIND_FIRST;
}

static void read_attrs(struct entry *entry)
{
	struct ic_die *die = &entry->die;
	struct attrs *attrs = &entry->attrs;
	struct ic_value value;

	*attrs = (struct attrs){ .location_spec = NULL };
	for (;;) {
		struct ic_cursor before = die->cur;
		const struct ic_attr_spec *spec = die->spec;
		switch (ic_die_next(die, &value)) {
		case 0: return;
		case DW_AT_name: attrs->name = value; break;
		case DW_AT_type: attrs->type = value; break;
		case DW_AT_abstract_origin: attrs->origin = value; break;
		case DW_AT_specification: attrs->specification = value; break;
		case DW_AT_byte_size: attrs->byte_size = value; break;
		case DW_AT_count: attrs->count = value; break;
		case DW_AT_lower_bound: attrs->lower = value; break;
		case DW_AT_upper_bound: attrs->upper = value; break;
		case DW_AT_decl_file: attrs->decl_file = value; break;
		case DW_AT_decl_line: attrs->decl_line = value; break;
		case DW_AT_LLVM_tag_offset: attrs->tag_offset = value; break;
		case DW_AT_loclists_base: attrs->lists_base = value; break;
		case DW_AT_location:
			attrs->location = before;
			attrs->location_spec = spec;
			break;
		case DW_AT_frame_base:
			attrs->frame_base = before;
			attrs->frame_base_spec = spec;
			break;
		}
	}
}

static bool parse_table(struct unit_table *table, struct ic_unit *unit,
			struct ic_problems *problems, struct ic_error *err)
{
	const struct ic_abbrev_reader reader = { wants_all, classify_all, NULL };
	struct ic_bytes section = unit->dwarf->abbrev;
	uint64_t size = unit->abbrev_off < section.size ? section.size - unit->abbrev_off : 1;
	struct ic_cursor cur =
		ic_cursor_at(section, ".debug_abbrev", unit->abbrev_off, size, unit->dwarf->swap);
	struct entry root;

	table->unit = NULL;
	if (!ic_unit_check(unit, err) ||
	    !ic_abbrev_table_parse(&table->table, &cur, unit, &reader, err) ||
	    !ic_unit_read_root(unit, &table->table, problems, err) ||
	    !ic_die_open(&root.die, unit, &table->table, unit->die_off, err))
		return false;
	read_attrs(&root);
	table->unit = unit;
	table->lists_base = unit->offset_size == 8 ? 20 : 12; // behind the header of the first
	if (ic_value_is_given(&root.attrs.lists_base))
		return ic_value_offset(&root.attrs.lists_base, &table->lists_base, err);
	return true;
}

// The table of a unit, of the last few that were asked for.
static struct unit_table *table_of(struct search *search, struct ic_unit *unit,
				   struct ic_error *err)
{
	for (uint32_t i = 0; i < TABLES; i++)
		if (search->tables[i].unit == unit)
			return &search->tables[i];
	struct unit_table *table = &search->tables[search->next_table++ % TABLES];
	return parse_table(table, unit, &search->stream->problems, err) ? table : NULL;
}

static void add_problem(struct search *search, struct place place, const struct ic_error *err)
{
	search->stream->problems.file = place.unit->dwarf->file;
	ic_scan_problem(search->stream, place.off, err);
	search->stream->out_of_memory |= err->code == IC_ERROR_MEMORY;
}

// Opens a DIE and reads its attributes. False after a problem.
static bool open_entry(struct search *search, struct place place, struct entry *entry)
{
	struct ic_error err;
	struct unit_table *table = table_of(search, place.unit, &err);

	if (table && search->dies++ == MOST_DIES) {
		ic_fail(&err, IC_ERROR_MALFORMED,
			"the function has more variables, or longer types, than are read");
		table = NULL;
	}
	if (table && ic_die_open(&entry->die, place.unit, &table->table, place.off, &err)) {
		read_attrs(entry);
		if (ic_cursor_ok(&entry->die.cur, &err))
			return true;
	}
	if (search->dies <= MOST_DIES + 1)
		add_problem(search, place, &err);
	return false;
}

// Where a reference leads. False without a reference; what leads nowhere is a problem.
static bool find_place(struct search *search, const struct ic_value *value, struct place *place)
{
	const struct ic_scan_context *context = search->stream->context;
	uint64_t off = 0;
	struct ic_error err;
	bool found;

	if (!ic_value_is_given(value))
		return false;
	if (value->form == DW_FORM_ref_sig8)
		found = ic_scan_units_find_type(context, value->number, &off) ||
			ic_fail(&err, IC_ERROR_MALFORMED, "no unit has the type that is meant");
	else
		found = ic_value_reference(value, place->unit, &off, &err);
	const struct ic_unit *unit = found ? ic_unit_list_find(&context->units, off) : NULL;
	if (found && !unit)
		ic_fail(&err, IC_ERROR_MALFORMED, "a reference leads to no unit");
	if (!unit) {
		add_problem(search, *place, &err);
		return false;
	}
	place->unit = &context->units.units.items[unit - context->units.units.items];
	place->off = off - unit->dwarf->info_base;
	return true;
}

// Calls back for what is below a DIE of which the attributes were read, as long as that returns
// true; it may go on with the DIE's own, so that `entry` is a copy.
static bool next_below(struct search *search, struct place *place, struct entry *entry, int *depth)
{
	struct ic_cursor cur =
		ic_unit_cursor(place->unit, (uint64_t)(entry->die.cur.pos - entry->die.cur.begin));

	*depth += entry->die.has_children;
	while (*depth > 0 && ic_cursor_more(&cur) && *cur.pos == 0) {
		ic_cursor_u8(&cur);
		--*depth;
	}
	if (*depth <= 0)
		return false;
	place->off = ic_cursor_off(&cur);
	return open_entry(search, *place, entry);
}

// ---- What they say

static const char *text_of(struct search *search, struct place place, const struct ic_value *value)
{
	const char *text = NULL;
	struct ic_error err;

	if (ic_value_is_given(value) && !ic_value_string(value, place.unit, &text, &err))
		add_problem(search, place, &err);
	return text;
}

// The name of a function, which may be with its declaration.
static const char *function_name(struct search *search, struct place place, struct entry entry)
{
	for (unsigned i = 0; i < MOST_LINKS; i++) {
		if (ic_value_is_given(&entry.attrs.name))
			return text_of(search, place, &entry.attrs.name);
		const struct ic_value *link = ic_value_is_given(&entry.attrs.origin)
						      ? &entry.attrs.origin
						      : &entry.attrs.specification;
		if (!find_place(search, link, &place) || !open_entry(search, place, &entry))
			return NULL;
	}
	return NULL;
}

static bool constant_of(const struct ic_value *value, uint64_t *number)
{
	*number = ic_value_constant(value);
	return value->class == IC_FORM_CLASS_CONSTANT;
}

// Multiplies by the counts of an array's dimensions; `place` and `entry` are those of the array.
static uint64_t count_elements(struct search *search, struct place place, struct entry entry,
			       uint64_t size)
{
	uint64_t number, lower;
	int depth = 0;

	while (next_below(search, &place, &entry, &depth)) {
		if (entry.die.tag != TAG_SUBRANGE || depth != 1)
			continue;
		if (constant_of(&entry.attrs.count, &number))
			size *= number;
		if (!constant_of(&entry.attrs.lower, &lower))
			lower = 0;
		if (constant_of(&entry.attrs.upper, &number))
			size *= number - lower + 1;
	}
	return size;
}

// The size of the type that a value refers to, in bytes.
static bool size_of(struct search *search, struct place place, const struct ic_value *type,
		    unsigned links, uint64_t *size)
{
	struct entry entry;
	uint64_t addr_size = place.unit->addr_size;

	if (links == MOST_LINKS || !find_place(search, type, &place) ||
	    !open_entry(search, place, &entry))
		return false;
	if (constant_of(&entry.attrs.byte_size, size))
		return true;
	struct place base = place;
	struct entry base_entry;
	switch (entry.die.tag) {
	case TAG_POINTER:
	case TAG_REFERENCE:
	case TAG_RVALUE_REFERENCE: *size = addr_size; return true;
	case TAG_PTR_TO_MEMBER: // of a function, two words
		*size = find_place(search, &entry.attrs.type, &base) &&
					open_entry(search, base, &base_entry) &&
					base_entry.die.tag == TAG_SUBROUTINE_TYPE
				? 2 * addr_size
				: addr_size;
		return true;
	case TAG_ARRAY:
		if (!size_of(search, place, &entry.attrs.type, links + 1, size))
			return false;
		*size = count_elements(search, place, entry, *size);
		return true;
	}
	return size_of(search, place, &entry.attrs.type, links + 1, size);
}

// ---- Places in the frame

// The register that is a function's frame base; -1 if another thing is.
static int frame_register(const struct entry *entry)
{
	struct ic_cursor cur = entry->attrs.frame_base;

	if (!entry->attrs.frame_base_spec ||
	    entry->attrs.frame_base_spec->class != IC_FORM_CLASS_BLOCK)
		return -1;
	struct ic_cursor block = ic_block_read(&cur, entry->attrs.frame_base_spec->form);
	uint8_t op = ic_cursor_u8(&block);
	return op >= OP_REG0 && op <= OP_REG31 ? op - OP_REG0 : -1;
}

// Whether an expression is an offset from the frame base, or what is there (Fortran's arrays).
static bool frame_offset(struct ic_cursor expression, int frame_register, int64_t *offset)
{
	uint8_t op = ic_cursor_u8(&expression);

	if (op != OP_FBREG && (frame_register < 0 || op != OP_BREG0 + frame_register))
		return false;
	*offset = ic_cursor_sleb(&expression);
	if (ic_cursor_more(&expression) && ic_cursor_u8(&expression) != OP_DEREF)
		return false;
	return !expression.fault && !ic_cursor_more(&expression);
}

static void locate(struct search *search, struct place place, const struct entry *entry,
		   const struct level *level, struct ic_local *local)
{
	const struct ic_attr_spec *spec = entry->attrs.location_spec;
	struct ic_cursor expression;
	struct ic_locations locations;
	struct ic_error err;

	if (!spec)
		return;
	const struct unit_table *table = table_of(search, place.unit, &err);
	bool ok = table != NULL;
	if (ok && place.unit->dwarf->file && spec->class != IC_FORM_CLASS_BLOCK)
		ok = ic_fail(&err, IC_ERROR_UNSUPPORTED,
			     "a location list in another file, which is not read");
	ok = ok && ic_locations_open(&locations, entry->attrs.location, spec, place.unit,
				     search->sections, table->lists_base, &err);
	while (ok && !local->has_frame_offset && ic_locations_next(&locations, &expression))
		local->has_frame_offset =
			frame_offset(expression, level->frame_register, &local->frame_offset);
	if (!ok || !ic_locations_ok(&locations, &err))
		add_problem(search, place, &err);
}

static void declare(struct search *search, struct place place, const struct entry *entry,
		    struct ic_local *local)
{
	struct ic_scan_stream *stream = search->stream;

	local->name = text_of(search, place, &entry->attrs.name);
	local->has_size = size_of(search, place, &entry->attrs.type, 0, &local->size);
	local->decl_line = ic_value_small(&entry->attrs.decl_line);
	// The numbers of files are those of the unit's own table.
	if (place.unit != stream->unit || !ic_value_is_given(&entry->attrs.decl_file))
		return;
	uint32_t file = ic_scan_file_of(stream, &entry->attrs.decl_file, place.off);
	if (file != IC_NONE)
		local->decl_file = stream->files.items[file];
}

static bool add_local(struct search *search, struct place place, const struct entry *entry,
		      const struct level *level)
{
	struct ic_local *local = IC_ARRAY_PUSH(&search->locals->list);
	struct entry origin;

	if (!local)
		return false;
	*local = (struct ic_local){ .function = level->function };
	local->has_tag_offset = constant_of(&entry->attrs.tag_offset, &local->tag_offset);
	locate(search, place, entry, level, local);
	if (find_place(search, &entry->attrs.origin, &place)) {
		if (open_entry(search, place, &origin))
			declare(search, place, &origin, local);
	} else {
		declare(search, place, entry, local);
	}
	return true;
}

// ---- The walk

// A function that was inlined: what it is called, its origin says.
static struct level level_of(struct search *search, struct place place, const struct entry *entry)
{
	return (struct level){ .function = function_name(search, place, *entry),
			       .frame_register = frame_register(entry) };
}

static bool walk(struct search *search, struct place place)
{
	IC_ARRAY(struct level) levels = { .items = NULL };
	struct entry entry;
	int depth = 0;
	bool ok = true;

	if (!open_entry(search, place, &entry))
		return true;
	struct level level = level_of(search, place, &entry);
	do {
		struct level own = level;
		levels.count = (uint32_t)depth;
		if (depth > 0)
			own = levels.items[depth - 1];
		if (depth > 0 && entry.die.tag == DW_TAG_inlined_subroutine)
			own = level_of(search, place, &entry);
		if (entry.die.tag == TAG_VARIABLE || entry.die.tag == TAG_FORMAL_PARAMETER)
			ok = add_local(search, place, &entry, &own);
		struct level *kept = depth < SCAN_DEEPEST ? IC_ARRAY_PUSH(&levels) : NULL;
		ok = ok && kept;
		if (ok)
			*kept = own;
	} while (ok && next_below(search, &place, &entry, &depth));
	IC_ARRAY_FREE(&levels);
	return ok || depth >= SCAN_DEEPEST;
}

bool ic_scan_locals_find(struct ic_scan_locals *locals, struct ic_scan *scan, uint32_t unit,
			 uint32_t die_off, const struct ic_location_sections *sections,
			 struct ic_problems *problems, struct ic_error *err)
{
	ic_scan_prepare(scan);
	struct ic_scan_stream *stream = &scan->workers[0].streams[0];
	struct search search = { .stream = stream, .sections = sections, .locals = locals };
	bool ok = true;

	bool is_open = ic_scan_unit_open(stream, unit);
	struct ic_problems said = ic_scan_problems_take(stream); // when the unit was decoded
	IC_ARRAY_FREE(&said.list);
	if (is_open)
		ok = walk(&search, (struct place){ stream->unit, stream->unit->off + die_off });
	for (uint32_t i = 0; i < TABLES; i++)
		ic_abbrev_table_free(&search.tables[i].table);
	struct ic_problems of_unit = ic_scan_problems_take(stream);
	ic_problems_append(problems, &of_unit);
	return (ok && !stream->out_of_memory) || ic_fail_memory(err);
}

void ic_scan_locals_free(struct ic_scan_locals *locals)
{
	IC_ARRAY_FREE(&locals->list);
}
