// The rows of SFrame, for each ABI and type of FDE.
#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/machine.h"
#include "sframe/rows.h"
#include "sframe_builder.h"

enum { ADDR = 0x40000, CODE = 0x1000, AARCH64 = 2, X86_64 = 3, S390 = 4 };

static struct sframe_builder builder_of(uint8_t abi, uint8_t version)
{
	return (struct sframe_builder){ .version = version,
					.abi = abi,
					.fixed_ra = abi == X86_64 ? -8 : 0,
					.addr = ADDR,
					.big_endian = abi == S390 };
}

static void write_value(char *text, const char *name, const struct ic_sframe_value *value)
{
	char base[24] = "CFA";

	if (value->base == IC_SFRAME_NOWHERE)
		return;
	if (value->base == IC_SFRAME_REGISTER)
		snprintf(base, sizeof(base), "r%" PRIu32, value->reg);
	sprintf(text + strlen(text), value->is_memory ? " %s=[%s%+" PRId64 "]" : " %s=%s%+" PRId64,
		name, base, value->offset);
}

// A line for each row of the first FDE, from that of an address on, and for the error after them.
static void check_rows_at(struct sframe_builder *builder, uint64_t addr, const char *wanted)
{
	static const uint16_t machines[] = { 0, 0, IC_MACHINE_AARCH64, IC_MACHINE_X86_64,
					     IC_MACHINE_S390 };
	struct byte_buffer bytes = sframe_build(builder);
	const struct ic_sframe_section section = {
		.bytes = { bytes.data, bytes.size },
		.addr = ADDR,
		.machine = machines[builder->abi],
		.swap = builder->big_endian != IC_HOST_IS_BIG_ENDIAN,
	};
	struct ic_sframe sframe;
	struct ic_sframe_fde fde;
	struct ic_sframe_rows rows;
	struct ic_sframe_row row;
	struct ic_error err;
	char text[2000] = "";

	assert_true(ic_sframe_parse(&sframe, &section, &err));
	assert_true(ic_sframe_fde_read(&sframe, 0, &fde, &err));
	ic_sframe_rows_begin(&rows, &sframe, &fde, addr);
	while (ic_sframe_rows_next(&rows, &row, &err)) {
		sprintf(text + strlen(text), "%" PRIx64 "-%" PRIx64, row.start, row.end);
		write_value(text, "cfa", &row.cfa);
		write_value(text, "ra", &row.ra);
		write_value(text, "fp", &row.fp);
		strcat(text, row.is_outermost ? " outermost" : "");
		strcat(text, row.is_signed ? " signed\n" : "\n");
	}
	if (err.code != IC_ERROR_NONE)
		strcat(strcat(text, err.message), "\n");
	assert_string_equal(text, wanted);
	assert_false(ic_sframe_rows_next(&rows, &row, &err)); // and so it stays
	byte_buffer_deinit(&bytes);
	sframe_builder_deinit(builder);
}

static void check_rows(struct sframe_builder *builder, const char *wanted)
{
	check_rows_at(builder, CODE, wanted);
}

TEST(x86_64_has_its_return_address_in_a_fixed_place)
{
	for (uint8_t version = 1; version <= 3; version++) {
		struct sframe_builder builder = builder_of(X86_64, version);

		sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE, .size = 0x20 });
		sframe_add_row(&builder, (struct sframe_row){
						 .is_from_sp = true, .count = 1, .words = { 8 } });
		sframe_add_row(&builder, (struct sframe_row){ .start = 1,
							      .is_from_sp = true,
							      .count = 2,
							      .words = { 16, -16 } });
		sframe_add_row(&builder,
			       (struct sframe_row){ .start = 4, .count = 2, .words = { 16, -16 } });
		check_rows(&builder, "1000-1001 cfa=r7+8 ra=[CFA-8]\n"
				     "1001-1004 cfa=r7+16 ra=[CFA-8] fp=[CFA-16]\n"
				     "1004-1020 cfa=r6+16 ra=[CFA-8] fp=[CFA-16]\n");
	}
}

TEST(a_header_can_have_the_place_of_the_frame_pointer)
{
	struct sframe_builder builder = builder_of(X86_64, 2);

	builder.fixed_fp = -16;
	sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE, .size = 0x20 });
	sframe_add_row(&builder,
		       (struct sframe_row){ .is_from_sp = true, .count = 1, .words = { 8 } });
	sframe_add_row(&builder,
		       (struct sframe_row){ .start = 1, .count = 2, .words = { 16, -24 } });
	check_rows(&builder, "1000-1001 cfa=r7+8 ra=[CFA-8] fp=[CFA-16]\n"
			     "1001-1020 cfa=r6+16 ra=[CFA-8] fp=[CFA-24]\n");
}

TEST(starts_and_words_have_several_sizes)
{
	for (uint8_t type = 0; type <= 2; type++) {
		struct sframe_builder builder = builder_of(X86_64, 3);
		char wanted[200];
		int32_t offset = type == 0 ? 0x70 : type == 1 ? 0x7000 : 0x70000000;

		sframe_add_fde(&builder, (struct sframe_fde){
						 .start = CODE, .size = 0x100, .row_type = type });
		sframe_add_row(&builder, (struct sframe_row){ .start = 0xf0,
							      .is_from_sp = true,
							      .word_size = type,
							      .count = 2,
							      .words = { offset, -offset } });
		snprintf(wanted, sizeof(wanted), "10f0-1100 cfa=r7%+d ra=[CFA-8] fp=[CFA%+d]\n",
			 offset, -offset);
		check_rows(&builder, wanted);
	}
}

TEST(aarch64_has_its_return_address_in_a_register_at_first)
{
	struct sframe_builder builder = builder_of(AARCH64, 2);

	sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE, .size = 0x20 });
	sframe_add_row(&builder, (struct sframe_row){ .is_from_sp = true, .count = 1 });
	sframe_add_row(&builder,
		       (struct sframe_row){
			       .start = 4, .is_from_sp = true, .is_signed = true, .count = 1 });
	sframe_add_row(&builder, (struct sframe_row){ .start = 8,
						      .is_from_sp = true,
						      .is_signed = true,
						      .count = 3,
						      .words = { 32, -24, -32 } });
	sframe_add_row(&builder,
		       (struct sframe_row){ .start = 12, .count = 2, .words = { 32, -24 } });
	check_rows(&builder, "1000-1004 cfa=r31+0\n"
			     "1004-1008 cfa=r31+0 signed\n"
			     "1008-100c cfa=r31+32 ra=[CFA-24] fp=[CFA-32] signed\n"
			     "100c-1020 cfa=r29+32 ra=[CFA-24]\n");
}

TEST(s390x_scales_the_cfa_and_saves_in_registers)
{
	for (uint8_t version = 2; version <= 3; version++) {
		struct sframe_builder builder = builder_of(S390, version);
		static const char *const wanted[] = {
			[2] = "1000-1002 cfa=r15+160\n"
			      "1002-1004 cfa=r15+160 ra=r16+0 fp=r17+0\n"
			      "1004-1006 cfa=r15+160 fp=[CFA-72]\n"
			      "1006-1020 cfa=r11+320 ra=[CFA-48] fp=[CFA-72]\n",
			[3] = "1000-1002 cfa=r15+160\n"
			      "1002-1004 cfa=r15+160 ra=[CFA+33] fp=[CFA+35]\n"
			      "1004-1006 cfa=r15+160 fp=[CFA-72]\n"
			      "1006-1020 cfa=r11+320 ra=[CFA-48] fp=[CFA-72]\n",
		};

		sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE, .size = 0x20 });
		sframe_add_row(&builder, (struct sframe_row){ .is_from_sp = true, .count = 1 });
		sframe_add_row(&builder, (struct sframe_row){ .start = 2,
							      .is_from_sp = true,
							      .count = 3,
							      .words = { 0, 33, 35 } });
		sframe_add_row(&builder, (struct sframe_row){ .start = 4,
							      .is_from_sp = true,
							      .count = 3,
							      .words = { 0, 0, -72 } });
		sframe_add_row(
			&builder,
			(struct sframe_row){ .start = 6, .count = 3, .words = { 20, -48, -72 } });
		check_rows(&builder, wanted[version]);
	}
}

TEST(a_row_without_words_has_no_caller)
{
	struct sframe_builder builder = builder_of(X86_64, 3);

	sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE, .size = 0x20 });
	sframe_add_row(&builder, (struct sframe_row){ .start = 0 });
	check_rows(&builder, "1000-1020 outermost\n");
}

TEST(flexible_rows_have_control_words)
{
	struct sframe_builder builder = builder_of(X86_64, 3);

	sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE, .size = 0x20, .type = 1 });
	sframe_add_row(&builder,
		       (struct sframe_row){ .count = 2,
					    .words = { SFRAME_CONTROL(10, SFRAME_REGISTER), 0 } });
	sframe_add_row(
		&builder,
		(struct sframe_row){
			.start = 1,
			.count = 5,
			.words = { SFRAME_CONTROL(6, SFRAME_REGISTER | SFRAME_MEMORY), -8, 0,
				   SFRAME_CONTROL(6, SFRAME_REGISTER | SFRAME_MEMORY), 0 } });
	sframe_add_row(&builder,
		       (struct sframe_row){ .start = 2,
					    .word_size = 1,
					    .count = 6,
					    .words = { SFRAME_CONTROL(31, SFRAME_REGISTER), 8,
						       SFRAME_CONTROL(100, SFRAME_REGISTER), 0,
						       SFRAME_CONTROL(0, SFRAME_MEMORY), -16 } });
	check_rows(&builder, "1000-1001 cfa=r10+0 ra=[CFA-8]\n"
			     "1001-1002 cfa=[r6-8] ra=[CFA-8] fp=[r6+0]\n"
			     "1002-1020 cfa=r31+8 ra=r100+0 fp=[CFA-16]\n");
}

TEST(flexible_rows_of_s390x_scale_the_cfa_too)
{
	struct sframe_builder builder = builder_of(S390, 3);

	sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE, .size = 0x20, .type = 1 });
	sframe_add_row(&builder,
		       (struct sframe_row){ .word_size = 1,
					    .count = 6,
					    .words = { SFRAME_CONTROL(15, SFRAME_REGISTER), 1,
						       SFRAME_CONTROL(16, SFRAME_REGISTER), 0,
						       SFRAME_CONTROL(17, SFRAME_REGISTER), 0 } });
	check_rows(&builder, "1000-1020 cfa=r15+168 ra=r16+0 fp=r17+0\n");
}

static void add_plt(struct sframe_builder *builder, uint32_t size)
{
	sframe_add_fde(builder, (struct sframe_fde){ .start = CODE,
						     .size = size,
						     .bits = SFRAME_REPEATED,
						     .block_size = 16 });
	sframe_add_row(builder,
		       (struct sframe_row){ .is_from_sp = true, .count = 1, .words = { 8 } });
	sframe_add_row(builder,
		       (struct sframe_row){
			       .start = 11, .is_from_sp = true, .count = 1, .words = { 16 } });
}

TEST(rows_of_a_block_are_repeated)
{
	static const char wanted[] = "1000-100b cfa=r7+8 ra=[CFA-8]\n"
				     "100b-1010 cfa=r7+16 ra=[CFA-8]\n"
				     "1010-101b cfa=r7+8 ra=[CFA-8]\n"
				     "101b-1020 cfa=r7+16 ra=[CFA-8]\n"
				     "1020-1028 cfa=r7+8 ra=[CFA-8]\n";
	struct sframe_builder builder = builder_of(X86_64, 2);

	add_plt(&builder, 0x28);
	check_rows_at(&builder, CODE, wanted);
	builder = builder_of(X86_64, 2);
	add_plt(&builder, 0x28);
	check_rows_at(&builder, CODE + 0x27, strstr(wanted, "1020-"));
	builder = builder_of(X86_64, 2);
	add_plt(&builder, UINT32_MAX);
	check_rows_at(&builder, CODE + 0xfffffffeull,
		      "100000ff0-100000ffb cfa=r7+8 ra=[CFA-8]\n"
		      "100000ffb-100000fff cfa=r7+16 ra=[CFA-8]\n");
}

TEST(blocks_without_rows_end)
{
	struct sframe_builder builder = builder_of(X86_64, 2);

	sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE,
						      .size = UINT32_MAX,
						      .bits = SFRAME_REPEATED,
						      .block_size = 1 });
	sframe_add_row(&builder, (struct sframe_row){ .start = 1, .count = 1 });
	check_rows(&builder, "");
}

TEST(rows_without_code_are_skipped)
{
	struct sframe_builder builder = builder_of(X86_64, 2);

	sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE, .size = 0x20 });
	sframe_add_row(&builder, (struct sframe_row){ .start = 4, .count = 1, .words = { 8 } });
	sframe_add_row(&builder, (struct sframe_row){ .start = 4, .count = 1, .words = { 16 } });
	sframe_add_row(&builder, (struct sframe_row){ .start = 32, .count = 1, .words = { 24 } });
	check_rows(&builder, "1004-1020 cfa=r6+16 ra=[CFA-8]\n");
}

// One row that is good, and one that is not.
static void check_fault(struct sframe_builder builder, struct sframe_fde fde, struct sframe_row bad,
			const char *message)
{
	char wanted[200];

	fde.start = CODE;
	fde.size = 0x20;
	sframe_add_fde(&builder, fde);
	sframe_add_row(&builder,
		       (struct sframe_row){ .count = 2,
					    .words = { SFRAME_CONTROL(6, SFRAME_REGISTER), 8 } });
	sframe_add_row(&builder, bad);
	snprintf(wanted, sizeof(wanted), "1000-1004 cfa=r6+%s\n%s\n",
		 fde.type == 1 ? "8 ra=[CFA-8]" : "49 ra=[CFA-8] fp=[CFA+8]", message);
	check_rows(&builder, wanted);
}

TEST(a_fault_ends_the_rows)
{
	const struct sframe_builder x86 = builder_of(X86_64, 3);
	const struct sframe_fde plain = { .type = 0 }, flexible = { .type = 1 };

	check_fault(x86, plain, (struct sframe_row){ .start = 4, .word_size = 3, .count = 1 },
		    ".sframe+0x37: unknown size of data words");
	check_fault(x86, plain, (struct sframe_row){ .start = 4, .count = 3 },
		    ".sframe+0x39: too many data words");
	check_fault(x86, (struct sframe_fde){ .more_rows = 1 },
		    (struct sframe_row){ .start = 4, .count = 1 },
		    ".sframe+0x38: unexpected end of data");
	check_fault(x86, flexible, (struct sframe_row){ .start = 4, .count = 1, .words = { 1 } },
		    ".sframe+0x38: control word has no offset");
	check_fault(x86, flexible, (struct sframe_row){ .start = 4, .count = 2, .words = { 5 } },
		    ".sframe+0x38: reserved bit of a control word is set");
	check_fault(x86, flexible, (struct sframe_row){ .start = 4, .count = 2, .words = { 2 } },
		    ".sframe+0x39: the CFA is not relative to a register");
	check_fault(x86, flexible, (struct sframe_row){ .start = 4, .count = 7, .words = { 1 } },
		    ".sframe+0x3b: too many data words");
}

TEST(rows_beyond_the_code_are_a_fault)
{
	struct sframe_builder builder = builder_of(X86_64, 2);

	sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE, .size = 0x20 });
	sframe_add_row(&builder, (struct sframe_row){ .start = 0, .count = 1 });
	sframe_add_row(&builder, (struct sframe_row){ .start = 33, .count = 1 });
	check_rows(&builder, "1000-1020 cfa=r6+0 ra=[CFA-8]\n"
			     ".sframe+0x36: FRE is beyond the end of the code\n");
}

TEST(rows_out_of_order_are_a_fault)
{
	struct sframe_builder builder = builder_of(X86_64, 2);

	sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE, .size = 0x20 });
	sframe_add_row(&builder, (struct sframe_row){ .start = 5, .count = 1 });
	sframe_add_row(&builder, (struct sframe_row){ .start = 4, .count = 1 });
	check_rows(&builder, ".sframe+0x33: FREs are not sorted\n");
}

TEST(a_return_address_must_be_somewhere)
{
	struct sframe_builder builder = builder_of(X86_64, 2);

	builder.fixed_ra = 0;
	sframe_add_fde(&builder, (struct sframe_fde){ .start = CODE, .size = 0x20 });
	sframe_add_row(&builder, (struct sframe_row){ .start = 0, .count = 1 });
	check_rows(&builder, ".sframe+0x33: no location of the return address\n");
}

UNIT_TESTS(sframe_rows)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(x86_64_has_its_return_address_in_a_fixed_place),
		cmocka_unit_test(a_header_can_have_the_place_of_the_frame_pointer),
		cmocka_unit_test(starts_and_words_have_several_sizes),
		cmocka_unit_test(aarch64_has_its_return_address_in_a_register_at_first),
		cmocka_unit_test(s390x_scales_the_cfa_and_saves_in_registers),
		cmocka_unit_test(a_row_without_words_has_no_caller),
		cmocka_unit_test(flexible_rows_have_control_words),
		cmocka_unit_test(flexible_rows_of_s390x_scale_the_cfa_too),
		cmocka_unit_test(rows_of_a_block_are_repeated),
		cmocka_unit_test(blocks_without_rows_end),
		cmocka_unit_test(rows_without_code_are_skipped),
		cmocka_unit_test(a_fault_ends_the_rows),
		cmocka_unit_test(rows_beyond_the_code_are_a_fault),
		cmocka_unit_test(rows_out_of_order_are_a_fault),
		cmocka_unit_test(a_return_address_must_be_somewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
