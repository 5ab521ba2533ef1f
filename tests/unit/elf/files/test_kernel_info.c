#include "unit_test.h"

#include "elf/files/kernel_info.h"

static struct ic_kernel_info read_text(const char *text)
{
	struct ic_kernel_info info;

	ic_kernel_info_read((struct ic_bytes){ (const uint8_t *)text, strlen(text) }, &info);
	return info;
}

TEST(lines_that_matter_are_read)
{
	struct ic_kernel_info info = read_text("OSRELEASE=6.1.0-56-amd64\n"
					       "BUILD-ID=eb4fBC\n"
					       "PAGESIZE=4096\n"
					       "SYMBOL(swapper_pg_dir)=ffffffffa8e10000\n"
					       "NUMBER(phys_base)=-547356672\n"
					       "NUMBER(pgtable_l5_enabled)=1\n"
					       "KERNELOFFSET=26400000\n"
					       "NUMBER(sme_mask)=140737488355328\n");

	assert_true(ic_span_is(info.release, "6.1.0-56-amd64"));
	assert_int_equal(info.build_id_size, 3);
	assert_memory_equal(info.build_id, "\xeb\x4f\xbc", 3);
	assert_true(info.has_page_table && info.page_table == 0xffffffffa8e10000);
	assert_true(info.has_phys_base && info.phys_base == -547356672);
	assert_true(info.has_5_levels);
	assert_true(info.has_offset && info.offset == 0x26400000);
	assert_true(info.sme_mask == 1ull << 47);
}

TEST(what_is_not_as_expected_is_not_there)
{
	static const char *const texts[] = {
		"",
		"\n\n=\n==\n",
		"KERNELOFFSET\nKERNELOFFSET=\n",
		"KERNELOFFSET=x\nNUMBER(phys_base)=1x\nNUMBER(phys_base)=\n",
		"NUMBER(phys_base)=1234567890123456789012345\nSYMBOL(swapper_pg_dir)=-1\n",
		"BUILD-ID=abc\nBUILD-ID=ag\nNUMBER(pgtable_l5_enabled)=0\nNUMBER(sme_mask)=\n",
		"BUILD-ID=000102030405060708090a0b0c0d0e0f1011121314\n",
		" KERNELOFFSET=1",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct ic_kernel_info info = read_text(texts[i]);

		assert_false(info.has_offset || info.has_page_table || info.has_phys_base);
		assert_false(info.has_5_levels || info.release.size > 0);
		assert_true(info.build_id_size == 0 && info.sme_mask == 0);
	}
	assert_true(read_text("KERNELOFFSET=a").offset == 10); // without a newline
	struct ic_kernel_info info;
	ic_kernel_info_read((struct ic_bytes){ NULL, 0 }, &info);
	assert_false(info.has_offset);
}

UNIT_TESTS(elf_files_kernel_info)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_that_matter_are_read),
		cmocka_unit_test(what_is_not_as_expected_is_not_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
