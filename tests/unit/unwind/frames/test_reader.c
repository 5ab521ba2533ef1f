// How a reader finds an FDE by .eh_frame_hdr, and by reading all if that does not help.
// test_call_frames.c has the rows that it gives.
#include "unit_test.h"

#include <pthread.h>
#include <stdio.h>

#include "alloc_meter.h"
#include "cfi_builder.h"
#include "dwarf/frames/instruction.h"
#include "fixtures/elf.h"
#include "unwind/frames/call_frames.h"

enum { FRAMES = 0x40000, HEADER = 0x30000, FUNCTIONS = 4, THREADS = 4, MANY = 200 };

// Code with a gap before the third function. Each has its own CFA.
static const struct ic_range functions[FUNCTIONS] = {
	{ 0x1000, 0x1010 },
	{ 0x1010, 0x1020 },
	{ 0x1030, 0x1040 },
	{ 0x2000, 0x2010 },
};

struct example {
	const char *eh_name; // NULL for the usual one
	struct cfi_builder eh, debug;
	struct cfi_pair pairs[FUNCTIONS];
	size_t count; // of the pairs
	struct cfi_index index;
};

static uint64_t add(struct cfi_builder *cfi, size_t cie, struct ic_range code, uint8_t cfa)
{
	return FRAMES + cfi_add_fde(cfi, (struct cfi_fde){
						 .cie = cie,
						 .start = code.start,
						 .size = code.end - code.start,
						 .instructions = CFI(DW_CFA_def_cfa, 7, cfa),
					 });
}

// Every second function has another CIE.
static void begin(struct example *example)
{
	struct cfi_builder *eh = &example->eh;
	size_t cies[2];

	*example = (struct example){ .eh = { .is_eh = true, .addr_size = 8 },
				     .debug = { .addr_size = 8 },
				     .count = FUNCTIONS,
				     .index = { .addr = HEADER } };
	cies[0] = cfi_add_cie(eh, (struct cfi_cie){ .return_reg = 16,
						    .instructions = CFI(DW_CFA_same_value, 3) });
	cies[1] = cfi_add_cie(eh, (struct cfi_cie){ .return_reg = 15,
						    .instructions = CFI(DW_CFA_same_value, 6) });
	for (uint8_t i = 0; i < FUNCTIONS; i++)
		example->pairs[i] =
			(struct cfi_pair){ functions[i].start,
					   add(eh, cies[i % 2], functions[i], (uint8_t)(8 + i)) };
}

// Call frames of the example, with a reader.
struct subject {
	struct ic_image *image;
	struct ic_call_frames *frames;
	struct ic_call_frame_reader *reader;
};

static void open_file(struct subject *subject, struct elf_builder *elf)
{
	const struct ic_image_options options = { .allow_no_debug = true };

	subject->image = ic_image_open(elf_end_at(elf, "a.out"), &options, NULL);
	assert_non_null(subject->image);
	subject->frames = ic_call_frames_open(subject->image, NULL);
	assert_non_null(subject->frames);
	subject->reader = ic_call_frame_reader_new(subject->frames, NULL);
	assert_non_null(subject->reader);
}

static void end(struct subject *subject)
{
	ic_call_frame_reader_free(subject->reader);
	ic_call_frames_free(subject->frames);
	ic_image_free(subject->image);
}

static void add_frames(struct elf_builder *elf, struct example *example)
{
	elf_add_section(elf, (struct elf_section){ .name = example->eh_name ? example->eh_name
									    : ".eh_frame",
						   .flags = SHF_ALLOC,
						   .addr = FRAMES,
						   .bytes = byte_buffer_view(&example->eh.bytes) });
	if (example->debug.bytes.size > 0)
		elf_add_section(elf, (struct elf_section){
					     .name = ".debug_frame",
					     .bytes = byte_buffer_view(&example->debug.bytes) });
	cfi_builder_deinit(&example->eh);
	cfi_builder_deinit(&example->debug);
}

static void add_header(struct elf_builder *elf, struct bytes bytes)
{
	elf_add_section(elf, (struct elf_section){ .name = ".eh_frame_hdr",
						   .flags = SHF_ALLOC,
						   .addr = HEADER,
						   .bytes = bytes });
}

static void open_example(struct subject *subject, struct example *example)
{
	struct byte_buffer header = cfi_index_build(example->index, example->pairs, example->count);
	struct elf_builder *elf = elf_begin(ET_EXEC);

	add_frames(elf, example);
	add_header(elf, byte_buffer_view(&header));
	byte_buffer_deinit(&header);
	open_file(subject, elf);
}

// The offset of the CFA in the row for an address; 0 if there is none, -1 if that is wrong.
static int64_t cfa_at(struct ic_call_frame_reader *reader, uint64_t addr)
{
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;
	struct ic_error err;

	if (!ic_call_frame_reader_find(reader, addr, &entry, &row, &err))
		return err.code == IC_ERROR_NOT_FOUND ? 0 : -1;
	return row.range.start <= addr && addr < row.range.end &&
			       entry.range.start <= row.range.start &&
			       row.range.end <= entry.range.end
		       ? row.cfa.at.offset
		       : -1;
}

static void check_functions(struct subject *subject)
{
	for (int i = 0; i < FUNCTIONS; i++) {
		assert_int_equal(cfa_at(subject->reader, functions[i].start), 8 + i);
		assert_int_equal(cfa_at(subject->reader, functions[i].end - 1), 8 + i);
	}
}

// How many FDEs were listed: none as long as the index was enough.
static size_t listed(const struct subject *subject)
{
	return ic_call_frames_count(subject->frames);
}

static size_t count_problems(struct subject *subject)
{
	struct ic_index_problem problem;
	size_t count = 0;

	while (ic_call_frames_problem_get(subject->frames, count, &problem))
		count++;
	return count;
}

// ---- A good index

TEST(an_address_in_the_index_costs_one_fde)
{
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;
	struct example example;
	struct subject subject;

	begin(&example);
	open_example(&subject, &example);
	check_functions(&subject);
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		assert_true(ic_call_frame_reader_find(subject.reader, functions[i].start, &entry,
						      &row, NULL));
		assert_string_equal(entry.section, ".eh_frame");
		assert_int_equal(entry.off, example.pairs[i].fde_addr - FRAMES);
		assert_int_equal(entry.return_reg, i % 2 ? 15 : 16);
		assert_int_equal(row.rules[0].reg, i % 2 ? 6 : 3);
		assert_string_equal(
			ic_call_frame_reader_text(subject.reader, &row.cfa, true),
			((const char *[]){ "%rsp+8", "%rsp+9", "%rsp+10", "%rsp+11" })[i]);
	}
	assert_int_equal(listed(&subject), 0);
	assert_true(ic_call_frames_list(subject.frames, NULL));
	assert_int_equal(listed(&subject), FUNCTIONS);
	check_functions(&subject);
	end(&subject);
}

TEST(a_gap_in_the_code_has_all_fdes_read_once)
{
	struct example example;
	struct subject subject;

	begin(&example);
	cfi_begin(&example.eh);
	byte_buffer_put(&example.eh.bytes, 0x1000, 4); // the CIE would be before the section
	cfi_end(&example.eh);
	open_example(&subject, &example);
	check_functions(&subject);
	assert_int_equal(count_problems(&subject), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(cfa_at(subject.reader, 0x1020), 0);
		assert_int_equal(cfa_at(subject.reader, 0xfff), 0);
		assert_int_equal(cfa_at(subject.reader, 0x2010), 0);
		assert_int_equal(listed(&subject), FUNCTIONS);
		assert_int_equal(count_problems(&subject), 1);
	}
	end(&subject);
}

TEST(files_of_other_machines_have_an_index_too)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 32, .big_endian = true, .machine = EM_PPC, .type = ET_EXEC });
	struct example example = {
		.eh = { .is_eh = true, .addr_size = 4, .bytes.big_endian = true }
	};
	const struct cfi_index index = { .addr = HEADER, .addr_size = 4, .big_endian = true };
	struct subject subject;

	cfi_add_cie(&example.eh, (struct cfi_cie){ .return_reg = 65 });
	for (int i = 0; i < FUNCTIONS; i++)
		example.pairs[i] =
			(struct cfi_pair){ functions[i].start,
					   add(&example.eh, 0, functions[i], (uint8_t)(8 + i)) };
	add_frames(elf, &example);
	struct byte_buffer header = cfi_index_build(index, example.pairs, FUNCTIONS);
	add_header(elf, byte_buffer_view(&header));
	byte_buffer_deinit(&header);
	open_file(&subject, elf);
	check_functions(&subject);
	assert_int_equal(listed(&subject), 0);
	end(&subject);
}

// ---- What an index lacks, and damage

static void swap_pairs(struct example *example)
{
	struct cfi_pair first = example->pairs[0];

	example->pairs[0] = example->pairs[3];
	example->pairs[3] = first;
}

static void point_outside(struct example *example)
{
	example->pairs[0].fde_addr = FRAMES - 8;
	example->pairs[1].fde_addr = FRAMES + 0x10000;
	example->pairs[2].fde_addr = 0x7fffffff;
}

static void point_elsewhere(struct example *example)
{
	example->pairs[0].fde_addr = FRAMES;   // a CIE
	example->pairs[1].fde_addr += 4;       // in an FDE
	example->pairs[2] = example->pairs[3]; // another FDE
	example->pairs[2].start = functions[2].start;
}

static void begin_elsewhere(struct example *example)
{
	example->pairs[0].start += 4;
	example->pairs[2].start -= 8;
}

static void enlarge_count(struct example *example)
{
	example->index.more = 1;
}

static void leave_functions_out(struct example *example)
{
	example->pairs[0] = example->pairs[3];
	example->count = 1;
}

static void leave_all_out(struct example *example)
{
	example->count = 0;
}

static void encode_by_lengths(struct example *example)
{
	example->index.encoding = DW_EH_PE_uleb128;
}

// LLD keeps one FDE for each address, and that may be one of a function without code.
static void keep_the_empty_one(struct example *example)
{
	const struct ic_range empty = { functions[1].start, functions[1].start };

	example->pairs[1].fde_addr = add(&example->eh, 0, empty, 99);
}

static void damage_cie(struct example *example)
{
	example->eh.bytes.data[8] = 9; // the version of the first CIE
}

TEST(what_a_wrong_index_does_not_find_is_found_by_reading_all)
{
	void (*const damages[])(struct example *) = {
		swap_pairs,      point_outside,     point_elsewhere,
		begin_elsewhere, enlarge_count,     leave_functions_out,
		leave_all_out,   encode_by_lengths, keep_the_empty_one,
	};

	for (size_t i = 0; i < COUNT_OF(damages); i++) {
		struct example example;
		struct subject subject;

		begin(&example);
		damages[i](&example);
		open_example(&subject, &example);
		check_functions(&subject);
		assert_int_equal(listed(&subject), FUNCTIONS);
		assert_int_equal(cfa_at(subject.reader, 0x1020), 0);
		assert_int_equal(count_problems(&subject), 0); // nothing is missing
		end(&subject);
	}
}

TEST(what_cannot_be_read_is_reported_by_reading_all)
{
	struct example example;
	struct subject subject;

	begin(&example);
	damage_cie(&example);
	open_example(&subject, &example);
	assert_int_equal(cfa_at(subject.reader, functions[1].start), 9);
	assert_int_equal(count_problems(&subject), 0);
	assert_int_equal(cfa_at(subject.reader, functions[0].start), 0);
	assert_int_equal(count_problems(&subject), 1);
	end(&subject);
}

// The length of the third FDE is damaged: those after it are not listed.
TEST(the_index_is_asked_first_even_after_all_were_read)
{
	struct example example;
	struct subject subject;

	begin(&example);
	byte_buffer_patch(&example.eh.bytes, example.pairs[2].fde_addr - FRAMES, 0x7fffffff, 4);
	open_example(&subject, &example);
	assert_int_equal(cfa_at(subject.reader, functions[3].start), 11);
	assert_int_equal(cfa_at(subject.reader, functions[2].start), 0);
	assert_int_equal(listed(&subject), 2);
	assert_int_equal(count_problems(&subject), 1);
	assert_int_equal(cfa_at(subject.reader, functions[3].start), 11);
	end(&subject);
}

// Zeros are no entries, nor has a section any that was cut, or lost its content or its name.
TEST(what_is_in_the_index_alone_is_a_problem)
{
	for (unsigned how = 0; how < 4; how++) {
		static const char *const wanted[] = {
			".eh_frame+0x0: 2 entries can be read, but .eh_frame_hdr lists 4",
			".eh_frame+0xc: zeros instead of entries",
			".eh_frame+0x0: 0 entries can be read, but .eh_frame_hdr lists 4",
			"a.out: .eh_frame_hdr: the .eh_frame section is missing",
		};
		struct example example;
		struct subject subject;
		struct ic_index_problem problem;
		struct ic_error err;

		begin(&example);
		struct byte_buffer *bytes = &example.eh.bytes;
		memset(bytes->data, 0, how == 0 ? 0 : bytes->size);
		bytes->size = how == 0 ? example.pairs[2].fde_addr - FRAMES : how == 2 ? 0 : 64;
		struct byte_buffer header =
			cfi_index_build(example.index, example.pairs, example.count);
		struct elf_builder *elf = elf_begin(ET_EXEC);
		if (how == 3)
			example.eh_name = ".eh_other";
		add_frames(elf, &example);
		add_header(elf, byte_buffer_view(&header));
		byte_buffer_deinit(&header);
		if (how == 3) {
			const struct ic_image_options options = { .allow_no_debug = true };
			subject.image = ic_image_open(elf_end_at(elf, "a.out"), &options, NULL);
			assert_null(ic_call_frames_open(subject.image, &err));
			assert_int_equal(err.code, IC_ERROR_MALFORMED);
			assert_non_null(strstr(err.message, wanted[how]));
			ic_image_free(subject.image);
			continue;
		}
		open_file(&subject, elf);
		assert_true(ic_call_frames_list(subject.frames, NULL));
		assert_true(ic_call_frames_problem_get(subject.frames, 0, &problem));
		assert_string_equal(problem.message, wanted[how]);
		assert_int_equal(count_problems(&subject), 1);
		end(&subject);
	}
}

TEST(an_fde_that_overlaps_others_is_found_as_without_an_index)
{
	struct example example;
	struct subject subject;

	begin(&example);
	add(&example.eh, 0, (struct ic_range){ 0x800, 0x3000 }, 50);
	open_example(&subject, &example);
	check_functions(&subject);
	assert_int_equal(listed(&subject), 0);
	assert_int_equal(cfa_at(subject.reader, 0x1020), 50);
	assert_int_equal(cfa_at(subject.reader, 0x900), 50);
	check_functions(&subject);
	end(&subject);
}

TEST(debug_frame_is_for_what_eh_frame_does_not_have)
{
	const struct ic_range gap = { 0x1020, 0x1028 };
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;
	struct example example;
	struct subject subject;

	begin(&example);
	leave_functions_out(&example);
	cfi_add_cie(&example.debug, (struct cfi_cie){ .return_reg = 14 });
	add(&example.debug, 0, functions[0], 70);
	add(&example.debug, 0, gap, 71);
	open_example(&subject, &example);
	assert_int_equal(cfa_at(subject.reader, functions[0].start), 8);
	assert_int_equal(listed(&subject), FUNCTIONS); // .debug_frame was not needed
	assert_int_equal(cfa_at(subject.reader, gap.start), 71);
	assert_int_equal(listed(&subject), FUNCTIONS + 2);
	check_functions(&subject);
	assert_int_equal(cfa_at(subject.reader, functions[0].start), 8);
	assert_true(ic_call_frame_reader_find(subject.reader, gap.start, &entry, &row, NULL));
	assert_string_equal(entry.section, ".debug_frame");
	assert_int_equal(entry.return_reg, 14);
	end(&subject);
}

TEST(the_index_of_a_relocatable_file_is_not_used)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	struct byte_buffer header;
	struct example example;
	struct subject subject;

	begin(&example);
	header = cfi_index_build(example.index, example.pairs, example.count);
	add_frames(elf, &example);
	add_header(elf, byte_buffer_view(&header));
	byte_buffer_deinit(&header);
	open_file(&subject, elf);
	assert_int_equal(subject.frames->index.count, 0);
	check_functions(&subject);
	end(&subject);
}

TEST(a_header_without_bytes_is_none)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct example example;
	struct subject subject;

	begin(&example);
	add_frames(elf, &example);
	elf_add_nobits(elf, ".eh_frame_hdr", HEADER, 0x40, SHF_ALLOC);
	open_file(&subject, elf);
	check_functions(&subject);
	end(&subject);
}

// Each byte of the instructions has a row, and each row all rules: a few bytes would be many.
TEST(rules_of_a_listing_are_bounded)
{
	enum { ROWS = 40000, RULES = 60, MOST = (1 << 20) + 128 };
	static uint8_t rules[3 + 2 * RULES] = { DW_CFA_def_cfa, 7, 8 }, steps[ROWS];
	struct example example = { .eh = { .is_eh = true, .addr_size = 8 } };
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_call_frame_row row;
	struct subject subject;
	struct ic_error err;

	for (uint8_t i = 0; i < RULES; i++) {
		rules[3 + 2 * i] = DW_CFA_same_value;
		rules[4 + 2 * i] = i;
	}
	memset(steps, DW_CFA_advance_loc | 1, sizeof(steps));
	size_t cie = cfi_add_cie(
		&example.eh,
		(struct cfi_cie){ .return_reg = 16, .instructions = { rules, sizeof(rules) } });
	cfi_add_fde(&example.eh, (struct cfi_fde){ .cie = cie,
						   .start = 0x1000,
						   .size = ROWS + 1,
						   .instructions = { steps, sizeof(steps) } });
	add_frames(elf, &example);
	open_file(&subject, elf);
	assert_true(ic_call_frames_list(subject.frames, NULL));
	for (int round = 0; round < 2; round++) { // another listing is whole again
		size_t count = 0;
		assert_true(ic_call_frame_reader_begin(subject.reader, 0, &err));
		while (ic_call_frame_reader_next(subject.reader, &row, &err))
			count += row.rule_count + 1;
		assert_in_range(count, MOST - RULES - 1, MOST);
		assert_non_null(strstr(err.message, "too many rules for the number of entries"));
	}
	assert_int_equal(cfa_at(subject.reader, 0x1000 + ROWS), 8); // a question has no bound
	end(&subject);
}

// ---- Memory and threads

TEST(what_failed_for_want_of_memory_can_be_tried_again)
{
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;
	struct example example;
	struct subject subject;
	struct ic_error err;
	uint64_t failing = 1;

	begin(&example);
	leave_all_out(&example);
	for (uint64_t addr = 0x5000; addr < 0x5000 + MANY; addr++)
		add(&example.eh, 0, (struct ic_range){ addr, addr + 1 }, 80);
	open_example(&subject, &example);
	for (;; failing++) {
		alloc_meter_start(failing, false);
		bool ok = ic_call_frame_reader_find(subject.reader, 0x1000, &entry, &row, &err);
		alloc_meter_stop();
		if (ok)
			break;
		assert_int_equal(err.code, IC_ERROR_MEMORY);
		assert_int_equal(listed(&subject), 0);
	}
	assert_int_equal(listed(&subject), FUNCTIONS + MANY);
	check_functions(&subject);
	end(&subject);
}

static void *find_all(void *context)
{
	struct ic_call_frames *frames = context;
	struct ic_call_frame_reader *reader = ic_call_frame_reader_new(frames, NULL);
	bool ok = reader;

	for (int i = 0; ok && i < 20; i++) {
		ok = cfa_at(reader, functions[i % FUNCTIONS].start) == 8 + i % FUNCTIONS;
		if (i % 8 == 7)
			ok = ok && cfa_at(reader, 0x1020) == 0;
	}
	ic_call_frame_reader_free(reader);
	return ok ? context : NULL;
}

TEST(threads_may_read_while_one_lists)
{
	pthread_t threads[THREADS];
	struct example example;
	struct subject subject;
	void *result;

	begin(&example);
	open_example(&subject, &example);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, find_all, subject.frames), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &result), 0);
		assert_non_null(result);
	}
	end(&subject);
}

UNIT_TESTS(unwind_frames_reader)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_in_the_index_costs_one_fde),
		cmocka_unit_test(a_gap_in_the_code_has_all_fdes_read_once),
		cmocka_unit_test(files_of_other_machines_have_an_index_too),
		cmocka_unit_test(what_a_wrong_index_does_not_find_is_found_by_reading_all),
		cmocka_unit_test(what_cannot_be_read_is_reported_by_reading_all),
		cmocka_unit_test(the_index_is_asked_first_even_after_all_were_read),
		cmocka_unit_test(what_is_in_the_index_alone_is_a_problem),
		cmocka_unit_test(an_fde_that_overlaps_others_is_found_as_without_an_index),
		cmocka_unit_test(debug_frame_is_for_what_eh_frame_does_not_have),
		cmocka_unit_test(the_index_of_a_relocatable_file_is_not_used),
		cmocka_unit_test(a_header_without_bytes_is_none),
		cmocka_unit_test(rules_of_a_listing_are_bounded),
		cmocka_unit_test(what_failed_for_want_of_memory_can_be_tried_again),
		cmocka_unit_test(threads_may_read_while_one_lists),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
