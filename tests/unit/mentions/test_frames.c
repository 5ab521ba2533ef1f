#include "mentions/frames.h"

#include "unit_test.h"

struct example {
	const char *line, *label, *object;
	enum ic_frame_kind kind;
	uint64_t addr, off, object_off;
};

static struct ic_span span(const char *text)
{
	return (struct ic_span){ text, strlen(text) };
}

static bool read_frame(struct ic_span line, struct ic_mention *mention,
		       struct ic_frame_facts *facts)
{
	struct ic_frame_marks marks;

	ic_frame_marks_init(&marks);
	return ic_mention_read_frame(&marks, line, mention, facts);
}

// One line of each form of mentions/frame_forms.def, in its order.
// clang-format off
static const struct example examples[] = {
	{ "#2  <signal handler called>", NULL, NULL, IC_FRAME_SIGNAL, 0, 0, 0 },
	{ "#3  0x00007ffff7df324a in raise (sig=6) from /lib/libc.so.6", "raise", "/lib/libc.so.6", IC_FRAME_NUMBERED, 0x7ffff7df324a, 0, 0 },
	{ "#1  0x0000000000401127 in caller (x=1) at a.c:20", "caller", NULL, IC_FRAME_NUMBERED, 0x401127, 0, 0 },
	{ "  * frame #0: 0x000055555555513e prog`f [inlined] g(p=1) at a.c:1:2", "g", "prog", IC_FRAME_INLINED, 0x55555555513e, 0, 0 },
	{ "    frame #7: 0x0000555555555061 prog`_start + 33", "_start", "prog", IC_FRAME_NUMBERED, 0x555555555061, 33, 0 },
	{ "    frame #1: 0x000055555555513e prog`f(x=1) at a.c:1:2", "f", "prog", IC_FRAME_NUMBERED, 0x55555555513e, 0, 0 },
	{ "    frame #1: 0x000055555555513e prog`f", "f", "prog", IC_FRAME_NUMBERED, 0x55555555513e, 0, 0 },
	{ "frame #1: <unknown function> + 0x1120 (0x7f94a5091050 in /opt/libx.so)", NULL, "/opt/libx.so", IC_FRAME_RETURN, 0x7f94a5091050, 0, 0x1120 },
	{ "frame #2: ns::f(int) + 0x57 (0x7f94a5091050 in /opt/libx.so)", "ns::f(int)", "/opt/libx.so", IC_FRAME_RETURN, 0x7f94a5091050, 0x57, 0 },
	{ "#3    Object \"/opt/x y\", at 0x7f535dc45304, in f", NULL, "/opt/x y", IC_FRAME_EXACT, 0x7f535dc45304, 0, 0 },
	{ "#1  0x0000558a54820150 - 1 caller - /bin/prog", "caller", "/bin/prog", IC_FRAME_CALLED, 0x558a54820150, 0, 0 },
	{ "#1  0x0000558a54820150 - 1 caller", "caller", NULL, IC_FRAME_CALLED, 0x558a54820150, 0, 0 },
	{ "#1  0x0000558a54820150 caller - /bin/prog", "caller", "/bin/prog", IC_FRAME_NUMBERED, 0x558a54820150, 0, 0 },
	{ "    [886723c83b60c6d1]@0x558a5481f000+0x114f", NULL, NULL, IC_FRAME_EXACT, 0, 0, 0x114f },
	{ "#1  0x00007f1b7d3a1d22 raise (libc.so.6)", "raise", "libc.so.6", IC_FRAME_NUMBERED, 0x7f1b7d3a1d22, 0, 0 },
	{ "#1 0xffffffff80b9d607 at kdb_backtrace+0x67", "kdb_backtrace", NULL, IC_FRAME_RETURN, 0xffffffff80b9d607, 0x67, 0 },
	{ "    #1 0x563e12d851ad in ns::f(int) /src/a.c:16:9", "ns::f(int)", NULL, IC_FRAME_EXACT, 0x563e12d851ad, 0, 0 },
	{ "    #1 f /src/a.c:16 (prog+0x11d9)", "f", "prog", IC_FRAME_EXACT, 0, 0, 0x11d9 },
	{ "    #1 f /src/a.c:16 (prog+0x11d9) (BuildId: 0123ab)", "f", "prog", IC_FRAME_EXACT, 0, 0, 0x11d9 },
	{ "#01: f[/usr/lib/libx.so +0x123abc]", "f", "/usr/lib/libx.so", IC_FRAME_RETURN, 0, 0, 0x123abc },
	{ "[12][critical] [x.h:96] #1: ns::f() [0x55d0c0f1a7d1]", "ns::f()", NULL, IC_FRAME_NUMBERED, 0x55d0c0f1a7d1, 0, 0 },
	{ "#1 0x55d0c0f1a7d1 base::f()", "base::f()", NULL, IC_FRAME_NUMBERED, 0x55d0c0f1a7d1, 0, 0 },
	{ "#1 0x55d0c0f1a7d1", NULL, NULL, IC_FRAME_NUMBERED, 0x55d0c0f1a7d1, 0, 0 },
	{ " #1 [ffffc90000013e18] schedule at ffffffff81a3c0d5", "schedule", NULL, IC_FRAME_RETURN, 0xffffffff81a3c0d5, 0, 0 },
	{ " #1 [ffffc90000013e18] f at ffffffffc0a3c0d5 [xfs]", "f", NULL, IC_FRAME_RETURN, 0xffffffffc0a3c0d5, 0, 0 },
	{ "    [exception RIP: sysrq_handle_crash+0x12]", "sysrq_handle_crash", NULL, IC_FRAME_EXACT, 0, 0x12, 0 },
	{ "    [exception RIP: sysrq_handle_crash+18]", "sysrq_handle_crash", NULL, IC_FRAME_EXACT, 0, 18, 0 },
	{ " 1# 0x00007FBAED45A050 in ./prog", NULL, "./prog", IC_FRAME_RETURN, 0x7fbaed45a050, 0, 0 },
	{ "   2# f at /src/a.cc:4 [0x4012f5]", "f", NULL, IC_FRAME_RETURN, 0x4012f5, 0, 0 },
	{ "   2# f(int) [0x4012f5]", "f(int)", NULL, IC_FRAME_RETURN, 0x4012f5, 0, 0 },
	{ "PC: @     0x56455aa9f1a1  (unknown)  f", "f", NULL, IC_FRAME_COUNTER, 0x56455aa9f1a1, 0, 0 },
	{ "<Fatal> BaseDaemon: 4. f @ 0x0000000012a4c1f8 in /usr/bin/clickhouse", NULL, "/usr/bin/clickhouse", IC_FRAME_RETURN, 0x12a4c1f8, 0, 0 },
	{ "    @     0x56455aaa0b6f         64  ns::f()", "ns::f()", NULL, IC_FRAME_RETURN, 0x56455aaa0b6f, 0, 0 },
	{ "    @     0x56455aaa0b6f", NULL, NULL, IC_FRAME_RETURN, 0x56455aaa0b6f, 0, 0 },
	{ "    @ 00007f9c69027050 (unknown)", NULL, NULL, IC_FRAME_RETURN, 0x7f9c69027050, 0, 0 },
	{ " 3: 0x10fb205  [node]", NULL, "node", IC_FRAME_RETURN, 0x10fb205, 0, 0 },
	{ " 3: 0x10fb205 v8::f(int) [node]", "v8::f(int)", "node", IC_FRAME_RETURN, 0x10fb205, 0, 0 },
	{ "   3:     0x55be952b4a1a - core::f", "core::f", NULL, IC_FRAME_RETURN, 0x55be952b4a1a, 0, 0 },
	{ "(EE) 1: /usr/lib/xorg/Xorg (f+0x4d) [0x55d0c0f1a7d1]", "f", "/usr/lib/xorg/Xorg", IC_FRAME_RETURN, 0x55d0c0f1a7d1, 0x4d, 0 },
	{ "1: ./app (f+0x32) [7f94a5091050]", "f", "./app", IC_FRAME_RETURN, 0x7f94a5091050, 0x32, 0 },
	{ " 2: (ns::f()+0x12) [0x55d0c0f1a7d1]", "ns::f()", NULL, IC_FRAME_RETURN, 0x55d0c0f1a7d1, 0x12, 0 },
	{ " > prog(f+0x12) [401120]", "f", "prog", IC_FRAME_RETURN, 0x401120, 0x12, 0 },
	{ "# C  [libx.so+0x1140]  f+0x17", "f", "libx.so", IC_FRAME_NATIVE, 0, 0, 0x1140 },
	{ "C  [libx.so+0x1140]", NULL, "libx.so", IC_FRAME_NATIVE, 0, 0, 0x1140 },
	{ "V  [libjvm.so+0x8282d2]  f(A*, B)+0x302", "f(A*, B)", "libjvm.so", IC_FRAME_NATIVE, 0, 0, 0x8282d2 },
	{ "V  [libjvm.so+0x8282d2]", NULL, "libjvm.so", IC_FRAME_NATIVE, 0, 0, 0x8282d2 },
	{ "stack at sp + 2 slots: 0x00007f56fcb7716a: f+0x0000000000000009 in /opt/libx.so at 0x00007f56fcb76000", "f", "/opt/libx.so", IC_FRAME_RETURN, 0x7f56fcb7716a, 9, 0 },
	{ "  Binary file \"/usr/lib/libc.so.6\", at +0x3def0 [0x77b73226bef0]", NULL, "/usr/lib/libc.so.6", IC_FRAME_RETURN, 0x77b73226bef0, 0, 0x3def0 },
	{ "  Binary file \"/opt/python\", at f+0x42 [0x5b27f7d7147e]", "f", "/opt/python", IC_FRAME_RETURN, 0x5b27f7d7147e, 0x42, 0 },
	{ "[0x55d0c0f1a7d1] *f:Nil +118 in ./x", "*f:Nil", "./x", IC_FRAME_RETURN, 0x55d0c0f1a7d1, 0, 0 },
	{ "1 [ra] 0x0000555555555120 f() + 5 in prog at /src/x.swift:4:5", "f()", "prog", IC_FRAME_CALLED, 0x555555555120, 0, 0 },
	{ "1 [ra] 0x0000555555555120 f() + 5 in prog", "f()", "prog", IC_FRAME_CALLED, 0x555555555120, 0, 0 },
	{ "1 [ra] [system] 0x0000555555555120 f() + 5 in prog", "f()", "prog", IC_FRAME_CALLED, 0x555555555120, 0, 0 },
	{ "??:? _Dmain [0x55d0c0f1a7d1]", "_Dmain", NULL, IC_FRAME_RETURN, 0x55d0c0f1a7d1, 0, 0 },
	{ "==1==    at 0x10913E: f(int) (in /bin/prog)", "f(int)", "/bin/prog", IC_FRAME_EXACT, 0x10913e, 0, 0 },
	{ "==1==    by 0x10913E: ??? (in /bin/prog)", NULL, "/bin/prog", IC_FRAME_EXACT, 0x10913e, 0, 0 },
	{ "==1==    at 0x10913E: f(int) (a.c:12)", "f(int)", NULL, IC_FRAME_EXACT, 0x10913e, 0, 0 },
	{ "==1==    by 0x10913E: f(int) (a.c:12)", "f(int)", NULL, IC_FRAME_EXACT, 0x10913e, 0, 0 },
	{ " 1  prog!f(int) + 0x5", "f(int)", "prog", IC_FRAME_NUMBERED, 0, 5, 0 },
	{ " 1  libx.so + 0x21c87", NULL, "libx.so", IC_FRAME_NUMBERED, 0, 0, 0x21c87 },
	{ "it is prog!f(int) + 0x5", "f(int)", "prog", IC_FRAME_LISTED, 0, 5, 0 },
	{ "prog!f+0x5", "f", "prog", IC_FRAME_LISTED, 0, 5, 0 },
	{ "              libc.so.1`f+0xb", "f", "libc.so.1", IC_FRAME_LISTED, 0, 0xb, 0 },
	{ "[ 1.5] p[1]: segfault at 0 ip 000055d309c8e13e sp 00007ffed2c676e0 error 4 in p[113e,55d309c8e000+1000] likely", NULL, "p", IC_FRAME_EXACT, 0x55d309c8e13e, 0, 0x113e },
	{ "[ 1.5] p[1]: segfault at 0 ip 000055d309c8e13e sp 00007ffed2c676e0 error 4 in p[55d309c8e000+1000]", NULL, "p", IC_FRAME_EXACT, 0x55d309c8e13e, 0, 0 },
	{ "p[1]: segfault (11) at 0 nip 10000634 lr 10000634 code 1 in p[10000000+10000]", NULL, "p", IC_FRAME_EXACT, 0x10000634, 0, 0 },
	{ "traps: p[1] trap int3 ip:401120 sp:7ffd error:0 in p[1120,401000+1000]", NULL, "p", IC_FRAME_EXACT, 0x401120, 0, 0x1120 },
	{ "traps: p[1] general protection fault ip:401120 sp:7ffd error:0 in p[401000+1000]", NULL, "p", IC_FRAME_EXACT, 0x401120, 0, 0 },
	{ "epc = 00400634 in p[400000+1000]", NULL, "p", IC_FRAME_EXACT, 0x400634, 0, 0 },
	{ "ra = 0040062c in p[400000+1000]", NULL, "p", IC_FRAME_RETURN, 0x40062c, 0, 0 },
};
// clang-format on

static void check_span(struct ic_span got, const char *want, const char *line)
{
	if (want ? !ic_span_is(got, want) : got.text != NULL)
		fail_msg("%s: '%.*s'", line, (int)got.size, got.text ? got.text : "");
}

TEST(each_form_is_read)
{
	for (size_t i = 0; i < COUNT_OF(examples); i++) {
		const struct example *want = &examples[i];
		struct ic_mention mention;
		struct ic_frame_facts facts;
		if (!read_frame(span(want->line), &mention, &facts))
			fail_msg("%s", want->line);
		assert_int_equal(facts.kind, want->kind);
		check_span(mention.label, want->label, want->line);
		check_span(mention.object, want->object, want->line);
		assert_true(mention.has_addr == (want->addr != 0) && mention.addr == want->addr);
		assert_int_equal(mention.off, want->off);
		assert_int_equal(mention.object_off, want->object_off);
	}
}

TEST(what_is_no_frame_is_left_alone)
{
	static const char *const lines[] = {
		"",
		"#",
		"#1",
		"see #1 0x55d0c0f1a7d1 base::f()",
		"#1  0x in f (x=1)",
		"#1 0x12 f",
		"#2  f (p=0x7ffe+0x10)",
		"frame #0: 0x0000000000401127",
		"mail @ 0x401127",
		"1: 0x401127",
		"a`b+0xz",
		"!f+0x5",
		"prog!+0x5",
		"segfault at 0 ip 55d3 in p",
		"[ 0.1] x: segfault at 0 ip 55d3 sp 7ff in p[,55d309c8e000+1000]",
		"C  [libx.so]",
		"run it as `x+0x10`",
		"Binary file \"\", at f+0x42 [0x5b27f7d7147e]",
	};
	struct ic_mention mention;
	struct ic_frame_facts facts;

	for (size_t i = 0; i < COUNT_OF(lines); i++)
		if (read_frame(span(lines[i]), &mention, &facts))
			fail_msg("%s", lines[i]);
}

TEST(a_line_of_the_source_is_read_with_the_function)
{
	static const struct {
		const char *line;
		uint32_t number;
	} lines[] = {
		{ "#1  0x0000000000401127 in caller (x=1) at a.c:20", 20 },
		{ "    #1 0x563e12d851ad in f /src/a.c:16:9", 16 },
		{ "==1==    at 0x10913E: f(int) (a.c:12)", 12 },
		{ "#1  0x0000000000401127 in caller (x=1)", 0 },
		{ "#1 0x55d0c0f1a7d1 <unknown>", 0 },
	};
	struct ic_mention mention;
	struct ic_frame_facts facts;

	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		assert_true(read_frame(span(lines[i].line), &mention, &facts));
		assert_int_equal(mention.line, lines[i].number);
	}
}

TEST(a_log_may_have_something_before_a_frame)
{
	struct ic_mention mention;
	struct ic_frame_facts facts;

	assert_true(read_frame(span("Nov 26 01:00:00 host node[1]:  1: 0x10fb205 f [node]"),
			       &mention, &facts));
	assert_int_equal(mention.addr, 0x10fb205);
	assert_int_equal(mention.start, 34);
	assert_true(
		read_frame(span("host gdb[1]: #1  0x0000000000401127 in f ()"), &mention, &facts));
	assert_int_equal(facts.number, 1);
	assert_true(ic_frame_goes_on(span("    at a.c:12")));
	assert_false(ic_frame_goes_on(span("")));
	assert_false(ic_frame_goes_on(span("Thread 2:")));
}

UNIT_TESTS(mentions_frames)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_is_read),
		cmocka_unit_test(what_is_no_frame_is_left_alone),
		cmocka_unit_test(a_line_of_the_source_is_read_with_the_function),
		cmocka_unit_test(a_log_may_have_something_before_a_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
