// The names of tables, and the fields of their rows.
#include "report/tables/fields.h"
#include "report/rows/row.h"

#include <inlinecall/extra/table_row.h>

// clang-format off
#define NAMED(key, member, type) { key, IC_FIELD_##type, offsetof(struct ic_table_row, member), 0, NULL }
#define FIELD(key, type) NAMED(#key, key, type)
#define START FIELD(type, TEXT), FIELD(file, TEXT)

static const struct ic_field file_fields[] = {
	START,
	FIELD(build_id,            TEXT),
	FIELD(machine,             COUNT),
	FIELD(address_bytes,       COUNT),
	FIELD(relocatable,         FLAG),
	FIELD(debug_file,          TEXT),
	FIELD(elf_package,         TEXT),
	FIELD(elf_package_version, TEXT),
};

static const struct ic_field unit_fields[] = {
	START,
	FIELD(id,        NUMBER),
	FIELD(name,      TEXT),
	FIELD(directory, TEXT),
	FIELD(producer,  TEXT),
	FIELD(language,  TEXT),
	FIELD(die,       OFFSET),
	FIELD(die_file,  TEXT),
};

static const struct ic_field source_fields[] = {
	START,
	FIELD(id,   NUMBER),
	FIELD(path, TEXT),
};

static const struct ic_field function_fields[] = {
	START,
	FIELD(id,           NUMBER),
	FIELD(name,         TEXT),
	FIELD(linkage_name, TEXT),
	FIELD(full_name,    TEXT),
	FIELD(inlining,     TEXT),
	FIELD(decl_source,  COUNT),
	FIELD(decl_line,    COUNT),
	FIELD(decl_column,  COUNT),
	FIELD(die,          OFFSET),
};

static const struct ic_field instance_fields[] = {
	START,
	FIELD(id,          NUMBER),
	FIELD(unit,        NUMBER),
	FIELD(function,    COUNT),
	FIELD(parent,      COUNT),
	FIELD(host,        COUNT),
	FIELD(inlined,     FLAG),
	FIELD(part,        FLAG),
	FIELD(depth,       NUMBER),
	FIELD(call_source, COUNT),
	FIELD(call_line,   COUNT),
	FIELD(call_column, COUNT),
	FIELD(section,     TEXT),
	FIELD(entry,       ADDRESS),
	FIELD(bytes,       BYTES),
	FIELD(symbol,      TEXT),
	FIELD(arguments,   BYTES),
	FIELD(variadic,    FLAG),
	FIELD(die,         OFFSET),
};

static const struct ic_field range_fields[] = {
	START,
	FIELD(instance, NUMBER),
	FIELD(number,   NUMBER),
	FIELD(section,  TEXT),
	FIELD(start,    ADDRESS),
	FIELD(bytes,    BYTES),
	FIELD(symbol,   TEXT),
};

static const struct ic_field argument_fields[] = {
	START,
	FIELD(instance,   NUMBER),
	FIELD(number,     NUMBER),
	FIELD(name,       TEXT),
	FIELD(value_type, TEXT),
	FIELD(bytes,      BYTES),
	FIELD(encoding,   TEXT),
	NAMED("signed", is_signed, FLAG),
	FIELD(artificial, FLAG),
	FIELD(result,     FLAG),
	FIELD(kind,       TEXT),
	FIELD(location,   TEXT),
	FIELD(reason,     TEXT),
	NAMED("register", reg, TEXT),
	FIELD(register_offset, SIGNED),
	FIELD(value,           TEXT),
	FIELD(known_from,      ADDRESS),
	FIELD(known_section,   TEXT),
};

static const struct ic_field call_fields[] = {
	START,
	FIELD(id,             NUMBER),
	FIELD(unit,           NUMBER),
	FIELD(function,       COUNT),
	FIELD(instance,       COUNT),
	FIELD(call_source,    COUNT),
	FIELD(call_line,      COUNT),
	FIELD(call_column,    COUNT),
	FIELD(section,        TEXT),
	FIELD(address,        ADDRESS),
	FIELD(return_address, ADDRESS),
	FIELD(tail,           FLAG),
	FIELD(part,           FLAG),
	FIELD(symbol,         TEXT),
	FIELD(die,            OFFSET),
};

static const struct ic_field problem_fields[] = {
	START,
	FIELD(number,       NUMBER),
	FIELD(problem_file, TEXT),
	FIELD(section,      TEXT),
	FIELD(position,     OFFSET),
	FIELD(message,      TEXT),
	FIELD(note,         FLAG),
};
// clang-format on

#define SCHEMA(fields)                                                                \
	{                                                                             \
		fields, sizeof(fields) / sizeof(*fields), sizeof(struct ic_table_row) \
	}

static const struct {
	const char *name, *type;
	struct ic_schema schema;
} tables[IC_TABLE_COUNT] = {
	[IC_TABLE_FILES] = { "files", "file", SCHEMA(file_fields) },
	[IC_TABLE_UNITS] = { "units", "unit", SCHEMA(unit_fields) },
	[IC_TABLE_SOURCES] = { "sources", "source", SCHEMA(source_fields) },
	[IC_TABLE_FUNCTIONS] = { "functions", "function", SCHEMA(function_fields) },
	[IC_TABLE_INSTANCES] = { "instances", "instance", SCHEMA(instance_fields) },
	[IC_TABLE_RANGES] = { "ranges", "range", SCHEMA(range_fields) },
	[IC_TABLE_ARGUMENTS] = { "arguments", "argument", SCHEMA(argument_fields) },
	[IC_TABLE_CALLS] = { "calls", "call", SCHEMA(call_fields) },
	[IC_TABLE_PROBLEMS] = { "problems", "problem", SCHEMA(problem_fields) },
};

const char *ic_table_name(enum ic_table table)
{
	return (unsigned)table < IC_TABLE_COUNT ? tables[table].name : NULL;
}

const struct ic_schema *ic_table_schema(enum ic_table table)
{
	return (unsigned)table < IC_TABLE_COUNT ? &tables[table].schema : NULL;
}

const char *ic_table_row_name(enum ic_table table)
{
	return tables[table].type;
}

static const struct ic_schema *schema_of(const void *row)
{
	return ic_table_schema(((const struct ic_table_row *)row)->table);
}

static const struct ic_schema *const table_schemas[] = {
	&tables[IC_TABLE_FILES].schema,     &tables[IC_TABLE_UNITS].schema,
	&tables[IC_TABLE_SOURCES].schema,   &tables[IC_TABLE_FUNCTIONS].schema,
	&tables[IC_TABLE_INSTANCES].schema, &tables[IC_TABLE_RANGES].schema,
	&tables[IC_TABLE_ARGUMENTS].schema, &tables[IC_TABLE_CALLS].schema,
	&tables[IC_TABLE_PROBLEMS].schema,  NULL
};

const struct ic_row_type ic_table_row_type = { IC_ROWS_TABLES, &tables[IC_TABLE_FILES].schema,
					       table_schemas, schema_of, NULL };
