#include "read/function.h"

#include "base/search.h"
#include "read/lines.h"
#include "text/clone_name.h"

enum { MOST_LINKS = 16 }; // from an instance to the name of its function; more means a cycle

uint32_t ic_function_of(struct ic_stream *stream, uint64_t die_off)
{
	uint32_t *place = ic_map_at(&stream->function_of, die_off);

	if (place && *place != IC_NONE)
		return *place;
	struct ic_function *function = place ? IC_ARRAY_PUSH(&stream->built.functions) : NULL;
	if (!function) {
		stream->reader.out_of_memory = true;
		return IC_NONE;
	}
	*function = (struct ic_function){ .die_off = die_off,
					  .scope = IC_NONE,
					  .inlining = IC_INLINING_ABSENT };
	return *place = stream->built.functions.count - 1;
}

// The contents of one DIE of a function, and a reference to the next one.
struct function_entry {
	struct ic_value name, linkage_name, decl_file, decl_line, decl_column;
	struct ic_value inlining, origin, specification;
};

static void take_attr(struct function_entry *entry, uint16_t name, const struct ic_value *value)
{
	switch (name) {
	case DW_AT_name: entry->name = *value; break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name: entry->linkage_name = *value; break;
	case DW_AT_decl_file: entry->decl_file = *value; break;
	case DW_AT_decl_line: entry->decl_line = *value; break;
	case DW_AT_decl_column: entry->decl_column = *value; break;
	case DW_AT_inline: entry->inlining = *value; break;
	case DW_AT_abstract_origin: entry->origin = *value; break;
	case DW_AT_specification: entry->specification = *value; break;
	}
}

static void read_string(struct ic_stream *stream, const struct ic_value *value, const char **text,
			uint64_t die_off)
{
	struct ic_error err;

	if (!ic_value_string(value, stream->reader.unit, text, &err))
		ic_reader_problem(&stream->reader, die_off, &err);
}

// Fills in what the function lacks: the DIE nearest to the instance takes precedence.
static void fill_in(struct ic_stream *stream, struct ic_function *function,
		    const struct function_entry *entry, uint64_t die_off)
{
	if (ic_value_is_given(&entry->name) && !function->name)
		read_string(stream, &entry->name, &function->name, die_off);
	if (ic_value_is_given(&entry->linkage_name) && !function->linkage_name)
		read_string(stream, &entry->linkage_name, &function->linkage_name, die_off);
	if (ic_value_is_given(&entry->decl_line) && function->decl_line == 0)
		function->decl_line = ic_value_small(&entry->decl_line);
	if (ic_value_is_given(&entry->decl_column) && function->decl_column == 0 &&
	    ic_value_constant(&entry->decl_column) <= UINT16_MAX)
		function->decl_column = (uint16_t)ic_value_constant(&entry->decl_column);
	if (ic_value_is_given(&entry->inlining) && function->inlining == IC_INLINING_ABSENT &&
	    ic_value_constant(&entry->inlining) < IC_INLINING_ABSENT)
		function->inlining = (uint8_t)ic_value_constant(&entry->inlining);
	if (ic_value_is_given(&entry->decl_file) && !function->decl_file) {
		uint32_t file = ic_decl_file_of(&stream->reader, &entry->decl_file, die_off);
		if (file != IC_NONE)
			function->decl_file = stream->reader.lines.files.items[file];
	}
}

static const char *copy_up_to(struct ic_stream *stream, const char *text, size_t length)
{
	char *copy = ic_arena_copy(stream->reader.arena, text, length + 1, 1);

	stream->reader.out_of_memory |= !copy;
	if (copy)
		copy[length] = 0;
	return copy;
}

// GCC declares called clones, such as "f.constprop" for the symbol "f.constprop.0": in the source,
// that is the function.
static void name_after_function(struct ic_stream *stream, struct ic_function *function)
{
	const char *name = function->name, *symbol = function->linkage_name;

	if (!name || !strchr(name, '.') || stream->reader.unit->root.language == DW_LANG_Go)
		return;
	size_t length = ic_clone_base_length(name);
	if (!name[length])
		return;
	const char *suffix = symbol ? ic_clone_suffix(symbol) : NULL;
	bool is_mangled = symbol && strncmp(symbol, name, length) != 0;
	if (suffix)
		function->linkage_name =
			is_mangled ? copy_up_to(stream, symbol, (size_t)(suffix - symbol)) : NULL;
	function->name = copy_up_to(stream, name, length);
}

// GCC records the position of a closure, but not of its function.
static void place_closure(struct ic_stream *stream, struct ic_function *function,
			  const struct ic_scope *scope, uint64_t die_off)
{
	if (scope->name || scope->is_namespace || scope->decl_line == 0 ||
	    function->decl_line != 0 || function->decl_file)
		return;
	function->decl_line = scope->decl_line;
	uint32_t file = scope->decl_file == IC_NONE
				? IC_NONE
				: ic_unit_lines_file(&stream->reader, scope->decl_file, die_off);
	if (file != IC_NONE)
		function->decl_file = stream->reader.lines.files.items[file];
}

static void find_scope(struct ic_stream *stream, struct ic_function *function, uint64_t die_off)
{
	// While the unit is scanned, declarations are in the stream; later in the model.
	const struct ic_unit_model *model =
		&stream->reader.context->index->units[stream->reader.unit_index];
	const struct ic_declaration *declarations =
		model->declarations ? model->declarations : stream->built.declarations.items;
	const struct ic_scope *scopes = model->declarations ? model->scopes
							    : stream->built.scopes.items;
	uint32_t first, count = model->declarations ? model->declaration_count
						    : stream->built.declarations.count;
	uint64_t off = die_off - stream->reader.unit->off;

	IC_SEARCH(first, count, at, declarations[at].die_off < off);
	if (first == count || declarations[first].die_off != off)
		return;
	function->scope = declarations[first].scope;
	function->scope_unit = stream->reader.unit_index;
	place_closure(stream, function, &scopes[function->scope], die_off);
}

// Reads one DIE of a function. Returns whether there is another one to read, at *next.
static bool read_entry(struct ic_stream *stream, struct ic_function *function, uint64_t die_off,
		       uint64_t *next)
{
	struct function_entry entry = { .name.form = 0 };
	struct ic_value value;
	struct ic_die die;
	struct ic_error err;

	bool is_open = ic_die_open(&die, stream->reader.unit, stream->reader.table, die_off, &err);
	if (is_open && die.tag == DW_TAG_formal_parameter)
		is_open = ic_fail_at(&err, stream->reader.unit->dwarf->info_name, die_off,
				     "unexpected DIE tag");
	if (!is_open) {
		ic_reader_problem(&stream->reader, die_off, &err);
		return false;
	}
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		take_attr(&entry, name, &value);
	fill_in(stream, function, &entry, die_off);
	name_after_function(stream, function);
	if (ic_read_wants_scopes(&stream->reader.context->want))
		find_scope(stream, function, die_off);
	if (!ic_cursor_ok(&die.cur, &err)) {
		ic_reader_problem(&stream->reader, die_off, &err);
		return false;
	}
	if (!ic_value_is_given(&entry.origin) && !ic_value_is_given(&entry.specification))
		return false;
	if (!ic_value_reference(ic_value_is_given(&entry.origin) ? &entry.origin
								 : &entry.specification,
				stream->reader.unit, next, &err)) {
		ic_reader_problem(&stream->reader, die_off, &err);
		return false;
	}
	if (ic_value_is_given(&entry.origin)) // a copy represents its origin (DWARF 5, 3.3.8.2)
		function->die_off = *next;
	return true;
}

void ic_function_follow(struct ic_stream *stream, struct ic_function *function,
			struct ic_reference reference)
{
	const struct ic_unit *unit = stream->reader.unit;
	struct ic_error err;

	for (;;) {
		uint64_t here = reference.off - unit->dwarf->info_base; // wraps if it is lower
		if (here < unit->die_off || here >= unit->end_off)
			break;
		if (!read_entry(stream, function, here, &reference.off))
			return;
		if (++reference.links == MOST_LINKS) {
			ic_fail(&err, IC_ERROR_MALFORMED,
				"chain of function origins is cyclic or too long");
			ic_reader_problem(&stream->reader, here, &err);
			return;
		}
	}
	if (!IC_ARRAY_ADD(&stream->references, reference))
		stream->reader.out_of_memory = true;
}

void ic_functions_read(struct ic_stream *stream)
{
	for (uint32_t i = 0; i < stream->built.functions.count; i++) {
		struct ic_function *function = &stream->built.functions.items[i];

		ic_function_follow(stream, function,
				   (struct ic_reference){ .off = function->die_off,
							  .unit = stream->reader.unit_index,
							  .number = i });
	}
}
