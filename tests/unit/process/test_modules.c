// Files that are opened when they are asked for.
#include "unit_test.h"

#include "process/modules.h"

#include "alloc_meter.h"
#include "fixtures/elf.h"

#include <inlinecall/extra/space.h>

TEST(files_of_two_devices_are_two)
{
	struct ic_modules *modules = ic_modules_new(NULL, NULL);
	struct ic_module_key key = {
		.path = "/lib/a.so", .device = 1, .inode = 2, .has_file = true
	};
	struct ic_module *first = ic_module_take(modules, &key);

	assert_ptr_equal(ic_module_take(modules, &key), first);
	key.device = 3;
	struct ic_module *second = ic_module_take(modules, &key);
	assert_ptr_not_equal(second, first);
	for (int i = 0; i < 2; i++)
		ic_module_release(modules, first);
	ic_module_release(modules, second);
	ic_modules_free(modules);
}

// As often as there are allocations: what is open counts and can be closed, whichever failed.
TEST(a_file_that_is_open_is_listed_whatever_failed_for_lack_of_memory)
{
	const struct ic_modules_options options = { .image.allow_no_debug = true };
	const struct ic_module_place nowhere = { .pid = 0 };
	struct elf_builder *elf = elf_begin(ET_EXEC);
	bool has_failed = true;

	elf_add_code(elf, ".text", 0x1000, 0x100);
	const struct ic_module_key key = { .path = elf_end_at(elf, "a"), .has_file = true };
	for (uint64_t fail_at = 1; has_failed; fail_at++) {
		struct ic_modules *modules = ic_modules_new(&options, NULL);
		struct ic_module *module = ic_module_take(modules, &key);

		alloc_meter_start(fail_at, false);
		struct ic_module_open open = ic_module_hold(modules, module, &nowhere);
		has_failed = alloc_meter_calls() >= fail_at;
		alloc_meter_stop();
		assert_true(open.symbolizer || open.code == IC_ERROR_MEMORY);
		ic_module_let_go(modules, module);
		assert_ptr_equal(ic_module_take(modules, &key),
				 module); // so that it is tried again
		open = ic_module_hold(modules, module, &nowhere);
		assert_non_null(open.symbolizer);
		assert_true(ic_modules_memory(modules) > 0);
		ic_module_let_go(modules, module);
		ic_modules_trim(modules, 0);
		assert_int_equal(ic_modules_memory(modules), 0);
		for (int i = 0; i < 2; i++)
			ic_module_release(modules, module);
		ic_modules_free(modules);
	}
}

UNIT_TESTS(process_modules)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_two_devices_are_two),
		cmocka_unit_test(a_file_that_is_open_is_listed_whatever_failed_for_lack_of_memory),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
