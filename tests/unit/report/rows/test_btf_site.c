#include "unit_test.h"

#include <stdlib.h>

#include <inlinecall/extra/report.h>

#include "btf_builder.h"

enum { X86_64 = 62 };

struct example {
	struct byte_buffer bytes;
	struct btf_builder builder;
	struct ic_btf *types;
	struct ic_btf_inline *table;
};

static void begin(struct example *example)
{
	*example = (struct example){ .types = NULL };
	btf_example_write(&example->bytes, false);
	btf_example_types(&example->builder, false);
	struct bytes section = btf_section(&example->builder);
	example->types = ic_btf_parse(section.data, section.size, NULL, NULL);
	example->table =
		ic_btf_inline_parse(example->bytes.data, example->bytes.size, example->types, NULL);
	assert_non_null(example->table);
}

static void end(struct example *example)
{
	ic_btf_inline_free(example->table);
	ic_btf_free(example->types);
	btf_builder_deinit(&example->builder);
	byte_buffer_deinit(&example->bytes);
}

static void check(enum ic_report_format format, const char *wanted)
{
	const struct ic_report_options options = { .format = format };
	const struct ic_row_options row_options = { .file = "a" };
	struct example example;
	struct ic_row row;
	char *text = NULL;
	size_t size = 0;

	begin(&example);
	FILE *out = open_memstream(&text, &size);
	struct ic_report *report = ic_report_new(IC_ROWS_BTF_SITES, &options, out, NULL);
	struct ic_rows *rows = ic_rows_of_btf_sites(example.table, X86_64, &row_options, NULL);
	assert_true(ic_rows_next(rows, &row, NULL)); // one by one, and the rest at once
	assert_int_equal(row.btf_site->param_count, 2);
	assert_true(ic_report_row(report, &row));
	assert_true(ic_report_rows(report, rows));
	assert_true(ic_report_end(report, NULL));
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
	ic_rows_free(rows);
	ic_report_free(report);
	end(&example);
}

TEST(a_call_is_a_line_of_text)
{
	check(IC_REPORT_TEXT, "top+0x30\tmid(int value=%rdi, int factor=3)\n"
			      "top+0x12\tmid(int value=%rdi, int factor=unavailable)\n"
			      "top+0x41\tleaf(unsigned int count=*(unsigned int *)(%rdi+12))\n");
}

TEST(a_parameter_is_a_line_of_csv)
{
	check(IC_REPORT_CSV,
	      "type,file,function,function_id,host,host_id,section,offset,param,name,param_type,"
	      "size,kind,location\n"
	      "site,a,mid,7,top,9,,0x30,1,value,int,4,register,%rdi\n"
	      "site,a,mid,7,top,9,,0x30,2,factor,int,4,constant,3\n"
	      "site,a,mid,7,top,9,,0x12,1,value,int,4,register,%rdi\n"
	      "site,a,mid,7,top,9,,0x12,2,factor,int,4,unavailable,unavailable\n"
	      "site,a,leaf,8,top,9,,0x41,1,count,unsigned int,4,memory,"
	      "*(unsigned int *)(%rdi+12)\n");
}

#define CALL(function, offset, params)                                                   \
	"{\"type\":\"site\",\"file\":\"a\"," function ",\"host\":\"top\",\"host_id\":9," \
	"\"section\":null,\"offset\":\"" offset "\",\"params\":[" params "]}\n"
#define PARAM(name, type, kind, text)                                                            \
	"{\"name\":\"" name "\",\"type\":\"" type "\",\"size\":4,\"location\":{\"kind\":\"" kind \
	"\",\"text\":\"" text "\"}}"

TEST(a_call_is_an_object_of_json)
{
	check(IC_REPORT_JSON,
	      CALL("\"function\":\"mid\",\"function_id\":7", "0x30",
		   PARAM("value", "int", "register", "%rdi") "," PARAM(
			   "factor", "int", "constant",
			   "3")) CALL("\"function\":\"mid\",\"function_id\":7", "0x12",
				      PARAM("value", "int", "register", "%rdi") "," PARAM(
					      "factor", "int", "unavailable", "unavailable"))
		      CALL("\"function\":\"leaf\",\"function_id\":8", "0x41",
			   PARAM("count", "unsigned int", "memory", "*(unsigned int *)(%rdi+12)")));
}

UNIT_TESTS(report_rows_btf_site)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_a_line_of_text),
		cmocka_unit_test(a_parameter_is_a_line_of_csv),
		cmocka_unit_test(a_call_is_an_object_of_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
