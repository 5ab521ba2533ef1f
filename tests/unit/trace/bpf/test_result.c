#include "trace/bpf/result.h"

#include "unit_test.h"

#include <stdlib.h>

#include <inlinecall/extra/image.h>

#include "base/machine.h"
#include "fixtures/elf.h"

enum { CODE = 0x1000, LOCAL = 0x1010, WEAK = 0x1020, DATA = 0x1030 };

static struct ic_image *open_image(void)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct elf_builder *elf = elf_begin_native(ET_EXEC);
	const struct elf_symbol symbols[] = {
		{ "local", .section = ".text", .value = LOCAL, .type = STT_FUNC },
		{ "global", .section = ".text", .value = CODE, .type = STT_FUNC,
		  .bind = STB_GLOBAL },
		{ "weak", .section = ".text", .value = WEAK, .type = STT_FUNC, .bind = STB_WEAK },
		{ "data", .section = ".text", .value = DATA, .type = STT_OBJECT,
		  .bind = STB_GLOBAL },
		{ "missing", .type = STT_FUNC, .bind = STB_GLOBAL },
	};
	struct ic_error err;

	elf_add_code(elf, ".text", CODE, 0x100);
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
		elf_add_symbol(elf, symbols[i]);
	struct ic_image *image = ic_image_open(elf_end_at(elf, "a.out"), &options, &err);
	if (!image)
		fail_msg("%s", err.message);
	return image;
}

TEST(functions_that_others_may_call_are_global)
{
	struct ic_image *image = open_image();
	struct ic_error err;
	uint64_t *addrs;
	size_t count;

	assert_true(ic_image_global_functions(image, &addrs, &count, &err));
	assert_int_equal(count, 2);
	assert_int_equal(addrs[0], CODE);
	assert_int_equal(addrs[1], WEAK);
	free(addrs);
	ic_image_free(image);
}

// The register that a result is in, or why it is not known.
static const char *find_in(enum ic_type_encoding encoding, uint64_t size, const char *producer,
			   uint64_t addr, const char *symbol, unsigned machine,
			   struct ic_trace_fetch *fetch)
{
	struct ic_image *image = open_image();
	struct ic_trace_results results = { .image = image };
	const struct ic_result result = { .type = { .encoding = encoding, .size = size },
					  .producer = producer };
	const struct ic_trace_place place = { .layout = ic_thread_layout(machine, false),
					      .addr_size = 8 };
	struct ic_error err;
	const char *why;

	const struct ic_trace_returning returning = { &result, addr, symbol, &place };

	assert_true(ic_trace_result_make(&results, &returning, fetch, &why, &err));
	assert_int_equal(why == NULL, fetch->base == IC_TRACE_REGISTER);
	ic_trace_results_free(&results);
	ic_image_free(image);
	return why;
}

static const char *find(enum ic_type_encoding encoding, uint64_t size, const char *producer,
			uint64_t addr, const char *symbol)
{
	struct ic_trace_fetch fetch;

	return find_in(encoding, size, producer, addr, symbol, IC_MACHINE_X86_64, &fetch);
}

TEST(numbers_and_pointers_are_returned_in_a_register)
{
	static const struct {
		unsigned machine;
		int reg;
	} machines[] = { { IC_MACHINE_X86_64, 0 },
			 { IC_MACHINE_AARCH64, 0 },
			 { IC_MACHINE_RISCV, 10 } };
	struct ic_trace_fetch fetch;

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		assert_null(find_in(IC_TYPE_INTEGER, 4, NULL, CODE, "global", machines[i].machine,
				    &fetch));
		assert_int_equal(ic_thread_layout(machines[i].machine, false)->numbers[fetch.word],
				 machines[i].reg);
		assert_int_equal(fetch.unused_bits, 32);
	}
	assert_null(find(IC_TYPE_POINTER, 8, NULL, CODE, "global"));
	assert_null(find(IC_TYPE_ENUMERATION, 4, NULL, WEAK, "weak"));
	assert_non_null(find(IC_TYPE_INTEGER, 16, NULL, CODE, "global"));
	assert_non_null(find(IC_TYPE_FLOAT, 8, NULL, CODE, "global"));
	assert_non_null(find(IC_TYPE_STRUCTURE, 8, NULL, CODE, "global"));
}

TEST(what_a_compiler_may_have_dropped_is_not_known)
{
	assert_null(find(IC_TYPE_INTEGER, 4, "GNU C17 12.2.0 -O2", LOCAL, "local"));
	assert_null(find(IC_TYPE_INTEGER, 4, "GNU C17 12.2.0 -O2", LOCAL, "local.constprop.0"));
	assert_null(find(IC_TYPE_INTEGER, 4, "clang version 14", CODE, "global"));
	assert_non_null(find(IC_TYPE_INTEGER, 4, "clang version 14", LOCAL, "local"));
	assert_non_null(find(IC_TYPE_INTEGER, 4, NULL, LOCAL, "local"));
	assert_non_null(find(IC_TYPE_INTEGER, 4, "GNU C17 12.2.0 -O2", LOCAL, NULL));
	assert_non_null(find(IC_TYPE_INTEGER, 4, "GNU C17 12.2.0 -O2", LOCAL, "local.isra.0"));
	assert_non_null(find(IC_TYPE_INTEGER, 4, "GNU C17 12.2.0 -O2", LOCAL, "local.part.0"));
}

UNIT_TESTS(trace_bpf_result)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_that_others_may_call_are_global),
		cmocka_unit_test(numbers_and_pointers_are_returned_in_a_register),
		cmocka_unit_test(what_a_compiler_may_have_dropped_is_not_known),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
