// SFrame as call frame information: rows of a file, and the frames of a stack.
#include "unwind/tables/sframe.h"

#include "unit_test.h"

#include <stdio.h>

#include "cfi_builder.h"
#include "dwarf/frames/instruction.h"
#include "fixtures/elf.h"
#include "fixtures/unwind.h"
#include "sframe_builder.h"

#include <inlinecall/extra/registers.h>
#include <inlinecall/extra/unwind.h>

enum { ADDR = 0x40000, AARCH64 = 2, X86_64 = 3, S390 = 4 };

// Call frames of a file, with a reader.
struct subject {
	struct ic_image *image;
	struct ic_call_frames *frames;
	struct ic_call_frame_reader *reader;
};

static struct sframe_builder builder_of(uint8_t flags)
{
	return (struct sframe_builder){
		.version = 3, .flags = flags, .abi = X86_64, .fixed_ra = -8, .addr = ADDR
	};
}

static void add_function(struct sframe_builder *builder, uint64_t start, int32_t cfa)
{
	sframe_add_fde(builder, (struct sframe_fde){ .start = start, .size = 0x10 });
	sframe_add_row(builder,
		       (struct sframe_row){ .is_from_sp = true, .count = 1, .words = { cfa } });
}

static void add_section(struct elf_builder *elf, struct sframe_builder *builder)
{
	struct byte_buffer bytes = sframe_build(builder);

	elf_add_section(elf, (struct elf_section){ .name = ".sframe",
						   .flags = SHF_ALLOC,
						   .addr = ADDR,
						   .bytes = byte_buffer_view(&bytes) });
	byte_buffer_deinit(&bytes);
	sframe_builder_deinit(builder);
}

static void open_file(struct subject *subject, struct elf_builder *elf)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct ic_error err = { .message = "" };

	subject->image = ic_image_open(elf_end_at(elf, "a.out"), &options, &err);
	if (!subject->image)
		fail_msg("%s", err.message);
	subject->frames = ic_call_frames_open(subject->image, &err);
	if (!subject->frames)
		fail_msg("%s", err.message);
	subject->reader = ic_call_frame_reader_new(subject->frames, &err);
	assert_non_null(subject->reader);
}

static void open_sframe(struct subject *subject, struct sframe_builder *builder)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	add_section(elf, builder);
	open_file(subject, elf);
}

static void end(struct subject *subject)
{
	ic_call_frame_reader_free(subject->reader);
	ic_call_frames_free(subject->frames);
	ic_image_free(subject->image);
}

static void check_problem(struct subject *subject, const char *message)
{
	struct ic_index_problem problem;

	assert_true(ic_call_frames_problem_get(subject->frames, 0, &problem));
	assert_string_equal(problem.message, message);
	assert_false(ic_call_frames_problem_get(subject->frames, 1, &problem));
}

// "section: CFA, rules" for an address.
static void check_row(struct subject *subject, uint64_t addr, const char *wanted)
{
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;
	struct ic_error err;
	char text[500];

	if (!ic_call_frame_reader_find(subject->reader, addr, &entry, &row, &err)) {
		assert_string_equal(err.message, wanted);
		return;
	}
	assert_true(row.range.start <= addr && addr < row.range.end);
	snprintf(text, sizeof(text), "%s: %s", entry.section,
		 ic_call_frame_reader_text(subject->reader, &row.cfa, true));
	for (size_t i = 0; i < row.rule_count; i++) {
		const struct ic_register_rule *rule = &row.rules[i];
		assert_true(i == 0 || rule[-1].reg < rule->reg);
		sprintf(text + strlen(text), " %u=%s", rule->reg,
			ic_call_frame_reader_text(subject->reader, rule, false));
	}
	assert_string_equal(text, wanted);
}

TEST(sframe_is_searched_if_other_sections_do_not_have_the_address)
{
	for (uint8_t flags = 0; flags <= SFRAME_SORTED; flags++) {
		struct elf_builder *elf = elf_begin(ET_EXEC);
		struct cfi_builder eh = { .is_eh = true, .addr_size = 8 };
		struct sframe_builder builder = builder_of(flags);
		struct ic_call_frame_entry entry;
		struct subject subject;

		cfi_add_cie(&eh, (struct cfi_cie){ .return_reg = 16 });
		cfi_add_fde(&eh, (struct cfi_fde){ .start = 0x1000,
						   .size = 0x10,
						   .instructions = CFI(DW_CFA_def_cfa, 7, 16) });
		elf_add_section(elf, (struct elf_section){ .name = ".eh_frame",
							   .flags = SHF_ALLOC,
							   .addr = 0x50000,
							   .bytes = byte_buffer_view(&eh.bytes) });
		cfi_builder_deinit(&eh);
		if (!flags)
			add_function(&builder, 0x2000, 8);
		add_function(&builder, 0x1000, 24);
		if (flags)
			add_function(&builder, 0x2000, 8);
		add_section(elf, &builder);
		open_file(&subject, elf);
		check_row(&subject, 0x1008, ".eh_frame: %rsp+16");
		check_row(&subject, 0x2008, ".sframe: %rsp+8 16=[CFA-8]");
		check_row(&subject, 0x2010, "no call frame information for 0x2010");
		assert_true(ic_call_frames_list(subject.frames, NULL));
		assert_int_equal(ic_call_frames_count(subject.frames), 3);
		assert_true(ic_call_frames_get(subject.frames, 2, &entry));
		assert_string_equal(entry.section, ".sframe");
		assert_int_equal(entry.range.start, 0x2000);
		assert_int_equal(entry.return_reg, 16);
		check_row(&subject, 0x2008, ".sframe: %rsp+8 16=[CFA-8]");
		assert_false(ic_call_frames_problem_get(subject.frames, 0,
							&(struct ic_index_problem){ 0 }));
		end(&subject);
	}
}

TEST(a_wrong_order_hides_no_function)
{
	struct sframe_builder builder = builder_of(SFRAME_SORTED);
	struct subject subject;

	for (uint64_t i = 8; i > 0; i--)
		add_function(&builder, 0x1000 * i, (int32_t)(8 * i));
	open_sframe(&subject, &builder);
	check_row(&subject, 0x1000, ".sframe: %rsp+8 16=[CFA-8]");
	check_row(&subject, 0x7000, ".sframe: %rsp+56 16=[CFA-8]");
	end(&subject);
}

TEST(rules_are_those_of_call_frame_information)
{
	struct sframe_builder builder = builder_of(0);
	struct subject subject;

	sframe_add_fde(&builder, (struct sframe_fde){ .start = 0x1000, .size = 0x10, .type = 1 });
	sframe_add_row(
		&builder,
		(struct sframe_row){
			.start = 1,
			.count = 5,
			.words = { SFRAME_CONTROL(6, SFRAME_REGISTER | SFRAME_MEMORY), -8, 0,
				   SFRAME_CONTROL(6, SFRAME_REGISTER | SFRAME_MEMORY), 0 } });
	sframe_add_row(
		&builder,
		(struct sframe_row){ .start = 2,
				     .word_size = 1,
				     .count = 6,
				     .words = { SFRAME_CONTROL(40, SFRAME_REGISTER | SFRAME_MEMORY),
						300, SFRAME_CONTROL(3, SFRAME_REGISTER), 0,
						SFRAME_CONTROL(40, SFRAME_REGISTER), -300 } });
	sframe_add_row(&builder, (struct sframe_row){ .start = 3,
						      .count = 4,
						      .words = { SFRAME_CONTROL(7, SFRAME_REGISTER),
								 8, SFRAME_CONTROL(1, 0), -24 } });
	sframe_add_row(&builder, (struct sframe_row){ .start = 4 });
	open_sframe(&subject, &builder);
	check_row(&subject, 0x1000, "no call frame information for 0x1000");
	check_row(&subject, 0x1001,
		  ".sframe: DW_OP_breg6 rbp-8, DW_OP_deref 6=[DW_OP_breg6 rbp+0] 16=[CFA-8]");
	check_row(&subject, 0x1002,
		  ".sframe: DW_OP_bregx st7+300, DW_OP_deref 6=DW_OP_bregx st7-300 16=%rbx");
	check_row(&subject, 0x1003, ".sframe: %rsp+8 16=CFA-24");
	check_row(&subject, 0x1004, ".sframe: undefined 16=undefined");
	end(&subject);
}

TEST(fdes_have_what_cies_describe)
{
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_AARCH64, .type = ET_EXEC });
	struct sframe_builder builder = { .version = 3, .abi = AARCH64, .addr = ADDR };
	struct ic_call_frame_entry entry;
	struct subject subject;

	for (uint8_t i = 0; i < 4; i++) {
		sframe_add_fde(&builder, (struct sframe_fde){
						 .start = 0x1000 + 0x10 * i,
						 .size = 0x10,
						 .bits = (uint8_t)((i & 1 ? SFRAME_SIGNAL : 0) |
								   (i & 2 ? SFRAME_B_KEY : 0)) });
		sframe_add_row(&builder, (struct sframe_row){ .is_from_sp = true,
							      .is_signed = true,
							      .count = 3,
							      .words = { 32, -24, -32 } });
	}
	add_section(elf, &builder);
	open_file(&subject, elf);
	assert_true(ic_call_frames_list(subject.frames, NULL));
	for (size_t i = 0; i < 4; i++) {
		assert_true(ic_call_frames_get(subject.frames, i, &entry));
		assert_int_equal(entry.is_signal, i & 1);
		assert_int_equal(entry.has_b_key, i >> 1 & 1);
		assert_int_equal(entry.return_reg, 30);
	}
	check_row(&subject, 0x1000, ".sframe: sp+32 29=[CFA-32] 30=[CFA-24] 34=1");
	end(&subject);
}

TEST(the_stack_pointer_of_s390x_is_below_the_cfa)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .big_endian = true, .machine = EM_S390, .type = ET_EXEC });
	struct sframe_builder builder = {
		.version = 2, .abi = S390, .addr = ADDR, .big_endian = true
	};
	struct subject subject;

	sframe_add_fde(&builder, (struct sframe_fde){ .start = 0x1000, .size = 0x10 });
	sframe_add_row(
		&builder,
		(struct sframe_row){ .is_from_sp = true, .count = 3, .words = { 20, -48, -72 } });
	add_section(elf, &builder);
	open_file(&subject, elf);
	check_row(&subject, 0x1000, ".sframe: %r15+320 11=[CFA-72] 14=[CFA-48] 15=CFA-160");
	end(&subject);
}

// ---- Problems

TEST(an_unreadable_header_is_a_problem)
{
	struct sframe_builder builder = builder_of(8);
	struct subject subject;

	add_function(&builder, 0x1000, 8);
	open_sframe(&subject, &builder);
	check_row(&subject, 0x1000, "no call frame information for 0x1000");
	check_problem(&subject, ".sframe+0x3: unknown SFrame flags 8");
	end(&subject);
}

TEST(an_fde_that_cannot_be_read_is_a_problem)
{
	struct sframe_builder builder = builder_of(SFRAME_SORTED);
	struct subject subject;

	add_function(&builder, 0x1000, 8);
	sframe_add_fde(&builder, (struct sframe_fde){ .start = 0x2000, .size = 16, .type = 9 });
	open_sframe(&subject, &builder);
	check_row(&subject, 0x1000, ".sframe: %rsp+8 16=[CFA-8]");
	check_row(&subject, 0x2000, "no call frame information for 0x2000");
	check_problem(&subject, ".sframe+0x49: unknown type of FDE (for .sframe+0x2c)");
	end(&subject);
}

TEST(a_row_that_cannot_be_read_is_a_problem)
{
	struct sframe_builder builder = builder_of(SFRAME_SORTED);
	struct subject subject;

	add_function(&builder, 0x1000, 8);
	sframe_add_row(&builder, (struct sframe_row){ .start = 4, .count = 4 });
	open_sframe(&subject, &builder);
	check_row(&subject, 0x1000, ".sframe: %rsp+8 16=[CFA-8]");
	check_row(&subject, 0x1004, ".sframe+0x38: too many data words");
	check_problem(&subject, ".sframe+0x38: too many data words (for .sframe+0x1c)");
	end(&subject);
}

TEST(bytes_that_are_not_read_are_a_problem)
{
	struct sframe_builder builder = builder_of(0), second = builder_of(0);
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct subject subject;

	add_function(&builder, 0x1000, 8);
	add_function(&second, 0x2000, 8);
	struct byte_buffer bytes = sframe_build(&builder), more = sframe_build(&second);
	byte_buffer_align(&bytes, 8);
	byte_buffer_append(&bytes, more.data, more.size);
	elf_add_section(elf, (struct elf_section){ .name = ".sframe",
						   .flags = SHF_ALLOC,
						   .addr = ADDR,
						   .bytes = byte_buffer_view(&bytes) });
	byte_buffer_deinit(&bytes);
	byte_buffer_deinit(&more);
	sframe_builder_deinit(&builder);
	sframe_builder_deinit(&second);
	open_file(&subject, elf);
	assert_true(ic_call_frames_list(subject.frames, NULL));
	assert_int_equal(ic_call_frames_count(subject.frames), 1);
	check_problem(&subject, ".sframe+0x34: 56 bytes after the first table are not read");
	end(&subject);
}

TEST(fdes_without_room_are_a_problem)
{
	struct sframe_builder builder = builder_of(0);
	struct subject subject;

	builder.more_fdes = 5;
	add_function(&builder, 0x1000, 8);
	open_sframe(&subject, &builder);
	assert_true(ic_call_frames_list(subject.frames, NULL));
	assert_int_equal(ic_call_frames_count(subject.frames), 1);
	check_problem(&subject, ".sframe+0x0: the section has no room for 5 of its FDEs");
	end(&subject);
}

// Counts the rows of all FDEs.
static size_t count_rows(struct subject *subject)
{
	struct ic_call_frame_row row;
	size_t count = 0;

	assert_true(ic_call_frames_list(subject->frames, NULL));
	for (size_t i = 0; i < ic_call_frames_count(subject->frames); i++)
		for (bool ok = ic_call_frame_reader_begin(subject->reader, i, NULL);
		     ok && ic_call_frame_reader_next(subject->reader, &row, NULL); count++)
			;
	return count;
}

TEST(a_listing_has_a_limit)
{
	struct sframe_builder builder = builder_of(0);
	struct subject subject;

	sframe_add_fde(&builder, (struct sframe_fde){ .start = 0x1000,
						      .size = 0x7fffffff,
						      .bits = SFRAME_REPEATED,
						      .block_size = 1 });
	sframe_add_row(&builder,
		       (struct sframe_row){ .is_from_sp = true, .count = 1, .words = { 8 } });
	open_sframe(&subject, &builder);
	assert_in_range(count_rows(&subject), 1 << 19, 1 << 20);
	check_problem(&subject, ".sframe+0x1c: too many rules for the number of entries; the rest "
				"are left out");
	check_row(&subject, 0x70001000, ".sframe: %rsp+8 16=[CFA-8]");
	end(&subject);
}

// FDEs that share a long run of FREs without code, with a fault at its end.
TEST(rows_without_code_count_for_the_limit)
{
	enum { FDES = 16, ROWS = 200000 };
	struct sframe_builder builder = builder_of(0);
	struct ic_index_problem problem;
	struct subject subject;

	builder.version = 2;
	for (uint64_t i = 0; i < FDES; i++)
		sframe_add_fde(&builder, (struct sframe_fde){ .start = 0x1000 * (i + 1),
							      .size = 0x10,
							      .more_rows = ROWS + 1 });
	for (size_t i = 0; i < ROWS; i++)
		sframe_add_row(&builder, (struct sframe_row){ .start = 0 });
	for (size_t i = 0; i < FDES; i++)
		builder.row_offs[i] = 0;
	open_sframe(&subject, &builder);
	assert_int_equal(count_rows(&subject), 0);
	bool is_limited = false;
	for (size_t i = 0; ic_call_frames_problem_get(subject.frames, i, &problem); i++)
		is_limited |= strstr(problem.message, "too many rules") != NULL;
	assert_true(is_limited);
	end(&subject);
}

// ---- Stacks

enum { ONE = 0x1000, TWO = 0x1100, HANDLER = 0x1200, START = 0x1300 };

static void open_world(struct world *world)
{
	struct sframe_builder builder = builder_of(0);

	builder.addr = FRAMES;
	sframe_add_fde(&builder, (struct sframe_fde){ .start = ONE, .size = 0x100 });
	sframe_add_row(&builder,
		       (struct sframe_row){ .is_from_sp = true, .count = 2, .words = { 24, -16 } });
	sframe_add_fde(&builder, (struct sframe_fde){ .start = TWO, .size = 0x100 });
	sframe_add_row(&builder, (struct sframe_row){ .count = 1, .words = { 16 } });
	sframe_add_fde(&builder,
		       (struct sframe_fde){
			       .start = HANDLER, .size = 0x100, .bits = SFRAME_SIGNAL, .type = 1 });
	sframe_add_row(
		&builder,
		(struct sframe_row){
			.count = 6,
			.words = { SFRAME_CONTROL(7, SFRAME_REGISTER | SFRAME_MEMORY), 16,
				   SFRAME_CONTROL(7, SFRAME_REGISTER | SFRAME_MEMORY), 0,
				   SFRAME_CONTROL(7, SFRAME_REGISTER | SFRAME_MEMORY), 8 } });
	sframe_add_fde(&builder, (struct sframe_fde){ .start = START, .size = 0x100 });
	sframe_add_row(&builder, (struct sframe_row){ .start = 0 });
	struct byte_buffer section = sframe_build(&builder);
	world_open_section(world, EM_X86_64, ".sframe", &section);
	sframe_builder_deinit(&builder);
}

static void expect_frame(struct ic_unwinder *unwinder, uint64_t pc, uint64_t sp, uint64_t rbp,
			 bool has_rbx)
{
	const struct ic_unwind_frame *frame = ic_unwinder_next(unwinder);
	uint64_t value;

	assert_non_null(frame);
	assert_int_equal(frame->registers.pc, BIAS + pc);
	assert_true(ic_unwind_register_get(&frame->registers, RSP, &value));
	assert_int_equal(value, STACK + sp);
	assert_true(ic_unwind_register_get(&frame->registers, RBP, &value));
	assert_int_equal(value, rbp);
	assert_int_equal(ic_unwind_register_get(&frame->registers, RBX, &value), has_rbx);
}

TEST(a_stack_is_unwound_by_sframe_only)
{
	struct ic_unwind_registers registers = { .pc = BIAS + ONE + 8 };
	struct world world;

	open_world(&world);
	struct ic_unwinder *unwinder = world_unwinder(&world, 0);
	ic_unwind_register_set(&registers, RSP, STACK);
	ic_unwind_register_set(&registers, RBP, 1);
	ic_unwind_register_set(&registers, RBX, 2);
	world.words[1] = STACK + 0x30;       // of the caller: its frame pointer
	world.words[2] = BIAS + TWO + 8;     // and the return address
	world.words[7] = BIAS + HANDLER + 1; // TWO was called by a signal
	world.words[8] = BIAS + ONE + 16;    // what it interrupted
	world.words[9] = 3;                  // its frame pointer
	world.words[10] = STACK + 0x80;      // and stack pointer
	world.words[0x80 / 8 + 1] = 4;
	world.words[0x80 / 8 + 2] = BIAS + START + 8;
	ic_unwinder_begin(unwinder, &registers);
	expect_frame(unwinder, ONE + 8, 0, 1, true);
	// Where functions save other registers is not known.
	expect_frame(unwinder, TWO + 8, 0x18, STACK + 0x30, false);
	expect_frame(unwinder, HANDLER + 1, 0x40, STACK + 0x30, false);
	expect_frame(unwinder, ONE + 16, 0x80, 3, false);
	expect_frame(unwinder, START + 8, 0x98, 4, false);
	assert_null(ic_unwinder_next(unwinder));
	assert_int_equal(ic_unwinder_end(unwinder), IC_UNWIND_OUTERMOST);
	ic_unwinder_free(unwinder);
	world_close(&world);
}

static void open_other_world(struct world *world, struct sframe_builder *builder, uint16_t machine)
{
	struct byte_buffer section = sframe_build(builder);

	world_open_section(world, machine, ".sframe", &section);
	sframe_builder_deinit(builder);
}

TEST(signatures_are_removed_from_return_addresses)
{
	struct ic_unwind_registers registers = { .pc = BIAS + ONE + 8 };
	struct sframe_builder builder = { .version = 2, .abi = AARCH64, .addr = FRAMES };
	const struct ic_unwind_frame *frame;
	struct world world;

	sframe_add_fde(&builder, (struct sframe_fde){ .start = ONE, .size = 0x100 });
	sframe_add_row(&builder, (struct sframe_row){ .is_from_sp = true,
						      .is_signed = true,
						      .count = 3,
						      .words = { 16, -8, -16 } });
	sframe_add_fde(&builder, (struct sframe_fde){ .start = TWO, .size = 0x100 });
	sframe_add_row(&builder,
		       (struct sframe_row){ .is_from_sp = true, .is_signed = true, .count = 1 });
	open_other_world(&world, &builder, EM_AARCH64);
	struct ic_unwinder *unwinder = world_unwinder(&world, 0);
	ic_unwind_register_set(&registers, SP_AARCH64, STACK);
	world.words[1] = 0xab00000000000000 | (BIAS + TWO + 8);
	ic_unwinder_begin(unwinder, &registers);
	assert_non_null(ic_unwinder_next(unwinder));
	frame = ic_unwinder_next(unwinder);
	assert_non_null(frame);
	assert_int_equal(frame->registers.pc, BIAS + TWO + 8);
	// Only the first frame can have its return address in a register.
	assert_null(ic_unwinder_next(unwinder));
	assert_int_equal(ic_unwinder_end(unwinder), IC_UNWIND_NO_ADVANCE);
	ic_unwind_register_set(&registers, LR, 0xcd00000000000000 | (BIAS + ONE + 4));
	registers.pc = BIAS + TWO + 8;
	ic_unwinder_begin(unwinder, &registers);
	assert_non_null(ic_unwinder_next(unwinder));
	frame = ic_unwinder_next(unwinder);
	assert_non_null(frame);
	assert_int_equal(frame->registers.pc, BIAS + ONE + 4);
	ic_unwinder_free(unwinder);
	world_close(&world);
}

TEST(registers_of_s390x_are_saved_in_others)
{
	enum { R11 = 11, R15 = 15, F0 = 16, F2 = 17 };
	struct ic_unwind_registers registers = { .pc = BIAS + ONE + 8 };
	struct sframe_builder builder = {
		.version = 2, .abi = S390, .addr = FRAMES, .big_endian = true
	};
	const struct ic_unwind_frame *frame;
	struct world world;
	uint64_t value;

	sframe_add_fde(&builder, (struct sframe_fde){ .start = ONE, .size = 0x100 });
	sframe_add_row(&builder, (struct sframe_row){ .is_from_sp = true,
						      .count = 3,
						      .words = { 2, F0 << 1 | 1, F2 << 1 | 1 } });
	open_other_world(&world, &builder, EM_S390);
	struct ic_unwinder *unwinder = world_unwinder(&world, 0);
	ic_unwind_register_set(&registers, R15, STACK);
	ic_unwind_register_set(&registers, F0, BIAS + TWO + 8);
	ic_unwind_register_set(&registers, F2, 7);
	ic_unwinder_begin(unwinder, &registers);
	assert_non_null(ic_unwinder_next(unwinder));
	frame = ic_unwinder_next(unwinder);
	assert_non_null(frame);
	assert_int_equal(frame->registers.pc, BIAS + TWO + 8);
	assert_true(ic_unwind_register_get(&frame->registers, R15, &value));
	assert_int_equal(value, STACK + 16);
	assert_true(ic_unwind_register_get(&frame->registers, R11, &value));
	assert_int_equal(value, 7);
	ic_unwinder_free(unwinder);
	world_close(&world);
}

UNIT_TESTS(unwind_tables_sframe)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sframe_is_searched_if_other_sections_do_not_have_the_address),
		cmocka_unit_test(a_wrong_order_hides_no_function),
		cmocka_unit_test(rules_are_those_of_call_frame_information),
		cmocka_unit_test(fdes_have_what_cies_describe),
		cmocka_unit_test(the_stack_pointer_of_s390x_is_below_the_cfa),
		cmocka_unit_test(an_unreadable_header_is_a_problem),
		cmocka_unit_test(an_fde_that_cannot_be_read_is_a_problem),
		cmocka_unit_test(a_row_that_cannot_be_read_is_a_problem),
		cmocka_unit_test(bytes_that_are_not_read_are_a_problem),
		cmocka_unit_test(fdes_without_room_are_a_problem),
		cmocka_unit_test(a_listing_has_a_limit),
		cmocka_unit_test(rows_without_code_count_for_the_limit),
		cmocka_unit_test(a_stack_is_unwound_by_sframe_only),
		cmocka_unit_test(signatures_are_removed_from_return_addresses),
		cmocka_unit_test(registers_of_s390x_are_saved_in_others),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
