// The rows of tables: a walk over the model for each table.
#include <stdio.h>
#include <string.h>

#include "query/find/parts.h"
#include "report/rows/parameter.h"
#include "report/rows/rows.h"
#include "report/tables/fields.h"
#include "report/tables/tables.h"

#include <inlinecall/extra/image.h>
#include <inlinecall/extra/parameters.h>
#include <inlinecall/extra/sites.h>
#include <inlinecall/extra/table_row.h>

struct table_rows {
	struct ic_rows rows; // must be first
	const struct ic_tables *tables;
	enum ic_table table;
	struct ic_table_row row;
	// The place in the model: the next unit and the next of its instances or calls, and the
	// number of ranges or arguments of that instance which were made.
	uint32_t unit, number, inner;
	bool is_over;
	struct ic_parts parts;
	struct ic_parameter_rows parameters;
	// Of the unit's instances: their hosts, and how many inlined ones are around them.
	IC_ARRAY(uint32_t) hosts, depths;
	char build_id[2 * 64 + 1];
};

static const struct ic_unit_model *unit_of(const struct table_rows *rows)
{
	return &rows->tables->index->units[rows->unit];
}

static bool end_rows(struct table_rows *rows)
{
	rows->is_over = true;
	return false;
}

// ---- Places

// The section of an address, and the address as an offset in it.
static uint64_t place_addr(struct table_rows *rows, uint64_t addr, const char **section)
{
	return addr == IC_NO_ADDR ? addr
				  : addr - ic_filler_section(&rows->rows.filler, addr, section);
}

static const char *symbol_of(struct table_rows *rows, struct ic_range range, uint32_t host)
{
	const struct ic_unit_model *unit = unit_of(rows);
	uint32_t number = host == IC_NONE ? IC_NONE : unit->instances[host].function;
	const struct ic_function *function = number == IC_NONE ? NULL : &unit->functions[number];
	const char *wanted =
		function ? ic_filler_symbol_of(ic_function_name(function), function->linkage_name)
			 : NULL;

	return ic_filler_symbol(&rows->rows.filler, range, wanted);
}

static const char *symbol_at(struct table_rows *rows, uint64_t addr, uint32_t host)
{
	return addr == IC_NO_ADDR ? NULL
				  : symbol_of(rows, (struct ic_range){ addr, addr + 1 }, host);
}

static uint32_t call_source_of(const struct table_rows *rows, uint32_t file)
{
	return file == IC_NONE ? 0
			       : ic_table_source_number(rows->tables, unit_of(rows)->files[file]);
}

// ---- The walk

// Finds hosts and depths of the unit's instances: parents come before children.
static bool enter_unit(struct table_rows *rows)
{
	const struct ic_unit_model *unit = unit_of(rows);

	if (!IC_ARRAY_RESERVE(&rows->hosts, unit->instance_count) ||
	    !IC_ARRAY_RESERVE(&rows->depths, unit->instance_count))
		return false;
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		uint32_t parent = unit->instances[i].parent;
		bool is_inside = parent != IC_NONE &&
				 unit->instances[parent].kind == IC_INSTANCE_INLINED;

		rows->hosts.items[i] = ic_instance_host(unit, i, rows->hosts.items);
		rows->depths.items[i] = is_inside ? rows->depths.items[parent] + 1 : 0;
	}
	return true;
}

// Goes on to the next unit if all `count` things of this one were made. False at the end, or if
// memory runs out.
static bool find_next(struct table_rows *rows, uint32_t (*count)(const struct ic_unit_model *))
{
	while (rows->unit < rows->tables->index->unit_count &&
	       rows->number >= count(unit_of(rows))) {
		rows->unit++;
		rows->number = 0;
	}
	if (rows->unit == rows->tables->index->unit_count)
		return end_rows(rows);
	return rows->number > 0 || rows->inner > 0 || enter_unit(rows);
}

static uint32_t instance_count(const struct ic_unit_model *unit)
{
	return unit->instance_count;
}

static uint32_t call_count(const struct ic_unit_model *unit)
{
	return unit->call_count;
}

// ---- Tables

static bool make_file(struct table_rows *rows)
{
	const struct ic_image *image = rows->tables->index->image;
	struct ic_table_row *row = &rows->row;
	const uint8_t *bytes;
	struct ic_image_package package;

	if (rows->number++ > 0)
		return end_rows(rows);
	if (!image)
		return true;
	size_t size = ic_image_build_id(image, &bytes);
	for (size_t i = 0; i < size && i < sizeof(rows->build_id) / 2; i++)
		snprintf(rows->build_id + 2 * i, 3, "%02x", bytes[i]);
	row->build_id = size > 0 ? rows->build_id : NULL;
	row->machine = ic_image_machine(image);
	row->address_bytes = ic_image_addr_size(image);
	row->relocatable = ic_image_is_relocatable(image);
	const char *debug_file = ic_image_debug_path(image);
	row->debug_file = strcmp(debug_file, ic_image_path(image)) != 0 ? debug_file : NULL;
	if (!ic_image_package(image, &package))
		return true;
	row->elf_package = ic_names_keep(&rows->rows.filler.names, package.name);
	row->elf_package_version =
		package.version[0] ? ic_names_keep(&rows->rows.filler.names, package.version)
				   : NULL;
	return row->elf_package && (row->elf_package_version || !package.version[0]);
}

static bool make_unit(struct table_rows *rows)
{
	struct ic_table_row *row = &rows->row;

	if (rows->unit == rows->tables->index->unit_count)
		return end_rows(rows);
	const struct ic_unit_model *unit = unit_of(rows);
	row->id = ++rows->unit;
	row->name = unit->name;
	row->directory = unit->directory;
	row->producer = unit->producer;
	row->language = unit->language;
	row->die = unit->off;
	row->die_file = unit->file;
	return true;
}

static bool make_source(struct table_rows *rows)
{
	if (rows->number == rows->tables->paths.count)
		return end_rows(rows);
	rows->row.path = rows->tables->paths.items[rows->number++];
	rows->row.id = rows->number;
	return true;
}

static const char *inlining_word(enum ic_inlining inlining)
{
	switch (inlining) {
	case IC_INLINING_NOT_INLINED: return "not_inlined";
	case IC_INLINING_INLINED: return "inlined";
	case IC_INLINING_DECLARED_NOT_INLINED: return "declared_not_inlined";
	case IC_INLINING_DECLARED_INLINED: return "declared_inlined";
	case IC_INLINING_ABSENT: break;
	}
	return NULL;
}

static bool make_function(struct table_rows *rows)
{
	const struct ic_tables *tables = rows->tables;
	struct ic_table_row *row = &rows->row;

	if (rows->number == tables->distinct.count)
		return end_rows(rows);
	struct ic_table_function place = tables->distinct.items[rows->number++];
	const struct ic_function *function =
		&tables->index->units[place.unit].functions[place.number];
	row->id = rows->number;
	row->name = ic_function_name(function);
	row->linkage_name = function->linkage_name;
	row->full_name = ic_names_display(&rows->rows.filler.names, function);
	row->inlining = inlining_word((enum ic_inlining)function->inlining);
	row->decl_source = ic_table_source_number(tables, function->decl_file);
	row->decl_line = function->decl_line;
	row->decl_column = function->decl_column;
	row->die = function->die_off;
	return true;
}

// Reads the parameters of the instance, if they are wanted.
static bool read_parameters(struct table_rows *rows)
{
	const struct ic_instance *instance = &unit_of(rows)->instances[rows->number];
	struct ic_parameters *parameters = rows->rows.filler.options.parameters;
	const struct ic_site site = { .kind = IC_SITE_INLINED, // either kind of instance will do
				      .unit_number = rows->unit,
				      .instance_number = rows->number };

	return !parameters || instance->function == IC_NONE ||
	       ic_parameters_find(parameters, &site, IC_NO_ADDR, NULL);
}

static void describe_parameters(struct table_rows *rows, const struct ic_instance *instance)
{
	const struct ic_parameters *parameters = rows->rows.filler.options.parameters;
	const struct ic_parameter *list;

	rows->row.arguments = UINT64_MAX;
	if (!parameters || instance->function == IC_NONE || !ic_parameters_is_known(parameters))
		return;
	rows->row.arguments = ic_parameters_list(parameters, &list);
	rows->row.variadic = ic_parameters_is_variadic(parameters);
}

static void describe_instance(struct table_rows *rows, const struct ic_unit_model *unit)
{
	const struct ic_instance *instance = &unit->instances[rows->number];
	struct ic_table_row *row = &rows->row;
	uint32_t host = rows->hosts.items[rows->number];
	const struct ic_range *first = &unit->ranges[instance->first_range];
	bool has_code = instance->range_count > 0;

	row->id = ic_table_instance_number(rows->tables, rows->unit, rows->number);
	row->unit = rows->unit + 1;
	row->function = ic_table_function_number(rows->tables, rows->unit, instance->function);
	row->parent = ic_table_instance_number(rows->tables, rows->unit, instance->parent);
	row->host = ic_table_instance_number(rows->tables, rows->unit, host);
	row->inlined = instance->kind == IC_INSTANCE_INLINED;
	row->part = ic_parts_has(&rows->parts, unit, instance);
	row->depth = rows->depths.items[rows->number];
	row->call_source = call_source_of(rows, instance->call_file);
	row->call_line = instance->call_line;
	row->call_column = instance->call_column;
	if (instance->entry == IC_NO_ADDR && has_code)
		place_addr(rows, first->start, &row->section);
	row->entry = place_addr(rows, instance->entry, &row->section);
	row->bytes = ic_instance_size(unit, instance);
	row->symbol = has_code ? symbol_of(rows, *first, host)
			       : symbol_at(rows, instance->entry, host);
	row->die = unit->off + instance->die_off;
	describe_parameters(rows, instance);
}

static bool make_instance(struct table_rows *rows)
{
	if (!find_next(rows, instance_count) || !read_parameters(rows))
		return false;
	describe_instance(rows, unit_of(rows));
	rows->number++;
	return !rows->parts.out_of_memory;
}

static bool make_range(struct table_rows *rows)
{
	struct ic_table_row *row = &rows->row;
	const struct ic_instance *instance;

	for (;; rows->number++, rows->inner = 0) {
		if (!find_next(rows, instance_count))
			return false;
		instance = &unit_of(rows)->instances[rows->number];
		if (rows->inner < instance->range_count)
			break;
	}
	struct ic_range range = unit_of(rows)->ranges[instance->first_range + rows->inner++];
	row->instance = ic_table_instance_number(rows->tables, rows->unit, rows->number);
	row->number = rows->inner;
	row->start = place_addr(rows, range.start, &row->section);
	row->bytes = range.end - range.start;
	row->symbol = symbol_of(rows, range, rows->hosts.items[rows->number]);
	return true;
}

// An address of an instance: known addresses of its arguments are offsets in the section there.
static uint64_t some_addr(const struct ic_unit_model *unit, const struct ic_instance *instance)
{
	return instance->entry != IC_NO_ADDR ? instance->entry
	       : instance->range_count > 0   ? unit->ranges[instance->first_range].start
					     : 0;
}

// Reads the arguments of the next instance.
static bool fill_arguments(struct table_rows *rows)
{
	const struct ic_unit_model *unit = unit_of(rows);
	const struct ic_instance *instance = &unit->instances[rows->number];
	struct ic_filler *filler = &rows->rows.filler;

	if (!read_parameters(rows))
		return false;
	if (instance->function == IC_NONE || !ic_parameters_is_known(filler->options.parameters))
		return ic_parameter_rows_begin(&rows->parameters);
	return ic_parameter_rows_fill(&rows->parameters, filler, some_addr(unit, instance));
}

static void describe_argument(struct ic_table_row *row, const struct ic_row_parameter *argument)
{
	const struct ic_row_location *location = &argument->location;

	row->name = argument->name;
	row->value_type = argument->type;
	row->bytes = argument->size;
	row->encoding = argument->encoding;
	row->is_signed = argument->is_signed;
	row->artificial = argument->artificial;
	row->result = argument->result;
	row->kind = location->kind;
	row->location = location->text;
	row->reason = location->reason;
	row->reg = location->reg;
	row->register_offset = location->offset;
	row->value = location->value;
	row->known_from = location->known_from;
	row->known_section = location->known_section;
}

static bool make_argument(struct table_rows *rows)
{
	if (!rows->rows.filler.options.parameters)
		return end_rows(rows);
	for (;; rows->number++, rows->inner = 0) {
		if (!find_next(rows, instance_count) || (rows->inner == 0 && !fill_arguments(rows)))
			return false;
		if (rows->inner < rows->parameters.list.count)
			break;
	}
	rows->row.instance = ic_table_instance_number(rows->tables, rows->unit, rows->number);
	describe_argument(&rows->row, &rows->parameters.list.items[rows->inner++]);
	rows->row.number = rows->inner;
	return true;
}

static bool make_call(struct table_rows *rows)
{
	struct ic_table_row *row = &rows->row;

	if (!find_next(rows, call_count))
		return false;
	const struct ic_unit_model *unit = unit_of(rows);
	const struct ic_call *call = &unit->calls[rows->number++];
	uint32_t host = call->parent == IC_NONE ? IC_NONE : rows->hosts.items[call->parent];
	uint64_t inside = call->addr != IC_NO_ADDR          ? call->addr
			  : call->return_addr != IC_NO_ADDR ? call->return_addr - 1
							    : IC_NO_ADDR;
	row->id = rows->tables->firsts[rows->unit].call + rows->number;
	row->unit = rows->unit + 1;
	row->function = ic_table_function_number(rows->tables, rows->unit, call->function);
	row->instance = ic_table_instance_number(rows->tables, rows->unit, call->parent);
	row->call_source = call_source_of(rows, call->call_file);
	row->call_line = call->call_line;
	row->call_column = call->call_column;
	row->return_address = place_addr(rows, call->return_addr, &row->section);
	row->address = place_addr(rows, call->addr, &row->section);
	row->tail = call->is_tail;
	row->part = call->function != IC_NONE && ic_parts_has_call(&rows->parts, unit, call);
	row->symbol = symbol_at(rows, inside, host);
	row->die = unit->off + call->die_off;
	return !rows->parts.out_of_memory;
}

// Finds problem number `number` of the index, or then of the parameters that were read so far.
static bool find_problem(const struct table_rows *rows, uint32_t number,
			 struct ic_index_problem *problem)
{
	const struct ic_index *index = rows->tables->index;
	const struct ic_parameters *parameters = rows->rows.filler.options.parameters;

	return ic_index_problem_get(index, number, problem) ||
	       (parameters &&
		ic_parameters_problem_get(parameters, number - index->problem_count, problem));
}

static bool make_problem(struct table_rows *rows)
{
	struct ic_table_row *row = &rows->row;
	struct ic_index_problem problem;

	if (!find_problem(rows, rows->number++, &problem))
		return end_rows(rows);
	row->number = rows->number;
	row->problem_file = problem.file;
	row->section = problem.section;
	row->position = problem.offset;
	row->message = problem.message;
	row->note = problem.is_note;
	return true;
}

// Each makes the next row; false after the last one, or if memory runs out.
static bool (*const makers[IC_TABLE_COUNT])(struct table_rows *rows) = {
	[IC_TABLE_FILES] = make_file,         [IC_TABLE_UNITS] = make_unit,
	[IC_TABLE_SOURCES] = make_source,     [IC_TABLE_FUNCTIONS] = make_function,
	[IC_TABLE_INSTANCES] = make_instance, [IC_TABLE_RANGES] = make_range,
	[IC_TABLE_ARGUMENTS] = make_argument, [IC_TABLE_CALLS] = make_call,
	[IC_TABLE_PROBLEMS] = make_problem,
};

// ---- Rows

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct table_rows *rows = (struct table_rows *)common;

	(void)number;
	rows->row = (struct ic_table_row){ .type = ic_table_row_name(rows->table),
					   .file = common->filler.options.file,
					   .table = rows->table };
	if (makers[rows->table](rows))
		return &rows->row;
	common->is_over = rows->is_over;
	return NULL;
}

static void free_rows(struct ic_rows *common)
{
	struct table_rows *rows = (struct table_rows *)common;

	ic_parts_free(&rows->parts);
	ic_parameter_rows_free(&rows->parameters);
	IC_ARRAY_FREE(&rows->hosts);
	IC_ARRAY_FREE(&rows->depths);
}

struct ic_rows *ic_rows_of_table(const struct ic_tables *tables, enum ic_table table,
				 const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_error unwanted;

	if (!ic_table_name(table)) {
		ic_fail(err ? err : &unwanted, IC_ERROR_ARGUMENT, "no table %d", (int)table);
		return NULL;
	}
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct table_rows), &ic_table_row_type, options, err);
	struct table_rows *rows = (struct table_rows *)common;
	if (!rows)
		return NULL;
	rows->tables = tables;
	rows->table = table;
	ic_parts_init(&rows->parts, tables->index);
	common->make = make_row;
	common->deinit = free_rows;
	common->count = SIZE_MAX;
	common->filler.names.index = tables->index;
	if (table == IC_TABLE_RANGES || table == IC_TABLE_INSTANCES || table == IC_TABLE_CALLS)
		ic_index_expect_symbols(tables->index,
					tables->firsts[tables->index->unit_count].instance);
	return common;
}
