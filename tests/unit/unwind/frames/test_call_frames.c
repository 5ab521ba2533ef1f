#include "unwind/frames/call_frames.h"

#include "unit_test.h"

#include <stdio.h>

#include "cfi_builder.h"
#include "dwarf/frames/instruction.h"
#include "fixtures/elf.h"

// Call frames of a file, with a reader.
struct subject {
	struct ic_image *image;
	struct ic_call_frames *frames;
	struct ic_call_frame_reader *reader;
};

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
	assert_true(ic_call_frames_list(subject->frames, &err));
	subject->reader = ic_call_frame_reader_new(subject->frames, &err);
	assert_non_null(subject->reader);
}

static void end(struct subject *subject)
{
	ic_call_frame_reader_free(subject->reader);
	ic_call_frames_free(subject->frames);
	ic_image_free(subject->image);
}

static void add_section(struct elf_builder *elf, struct cfi_builder *cfi)
{
	elf_add_section(elf,
			(struct elf_section){ .name = cfi->is_eh ? ".eh_frame" : ".debug_frame",
					      .flags = cfi->is_eh ? SHF_ALLOC : 0,
					      .addr = cfi->is_eh ? 0x40000 : 0,
					      .bytes = byte_buffer_view(&cfi->bytes) });
	cfi_builder_deinit(cfi);
}

static const struct cfi_cie plain_cie = { .return_reg = 16 };

// .eh_frame has f at 0x1000 and h at 0x3000, .debug_frame f and g at 0x2000. The rows of f are told
// apart by their offset.
static struct elf_builder *example(void)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct cfi_builder eh = { .is_eh = true, .addr_size = 8 }, debug = { .addr_size = 8 };

	cfi_add_cie(&eh, (struct cfi_cie){ .augmentation = "zS", .return_reg = 16 });
	cfi_add_fde(&eh, (struct cfi_fde){ .start = 0x3000, .size = 0x10, .has_data = true });
	cfi_add_fde(&eh, (struct cfi_fde){ .start = 0x1000,
					   .size = 0x10,
					   .has_data = true,
					   .instructions = CFI(DW_CFA_def_cfa, 7, 8,
							       DW_CFA_advance_loc | 4,
							       DW_CFA_def_cfa_offset, 16) });
	cfi_add_terminator(&eh);
	cfi_add_cie(&debug, plain_cie);
	cfi_add_fde(&debug, (struct cfi_fde){ .start = 0x1000,
					      .size = 0x20,
					      .instructions = CFI(DW_CFA_def_cfa, 7, 32) });
	cfi_add_fde(&debug, (struct cfi_fde){ .start = 0x2000, .size = 0x10 });
	add_section(elf, &eh);
	add_section(elf, &debug);
	return elf;
}

TEST(fdes_are_those_of_both_sections)
{
	static const struct {
		uint64_t start;
		const char *section;
	} wanted[] = {
		{ 0x1000, ".eh_frame" },
		{ 0x3000, ".eh_frame" },
		{ 0x1000, ".debug_frame" },
		{ 0x2000, ".debug_frame" },
	};
	struct ic_call_frame_entry entry;
	struct ic_index_problem problem;
	struct subject subject;

	open_file(&subject, example());
	assert_int_equal(ic_call_frames_machine(subject.frames), EM_X86_64);
	assert_int_equal(ic_call_frames_count(subject.frames), COUNT_OF(wanted));
	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		assert_true(ic_call_frames_get(subject.frames, i, &entry));
		assert_int_equal(entry.range.start, wanted[i].start);
		assert_string_equal(entry.section, wanted[i].section);
		assert_int_equal(entry.return_reg, 16);
		assert_int_equal(entry.is_signal, i < 2);
		assert_false(entry.has_b_key);
	}
	assert_false(ic_call_frames_get(subject.frames, COUNT_OF(wanted), &entry));
	assert_false(ic_call_frames_problem_get(subject.frames, 0, &problem));
	end(&subject);
}

TEST(an_address_is_looked_for_in_eh_frame_first)
{
	struct subject subject;
	size_t number;

	open_file(&subject, example());
	assert_true(ic_call_frames_find(subject.frames, 0x100f, &number));
	assert_int_equal(number, 0);
	assert_true(ic_call_frames_find(subject.frames, 0x1010, &number));
	assert_int_equal(number, 2);
	assert_true(ic_call_frames_find(subject.frames, 0x2000, &number));
	assert_int_equal(number, 3);
	assert_false(ic_call_frames_find(subject.frames, 0x2010, &number));
	end(&subject);
}

TEST(all_fdes_for_some_code_are_found_one_by_one)
{
	const struct ic_range code = { 0x100f, 0x2001 };
	struct subject subject;
	size_t number = 0;

	open_file(&subject, example());
	assert_true(ic_call_frames_next(subject.frames, code, &number));
	assert_int_equal(number++, 0);
	assert_true(ic_call_frames_next(subject.frames, code, &number));
	assert_int_equal(number++, 2);
	assert_true(ic_call_frames_next(subject.frames, code, &number));
	assert_int_equal(number++, 3);
	assert_false(ic_call_frames_next(subject.frames, code, &number));
	end(&subject);
}

TEST(a_reader_gives_one_row_after_another)
{
	struct ic_call_frame_row row;
	struct subject subject;
	struct ic_error err;

	open_file(&subject, example());
	assert_false(ic_call_frame_reader_next(subject.reader, &row, &err)); // nothing is begun
	assert_int_equal(err.code, IC_ERROR_NONE);
	assert_true(ic_call_frame_reader_begin(subject.reader, 0, &err));
	assert_true(ic_call_frame_reader_next(subject.reader, &row, &err));
	assert_int_equal(row.range.end, 0x1004);
	assert_string_equal(ic_call_frame_reader_text(subject.reader, &row.cfa, true), "%rsp+8");
	assert_true(ic_call_frame_reader_next(subject.reader, &row, NULL));
	assert_int_equal(row.range.end, 0x1010);
	assert_string_equal(ic_call_frame_reader_text(subject.reader, &row.cfa, true), "%rsp+16");
	assert_false(ic_call_frame_reader_next(subject.reader, &row, &err));
	assert_int_equal(err.code, IC_ERROR_NONE);
	assert_false(ic_call_frame_reader_begin(subject.reader, 4, &err));
	assert_error(&err, IC_ERROR_ARGUMENT, "no FDE number 4");
	end(&subject);
}

TEST(a_reader_finds_the_row_for_an_address)
{
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;
	struct subject subject;
	struct ic_error err;

	open_file(&subject, example());
	assert_true(ic_call_frame_reader_find(subject.reader, 0x1003, &entry, &row, &err));
	assert_int_equal(row.cfa.at.offset, 8);
	assert_true(ic_call_frame_reader_find(subject.reader, 0x1004, &entry, &row, &err));
	assert_int_equal(row.cfa.at.offset, 16);
	assert_string_equal(entry.section, ".eh_frame");
	assert_true(ic_call_frame_reader_find(subject.reader, 0x1010, &entry, &row, NULL));
	assert_int_equal(row.cfa.at.offset, 32);
	assert_string_equal(entry.section, ".debug_frame");
	assert_false(ic_call_frame_reader_find(subject.reader, 0x4000, &entry, &row, &err));
	assert_error(&err, IC_ERROR_NOT_FOUND, "no call frame information for 0x4000");
	end(&subject);
}

// A problem of the call frames, and that there is no other.
static void check_problem(struct subject *subject, const char *message)
{
	struct ic_index_problem problem;

	assert_true(ic_call_frames_problem_get(subject->frames, 0, &problem));
	assert_string_equal(problem.message, message);
	assert_null(problem.file);
	assert_false(ic_call_frames_problem_get(subject->frames, 1, &problem));
}

TEST(a_fault_in_instructions_is_a_problem)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct cfi_builder eh = { .is_eh = true, .addr_size = 8 };
	struct ic_call_frame_entry entry;
	struct ic_index_problem none;
	struct ic_call_frame_row row;
	struct subject subject;
	struct ic_error err;

	cfi_add_cie(&eh, plain_cie);
	cfi_add_fde(&eh, (struct cfi_fde){ .start = 0x1000,
					   .size = 0x10,
					   .instructions = CFI(DW_CFA_advance_loc | 4, 0x3f) });
	add_section(elf, &eh);
	open_file(&subject, elf);
	assert_true(ic_call_frame_reader_find(subject.reader, 0x1003, &entry, &row, &err));
	assert_false(ic_call_frames_problem_get(subject.frames, 0, &none));
	assert_false(ic_call_frame_reader_find(subject.reader, 0x1004, &entry, &row, &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".eh_frame+0x26: unknown instruction");
	check_problem(&subject, ".eh_frame+0x26: unknown instruction (for .eh_frame+0xd)");
	end(&subject);
}

TEST(a_malformed_expression_is_a_problem_and_has_a_mark)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct cfi_builder eh = { .is_eh = true, .addr_size = 8 };
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;
	struct subject subject;

	cfi_add_cie(&eh, plain_cie);
	cfi_add_fde(&eh, (struct cfi_fde){ .start = 0x1000,
					   .size = 0x10,
					   .instructions = CFI(DW_CFA_expression, 3, 1, 1) });
	add_section(elf, &eh);
	open_file(&subject, elf);
	assert_true(ic_call_frame_reader_find(subject.reader, 0x1000, &entry, &row, NULL));
	assert_string_equal(ic_call_frame_reader_text(subject.reader, row.rules, false),
			    "[<unknown operation> 01]");
	check_problem(&subject, ".eh_frame+0x28: unknown operation (for .eh_frame+0xd)");
	end(&subject);
}

TEST(a_fault_in_a_cie_is_told_when_its_fde_is_read)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct cfi_builder eh = { .is_eh = true, .addr_size = 8 };
	struct ic_call_frame_row row;
	struct subject subject;
	struct ic_error err;

	cfi_add_cie(&eh, (struct cfi_cie){ .instructions = CFI(0x3f) });
	cfi_add_fde(&eh, (struct cfi_fde){ .start = 0x1000, .size = 0x10 });
	add_section(elf, &eh);
	open_file(&subject, elf);
	assert_false(ic_call_frame_reader_begin(subject.reader, 0, &err));
	check_problem(&subject, ".eh_frame+0xd: unknown instruction (for .eh_frame+0xe)");
	assert_false(ic_call_frame_reader_next(subject.reader, &row, &err));
	assert_int_equal(err.code, IC_ERROR_MALFORMED);
	end(&subject);
}

static void check_none(struct elf_builder *elf, const char *message)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct ic_image *image = ic_image_open(elf_end_at(elf, "none"), &options, NULL);
	char whole[4096];
	struct ic_error err;

	assert_non_null(image);
	assert_null(ic_call_frames_open(image, &err));
	snprintf(whole, sizeof(whole), "%s: %s", ic_image_path(image), message);
	assert_error(&err, IC_ERROR_NOT_FOUND, whole);
	assert_null(ic_call_frames_open(image, NULL));
	ic_image_free(image);
}

TEST(a_file_without_any_is_refused)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x100);
	check_none(elf, "no call frame information: no .eh_frame, .debug_frame or .sframe");
	elf = elf_builder_new(
		(struct elf_format){ .bits = 32, .machine = EM_ARM, .type = ET_EXEC });
	elf_add_section(elf, (struct elf_section){ .name = ".ARM.exidx", .bytes = CFI(1, 2) });
	check_none(elf, "call frames are in .ARM.exidx, which is not supported, and there is no "
			".debug_frame");
}

TEST(addresses_of_a_relocatable_file_count_from_where_its_sections_are_laid_out)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	struct cfi_builder eh = { .is_eh = true, .addr_size = 8 };
	struct ic_call_frame_entry entry;
	struct subject subject;

	cfi_add_cie(&eh, (struct cfi_cie){ .augmentation = "zR",
					   .data = CFI(DW_EH_PE_pcrel | DW_EH_PE_sdata4) });
	cfi_begin(&eh);
	cfi_put_cie_pointer(&eh, 0);
	const struct section_reloc reloc = { .off = eh.bytes.size,
					     .size = 4,
					     .type = R_X86_64_PC32,
					     .target = ".text",
					     .addend = 8 };
	byte_buffer_put(&eh.bytes, 0, 4);
	byte_buffer_put(&eh.bytes, 0x10, 4);
	byte_buffer_uleb(&eh.bytes, 0);
	cfi_end(&eh);
	elf_add_code(elf, ".text", 0, 0x40);
	add_section(elf, &eh);
	elf_add_relocs(elf, ".eh_frame", &reloc, 1);
	open_file(&subject, elf);
	const struct ic_section *text = ic_elf_file_section(&subject.image->file, ".text");
	assert_true(ic_call_frames_get(subject.frames, 0, &entry));
	assert_true(text->addr != 0);
	assert_int_equal(entry.range.start, text->addr + 8);
	assert_int_equal(entry.range.end, text->addr + 0x18);
	end(&subject);
}

TEST(registers_of_32_bit_power_have_two_numberings)
{
	const struct ic_call_frame_entry eh = { .section = ".eh_frame" },
					 debug = { .section = ".debug_frame" };
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 32, .big_endian = true, .machine = EM_PPC, .type = ET_EXEC });
	struct cfi_builder cfi = { .is_eh = true, .addr_size = 4, .bytes.big_endian = true };
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;
	struct subject subject;

	cfi_add_cie(&cfi, (struct cfi_cie){ .return_reg = 65 });
	cfi_add_fde(&cfi, (struct cfi_fde){ .start = 0x1000,
					    .size = 0x10,
					    .instructions = CFI(DW_CFA_register, 65, 65) });
	add_section(elf, &cfi);
	open_file(&subject, elf);
	assert_string_equal(ic_call_frame_register_name(subject.frames, &eh, 65), "lr");
	assert_string_equal(ic_call_frame_register_name(subject.frames, &debug, 108), "lr");
	assert_true(ic_call_frame_reader_find(subject.reader, 0x1000, &entry, &row, NULL));
	assert_string_equal(ic_call_frame_reader_text(subject.reader, row.rules, false), "lr");
	end(&subject);
}

// ---- Entries and instructions

// All items of some code, or of all of it, one a line.
static void check_items(struct subject *subject, const struct ic_range *range, const char *wanted)
{
	static const char *const kinds[] = { "CIE", "FDE", "end", "" };
	struct ic_call_frame_items *items = ic_call_frame_items_open(subject->frames, range, NULL);
	struct ic_call_frame_item item;
	struct ic_error err;
	char text[2048] = "";
	size_t size = 0;

	assert_non_null(items);
	while (ic_call_frame_items_next(items, &item, &err))
		size += (size_t)snprintf(text + size, sizeof(text) - size, "%s %s+%zx %s\n",
					 kinds[item.kind], item.section, (size_t)item.off,
					 item.text ? item.text : "");
	assert_int_equal(err.code, IC_ERROR_NONE);
	assert_false(ic_call_frame_items_next(items, &item, NULL));
	assert_string_equal(text, wanted);
	ic_call_frame_items_free(items);
}

TEST(items_are_those_of_the_file_in_their_order)
{
	struct subject subject;

	open_file(&subject, example());
	check_items(&subject, NULL,
		    "CIE .eh_frame+0 \n"
		    "FDE .eh_frame+10 \n"
		    "FDE .eh_frame+29 \n"
		    " .eh_frame+42 DW_CFA_def_cfa: %rsp +8\n"
		    " .eh_frame+45 DW_CFA_advance_loc: 4 to 0x1004\n"
		    " .eh_frame+46 DW_CFA_def_cfa_offset: +16\n"
		    "end .eh_frame+48 \n"
		    "CIE .debug_frame+0 \n"
		    "FDE .debug_frame+d \n"
		    " .debug_frame+25 DW_CFA_def_cfa: %rsp +32\n"
		    "FDE .debug_frame+28 \n");
	end(&subject);
}

TEST(items_of_some_code_are_its_fdes_with_their_cies)
{
	const struct ic_range code = { 0x1000, 0x2001 };
	struct subject subject;

	open_file(&subject, example());
	check_items(&subject, &code,
		    "CIE .eh_frame+0 \n"
		    "FDE .eh_frame+29 \n"
		    " .eh_frame+42 DW_CFA_def_cfa: %rsp +8\n"
		    " .eh_frame+45 DW_CFA_advance_loc: 4 to 0x1004\n"
		    " .eh_frame+46 DW_CFA_def_cfa_offset: +16\n"
		    "CIE .debug_frame+0 \n"
		    "FDE .debug_frame+d \n"
		    " .debug_frame+25 DW_CFA_def_cfa: %rsp +32\n"
		    "FDE .debug_frame+28 \n");
	end(&subject);
}

TEST(an_item_has_what_its_entry_has)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct cfi_builder eh = { .is_eh = true, .addr_size = 8 };
	struct ic_call_frame_item item;
	struct subject subject;

	cfi_add_cie(&eh, (struct cfi_cie){ .augmentation = "zPLS",
					   .code_align = 2,
					   .return_reg = 16,
					   .data = CFI(DW_EH_PE_indirect | DW_EH_PE_udata2, 1, 2,
						       DW_EH_PE_udata2) });
	cfi_add_fde(&eh, (struct cfi_fde){
				 .start = 0x1000, .size = 8, .has_data = true, .data = CFI(3, 4) });
	add_section(elf, &eh);
	open_file(&subject, elf);
	struct ic_call_frame_items *items = ic_call_frame_items_open(subject.frames, NULL, NULL);
	assert_true(ic_call_frame_items_next(items, &item, NULL));
	assert_int_equal(item.kind, IC_CALL_FRAME_CIE);
	assert_int_equal(item.size, 0x16);
	assert_int_equal(item.version, 1);
	assert_string_equal(item.augmentation, "zPLS");
	assert_int_equal(item.code_align, 2);
	assert_int_equal(item.data_align, -8);
	assert_int_equal(item.return_reg, 16);
	assert_true(item.is_signal);
	assert_true(item.personality.is_given && item.personality.is_indirect);
	assert_int_equal(item.personality.value, 0x201);
	assert_true(ic_call_frame_items_next(items, &item, NULL));
	assert_int_equal(item.kind, IC_CALL_FRAME_FDE);
	assert_int_equal(item.cie_off, 0);
	assert_int_equal(item.range.start, 0x1000);
	assert_int_equal(item.range.end, 0x1008);
	assert_true(item.lsda.is_given && !item.lsda.is_indirect);
	assert_int_equal(item.lsda.value, 0x403);
	ic_call_frame_items_free(items);
	end(&subject);
}

TEST(items_skip_what_cannot_be_read)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct cfi_builder eh = { .is_eh = true, .addr_size = 8 };
	struct subject subject;

	cfi_add_cie(&eh, plain_cie);
	cfi_begin(&eh);
	byte_buffer_put(&eh.bytes, 0x1000, 4); // counted back from here
	cfi_end(&eh);
	cfi_add_fde(&eh,
		    (struct cfi_fde){ .start = 0x1000, .size = 8, .instructions = CFI(0, 0x3f) });
	cfi_add_terminator(&eh);
	add_section(elf, &eh);
	open_file(&subject, elf);
	check_problem(&subject, ".eh_frame+0x15: CIE pointer is before the start of the section "
				"(for .eh_frame+0xd)");
	check_items(&subject, NULL,
		    "CIE .eh_frame+0 \n"
		    "FDE .eh_frame+15 \n"
		    " .eh_frame+2d DW_CFA_nop\n"
		    "end .eh_frame+2f \n");
	end(&subject);
}

TEST(nothing_is_closed_without_harm)
{
	ic_call_frames_free(NULL);
	ic_call_frame_reader_free(NULL);
	ic_call_frame_items_free(NULL);
}

UNIT_TESTS(unwind_frames_call_frames)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fdes_are_those_of_both_sections),
		cmocka_unit_test(an_address_is_looked_for_in_eh_frame_first),
		cmocka_unit_test(all_fdes_for_some_code_are_found_one_by_one),
		cmocka_unit_test(a_reader_gives_one_row_after_another),
		cmocka_unit_test(a_reader_finds_the_row_for_an_address),
		cmocka_unit_test(a_fault_in_instructions_is_a_problem),
		cmocka_unit_test(a_malformed_expression_is_a_problem_and_has_a_mark),
		cmocka_unit_test(a_fault_in_a_cie_is_told_when_its_fde_is_read),
		cmocka_unit_test(a_file_without_any_is_refused),
		cmocka_unit_test(
			addresses_of_a_relocatable_file_count_from_where_its_sections_are_laid_out),
		cmocka_unit_test(registers_of_32_bit_power_have_two_numberings),
		cmocka_unit_test(items_are_those_of_the_file_in_their_order),
		cmocka_unit_test(items_of_some_code_are_its_fdes_with_their_cies),
		cmocka_unit_test(an_item_has_what_its_entry_has),
		cmocka_unit_test(items_skip_what_cannot_be_read),
		cmocka_unit_test(nothing_is_closed_without_harm),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
