// Targets: cores that are made up, and this process's children.
#include "unit_test.h"

#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inlinecall/backtrace.h>
#include <inlinecall/extra/target.h>
#include <inlinecall/image.h>

#include "core_builder.h"
#include "fixtures/elf.h"

enum { FILE_START = 0x400000, CODE = 0x1000, STACK = 0x7000, STATUS_SIZE = 336 };

static const uint8_t its_id[4] = { 1, 2, 3, 4 };

static struct ic_modules *new_modules(void)
{
	const struct ic_modules_options options = { .image.allow_no_debug = true };
	struct ic_modules *modules = ic_modules_new(&options, NULL);

	assert_non_null(modules);
	return modules;
}

static const char *write_program(const char *name, const uint8_t *id, size_t id_size)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_DYN, .segments = true });

	elf_add_code(elf, ".text", CODE, 0x1000);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "f",
						 .section = ".text",
						 .value = CODE,
						 .size = 0x100,
						 .type = STT_FUNC });
	elf_add_build_id(elf, 0, id, id_size);
	return elf_end_at(elf, name);
}

// The status of a thread whose code is at `pc`.
static void add_thread(struct core_file *core, uint32_t tid, uint64_t pc)
{
	struct byte_buffer status = { .data = NULL };

	byte_buffer_fill(&status, 0, STATUS_SIZE);
	byte_buffer_patch(&status, 12, 11, 2);
	byte_buffer_patch(&status, 32, tid, 4);
	byte_buffer_patch(&status, 112 + 16 * 8, pc, 8);
	byte_buffer_patch(&status, 112 + 19 * 8, STACK, 8);
	core_add_note(core, "CORE", NT_PRSTATUS, byte_buffer_view(&status));
	byte_buffer_deinit(&status);
}

// Where the code of a file is in it.
static uint64_t code_offset(const char *path)
{
	struct ic_image *image =
		ic_image_open(path, &(struct ic_image_options){ .allow_no_debug = true }, NULL);
	uint64_t off;

	assert_non_null(image);
	assert_true(ic_image_offset_of_addr(image, CODE, &off));
	ic_image_free(image);
	return off;
}

static struct ic_target *open_core(struct ic_modules *modules, struct core_file *core,
				   const struct ic_target_core_options *options)
{
	struct byte_buffer bytes = core_build(core);
	const char *path = temp_path("core");
	struct ic_error err;

	temp_write(path, bytes.data, bytes.size);
	byte_buffer_deinit(&bytes);
	struct ic_target *target = ic_target_open_core(modules, path, options, &err);
	if (!target)
		fail_msg("%s", err.message);
	return target;
}

static bool has_problem(struct ic_target *target, const char *words)
{
	struct ic_index_problem problem;

	for (size_t i = 0; ic_target_problem_get(target, i, &problem); i++)
		if (strstr(problem.message, words))
			return true;
	return false;
}

TEST(a_core_has_its_threads_and_says_what_it_lacks)
{
	const struct core_segment stack = {
		STACK, 8, { (const uint8_t *)"\0\0\0\0\0\0\0", 8 }, PF_R
	};
	struct core_file core = { .machine = EM_X86_64, .segments = &stack, .segment_count = 1 };
	struct ic_modules *modules = new_modules();
	struct ic_target_thread thread;
	uint64_t word = 1;

	add_thread(&core, 7, 0x1234);
	add_thread(&core, 8, 0x5678);
	struct ic_target *target = open_core(modules, &core, NULL);
	assert_true(ic_target_thread_get(target, 0, &thread));
	assert_true(thread.tid == 7 && thread.signal == 11 && thread.registers.pc == 0x1234);
	assert_true(ic_target_thread_get(target, 1, &thread) && thread.tid == 8);
	assert_false(ic_target_thread_get(target, 2, &thread));
	assert_true(ic_target_read_memory(target, STACK, &word, 8) && word == 0);
	assert_false(ic_target_read_memory(target, STACK + 1, &word, 8));
	assert_true(has_problem(target, "no list of mapped files (NT_FILE)"));
	assert_int_equal(ic_target_stop_time(target), 0);
	ic_target_free(target);
	core = (struct core_file){ .machine = EM_X86_64 };
	target = open_core(modules, &core, NULL);
	assert_true(has_problem(target, "no thread: it has no NT_PRSTATUS note"));
	ic_target_free(target);
	ic_target_free(NULL);
	ic_modules_free(modules);
}

TEST(a_status_of_another_size_is_a_problem)
{
	struct core_file core = { .machine = EM_X86_64 };
	struct ic_modules *modules = new_modules();

	core_add_note(&core, "CORE", NT_PRSTATUS, (struct bytes){ its_id, 4 });
	struct ic_target *target = open_core(modules, &core, NULL);
	assert_true(has_problem(target, "expected a thread status of 336 bytes, found 4"));
	ic_target_free(target);
	ic_modules_free(modules);
}

// A core of one thread in a program, of which the first page is there.
static struct core_file begin_mapped(const char *path, const char *named,
				     struct core_segment *segment)
{
	static uint8_t page[0x4000];
	FILE *file = fopen(path, "rb");
	struct core_file core = { .machine = EM_X86_64, .segments = segment, .segment_count = 1 };

	assert_non_null(file);
	size_t size = fread(page, 1, sizeof(page), file);
	fclose(file);
	*segment = (struct core_segment){ FILE_START, sizeof(page), { page, size }, PF_R };
	struct byte_buffer note = { .data = NULL };
	uint64_t off = code_offset(path) & ~0xfffull;
	byte_buffer_put(&note, 2, 8);
	byte_buffer_put(&note, 1, 8);
	byte_buffer_put(&note, FILE_START, 8);
	byte_buffer_put(&note, FILE_START + sizeof(page), 8);
	byte_buffer_put(&note, 0, 8);
	byte_buffer_put(&note, FILE_START + 0x10000, 8);
	byte_buffer_put(&note, FILE_START + 0x12000, 8);
	byte_buffer_put(&note, off, 8);
	byte_buffer_string(&note, named);
	byte_buffer_string(&note, named);
	core_add_note(&core, "CORE", NT_FILE, byte_buffer_view(&note));
	byte_buffer_deinit(&note);
	add_thread(&core, 7, FILE_START + 0x10000 + (code_offset(path) - off) + 0x10);
	return core;
}

static const char *first_symbol(struct ic_target *target)
{
	struct ic_backtrace_thread thread;
	struct ic_backtraces *backtraces = ic_backtraces_make(target, NULL, NULL);
	static char text[64];

	assert_non_null(backtraces);
	assert_true(ic_backtraces_get(backtraces, 0, &thread));
	assert_true(thread.frame_count > 0);
	snprintf(text, sizeof(text), "%s", thread.frames[0].symbol ? thread.frames[0].symbol : "-");
	ic_backtraces_free(backtraces);
	return text;
}

TEST(a_file_with_another_build_id_is_not_used)
{
	const char *path = write_program("program", its_id, sizeof(its_id));
	struct ic_modules *modules = new_modules();
	struct core_segment segment;
	struct core_file core = begin_mapped(path, path, &segment);
	struct ic_target *target = open_core(modules, &core, NULL);

	assert_string_equal(first_symbol(target), "f");
	ic_target_free(target);
	core = begin_mapped(path, path, &segment); // it has the build ID of the file as it was
	write_program("program", (const uint8_t *)"\7\7\7\7", 4);
	ic_modules_free(modules);
	modules = new_modules();
	target = open_core(modules, &core, NULL);
	assert_string_equal(first_symbol(target), "-");
	assert_true(has_problem(target, "build ID"));
	ic_target_free(target);
	ic_modules_free(modules);
}

TEST(files_are_looked_for_below_the_sysroot)
{
	const char *path = write_program("root/usr/program", its_id, sizeof(its_id));
	struct ic_modules *modules = new_modules();
	struct core_segment segment;
	struct core_file core = begin_mapped(path, "/usr/program", &segment);
	const struct ic_target_core_options options = { .sysroot = temp_path("root") };
	struct ic_target *target = open_core(modules, &core, &options);

	assert_string_equal(first_symbol(target), "f");
	ic_target_free(target);
	ic_modules_free(modules);
}

TEST(a_core_that_names_no_files_is_of_the_program_that_is_named)
{
	const char *path = write_program("alone", its_id, sizeof(its_id));
	const struct ic_target_core_options options = { .program = path };
	struct ic_modules *modules = new_modules();
	struct byte_buffer auxiliary = { .data = NULL };
	struct core_file core = { .machine = EM_X86_64 };

	byte_buffer_put(&auxiliary, 9, 8); // AT_ENTRY: the file's is 0
	byte_buffer_put(&auxiliary, FILE_START, 8);
	core_add_note(&core, "CORE", NT_AUXV, byte_buffer_view(&auxiliary));
	byte_buffer_deinit(&auxiliary);
	add_thread(&core, 7, FILE_START + CODE + 0x20);
	struct ic_target *target = open_core(modules, &core, &options);
	assert_string_equal(first_symbol(target), "f");
	assert_false(has_problem(target, ""));
	ic_target_free(target);
	core = (struct core_file){ .machine = EM_AARCH64 };
	target = open_core(modules, &core, &options);
	assert_true(has_problem(target, "is for a different machine than "));
	ic_target_free(target);
	ic_modules_free(modules);
}

static struct ic_target *open_with_note(struct ic_modules *modules, uint32_t type,
					const uint64_t *words, size_t count)
{
	struct core_file core = { .machine = EM_X86_64 };
	struct byte_buffer note = { .data = NULL };

	for (size_t i = 0; i < count; i++)
		byte_buffer_put(&note, words[i], 8);
	core_add_note(&core, "CORE", type, byte_buffer_view(&note));
	byte_buffer_deinit(&note);
	add_thread(&core, 7, CODE);
	return open_core(modules, &core, NULL);
}

TEST(notes_that_cannot_be_so_are_problems)
{
	enum { TEXT = 0x612f }; // "/a"
	static const uint64_t no_entry[] = { 0, 0, 0, 0 }, no_process[17], no_files[] = { 0, 0 },
			      fewer[] = { 1, 1, 0x1000, 0x2000, 0, TEXT, TEXT },
			      right[] = { 1, 1, 0x1000, 0x2000, 0, TEXT };
	struct ic_modules *modules = new_modules();
	struct ic_index_problem problem;

	struct ic_target *target = open_with_note(modules, NT_AUXV, no_entry, 4);
	assert_true(has_problem(target, "NT_AUXV) has no entry address of the program"));
	assert_true(ic_target_problem_get(target, 0, &problem) && problem.file); // the core
	ic_target_free(target);
	target = open_with_note(modules, NT_PRPSINFO, no_process, 17);
	assert_true(has_problem(target, "NT_PRPSINFO) has neither a PID nor a name"));
	ic_target_free(target);
	target = open_with_note(modules, NT_FILE, no_files, 2);
	assert_true(has_problem(target, "wrong number of mapped files"));
	ic_target_free(target);
	target = open_with_note(modules, NT_FILE, fewer, 7);
	assert_true(has_problem(target, "wrong number of mapped files"));
	ic_target_free(target);
	target = open_with_note(modules, NT_FILE, right, 6); // padded
	assert_false(has_problem(target, "wrong number of mapped files"));
	ic_target_free(target);
	ic_modules_free(modules);
}

TEST(what_is_no_core_or_of_no_known_machine_is_refused)
{
	struct ic_modules *modules = new_modules();
	struct core_file core = { .machine = EM_VAX, .is_32_bit = true };
	struct byte_buffer bytes = core_build(&core);
	const char *path = temp_path("core");
	struct ic_error err;

	temp_write(path, bytes.data, bytes.size);
	byte_buffer_deinit(&bytes);
	assert_null(ic_target_open_core(modules, path, NULL, &err));
	assert_int_equal(err.code, IC_ERROR_UNSUPPORTED);
	assert_null(ic_target_open_core(modules, "/nonexistent/core", NULL, &err));
	assert_int_equal(err.code, IC_ERROR_SYSTEM);
	assert_null(ic_target_open_core(modules, "/nonexistent/core", NULL, NULL));
	ic_modules_free(modules);
}

TEST(a_process_is_stopped_only_while_it_is_copied)
{
	struct ic_modules *modules = new_modules();
	struct ic_target_thread thread;
	struct ic_error err;
	int status;
	pid_t child = fork();

	if (child == 0)
		for (;;)
			pause();
	const struct ic_target_process_options other = { .tid = getpid() };
	struct ic_target *target = ic_target_copy_process(modules, child, NULL, &err);
	if (!target) { // ptrace is not allowed everywhere
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		print_message("[  SKIPPED ] %s\n", err.message);
		ic_modules_free(modules);
		skip();
	}
	assert_true(ic_target_thread_get(target, 0, &thread));
	assert_int_equal(thread.tid, child);
	assert_true(ic_target_stop_time(target) > 0);
	ic_target_free(target);
	assert_null(ic_target_copy_process(modules, child, &other, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_int_equal(waitpid(child, &status, WNOHANG), 0);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_null(ic_target_copy_process(modules, child, NULL, NULL));
	ic_modules_free(modules);
}

static bool read_own(void *context, uint64_t addr, void *bytes, size_t size)
{
	const uint64_t *word = context;

	if (addr != STACK || size != sizeof(*word))
		return false;
	memcpy(bytes, word, size);
	return true;
}

// What a profiler has: the registers and the stack of a sample, and what was mapped.
TEST(a_caller_may_have_the_registers_and_the_memory)
{
	struct ic_modules *modules = new_modules();
	const char *path = write_program("own", its_id, sizeof(its_id));
	uint64_t word = FILE_START + 0x20, found = 0;
	const struct ic_target_options options = { .machine = EM_X86_64,
						   .read_memory = read_own,
						   .context = &word };
	const struct ic_space_mapping mapping = { .start = FILE_START,
						  .end = FILE_START + 0x1000,
						  .offset = code_offset(path),
						  .path = path };
	struct ic_target *target = ic_target_new(modules, &options, NULL);
	struct ic_unwind_registers registers = { .pc = FILE_START + 0x10 };
	struct ic_unwind_options unwind;
	struct ic_target_thread thread;
	struct ic_error err;

	assert_non_null(target);
	assert_false(ic_target_thread_get(target, 0, &thread));
	assert_true(ic_space_add(ic_target_space(target), &mapping, NULL));
	assert_true(ic_target_read_memory(target, STACK, &found, 8) && found == word);
	assert_false(ic_target_read_memory(target, STACK + 8, &found, 8));
	ic_target_unwind_options(target, &unwind);
	struct ic_unwinder *unwinder = ic_unwinder_new(&unwind, NULL);
	assert_non_null(unwinder);
	ic_unwind_register_set(&registers, 7, STACK);
	ic_unwinder_begin(unwinder, &registers);
	const struct ic_unwind_frame *frame = ic_unwinder_next(unwinder);
	assert_true(frame && frame->registers.pc == FILE_START + 0x10);
	ic_unwinder_free(unwinder);
	ic_target_free(target);

	const struct ic_target_options unknown = { .machine = 0xffff };
	assert_null(ic_target_new(modules, &unknown, &err));
	assert_int_equal(err.code, IC_ERROR_UNSUPPORTED);
	ic_modules_free(modules);
}

UNIT_TESTS(unwind_targets_target)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_caller_may_have_the_registers_and_the_memory),
		cmocka_unit_test(a_core_has_its_threads_and_says_what_it_lacks),
		cmocka_unit_test(a_status_of_another_size_is_a_problem),
		cmocka_unit_test(a_file_with_another_build_id_is_not_used),
		cmocka_unit_test(files_are_looked_for_below_the_sysroot),
		cmocka_unit_test(a_core_that_names_no_files_is_of_the_program_that_is_named),
		cmocka_unit_test(notes_that_cannot_be_so_are_problems),
		cmocka_unit_test(what_is_no_core_or_of_no_known_machine_is_refused),
		cmocka_unit_test(a_process_is_stopped_only_while_it_is_copied),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
