#include "unit_test.h"

#include "fixtures/dwarf.h"

#include "dwarf_constants.h"

enum { SENTINEL = 0x5a }; // after each value, to detect one read too short or too long

struct number_form {
	uint16_t form;
	uint64_t value;  // written
	uint64_t wanted; // read
};

static const struct number_form number_forms[] = {
	// clang-format off
	{ DW_FORM_data1,          0xfe,               0xfe },
	{ DW_FORM_data2,          0xfedc,             0xfedc },
	{ DW_FORM_data4,          0xfedcba98,         0xfedcba98 },
	{ DW_FORM_data8,          0xfedcba9876543210, 0xfedcba9876543210 },
	{ DW_FORM_sdata,          (uint64_t)-5,       (uint64_t)-5 },
	{ DW_FORM_sdata,          300,                300 },
	{ DW_FORM_sdata,          (uint64_t)INT64_MIN, (uint64_t)INT64_MIN },
	{ DW_FORM_udata,          0x80,               0x80 },
	{ DW_FORM_udata,          UINT64_MAX,         UINT64_MAX },
	{ DW_FORM_flag,           1,                  1 },
	{ DW_FORM_flag,           0,                  0 },
	{ DW_FORM_flag_present,   0,                  1 },
	{ DW_FORM_addr,           0x80123456,         0x80123456 },
	{ DW_FORM_addrx,          0x1234,             0x1234 },
	{ DW_FORM_addrx1,         0xf1,               0xf1 },
	{ DW_FORM_addrx2,         0xf1f2,             0xf1f2 },
	{ DW_FORM_addrx3,         0xf1f2f3,           0xf1f2f3 },
	{ DW_FORM_addrx4,         0xf1f2f3f4,         0xf1f2f3f4 },
	{ DW_FORM_GNU_addr_index, 0x4321,             0x4321 },
	{ DW_FORM_strx,           0x1234,             0x1234 },
	{ DW_FORM_strx1,          0xe1,               0xe1 },
	{ DW_FORM_strx2,          0xe1e2,             0xe1e2 },
	{ DW_FORM_strx3,          0xe1e2e3,           0xe1e2e3 },
	{ DW_FORM_strx4,          0xe1e2e3e4,         0xe1e2e3e4 },
	{ DW_FORM_GNU_str_index,  0x4321,             0x4321 },
	{ DW_FORM_strp,           0xa1b2c3d4,         0xa1b2c3d4 },
	{ DW_FORM_line_strp,      0xa1b2c3d4,         0xa1b2c3d4 },
	{ DW_FORM_strp_sup,       0xa1b2c3d4,         0xa1b2c3d4 },
	{ DW_FORM_GNU_strp_alt,   0xa1b2c3d4,         0xa1b2c3d4 },
	{ DW_FORM_sec_offset,     0xa1b2c3d4,         0xa1b2c3d4 },
	{ DW_FORM_ref1,           0xc1,               0xc1 },
	{ DW_FORM_ref2,           0xc1c2,             0xc1c2 },
	{ DW_FORM_ref4,           0xc1c2c3c4,         0xc1c2c3c4 },
	{ DW_FORM_ref8,           0xc1c2c3c4c5c6c7c8, 0xc1c2c3c4c5c6c7c8 },
	{ DW_FORM_ref_udata,      0x4000,             0x4000 },
	{ DW_FORM_ref_addr,       0xa1b2c3d4,         0xa1b2c3d4 },
	{ DW_FORM_ref_sig8,       0xc1c2c3c4c5c6c7c8, 0xc1c2c3c4c5c6c7c8 },
	{ DW_FORM_ref_sup4,       0xc1c2c3c4,         0xc1c2c3c4 },
	{ DW_FORM_ref_sup8,       0xc1c2c3c4c5c6c7c8, 0xc1c2c3c4c5c6c7c8 },
	{ DW_FORM_GNU_ref_alt,    0xa1b2c3d4,         0xa1b2c3d4 },
	{ DW_FORM_rnglistx,       0x81,               0x81 },
	{ DW_FORM_loclistx,       0x81,               0x81 },
	// clang-format on
};

static void write_numbers(struct dwarf_builder *dw, bool indirect)
{
	for (size_t i = 0; i < COUNT_OF(number_forms); i++) {
		if (indirect)
			dw_indirect(dw);
		dw_value(dw, DW_AT_const_value, number_forms[i].form, number_forms[i].value);
		dw_data1(dw, DW_AT_decl_line, SENTINEL);
	}
}

static void check_numbers(struct ic_die *die)
{
	struct ic_value value = { .form = 0 };

	for (size_t i = 0; i < COUNT_OF(number_forms); i++) {
		assert_int_equal(ic_die_next(die, &value), DW_AT_const_value);
		assert_int_equal(value.form, number_forms[i].form);
		assert_int_equal(value.class, ic_form_info(value.form)->class);
		assert_int_equal(value.number, number_forms[i].wanted);
		assert_int_equal(ic_die_next(die, &value), DW_AT_decl_line);
		assert_int_equal(value.number, SENTINEL);
	}
	assert_int_equal(ic_die_next(die, &value), 0);
	assert_null(die->cur.fault);
}

// Every form of one number, directly or as DW_FORM_indirect.
static void check_all_formats(bool indirect)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_builder *dw = dwarf_begin(format);
		struct dwarf_fixture fixture;
		struct ic_die die;
		struct ic_error err;

		write_numbers(dw, indirect);
		dwarf_end(dw);
		dwarf_fixture_open(&fixture, dw, format.big_endian, &dwarf_keep_all);
		assert_true(ic_die_open(&die, fixture.unit, &fixture.table, fixture.unit->die_off,
					&err));
		check_numbers(&die);
		dwarf_fixture_close(&fixture);
	}
}

TEST(every_form_of_a_number_is_read_in_all_sizes_and_byte_orders)
{
	check_all_formats(false);
}

TEST(an_indirect_form_stands_in_the_entry)
{
	check_all_formats(true);
}

static void check_skips(bool indirect, const struct dwarf_format *format)
{
	for (size_t i = 0; i < COUNT_OF(number_forms); i++) {
		struct dwarf_builder *dw = dwarf_begin(*format);
		struct dwarf_fixture fixture;

		if (indirect)
			dw_indirect(dw);
		dw_value(dw, DW_AT_const_value, number_forms[i].form, number_forms[i].value);
		dw_data1(dw, DW_AT_decl_line, SENTINEL);
		dwarf_end(dw);
		dwarf_fixture_open(&fixture, dw, format->big_endian, &dwarf_keep_all);
		struct ic_cursor cur = ic_unit_cursor(fixture.unit, fixture.unit->die_off + 1);
		ic_form_skip(&cur, indirect ? DW_FORM_indirect : number_forms[i].form,
			     fixture.unit);
		assert_int_equal(ic_cursor_u8(&cur), SENTINEL);
		assert_false(ic_cursor_more(&cur));
		dwarf_fixture_close(&fixture);
	}
}

TEST(a_value_is_passed_over_by_as_many_bytes_as_it_has)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);

		check_skips(false, &format);
		check_skips(true, &format);
	}
}

static void write_blocks(struct dwarf_builder *dw)
{
	const uint16_t forms[] = { DW_FORM_block, DW_FORM_block1, DW_FORM_block2, DW_FORM_block4,
				   DW_FORM_exprloc };
	uint8_t bytes[200] = { 1, 2, 3 };

	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		dw_block(dw, DW_AT_location, forms[i], bytes, sizeof(bytes));
		dw_data1(dw, DW_AT_decl_line, SENTINEL);
		dw_block(dw, DW_AT_location, forms[i], bytes, 0);
		dw_data1(dw, DW_AT_decl_line, SENTINEL);
	}
	dw_data16(dw, DW_AT_const_value, bytes);
	dw_data1(dw, DW_AT_decl_line, SENTINEL);
	dw_implicit_const(dw, DW_AT_const_value, -7);
	dw_data1(dw, DW_AT_decl_line, SENTINEL);
	dw_string(dw, DW_AT_name, "inline");
	dw_data1(dw, DW_AT_decl_line, SENTINEL);
	dw_string(dw, DW_AT_name, "");
	dw_data1(dw, DW_AT_decl_line, SENTINEL);
}

TEST(blocks_strings_and_implicit_constants_have_their_own_sizes)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_builder *dw = dwarf_begin(format);
		struct dwarf_fixture fixture;
		struct ic_value value;
		struct ic_die die;
		struct ic_error err;
		uint32_t sentinels = 0;

		write_blocks(dw);
		dwarf_end(dw);
		dwarf_fixture_open(&fixture, dw, format.big_endian, &dwarf_keep_all);
		assert_true(ic_die_open(&die, fixture.unit, &fixture.table, fixture.unit->die_off,
					&err));
		for (uint16_t name; (name = ic_die_next(&die, &value));) {
			if (value.form == DW_FORM_implicit_const)
				assert_int_equal((int64_t)value.number, -7);
			if (value.form == DW_FORM_string)
				assert_string_equal(value.text, sentinels == 12 ? "inline" : "");
			if (name != DW_AT_decl_line)
				continue;
			assert_int_equal(value.number, SENTINEL);
			sentinels++;
		}
		assert_null(die.cur.fault);
		assert_int_equal(sentinels, 14);
		dwarf_fixture_close(&fixture);
	}
}

// Reads a value of `form` from bytes, in a unit of 32-bit DWARF 4; returns the fault.
static const char *fault_of(uint16_t form, struct ic_bytes bytes)
{
	const struct ic_unit unit = { .version = 4, .addr_size = 8, .offset_size = 4 };
	const struct ic_attr_spec spec =
		ic_attr_spec_make(DW_AT_name, form, ic_form_size(form, &unit), 0);
	struct ic_cursor cur = cursor_over(bytes);

	ic_value_read(&cur, &spec, &unit);
	return cur.fault ? cur.fault : "";
}

TEST(a_value_that_cannot_be_read_is_a_fault)
{
	assert_string_equal(fault_of(DW_FORM_data4, BYTES(1, 2, 3)), "unexpected end of data");
	assert_string_equal(fault_of(DW_FORM_data16, BYTES(1, 2, 3)), "unexpected end of data");
	assert_string_equal(fault_of(DW_FORM_block1, BYTES(3, 1, 2)), "unexpected end of data");
	assert_string_equal(fault_of(DW_FORM_block4, BYTES(255, 255, 255, 255)),
			    "unexpected end of data");
	assert_string_equal(fault_of(DW_FORM_string, BYTES('a')), "unterminated string");
	assert_string_equal(fault_of(0x7777, BYTES(1)), "unknown attribute form in .debug_abbrev");
	assert_string_equal(fault_of(0, BYTES(1)), "unknown attribute form in .debug_abbrev");
	assert_string_equal(fault_of(DW_FORM_indirect, BYTES(0x77, 1)), "unknown attribute form");
}

TEST(an_indirect_form_must_be_a_form_of_its_own)
{
	const char *wanted = "invalid form for DW_FORM_indirect";

	assert_string_equal(fault_of(DW_FORM_indirect, BYTES(DW_FORM_indirect, 0x0b, 1)), wanted);
	assert_string_equal(fault_of(DW_FORM_indirect, BYTES(DW_FORM_implicit_const, 1)), wanted);
	assert_string_equal(fault_of(DW_FORM_indirect, BYTES(0xff, 0xff, 0x7f)),
			    "number is too large");
}

// ---- Meanings

// Opens the root DIE of a finished builder and reads its bases.
static void open_root(struct dwarf_fixture *fixture, struct dwarf_builder *dw, bool big_endian,
		      struct ic_die *die)
{
	struct ic_error err;

	dwarf_fixture_open(fixture, dw, big_endian, &dwarf_keep_all);
	assert_true(ic_unit_read_root(fixture->unit, &fixture->table, &fixture->problems, &err));
	assert_int_equal(fixture->problems.list.count, 0);
	assert_true(ic_die_open(die, fixture->unit, &fixture->table, fixture->unit->die_off, &err));
}

static void check_strings(struct dwarf_fixture *fixture, struct ic_die *die, const char *wanted)
{
	struct ic_value value;
	struct ic_error err;
	const char *text;
	uint32_t count = 0;

	for (uint16_t name; (name = ic_die_next(die, &value));) {
		if (name != DW_AT_producer)
			continue;
		if (!ic_value_string(&value, fixture->unit, &text, &err))
			fail_msg("%s", err.message);
		assert_string_equal(text, wanted);
		count++;
	}
	assert_int_equal(count, 8);
}

TEST(strings_are_found_by_offset_and_by_index)
{
	const uint16_t forms[] = { DW_FORM_strx, DW_FORM_strx1, DW_FORM_strx2, DW_FORM_strx3,
				   DW_FORM_strx4 };

	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_builder *dw = dwarf_begin(format);
		struct dwarf_fixture fixture;
		struct ic_die die;

		dw_str_index(dw, "another"); // index 0
		dw_string(dw, DW_AT_producer, "text");
		dw_strp(dw, DW_AT_producer, "text");
		dw_line_strp(dw, DW_AT_producer, "text");
		for (size_t j = 0; j < COUNT_OF(forms); j++)
			dw_strx_form(dw, DW_AT_producer, forms[j], "text");
		dw_str_offsets_base(dw); // at the end: it holds for what comes before it too
		dwarf_end(dw);
		open_root(&fixture, dw, format.big_endian, &die);
		check_strings(&fixture, &die, "text");
		dwarf_fixture_close(&fixture);
	}
}

TEST(without_a_base_the_first_table_of_strings_is_meant)
{
	for (int offset_size = 4; offset_size <= 8; offset_size += 4) {
		struct dwarf_builder *dw = dwarf_begin((struct dwarf_format){
			.version = 5, .offset_size = (uint8_t)offset_size, .addr_size = 8 });
		struct dwarf_fixture fixture;
		struct ic_value value;
		struct ic_die die;
		struct ic_error err;
		const char *text;

		dw_str_index(dw, "another");
		dw_strx(dw, DW_AT_producer, "text");
		dwarf_end(dw);
		open_root(&fixture, dw, false, &die);
		assert_int_equal(ic_die_next(&die, &value), DW_AT_producer);
		assert_true(ic_value_string(&value, fixture.unit, &text, &err));
		assert_string_equal(text, "text");
		dwarf_fixture_close(&fixture);
	}
}

TEST(addresses_are_found_by_index)
{
	const uint16_t forms[] = { DW_FORM_addr,   DW_FORM_addrx,  DW_FORM_addrx1,
				   DW_FORM_addrx2, DW_FORM_addrx3, DW_FORM_addrx4 };

	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_builder *dw;
		struct dwarf_fixture fixture;
		struct ic_value value;
		struct ic_die die;
		struct ic_error err;
		uint64_t addr;
		uint32_t count = 0;

		if (format.version < 5) // the base has another name there, for split units
			continue;
		dw = dwarf_begin(format);
		dw_addr_index(dw, 0x11);
		dw_addr(dw, DW_AT_entry_pc, 0x80001234);
		for (size_t j = 1; j < COUNT_OF(forms); j++)
			dw_addrx_form(dw, DW_AT_entry_pc, forms[j], 0x80001234);
		dw_addrx_form(dw, DW_AT_entry_pc, DW_FORM_GNU_addr_index, 0x80001234);
		if (i & 1)
			dw_addr_base(dw);
		dwarf_end(dw);
		open_root(&fixture, dw, format.big_endian, &die);
		while (ic_die_next(&die, &value) == DW_AT_entry_pc) {
			assert_true(ic_value_address(&value, fixture.unit, &addr, &err));
			assert_int_equal(addr, 0x80001234);
			count++;
		}
		assert_int_equal(count, 7);
		dwarf_fixture_close(&fixture);
	}
}

// A unit whose sections are a few bytes, and whose DIEs are not read.
static const uint8_t small_info[0x200];
static const struct ic_dwarf small_dwarf = {
	.info_name = ".debug_info",
	.info = { small_info, sizeof(small_info) },
	.addr = { (const uint8_t *)"\0\0\0\0\0\0\0\0\1\2\3\4\5\6\7\10", 16 },
	.str = { (const uint8_t *)"ab\0cd", 5 },
	.line_str = { (const uint8_t *)"ef\0", 3 },
	.str_offsets = { (const uint8_t *)"\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0", 16 },
	.swap = SWAP_LITTLE,
};
static const struct ic_unit small_unit = { .dwarf = &small_dwarf,
					   .off = 0x100,
					   .die_off = 0x10b,
					   .end_off = 0x200,
					   .version = 5,
					   .addr_size = 8,
					   .offset_size = 4,
					   .root.addr_base = 8,
					   .root.str_offsets_base = 8 };

static void check_string(uint16_t form, uint64_t number, enum ic_error_code code,
			 const char *wanted)
{
	const struct ic_value value = { .form = form,
					.class = ic_form_info(form)->class,
					.number = number };
	struct ic_error err;
	const char *text = "";

	if (ic_value_string(&value, &small_unit, &text, &err)) {
		assert_int_equal(code, IC_ERROR_NONE);
		assert_string_equal(text, wanted);
		return;
	}
	assert_error(&err, code, wanted);
}

TEST(a_string_that_is_not_there_is_an_error_that_says_where_it_should_be)
{
	check_string(DW_FORM_strp, 1, IC_ERROR_NONE, "b");
	check_string(DW_FORM_strp, 3, IC_ERROR_MALFORMED, ".debug_str+0x3: unterminated string");
	check_string(DW_FORM_strp, 5, IC_ERROR_MALFORMED,
		     ".debug_str+0x5: string offset is beyond the end of the section");
	check_string(
		DW_FORM_strp, UINT64_MAX, IC_ERROR_MALFORMED,
		".debug_str+0xffffffffffffffff: string offset is beyond the end of the section");
	check_string(DW_FORM_line_strp, 1, IC_ERROR_NONE, "f");
	check_string(DW_FORM_line_strp, 3, IC_ERROR_MALFORMED,
		     ".debug_line_str+0x3: string offset is beyond the end of the section");
	check_string(DW_FORM_strx, 0, IC_ERROR_NONE, "ab");
	check_string(DW_FORM_strx1, 1, IC_ERROR_MALFORMED,
		     ".debug_str+0x5: string offset is beyond the end of the section");
	check_string(DW_FORM_strx, 2, IC_ERROR_MALFORMED,
		     ".debug_str_offsets+0x10: offset is beyond the end of the section");
	check_string(DW_FORM_GNU_str_index, UINT64_MAX, IC_ERROR_MALFORMED,
		     ".debug_str_offsets+0xffffffffffffffff: offset is beyond the end of the "
		     "section");
}

TEST(zeros_are_no_offsets_of_strings)
{
	struct ic_dwarf dwarf = small_dwarf;
	struct ic_unit unit = small_unit;
	struct ic_value value = { .form = DW_FORM_strx,
				  .class = ic_form_info(DW_FORM_strx)->class };
	const char *text;
	struct ic_error err;

	// Behind the header: 1, 0, 0, 1.
	dwarf.str_offsets = (struct ic_bytes){
		(const uint8_t *)"\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0", 24
	};
	unit.dwarf = &dwarf;
	for (value.number = 0; value.number < 4; value.number++) {
		bool is_zero = value.number == 1 || value.number == 2;
		assert_int_equal(ic_value_string(&value, &unit, &text, &err), !is_zero);
		if (!is_zero)
			assert_string_equal(text, "b");
		else
			assert_non_null(strstr(err.message, "zeros instead of string offsets"));
	}
}

TEST(a_string_is_never_taken_from_what_is_none)
{
	check_string(DW_FORM_data4, 0, IC_ERROR_MALFORMED, "unexpected form 0x6 for a string");
	check_string(DW_FORM_addrx, 0, IC_ERROR_MALFORMED, "unexpected form 0x1b for a string");
	check_string(DW_FORM_strp_sup, 0, IC_ERROR_NO_DEBUG,
		     "string is in the supplementary file, which is not available");
	check_string(DW_FORM_GNU_strp_alt, 0, IC_ERROR_NO_DEBUG,
		     "string is in the supplementary file, which is not available");
}

TEST(an_address_that_is_not_there_is_an_error)
{
	struct ic_value value = { .form = DW_FORM_addrx, .class = IC_FORM_CLASS_ADDRESS };
	struct ic_error err;
	uint64_t addr;

	assert_true(ic_value_address(&value, &small_unit, &addr, &err));
	assert_int_equal(addr, 0x0807060504030201);
	value.number = 1;
	assert_false(ic_value_address(&value, &small_unit, &addr, &err));
	assert_fault(&err, ".debug_addr", 16,
		     ".debug_addr+0x10: offset is beyond the end of the section");
	value.number = UINT64_MAX / 8 + 1; // times 8 it would be 0 again
	assert_false(ic_value_address(&value, &small_unit, &addr, &err));
	value = (struct ic_value){ .form = DW_FORM_data8, .class = IC_FORM_CLASS_CONSTANT };
	assert_false(ic_value_address(&value, &small_unit, &addr, &err));
	assert_error(&err, IC_ERROR_MALFORMED, "unexpected form 0x7 for an address");
}

static void check_reference(uint16_t form, uint64_t number, enum ic_error_code code,
			    uint64_t wanted, const char *message)
{
	const struct ic_value value = { .form = form,
					.class = ic_form_info(form)->class,
					.number = number };
	struct ic_error err;
	uint64_t off;

	if (ic_value_reference(&value, &small_unit, &off, &err)) {
		assert_int_equal(code, IC_ERROR_NONE);
		assert_int_equal(off, wanted);
		return;
	}
	assert_error(&err, code, message);
}

TEST(a_reference_counts_from_its_unit_or_from_the_section)
{
	check_reference(DW_FORM_ref1, 0x20, IC_ERROR_NONE, 0x120, "");
	check_reference(DW_FORM_ref2, 0x20, IC_ERROR_NONE, 0x120, "");
	check_reference(DW_FORM_ref4, 0x20, IC_ERROR_NONE, 0x120, "");
	check_reference(DW_FORM_ref8, 0x20, IC_ERROR_NONE, 0x120, "");
	check_reference(DW_FORM_ref_udata, 0x20, IC_ERROR_NONE, 0x120, "");
	check_reference(DW_FORM_ref_addr, 0x20, IC_ERROR_NONE, 0x20, "");
}

TEST(a_reference_that_leads_nowhere_we_read_is_an_error)
{
	struct ic_error err;
	uint64_t off;

	check_reference(DW_FORM_ref_sig8, 1, IC_ERROR_UNSUPPORTED, 0,
			"unexpected reference by type signature");
	check_reference(DW_FORM_GNU_ref_alt, 1, IC_ERROR_NO_DEBUG, 0,
			"DIE is in the supplementary file, which is not available");
	check_reference(DW_FORM_ref_sup4, 1, IC_ERROR_NO_DEBUG, 0,
			"DIE is in the supplementary file, which is not available");
	check_reference(DW_FORM_ref_sup8, 1, IC_ERROR_NO_DEBUG, 0,
			"DIE is in the supplementary file, which is not available");
	check_reference(DW_FORM_ref_addr, 0x1ff, IC_ERROR_NONE, 0x1ff, "");
	check_reference(DW_FORM_ref_addr, 0x200, IC_ERROR_MALFORMED, 0,
			".debug_info+0x200: reference points outside all units");
	check_reference(DW_FORM_ref4, 0xff, IC_ERROR_NONE, 0x1ff, "");
	check_reference(DW_FORM_ref4, 0x100, IC_ERROR_MALFORMED, 0,
			"reference 0x100 points outside its unit");
	check_reference(DW_FORM_ref8, UINT64_MAX, IC_ERROR_MALFORMED, 0,
			"reference 0xffffffffffffffff points outside its unit");
	const struct ic_value constant = { .form = DW_FORM_data4,
					   .class = IC_FORM_CLASS_CONSTANT,
					   .number = 0x20 };
	assert_false(ic_value_reference(&constant, &small_unit, &off, &err));
	assert_error(&err, IC_ERROR_MALFORMED, "unexpected form 0x6 for a reference");
}

TEST(a_section_offset_has_the_form_of_a_constant_in_old_dwarf)
{
	const uint16_t good[] = { DW_FORM_sec_offset, DW_FORM_data4, DW_FORM_data8 };
	struct ic_error err;
	uint64_t off;

	for (size_t i = 0; i < COUNT_OF(good); i++) {
		const struct ic_value value = { .form = good[i],
						.class = ic_form_info(good[i])->class,
						.number = 0x77 };
		assert_true(ic_value_offset(&value, &off, &err));
		assert_int_equal(off, 0x77);
	}
	const struct ic_value block = { .form = DW_FORM_block1, .class = IC_FORM_CLASS_BLOCK };
	assert_false(ic_value_offset(&block, &off, &err));
	assert_error(&err, IC_ERROR_MALFORMED, "unexpected form 0xa for a section offset");
}

TEST(an_address_may_be_an_offset_from_one_by_index)
{
	const struct ic_attr_spec spec =
		ic_attr_spec_make(DW_AT_low_pc, DW_FORM_LLVM_addrx_offset, IC_FORM_VARIES, 0);
	const struct ic_dwarf dwarf = { .addr = BYTES(0, 0, 0, 0, 0, 0x10, 0, 0),
					.swap = SWAP_LITTLE };
	const struct ic_unit unit = { .dwarf = &dwarf, .version = 5, .addr_size = 4 };
	struct ic_cursor cur = cursor_over(BYTES(1, 0x30, 0x02, 0, 0, 0x77));
	struct ic_error err;
	uint64_t addr;

	struct ic_value value = ic_value_read(&cur, &spec, &unit);
	assert_int_equal(cur.end - cur.pos, 1);
	assert_true(ic_value_address(&value, &unit, &addr, &err));
	assert_int_equal(addr, 0x1230);
	value.number = 1ull << 32 | 0xfffff000; // addresses of 32 bits wrap
	assert_true(ic_value_address(&value, &unit, &addr, &err));
	assert_int_equal(addr, 0);
	value.number = 2ull << 32;
	assert_false(ic_value_address(&value, &unit, &addr, &err));
	cur = cursor_over(BYTES(1, 0x30, 0x02, 0, 0, 0x77));
	ic_form_skip(&cur, DW_FORM_LLVM_addrx_offset, &unit);
	assert_int_equal(cur.end - cur.pos, 1);
}

UNIT_TESTS(dwarf_units_form)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_of_a_number_is_read_in_all_sizes_and_byte_orders),
		cmocka_unit_test(an_indirect_form_stands_in_the_entry),
		cmocka_unit_test(a_value_is_passed_over_by_as_many_bytes_as_it_has),
		cmocka_unit_test(blocks_strings_and_implicit_constants_have_their_own_sizes),
		cmocka_unit_test(a_value_that_cannot_be_read_is_a_fault),
		cmocka_unit_test(an_indirect_form_must_be_a_form_of_its_own),
		cmocka_unit_test(strings_are_found_by_offset_and_by_index),
		cmocka_unit_test(without_a_base_the_first_table_of_strings_is_meant),
		cmocka_unit_test(addresses_are_found_by_index),
		cmocka_unit_test(
			a_string_that_is_not_there_is_an_error_that_says_where_it_should_be),
		cmocka_unit_test(zeros_are_no_offsets_of_strings),
		cmocka_unit_test(a_string_is_never_taken_from_what_is_none),
		cmocka_unit_test(an_address_that_is_not_there_is_an_error),
		cmocka_unit_test(a_reference_counts_from_its_unit_or_from_the_section),
		cmocka_unit_test(a_reference_that_leads_nowhere_we_read_is_an_error),
		cmocka_unit_test(a_section_offset_has_the_form_of_a_constant_in_old_dwarf),
		cmocka_unit_test(an_address_may_be_an_offset_from_one_by_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
