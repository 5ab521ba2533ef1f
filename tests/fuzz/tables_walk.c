#include "tables_walk.h"

#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/fields.h>
#include <inlinecall/extra/report.h>
#include <inlinecall/extra/rows.h>
#include <inlinecall/extra/table_row.h>
#include <inlinecall/extra/tables.h>

#include "fuzz_input.h"

struct walk {
	struct ic_tables *tables;
	struct ic_row_options options;
	uint64_t counts[IC_TABLE_COUNT]; // of rows so far
	uint64_t of_instance;            // the number of the last range or argument
	uint32_t instance;               // that it is of
};

// Every text is text, and every reference is to a row: tables come after those they refer to.
static void check_row(struct walk *walk, const struct ic_table_row *row)
{
	const uint64_t *counts = walk->counts;

	PROMISE(row->function <= counts[IC_TABLE_FUNCTIONS]);
	PROMISE(row->decl_source <= counts[IC_TABLE_SOURCES]);
	PROMISE(row->call_source <= counts[IC_TABLE_SOURCES]);
	PROMISE(row->unit <= counts[IC_TABLE_UNITS]);
	PROMISE(row->parent <= counts[IC_TABLE_INSTANCES]);
	PROMISE(row->instance <= counts[IC_TABLE_INSTANCES]);
	switch (row->table) {
	case IC_TABLE_RANGES:
	case IC_TABLE_ARGUMENTS:
		PROMISE(row->instance >= walk->instance && row->instance > 0);
		walk->of_instance = row->instance == walk->instance ? walk->of_instance + 1 : 1;
		walk->instance = row->instance;
		PROMISE(row->number == walk->of_instance);
		break;
	case IC_TABLE_FILES: break;
	case IC_TABLE_PROBLEMS: PROMISE(row->number == counts[row->table] + 1); break;
	default: PROMISE(row->id == counts[row->table] + 1);
	}
}

static void look_at_fields(const struct ic_row_fields *fields, uint64_t *hash)
{
	for (size_t i = 0; i < fields->schema->field_count; i++) {
		const struct ic_field *field = &fields->schema->fields[i];
		const char *at = (const char *)fields->row + field->at;

		PROMISE(field->type < IC_FIELD_RANGES);
		if (field->type != IC_FIELD_TEXT)
			*hash = (*hash ^ *(const uint8_t *)at) * 0x100000001b3; // FNV
		else if (*(const char *const *)at)
			fuzz_read_text(*(const char *const *)at, NULL);
	}
}

static bool read_table(struct walk *walk, enum ic_table table, uint64_t *hash, struct ic_error *err)
{
	struct ic_rows *rows = ic_rows_of_table(walk->tables, table, &walk->options, err);
	struct ic_row_fields fields;

	if (!rows)
		return false;
	walk->instance = 0;
	while (ic_rows_next_fields(rows, &fields, err)) {
		PROMISE(fields.schema == ic_table_schema(table));
		check_row(walk, fields.row);
		look_at_fields(&fields, hash);
		walk->counts[table]++;
	}
	ic_rows_free(rows);
	return err->code == IC_ERROR_NONE;
}

bool tables_walk(const struct ic_index *index, struct ic_parameters *parameters, uint64_t *hash,
		 struct ic_error *err)
{
	struct walk walk = { .tables = ic_tables_make(index, err),
			     .options = { .file = "a.out", .parameters = parameters } };
	bool ok = walk.tables || err->code == IC_ERROR_UNSUPPORTED;

	for (unsigned i = 0; ok && walk.tables && i < IC_TABLE_COUNT; i++)
		ok = read_table(&walk, (enum ic_table)i, hash, err);
	ic_tables_free(walk.tables);
	return ok;
}
