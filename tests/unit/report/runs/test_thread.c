// Rows of threads, of a core that is made up: its code is in no file.
#include "unit_test.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/report.h>
#include <inlinecall/extra/rows.h>
#include <inlinecall/extra/target.h>

#include "core_builder.h"
#include "fixtures/elf.h"

enum { CODE = 0x1000, STACK = 0x7000, STATUS_SIZE = 336 };

struct core {
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

// A core in a file of that name, whose code is at `code`.
static struct core open_core(struct ic_modules *modules, const char *name, uint64_t code)
{
	struct byte_buffer stack = { .data = NULL }, process = { .data = NULL };
	struct core_segment segments[] = { { code, 0x100, { NULL, 0 }, PF_R | PF_X },
					   { STACK, 0, { NULL, 0 }, PF_R } };
	struct core_file file = { .machine = EM_X86_64, .segments = segments, .segment_count = 2 };
	struct core core;

	byte_buffer_put(&stack, STACK + 16, 8); // the chain of frame pointers
	byte_buffer_put(&stack, code + 0x20, 8);
	byte_buffer_put(&stack, 0, 8);
	byte_buffer_put(&stack, 0, 8);
	segments[1].bytes = byte_buffer_view(&stack);
	segments[1].size = stack.size;
	byte_buffer_fill(&process, 0, 136);
	byte_buffer_patch(&process, 24, 77, 4);
	memcpy(process.data + 40, "na\"me", 5);
	core_add_note(&file, "CORE", NT_PRPSINFO, byte_buffer_view(&process));
	add_thread(&file, 78, code + 0x10, STACK, 11);
	add_thread(&file, 79, code + 0x30, 0, 0);
	add_thread(&file, 80, code + 0x10, STACK, 11);
	struct byte_buffer bytes = core_build(&file);
	temp_write(temp_path(name), bytes.data, bytes.size);
	core.target = ic_target_open_core(modules, temp_path(name), NULL, NULL);
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
}

// Leaves only the names of files in the directory.
static void strip_dir(char *text)
{
	size_t size = strlen(temp_dir) + 1;

	while ((text = strstr(text, temp_dir)))
		memmove(text, text + size, strlen(text + size) + 1);
}

static void check_all(const struct core *cores, size_t count, bool group,
		      enum ic_report_format format, const char *wanted)
{
	const struct ic_report_options options = { .format = format };
	const struct ic_backtraces *list[2];
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct ic_report *report = ic_report_new(IC_ROWS_THREADS, &options, out, NULL);

	for (size_t i = 0; i < count; i++)
		list[i] = cores[i].backtraces;
	struct ic_rows *rows = ic_rows_of_backtraces(list, count, group, NULL, NULL);
	assert_true(out && report && rows);
	assert_true(ic_report_rows(report, rows));
	assert_true(ic_report_end(report, NULL));
	ic_rows_free(rows);
	ic_report_free(report);
	fclose(out);
	strip_dir(text);
	assert_string_equal(text, wanted);
	free(text);
}

static void check(bool group, enum ic_report_format format, const char *wanted)
{
	struct ic_modules *modules = ic_modules_new(NULL, NULL);
	struct core core = open_core(modules, "core", CODE);

	check_all(&core, 1, group, format, wanted);
	close_core(&core);
	ic_modules_free(modules);
}

#define ZERO "the return address is 0: the stack starts here or is overwritten"
#define FIRST                                                      \
	"#0   0x0000000000001010 ?\?()\n"                          \
	"#1   0x0000000000001020 ?\?() (found by frame pointer)\n" \
	"     no more frames: " ZERO "\n"
#define SECOND                            \
	"thread 79 (na\"me)\n"            \
	"#0   0x0000000000001030 ?\?()\n" \
	"     no more frames: no call frame information for 0x1030\n"

// The rows of a kernel's dump whose processors ran programs, without the kernel's file.
static void check_kernel(bool group, enum ic_report_format format, const char *wanted)
{
	static const char info[] = "OSRELEASE=6.1.0\n";
	struct core_file file = { .machine = EM_X86_64 };
	struct ic_modules *modules = ic_modules_new(NULL, NULL);
	struct core core;

	for (uint32_t pid = 0; pid < 2; pid++) {
		struct byte_buffer status = { .data = NULL };

		byte_buffer_fill(&status, 0, STATUS_SIZE);
		byte_buffer_patch(&status, 32, 7 * pid, 4);
		byte_buffer_patch(&status, 112 + 16 * 8, CODE, 8);
		byte_buffer_patch(&status, 112 + 17 * 8, 0x33, 8); // the code segment
		core_add_note(&file, "CORE", NT_PRSTATUS, byte_buffer_view(&status));
		byte_buffer_deinit(&status);
	}
	core_add_note(&file, "VMCOREINFO", 0,
		      (struct bytes){ (const uint8_t *)info, sizeof(info) - 1 });
	struct byte_buffer bytes = core_build(&file);
	temp_write(temp_path("vmcore"), bytes.data, bytes.size);
	byte_buffer_deinit(&bytes);
	core.target = ic_target_open_core(modules, temp_path("vmcore"), NULL, NULL);
	core.backtraces = ic_backtraces_make(core.target, NULL, NULL);
	assert_non_null(core.backtraces);
	check_all(&core, 1, group, format, wanted);
	close_core(&core);
	ic_modules_free(modules);
}

TEST(processors_have_headings_of_their_own)
{
	static const char stack[] = "#0   0x0000000000001000 ?\?() in [user mode]";

	char wanted[256];
	snprintf(wanted, sizeof(wanted), "cpu 0\n%s\n\ncpu 1, process 7\n%s\n", stack, stack);
	check_kernel(false, IC_REPORT_TEXT, wanted);
	snprintf(wanted, sizeof(wanted), "cpu 0 1, 2 cpus\n%s\n", stack);
	check_kernel(true, IC_REPORT_TEXT, wanted);
}

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
	      "{\"type\":\"thread\",\"core\":\"core\",\"pid\":77,\"tid\":78,\"name\":\"na\\\"me\","
	      "\"goroutine\":null,\"state\":null,\"signal\":11,"
	      "\"frames\":[{\"address\":\"0x1010\",\"module\":null,\"function\":null,"
	      "\"linkage_name\":null,\"offset\":null,\"file\":null,\"line\":0,\"column\":0,"
	      "\"inlined\":false,\"found\":\"given\",\"signal\":false,\"callee\":null,\"jit\":"
	      "false},"
	      "{\"address\":\"0x1020\",\"module\":null,\"function\":null,"
	      "\"linkage_name\":null,\"offset\":null,\"file\":null,\"line\":0,\"column\":0,"
	      "\"inlined\":false,\"found\":\"frame_pointer\",\"signal\":false,\"callee\":null,"
	      "\"jit\":false}],"
	      "\"end\":\"" ZERO
	      "\",\"others\":[{\"core\":\"core\",\"tid\":80,\"goroutine\":null}]}\n"
	      "{\"type\":\"thread\",\"core\":\"core\",\"pid\":77,\"tid\":79,\"name\":\"na\\\"me\","
	      "\"goroutine\":null,\"state\":null,\"signal\":null,"
	      "\"frames\":[{\"address\":\"0x1030\",\"module\":null,\"function\":null,"
	      "\"linkage_name\":null,\"offset\":null,\"file\":null,\"line\":0,\"column\":0,"
	      "\"inlined\":false,\"found\":\"given\",\"signal\":false,\"callee\":null,\"jit\":"
	      "false}],"
	      "\"end\":\"no call frame information for 0x1030\",\"others\":[]}\n");
}

TEST(a_table_has_a_line_for_each_frame)
{
	check(true, IC_REPORT_CSV,
	      "type,core,pid,tid,name,goroutine,state,signal,frame,address,module,function,linkage_"
	      "name,offset,"
	      "source,"
	      "line,column,inlined,found,callee,jit,end\n"
	      "thread,core,77,78,\"na\"\"me\",,,11,0,0x1010,,,,,,,,false,given,,false," ZERO "\n"
	      "thread,core,77,78,\"na\"\"me\",,,11,1,0x1020,,,,,,,,false,frame_pointer,,false," ZERO
	      "\n"
	      "thread,core,77,79,\"na\"\"me\",,,,0,0x1030,,,,,,,,false,given,,false,"
	      "no call frame information for 0x1030\n");
}

#define GROUPS                                               \
	"thread 78 (na\"me), signal 11 SIGSEGV, 4 threads\n" \
	"     core: 78 80\n"                                 \
	"     other: 78 80\n" FIRST "\n"                     \
	"thread 79 (na\"me), 2 threads\n"                    \
	"     core: 79\n"                                    \
	"     other: 79\n"                                   \
	"#0   0x0000000000001030 ?\?()\n"                    \
	"     no more frames: no call frame information for 0x1030\n"

TEST(threads_of_several_cores_with_the_same_stack_are_printed_once)
{
	struct ic_modules *modules = ic_modules_new(NULL, NULL);
	struct core cores[] = { open_core(modules, "core", CODE),
				open_core(modules, "other", CODE) };
	uint8_t byte;

	check_all(cores, 2, true, IC_REPORT_TEXT, GROUPS);
	// Rows need nothing of the memory.
	for (size_t i = 0; i < 2; i++) {
		assert_true(ic_target_read_memory(cores[i].target, STACK, &byte, 1));
		ic_target_close_memory(cores[i].target);
		assert_false(ic_target_read_memory(cores[i].target, STACK, &byte, 1));
	}
	check_all(cores, 2, true, IC_REPORT_TEXT, GROUPS);
	close_core(&cores[0]);
	close_core(&cores[1]);
	ic_modules_free(modules);
}

TEST(code_in_no_file_is_the_same_only_at_the_same_address)
{
	struct ic_modules *modules = ic_modules_new(NULL, NULL);
	struct core cores[] = { open_core(modules, "core", CODE),
				open_core(modules, "other", CODE + 0x1000) };

	check_all(cores, 2, true, IC_REPORT_TEXT,
		  "thread 78 (na\"me), signal 11 SIGSEGV, 2 threads\n"
		  "     core: 78 80\n" FIRST "\n"
		  "thread 79 (na\"me)\n"
		  "     core: 79\n"
		  "#0   0x0000000000001030 ?\?()\n"
		  "     no more frames: no call frame information for 0x1030\n\n"
		  "thread 78 (na\"me), signal 11 SIGSEGV, 2 threads\n"
		  "     other: 78 80\n"
		  "#0   0x0000000000002010 ?\?()\n"
		  "#1   0x0000000000002020 ?\?() (found by frame pointer)\n"
		  "     no more frames: " ZERO "\n"
		  "\n"
		  "thread 79 (na\"me)\n"
		  "     other: 79\n"
		  "#0   0x0000000000002030 ?\?()\n"
		  "     no more frames: no call frame information for 0x2030\n");
	close_core(&cores[0]);
	close_core(&cores[1]);
	ic_modules_free(modules);
}

UNIT_TESTS(report_runs_thread)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processors_have_headings_of_their_own),
		cmocka_unit_test(a_thread_has_a_heading_its_frames_and_why_there_are_no_more),
		cmocka_unit_test(threads_with_the_same_stack_are_printed_once),
		cmocka_unit_test(an_object_has_the_keys_that_are_promised),
		cmocka_unit_test(a_table_has_a_line_for_each_frame),
		cmocka_unit_test(threads_of_several_cores_with_the_same_stack_are_printed_once),
		cmocka_unit_test(code_in_no_file_is_the_same_only_at_the_same_address),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
