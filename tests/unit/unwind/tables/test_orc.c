// ORC tables that are made up, in each form.
#include "unit_test.h"

#include "byte_buffer.h"
#include "unwind/tables/orc.h"

enum { TABLE = 0x100000, RBX = 3, RBP = 6, R10 = 10, RSP = 7, RIP = 16 };
enum { NOTHING, PREV_SP, DX, DI, BP, SP, AT_R10, R13, BP_INDIRECT, SP_INDIRECT };

struct entry {
	uint64_t addr;
	int16_t sp, bp;
	uint16_t flags; // sp_reg, bp_reg and the rest, as arch/x86/include/asm/orc_types.h has them
};

struct tables {
	struct byte_buffer addrs, entries;
	struct ic_orc orc;
};

static bool try_open(struct tables *tables, const struct entry *entries, size_t count,
		     struct ic_bytes header, struct ic_error *err)
{
	*tables = (struct tables){ .addrs = { .big_endian = IC_HOST_IS_BIG_ENDIAN } };
	tables->entries.big_endian = IC_HOST_IS_BIG_ENDIAN;
	for (size_t i = 0; i < count; i++) {
		byte_buffer_put(&tables->addrs, (uint32_t)(entries[i].addr - TABLE - 4 * i), 4);
		byte_buffer_put(&tables->entries, (uint16_t)entries[i].sp, 2);
		byte_buffer_put(&tables->entries, (uint16_t)entries[i].bp, 2);
		byte_buffer_put(&tables->entries, entries[i].flags, 2);
	}
	const struct ic_orc_sections sections = { { tables->addrs.data, tables->addrs.size },
						  { tables->entries.data, tables->entries.size },
						  header,
						  TABLE,
						  false };

	return ic_orc_init(&tables->orc, &sections, err);
}

static void open_tables(struct tables *tables, const struct entry *entries, size_t count)
{
	struct ic_error err;

	if (!try_open(tables, entries, count, (struct ic_bytes){ NULL, 0 }, &err))
		fail_msg("%s", err.message);
}

static void close_tables(struct tables *tables)
{
	byte_buffer_deinit(&tables->addrs);
	byte_buffer_deinit(&tables->entries);
}

static const struct ic_register_rule *rule_of(const struct ic_orc_row *row, uint16_t reg)
{
	const struct ic_register_rule *found = NULL;

	for (size_t i = 0; i < row->rule_count; i++) // the last one holds
		if (row->rules[i].reg == reg)
			found = &row->rules[i];
	return found;
}

static void check_offset(const struct ic_orc_row *row, uint16_t reg, int64_t offset)
{
	const struct ic_register_rule *rule = rule_of(row, reg);

	assert_non_null(rule);
	assert_int_equal(rule->kind, IC_RULE_OFFSET);
	assert_int_equal(rule->at.offset, offset);
}

static void check_cfa(const struct ic_orc_row *row, uint32_t reg, int64_t offset)
{
	assert_int_equal(row->cfa.kind, IC_RULE_REGISTER);
	assert_int_equal(row->cfa.from, reg);
	assert_int_equal(row->cfa.at.offset, offset);
}

static void check_expression(const struct ic_register_rule *rule, const char *bytes, size_t size)
{
	assert_int_equal(rule->from, size);
	assert_memory_equal(rule->at.expression, bytes, size);
}

static const struct entry first_form[] = {
	{ 0x1000, 8, 0, SP },
	{ 0x1010, 16, -16, SP | PREV_SP << 4 },
	{ 0x1020, 168, 0, SP | 1 << 8 }, // REGS
	{ 0x1030, 8, 0, SP | 2 << 8 },   // REGS_PARTIAL
	{ 0x1040, 0, 0, NOTHING | 1 << 10 },
	{ 0x1050, 0, 0, NOTHING },
	{ 0x1060, 8, 0, SP_INDIRECT },
	{ 0x1070, -8, 0, BP_INDIRECT },
	{ 0x1080, 0, -16, AT_R10 | BP << 4 },
	{ 0x1090, 8, 0, SP_INDIRECT | 1 << 8 },
	{ 0x10a0, 8, 0, PREV_SP },
	{ 0x10b0, 8, 0, SP | DX << 4 },
};

TEST(functions_and_ends_have_their_rules)
{
	uint8_t bytes[IC_ORC_MOST_BYTES];
	struct ic_orc_row row;
	struct tables tables;

	open_tables(&tables, first_form, COUNT_OF(first_form));
	assert_int_equal(tables.orc.form, IC_ORC_FIRST);
	assert_false(ic_orc_find(&tables.orc, 0xfff, bytes, &row));
	for (uint64_t addr = 0x1000; addr < 0x1010; addr += 15) {
		assert_true(ic_orc_find(&tables.orc, addr, bytes, &row));
		assert_true(row.kind == IC_ORC_CALL && !row.is_exact && row.mode == 0);
		check_cfa(&row, RSP, 8);
		check_offset(&row, RIP, -8);
		assert_null(rule_of(&row, RBP));
		assert_int_equal(rule_of(&row, RBX)->kind, IC_RULE_UNDEFINED);
	}
	assert_true(ic_orc_find(&tables.orc, 0x1010, bytes, &row));
	check_offset(&row, RBP, -16);
	assert_true(ic_orc_find(&tables.orc, 0x1040, bytes, &row));
	assert_int_equal(row.kind, IC_ORC_END);
	assert_int_equal(rule_of(&row, RIP)->kind, IC_RULE_UNDEFINED);
	assert_false(ic_orc_find(&tables.orc, 0x1050, bytes, &row));
	assert_false(ic_orc_find(&tables.orc, 0x10a0, bytes, &row)); // no register has it
	assert_false(ic_orc_find(&tables.orc, 0x10b0, bytes, &row));
	close_tables(&tables);
}

TEST(interrupted_code_has_the_registers_that_were_saved)
{
	uint8_t bytes[IC_ORC_MOST_BYTES];
	struct ic_orc_row row;
	struct tables tables;

	open_tables(&tables, first_form, COUNT_OF(first_form));
	assert_true(ic_orc_find(&tables.orc, 0x1020, bytes, &row));
	assert_true(row.kind == IC_ORC_REGS && row.is_exact && row.mode == 136);
	check_cfa(&row, RSP, 168);
	check_offset(&row, RIP, 128);
	check_offset(&row, RSP, 152);
	check_offset(&row, RBP, 32);
	check_offset(&row, 15, 0);
	assert_true(ic_orc_find(&tables.orc, 0x1030, bytes, &row));
	assert_true(row.kind == IC_ORC_IRET && row.is_exact && row.mode == 8);
	check_offset(&row, RIP, 0);
	check_offset(&row, RSP, 24);
	assert_null(rule_of(&row, RBX)); // as it is
	assert_int_equal(rule_of(&row, R10)->kind, IC_RULE_UNDEFINED);
	close_tables(&tables);
}

TEST(stacks_are_switched_by_what_is_in_memory)
{
	uint8_t bytes[IC_ORC_MOST_BYTES];
	struct ic_orc_row row;
	struct tables tables;

	open_tables(&tables, first_form, COUNT_OF(first_form));
	assert_true(ic_orc_find(&tables.orc, 0x1060, bytes, &row));
	assert_true(row.switches && row.cfa.kind == IC_RULE_VAL_EXPRESSION);
	check_expression(&row.cfa, "\x77\x00\x06\x11\x08\x22", 6);
	assert_true(ic_orc_find(&tables.orc, 0x1070, bytes, &row));
	check_expression(&row.cfa, "\x76\x78\x06", 3);
	assert_true(ic_orc_find(&tables.orc, 0x1080, bytes, &row));
	check_cfa(&row, R10, 0);
	assert_int_equal(rule_of(&row, RBP)->kind, IC_RULE_EXPRESSION);
	check_expression(rule_of(&row, RBP), "\x76\x70", 2);
	// What the offset means depends on the release.
	assert_false(ic_orc_find(&tables.orc, 0x1090, bytes, &row));
	close_tables(&tables);
}

TEST(offsets_of_any_size_fit)
{
	const struct entry entry = { 0x1000, INT16_MIN, INT16_MAX, SP_INDIRECT | BP << 4 };
	uint8_t bytes[IC_ORC_MOST_BYTES];
	struct ic_orc_row row;
	struct tables tables;

	open_tables(&tables, &entry, 1);
	assert_true(ic_orc_find(&tables.orc, 0x1000, bytes, &row));
	check_expression(&row.cfa, "\x77\x00\x06\x11\x80\x80\x7e\x22", 8);
	check_expression(rule_of(&row, RBP), "\x76\xff\xff\x01", 4);
	close_tables(&tables);
}

TEST(later_forms_are_known_by_their_entries)
{
	static const struct entry with_signal[] = {
		{ 0x1000, 8, 0, SP },
		{ 0x1010, 168, 0, SP | 1 << 8 | 1 << 10 },
		{ 0x1020, 168, 0, SP | 1 << 8 },
		{ 0x1030, 0, 0, NOTHING | 1 << 11 },
	};
	static const struct entry with_types[] = {
		{ 0x1000, 8, 0, SP | 2 << 8 }, { 0x1010, 168, 0, SP | 3 << 8 | 1 << 11 },
		{ 0x1020, 8, 0, SP | 4 << 8 }, { 0x1030, 0, 0, 1 << 8 },
		{ 0x1040, 0, 0, 0 },           { 0x1050, 8, 0, SP | 5 << 8 },
	};
	uint8_t bytes[IC_ORC_MOST_BYTES];
	struct ic_orc_row row;
	struct tables tables;

	open_tables(&tables, with_signal, COUNT_OF(with_signal));
	assert_int_equal(tables.orc.form, IC_ORC_SIGNAL);
	assert_true(ic_orc_find(&tables.orc, 0x1010, bytes, &row) && row.is_exact);
	assert_true(ic_orc_find(&tables.orc, 0x1020, bytes, &row) && !row.is_exact);
	assert_true(ic_orc_find(&tables.orc, 0x1030, bytes, &row) && row.kind == IC_ORC_END);
	close_tables(&tables);
	open_tables(&tables, with_types, COUNT_OF(with_types));
	assert_int_equal(tables.orc.form, IC_ORC_TYPES);
	assert_true(ic_orc_find(&tables.orc, 0x1000, bytes, &row) && row.kind == IC_ORC_CALL);
	assert_true(ic_orc_find(&tables.orc, 0x1010, bytes, &row) && row.kind == IC_ORC_REGS);
	assert_true(row.is_exact);
	assert_true(ic_orc_find(&tables.orc, 0x1020, bytes, &row) && row.kind == IC_ORC_IRET);
	assert_true(ic_orc_find(&tables.orc, 0x1030, bytes, &row) && row.kind == IC_ORC_END);
	assert_false(ic_orc_find(&tables.orc, 0x1040, bytes, &row));
	assert_false(ic_orc_find(&tables.orc, 0x1050, bytes, &row)); // no such type
	close_tables(&tables);
}

TEST(the_hash_says_the_form_if_there_is_one)
{
	static const uint8_t since_6_4[] = { 0xfe, 0x5d, 0x32, 0xbf, 0x58, 0x1b, 0xd6,
					     0x3b, 0x2c, 0xa9, 0xa5, 0xc6, 0x5b, 0xa5,
					     0xa6, 0x25, 0xea, 0xb3, 0xfe, 0x24 };
	struct tables tables;
	struct ic_error err;

	assert_true(try_open(&tables, first_form, COUNT_OF(first_form),
			     (struct ic_bytes){ since_6_4, sizeof(since_6_4) }, &err));
	assert_int_equal(tables.orc.form, IC_ORC_TYPES);
	close_tables(&tables);
	assert_false(try_open(&tables, first_form, COUNT_OF(first_form),
			      (struct ic_bytes){ since_6_4, 19 }, &err));
	assert_int_equal(err.code, IC_ERROR_UNSUPPORTED);
	close_tables(&tables);
}

TEST(tables_that_are_not_sorted_or_do_not_match_are_refused)
{
	static const struct entry unsorted[] = { { 0x1010, 8, 0, SP }, { 0x1000, 8, 0, SP } };
	struct tables tables;
	struct ic_error err;
	struct ic_orc orc;

	assert_false(try_open(&tables, unsorted, 2, (struct ic_bytes){ NULL, 0 }, &err));
	assert_int_equal(err.code, IC_ERROR_UNSUPPORTED);
	const struct ic_orc_sections sections = {
		.addrs = { tables.addrs.data, tables.addrs.size },
		.entries = { tables.entries.data, tables.entries.size - 1 },
	};
	assert_false(ic_orc_init(&orc, &sections, &err));
	assert_int_equal(err.code, IC_ERROR_MALFORMED);
	close_tables(&tables);
}

UNIT_TESTS(unwind_tables_orc)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_and_ends_have_their_rules),
		cmocka_unit_test(interrupted_code_has_the_registers_that_were_saved),
		cmocka_unit_test(stacks_are_switched_by_what_is_in_memory),
		cmocka_unit_test(offsets_of_any_size_fit),
		cmocka_unit_test(later_forms_are_known_by_their_entries),
		cmocka_unit_test(the_hash_says_the_form_if_there_is_one),
		cmocka_unit_test(tables_that_are_not_sorted_or_do_not_match_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
