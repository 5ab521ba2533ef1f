// The rows of arguments.
#include "report/rows/rows.h"

#include <inlinecall/extra/statistics.h>

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_argument_row, key), 0, NULL }

static const struct ic_field argument_fields[] = {
	FIELD(type,          TEXT),
	FIELD(file,          TEXT),
	FIELD(by,            TEXT),
	FIELD(name,          TEXT),
	FIELD(functions,     BYTES),
	FIELD(copies,        BYTES),
	FIELD(arguments,     BYTES),
	FIELD(up_to,         BYTES),
	FIELD(few_functions, BYTES),
	FIELD(few_copies,    BYTES),
	FIELD(few_arguments, BYTES),
	FIELD(few_up_to,     BYTES),
};
// clang-format on

static const struct ic_schema argument_schema = { argument_fields,
						  sizeof(argument_fields) /
							  sizeof(*argument_fields),
						  sizeof(struct ic_argument_row) };

static const struct ic_schema *const argument_schemas[] = { &argument_schema, NULL };

const struct ic_row_type ic_argument_row_type = { IC_ROWS_ARGUMENTS, &argument_schema,
						  argument_schemas, NULL, NULL };

struct argument_rows {
	struct ic_rows rows; // must be first
	struct ic_argument_statistics statistics;
	struct ic_argument_row row;
};

struct kind {
	const char *name;
	size_t at; // offsetof the number within the counts
};

#define CATEGORY(which) offsetof(struct ic_argument_counts, categories[IC_CATEGORY_##which])
#define SHAPE(which)    offsetof(struct ic_argument_counts, shapes[IC_SHAPE_##which])

// In the order of the RFC's table.
static const struct kind categories[] = {
	{ "literal", CATEGORY(LITERAL) },       { "register", CATEGORY(REGISTER) },
	{ "arithmetic", CATEGORY(ARITHMETIC) }, { "composite", CATEGORY(COMPOSITE) },
	{ "stack", CATEGORY(STACK) },           { "empty", CATEGORY(EMPTY) },
};

// Ordered by how easy they are to read. Empty ones are distinguished by their reason.
static const struct kind shapes[] = {
	{ "number", SHAPE(NUMBER) },
	{ "bytes", SHAPE(BYTES) },
	{ "address", SHAPE(ADDRESS) },
	{ "register", SHAPE(REGISTER) },
	{ "register value", SHAPE(REGISTER_VALUE) },
	{ "register memory", SHAPE(REGISTER_MEMORY) },
	{ "address memory", SHAPE(ADDRESS_MEMORY) },
	{ "number memory", SHAPE(NUMBER_MEMORY) },
	{ "frame", SHAPE(FRAME) },
	{ "load", SHAPE(LOAD) },
	{ "computed", SHAPE(COMPUTED) },
	{ "typed", SHAPE(TYPED) },
	{ "entry value", SHAPE(ENTRY_VALUE) },
	{ "branch", SHAPE(BRANCH) },
	{ "outside", SHAPE(OUTSIDE) },
	{ "pieces", SHAPE(PIECES) },
	{ "implicit pointer", SHAPE(IMPLICIT_POINTER) },
	{ "not here", offsetof(struct ic_argument_counts, not_here) },
	{ "optimised out", offsetof(struct ic_argument_counts, optimised_out) },
	{ "unreadable", offsetof(struct ic_argument_counts, unreadable) },
	{ "unavailable", offsetof(struct ic_argument_counts, without_reason) }, // only in tables
};

enum {
	CATEGORIES = sizeof(categories) / sizeof(*categories),
	SHAPES = sizeof(shapes) / sizeof(*shapes),
};

static uint64_t count_of(const struct ic_argument_counts *counts, const struct kind *kind)
{
	return *(const uint64_t *)(const void *)((const char *)counts + kind->at);
}

// The sum up to this category; empty expressions belong to no category that can express them.
static uint64_t up_to(const struct ic_argument_counts *counts, size_t number)
{
	uint64_t sum = count_of(counts, &categories[number]);

	for (size_t i = 0; number + 1 < CATEGORIES && i < number; i++)
		sum += count_of(counts, &categories[i]);
	return sum;
}

static void fill_kind(struct argument_rows *rows, const struct kind *kind)
{
	rows->row.name = kind->name;
	rows->row.arguments = count_of(&rows->statistics.all, kind);
	rows->row.few_arguments = count_of(&rows->statistics.few, kind);
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct argument_rows *rows = (struct argument_rows *)common;
	const struct ic_argument_counts *all = &rows->statistics.all;
	const struct ic_argument_counts *few = &rows->statistics.few;
	struct ic_argument_row *row = &rows->row;

	*row = (struct ic_argument_row){ .type = "arguments",
					 .file = common->filler.options.file,
					 .functions = IC_STATISTIC_NONE,
					 .copies = IC_STATISTIC_NONE,
					 .up_to = IC_STATISTIC_NONE,
					 .few_functions = IC_STATISTIC_NONE,
					 .few_copies = IC_STATISTIC_NONE,
					 .few_up_to = IC_STATISTIC_NONE,
					 .whole = all->arguments,
					 .few_whole = few->arguments };
	if (number == 0) {
		row->group = IC_ARGUMENTS_OF_ALL;
		row->by = "all";
		row->functions = all->functions;
		row->copies = all->copies;
		row->arguments = all->arguments;
		row->few_functions = few->functions;
		row->few_copies = few->copies;
		row->few_arguments = few->arguments;
	} else if (number <= CATEGORIES) {
		row->group = IC_ARGUMENTS_BY_CATEGORY;
		row->by = "category";
		fill_kind(rows, &categories[number - 1]);
		row->up_to = up_to(all, number - 1);
		row->few_up_to = up_to(few, number - 1);
	} else {
		row->group = IC_ARGUMENTS_BY_SHAPE;
		row->by = "shape";
		fill_kind(rows, &shapes[number - 1 - CATEGORIES]);
	}
	return row;
}

struct ic_rows *ic_rows_of_arguments(const struct ic_argument_statistics *statistics,
				     const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct argument_rows), &ic_argument_row_type, options, err);
	struct argument_rows *rows = (struct argument_rows *)common;

	if (!rows)
		return NULL;
	rows->statistics = *statistics;
	common->make = make_row;
	common->count = 1 + CATEGORIES + SHAPES - (statistics->all.without_reason == 0);
	return common;
}
