// Rows of threads, of a core that is made up: its code is in no file.
#include "unit_test.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/report.h>
#include <inlinecall/rows.h>

#include "core_builder.h"
#include "elf_fixture.h"

enum { CODE = 0x1000, STACK = 0x7000, STATUS_SIZE = 336 };

struct core {
	struct ic_modules *modules;
	struct ic_target *target;
	struct ic_backtraces *backtraces;
};

static void add_thread(struct core_file *core, uint32_t tid, uint64_t pc, uint64_t fp,
		       uint8_t signal)
{
	struct byte_buffer status = { .data = NULL };

	byte_buffer_fill(&status, 0, STATUS_SIZE);
	byte_buffer_patch(&status, 12, signal, 2);
	byte_buffer_patch(&status, 32, tid, 4);
	byte_buffer_patch(&status, 112 + 4 * 8, fp, 8);
	byte_buffer_patch(&status, 112 + 16 * 8, pc, 8);
	byte_buffer_patch(&status, 112 + 19 * 8, STACK, 8);
	core_add_note(core, "CORE", NT_PRSTATUS, byte_buffer_view(&status));
	byte_buffer_deinit(&status);
}

static struct core open_core(void)
{
	struct byte_buffer stack = { .data = NULL }, process = { .data = NULL };
	struct core_segment segments[] = { { CODE, 0x100, { NULL, 0 }, PF_R | PF_X },
					   { STACK, 0, { NULL, 0 }, PF_R } };
	struct core_file file = { .machine = EM_X86_64, .segments = segments, .segment_count = 2 };
	struct core core = { .modules = ic_modules_new(NULL, NULL) };

	byte_buffer_put(&stack, STACK + 16, 8); // the chain of frame pointers
	byte_buffer_put(&stack, CODE + 0x20, 8);
	byte_buffer_put(&stack, 0, 8);
	byte_buffer_put(&stack, 0, 8);
	segments[1].bytes = byte_buffer_view(&stack);
	segments[1].size = stack.size;
	byte_buffer_fill(&process, 0, 136);
	byte_buffer_patch(&process, 24, 77, 4);
	memcpy(process.data + 40, "na\"me", 5);
	core_add_note(&file, "CORE", NT_PRPSINFO, byte_buffer_view(&process));
	add_thread(&file, 78, CODE + 0x10, STACK, 11);
	add_thread(&file, 79, CODE + 0x30, 0, 0);
	add_thread(&file, 80, CODE + 0x10, STACK, 11);
	struct byte_buffer bytes = core_build(&file);
	temp_write(temp_path("core"), bytes.data, bytes.size);
	core.target = ic_target_open_core(core.modules, temp_path("core"), NULL, NULL);
	assert_non_null(core.target);
	core.backtraces = ic_backtraces_make(core.target, NULL, NULL);
	assert_non_null(core.backtraces);
	byte_buffer_deinit(&bytes);
	byte_buffer_deinit(&stack);
	byte_buffer_deinit(&process);
	return core;
}

static void close_core(struct core *core)
{
	ic_backtraces_free(core->backtraces);
	ic_target_free(core->target);
	ic_modules_free(core->modules);
}

static void check(bool group, enum ic_report_format format, const char *wanted)
{
	const struct ic_report_options options = { .format = format };
	struct core core = open_core();
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct ic_report *report = ic_report_new(IC_ROWS_THREADS, &options, out, NULL);
	struct ic_rows *rows = ic_rows_of_backtraces(core.backtraces, group, NULL, NULL);

	assert_true(out && report && rows);
	assert_true(ic_report_rows(report, rows));
	assert_true(ic_report_end(report, NULL));
	ic_rows_free(rows);
	ic_report_free(report);
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
	close_core(&core);
}

#define FIRST                             \
	"#0   0x0000000000001010 ?\?()\n" \
	"#1   0x0000000000001020 ?\?() (found by the frame pointer)\n"
#define SECOND                            \
	"thread 79 (na\"me)\n"            \
	"#0   0x0000000000001030 ?\?()\n" \
	"     no more frames: no call frame information for 0x1030\n"

TEST(a_thread_has_a_heading_its_frames_and_why_there_are_no_more)
{
	check(false, IC_REPORT_TEXT,
	      "thread 78 (na\"me), signal 11 SIGSEGV\n" FIRST "\n" SECOND
	      "\nthread 80 (na\"me)\n" FIRST);
}

TEST(threads_with_the_same_stack_are_printed_once)
{
	check(true, IC_REPORT_TEXT,
	      "thread 78 80 (na\"me), signal 11 SIGSEGV, 2 threads\n" FIRST "\n" SECOND);
}

TEST(an_object_has_the_keys_that_are_promised)
{
	check(true, IC_REPORT_JSON,
	      "{\"type\":\"thread\",\"pid\":77,\"tid\":78,\"name\":\"na\\\"me\",\"signal\":11,"
	      "\"frames\":[{\"address\":\"0x1010\",\"module\":null,\"function\":null,"
	      "\"linkage_name\":null,\"offset\":null,\"file\":null,\"line\":0,\"column\":0,"
	      "\"inlined\":false,\"found\":\"given\",\"signal\":false},"
	      "{\"address\":\"0x1020\",\"module\":null,\"function\":null,"
	      "\"linkage_name\":null,\"offset\":null,\"file\":null,\"line\":0,\"column\":0,"
	      "\"inlined\":false,\"found\":\"frame_pointer\",\"signal\":false}],"
	      "\"end\":\"outermost frame\",\"others\":[{\"tid\":80}]}\n"
	      "{\"type\":\"thread\",\"pid\":77,\"tid\":79,\"name\":\"na\\\"me\",\"signal\":null,"
	      "\"frames\":[{\"address\":\"0x1030\",\"module\":null,\"function\":null,"
	      "\"linkage_name\":null,\"offset\":null,\"file\":null,\"line\":0,\"column\":0,"
	      "\"inlined\":false,\"found\":\"given\",\"signal\":false}],"
	      "\"end\":\"no call frame information for 0x1030\",\"others\":[]}\n");
}

TEST(a_table_has_a_line_for_each_frame)
{
	check(true, IC_REPORT_CSV,
	      "type,pid,tid,name,signal,frame,address,module,function,linkage_name,offset,source,"
	      "line,column,inlined,found,end\n"
	      "thread,77,78,\"na\"\"me\",11,0,0x1010,,,,,,,,false,given,outermost frame\n"
	      "thread,77,78,\"na\"\"me\",11,1,0x1020,,,,,,,,false,frame_pointer,outermost frame\n"
	      "thread,77,79,\"na\"\"me\",,0,0x1030,,,,,,,,false,given,"
	      "no call frame information for 0x1030\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_has_a_heading_its_frames_and_why_there_are_no_more),
		cmocka_unit_test(threads_with_the_same_stack_are_printed_once),
		cmocka_unit_test(an_object_has_the_keys_that_are_promised),
		cmocka_unit_test(a_table_has_a_line_for_each_frame),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
