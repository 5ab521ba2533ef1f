// The rows of lib/report/runs/call_frame.c and call_frame_item_row.c, and how they are written.
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/report.h>

#include "alloc_meter.h"
#include "cfi_builder.h"
#include "dwarf/frames/instruction.h"
#include "fixtures/elf.h"

struct subject {
	struct ic_image *image;
	struct ic_call_frames *frames;
	struct ic_symbolizer *symbolizer;
};

// A function from 0x1000 to 0x1010 in two rows, and code of none that a signal interrupts.
static void begin(struct subject *subject)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct cfi_builder eh = { .is_eh = true, .addr_size = 8 };

	cfi_add_cie(&eh,
		    (struct cfi_cie){
			    .augmentation = "zPL",
			    .return_reg = 16,
			    .data = CFI(DW_EH_PE_indirect | DW_EH_PE_udata2, 1, 2, DW_EH_PE_udata2),
			    .instructions = CFI(DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1) });
	cfi_add_fde(&eh, (struct cfi_fde){ .start = 0x1000,
					   .size = 0x10,
					   .has_data = true,
					   .data = CFI(3, 4),
					   .instructions = CFI(DW_CFA_advance_loc | 4,
							       DW_CFA_def_cfa_offset, 16,
							       DW_CFA_register, 3, 1) });
	size_t cie = cfi_add_cie(&eh, (struct cfi_cie){ .augmentation = "zS", .return_reg = 200 });
	cfi_add_fde(&eh, (struct cfi_fde){ .cie = cie,
					   .start = 0x1080,
					   .size = 8,
					   .has_data = true,
					   .instructions = CFI(DW_CFA_same_value, 0xac, 2) });
	cfi_add_terminator(&eh);
	elf_add_code(elf, ".text", 0x1000, 0x100);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "_Z1fv",
						 .section = ".text",
						 .value = 0x1000,
						 .size = 0x10,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
	elf_add_section(elf, (struct elf_section){ .name = ".eh_frame",
						   .flags = SHF_ALLOC,
						   .addr = 0x40000,
						   .bytes = byte_buffer_view(&eh.bytes) });
	cfi_builder_deinit(&eh);
	subject->image = ic_image_open(elf_end_at(elf, "a.out"), &options, NULL);
	assert_non_null(subject->image);
	subject->frames = ic_call_frames_open(subject->image, NULL);
	subject->symbolizer = ic_symbolizer_new(subject->image, NULL, NULL);
	assert_true(subject->frames && subject->symbolizer);
}

static void end(struct subject *subject)
{
	ic_symbolizer_free(subject->symbolizer);
	ic_call_frames_free(subject->frames);
	ic_image_free(subject->image);
}

static struct ic_rows *rows_try(const struct subject *subject, enum ic_rows_kind kind,
				const struct ic_range *range, bool demangle, struct ic_error *err)
{
	const struct ic_row_options options = { .file = "a", .demangle = demangle };

	return kind == IC_ROWS_CALL_FRAMES
		       ? ic_rows_of_call_frames(subject->frames, subject->symbolizer, range,
						&options, err)
		       : ic_rows_of_call_frame_items(subject->frames, subject->symbolizer, range,
						     &options, err);
}

static struct ic_rows *rows_of(const struct subject *subject, enum ic_rows_kind kind,
			       const struct ic_range *range, bool demangle)
{
	struct ic_rows *rows = rows_try(subject, kind, range, demangle, NULL);

	assert_non_null(rows);
	return rows;
}

static void check(enum ic_rows_kind kind, enum ic_report_format format, const char *wanted)
{
	const struct ic_report_options options = { .format = format };
	struct subject subject;
	struct ic_row row;
	char *text = NULL;
	size_t size = 0;

	begin(&subject);
	FILE *out = open_memstream(&text, &size);
	struct ic_report *report = ic_report_new(kind, &options, out, NULL);
	struct ic_rows *rows = rows_of(&subject, kind, NULL, true);
	assert_true(ic_rows_next(rows, &row, NULL)); // one by one, and the rest at once
	assert_true(ic_report_row(report, &row));
	assert_true(ic_report_rows(report, rows));
	assert_true(ic_report_end(report, NULL));
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
	ic_rows_free(rows);
	ic_report_free(report);
	end(&subject);
}

TEST(rows_are_below_a_heading_for_each_fde)
{
	check(IC_ROWS_CALL_FRAMES, IC_REPORT_TEXT,
	      "f()\t.eh_frame+0x1a\n"
	      "  0x1000-0x1004\tCFA=%rsp+8 %rip=[CFA-8]\n"
	      "  0x1004-0x1010\tCFA=%rsp+16 %rbx=%rdx %rip=[CFA-8]\n"
	      "??\t.eh_frame+0x4b\tsignal frame\n"
	      "  0x1080-0x1088\tCFA=undefined reg300=same\n");
}

TEST(rows_are_objects_of_json)
{
	check(IC_ROWS_CALL_FRAMES, IC_REPORT_JSON,
	      "{\"type\":\"call_frame\",\"file\":\"a\",\"function\":\"f()\","
	      "\"start\":\"0x1000\",\"end\":\"0x1004\",\"section\":null,"
	      "\"cfa\":{\"kind\":\"register\",\"text\":\"%rsp+8\",\"from\":\"rsp\","
	      "\"offset\":8},\"registers\":[{\"register\":\"rip\",\"number\":16,"
	      "\"kind\":\"memory\",\"text\":\"[CFA-8]\",\"from\":null,"
	      "\"offset\":-8}],\"return_register\":\"rip\",\"signal\":false,"
	      "\"table\":\".eh_frame\",\"fde\":\"0x1a\"}\n"
	      "{\"type\":\"call_frame\",\"file\":\"a\",\"function\":\"f()\","
	      "\"start\":\"0x1004\",\"end\":\"0x1010\",\"section\":null,"
	      "\"cfa\":{\"kind\":\"register\",\"text\":\"%rsp+16\",\"from\":\"rsp\","
	      "\"offset\":16},\"registers\":[{\"register\":\"rbx\",\"number\":3,"
	      "\"kind\":\"register\",\"text\":\"%rdx\",\"from\":\"rdx\","
	      "\"offset\":null},{\"register\":\"rip\",\"number\":16,"
	      "\"kind\":\"memory\",\"text\":\"[CFA-8]\",\"from\":null,"
	      "\"offset\":-8}],\"return_register\":\"rip\",\"signal\":false,"
	      "\"table\":\".eh_frame\",\"fde\":\"0x1a\"}\n"
	      "{\"type\":\"call_frame\",\"file\":\"a\",\"function\":null,"
	      "\"start\":\"0x1080\",\"end\":\"0x1088\",\"section\":null,"
	      "\"cfa\":{\"kind\":\"undefined\",\"text\":\"undefined\",\"from\":null,"
	      "\"offset\":null},\"registers\":[{\"register\":\"reg300\","
	      "\"number\":300,\"kind\":\"same\",\"text\":\"same\",\"from\":null,"
	      "\"offset\":null}],\"return_register\":\"reg200\",\"signal\":true,"
	      "\"table\":\".eh_frame\",\"fde\":\"0x4b\"}\n");
}

TEST(rows_are_lines_of_csv)
{
	check(IC_ROWS_CALL_FRAMES, IC_REPORT_CSV,
	      "type,file,function,start,end,section,cfa,registers,return_register,"
	      "signal,table,fde\n"
	      "call_frame,a,f(),0x1000,0x1004,,%rsp+8,%rip=[CFA-8],rip,false,"
	      ".eh_frame,0x1a\n"
	      "call_frame,a,f(),0x1004,0x1010,,%rsp+16,%rbx=%rdx %rip=[CFA-8],rip,"
	      "false,.eh_frame,0x1a\n"
	      "call_frame,a,,0x1080,0x1088,,undefined,reg300=same,reg200,true,"
	      ".eh_frame,0x4b\n");
}

TEST(items_are_lines_of_text)
{
	check(IC_ROWS_CALL_FRAME_ITEMS, IC_REPORT_TEXT,
	      ".eh_frame+0x0\tCIE\tversion=1 augmentation=\"zPL\" code_align=1 data_align=-8 "
	      "return=rip personality=[0x201]\n"
	      "  DW_CFA_def_cfa: %rsp +8\n"
	      "  DW_CFA_offset: %rip -8\n"
	      ".eh_frame+0x1a\tFDE\t0x1000-0x1010 f() cie=0x0 lsda=0x403\n"
	      "  DW_CFA_advance_loc: 4 to 0x1004\n"
	      "  DW_CFA_def_cfa_offset: +16\n"
	      "  DW_CFA_register: %rbx %rdx\n"
	      ".eh_frame+0x3b\tCIE\tversion=1 augmentation=\"zS\" code_align=1 data_align=-8 "
	      "return=reg200 signal\n"
	      ".eh_frame+0x4b\tFDE\t0x1080-0x1088 ?? cie=0x3b\n"
	      "  DW_CFA_same_value: reg300\n"
	      ".eh_frame+0x67\tterminator\n");
}

TEST(items_are_objects_of_json)
{
	check(IC_ROWS_CALL_FRAME_ITEMS, IC_REPORT_JSON,
	      "{\"type\":\"cie\",\"file\":\"a\",\"table\":\".eh_frame\","
	      "\"offset\":\"0x0\",\"size\":26,\"version\":1,\"augmentation\":\"zPL\","
	      "\"code_align\":1,\"data_align\":-8,\"return_register\":\"rip\","
	      "\"personality\":\"[0x201]\",\"signal\":false}\n"
	      "{\"type\":\"instruction\",\"file\":\"a\",\"table\":\".eh_frame\","
	      "\"offset\":\"0x15\",\"text\":\"DW_CFA_def_cfa: %rsp +8\"}\n"
	      "{\"type\":\"instruction\",\"file\":\"a\",\"table\":\".eh_frame\","
	      "\"offset\":\"0x18\",\"text\":\"DW_CFA_offset: %rip -8\"}\n"
	      "{\"type\":\"fde\",\"file\":\"a\",\"table\":\".eh_frame\","
	      "\"offset\":\"0x1a\",\"size\":33,\"function\":\"f()\","
	      "\"start\":\"0x1000\",\"end\":\"0x1010\",\"section\":null,"
	      "\"cie\":\"0x0\",\"lsda\":\"0x403\"}\n"
	      "{\"type\":\"instruction\",\"file\":\"a\",\"table\":\".eh_frame\","
	      "\"offset\":\"0x35\",\"text\":\"DW_CFA_advance_loc: 4 to 0x1004\"}\n"
	      "{\"type\":\"instruction\",\"file\":\"a\",\"table\":\".eh_frame\","
	      "\"offset\":\"0x36\",\"text\":\"DW_CFA_def_cfa_offset: +16\"}\n"
	      "{\"type\":\"instruction\",\"file\":\"a\",\"table\":\".eh_frame\","
	      "\"offset\":\"0x38\",\"text\":\"DW_CFA_register: %rbx %rdx\"}\n"
	      "{\"type\":\"cie\",\"file\":\"a\",\"table\":\".eh_frame\","
	      "\"offset\":\"0x3b\",\"size\":16,\"version\":1,\"augmentation\":\"zS\","
	      "\"code_align\":1,\"data_align\":-8,\"return_register\":\"reg200\","
	      "\"personality\":null,\"signal\":true}\n"
	      "{\"type\":\"fde\",\"file\":\"a\",\"table\":\".eh_frame\","
	      "\"offset\":\"0x4b\",\"size\":28,\"function\":null,"
	      "\"start\":\"0x1080\",\"end\":\"0x1088\",\"section\":null,"
	      "\"cie\":\"0x3b\",\"lsda\":null}\n"
	      "{\"type\":\"instruction\",\"file\":\"a\",\"table\":\".eh_frame\","
	      "\"offset\":\"0x64\",\"text\":\"DW_CFA_same_value: reg300\"}\n"
	      "{\"type\":\"terminator\",\"file\":\"a\",\"table\":\".eh_frame\","
	      "\"offset\":\"0x67\",\"size\":4}\n");
}

TEST(only_rows_that_overlap_a_range_are_given)
{
	const struct ic_range range = { 0x1004, 0x1005 };
	struct subject subject;
	struct ic_row row;

	begin(&subject);
	struct ic_rows *rows = rows_of(&subject, IC_ROWS_CALL_FRAMES, &range, false);
	assert_true(ic_rows_next(rows, &row, NULL));
	assert_int_equal(row.call_frame->start, 0x1004);
	assert_string_equal(row.call_frame->function, "_Z1fv");
	assert_null(row.call_frame_item);
	assert_false(ic_rows_next(rows, &row, NULL));
	ic_rows_free(rows);
	end(&subject);
}

TEST(a_range_without_information_has_no_rows)
{
	const struct ic_range range = { 0x2000, 0x2001 };
	struct subject subject;
	struct ic_row row;

	begin(&subject);
	for (unsigned kind = IC_ROWS_CALL_FRAMES; kind <= IC_ROWS_CALL_FRAME_ITEMS; kind++) {
		struct ic_rows *rows = rows_of(&subject, (enum ic_rows_kind)kind, &range, false);
		assert_false(ic_rows_next(rows, &row, NULL));
		ic_rows_free(rows);
	}
	end(&subject);
}

// All rows while allocation number `fail_at` fails. How many rows there were; 0 if they failed.
static size_t count_failing(const struct subject *subject, enum ic_rows_kind kind, uint64_t fail_at,
			    uint64_t *allocations)
{
	struct ic_error err = { .code = IC_ERROR_NONE };
	struct ic_row row;
	size_t count = 0, live = alloc_meter_live();

	alloc_meter_start(fail_at, false);
	struct ic_rows *rows = rows_try(subject, kind, NULL, true, &err);
	while (rows && ic_rows_next(rows, &row, &err))
		count++;
	*allocations = alloc_meter_calls();
	alloc_meter_stop();
	ic_rows_free(rows);
	assert_int_equal(alloc_meter_live(), live);
	if (err.code == IC_ERROR_NONE)
		return count;
	assert_error(&err, IC_ERROR_MEMORY, "out of memory");
	return 0;
}

TEST(any_allocation_of_rows_may_fail)
{
	struct subject subject;
	struct ic_row row;
	uint64_t allocations, unused;

	begin(&subject);
	for (unsigned kind = IC_ROWS_CALL_FRAMES; kind <= IC_ROWS_CALL_FRAME_ITEMS; kind++) {
		enum ic_rows_kind of = (enum ic_rows_kind)kind;
		size_t failed = 0;

		struct ic_rows *rows = rows_of(&subject, of, NULL, true);
		while (ic_rows_next(rows, &row, NULL)) // the symbolizer keeps what it has read
			;
		ic_rows_free(rows);
		size_t all = count_failing(&subject, of, 0, &allocations);
		assert_in_range(allocations, 2, 200);
		for (uint64_t i = 1; i <= allocations; i++) {
			size_t count = count_failing(&subject, of, i, &unused);

			failed += count == 0;
			assert_true(count == 0 || count == all);
		}
		assert_in_range(failed, 2, allocations);
	}
	end(&subject);
}

UNIT_TESTS(report_runs_call_frame)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_below_a_heading_for_each_fde),
		cmocka_unit_test(rows_are_objects_of_json),
		cmocka_unit_test(rows_are_lines_of_csv),
		cmocka_unit_test(items_are_lines_of_text),
		cmocka_unit_test(items_are_objects_of_json),
		cmocka_unit_test(only_rows_that_overlap_a_range_are_given),
		cmocka_unit_test(a_range_without_information_has_no_rows),
		cmocka_unit_test(any_allocation_of_rows_may_fail),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
