// Dumps of kernels that are made up, with and without what QEMU and kdump note.
#include "unit_test.h"

#include <elf.h>
#include <stdio.h>

#include <inlinecall/backtrace.h>

#include "core_builder.h"
#include "fixtures/elf.h"

enum {
	PAGE = 0x1000,
	PAGES = 8,
	PRESENT = 1,
	CODE = 0x1000, // of the file, from its start
	NOTE = 0x3000,
	STACK = 0x4000,
	OFFSET = 0x600000, // by which the kernel was placed
	STATUS_SIZE = 336,
};

static const uint64_t start = 0xffffffff81000000;
static const uint8_t its_id[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

static struct ic_modules *new_modules(void)
{
	const struct ic_modules_options options = { .image.allow_no_debug = true };
	struct ic_modules *modules = ic_modules_new(&options, NULL);

	assert_non_null(modules);
	return modules;
}

// ORC: a function that was called, entry code that has saved registers, and one where stacks begin.
static void add_orc(struct elf_builder *elf)
{
	static const struct {
		uint64_t off;
		uint16_t sp, flags;
	} entries[] = { { 0, 16, 5 }, { 0x100, 0, 5 | 1 << 8 }, { 0x200, 0, 1 << 10 } };
	const uint64_t table = start + 0x10000;
	struct byte_buffer addrs = { .data = NULL }, rows = { .data = NULL };

	for (size_t i = 0; i < COUNT_OF(entries); i++) {
		byte_buffer_put(&addrs, (uint32_t)(start + CODE + entries[i].off - table - 4 * i),
				4);
		byte_buffer_put(&rows, entries[i].sp, 2);
		byte_buffer_put(&rows, 0, 2);
		byte_buffer_put(&rows, entries[i].flags, 2);
	}
	elf_add_section(elf, (struct elf_section){ .name = ".orc_unwind_ip",
						   .type = SHT_PROGBITS,
						   .flags = SHF_ALLOC,
						   .addr = table,
						   .bytes = byte_buffer_view(&addrs) });
	elf_add_section(elf, (struct elf_section){ .name = ".orc_unwind",
						   .type = SHT_PROGBITS,
						   .flags = SHF_ALLOC,
						   .addr = table + 0x1000,
						   .bytes = byte_buffer_view(&rows) });
	byte_buffer_deinit(&addrs);
	byte_buffer_deinit(&rows);
}

static const char *write_kernel(uint16_t machine, size_t id_size)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = machine, .type = ET_EXEC, .segments = true });

	elf_add_code(elf, ".text", start + CODE, 0x1000);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "works",
						 .section = ".text",
						 .value = start + CODE,
						 .size = 0x100,
						 .type = STT_FUNC });
	if (id_size > 0)
		elf_add_build_id(elf, start + NOTE, its_id, id_size);
	add_orc(elf);
	return elf_end_at(elf, "vmlinux");
}

// Physical memory: the page tables, then the pages of the kernel's notes and stack.
static struct byte_buffer make_memory(void)
{
	struct byte_buffer memory = { .data = NULL };
	uint64_t addr = start + OFFSET;

	byte_buffer_fill(&memory, 0, PAGES * PAGE);
	byte_buffer_patch(&memory, 1 * PAGE + 511 * 8, 2 * PAGE | PRESENT, 8);
	byte_buffer_patch(&memory, 2 * PAGE + 510 * 8, 3 * PAGE | PRESENT, 8);
	byte_buffer_patch(&memory, 3 * PAGE + (addr >> 21 & 511) * 8, 4 * PAGE | PRESENT, 8);
	byte_buffer_patch(&memory, 4 * PAGE + 3 * 8, 5 * PAGE | PRESENT, 8);
	byte_buffer_patch(&memory, 4 * PAGE + 4 * 8, 6 * PAGE | PRESENT, 8);
	memcpy(memory.data + 5 * PAGE + 16, its_id, sizeof(its_id));
	// A function was called by one that was interrupted in another, which the first one called.
	byte_buffer_patch(&memory, 6 * PAGE + 8, addr + CODE + 0x180, 8);
	byte_buffer_patch(&memory, 6 * PAGE + 16 + 128, addr + CODE + 0x20, 8);
	byte_buffer_patch(&memory, 6 * PAGE + 16 + 136, 0x10, 8);
	byte_buffer_patch(&memory, 6 * PAGE + 16 + 152, addr + STACK + 0x400, 8);
	byte_buffer_patch(&memory, 6 * PAGE + 0x408, addr + CODE + 0x201, 8);
	return memory;
}

static void add_processor(struct core_file *core, uint32_t pid, uint64_t pc, uint64_t sp,
			  uint16_t segment)
{
	struct byte_buffer status = { .data = NULL };

	byte_buffer_fill(&status, 0, STATUS_SIZE);
	byte_buffer_patch(&status, 32, pid, 4);
	byte_buffer_patch(&status, 112 + 16 * 8, pc, 8);
	byte_buffer_patch(&status, 112 + 17 * 8, segment, 8);
	byte_buffer_patch(&status, 112 + 19 * 8, sp, 8);
	core_add_note(core, "CORE", NT_PRSTATUS, byte_buffer_view(&status));
	byte_buffer_deinit(&status);
}

static void add_state(struct core_file *core, uint32_t version, uint64_t root)
{
	struct byte_buffer state = { .data = NULL };

	byte_buffer_fill(&state, 0, 440);
	byte_buffer_patch(&state, 0, version, 4);
	byte_buffer_patch(&state, 4, 440, 4);
	byte_buffer_patch(&state, 416, root, 8);
	core_add_note(core, "QEMU", 0, byte_buffer_view(&state));
	byte_buffer_deinit(&state);
}

static void add_info(struct core_file *core, const char *text)
{
	core_add_note(core, "VMCOREINFO", 0, (struct bytes){ (const uint8_t *)text, strlen(text) });
}

// Adds what a dump of the kernel has by kdump.
static void add_whole_info(struct core_file *core)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "OSRELEASE=6.1.0\nBUILD-ID=0102030405060708\nSYMBOL(swapper_pg_dir)=%llx\n"
		 "NUMBER(phys_base)=%lld\nKERNELOFFSET=%x\n",
		 (unsigned long long)(start + 0x100000),
		 (long long)(PAGE - (int64_t)(start + 0x100000 - 0xffffffff80000000)), OFFSET);
	add_info(core, text);
}

static struct core_file begin(void)
{
	return (struct core_file){ .machine = EM_X86_64 };
}

// Opens a dump of `memory` with the notes of `core`.
static struct ic_target *open_dump(struct ic_modules *modules, struct core_file *core,
				   const char *vmlinux, struct ic_error *err)
{
	const struct ic_target_core_options options = { .program = vmlinux };
	static const uint64_t physical[] = { 0 };
	struct byte_buffer memory = make_memory();
	const struct core_segment segment = { 0, PAGES * PAGE, byte_buffer_view(&memory), PF_R };

	core->segments = &segment;
	core->segment_count = 1;
	core->physical = physical;
	struct byte_buffer bytes = core_build(core);
	temp_write(temp_path("vmcore"), bytes.data, bytes.size);
	byte_buffer_deinit(&bytes);
	byte_buffer_deinit(&memory);
	return ic_target_open_core(modules, temp_path("vmcore"), &options, err);
}

static bool has_problem(struct ic_target *target, const char *words)
{
	struct ic_index_problem problem;

	for (size_t i = 0; ic_target_problem_get(target, i, &problem); i++)
		if (strstr(problem.message, words))
			return true;
	return false;
}

static bool has_any_problem(struct ic_target *target)
{
	struct ic_index_problem problem;

	return ic_target_problem_get(target, 0, &problem);
}

// The stack goes from a function through interrupted code to where it begins.
static void check_stack(struct ic_target *target)
{
	struct ic_backtraces *backtraces = ic_backtraces_make(target, NULL, NULL);
	struct ic_backtrace_thread thread;
	uint64_t code = start + OFFSET + CODE;

	assert_non_null(backtraces);
	assert_true(ic_backtraces_get(backtraces, 0, &thread));
	assert_int_equal(thread.end, IC_UNWIND_OUTERMOST);
	assert_int_equal(thread.frame_count, 4);
	assert_true(thread.frames[0].address == code + 0x10);
	assert_string_equal(thread.frames[0].symbol, "works");
	assert_true(thread.frames[1].address == code + 0x180 && !thread.frames[1].is_exact);
	assert_false(thread.frames[1].is_signal);
	assert_true(thread.frames[2].address == code + 0x20 && thread.frames[2].is_exact);
	assert_true(thread.frames[3].address == code + 0x201);
	assert_int_equal(thread.frames[3].how, IC_UNWIND_CALL_FRAMES);
	ic_backtraces_free(backtraces);
}

TEST(a_dump_of_kdump_is_unwound_through_interrupted_code)
{
	struct ic_modules *modules = new_modules();
	struct core_file core = begin();
	struct ic_target_thread thread;

	add_processor(&core, 31, start + OFFSET + CODE + 0x10, start + OFFSET + STACK, 0x10);
	add_whole_info(&core);
	struct ic_target *target =
		open_dump(modules, &core, write_kernel(EM_X86_64, sizeof(its_id)), NULL);
	assert_non_null(target);
	assert_true(ic_target_thread_get(target, 0, &thread));
	assert_true(thread.is_processor && !thread.is_user_mode);
	assert_true(thread.pid == 31 && thread.tid == 0);
	assert_string_equal(thread.name, "cpu 0");
	check_stack(target);
	assert_false(has_any_problem(target));
	ic_target_free(target);
	ic_modules_free(modules);
}

TEST(without_vmcoreinfo_the_kernel_is_found_by_its_build_id)
{
	struct ic_modules *modules = new_modules();
	struct core_file core = begin();
	struct ic_target_thread thread;

	add_processor(&core, 1, start + OFFSET + CODE + 0x10, start + OFFSET + STACK, 0x10);
	add_processor(&core, 2, 0x401000, 0, 0x33);
	add_state(&core, 1, 7 * PAGE); // of a processor with other page tables
	add_state(&core, 1, PAGE);
	struct ic_target *target =
		open_dump(modules, &core, write_kernel(EM_X86_64, sizeof(its_id)), NULL);
	assert_non_null(target);
	assert_true(ic_target_thread_get(target, 0, &thread) && thread.pid == 0);
	check_stack(target);
	assert_false(has_any_problem(target));
	ic_target_free(target);
	ic_modules_free(modules);
}

TEST(of_a_processor_in_user_mode_only_the_address_is_known)
{
	struct ic_modules *modules = new_modules();
	struct ic_backtrace_thread thread;
	struct core_file core = begin();

	add_processor(&core, 31, 0x401000, 0x7000, 0x33);
	add_whole_info(&core);
	struct ic_target *target =
		open_dump(modules, &core, write_kernel(EM_X86_64, sizeof(its_id)), NULL);
	struct ic_backtraces *backtraces = ic_backtraces_make(target, NULL, NULL);
	assert_true(ic_backtraces_get(backtraces, 0, &thread));
	assert_true(thread.thread.is_user_mode && thread.frame_count == 1);
	assert_string_equal(thread.frames[0].module, "[user mode]");
	assert_int_equal(thread.end, IC_UNWIND_OUTERMOST);
	assert_string_equal(thread.end_text, "outermost frame");
	ic_backtraces_free(backtraces);
	ic_target_free(target);
	ic_modules_free(modules);
}

// What is complained about if a kernel's file is given; without one if it is NULL.
static void check_problem(const char *info, const char *vmlinux, const char *words)
{
	struct ic_modules *modules = new_modules();
	struct core_file core = begin();

	add_processor(&core, 1, start + OFFSET + CODE + 0x10, start + OFFSET + STACK, 0x10);
	add_state(&core, 1, PAGE);
	if (info)
		add_info(&core, info);
	struct ic_target *target = open_dump(modules, &core, vmlinux, NULL);
	assert_non_null(target);
	if (!has_problem(target, words))
		fail_msg("not said: %s", words);
	struct ic_backtraces *backtraces = ic_backtraces_make(target, NULL, NULL);
	struct ic_backtrace_thread thread;
	assert_true(ic_backtraces_get(backtraces, 0, &thread));
	assert_true(thread.end == IC_UNWIND_NO_CODE && thread.frame_count == 1);
	ic_backtraces_free(backtraces);
	ic_target_free(target);
	ic_modules_free(modules);
}

TEST(a_file_that_is_not_the_kernels_is_not_used)
{
	check_problem("OSRELEASE=6.1.0\n", NULL, "Linux 6.1.0; specify its vmlinux");
	check_problem(NULL, temp_path("nothing"), "nothing");
	check_problem("BUILD-ID=0102\n", write_kernel(EM_X86_64, sizeof(its_id)),
		      ": build ID is 0102030405060708, but the kernel in ");
	check_problem("KERNELOFFSET=0\n", write_kernel(EM_X86_64, sizeof(its_id)),
		      "build ID not found in the memory of the kernel");
	check_problem(NULL, write_kernel(EM_X86_64, 0), "no build ID to compare with");
	check_problem(NULL, write_kernel(EM_AARCH64, sizeof(its_id)), "is for a different machine");
}

TEST(states_that_are_not_known_and_notes_that_are_missing_are_problems)
{
	struct ic_modules *modules = new_modules();
	struct core_file core = begin();

	add_state(&core, 2, PAGE);
	core_add_note(&core, "QEMU", 0, (struct bytes){ its_id, 8 });
	core_add_note(&core, "CORE", NT_PRSTATUS, (struct bytes){ its_id, 8 });
	struct ic_target *target =
		open_dump(modules, &core, write_kernel(EM_X86_64, sizeof(its_id)), NULL);
	assert_true(has_problem(target, "no processor: it has no NT_PRSTATUS note"));
	assert_true(has_problem(target, "expected a thread status of 336 bytes, found 8"));
	assert_true(has_problem(target, "build ID not found in the memory"));
	ic_target_free(target);
	ic_modules_free(modules);
}

TEST(kernels_of_other_machines_are_refused)
{
	struct ic_modules *modules = new_modules();
	struct core_file core = { .machine = EM_AARCH64 };
	struct ic_error err;

	add_whole_info(&core);
	assert_null(open_dump(modules, &core, NULL, &err));
	assert_int_equal(err.code, IC_ERROR_UNSUPPORTED);
	assert_non_null(strstr(err.message, "only x86-64 is supported"));
	ic_modules_free(modules);
}

UNIT_TESTS(unwind_targets_kernel)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dump_of_kdump_is_unwound_through_interrupted_code),
		cmocka_unit_test(without_vmcoreinfo_the_kernel_is_found_by_its_build_id),
		cmocka_unit_test(of_a_processor_in_user_mode_only_the_address_is_known),
		cmocka_unit_test(a_file_that_is_not_the_kernels_is_not_used),
		cmocka_unit_test(states_that_are_not_known_and_notes_that_are_missing_are_problems),
		cmocka_unit_test(kernels_of_other_machines_are_refused),
	};
	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
