#include "tables/inline_table.h"

#include <elf.h>
#include <stdlib.h>

#include <inlinecall/extra.h>

#include "btf_builder.h"
#include "fixtures/elf.h"
#include "fixtures/lookup.h"
#include "fixtures/scan.h"
#include "unit_test.h"

enum {
	ONE_PARAMETER = 4,
	NO_PARAMETERS,
	MID = 7,
	LEAF = 8,
	TOP = 9,
	KIND_LOC_PARAM = 20,
	KIND_LOC_PROTO,
	KIND_LOCSEC
};

struct call {
	uint32_t callee, caller, offset;
};

struct answer { // what a table says of a file without DWARF
	struct btf_builder types;
	struct byte_buffer bytes;
	struct ic_btf *btf;
	struct ic_btf_inline *table;
	struct scan scan;
	struct lookup lookup;
};

static void put_header(struct byte_buffer *out, uint32_t base, uint32_t calls_size)
{
	byte_buffer_put(out, 0xeb9f, 2);
	byte_buffer_put(out, 1, 2);
	byte_buffer_put(out, 24, 4);
	byte_buffer_put(out, base, 4);
	byte_buffer_put(out, calls_size, 4);
	byte_buffer_put(out, base + calls_size, 4);
	byte_buffer_put(out, base ? 2 : 1, 4);
}

// Tables in the RFC's form, of calls without parameters.
static void put_calls(struct byte_buffer *out, const struct call *calls, uint32_t count)
{
	put_header(out, 0, 14 * count);
	for (uint32_t i = 0; i < count; i++) {
		byte_buffer_put(out, calls[i].callee, 4);
		byte_buffer_put(out, calls[i].caller, 4);
		byte_buffer_put(out, calls[i].offset, 4);
		byte_buffer_put(out, 0, 2);
	}
	byte_buffer_put(out, 0, 1);
}

static void add(struct elf_builder *elf, const char *name, const char *section, uint64_t value,
		uint64_t size)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = section,
						 .value = value,
						 .size = size,
						 .type = STT_FUNC });
}

// Gives a function, which is one of the last three types, another prototype.
static void set_prototype(struct btf_builder *btf, uint32_t function, uint32_t prototype)
{
	byte_buffer_patch(&btf->types, btf->types.size - 12 * (TOP - function) - 4, prototype, 4);
}

// A program with code from 0x1000 to 0x2000, and the symbol top from 0x1100 to 0x1200.
static struct elf_builder *begin(struct answer *answer)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	*answer = (struct answer){ .btf = NULL };
	btf_example_types(&answer->types, false);
	set_prototype(&answer->types, MID, NO_PARAMETERS);
	set_prototype(&answer->types, LEAF, NO_PARAMETERS);
	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add(elf, "top", ".text", 0x1100, 0x100);
	return elf;
}

static void open_with(struct answer *answer, struct elf_builder *elf,
		      const struct ic_index_options *options)
{
	const struct ic_image_options without = { .allow_no_debug = true };
	struct ic_index_options wanted = options ? *options
						 : (struct ic_index_options){ .jobs = 1 };
	struct bytes types = btf_section(&answer->types);
	struct ic_error err;

	answer->btf = ic_btf_parse(types.data, types.size, NULL, &err);
	assert_non_null(answer->btf);
	answer->table =
		ic_btf_inline_parse(answer->bytes.data, answer->bytes.size, answer->btf, &err);
	assert_non_null(answer->table);
	answer->scan.image = ic_image_open(elf_end_at(elf, "table"), &without, &err);
	assert_non_null(answer->scan.image);
	wanted.inline_table = answer->table;
	answer->scan.index = ic_index_build(answer->scan.image, &wanted, &err);
	assert_non_null(answer->scan.index);
}

static void open(struct answer *answer, struct elf_builder *elf, const struct call *calls,
		 uint32_t count)
{
	put_calls(&answer->bytes, calls, count);
	open_with(answer, elf, NULL);
}

// A second look at the same, by addresses.
static struct lookup *look(struct answer *answer)
{
	const struct ic_symbolizer_options options = { .inline_table = answer->table };
	struct ic_error err;

	answer->lookup.image = answer->scan.image;
	answer->lookup.symbolizer = ic_symbolizer_new(answer->scan.image, &options, &err);
	assert_non_null(answer->lookup.symbolizer);
	return &answer->lookup;
}

static void close_all(struct answer *answer)
{
	ic_symbolizer_free(answer->lookup.symbolizer);
	free(answer->lookup.text);
	scan_close(&answer->scan);
	ic_btf_inline_free(answer->table);
	ic_btf_free(answer->btf);
	btf_builder_deinit(&answer->types);
	byte_buffer_deinit(&answer->bytes);
}

TEST(copies_are_entered_at_offsets_from_the_symbols_of_their_callers)
{
	struct answer answer;
	struct elf_builder *elf = begin(&answer);

	open(&answer, elf, (const struct call[]){ { MID, TOP, 0x30 }, { LEAF, TOP, 0x41 } }, 2);
	assert_scan(&answer.scan, "unit ?\n"
				  "host top 0x1100-0x1200 at 0x1100\n"
				  " inlined mid 0x1130-0x1131 at 0x1130\n"
				  " inlined leaf 0x1141-0x1142 at 0x1141\n");
	close_all(&answer);
}

TEST(nothing_but_the_wanted_functions_is_read)
{
	const char *const names[] = { "leaf", NULL };
	const struct ic_index_options options = { .jobs = 1, .functions = names };
	const struct call calls[] = { { MID, TOP, 0x30 }, { LEAF, TOP, 0x41 } };
	struct answer answer;
	struct elf_builder *elf = begin(&answer);

	add(elf, "leaf", ".text", 0x1300, 0x10);
	add(elf, "mid", ".text", 0x1400, 0x10);
	put_calls(&answer.bytes, calls, 2);
	open_with(&answer, elf, &options);
	assert_scan(&answer.scan, "unit ?\n"
				  "host leaf 0x1300-0x1310 at 0x1300\n"
				  "host top 0x1100-0x1200 at 0x1100\n"
				  " inlined leaf 0x1141-0x1142 at 0x1141\n");
	close_all(&answer);
}

TEST(an_address_is_not_guessed)
{
	struct answer answer;
	struct elf_builder *elf = begin(&answer);

	add(elf, "top", ".text", 0x1800, 0x100);
	open(&answer, elf,
	     (const struct call[]){ { LEAF, TOP, 0x10 }, { LEAF, TOP, 0x20 }, { LEAF, MID, 0 } },
	     3);
	assert_scan(&answer.scan,
		    "unit ?\n"
		    "host top 0x1100-0x1200 at 0x1100\n"
		    "host top 0x1800-0x1900 at 0x1800\n"
		    " inlined leaf\n"
		    " inlined leaf\n"
		    "host mid\n"
		    " inlined leaf\n"
		    "problem .BTF.inline+0x34: calls without an address: no symbol has the name of "
		    "their caller, for example 'mid'; 1 in all\n"
		    "problem .BTF.inline+0x18: calls without an address: several functions have "
		    "the name of their caller, for example 'top'; 2 in all\n");
	close_all(&answer);
}

TEST(an_entry_outside_of_the_caller_is_none)
{
	struct answer answer;
	struct elf_builder *elf = begin(&answer);

	open(&answer, elf, (const struct call[]){ { LEAF, TOP, 0x100 }, { LEAF, TOP, 0x8000 } }, 2);
	assert_scan(&answer.scan,
		    "unit ?\n"
		    "host top 0x1100-0x1200 at 0x1100\n"
		    " inlined leaf\n"
		    " inlined leaf\n"
		    "problem .BTF.inline+0x18: calls without an address: it would be outside the "
		    "code of their caller, for example 'top'; 2 in all\n");
	close_all(&answer);
}

TEST(cold_code_belongs_to_its_function)
{
	struct answer answer;
	struct elf_builder *elf = begin(&answer);

	add(elf, "top.cold", ".text", 0x1080, 0x10);
	open(&answer, elf, (const struct call[]){ { LEAF, TOP, 0x84 - 0x100 } }, 1);
	assert_scan(&answer.scan, "unit ?\n"
				  "host top 0x1100-0x1200 0x1080-0x1090 at 0x1100\n"
				  " inlined leaf 0x1084-0x1085 at 0x1084\n");
	assert_lookup(look(&answer), 0x1084, "leaf ?:0 in top ?:0");
	close_all(&answer);
}

TEST(an_address_has_the_copies_that_are_entered_there)
{
	struct answer answer;
	struct elf_builder *elf = begin(&answer);

	open(&answer, elf,
	     (const struct call[]){ { MID, TOP, 0x30 }, { LEAF, TOP, 0x30 }, { LEAF, TOP, 0 } }, 3);
	struct lookup *lookup = look(&answer);
	assert_lookup(lookup, 0x1130, "leaf ?:0 in mid ?:0 in top ?:0");
	assert_lookup(lookup, 0x1100, "leaf ?:0 in top ?:0");
	assert_lookup(lookup, 0x1131, "top ?:0");
	assert_lookup(lookup, 0x1500, "");
	close_all(&answer);
}

TEST(a_thousand_copies_at_one_address_do_not_nest_without_end)
{
	enum { COUNT = 1000 };
	struct call calls[COUNT];
	struct ic_frame frames[2];
	struct answer answer;
	struct elf_builder *elf = begin(&answer);

	for (uint32_t i = 0; i < COUNT; i++)
		calls[i] = (struct call){ LEAF, TOP, 0x30 };
	open(&answer, elf, calls, COUNT);
	assert_int_equal(ic_index_count(answer.scan.index).inlined, COUNT);
	struct lookup *lookup = look(&answer);
	assert_int_equal(ic_symbolizer_frames_at(lookup->symbolizer, 0x1130, frames, 2), 65);
	assert_string_equal(
		lookup_problems(lookup),
		".BTF.inline+0x398: calls are not shown at their address: too many share it, "
		"for example 'top'; 936 in all\n");
	close_all(&answer);
}

TEST(what_is_no_function_is_left_out_and_void_has_no_name)
{
	struct answer answer;
	struct elf_builder *elf = begin(&answer);

	open(&answer, elf, (const struct call[]){ { 1, TOP, 0x30 }, { 0, TOP, 0x31 } }, 2);
	assert_scan(
		&answer.scan,
		"unit ?\n"
		"host top 0x1100-0x1200 at 0x1100\n"
		" inlined ? 0x1131-0x1132 at 0x1131\n"
		"problem .BTF.inline+0x18: calls are skipped: their callee is not a function; "
		"1 in all\n"
		"problem .BTF.inline+0x26: calls are to functions that are not in BTF; 1 in all\n");
	close_all(&answer);
}

TEST(what_a_table_has_no_bytes_for_is_refused)
{
	static const struct ic_statistics_query queries[] = {
		{ .by = IC_STATISTICS_BY_FILE },
		{ .by = IC_STATISTICS_BY_UNIT },
		{ .order = IC_STATISTICS_MOST_BYTES },
		{ .order = IC_STATISTICS_MOST_SELF },
	};
	struct answer answer;
	struct elf_builder *elf = begin(&answer);
	struct ic_error err;

	open(&answer, elf, (const struct call[]){ { LEAF, TOP, 0x30 } }, 1);
	assert_null(ic_trees_find(answer.scan.index, NULL, &err));
	assert_int_equal(err.code, IC_ERROR_UNSUPPORTED);
	for (unsigned i = 0; i < COUNT_OF(queries); i++) {
		assert_null(ic_statistics_find(answer.scan.index, &queries[i], &err));
		assert_int_equal(err.code, IC_ERROR_UNSUPPORTED);
	}
	close_all(&answer);
}

// The second copy would be outside of its caller.
TEST(copies_count_wherever_they_are_but_have_no_bytes)
{
	struct answer answer;
	struct elf_builder *elf = begin(&answer);
	struct ic_statistic total;

	open(&answer, elf, (const struct call[]){ { LEAF, TOP, 0x30 }, { LEAF, TOP, 0x40000 } }, 2);
	struct ic_statistics *statistics = ic_statistics_find(answer.scan.index, NULL, NULL);
	assert_non_null(statistics);
	ic_statistics_total(statistics, &total);
	assert_int_equal(total.copies, 2);
	assert_int_equal(total.functions, 1);
	assert_int_equal(total.callers, 1);
	assert_true(total.size == IC_STATISTIC_NONE && total.self_size == IC_STATISTIC_NONE);
	assert_true(total.without_code == IC_STATISTIC_NONE);
	assert_true(total.out_of_line == IC_STATISTIC_NONE);
	ic_statistics_free(statistics);
	close_all(&answer);
}

static void put_kinds(struct answer *answer, const char *section, const uint32_t *offsets,
		      uint32_t count)
{
	struct btf_builder *btf = &answer->types;

	set_prototype(btf, LEAF, ONE_PARAMETER);
	btf_type(btf, NULL, KIND_LOC_PARAM, 1, false, 4);
	btf_word(btf, 8);
	btf_word(btf, 5);
	uint32_t list = btf_type(btf, NULL, KIND_LOC_PROTO, 1, false, 0);
	btf_word(btf, list - 1);
	btf_type(btf, section, KIND_LOCSEC, count, false, 0);
	for (uint32_t i = 0; i < count; i++) {
		btf_word(btf, LEAF);
		btf_word(btf, list);
		btf_word(btf, offsets[i]);
	}
	struct bytes bytes = btf_section(btf);
	byte_buffer_append(&answer->bytes, bytes.data, bytes.size);
}

TEST(offsets_of_locsecs_count_from_the_section_of_that_name)
{
	static const char *const names[] = { ".init.text", "inline.init.text" };
	const uint32_t offset = 0x10;
	struct answer answer;

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct elf_builder *elf = begin(&answer);
		elf_add_code(elf, ".init.text", 0x3000, 0x100);
		add(elf, "start", ".init.text", 0x3000, 0x20);
		put_kinds(&answer, names[i], &offset, 1);
		open_with(&answer, elf, NULL);
		assert_scan(&answer.scan, "unit ?\n"
					  "host top 0x1100-0x1200 at 0x1100\n"
					  "host start 0x3000-0x3020 at 0x3000\n"
					  " inlined leaf 0x3010-0x3011 at 0x3010\n");
		close_all(&answer);
	}
	struct elf_builder *elf = begin(&answer);
	put_kinds(&answer, ".locs", &offset, 1);
	open_with(&answer, elf, NULL);
	assert_scan(&answer.scan, "unit ?\n"
				  "host top 0x1100-0x1200 at 0x1100\n"
				  "inlined leaf\n"
				  "problem .BTF.inline+0xd4: calls without an address: the base of "
				  "their offsets is unknown; 1 in all\n");
	close_all(&answer);
}

TEST(calls_of_a_locsec_are_in_the_functions_whose_symbols_are_around_them)
{
	static const uint32_t offsets[] = { 0x130, 0x404, 0x8110 };
	struct answer answer;
	struct elf_builder *elf = begin(&answer);

	add(elf, "top.constprop.0", ".text", 0x1400, 0x10);
	put_kinds(&answer, "inline.text", offsets, COUNT_OF(offsets));
	open_with(&answer, elf, NULL);
	assert_scan(&answer.scan, "unit ?\n"
				  "host top 0x1100-0x1200 at 0x1100\n"
				  "host top 0x1400-0x1410 at 0x1400\n"
				  " inlined leaf 0x1130-0x1131 at 0x1130\n"
				  " inlined leaf 0x1404-0x1405 at 0x1404\n"
				  "inlined leaf\n"
				  "problem .BTF.inline+0xec: calls without an address: it would be "
				  "outside the code of their caller; 1 in all\n");
	close_all(&answer);
}

UNIT_TESTS(tables_inline_table)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_are_entered_at_offsets_from_the_symbols_of_their_callers),
		cmocka_unit_test(nothing_but_the_wanted_functions_is_read),
		cmocka_unit_test(an_address_is_not_guessed),
		cmocka_unit_test(an_entry_outside_of_the_caller_is_none),
		cmocka_unit_test(cold_code_belongs_to_its_function),
		cmocka_unit_test(an_address_has_the_copies_that_are_entered_there),
		cmocka_unit_test(a_thousand_copies_at_one_address_do_not_nest_without_end),
		cmocka_unit_test(what_is_no_function_is_left_out_and_void_has_no_name),
		cmocka_unit_test(what_a_table_has_no_bytes_for_is_refused),
		cmocka_unit_test(copies_count_wherever_they_are_but_have_no_bytes),
		cmocka_unit_test(offsets_of_locsecs_count_from_the_section_of_that_name),
		cmocka_unit_test(
			calls_of_a_locsec_are_in_the_functions_whose_symbols_are_around_them),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
