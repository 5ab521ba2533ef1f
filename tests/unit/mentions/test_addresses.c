// Addresses as people write them.
#include "unit_test.h"

#include <inlinecall/extra/addresses.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

#define START 0x1000

static void add_symbol(struct elf_builder *elf, const char *name, const char *section,
		       uint64_t value, uint64_t size)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = section,
						 .value = value,
						 .size = size,
						 .type = STT_FUNC,
						 .bind = STB_LOCAL });
}

static void open_file(struct lookup *lookup, struct elf_builder *elf, const char *name)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	const char *path = elf_end_at(elf, name);

	*lookup = (struct lookup){ .image = ic_image_open(path, &options, NULL) };
	assert_non_null(lookup->image);
	lookup->symbolizer = ic_symbolizer_new(lookup->image, NULL, NULL);
	assert_non_null(lookup->symbolizer);
}

static void open_program(struct lookup *lookup)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", START, 0x1000);
	add_symbol(elf, "once", ".text", START + 0x100, 0x40);
	add_symbol(elf, "twice", ".text", START + 0x200, 0x10);
	add_symbol(elf, "twice", ".text", START + 0x300, 0x20);
	add_symbol(elf, "same", ".text", START + 0x400, 0x10);
	add_symbol(elf, "same", ".text", START + 0x500, 0x10);
	open_file(lookup, elf, "program");
}

static void open_object(struct lookup *lookup, bool has_second)
{
	struct elf_builder *elf = elf_begin(ET_REL);

	elf_add_code(elf, ".text", 0, 0x100);
	if (has_second)
		elf_add_code(elf, ".text.hot", 0, 0x40);
	add_symbol(elf, "cold", ".text", 0x20, 0x10);
	if (has_second)
		add_symbol(elf, "hot", ".text.hot", 0x10, 0x10);
	open_file(lookup, elf, "object");
}

static struct ic_addresses *begin(const struct lookup *lookup,
				  const struct ic_addresses_options *options)
{
	struct ic_addresses *addresses = ic_addresses_new(lookup->symbolizer, options, NULL);

	assert_non_null(addresses);
	return addresses;
}

static struct ic_address parsed(struct ic_addresses *addresses, const char *text)
{
	struct ic_address address;
	struct ic_error err = { .message = "" };

	if (!ic_addresses_parse(addresses, text, &address, &err))
		fail_msg("%s: %s", text, err.message);
	return address;
}

static void assert_refused(struct ic_addresses *addresses, const char *text,
			   enum ic_error_code code, const char *message)
{
	struct ic_address address;
	struct ic_error err;

	assert_false(ic_addresses_parse(addresses, text, &address, &err));
	assert_error(&err, code, message);
}

TEST(numbers_are_addresses_of_a_linked_file)
{
	struct lookup lookup;

	open_program(&lookup);
	struct ic_addresses *addresses = begin(&lookup, NULL);
	assert_int_equal(parsed(addresses, "1100").lookup, 0x1100);
	assert_int_equal(parsed(addresses, "0x1100").shown, 0x1100);
	assert_null(parsed(addresses, "0X1aF").section);
	assert_refused(addresses, "", IC_ERROR_ARGUMENT, "empty line");
	assert_refused(addresses, "11111111111111111", IC_ERROR_ARGUMENT,
		       "number does not fit in 64 bits");
	assert_refused(addresses, "once+0x11111111111111111", IC_ERROR_ARGUMENT,
		       "number does not fit in 64 bits");
	assert_false(ic_addresses_parse(addresses, "", &(struct ic_address){ 0 }, NULL));
	ic_addresses_free(addresses);
	lookup_close(&lookup);
}

TEST(symbols_and_sections_have_offsets_in_them)
{
	struct lookup lookup;

	open_program(&lookup);
	struct ic_addresses *addresses = begin(&lookup, NULL);
	assert_int_equal(parsed(addresses, "once").lookup, START + 0x100);
	assert_int_equal(parsed(addresses, "once+0x3f").lookup, START + 0x13f);
	assert_int_equal(parsed(addresses, "twice+0x4/0x20").lookup, START + 0x304);
	struct ic_address address = parsed(addresses, ".text+0x10");
	assert_int_equal(address.lookup, START + 0x10);
	assert_int_equal(address.shown, 0x10);
	assert_string_equal(address.section, ".text"); // and it stays
	parsed(addresses, "once");
	assert_string_equal(address.section, ".text");
	assert_ptr_equal(parsed(addresses, ".text+0x11").section, address.section);
	assert_true(parsed(addresses, ".text+0x1000").is_outside);
	assert_refused(addresses, "once+0x40", IC_ERROR_ARGUMENT,
		       "once ends before that offset: 0x1100 (0x40 bytes)");
	assert_refused(addresses, "twice", IC_ERROR_ARGUMENT,
		       "ambiguous symbol: 0x1200 (0x10 bytes), 0x1300 (0x20 bytes); use "
		       "SYMBOL+0xOFFSET/0xSIZE");
	assert_refused(
		addresses, "same+0x1/0x10", IC_ERROR_ARGUMENT,
		"ambiguous symbol: 0x1400 (0x10 bytes), 0x1500 (0x10 bytes); use the address");
	assert_refused(addresses, "twice+0x1/0x8", IC_ERROR_ARGUMENT,
		       "twice has a different size: 0x1200 (0x10 bytes), 0x1300 (0x20 bytes)");
	ic_addresses_free(addresses);
	lookup_close(&lookup);
}

TEST(a_name_that_nothing_has_is_explained_a_few_times)
{
	const struct ic_addresses_options options = { .inlined_hint = "or look at the sites" };
	struct lookup lookup;

	open_program(&lookup);
	struct ic_addresses *addresses = begin(&lookup, NULL);
	assert_refused(addresses, "onc", IC_ERROR_NOT_FOUND,
		       "no symbol or section is called onc; similar name: once");
	assert_refused(addresses, "once+12", IC_ERROR_NOT_FOUND,
		       "no symbol or section is called once+12 (offsets begin with 0x)");
	ic_addresses_free(addresses);
	addresses = begin(&lookup, &options);
	for (int i = 0; i < 8; i++)
		assert_refused(addresses, "onc", IC_ERROR_NOT_FOUND,
			       "no symbol or section is called onc; similar name: once; or "
			       "look at the sites");
	assert_refused(addresses, "onc", IC_ERROR_NOT_FOUND, "no symbol or section is called onc");
	ic_addresses_free(addresses);
	lookup_close(&lookup);
}

TEST(return_addresses_mean_the_byte_before)
{
	const struct ic_addresses_options options = { .are_return_addrs = true };
	struct lookup lookup;

	open_program(&lookup);
	struct ic_addresses *addresses = begin(&lookup, &options);
	assert_int_equal(parsed(addresses, "once+0x40").lookup, START + 0x13f);
	assert_int_equal(parsed(addresses, "1100").lookup, 0x10ff);
	assert_int_equal(parsed(addresses, "1100").shown, 0x1100);
	assert_true(parsed(addresses, ".text+0x0").is_outside);
	ic_addresses_free(addresses);
	lookup_close(&lookup);
}

TEST(numbers_are_offsets_in_the_section_that_is_meant)
{
	struct ic_addresses_options options = { .section = ".text.hot" };
	struct ic_index_section section;
	struct ic_error err;
	struct lookup lookup;

	open_object(&lookup, true);
	struct ic_addresses *addresses = begin(&lookup, &options);
	struct ic_address address = parsed(addresses, "12");
	assert_string_equal(address.section, ".text.hot");
	assert_int_equal(address.shown, 0x12);
	assert_true(ic_symbolizer_section_at(lookup.symbolizer, address.lookup, &section));
	assert_int_equal(address.lookup - section.start, 0x12);
	assert_true(parsed(addresses, "40").is_outside);
	assert_string_equal(parsed(addresses, "cold").section, ".text");
	ic_addresses_free(addresses);
	options.section = ".absent";
	assert_null(ic_addresses_new(lookup.symbolizer, &options, &err));
	assert_int_equal(err.code, IC_ERROR_NOT_FOUND);
	options = (struct ic_addresses_options){ .section_option = "--in" };
	addresses = begin(&lookup, NULL);
	assert_refused(addresses, "12", IC_ERROR_ARGUMENT,
		       "ambiguous offset: there are 2 sections; use .text+0x12");
	ic_addresses_free(addresses);
	addresses = begin(&lookup, &options);
	assert_refused(addresses, "12", IC_ERROR_ARGUMENT,
		       "ambiguous offset: there are 2 sections; use .text+0x12 or --in=.text");
	ic_addresses_free(addresses);
	lookup_close(&lookup);
	open_object(&lookup, false);
	addresses = begin(&lookup, NULL);
	assert_string_equal(parsed(addresses, "12").section, ".text");
	ic_addresses_free(addresses);
	lookup_close(&lookup);
}

TEST(numbers_are_addresses_in_memory_if_there_are_windows)
{
	const struct ic_window windows[] = { { 0x7f001000, START, 0x100 },
					     { 0x7f005000, START + 0x800, 0x100 } };
	const struct ic_addresses_options options = { .windows = windows, .window_count = 2 };
	struct lookup lookup;

	open_program(&lookup);
	struct ic_addresses *addresses = begin(&lookup, &options);
	assert_int_equal(parsed(addresses, "7f005010").lookup, START + 0x810);
	assert_int_equal(parsed(addresses, "7f005010").shown, 0x7f005010);
	assert_true(parsed(addresses, "7f002000").is_outside);
	assert_int_equal(parsed(addresses, "once").lookup, START + 0x100);
	ic_addresses_free(addresses);
	lookup_close(&lookup);
}

UNIT_TESTS(mentions_addresses)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_addresses_of_a_linked_file),
		cmocka_unit_test(symbols_and_sections_have_offsets_in_them),
		cmocka_unit_test(a_name_that_nothing_has_is_explained_a_few_times),
		cmocka_unit_test(return_addresses_mean_the_byte_before),
		cmocka_unit_test(numbers_are_offsets_in_the_section_that_is_meant),
		cmocka_unit_test(numbers_are_addresses_in_memory_if_there_are_windows),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
