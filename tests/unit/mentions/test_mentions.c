#include "unit_test.h"

#include <stdio.h>

#include <inlinecall/extra/mentions.h>

static struct ic_mentions *begin(void **state)
{
	ic_mentions_free(*state);
	*state = ic_mentions_new(NULL, NULL);
	assert_non_null(*state);
	return *state;
}

static int end(void **state)
{
	ic_mentions_free(*state);
	return 0;
}

#undef TEST
#define TEST(name) static void name(void **state)

// Reads a line that must mention one place.
static struct ic_mention only(struct ic_mentions *mentions, const char *line)
{
	struct ic_mention mention, other;

	ic_mentions_begin(mentions, line, strlen(line));
	assert_true(ic_mentions_next(mentions, &mention));
	assert_false(ic_mentions_next(mentions, &other));
	return mention;
}

static size_t count_of(struct ic_mentions *mentions, const char *line)
{
	struct ic_mention mention;
	size_t count = 0;

	for (ic_mentions_begin(mentions, line, strlen(line)); ic_mentions_next(mentions, &mention);)
		count++;
	return count;
}

TEST(a_symbol_has_an_offset_a_size_and_a_module)
{
	struct ic_mention mention =
		only(begin(state), " ? xfs_file_read+0x5b/0x120 [xfs 0123abcd]");

	assert_int_equal(mention.start, 3);
	assert_true(ic_span_is(mention.name, "xfs_file_read"));
	assert_int_equal(mention.off, 0x5b);
	assert_true(mention.has_size);
	assert_int_equal(mention.size, 0x120);
	assert_true(ic_span_is(mention.module, "xfs"));
	assert_true(ic_span_is(mention.build_id, "0123abcd"));
	assert_true(mention.is_doubtful);
	assert_false(mention.has_addr);
	assert_null(mention.object.text);
}

TEST(an_address_may_have_its_symbol_after_it)
{
	struct ic_mentions *mentions = begin(state);
	struct ic_mention mention = only(mentions, "[<ffffffff81234567>] kfree+0x1f/0x90");

	assert_int_equal(mention.start, 0);
	assert_true(mention.has_addr && !mention.is_plain);
	assert_true(mention.addr == 0xffffffff81234567);
	assert_true(ic_span_is(mention.name, "kfree"));
	mention = only(mentions, "RAX: ffffffff81234567");
	assert_true(mention.has_addr && mention.is_plain);
	assert_null(mention.name.text);
	assert_int_equal(count_of(mentions, "0x12 is short, and a-0x123456 is none"), 0);
	assert_int_equal(count_of(mentions, ""), 0);
	ic_mentions_begin(mentions, NULL, 0);
	assert_false(ic_mentions_next(mentions, &mention));
}

TEST(a_line_may_mention_several_places)
{
	assert_int_equal(count_of(begin(state), "BUG in a+0x1/0x2 by b+0x3/0x4, not c"), 2);
}

TEST(a_call_trace_has_return_addresses)
{
	struct ic_mentions *mentions = begin(state);

	assert_false(only(mentions, " a+0x10/0x20").is_return);
	assert_false(only(mentions, "RIP: 0010:a+0x10/0x20").is_return);
	assert_int_equal(count_of(mentions, "Call Trace:"), 0);
	assert_false(only(mentions, " a+0x10/0x20").is_return); // the counter's, again
	assert_true(only(mentions, " b+0x10/0x20").is_return);
	assert_int_equal(count_of(mentions, " <IRQ>"), 0);
	assert_true(only(mentions, " c+0x10/0x20").is_return);
	assert_int_equal(count_of(mentions, "---[ end trace ]---"), 0);
	assert_false(only(mentions, " c+0x10/0x20").is_return);
}

TEST(the_end_of_a_tasks_stack_is_that_of_the_trace)
{
	struct ic_mentions *mentions = begin(state);

	count_of(mentions, "Call Trace:");
	count_of(mentions, " <TASK>");
	assert_true(only(mentions, " a+0x10/0x20").is_return);
	count_of(mentions, " </TASK>");
	count_of(mentions, " <IRQ>"); // of another stack
	assert_true(only(mentions, " b+0x10/0x20").is_return);
	count_of(mentions, " </IRQ>");
	assert_true(only(mentions, " c+0x10/0x20").is_return);
	count_of(mentions, " </TASK>");
	assert_false(only(mentions, "d+0x10/0x20 has failed").is_return);
	assert_false(only(mentions, " e+0x10/0x20").is_return);
	count_of(mentions, "Call Trace:");
	assert_true(only(mentions, " a+0x10/0x20").is_return);
	count_of(mentions, " asm_exc_page_fault+0x22/0x30");
	count_of(mentions, " </TASK>");
	count_of(mentions, "Call Trace:");
	assert_true(only(mentions, " b+0x10/0x20").is_return);
}

TEST(addresses_are_return_addresses_if_an_option_says_so)
{
	const struct ic_mentions_options options = { .return_addresses = true };
	struct ic_mentions *mentions = *state = ic_mentions_new(&options, NULL);

	assert_true(only(mentions, "a+0x10/0x20").is_return);
	assert_false(only(mentions, "RIP: 0010:a+0x10/0x20").is_return);
}

TEST(perf_script_names_an_object)
{
	struct ic_mention mention = only(begin(state),
					 "\t    7f6a1c2b3d4e operator new(unsigned long)+0x1e "
					 "(/usr/lib/libstdc++.so.6)");

	assert_true(mention.addr == 0x7f6a1c2b3d4e);
	assert_true(ic_span_is(mention.name, "operator new(unsigned long)"));
	assert_int_equal(mention.off, 0x1e);
	assert_true(ic_span_is(mention.object, "/usr/lib/libstdc++.so.6"));
	assert_false(mention.is_return);
	assert_true(only(*state, "\t    7f6a1c2b3d60 main (/usr/bin/prog)").is_return);
}

TEST(sanitizers_and_backtraces_give_offsets_in_objects)
{
	struct ic_mentions *mentions = begin(state);
	struct ic_mention mention =
		only(mentions, "    #0 0x55d0  (/usr/bin/prog+0x1114) (BuildId: 0123abcd)");

	assert_true(ic_span_is(mention.object, "/usr/bin/prog"));
	assert_int_equal(mention.origin, IC_MENTION_ORIGIN_BIAS);
	assert_int_equal(mention.object_off, 0x1114);
	assert_true(ic_span_is(mention.build_id, "0123abcd"));
	assert_false(mention.is_return);
	mention = only(mentions, "./prog(+0x1114) [0x5581e5f4a114]");
	assert_int_equal(mention.object_off, 0x1114);
	assert_true(mention.is_return);
	assert_true(mention.has_addr && mention.addr == 0x5581e5f4a114);
	mention = only(mentions, "prog(main+0x1d) [0x5581e5f4a11d]");
	assert_true(ic_span_is(mention.name, "main") && mention.off == 0x1d);
	assert_true(mention.has_addr && mention.addr == 0x5581e5f4a11d);
	mention = only(mentions, "#1  0x00005581e5f4a114 main (prog + 0x1114)");
	assert_int_equal(mention.origin, IC_MENTION_ORIGIN_START);
	assert_true(ic_span_is(mention.label, "main"));
}

TEST(the_code_decides_what_a_stack_only_makes_likely)
{
	struct ic_mentions *mentions = begin(state);
	struct ic_mention mention = only(mentions, "./prog(+0x1114) [0x5581e5f4a114]");

	assert_true(mention.is_return && mention.code_decides && !mention.is_caller);
	mention = only(mentions, "./prog(+0x1214) [0x5581e5f4a214]");
	assert_true(mention.is_return && mention.code_decides && mention.is_caller);
	mention = only(mentions, "/lib/libc.so.6(__restore_rt+0x0) [0x7f81e5f4a214]");
	assert_true(mention.is_return);
	mention = only(mentions, "./prog(+0x1314) [0x5581e5f4a314]");
	assert_false(mention.is_return || mention.code_decides);
	assert_int_equal(count_of(mentions, "the end"), 0);
	assert_false(only(mentions, "./prog(+0x1214) [0x5581e5f4a214]").is_caller);
	mention = only(mentions, "    #0 0x55d0  (/usr/bin/prog+0x1114)");
	assert_false(mention.is_return || mention.code_decides);
	mention = only(mentions, "it is at 0x401114");
	assert_false(mention.is_return || mention.code_decides);
	count_of(mentions, "Call Trace:");
	mention = only(mentions, " b+0x10/0x20");
	assert_true(mention.is_return && mention.code_decides);
}

TEST(a_line_of_arm_begins_with_what_the_one_before_returns_to)
{
	static const struct {
		const char *line;
		bool are_return[2];
	} lines[] = {
		{ "[<80111cdc>] (unwind_backtrace) from [<8010d300>] (show_stack+0x20/0x24)",
		  { false, true } },
		{ "[<8010d300>] (show_stack) from [<80acb5a4>] (dump_stack+0xd4/0x118)",
		  { true, true } },
		{ "[<80acb5a4>] (dump_stack [m]) from [<7f0b5a48>] (probe+0xd4/0x118 [m])",
		  { true, true } },
		{ "[<80100b0c>] (__irq_svc) from [<8010a5a4>] (idle+0x38/0x3c)", { false, false } },
	};
	struct ic_mentions *mentions = begin(state);
	struct ic_mention mention;

	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		ic_mentions_begin(mentions, lines[i].line, strlen(lines[i].line));
		for (size_t j = 0; j < 2; j++) {
			assert_true(ic_mentions_next(mentions, &mention));
			assert_int_equal(mention.is_return, lines[i].are_return[j]);
			assert_false(mention.code_decides);
		}
		assert_false(ic_mentions_next(mentions, &mention));
	}
	assert_true(only(mentions, " callee from caller+0x7/0x18").is_return);
	assert_false(only(mentions, " __dabt_svc from caller+0x7/0x18").is_return);
	assert_false(only(mentions, " from caller+0x7/0x18").is_return);
	assert_false(only(mentions, "(from caller+0x7/0x18").is_return);
}

TEST(a_label_is_the_function_alone)
{
	static const char *const labels[][2] = {
		{ "in main", "main" },
		{ "in operator new(unsigned long)", "operator new(unsigned long)" },
		{ "in main /src/a.c:12", "main" },
		{ "ns::f(int) /src/a.cc:12:3", "ns::f(int)" },
		{ "inner", "inner" },
		{ "ns::f1", "ns::f1" },
		{ "a.c:12", "a.c:12" },
		{ "f 12", "f 12" },
	};
	struct ic_mentions *mentions = begin(state);
	char line[128];

	for (size_t i = 0; i < COUNT_OF(labels); i++) {
		snprintf(line, sizeof(line), "#1 0x55d012 %s (/usr/bin/prog+0x1114)", labels[i][0]);
		struct ic_mention mention = only(mentions, line);
		assert_int_equal(mention.object_off, 0x1114);
		assert_true(ic_span_is(mention.label, labels[i][1]));
		assert_int_equal(mention.is_return, strncmp(labels[i][0], "in ", 3) != 0);
	}
	assert_null(only(mentions, "#1 0x55d012  (/usr/bin/prog+0x1114)").label.text);
}

TEST(a_sample_of_perf_script_is_one_place)
{
	struct ic_mentions *mentions = begin(state);
	struct ic_mention mention =
		only(mentions,
		     "other 12821 55396.368: 250000 cpu-clock:      557f803f0182 walk+0x12 (/o)");

	assert_true(mention.has_addr && mention.addr == 0x557f803f0182);
	assert_true(ic_span_is(mention.name, "walk") && mention.off == 0x12);
	assert_true(ic_span_is(mention.object, "/o"));
	assert_false(mention.is_return);
	mention =
		only(mentions, "a b 1/2 [000] 5.25: 1 cycles:u:  55d0c0f1a7d [unknown] (/tmp/a b)");
	assert_true(mention.addr == 0x55d0c0f1a7d);
	assert_true(ic_span_is(mention.label, "[unknown]"));
	assert_true(ic_span_is(mention.object, "/tmp/a b"));
	mention = only(mentions,
		       "p 1 5.25: 1 cycles: ffffffff81234567 do_exit+0x4 ([kernel.kallsyms])");
	assert_true(ic_span_is(mention.object, "[kernel.kallsyms]"));
	// Without a time before it, or without an object after it, it is another kind of line.
	assert_null(only(mentions, "p 1: cycles: 557f803f0182 walk+0x12 (/o)").object.text);
	assert_null(only(mentions, "p 1 5.25: 1 cycles: 557f803f0182 walk+0x12").object.text);
	assert_int_equal(count_of(mentions, "p 1 5.25: sched:sched_switch: prev_comm=a (b)"), 0);
}

TEST(a_traceback_of_go_has_the_function_in_the_line_before)
{
	struct ic_mentions *mentions = begin(state);

	assert_int_equal(count_of(mentions, "goroutine 1 gp=0xc0000061c0 m=0 [running]:"), 1);
	assert_int_equal(count_of(mentions, "main.(*T).work(0x45f08e?, {0xc000012018, 0x0})"), 0);
	struct ic_mention mention = only(
		mentions, "\t/src/a b.go:26 +0x88 fp=0xc000086ef8 sp=0xc000086ec0 pc=0x4b41c8");
	assert_int_equal(mention.start, 1);
	assert_true(ic_span_is(mention.name, "main.(*T).work"));
	assert_int_equal(mention.off, 0x88);
	assert_true(mention.has_addr);
	assert_int_equal(mention.addr, 0x4b41c8);
	assert_int_equal(mention.line, 26);
	assert_true(mention.is_return);
	assert_int_equal(count_of(mentions, "panic({0x4be720, 0x4f9ac0})"), 0);
	mention = only(mentions, "\t/src/panic.go:987 +0x3ba");
	assert_true(ic_span_is(mention.name, "runtime.gopanic"));
	assert_false(mention.has_addr);
	assert_int_equal(count_of(mentions, "created by main.main in goroutine 1"), 0);
	mention = only(mentions, "\t/src/a.go:34 +0x76");
	assert_true(ic_span_is(mention.name, "main.main"));
}

TEST(a_call_that_go_inlined_is_no_place)
{
	struct ic_mentions *mentions = begin(state);

	assert_int_equal(count_of(mentions, "in main.outer(x)"), 0); // of a compiler, say
	assert_int_equal(count_of(mentions, "\t/src/a.go:22"), 0);
	assert_int_equal(count_of(mentions, "goroutine 1 [running]:"), 0);
	assert_int_equal(count_of(mentions, "main.small(...)"), 0);
	assert_int_equal(count_of(mentions, "\t/src/a.go:21"), 0);
	assert_int_equal(count_of(mentions, "main.outer(0x1)"), 0);
	struct ic_mention mention = only(mentions, "\t/src/a.go:22"); // not called yet
	assert_int_equal(mention.off, 0);
	assert_false(mention.is_return);
	assert_int_equal(count_of(mentions, "\t/src/a.go:23 +0x1"), 0); // of nothing
}

TEST(below_where_a_signal_becomes_a_panic_of_go_is_no_return_address)
{
	struct ic_mentions *mentions = begin(state);

	assert_int_equal(count_of(mentions, "runtime.sigpanic()"), 0);
	assert_true(only(mentions, "\t/src/signal.go:835 +0x2f6").is_return);
	assert_int_equal(count_of(mentions, "main.small(...)"), 0);
	assert_int_equal(count_of(mentions, "\t/src/a.go:21"), 0);
	assert_int_equal(count_of(mentions, "main.deref(0x0)"), 0);
	assert_false(only(mentions, "\t/src/a.go:29 +0x4").is_return);
	assert_int_equal(count_of(mentions, "main.main()"), 0);
	assert_true(only(mentions, "\t/src/a.go:42 +0x1f0").is_return);
}

TEST(text_before_a_traceback_of_go_is_passed_over)
{
	struct ic_mentions *mentions = begin(state);

	assert_int_equal(count_of(mentions, "Nov 23 host a[71]: goroutine 1 [running]:"), 0);
	assert_int_equal(count_of(mentions, "Nov 23 host a[71]: main.work(0x45f08e)"), 0);
	struct ic_mention mention = only(mentions, "Nov 23 host a[71]: \t/src/a.go:26 +0x88\r");
	assert_true(ic_span_is(mention.name, "main.work"));
	assert_int_equal(mention.start, 20);
}

TEST(profiles_of_go_have_calls_and_return_addresses)
{
	struct ic_mentions *mentions = begin(state);
	struct ic_mention mention =
		only(mentions, "#\t0x4aa8b4\truntime/pprof.(*P).Write+0xb4\t\t/src/pprof.go:723");

	assert_int_equal(mention.start, 2);
	assert_int_equal(mention.addr, 0x4aa8b4);
	assert_true(ic_span_is(mention.name, "runtime/pprof.(*P).Write"));
	assert_int_equal(mention.off, 0xb4);
	assert_int_equal(mention.line, 723);
	assert_false(mention.is_return);
	// Each is in memory of its own, so that a byte beyond its end would be noticed.
	static const char *const others[] = { "#\t0x4", "#\t0x4\t", "#\t0x4\tm", "#\t0x4\tm+",
					      "#\t0x4\t+0x1" };
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		size_t size = strlen(others[i]);
		char *copy = test_malloc(size);
		memcpy(copy, others[i], size);
		ic_mentions_begin(mentions, copy, size);
		assert_false(ic_mentions_next(mentions, &mention));
		test_free(copy);
	}
	static const char line[] = "1: 416 [1: 416] @ 0x43f688 0x43f93e";
	ic_mentions_begin(mentions, line, strlen(line));
	for (int i = 0; i < 2; i++)
		assert_true(ic_mentions_next(mentions, &mention) && mention.is_return);
	assert_false(ic_mentions_next(mentions, &mention));
}

UNIT_TESTS(mentions_mentions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_sample_of_perf_script_is_one_place, end),
		cmocka_unit_test_teardown(a_symbol_has_an_offset_a_size_and_a_module, end),
		cmocka_unit_test_teardown(an_address_may_have_its_symbol_after_it, end),
		cmocka_unit_test_teardown(a_line_may_mention_several_places, end),
		cmocka_unit_test_teardown(a_call_trace_has_return_addresses, end),
		cmocka_unit_test_teardown(the_end_of_a_tasks_stack_is_that_of_the_trace, end),
		cmocka_unit_test_teardown(addresses_are_return_addresses_if_an_option_says_so, end),
		cmocka_unit_test_teardown(perf_script_names_an_object, end),
		cmocka_unit_test_teardown(sanitizers_and_backtraces_give_offsets_in_objects, end),
		cmocka_unit_test_teardown(the_code_decides_what_a_stack_only_makes_likely, end),
		cmocka_unit_test_teardown(a_line_of_arm_begins_with_what_the_one_before_returns_to,
					  end),
		cmocka_unit_test_teardown(a_label_is_the_function_alone, end),
		cmocka_unit_test_teardown(a_traceback_of_go_has_the_function_in_the_line_before,
					  end),
		cmocka_unit_test_teardown(a_call_that_go_inlined_is_no_place, end),
		cmocka_unit_test_teardown(
			below_where_a_signal_becomes_a_panic_of_go_is_no_return_address, end),
		cmocka_unit_test_teardown(text_before_a_traceback_of_go_is_passed_over, end),
		cmocka_unit_test_teardown(profiles_of_go_have_calls_and_return_addresses, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
