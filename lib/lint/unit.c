#include "lint/unit.h"

#include <string.h>

#include "lint/code.h"
#include "lint/origin.h"
#include "read/lines.h"
#include "read/stream.h" // IC_DEEPEST_NESTING

enum { // where the walk stops
	KIND_FUNCTION = IC_KIND_FIRST,
	KIND_INLINED = IC_KIND_FIRST << 1,
	KIND_BLOCK = IC_KIND_FIRST << 2,
	KIND_FORMAL = IC_KIND_FIRST << 3,
	KIND_VARIABLE = IC_KIND_FIRST << 4,
};

static bool wants_all(uint16_t tag)
{
	(void)tag;
	return true;
}

// Keeps the attributes of all tags, because an origin may lead to any of them.
static uint8_t classify_abbrev(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs,
			       const void *context)
{
	(void)specs;
	(void)context;
	switch (abbrev->tag) {
	case DW_TAG_subprogram: return KIND_FUNCTION;
	case DW_TAG_inlined_subroutine: return KIND_INLINED;
	case DW_TAG_lexical_block: return KIND_BLOCK;
	case DW_TAG_formal_parameter: return KIND_FORMAL;
	case DW_TAG_variable: return KIND_VARIABLE;
	}
	return IC_KIND_PASSED;
}

const struct ic_abbrev_reader ic_lint_tags = { wants_all, classify_abbrev, NULL };

// ---- DIEs

// Reads the DIE at which the walk stopped. False if not all of it can be read.
static bool read_die(struct ic_lint_checker *checker, struct ic_lint_die *read)
{
	struct ic_value value;
	struct ic_error err;
	struct ic_die die;

	ic_die_at_walk(&die, &checker->walk);
	*read = (struct ic_lint_die){ .off = die.off,
				      .tag = die.tag,
				      .has_children = die.has_children };
	for (uint16_t name; (name = ic_die_next(&die, &value));) {
		switch (name) {
		case DW_AT_name: read->name = value; break;
		case DW_AT_abstract_origin: read->origin = value; break;
		case DW_AT_specification: read->specification = value; break;
		case DW_AT_inline: read->inlined = value; break;
		case DW_AT_low_pc: read->low_pc = value; break;
		case DW_AT_high_pc: read->high_pc = value; break;
		case DW_AT_ranges: read->ranges = value; break;
		case DW_AT_entry_pc: read->entry_pc = value; break;
		case DW_AT_call_file: read->call_file = value; break;
		case DW_AT_call_line: read->call_line = value; break;
		}
	}
	if (!ic_cursor_ok(&die.cur, &err)) {
		ic_reader_problem(checker->reader, die.off, &err);
		return false;
	}
	ic_walk_pass(&checker->walk, die.cur.pos);
	return true;
}

static bool has_code(const struct ic_lint_die *die)
{
	return ic_value_is_given(&die->low_pc) || ic_value_is_given(&die->ranges);
}

static struct ic_lint_scope *innermost_scope(struct ic_lint_checker *checker)
{
	return checker->scopes.count > 0 ? &checker->scopes.items[checker->scopes.count - 1] : NULL;
}

// The enclosing function or copy, not a block.
static struct ic_lint_scope *host_of(struct ic_lint_checker *checker)
{
	for (uint32_t i = checker->scopes.count; i-- > 0;)
		if (checker->scopes.items[i].tag != DW_TAG_lexical_block)
			return &checker->scopes.items[i];
	return NULL;
}

// Enters a DIE with children. False if it is nested too deep, or memory runs out.
static bool enter_scope(struct ic_lint_checker *checker, struct ic_lint_scope scope)
{
	struct ic_error err;

	scope.depth = checker->walk.leave_depth = checker->walk.depth;
	scope.first_copy = checker->copies.count;
	scope.first_seen = checker->seen.count;
	if (checker->scopes.count == IC_DEEPEST_NESTING) {
		ic_fail(&err, IC_ERROR_MALFORMED, "DIEs are nested more than %d deep",
			IC_DEEPEST_NESTING);
		ic_reader_problem(checker->reader, scope.off, &err);
		return false;
	}
	if (!IC_ARRAY_ADD(&checker->scopes, scope)) {
		checker->reader->out_of_memory = true;
		return false;
	}
	return true;
}

static void leave_scope(struct ic_lint_checker *checker)
{
	struct ic_lint_scope *scope;
	struct ic_error err;

	while ((scope = innermost_scope(checker)) && scope->depth > checker->walk.depth) {
		// The copies in a block are those of its host.
		if (scope->tag != DW_TAG_lexical_block)
			ic_lint_code_end_scope(checker, scope);
		checker->seen.count = scope->first_seen;
		if (scope->range_count > 0 && scope->tag != DW_TAG_lexical_block)
			checker->ranges.count = scope->first_range;
		checker->scopes.count--;
	}
	checker->walk.leave_depth = scope ? scope->depth : 0;
	if (checker->walk.depth < 0 && !ic_walk_pass_padding(&checker->walk, &err))
		ic_problems_add(&checker->reader->problems, &err, NULL, 0);
}

static bool take_function(struct ic_lint_checker *checker, const struct ic_lint_die *die)
{
	const struct ic_lint_scope *around = innermost_scope(checker);
	struct ic_lint_scope scope = { .off = die->off,
				       .tag = die->tag,
				       .first_range = checker->ranges.count,
				       .target = IC_NONE };
	bool is_origin_given = ic_value_is_given(&die->origin) ||
			       ic_value_is_given(&die->specification);

	// DW_INL_not_inlined does not mark an abstract instance (DWARF 5, 3.3.8.1).
	scope.is_abstract = ic_value_is_given(&die->inlined) &&
			    ic_value_constant(&die->inlined) != 0;
	if (ic_value_constant(&die->inlined) > 3)
		ic_lint_found(checker, IC_LINT_RULE_INLINE_VALUE, die, IC_NONE, "DW_AT_inline %llu",
			      (unsigned long long)ic_value_constant(&die->inlined));
	scope.is_abstract |= around && around->is_abstract && !has_code(die);
	if (is_origin_given) {
		scope.target = ic_lint_origin_of(checker, die);
		ic_lint_origin_check_tag(checker, die, scope.target);
	}
	if (scope.is_abstract && has_code(die))
		ic_lint_found(checker, IC_LINT_RULE_ABSTRACT_CODE, die, scope.target,
			      "has both DW_AT_inline and code");
	if (has_code(die) && !ic_lint_code_read(checker, die, &scope))
		scope.is_dead = true;
	else
		ic_lint_code_check_function(checker, die, &scope);
	// Only an out-of-line instance has the parameters of its origin.
	if (!ic_value_is_given(&die->origin) || !has_code(die))
		scope.target = IC_NONE;
	if (die->has_children)
		return enter_scope(checker, scope);
	checker->ranges.count = scope.first_range;
	return true;
}

static void check_call(struct ic_lint_checker *checker, const struct ic_lint_die *die,
		       uint32_t function)
{
	const struct ic_line_header *header = &checker->reader->lines.header;
	bool has_file = ic_value_is_given(&die->call_file);
	uint64_t file = ic_value_constant(&die->call_file);

	if (!has_file || !ic_value_is_given(&die->call_line)) {
		ic_lint_found(checker, IC_LINT_RULE_CALL_LINE_MISSING, die, function,
			      has_file ? "no DW_AT_call_line" : "no DW_AT_call_file");
		return;
	}
	if (ic_value_constant(&die->call_line) == 0)
		ic_lint_found(checker, IC_LINT_RULE_CALL_LINE_ZERO, die, function,
			      "DW_AT_call_line 0");
	if (!ic_unit_lines_unit(checker->reader)->root.has_stmt_list)
		return;
	ic_unit_lines_read(checker->reader);
	if (header->files.count > 0 && file >= header->files.count)
		ic_lint_found(checker, IC_LINT_RULE_FILE_NUMBER, die, function,
			      "DW_AT_call_file %llu is not in the line table",
			      (unsigned long long)file);
}

static bool take_inlined(struct ic_lint_checker *checker, const struct ic_lint_die *die)
{
	const struct ic_lint_scope *host = host_of(checker);
	struct ic_lint_scope scope = { .off = die->off,
				       .tag = die->tag,
				       .first_range = checker->ranges.count,
				       .target = ic_lint_origin_of(checker, die) };

	ic_lint_origin_check_tag(checker, die, scope.target);
	ic_lint_origin_check_function(checker, die, scope.target);
	if (!host) {
		ic_lint_found(checker, IC_LINT_RULE_INLINED_OUTSIDE, die, scope.target,
			      "not in a function");
		return !die->has_children || enter_scope(checker, scope);
	}
	scope.is_abstract = host->is_abstract;
	scope.is_dead = host->is_dead;
	if (scope.is_abstract) {
		if (has_code(die))
			ic_lint_found(checker, IC_LINT_RULE_ABSTRACT_CODE, die, scope.target,
				      "code in the abstract instance 0x%llx",
				      (unsigned long long)host->off);
	} else if (!scope.is_dead) {
		struct ic_lint_scope in = *host; // a copy, as it may move
		check_call(checker, die, scope.target);
		if (ic_lint_code_read(checker, die, &scope)) {
			checker->unit->copies++;
			ic_lint_code_check_copy(checker, die, &in, &scope);
		} else {
			scope.is_dead = true;
		}
	}
	if (!die->has_children) {
		checker->ranges.count = scope.first_range;
		return true;
	}
	return enter_scope(checker, scope);
}

// Checks the origin of a DIE that is not a function, and returns it; IC_NONE if it has none.
static uint32_t check_origin(struct ic_lint_checker *checker, const struct ic_lint_die *die)
{
	if (!ic_value_is_given(&die->origin))
		return IC_NONE;
	uint32_t origin = ic_lint_origin_of(checker, die);
	ic_lint_origin_check_tag(checker, die, origin);
	return origin;
}

// A block without code of its own has that of the enclosing scope.
static bool take_block(struct ic_lint_checker *checker, const struct ic_lint_die *die)
{
	const struct ic_lint_scope *around = innermost_scope(checker);
	struct ic_lint_scope scope = { .off = die->off, .tag = die->tag, .target = IC_NONE };

	(void)check_origin(checker, die);
	if (around) {
		scope.is_abstract = around->is_abstract;
		scope.is_dead = around->is_dead;
	}
	return !die->has_children || enter_scope(checker, scope);
}

static void take_formal(struct ic_lint_checker *checker, const struct ic_lint_die *die,
			int32_t depth)
{
	struct ic_lint_scope *scope = innermost_scope(checker);
	uint32_t origin = check_origin(checker, die);

	// Parameters of types and of blocks are not the scope's own.
	if (scope && scope->depth == depth && scope->target != IC_NONE && !scope->is_abstract)
		ic_lint_origin_check_formal(checker, die, scope, origin);
}

static bool take_entry(struct ic_lint_checker *checker)
{
	uint8_t kind = checker->walk.step->kind;
	int32_t depth = checker->walk.depth;
	struct ic_lint_die die;

	if (!read_die(checker, &die))
		return false;
	switch (kind) {
	case KIND_FUNCTION: return take_function(checker, &die);
	case KIND_INLINED: return take_inlined(checker, &die);
	case KIND_BLOCK: return take_block(checker, &die);
	case KIND_FORMAL: take_formal(checker, &die, depth); break;
	case KIND_VARIABLE: (void)check_origin(checker, &die); break;
	}
	return true;
}

static void walk_unit(struct ic_lint_checker *checker)
{
	struct ic_error err;

	ic_walk_init(&checker->walk, checker->reader->unit, checker->table);
	while (!checker->reader->out_of_memory) {
		switch (ic_walk_step(&checker->walk)) {
		case IC_WALK_ON: break;
		case IC_WALK_LEAVE: leave_scope(checker); break;
		case IC_WALK_END: return;
		case IC_WALK_ENTRY:
			if (!take_entry(checker))
				return;
			break;
		case IC_WALK_FAULT:
			if (!ic_walk_fault(&checker->walk, &err))
				ic_problems_add(&checker->reader->problems, &err, NULL, 0);
			return;
		}
	}
}

// ---- Units

// Reads the ranges of the unit, and *producer, NULL if there is none.
static void read_root(struct ic_lint_checker *checker, const char **producer)
{
	const struct ic_unit *unit = checker->reader->unit;
	struct ic_lint_die root = { .off = unit->die_off };
	struct ic_value value;
	struct ic_error err;
	struct ic_die die;

	if (!ic_die_open(&die, unit, checker->table, unit->die_off, &err))
		return;
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		switch (name) {
		case DW_AT_producer:
			if (!ic_value_string(&value, unit, producer, &err))
				*producer = NULL;
			break;
		case DW_AT_low_pc: root.low_pc = value; break;
		case DW_AT_high_pc: root.high_pc = value; break;
		case DW_AT_ranges: root.ranges = value; break;
		}
	ic_lint_code_read_unit(checker, &root);
}

// DW_AT_producer without its options: "GNU C17 12.2.0" for "GNU C17 12.2.0 -mtune=generic -O2".
static const char *without_options(struct ic_lint_checker *checker, const char *text)
{
	const char *options = strstr(text, " -");
	size_t length = options ? (size_t)(options - text) : strcspn(text, ";");
	char *copy = ic_arena_alloc(checker->reader->arena, length + 1);
	if (!copy) {
		checker->reader->out_of_memory = true;
		return NULL;
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

static bool find_table(struct ic_lint_checker *checker, uint32_t number)
{
	struct ic_reader *reader = checker->reader;
	struct ic_error err;

	checker->table = ic_shared_table_of(checker->tables, &reader->context->units, number, false,
					    &checker->own, &err);
	if (!checker->table)
		ic_reader_problem(reader, reader->unit->off, &err);
	return checker->table != NULL;
}

static void forget_unit(struct ic_lint_checker *checker)
{
	checker->scopes.count = checker->ranges.count = checker->copies.count = 0;
	checker->targets.count = checker->formals.count = checker->seen.count = 0;
	checker->kept.count = 0;
	ic_map_clear(&checker->target_of);
	checker->dies.reader = checker->reader;
	checker->dies.count = 0;
	checker->dies.most = UINT32_MAX;
	ic_lint_code_begin(checker);
}

void ic_lint_unit_check(struct ic_lint_checker *checker, uint32_t number, struct ic_lint_unit *unit)
{
	struct ic_reader *reader = checker->reader;
	const char *producer = NULL;

	checker->unit = unit;
	if (ic_reader_open(reader, number) && find_table(checker, number)) {
		forget_unit(checker);
		read_root(checker, &producer);
		unit->producer = producer ? without_options(checker, producer) : NULL;
		walk_unit(checker);
		unit->kept_count = checker->kept.count;
		unit->kept = ic_arena_copy(reader->arena, checker->kept.items, checker->kept.count,
					   sizeof(*checker->kept.items));
		reader->out_of_memory |= !unit->kept;
	}
	struct ic_problems found = ic_reader_problems_take(reader);
	ic_problems_append(&unit->problems, &found);
}
