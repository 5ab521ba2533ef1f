#include <inlinecall/extra/trace.h>

#include "fixtures/parameters.h"

#include <string.h>
#include <unistd.h>

#include "trace/bpf/program.h"
#include "trace/hits/trace.h"

#define HIGH   0xffffffff81001000ull
#define OFFSET 0x1e000000ull

// A copy of f(a, b, c) with a and b in memory at addresses, a low one and a high one.
static void open_scan(struct scan *scan)
{
	struct dwarf_builder *dw = parameters_begin(5);
	struct elf_builder *elf = elf_begin(ET_EXEC);

	parameters_begin_instance(dw);
	parameters_argument(dw, "a", DW_BYTES(DW_OP_addr, 0x34, 0x12, 0, 0, 0, 0, 0, 0));
	parameters_argument(dw, "b",
			    DW_BYTES(DW_OP_addr, 0, 0x10, 0, 0x81, 0xff, 0xff, 0xff, 0xff));
	parameters_argument(dw, "c", DW_BYTES(DW_OP_reg0 + 5));
	parameters_end_instance(dw);
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	scan_open_path(scan, elf_end_at(elf, "a.out"), NULL);
}

struct prepared {
	struct scan scan;
	struct ic_sites *sites;
	struct ic_parameters *parameters;
	struct ic_trace *trace;
	struct ic_trace_copy copy;
	const struct ic_trace_fetch *fetches;
};

static void prepare(struct prepared *prepared, const struct ic_trace_options *options)
{
	struct ic_error err = { .message = "" };
	size_t size;

	open_scan(&prepared->scan);
	prepared->sites = ic_sites_find(prepared->scan.index, NULL, &err);
	prepared->parameters =
		ic_parameters_open(prepared->scan.image, prepared->scan.index, NULL, &err);
	prepared->trace = ic_trace_new(prepared->scan.image, prepared->sites, prepared->parameters,
				       options, &err);
	if (!prepared->trace)
		fail_msg("%s", err.message);
	assert_true(ic_trace_copy_get(prepared->trace, 0, &prepared->copy));
	const struct ic_trace_copy_data *data = ic_trace_copy_bytes(prepared->trace, 0, &size);
	prepared->fetches = (const void *)(data + 1); // there are no conditions
	assert_int_equal(prepared->copy.argument_count, 3);
}

static void end(struct prepared *prepared)
{
	ic_trace_free(prepared->trace);
	ic_parameters_free(prepared->parameters);
	ic_sites_free(prepared->sites);
	scan_close(&prepared->scan);
}

TEST(addresses_of_a_program_are_where_it_is_loaded)
{
	struct prepared prepared;

	prepare(&prepared, NULL);
	assert_null(prepared.copy.arguments[0].why);
	assert_int_equal(prepared.fetches[0].base, IC_TRACE_IN_FILE);
	assert_int_equal(prepared.fetches[0].number, 0x1234);
	assert_int_equal(prepared.fetches[1].base, IC_TRACE_IN_FILE);
	end(&prepared);
}

TEST(addresses_of_a_kernel_are_where_it_is)
{
	struct ic_placement *placement = ic_placement_new(HIGH + OFFSET, HIGH, NULL);
	const struct ic_trace_options options = { .placement = placement };
	struct prepared prepared;

	prepare(&prepared, &options);
	assert_string_equal(prepared.copy.arguments[0].why, "a per-CPU variable");
	assert_int_equal(prepared.fetches[0].base, IC_TRACE_NOTHING);
	assert_null(prepared.copy.arguments[1].why);
	assert_int_equal(prepared.fetches[1].base, IC_TRACE_NUMBER);
	assert_int_equal(prepared.fetches[1].number, HIGH + OFFSET);
	assert_int_equal(prepared.fetches[2].base, IC_TRACE_REGISTER);
	end(&prepared);
	ic_placement_free(placement);
}

TEST(a_kernel_is_traced_in_all_processes)
{
	struct ic_placement *placement = ic_placement_new(HIGH, HIGH, NULL);
	const struct ic_trace_options options = { .placement = placement };
	struct prepared prepared;
	struct ic_error err;

	prepare(&prepared, &options);
	assert_false(ic_trace_start(prepared.trace, 1, &err));
	assert_true(err.code == IC_ERROR_ARGUMENT || err.code == IC_ERROR_UNSUPPORTED);
	end(&prepared);
	ic_placement_free(placement);
}

TEST(a_trace_that_was_started_goes_on)
{
	struct prepared prepared;
	struct ic_error err;

	prepare(&prepared, NULL);
	struct ic_trace *const twice[] = { prepared.trace, prepared.trace };
	prepared.trace->counted = prepared.trace->data; // as if it had been
	assert_true(IC_ARRAY_ADD(&prepared.trace->links, dup(0)));
	assert_false(ic_trace_start(prepared.trace, 0, &err));
	assert_false(ic_trace_start_all(twice, 2, 0, &err));
	assert_true(err.code == IC_ERROR_ARGUMENT || err.code == IC_ERROR_UNSUPPORTED);
	assert_int_equal(prepared.trace->links.count, 1);
	prepared.trace->counted = NULL;
	end(&prepared);
}

TEST(what_is_no_buffer_is_refused)
{
	static const char *const names[] = { "buf", "buf,", ",len", "a,b,c" };
	struct prepared prepared;
	struct ic_error err;

	prepare(&prepared, NULL);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *const buffers[] = { names[i], NULL };
		const struct ic_trace_options options = { .buffers = buffers };

		assert_null(ic_trace_new(ic_trace_image(prepared.trace), prepared.sites,
					 prepared.parameters, &options, &err));
		assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	}
	end(&prepared);
}

UNIT_TESTS(trace_prepare)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_of_a_program_are_where_it_is_loaded),
		cmocka_unit_test(addresses_of_a_kernel_are_where_it_is),
		cmocka_unit_test(a_kernel_is_traced_in_all_processes),
		cmocka_unit_test(a_trace_that_was_started_goes_on),
		cmocka_unit_test(what_is_no_buffer_is_refused),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
