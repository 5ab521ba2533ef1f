// The rows of comparisons.
#include <string.h>

#include "compare/comparison.h"
#include "report/rows/rows.h"
#include "report/rows/words.h"
#include "text/text.h"

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }
#define LIST(row, key, count, items) \
	{ #key, IC_FIELD_LIST, offsetof(struct row, key), offsetof(struct row, count), items }
#define SCHEMA(fields, row) { fields, sizeof(fields) / sizeof(*fields), sizeof(struct row) }

static const struct ic_field word_fields[] = { FIELD(ic_row_word, name, TEXT) };
static const struct ic_schema word_schema = SCHEMA(word_fields, ic_row_word);

static const struct ic_field path_fields[] = {
	FIELD(ic_change_path_row, host,       TEXT),
	LIST(ic_change_path_row,  callers,    caller_count, &word_schema),
	FIELD(ic_change_path_row, old_copies, BYTES),
	FIELD(ic_change_path_row, new_copies, BYTES),
	FIELD(ic_change_path_row, old_calls,  BYTES),
	FIELD(ic_change_path_row, new_calls,  BYTES),
	FIELD(ic_change_path_row, old_bytes,  BYTES),
	FIELD(ic_change_path_row, new_bytes,  BYTES),
};
static const struct ic_schema path_schema = SCHEMA(path_fields, ic_change_path_row);

static const struct ic_field argument_fields[] = {
	FIELD(ic_change_argument_row, name,         TEXT),
	FIELD(ic_change_argument_row, old_copies,   BYTES),
	FIELD(ic_change_argument_row, new_copies,   BYTES),
	FIELD(ic_change_argument_row, old_readable, BYTES),
	FIELD(ic_change_argument_row, new_readable, BYTES),
	FIELD(ic_change_argument_row, readable,     BYTES),
	FIELD(ic_change_argument_row, unreadable,   BYTES),
};
static const struct ic_schema argument_schema = SCHEMA(argument_fields, ic_change_argument_row);

#define CHANGE_FIELDS                                         \
	FIELD(ic_change_row, type,                  TEXT),    \
	FIELD(ic_change_row, of,                    TEXT),    \
	FIELD(ic_change_row, kinds,                 TEXT),    \
	FIELD(ic_change_row, group,                 TEXT),    \
	FIELD(ic_change_row, function,              TEXT),    \
	FIELD(ic_change_row, linkage_name,          TEXT),    \
	FIELD(ic_change_row, old_inlined,           TEXT),    \
	FIELD(ic_change_row, new_inlined,           TEXT),    \
	FIELD(ic_change_row, old_decl_file,         TEXT),    \
	FIELD(ic_change_row, old_decl_line,         COUNT),   \
	FIELD(ic_change_row, new_decl_file,         TEXT),    \
	FIELD(ic_change_row, new_decl_line,         COUNT),   \
	FIELD(ic_change_row, old_copies,            BYTES),   \
	FIELD(ic_change_row, new_copies,            BYTES),   \
	FIELD(ic_change_row, old_out_of_line,       BYTES),   \
	FIELD(ic_change_row, new_out_of_line,       BYTES),   \
	FIELD(ic_change_row, old_bytes,             BYTES),   \
	FIELD(ic_change_row, new_bytes,             BYTES),   \
	FIELD(ic_change_row, old_out_of_line_bytes, BYTES),   \
	FIELD(ic_change_row, new_out_of_line_bytes, BYTES),   \
	FIELD(ic_change_row, inlined,               BYTES),   \
	FIELD(ic_change_row, outlined,              BYTES),   \
	FIELD(ic_change_row, added,                 BYTES),   \
	FIELD(ic_change_row, removed,               BYTES),   \
	FIELD(ic_change_row, came,                  BYTES),   \
	FIELD(ic_change_row, went,                  BYTES),   \
	FIELD(ic_change_row, emptied,               BYTES),   \
	FIELD(ic_change_row, filled,                BYTES),   \
	FIELD(ic_change_row, readable,              BYTES),   \
	FIELD(ic_change_row, unreadable,            BYTES),   \
	FIELD(ic_change_row, explained,             SIGNED),  \
	FIELD(ic_change_row, grown,                 SIGNED),  \
	FIELD(ic_change_row, functions,             BYTES),   \
	FIELD(ic_change_row, small,                 BYTES),   \
	FIELD(ic_change_row, selected,              BYTES),   \
	FIELD(ic_change_row, old_code,              BYTES),   \
	FIELD(ic_change_row, new_code,              BYTES)

static const struct ic_field flat_fields[] = { CHANGE_FIELDS };
static const struct ic_field fields[] = {
	CHANGE_FIELDS,
	LIST(ic_change_row, paths, path_count, &path_schema),
	LIST(ic_change_row, arguments, argument_count, &argument_schema),
};
static const struct ic_schema flat_schema = SCHEMA(flat_fields, ic_change_row),
			      schema = SCHEMA(fields, ic_change_row);
// clang-format on

// Tables have no lists.
static void split_row(const void *row, ic_line_function *line, void *context)
{
	line(context, &flat_schema, row);
}

static const struct ic_schema *const change_schemas[] = { &schema, NULL };

const struct ic_row_type ic_change_row_type = { IC_ROWS_CHANGES, &flat_schema, change_schemas, NULL,
						split_row };

// In the order of the bits of enum ic_change_kind.
static const char *const kind_words[] = {
	"new",   "vanished", "inlined", "outlined", "added",  "removed",  "grown",     "shrunk",
	"moved", "came",     "went",    "emptied",  "filled", "readable", "unreadable"
};
enum { KIND_COUNT = sizeof(kind_words) / sizeof(*kind_words), MOST_KINDS = 132 };

struct change_rows {
	struct ic_rows rows; // must be first
	const struct ic_comparison *comparison;
	struct ic_change_row row;
	char kinds[MOST_KINDS];
	IC_ARRAY(struct ic_change_path_row) paths;
	IC_ARRAY(struct ic_row_word) callers; // of all paths
	IC_ARRAY(struct ic_change_argument_row) arguments;
};

static const char *by_name(enum ic_comparison_by by)
{
	switch (by) {
	case IC_COMPARISON_BY_FUNCTION: break;
	case IC_COMPARISON_BY_SOURCE: return "source";
	case IC_COMPARISON_BY_DIRECTORY: return "directory";
	case IC_COMPARISON_BY_TEMPLATE: return "template";
	}
	return "function";
}

static void fill_total(struct change_rows *rows)
{
	const struct ic_comparison_total *total = &rows->comparison->total;

	rows->row = (struct ic_change_row){
		.type = "change",
		.of = "all",
		.is_total = true,
		.file = rows->rows.filler.options.file,
		.by = rows->comparison->by,
		.old_copies = total->old_copies,
		.new_copies = total->new_copies,
		.old_out_of_line = UINT64_MAX,
		.new_out_of_line = UINT64_MAX,
		.old_bytes = UINT64_MAX,
		.new_bytes = UINT64_MAX,
		.old_out_of_line_bytes = UINT64_MAX,
		.new_out_of_line_bytes = UINT64_MAX,
		.inlined = total->inlined,
		.outlined = total->outlined,
		.added = total->added,
		.removed = total->removed,
		.came = total->came,
		.went = total->went,
		.emptied = total->emptied,
		.filled = total->filled,
		.readable = total->has_arguments ? total->readable : UINT64_MAX,
		.unreadable = total->has_arguments ? total->unreadable : UINT64_MAX,
		.explained = total->explained,
		.grown = total->grown,
		.functions = total->functions,
		.small = total->small,
		.selected = total->selected,
		.old_code = total->old_code,
		.new_code = total->new_code,
	};
}

// Adds the callers of a path, and points it at them once the array has grown no more.
static bool add_path(struct change_rows *rows, size_t change, size_t number)
{
	struct ic_path_change path;
	bool ok = ic_comparison_path_get(rows->comparison, change, number, &path);

	for (size_t i = 0; ok && i < path.caller_count; i++) {
		const char *name = ic_comparison_caller(rows->comparison, change, number, i);
		ok = IC_ARRAY_ADD(&rows->callers, (struct ic_row_word){ name });
	}
	return ok && IC_ARRAY_ADD(&rows->paths,
				  (struct ic_change_path_row){ .host = path.host,
							       .caller_count = path.caller_count,
							       .old_copies = path.old_copies,
							       .new_copies = path.new_copies,
							       .old_calls = path.old_calls,
							       .new_calls = path.new_calls,
							       .old_bytes = path.old_size,
							       .new_bytes = path.new_size });
}

static bool add_paths(struct change_rows *rows, size_t change, size_t count)
{
	size_t first = 0;

	rows->paths.count = rows->callers.count = 0;
	for (size_t i = 0; i < count; i++)
		if (!add_path(rows, change, i))
			return false;
	for (size_t i = 0; i < count; i++) {
		rows->paths.items[i].callers = rows->callers.items + first;
		first += rows->paths.items[i].caller_count;
	}
	return true;
}

static bool add_arguments(struct change_rows *rows, size_t change, size_t count)
{
	struct ic_argument_change argument;

	rows->arguments.count = 0;
	for (size_t i = 0; i < count; i++) {
		if (!ic_comparison_argument_get(rows->comparison, change, i, &argument) ||
		    !IC_ARRAY_ADD(&rows->arguments, (struct ic_change_argument_row){
							    .name = argument.name,
							    .old_copies = argument.old_copies,
							    .new_copies = argument.new_copies,
							    .old_readable = argument.old_readable,
							    .new_readable = argument.new_readable,
							    .readable = argument.readable,
							    .unreadable = argument.unreadable }))
			return false;
	}
	return true;
}

static const char *list_kinds(struct change_rows *rows, uint32_t kinds)
{
	rows->kinds[0] = 0;
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (kinds >> i & 1)
			ic_text_append(rows->kinds, sizeof(rows->kinds), "%s%s",
				       rows->kinds[0] ? "," : "", kind_words[i]);
	return rows->kinds;
}

static bool fill_change(struct change_rows *rows, size_t number)
{
	struct ic_change change;

	if (!ic_comparison_get(rows->comparison, number, &change) ||
	    !add_paths(rows, number, change.path_count) ||
	    !add_arguments(rows, number, change.argument_count))
		return false;
	bool has_arguments = rows->comparison->total.has_arguments;
	struct ic_filler *filler = &rows->rows.filler;
	rows->row = (struct ic_change_row){
		.type = "change",
		.of = by_name(change.by),
		.by = change.by,
		.kinds = list_kinds(rows, change.kinds),
		.kind_bits = change.kinds,
		.file = filler->options.file,
		.source = ic_filler_path(filler, change.source),
		.group = change.by == IC_COMPARISON_BY_TEMPLATE
				 ? change.group
				 : ic_filler_path(filler, change.group),
		.function = change.function,
		.linkage_name = change.linkage_name,
		.old_inlined = ic_inlined_word(change.before.inlined),
		.new_inlined = ic_inlined_word(change.after.inlined),
		.old_decl_file = ic_filler_path(filler, change.before.decl_file),
		.new_decl_file = ic_filler_path(filler, change.after.decl_file),
		.old_decl_line = change.before.decl_line,
		.new_decl_line = change.after.decl_line,
		.old_copies = change.before.copies,
		.new_copies = change.after.copies,
		.old_out_of_line = change.before.out_of_line,
		.new_out_of_line = change.after.out_of_line,
		.old_bytes = change.before.size,
		.new_bytes = change.after.size,
		.old_out_of_line_bytes = change.before.out_of_line_size,
		.new_out_of_line_bytes = change.after.out_of_line_size,
		.inlined = change.inlined,
		.outlined = change.outlined,
		.added = change.added,
		.removed = change.removed,
		.came = change.came,
		.went = change.went,
		.emptied = change.emptied,
		.filled = change.filled,
		.readable = has_arguments ? change.readable : UINT64_MAX,
		.unreadable = has_arguments ? change.unreadable : UINT64_MAX,
		.explained = change.explained,
		.grown = change.grown,
		.paths = rows->paths.items,
		.path_count = change.path_count,
		.arguments = rows->arguments.items,
		.argument_count = change.argument_count,
		.functions = change.by == IC_COMPARISON_BY_FUNCTION ? UINT64_MAX : change.functions,
		.small = UINT64_MAX,
		.selected = UINT64_MAX,
		.old_code = UINT64_MAX,
		.new_code = UINT64_MAX,
	};
	return true;
}

// Row 0 is for all functions.
static const void *make_row(struct ic_rows *common, size_t number)
{
	struct change_rows *rows = (struct change_rows *)common;

	if (number == 0)
		fill_total(rows);
	else if (!fill_change(rows, number - 1))
		return NULL;
	return &rows->row;
}

static void free_rows(struct ic_rows *common)
{
	struct change_rows *rows = (struct change_rows *)common;

	IC_ARRAY_FREE(&rows->paths);
	IC_ARRAY_FREE(&rows->callers);
	IC_ARRAY_FREE(&rows->arguments);
}

struct ic_rows *ic_rows_of_changes(const struct ic_comparison *comparison,
				   const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct change_rows), &ic_change_row_type, options, err);
	struct change_rows *rows = (struct change_rows *)common;

	if (!rows)
		return NULL;
	rows->comparison = comparison;
	common->make = make_row;
	common->deinit = free_rows;
	common->count = comparison->changes.count + (size_t)1;
	common->left_out = comparison->total.selected - comparison->changes.count;
	return common;
}
