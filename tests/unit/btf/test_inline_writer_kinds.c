#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "btf/inline_writer.h"

#include "btf_builder.h"

static void add(struct ic_btf_writer *writer, const char *section, uint32_t callee, uint32_t offset)
{
	const struct ic_btf_writer_call call = { .callee = callee,
						 .offset = offset,
						 .section = section };

	ic_btf_writer_add_call(writer, &call);
}

static void add_parameter(struct ic_btf_writer *writer, enum ic_location_kind kind, int64_t offset)
{
	const struct ic_location location = { .kind = kind, .reg = 5, .offset = offset };

	ic_btf_writer_add_parameter(writer, &location, 4, true);
}

static void add_calls(struct ic_btf_writer *writer)
{
	add(writer, "inline.text", 8, 0x41);
	add_parameter(writer, IC_LOCATION_MEMORY, 12);
	add(writer, "inline.text", 7, 0x30);
	add_parameter(writer, IC_LOCATION_REGISTER, 0);
	add_parameter(writer, IC_LOCATION_COMPUTED, 0);
	add(writer, "inline.init.text", 7, 0x50);
	add_parameter(writer, IC_LOCATION_REGISTER, 0);
	add_parameter(writer, IC_LOCATION_UNAVAILABLE, 0);
	add(writer, "inline.text", 7, 0x12);
	add_parameter(writer, IC_LOCATION_REGISTER, 0);
	add_parameter(writer, IC_LOCATION_MEMORY, 12);
	add(writer, "inline.text", 9, 0);
}

static const char wanted[] =
	"[10] LOC_PARAM '(anon)' size=4 flags=0x8 vlen=1 values='reg5'\n"
	"[11] LOC_PARAM '(anon)' size=4 flags=0x38 vlen=2 values='*(reg5 + 0xc)'\n"
	"[12] LOC_PROTO '(anon)' vlen=2\n\ttype_id=10 value='reg5'\n"
	"\ttype_id=11 value='*(reg5 + 0xc)'\n"
	"[13] LOC_PROTO '(anon)' vlen=2\n\ttype_id=10 value='reg5'\n\ttype_id=0\n"
	"[14] LOC_PROTO '(anon)' vlen=1\n\ttype_id=11 value='*(reg5 + 0xc)'\n"
	"[15] LOCSEC 'inline.text' vlen=4\n"
	"\tname='mid' func_type_id=7 loc_proto_type_id=12 offset=18\n"
	"\tname='mid' func_type_id=7 loc_proto_type_id=13 offset=48\n"
	"\tname='leaf' func_type_id=8 loc_proto_type_id=14 offset=65\n"
	"\tname='top' func_type_id=9 loc_proto_type_id=0 offset=0\n"
	"[16] LOCSEC 'inline.init.text' vlen=1\n"
	"\tname='mid' func_type_id=7 loc_proto_type_id=13 offset=80\n";

TEST(kinds_share_locations_and_lists_and_are_sorted)
{
	for (int big_endian = 0; big_endian < 2; big_endian++) {
		struct btf_builder types;
		struct ic_error err = { .message = "" };
		char *text = NULL;
		size_t size = 0, text_size;

		btf_example_types(&types, big_endian);
		struct bytes section = btf_section(&types);
		struct ic_btf *btf = ic_btf_parse(section.data, section.size, NULL, &err);
		const struct ic_btf_writer_options options = { .format = IC_BTF_INLINE_LOC,
							       .is_big_endian = big_endian,
							       .types = btf };
		struct ic_btf_writer *writer = ic_btf_writer_new(&options, &err);
		add_calls(writer);
		const uint8_t *bytes = ic_btf_writer_finish(writer, &size, &err);
		assert_string_equal(err.message, "");
		assert_int_equal(bytes[0], big_endian ? 0xeb : 0x9f);
		struct ic_btf_inline *table = ic_btf_inline_parse(bytes, size, btf, &err);
		assert_string_equal(err.message, "");
		FILE *out = open_memstream(&text, &text_size);
		assert_true(ic_btf_inline_print_kinds(table, out));
		fclose(out);
		assert_string_equal(text, wanted);
		free(text);
		ic_btf_inline_free(table);
		ic_btf_writer_free(writer);
		ic_btf_free(btf);
		btf_builder_deinit(&types);
	}
}

UNIT_TESTS(btf_inline_writer_kinds)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_share_locations_and_lists_and_are_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
