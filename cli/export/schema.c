#include "export/schema.h"

#include <stdlib.h>

#include "base/cli.h"
#include "export/store.h"

static const char *const keys[IC_TABLE_COUNT] = {
	[IC_TABLE_FILES] = "id",
	[IC_TABLE_UNITS] = "file, id",
	[IC_TABLE_SOURCES] = "file, id",
	[IC_TABLE_FUNCTIONS] = "file, id",
	[IC_TABLE_INSTANCES] = "file, id",
	[IC_TABLE_RANGES] = "file, instance, number",
	[IC_TABLE_ARGUMENTS] = "file, instance, number",
	[IC_TABLE_CALLS] = "file, id",
	[IC_TABLE_PROBLEMS] = "file, number",
};

// Both databases understand these.
static const char indexes_and_views[] =
	"CREATE INDEX functions_name ON functions (name);\n"
	"CREATE INDEX functions_linkage_name ON functions (linkage_name)"
	" WHERE linkage_name IS NOT NULL;\n"
	"CREATE INDEX instances_function ON instances (file, function);\n"
	"CREATE INDEX instances_host ON instances (file, host);\n"
	"CREATE INDEX calls_function ON calls (file, function);\n"
	"CREATE INDEX sources_path ON sources (path);\n"
	"CREATE INDEX paths_package ON paths (package);\n"
	// Every inlined copy, with names in place of numbers.
	"CREATE VIEW inlined_copies AS"
	" SELECT i.file, i.id AS instance, f.name AS function, f.linkage_name, f.full_name,"
	" d.path AS decl_file, f.decl_line, h.name AS host, h.full_name AS host_full_name,"
	" c.path AS call_file, i.call_line, i.call_column, i.depth, i.section, i.entry, i.bytes,"
	" i.symbol, u.name AS unit, i.die"
	" FROM instances i"
	" JOIN units u ON u.file = i.file AND u.id = i.unit"
	" JOIN functions f ON f.file = i.file AND f.id = i.function"
	" LEFT JOIN sources d ON d.file = f.file AND d.id = f.decl_source"
	" LEFT JOIN instances o ON o.file = i.file AND o.id = i.host"
	" LEFT JOIN functions h ON h.file = o.file AND h.id = o.function"
	" LEFT JOIN sources c ON c.file = i.file AND c.id = i.call_source"
	" WHERE i.inlined AND NOT i.part;\n"
	// What was not inlined: calls that name their callee.
	"CREATE VIEW call_sites AS"
	" SELECT k.file, k.id AS call, f.name AS function, f.linkage_name, f.full_name,"
	" h.name AS host, h.full_name AS host_full_name, c.path AS call_file, k.call_line,"
	" k.call_column, k.section, k.address, k.return_address, k.tail, k.symbol"
	" FROM calls k"
	" JOIN functions f ON f.file = k.file AND f.id = k.function"
	" LEFT JOIN instances i ON i.file = k.file AND i.id = k.instance"
	" LEFT JOIN instances o ON o.file = i.file AND o.id = i.host"
	" LEFT JOIN functions h ON h.file = o.file AND h.id = o.function"
	" LEFT JOIN sources c ON c.file = k.file AND c.id = k.call_source"
	" WHERE NOT k.part;\n"
	// For each function of a file, how often it was inlined, and what that takes.
	"CREATE VIEW function_totals AS"
	" SELECT f.file, f.name AS function, f.linkage_name, d.path AS decl_file, f.decl_line,"
	" SUM(CASE WHEN i.inlined THEN 1 ELSE 0 END) AS inlined,"
	" SUM(CASE WHEN i.inlined AND i.bytes = 0 THEN 1 ELSE 0 END) AS without_code,"
	" SUM(CASE WHEN i.inlined OR i.bytes = 0 THEN 0 ELSE 1 END) AS out_of_line,"
	" SUM(CASE WHEN i.inlined THEN i.bytes ELSE 0 END) AS inlined_bytes,"
	" SUM(CASE WHEN i.inlined THEN 0 ELSE i.bytes END) AS out_of_line_bytes"
	" FROM functions f"
	" JOIN instances i ON i.file = f.file AND i.function = f.id AND NOT i.part"
	" LEFT JOIN sources d ON d.file = f.file AND d.id = f.decl_source"
	" GROUP BY f.file, f.name, f.linkage_name, d.path, f.decl_line;\n";

static const char *type_name(enum cli_value_type type, enum cli_dialect dialect)
{
	switch (type) {
	case CLI_VALUE_TEXT: return "TEXT";
	case CLI_VALUE_INTEGER: return dialect == CLI_SQLITE ? "INTEGER" : "BIGINT";
	case CLI_VALUE_FLAG: return dialect == CLI_SQLITE ? "INTEGER" : "BOOLEAN";
	}
	return NULL;
}

static const char *key_end(enum cli_dialect dialect)
{
	return dialect == CLI_SQLITE ? " WITHOUT ROWID;\n" : ";\n";
}

static void write_table(FILE *out, enum cli_dialect dialect, enum ic_table table)
{
	const struct ic_schema *schema = ic_table_schema(table);
	const char *number = type_name(CLI_VALUE_INTEGER, dialect);

	fprintf(out, "CREATE TABLE %s (", ic_table_name(table));
	if (table == IC_TABLE_FILES)
		fprintf(out, "id %s NOT NULL, tables TEXT NOT NULL, exported_by TEXT NOT NULL",
			number);
	else
		fprintf(out, "file %s NOT NULL", number);
	for (size_t i = CLI_VALUES_SKIPPED; i < schema->field_count; i++) {
		const struct ic_field *field = &schema->fields[i];
		fprintf(out, ", \"%s\" %s", field->key,
			type_name(cli_value_type_of(field), dialect));
	}
	fprintf(out, ", PRIMARY KEY (%s))%s", keys[table], key_end(dialect));
}

void cli_schema_write(FILE *out, enum cli_dialect dialect)
{
	for (unsigned i = 0; i < IC_TABLE_COUNT; i++)
		write_table(out, dialect, (enum ic_table)i);
	fprintf(out,
		"CREATE TABLE paths (file %s NOT NULL, path TEXT NOT NULL, package TEXT NOT NULL,"
		" PRIMARY KEY (file, path, package))%s%s",
		type_name(CLI_VALUE_INTEGER, dialect), key_end(dialect), indexes_and_views);
}

size_t cli_schema_columns(enum ic_table table)
{
	return ic_table_schema(table)->field_count - CLI_VALUES_SKIPPED +
	       (table == IC_TABLE_FILES ? 3 : 1);
}

void cli_schema_write_columns(FILE *out, enum ic_table table)
{
	const struct ic_schema *schema = ic_table_schema(table);

	fputs(table == IC_TABLE_FILES ? "id,tables,exported_by" : "file", out);
	for (size_t i = CLI_VALUES_SKIPPED; i < schema->field_count; i++)
		fprintf(out, ",%s", schema->fields[i].key);
}

char *cli_schema_text(void (*write)(FILE *out, const void *context), const void *context)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out)
		write(out, context);
	if (out && fclose(out) == 0)
		return text;
	free(text);
	cli_complain("out of memory");
	return NULL;
}

const char *cli_schema_removal(size_t number)
{
	static const char *const removals[] = {
		"DELETE FROM units WHERE file = $1",     "DELETE FROM sources WHERE file = $1",
		"DELETE FROM functions WHERE file = $1", "DELETE FROM instances WHERE file = $1",
		"DELETE FROM ranges WHERE file = $1",    "DELETE FROM arguments WHERE file = $1",
		"DELETE FROM calls WHERE file = $1",     "DELETE FROM problems WHERE file = $1",
		"DELETE FROM files WHERE id = $1",
	};

	return number < sizeof(removals) / sizeof(*removals) ? removals[number] : NULL;
}
