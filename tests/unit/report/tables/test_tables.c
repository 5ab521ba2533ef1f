#include "unit_test.h"

#include <stdlib.h>

#include "fixtures/rows.h"
#include "model/index.h"

#include <inlinecall/extra/fields.h>
#include <inlinecall/extra/report.h>
#include <inlinecall/extra/tables.h>

// The rows of one table, as JSON.
static char *write_table(const struct ic_index *index, enum ic_table table)
{
	const struct ic_report_options options = { .format = IC_REPORT_JSON };
	const struct ic_row_options row_options = { .file = "a" };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct ic_tables *tables = ic_tables_make(index, NULL);
	struct ic_report *report = ic_report_new(IC_ROWS_TABLES, &options, out, NULL);
	struct ic_rows *rows = ic_rows_of_table(tables, table, &row_options, NULL);

	assert_true(ic_report_rows(report, rows));
	assert_true(ic_report_end(report, NULL));
	ic_rows_free(rows);
	ic_report_free(report);
	ic_tables_free(tables);
	fclose(out);
	return text;
}

static void check_table(const struct ic_index *index, enum ic_table table, const char *wanted)
{
	char *text = write_table(index, table);

	assert_string_equal(text, wanted);
	free(text);
}

static void rows_refer_to_each_other(void **state)
{
	(void)state;
	const struct ic_index *index = rows_index();

	check_table(index, IC_TABLE_SOURCES,
		    "{\"type\":\"source\",\"file\":\"a\",\"id\":1,\"path\":\"/src/a.c\"}\n"
		    "{\"type\":\"source\",\"file\":\"a\",\"id\":2,\"path\":\"/src/a.h\"}\n"
		    "{\"type\":\"source\",\"file\":\"a\",\"id\":3,\"path\":\"/src/b.c\"}\n");
	check_table(index, IC_TABLE_FUNCTIONS,
		    "{\"type\":\"function\",\"file\":\"a\",\"id\":1,\"name\":\"outer\","
		    "\"linkage_name\":null,\"full_name\":\"outer\",\"inlining\":\"not_inlined\","
		    "\"decl_source\":1,\"decl_line\":3,\"decl_column\":null,\"die\":\"0x0\"}\n"
		    "{\"type\":\"function\",\"file\":\"a\",\"id\":2,\"name\":\"mid\","
		    "\"linkage_name\":\"_Z3midi\",\"full_name\":\"mid(int)\","
		    "\"inlining\":\"not_inlined\",\"decl_source\":2,\"decl_line\":5,"
		    "\"decl_column\":null,\"die\":\"0x30\"}\n"
		    "{\"type\":\"function\",\"file\":\"a\",\"id\":3,\"name\":\"le\\\"af\","
		    "\"linkage_name\":null,\"full_name\":\"le\\\"af\",\"inlining\":\"not_inlined\","
		    "\"decl_source\":null,\"decl_line\":null,\"decl_column\":null,"
		    "\"die\":\"0x40\"}\n");
	check_table(index, IC_TABLE_CALLS,
		    "{\"type\":\"call\",\"file\":\"a\",\"id\":1,\"unit\":1,\"function\":3,"
		    "\"instance\":1,\"call_source\":3,\"call_line\":20,\"call_column\":null,"
		    "\"section\":\".text\",\"address\":\"0x50\",\"return_address\":\"0x55\","
		    "\"tail\":false,\"part\":false,\"symbol\":\"outer\",\"die\":\"0x1d0\"}\n"
		    "{\"type\":\"call\",\"file\":\"a\",\"id\":2,\"unit\":1,\"function\":3,"
		    "\"instance\":2,\"call_source\":null,\"call_line\":null,\"call_column\":null,"
		    "\"section\":\".text\",\"address\":\"0x28\",\"return_address\":null,"
		    "\"tail\":true,\"part\":false,\"symbol\":\"outer\",\"die\":\"0x1e0\"}\n");
}

static void ranges_are_those_of_their_instances(void **state)
{
	(void)state;

	check_table(rows_index(), IC_TABLE_RANGES,
		    "{\"type\":\"range\",\"file\":\"a\",\"instance\":1,\"number\":1,"
		    "\"section\":\".text\",\"start\":\"0x0\",\"bytes\":256,\"symbol\":\"outer\"}\n"
		    "{\"type\":\"range\",\"file\":\"a\",\"instance\":2,\"number\":1,"
		    "\"section\":\".text\",\"start\":\"0x10\",\"bytes\":32,\"symbol\":\"outer\"}\n"
		    "{\"type\":\"range\",\"file\":\"a\",\"instance\":2,\"number\":2,"
		    "\"section\":\".text.unlikely\",\"start\":\"0x0\",\"bytes\":8,"
		    "\"symbol\":\"_Z3midi.cold\"}\n"
		    "{\"type\":\"range\",\"file\":\"a\",\"instance\":3,\"number\":1,"
		    "\"section\":\".text\",\"start\":\"0x20\",\"bytes\":8,\"symbol\":\"outer\"}\n"
		    "{\"type\":\"range\",\"file\":\"a\",\"instance\":5,\"number\":1,"
		    "\"section\":\".text\",\"start\":\"0x200\",\"bytes\":16,\"symbol\":null}\n");
}

static struct ic_function constructors[] = {
	{ .name = "C", .linkage_name = "_ZN1CC2Ev", .die_off = 0x10, .scope = IC_NONE },
	{ .name = "C", .linkage_name = "_ZN1CC1Ev", .die_off = 0x10, .scope = IC_NONE },
	{ .name = "C", .die_off = 0x10, .scope = IC_NONE },
	{ .name = "declared", .decl_file = "a.h", .die_off = 0x20, .scope = IC_NONE },
};

static void functions_count_once_and_clones_apart(void **state)
{
	(void)state;
	struct ic_instance instances[] = {
		{ .function = 0, .parent = IC_NONE, .call_file = IC_NONE },
		{ .function = 1, .parent = IC_NONE, .call_file = IC_NONE },
		{ .function = 2, .parent = IC_NONE, .call_file = IC_NONE },
	};
	struct ic_unit_model units[] = {
		{ .functions = constructors,
		  .instances = instances,
		  .function_count = COUNT_OF(constructors),
		  .instance_count = 2 },
		{ .functions = constructors,
		  .instances = instances,
		  .function_count = COUNT_OF(constructors),
		  .instance_count = 3 },
	};
	const struct ic_index index = { .units = units, .unit_count = 2 };

	check_table(&index, IC_TABLE_FUNCTIONS,
		    "{\"type\":\"function\",\"file\":\"a\",\"id\":1,\"name\":\"C\","
		    "\"linkage_name\":null,\"full_name\":\"C\",\"inlining\":\"not_inlined\","
		    "\"decl_source\":null,\"decl_line\":null,\"decl_column\":null,"
		    "\"die\":\"0x10\"}\n"
		    "{\"type\":\"function\",\"file\":\"a\",\"id\":2,\"name\":\"C\","
		    "\"linkage_name\":\"_ZN1CC1Ev\",\"full_name\":\"C::C()\","
		    "\"inlining\":\"not_inlined\",\"decl_source\":null,\"decl_line\":null,"
		    "\"decl_column\":null,\"die\":\"0x10\"}\n"
		    "{\"type\":\"function\",\"file\":\"a\",\"id\":3,\"name\":\"C\","
		    "\"linkage_name\":\"_ZN1CC2Ev\",\"full_name\":\"C::C()\","
		    "\"inlining\":\"not_inlined\",\"decl_source\":null,\"decl_line\":null,"
		    "\"decl_column\":null,\"die\":\"0x10\"}\n");
}

static void tables_have_no_text_and_no_columns_in_common(void **state)
{
	(void)state;
	const struct ic_report_options csv = { .format = IC_REPORT_CSV };
	struct ic_error err;

	assert_null(ic_report_new(IC_ROWS_TABLES, NULL, stdout, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_null(ic_report_new(IC_ROWS_TABLES, &csv, stdout, &err));
	assert_null(ic_table_name((enum ic_table)IC_TABLE_COUNT));
	assert_null(ic_table_schema((enum ic_table)IC_TABLE_COUNT));
	assert_string_equal(ic_table_name(IC_TABLE_UNITS), "units");
}

UNIT_TESTS(report_tables_tables)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_refer_to_each_other),
		cmocka_unit_test(ranges_are_those_of_their_instances),
		cmocka_unit_test(functions_count_once_and_clones_apart),
		cmocka_unit_test(tables_have_no_text_and_no_columns_in_common),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
