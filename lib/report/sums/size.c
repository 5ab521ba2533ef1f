// The rows of sizes.
#include "query/counts/sizes.h"
#include "report/rows/rows.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_size_row, key), 0, NULL }

static const struct ic_field fields[] = {
	FIELD(type,          TEXT),
	FIELD(file,          TEXT),
	FIELD(by,            TEXT),
	FIELD(kind,          TEXT),
	FIELD(function,      TEXT),
	FIELD(linkage_name,  TEXT),
	FIELD(decl_file,     TEXT),
	FIELD(decl_line,     COUNT),
	FIELD(group,         TEXT),
	FIELD(self,          BYTES),
	FIELD(self_inlined,  BYTES),
	FIELD(total,         BYTES),
	FIELD(total_inlined, BYTES),
	FIELD(copies,        BYTES),
	FIELD(out_of_line,   BYTES),
	FIELD(saving,        SIGNED),
	FIELD(functions,     BYTES),
	FIELD(symbols,       BYTES),
	FIELD(linkage,       BYTES),
	FIELD(padding,       BYTES),
	FIELD(unnamed,       BYTES),
	FIELD(code,          BYTES),
};
// clang-format on

static const struct ic_schema schema = { fields, sizeof(fields) / sizeof(*fields),
					 sizeof(struct ic_size_row) };

static const struct ic_schema *const size_schemas[] = { &schema, NULL };

const struct ic_row_type ic_size_row_type = { IC_ROWS_SIZES, &schema, size_schemas, NULL, NULL };

struct size_rows {
	struct ic_rows rows; // must be first
	const struct ic_sizes *sizes;
	struct ic_size_row row;
};

static const char *by_name(enum ic_sizes_by by)
{
	switch (by) {
	case IC_SIZES_BY_FUNCTION: return "function";
	case IC_SIZES_BY_TEMPLATE: return "template";
	case IC_SIZES_BY_NAMESPACE: return "namespace";
	case IC_SIZES_BY_CRATE: return "crate";
	case IC_SIZES_BY_SOURCE: return "source";
	case IC_SIZES_BY_DIRECTORY: return "directory";
	case IC_SIZES_BY_UNIT: return "unit";
	case IC_SIZES_BY_SECTION: return "section";
	case IC_SIZES_OF_ALL: break;
	}
	return "all";
}

static const char *kind_name(enum ic_size_kind kind)
{
	switch (kind) {
	case IC_SIZE_FUNCTION: return "function";
	case IC_SIZE_SYMBOL: return "symbol";
	case IC_SIZE_SECTION: return "section";
	case IC_SIZE_LINKAGE: return "linkage";
	case IC_SIZE_PADDING: return "padding";
	case IC_SIZE_UNNAMED: return "unnamed";
	}
	return NULL;
}

static void fill_all(struct size_rows *rows)
{
	const struct ic_sizes_total *total = &rows->sizes->total;
	struct ic_size_row *row = &rows->row;

	row->by = by_name(IC_SIZES_OF_ALL);
	row->what = IC_SIZES_OF_ALL;
	row->self = total->functions;
	row->self_inlined = total->inlined;
	row->total = row->total_inlined = row->copies = row->out_of_line = UINT64_MAX;
	row->saving = IC_SIZE_NONE;
	row->functions = total->function_count;
	row->symbols = total->symbols;
	row->linkage = total->linkage;
	row->padding = total->padding;
	row->unnamed = total->unnamed;
}

static void fill_group(struct size_rows *rows, const struct ic_sizes_group *group)
{
	struct ic_filler *filler = &rows->rows.filler;
	const struct ic_size *size = &group->numbers;
	struct ic_size_row *row = &rows->row;

	row->by = by_name(size->by);
	row->kind = kind_name(size->kind);
	row->what = size->by;
	row->which = size->kind;
	row->function = group->function ? ic_filler_name(filler, group->function) : size->function;
	if (row->function && size->kind == IC_SIZE_SYMBOL && filler->options.demangle)
		row->function = ic_names_demangled(&filler->names, size->function);
	row->linkage_name = size->linkage_name;
	row->decl_file = ic_filler_path(filler, size->decl_file);
	row->decl_line = size->decl_line;
	row->group = size->group;
	row->self = size->self;
	row->self_inlined = size->self_inlined;
	row->total = size->total;
	row->total_inlined = size->total_inlined;
	row->copies = size->copies;
	row->out_of_line = size->out_of_line;
	row->saving = size->saving;
	row->functions = row->symbols = row->linkage = row->padding = row->unnamed = UINT64_MAX;
}

// Row 0 is for all code.
static const void *make_row(struct ic_rows *common, size_t number)
{
	struct size_rows *rows = (struct size_rows *)common;
	uint64_t code = rows->sizes->total.code;

	rows->row = (struct ic_size_row){ .type = "size",
					  .file = common->filler.options.file,
					  .code = code > 0 ? code : UINT64_MAX };
	if (number == 0)
		fill_all(rows);
	else
		fill_group(rows, &rows->sizes->groups.items[number - 1]);
	return &rows->row;
}

struct ic_rows *ic_rows_of_sizes(const struct ic_sizes *sizes, const struct ic_row_options *options,
				 struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct size_rows), &ic_size_row_type, options, err);
	struct size_rows *rows = (struct size_rows *)common;

	if (!rows)
		return NULL;
	rows->sizes = sizes;
	common->make = make_row;
	common->count = sizes->groups.count + (size_t)1;
	common->left_out = sizes->left_out;
	common->filler.names.index = sizes->index;
	return common;
}
