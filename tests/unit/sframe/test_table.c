// Headers and FDEs of SFrame, in each version.
#include "unit_test.h"

#include "base/machine.h"
#include "sframe/table.h"
#include "sframe_builder.h"

enum { ADDR = 0x40000, X86_64 = 3, ALL_VERSIONS = 3 };

struct parsed {
	struct byte_buffer bytes;
	struct ic_sframe sframe;
	struct ic_error err;
	bool ok;
};

static struct parsed parse(struct sframe_builder *builder, uint16_t machine, bool is_relocatable)
{
	struct parsed parsed = { .bytes = sframe_build(builder) };
	const struct ic_sframe_section section = {
		.bytes = { parsed.bytes.data, parsed.bytes.size },
		.addr = builder->addr,
		.machine = machine,
		.is_relocatable = is_relocatable,
		.swap = builder->big_endian != IC_HOST_IS_BIG_ENDIAN,
	};

	parsed.ok = ic_sframe_parse(&parsed.sframe, &section, &parsed.err);
	sframe_builder_deinit(builder);
	return parsed;
}

static struct sframe_builder builder_of(uint8_t version)
{
	return (struct sframe_builder){
		.version = version, .abi = X86_64, .fixed_ra = -8, .addr = ADDR
	};
}

static void add_function(struct sframe_builder *builder, uint64_t start, uint32_t size)
{
	sframe_add_fde(builder, (struct sframe_fde){ .start = start, .size = size });
	sframe_add_row(builder,
		       (struct sframe_row){ .is_from_sp = true, .words = { 8 }, .count = 1 });
}

static void check_error(struct sframe_builder builder, uint16_t machine, enum ic_error_code code,
			const char *message)
{
	struct parsed parsed = parse(&builder, machine, false);

	assert_false(parsed.ok);
	assert_error(&parsed.err, code, message);
	byte_buffer_deinit(&parsed.bytes);
}

TEST(fdes_of_each_version_are_read)
{
	for (uint8_t version = 1; version <= ALL_VERSIONS; version++) {
		struct sframe_builder builder = builder_of(version);
		struct ic_sframe_fde fde;
		struct ic_error err;

		add_function(&builder, 0x1000, 0x10);
		add_function(&builder, 0x50000, 0x20); // after the section
		struct parsed parsed = parse(&builder, IC_MACHINE_X86_64, false);
		assert_true(parsed.ok);
		assert_int_equal(parsed.sframe.version, version);
		assert_int_equal(parsed.sframe.fde_count, 2);
		assert_int_equal(parsed.sframe.lost_count, 0);
		assert_int_equal(parsed.sframe.end, parsed.bytes.size);
		assert_true(ic_sframe_fde_read(&parsed.sframe, 1, &fde, &err));
		assert_int_equal(fde.start, 0x50000);
		assert_int_equal(fde.end, 0x50020);
		assert_int_equal(fde.row_count, 1);
		assert_int_equal(ic_sframe_fde_number(&parsed.sframe, fde.off), 1);
		assert_true(ic_sframe_fde_read(&parsed.sframe, 0, &fde, &err));
		assert_int_equal(fde.start, 0x1000);
		byte_buffer_deinit(&parsed.bytes);
	}
}

TEST(starts_may_be_relative_to_their_field)
{
	for (uint8_t version = 2; version <= ALL_VERSIONS; version++) {
		struct sframe_builder builder = builder_of(version);
		struct ic_sframe_fde fde;
		struct ic_error err;

		builder.flags = SFRAME_RELATIVE;
		add_function(&builder, 0x1000, 0x10);
		add_function(&builder, 0x2000, 0x10);
		struct parsed parsed = parse(&builder, IC_MACHINE_X86_64, false);
		assert_true(ic_sframe_fde_read(&parsed.sframe, 1, &fde, &err));
		assert_int_equal(fde.start, 0x2000);
		byte_buffer_deinit(&parsed.bytes);
	}
}

TEST(in_an_object_starts_are_always_relative)
{
	struct sframe_builder builder = builder_of(2);
	struct ic_sframe_fde fde;
	struct ic_error err;

	add_function(&builder, 0x1000, 0x10);
	struct parsed parsed = parse(&builder, IC_MACHINE_X86_64, true);
	assert_true(ic_sframe_fde_read(&parsed.sframe, 0, &fde, &err));
	assert_int_equal(fde.start, 0x1000 + fde.off);
	byte_buffer_deinit(&parsed.bytes);
}

TEST(a_longer_header_is_skipped)
{
	struct sframe_builder builder = builder_of(3);
	struct ic_sframe_fde fde;
	struct ic_error err;

	builder.more_header = 12;
	add_function(&builder, 0x1000, 0x10);
	struct parsed parsed = parse(&builder, IC_MACHINE_X86_64, false);
	assert_true(ic_sframe_fde_read(&parsed.sframe, 0, &fde, &err));
	assert_int_equal(fde.off, 28 + 12);
	assert_int_equal(fde.start, 0x1000);
	byte_buffer_deinit(&parsed.bytes);
}

TEST(attributes_are_those_of_the_version)
{
	struct sframe_builder builder = { .version = 3, .abi = 1, .big_endian = true };
	struct ic_sframe_fde fde;
	struct ic_error err;

	sframe_add_fde(&builder,
		       (struct sframe_fde){ .start = 0x1000,
					    .size = 0x100,
					    .row_type = 1,
					    .bits = SFRAME_SIGNAL | SFRAME_B_KEY | SFRAME_REPEATED,
					    .type = 1,
					    .block_size = 16 });
	struct parsed parsed = parse(&builder, IC_MACHINE_AARCH64, false);
	assert_true(ic_sframe_fde_read(&parsed.sframe, 0, &fde, &err));
	assert_int_equal(fde.row_addr_size, 2);
	assert_int_equal(fde.block_size, 16);
	assert_true(fde.is_flexible);
	assert_true(fde.is_signal);
	assert_true(fde.has_b_key);
	byte_buffer_deinit(&parsed.bytes);
}

TEST(blocks_of_version_1_are_plt_entries)
{
	struct sframe_builder builder = builder_of(1);
	struct ic_sframe_fde fde;
	struct ic_error err;

	sframe_add_fde(&builder, (struct sframe_fde){ .size = 0x20, .bits = SFRAME_REPEATED });
	struct parsed parsed = parse(&builder, IC_MACHINE_X86_64, false);
	assert_true(ic_sframe_fde_read(&parsed.sframe, 0, &fde, &err));
	assert_int_equal(fde.block_size, 16);
	byte_buffer_deinit(&parsed.bytes);
}

TEST(what_is_not_known_is_an_error)
{
	struct sframe_builder builder = builder_of(2);

	builder.flags = 8;
	check_error(builder, IC_MACHINE_X86_64, IC_ERROR_UNSUPPORTED,
		    ".sframe+0x3: unknown SFrame flags 8");
	builder.flags = 0;
	check_error(builder, IC_MACHINE_AARCH64, IC_ERROR_UNSUPPORTED,
		    ".sframe+0x4: the file's machine has no SFrame ABI 3");
	builder.abi = 9;
	check_error(builder, IC_MACHINE_X86_64, IC_ERROR_UNSUPPORTED,
		    ".sframe+0x4: the file's machine has no SFrame ABI 9");
	builder.abi = 1; // big-endian
	check_error(builder, IC_MACHINE_AARCH64, IC_ERROR_UNSUPPORTED,
		    ".sframe+0x4: the file's machine has no SFrame ABI 1");
}

static bool parse_bytes(struct ic_bytes bytes, struct ic_error *err)
{
	const struct ic_sframe_section section = { .bytes = bytes,
						   .machine = IC_MACHINE_X86_64,
						   .swap = SWAP_LITTLE };
	struct ic_sframe sframe;

	return ic_sframe_parse(&sframe, &section, err);
}

TEST(other_bytes_are_not_sframe)
{
	struct ic_error err;

	assert_false(parse_bytes(BYTES(0, 0, 2, 0, 3, 0, 0, 0), &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".sframe+0x0: not SFrame: the magic number is 0x0");
	assert_false(parse_bytes(BYTES(0xe2, 0xde, 4, 0, 3, 0, 0, 0), &err));
	assert_error(&err, IC_ERROR_UNSUPPORTED, ".sframe+0x2: unsupported SFrame version 4");
	assert_false(parse_bytes(BYTES(0xe2, 0xde, 2, 0, 3, 0, 0), &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".sframe+0x7: unexpected end of data");
	assert_false(parse_bytes(BYTES(0xe2, 0xde, 2, 0, 3, 0, 0, 0, 1, 0, 0, 0), &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".sframe+0xc: unexpected end of data");
}

TEST(parts_beyond_the_section_are_an_error)
{
	struct sframe_builder builder = builder_of(2);

	builder.more_fdes_off = 1000;
	check_error(builder, IC_MACHINE_X86_64, IC_ERROR_MALFORMED,
		    ".sframe+0x0: FDEs or FREs are beyond the end of the section");
	builder.more_fdes_off = 0;
	builder.more_rows_size = -1; // 4 GB
	check_error(builder, IC_MACHINE_X86_64, IC_ERROR_MALFORMED,
		    ".sframe+0x0: FDEs or FREs are beyond the end of the section");
}

TEST(fdes_without_room_are_counted)
{
	struct sframe_builder builder = builder_of(2);

	builder.more_fdes = 1000;
	add_function(&builder, 0x1000, 0x10);
	struct parsed parsed = parse(&builder, IC_MACHINE_X86_64, false);
	assert_true(parsed.ok);
	assert_int_equal(parsed.sframe.fde_count, 1);
	assert_int_equal(parsed.sframe.lost_count, 1000);
	byte_buffer_deinit(&parsed.bytes);
}

static void check_fde_error(uint8_t version, struct sframe_fde fde, const char *message)
{
	struct sframe_builder builder = builder_of(version);
	struct ic_sframe_fde read;
	struct ic_error err;

	sframe_add_fde(&builder, fde);
	struct parsed parsed = parse(&builder, IC_MACHINE_X86_64, false);
	assert_true(parsed.ok);
	assert_false(ic_sframe_fde_read(&parsed.sframe, 0, &read, &err));
	assert_error(&err, IC_ERROR_MALFORMED, message);
	byte_buffer_deinit(&parsed.bytes);
}

TEST(a_malformed_fde_is_an_error)
{
	check_fde_error(2, (struct sframe_fde){ .row_type = 3 },
			".sframe+0x2e: unknown type of FREs");
	check_fde_error(3, (struct sframe_fde){ .type = 2 }, ".sframe+0x31: unknown type of FDE");
	check_fde_error(2, (struct sframe_fde){ .bits = SFRAME_REPEATED },
			".sframe+0x2e: repeated block has no size");
	check_fde_error(
		2,
		(struct sframe_fde){ .bits = SFRAME_REPEATED, .block_size = 16, .more_rows = 17 },
		".sframe+0x2e: more FREs than bytes in the repeated block");
	check_fde_error(3, (struct sframe_fde){ .start = UINT64_MAX - 1, .size = 2 },
			".sframe+0x1c: address range exceeds the address space");
	check_fde_error(2, (struct sframe_fde){ .more_off = 1 },
			".sframe+0x1c: FREs are beyond the end of all FREs");
	check_fde_error(3, (struct sframe_fde){ .more_off = 1 },
			".sframe+0x31: unexpected end of data");
}

TEST(sorted_fdes_are_found_by_binary_search)
{
	struct sframe_builder builder = builder_of(2);
	struct ic_sframe_fde fde;

	builder.flags = SFRAME_SORTED;
	for (uint32_t i = 0; i < 16; i++)
		add_function(&builder, 0x1000 + 0x20 * i, 0x10);
	struct parsed parsed = parse(&builder, IC_MACHINE_X86_64, false);
	for (uint32_t i = 0; i < 16; i++) {
		assert_true(ic_sframe_fde_find(&parsed.sframe, 0x1000 + 0x20 * i, &fde));
		assert_int_equal(fde.start, 0x1000 + 0x20 * i);
		assert_true(ic_sframe_fde_find(&parsed.sframe, 0x100f + 0x20 * i, &fde));
		assert_int_equal(fde.start, 0x1000 + 0x20 * i);
		assert_false(ic_sframe_fde_find(&parsed.sframe, 0x1010 + 0x20 * i, &fde));
	}
	assert_false(ic_sframe_fde_find(&parsed.sframe, 0xfff, &fde));
	parsed.sframe.is_sorted = false;
	assert_false(ic_sframe_fde_find(&parsed.sframe, 0x1000, &fde));
	byte_buffer_deinit(&parsed.bytes);
}

UNIT_TESTS(sframe_table)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fdes_of_each_version_are_read),
		cmocka_unit_test(starts_may_be_relative_to_their_field),
		cmocka_unit_test(in_an_object_starts_are_always_relative),
		cmocka_unit_test(a_longer_header_is_skipped),
		cmocka_unit_test(attributes_are_those_of_the_version),
		cmocka_unit_test(blocks_of_version_1_are_plt_entries),
		cmocka_unit_test(what_is_not_known_is_an_error),
		cmocka_unit_test(other_bytes_are_not_sframe),
		cmocka_unit_test(parts_beyond_the_section_are_an_error),
		cmocka_unit_test(fdes_without_room_are_counted),
		cmocka_unit_test(a_malformed_fde_is_an_error),
		cmocka_unit_test(sorted_fdes_are_found_by_binary_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
