#include "unwind/tables/table.h"

#include "unit_test.h"

#include "fixtures/cfi.h"

struct subject {
	struct cfi_builder cfi;
	struct ic_cfi_table table;
	struct ic_memory memory;
	struct ic_problems problems;
	struct ic_arena arena;
};

static void begin(struct subject *subject, bool is_eh)
{
	*subject = (struct subject){ .cfi = { .is_eh = is_eh, .addr_size = 8 } };
}

static void build(struct subject *subject)
{
	subject->problems.arena = &subject->arena;
	subject->table.section = cfi_section(&subject->cfi);
	assert_true(ic_cfi_table_build(&subject->table, NULL, &subject->problems));
}

static void end(struct subject *subject)
{
	ic_cfi_table_free(&subject->table);
	IC_ARRAY_FREE(&subject->problems.list);
	ic_arena_free(&subject->arena);
	cfi_builder_deinit(&subject->cfi);
}

static size_t add(struct subject *subject, uint64_t start, uint64_t fde_end)
{
	return cfi_add_fde(&subject->cfi,
			   (struct cfi_fde){ .start = start, .size = fde_end - start });
}

// The start of the FDE for an address; 0 if there is none.
static uint64_t found(const struct subject *subject, uint64_t addr)
{
	const struct ic_cfi_place *place = ic_cfi_table_find(&subject->table, addr);

	return place ? place->start : 0;
}

static void check_problem(const struct subject *subject, uint32_t number, const char *message)
{
	assert_true(number < subject->problems.list.count);
	assert_string_equal(subject->problems.list.items[number].message, message);
}

TEST(fdes_are_found_by_address)
{
	for (int is_eh = 0; is_eh < 2; is_eh++) {
		struct subject subject;

		begin(&subject, is_eh);
		cfi_add_cie(&subject.cfi, (struct cfi_cie){ .version = 1 });
		size_t second = add(&subject, 0x3000, 0x3010);
		size_t first = add(&subject, 0x1000, 0x1010);
		build(&subject);
		assert_int_equal(subject.problems.list.count, 0);
		assert_int_equal(subject.table.cies.count, 1);
		assert_int_equal(subject.table.places.count, 2);
		assert_int_equal(subject.table.places.items[0].off, first);
		assert_int_equal(subject.table.places.items[1].off, second);
		assert_int_equal(found(&subject, 0xfff), 0);
		assert_int_equal(found(&subject, 0x1000), 0x1000);
		assert_int_equal(found(&subject, 0x100f), 0x1000);
		assert_int_equal(found(&subject, 0x1010), 0);
		assert_int_equal(found(&subject, 0x3000), 0x3000);
		assert_int_equal(found(&subject, UINT64_MAX), 0);
		end(&subject);
	}
}

TEST(of_fdes_that_overlap_the_one_that_begins_last_is_found)
{
	struct subject subject;

	begin(&subject, true);
	cfi_add_cie(&subject.cfi, (struct cfi_cie){ .version = 1 });
	add(&subject, 0x1000, 0x9000);
	add(&subject, 0x2000, 0x2010);
	add(&subject, 0x3000, 0x3010);
	build(&subject);
	assert_int_equal(found(&subject, 0x2008), 0x2000);
	assert_int_equal(found(&subject, 0x2010), 0x1000);
	assert_int_equal(found(&subject, 0x3010), 0x1000);
	assert_int_equal(found(&subject, 0x8fff), 0x1000);
	assert_int_equal(found(&subject, 0x9000), 0);
	end(&subject);
}

TEST(only_some_of_many_fdes_that_overlap_are_looked_at)
{
	for (uint64_t between = 999; between <= 1000; between++) {
		struct subject subject;

		begin(&subject, true);
		cfi_add_cie(&subject.cfi, (struct cfi_cie){ .version = 1 });
		add(&subject, 0x1000, 0x9000);
		for (uint64_t i = 0; i < between; i++)
			add(&subject, 0x1001 + i, 0x1002 + i);
		build(&subject);
		assert_int_equal(found(&subject, 0x8000), between == 999 ? 0x1000 : 0);
		end(&subject);
	}
}

TEST(an_lsda_that_cannot_be_read_does_not_cost_its_fde)
{
	struct subject subject;

	begin(&subject, true);
	cfi_add_cie(&subject.cfi,
		    (struct cfi_cie){ .augmentation = "zL", .data = CFI(0x03) }); // udata4
	size_t off = cfi_add_fde(
		&subject.cfi,
		(struct cfi_fde){ .start = 0x1000, .size = 8, .has_data = true, .data = CFI(1) });
	build(&subject);
	assert_int_equal(found(&subject, 0x1007), 0x1000);
	assert_int_equal(subject.table.places.items[0].off, off);
	check_problem(&subject, 0,
		      ".eh_frame+0x2a: cannot read the LSDA pointer (for .eh_frame+0x11)");
	assert_int_equal(subject.problems.list.count, 1);
	end(&subject);
}

TEST(an_fde_without_code_is_not_in_the_table)
{
	struct subject subject;

	begin(&subject, true);
	cfi_add_cie(&subject.cfi, (struct cfi_cie){ .version = 1 });
	add(&subject, 0, 0);
	build(&subject);
	assert_int_equal(subject.table.places.count, 0);
	assert_int_equal(subject.problems.list.count, 0);
	end(&subject);
}

TEST(many_terminators_are_zeros)
{
	for (int count = 3; count <= 4; count++) {
		struct subject subject;

		begin(&subject, true);
		cfi_add_cie(&subject.cfi, (struct cfi_cie){ .version = 1 });
		for (int i = 0; i < count; i++)
			cfi_add_terminator(&subject.cfi);
		add(&subject, 0x1000, 0x1010);
		build(&subject);
		assert_int_equal(found(&subject, 0x1000), 0x1000);
		assert_int_equal(subject.problems.list.count, count == 4);
		if (count == 4)
			assert_non_null(strstr(subject.problems.list.items[0].message,
					       "zeros instead of entries"));
		end(&subject);
	}
}

TEST(entries_follow_a_terminator)
{
	struct subject subject;

	begin(&subject, true);
	cfi_add_cie(&subject.cfi, (struct cfi_cie){ .version = 1 });
	cfi_add_terminator(&subject.cfi);
	add(&subject, 0x1000, 0x1010);
	cfi_add_terminator(&subject.cfi);
	build(&subject);
	assert_int_equal(found(&subject, 0x1000), 0x1000);
	end(&subject);
}

TEST(a_cie_can_come_after_its_fde)
{
	struct subject subject;
	struct cfi_fde fde = { .start = 0x1000, .size = 0x10 };

	begin(&subject, false);
	cfi_add_fde(&subject.cfi, fde);
	fde.cie = subject.cfi.bytes.size;
	subject.cfi.bytes.size = 0; // once more
	cfi_add_fde(&subject.cfi, fde);
	cfi_add_cie(&subject.cfi, (struct cfi_cie){ .version = 1 });
	build(&subject);
	assert_int_equal(found(&subject, 0x1000), 0x1000);
	end(&subject);
}

TEST(a_bad_cie_is_reported_once_and_its_fdes_left_out)
{
	struct subject subject;

	begin(&subject, true);
	cfi_add_cie(&subject.cfi, (struct cfi_cie){ .version = 9 });
	add(&subject, 0x1000, 0x1010);
	add(&subject, 0x2000, 0x2010);
	size_t good = cfi_add_cie(&subject.cfi, (struct cfi_cie){ .version = 1 });
	cfi_add_fde(&subject.cfi, (struct cfi_fde){ .cie = good, .start = 0x3000, .size = 1 });
	build(&subject);
	assert_int_equal(subject.problems.list.count, 1);
	check_problem(&subject, 0, ".eh_frame+0x0: unsupported CIE version 9");
	assert_int_equal(found(&subject, 0x1000), 0);
	assert_int_equal(found(&subject, 0x3000), 0x3000);
	end(&subject);
}

TEST(a_bad_fde_is_left_out)
{
	struct subject subject;

	begin(&subject, true);
	cfi_add_cie(&subject.cfi, (struct cfi_cie){ .version = 1 });
	cfi_begin(&subject.cfi);
	cfi_put_cie_pointer(&subject.cfi, 0);
	cfi_end(&subject.cfi);
	add(&subject, 0x1000, 0x1010);
	build(&subject);
	assert_int_equal(subject.problems.list.count, 1);
	check_problem(&subject, 0, ".eh_frame+0x15: unexpected end of data (for .eh_frame+0xd)");
	assert_int_equal(found(&subject, 0x1000), 0x1000);
	end(&subject);
}

TEST(a_bad_header_affects_only_its_entry)
{
	struct subject subject;

	begin(&subject, true);
	size_t cie = cfi_add_cie(&subject.cfi, (struct cfi_cie){ .version = 1 });
	cfi_begin(&subject.cfi);
	byte_buffer_put(&subject.cfi.bytes, 0x1000, 4); // counted back from here
	cfi_end(&subject.cfi);
	cfi_add_fde(&subject.cfi, (struct cfi_fde){ .cie = cie, .start = 0x1000, .size = 1 });
	byte_buffer_put(&subject.cfi.bytes, 0x1000, 4);
	build(&subject);
	assert_int_equal(subject.problems.list.count, 2);
	check_problem(&subject, 0,
		      ".eh_frame+0x15: CIE pointer is before the start of the section (for "
		      ".eh_frame+0xd)");
	check_problem(&subject, 1,
		      ".eh_frame+0x31: length extends beyond the end of the section (for "
		      ".eh_frame+0x2d)");
	assert_int_equal(found(&subject, 0x1000), 0x1000);
	end(&subject);
}

UNIT_TESTS(unwind_tables_table)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fdes_are_found_by_address),
		cmocka_unit_test(of_fdes_that_overlap_the_one_that_begins_last_is_found),
		cmocka_unit_test(only_some_of_many_fdes_that_overlap_are_looked_at),
		cmocka_unit_test(an_lsda_that_cannot_be_read_does_not_cost_its_fde),
		cmocka_unit_test(an_fde_without_code_is_not_in_the_table),
		cmocka_unit_test(many_terminators_are_zeros),
		cmocka_unit_test(entries_follow_a_terminator),
		cmocka_unit_test(a_cie_can_come_after_its_fde),
		cmocka_unit_test(a_bad_cie_is_reported_once_and_its_fdes_left_out),
		cmocka_unit_test(a_bad_fde_is_left_out),
		cmocka_unit_test(a_bad_header_affects_only_its_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
