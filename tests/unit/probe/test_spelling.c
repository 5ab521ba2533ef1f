#include "probe/tracer.h"

#include "unit_test.h"

#include <stdio.h>

enum { MACHINE_AMD64 = 62, MACHINE_AARCH64 = 183 };

static const struct ic_probe_target program = { "/bin/a", NULL, false, MACHINE_AMD64, 8 };
static const struct ic_probe_target module = { "xfs.ko", "xfs", true, MACHINE_AMD64, 8 };
static const struct ic_probe probe = {
	.addr = 0x401010,
	.file_off = 0x1010,
	.symbol = "host",
	.symbol_off = 16,
	.group = "g",
	.event = "leaf_1",
};

struct spelled {
	char definition[8192], left_out[4096];
	const char *why_not;
};

static struct spelled spell(enum ic_tracer tracer, const struct ic_probe_target *target,
			    const struct ic_probe *of, const struct ic_parameter *params,
			    size_t count)
{
	struct ic_spelling spelling = {
		.target = target, .probe = of, .params = params, .param_count = count
	};
	struct spelled spelled = { .why_not = ic_tracer_row(tracer)->spell(&spelling) };

	snprintf(spelled.definition, sizeof(spelled.definition), "%s",
		 spelling.text.bytes.items ? spelling.text.bytes.items : "");
	snprintf(spelled.left_out, sizeof(spelled.left_out), "%s",
		 spelling.left_out.bytes.items ? spelling.left_out.bytes.items : "");
	IC_ARRAY_FREE(&spelling.text.bytes);
	IC_ARRAY_FREE(&spelling.left_out.bytes);
	return spelled;
}

static struct ic_parameter number(const char *name, uint64_t size, bool is_signed,
				  struct ic_location location)
{
	return (struct ic_parameter){ .name = name,
				      .size = size,
				      .is_signed = is_signed,
				      .encoding = IC_TYPE_INTEGER,
				      .location = location };
}

// What tracefs makes of one argument: its fetch, or why it is left out.
static const char *fetched(const struct ic_parameter *param)
{
	static struct spelled spelled;

	spelled = spell(IC_TRACER_TRACEFS, &program, &probe, param, 1);
	assert_null(spelled.why_not);
	if (spelled.left_out[0]) {
		assert_string_equal(spelled.definition, "p:g/leaf_1 /bin/a:0x1010");
		return spelled.left_out;
	}
	return strstr(spelled.definition, " n=") + 1;
}

#define CHECK(wanted, size, is_signed, ...)                                                        \
	do {                                                                                       \
		const struct ic_parameter param =                                                  \
			number("n", size, is_signed, (struct ic_location){ .kind = __VA_ARGS__ }); \
		assert_string_equal(fetched(&param), wanted);                                      \
	} while (false)

TEST(tracefs_fetches_what_it_can)
{
	CHECK("n=%di:s32", 4, true, IC_LOCATION_REGISTER, .reg = 5);
	CHECK("n=%r12:u8", 1, false, IC_LOCATION_REGISTER, .reg = 12);
	CHECK("n=\\-3:s16", 2, true, IC_LOCATION_CONSTANT, .constant = 0xfffd);
	CHECK("n=\\0xfffd:u16", 2, false, IC_LOCATION_CONSTANT, .constant = 0xffffffd);
	CHECK("n=+8(%si):u32", 4, false, IC_LOCATION_MEMORY, .reg = 4, .offset = 8);
	CHECK("n=-24(%sp):s64", 8, true, IC_LOCATION_MEMORY, .reg = 7, .offset = -24);
	CHECK("n=+0(+16(%ax)):u64", 8, false, IC_LOCATION_MEMORY, .offset = 16, .load_count = 1,
	      .loads = { { 8, 0 } });
	CHECK("n=+16(%ax):u8", 4, true, IC_LOCATION_VALUE, .offset = 16, .load_count = 1,
	      .loads = { { 1, 0 } }); // extended with zeros
	CHECK("n=@+8208:u32", 4, false, IC_LOCATION_MEMORY, .base = IC_BASE_ADDRESS,
	      .constant = 0x402010);
}

TEST(of_a_boolean_in_a_register_only_a_bit_is_fetched)
{
	static const struct ic_parameter param = { .name = "n",
						   .size = 1,
						   .encoding = IC_TYPE_BOOLEAN,
						   .location = { .kind = IC_LOCATION_REGISTER,
								 .reg = 5 } };
	static const struct ic_parameter in_memory = { .name = "n",
						       .size = 1,
						       .encoding = IC_TYPE_BOOLEAN,
						       .location = { .kind = IC_LOCATION_MEMORY,
								     .reg = 5 } };

	assert_string_equal(fetched(&param), "n=%di:b1@0/8");
	assert_string_equal(fetched(&in_memory), "n=+0(%di):u8");
	assert_non_null(strstr(spell(IC_TRACER_BPFTRACE, &program, &probe, &param, 1).definition,
			       "(uint8)(reg(\"di\") & 1)"));
	assert_non_null(strstr(spell(IC_TRACER_SYSTEMTAP, &program, &probe, &param, 1).definition,
			       ") & 0x1)"));
}

TEST(what_tracefs_cannot_fetch_is_left_out_with_the_reason)
{
	CHECK("n: a sum, which tracefs cannot compute", 8, false, IC_LOCATION_REGISTER,
	      .offset = 8);
	CHECK("n: in a register unknown to tracefs", 8, false, IC_LOCATION_REGISTER, .reg = 17);
	CHECK("n: optimised out", 4, true, IC_LOCATION_UNAVAILABLE,
	      .why = IC_LOCATION_WHY_OPTIMISED_OUT);
	CHECK("n: not here", 4, true, IC_LOCATION_UNAVAILABLE, .why = IC_LOCATION_WHY_NOT_HERE);
	CHECK("n: split into pieces", 8, true, IC_LOCATION_PIECES);
	CHECK("n: computed", 8, true, IC_LOCATION_COMPUTED);
	CHECK("n: its size is not 1, 2, 4 or 8 bytes", 12, false, IC_LOCATION_REGISTER);
	CHECK("n: its size is unknown", 0, false, IC_LOCATION_REGISTER);
	CHECK("n: in the function's stack frame", 4, true, IC_LOCATION_MEMORY, .base = IC_BASE_CFA);
	CHECK("n: behind a pointer of unsupported size", 4, true, IC_LOCATION_MEMORY,
	      .load_count = 1, .loads = { { 4, 0 } });
	CHECK("n: a sum with a value in memory", 8, true, IC_LOCATION_VALUE, .load_count = 1,
	      .loads = { { 8, 1 } });
	CHECK("n: possibly uninitialised", 4, true, IC_LOCATION_REGISTER, .is_uninitialised = true);
	CHECK("n: at an address before the code", 4, true, IC_LOCATION_MEMORY,
	      .base = IC_BASE_ADDRESS, .constant = 0x1000);
}

TEST(each_tracer_has_its_spelling)
{
	static const char *const wanted[] = {
		"p:g/leaf_1 /bin/a:0x1010 n=%di:s32 p=+8(%si):u64",
		"perf probe -x /bin/a 'g:leaf_1=0x401010 n=%di:s32 p=+8(%si):u64'",
		"uprobe:\"/bin/a\":0x401010 { printf(\"leaf_1 n=%ld p=%lu\\n\", "
		"(int32)(reg(\"di\")), *(uint64 *)(reg(\"si\")+8)); }",
		"probe process(\"/bin/a\").statement(0x401010) { printf(\"leaf_1 n=%d p=%u\\n\", "
		"((((register(\"rdi\")) & 0xffffffff) ^ 0x80000000) - 0x80000000), "
		"user_uint64(register(\"rsi\")+8)) }",
		"kinst::host:16 { printf(\"leaf_1\\n\"); }",
		"dprintf *(long)&'host'+16,\"leaf_1 n=%lld p=%llu\\n\", (int)($rdi), "
		"*(unsigned long long *)($rsi+8)",
		"{ .name = \"leaf_1\", .path = \"/bin/a\", .offset = 0x1010 },",
	};
	const struct ic_parameter params[] = {
		number("n", 4, true,
		       (struct ic_location){ .kind = IC_LOCATION_REGISTER, .reg = 5 }),
		number("p", 8, false,
		       (struct ic_location){ .kind = IC_LOCATION_MEMORY, .reg = 4, .offset = 8 }),
	};

	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		struct spelled spelled = spell((enum ic_tracer)i, &program, &probe, params, 2);
		assert_null(spelled.why_not);
		assert_string_equal(spelled.definition, wanted[i]);
		assert_string_equal(spelled.left_out, "");
	}
	assert_null(ic_tracer_row((enum ic_tracer)COUNT_OF(wanted)));
}

TEST(places_in_a_kernel_are_symbols_and_offsets)
{
	static const char *const wanted[] = {
		"p:g/leaf_1 xfs:host+16",
		"perf probe -m xfs 'g:leaf_1=host+16'",
		"kprobe:host+16 { printf(\"leaf_1\\n\"); }",
		NULL,
		"kinst::host:16 { printf(\"leaf_1\\n\"); }",
		"dprintf *(long)&'host'+16,\"leaf_1\\n\"",
		"{ .name = \"leaf_1\", .symbol = \"host\", .offset = 0x10 },",
	};
	struct ic_probe other = probe;

	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		struct spelled spelled = spell((enum ic_tracer)i, &module, &probe, NULL, 0);
		assert_int_equal(spelled.why_not == NULL, wanted[i] != NULL);
		if (wanted[i])
			assert_string_equal(spelled.definition, wanted[i]);
		other.is_ambiguous = true;
		assert_non_null(spell((enum ic_tracer)i, &module, &other, NULL, 0).why_not);
		other.symbol = NULL;
		assert_non_null(spell((enum ic_tracer)i, &module, &other, NULL, 0).why_not);
		other = probe;
	}
}

static struct ic_parameter text(const char *name, struct ic_location location)
{
	return (struct ic_parameter){ .name = name,
				      .size = 8,
				      .encoding = IC_TYPE_POINTER,
				      .item_size = 1,
				      .item_encoding = IC_TYPE_CHARACTER,
				      .location = location };
}

TEST(strings_are_fetched_in_each_spelling)
{
	static const struct ic_parameter parts[] = {
		{ .size = 8,
		  .encoding = IC_TYPE_POINTER,
		  .location = { .kind = IC_LOCATION_REGISTER, .reg = 1 } },
		{ .size = 8,
		  .encoding = IC_TYPE_INTEGER,
		  .location = { .kind = IC_LOCATION_MEMORY, .reg = 1, .offset = 8 } },
	};
	struct ic_parameter params[] = {
		text("a", (struct ic_location){ .kind = IC_LOCATION_REGISTER, .reg = 5 }),
		text("b",
		     (struct ic_location){ .kind = IC_LOCATION_MEMORY, .reg = 4, .offset = 8 }),
		text("c", (struct ic_location){ .kind = IC_LOCATION_MEMORY, .reg = 4 }),
		text("d", (struct ic_location){ .kind = IC_LOCATION_REGISTER, .reg = 5 }),
	};
	static const char *const wanted[][2] = {
		[IC_TRACER_TRACEFS] = { "p:g/leaf_1 /bin/a:0x1010 a=+0(%di):string "
					"b=+0(+8(%si)):string c=+0(%si):string",
					"d: its size is not 1, 2, 4 or 8 bytes" },
		[IC_TRACER_PERF] = { "perf probe -x /bin/a 'g:leaf_1=0x401010 a=+0(%di):string "
				     "b=+0(+8(%si)):string c=+0(%si):string'",
				     "d: its size is not 1, 2, 4 or 8 bytes" },
		[IC_TRACER_BPFTRACE] = { "uprobe:\"/bin/a\":0x401010 { printf(\"leaf_1 "
					 "a=\\\"%s\\\" "
					 "b=\\\"%s\\\" c=\\\"%s\\\" d=\\\"%s\\\"\\n\", "
					 "str(reg(\"di\")), str(*(uint64 *)(reg(\"si\")+8)), "
					 "str(reg(\"si\"), 16), str((uint64)(reg(\"dx\")), "
					 "*(uint64 *)(reg(\"dx\")+8))); }",
					 "" },
		[IC_TRACER_SYSTEMTAP] = { "probe process(\"/bin/a\").statement(0x401010) { "
					  "printf(\"leaf_1 a=%s b=%s c=%s d=%s\\n\", "
					  "user_string_quoted(register(\"rdi\")), "
					  "user_string_quoted(user_uint64(register(\"rsi\")+8)), "
					  "user_string_n_quoted(register(\"rsi\"), 16), "
					  "user_string_n_quoted(((register(\"rdx\"))), "
					  "user_uint64(register(\"rdx\")+8))) }",
					  "" },
		[IC_TRACER_GDB] = { "dprintf *(long)&'host'+16,\"leaf_1 a=\\\"%s\\\" b=\\\"%s\\\" "
				    "c=\\\"%.16s\\\"\\n\", (char *)($rdi), "
				    "(char *)(*(unsigned long long *)($rsi+8)), (char *)($rsi)",
				    "d: its size is not 1, 2, 4 or 8 bytes" },
		[IC_TRACER_LIBBPF] = { NULL },
	};

	params[2].encoding = IC_TYPE_ARRAY;
	params[2].size = 16;
	params[3].encoding = IC_TYPE_STRUCTURE;
	params[3].size = 16;
	params[3].string = parts;
	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		struct spelled got = spell((enum ic_tracer)i, &program, &probe, params, 4);
		if (!wanted[i][0])
			continue;
		assert_string_equal(got.definition, wanted[i][0]);
		assert_string_equal(got.left_out, wanted[i][1]);
	}
}

// SystemTap has no kernel_string_n_quoted().
TEST(strings_of_a_kernel_are_read_there)
{
	static const struct ic_probe_target kernel = { "vmlinux", NULL, true, MACHINE_AMD64, 8 };
	struct ic_parameter params[] = {
		text("a", (struct ic_location){ .kind = IC_LOCATION_REGISTER, .reg = 5 }),
		text("b", (struct ic_location){ .kind = IC_LOCATION_MEMORY, .reg = 4 }),
	};

	params[1].encoding = IC_TYPE_ARRAY;
	params[1].size = 16;
	assert_string_equal(spell(IC_TRACER_SYSTEMTAP, &kernel, &probe, params, 2).definition,
			    "probe kernel.statement(0x401010) { printf(\"leaf_1 a=%s b=%s\\n\", "
			    "kernel_string_quoted(register(\"rdi\")), "
			    "string_quoted(kernel_string_n(register(\"rsi\"), 16))) }");
}

// Where the characters are, by where their address is.
TEST(the_address_of_a_string_may_be_anywhere)
{
	static const struct {
		struct ic_location location;
		const char *wanted;
	} cases[] = {
		{ { .kind = IC_LOCATION_REGISTER, .reg = 5, .offset = -8 }, "s=-8(%di):string" },
		{ { .kind = IC_LOCATION_ADDRESS, .constant = 0x402010 }, "s=@+8208:string" },
		{ { .kind = IC_LOCATION_VALUE,
		    .reg = 5,
		    .offset = 8,
		    .load_count = 1,
		    .loads = { { 8, 4 } } },
		  "s=+4(+8(%di)):string" },
		{ { .kind = IC_LOCATION_CONSTANT }, "s=\\0x0:x64" },
		{ { .kind = IC_LOCATION_VALUE, .base = IC_BASE_CFA },
		  "s: in the function's stack frame" },
		{ { .kind = IC_LOCATION_REGISTER, .is_uninitialised = true },
		  "s: possibly uninitialised" },
		{ { .kind = IC_LOCATION_REGISTER, .reg = 17 },
		  "s: in a register unknown to tracefs" },
		{ { .kind = IC_LOCATION_MEMORY,
		    .load_count = 4,
		    .loads = { { 8, 0 }, { 8, 0 }, { 8, 0 }, { 8, 0 } } },
		  "s=+0(+0(+0(+0(+0(%ax))))):x64" }, // one load more than there is room for
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct ic_parameter param = text("s", cases[i].location);
		struct spelled got = spell(IC_TRACER_TRACEFS, &program, &probe, &param, 1);
		if (got.left_out[0])
			assert_string_equal(got.left_out, cases[i].wanted);
		else
			assert_string_equal(strstr(got.definition, " s=") + 1, cases[i].wanted);
	}
}

// Names that mean something in some tracer's language.
static const char *const hostile[] = {
	"a b",  "a\nb", "a\"b", "a'b", "a;b", "a#b", "a%sb",     "a*/b", "a\\b", "$(a)",
	"a`b`", "a\tb", "{a}",  "a:b", "",    "\\",  "\x80\xff", "a)",   "0",    "common_pid",
};

TEST(hostile_names_of_arguments_become_identifiers)
{
	for (size_t i = 0; i < COUNT_OF(hostile); i++) {
		const struct ic_parameter param = number(
			hostile[i], 4, true, (struct ic_location){ .kind = IC_LOCATION_REGISTER });
		const struct ic_parameter plain =
			number("n", 4, true, (struct ic_location){ .kind = IC_LOCATION_REGISTER });
		for (enum ic_tracer tracer = IC_TRACER_TRACEFS; ic_tracer_row(tracer); tracer++) {
			struct spelled got = spell(tracer, &program, &probe, &param, 1);
			struct spelled model = spell(tracer, &program, &probe, &plain, 1);
			const char *at = strstr(model.definition, "n=%");
			if (!at) { // it has no arguments
				assert_string_equal(got.definition, model.definition);
				continue;
			}
			size_t before = (size_t)(at - model.definition);
			size_t name = strspn(got.definition + before,
					     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					     "0123456789_");
			assert_true(name > 0);
			assert_memory_equal(got.definition, model.definition, before);
			assert_string_equal(got.definition + before + name, at + 1);
		}
	}
}

TEST(returns_are_probed_by_tracers_that_can)
{
	struct ic_probe other = probe;

	other.kind = IC_PROBE_RETURN;
	other.symbol_off = 0;
	assert_string_equal(spell(IC_TRACER_TRACEFS, &program, &other, NULL, 0).definition,
			    "r:g/leaf_1 /bin/a:0x1010");
	assert_string_equal(spell(IC_TRACER_TRACEFS, &module, &other, NULL, 0).definition,
			    "r:g/leaf_1 xfs:host+0");
	assert_string_equal(spell(IC_TRACER_BPFTRACE, &program, &other, NULL, 0).definition,
			    "uretprobe:\"/bin/a\":0x401010 { printf(\"leaf_1\\n\"); }");
	assert_string_equal(spell(IC_TRACER_BPFTRACE, &module, &other, NULL, 0).definition,
			    "kretprobe:host { printf(\"leaf_1\\n\"); }");
	assert_string_equal(spell(IC_TRACER_LIBBPF, &program, &other, NULL, 0).definition,
			    "{ .name = \"leaf_1\", .retprobe = true, .path = \"/bin/a\", .offset = "
			    "0x1010 },");
}

// Between quotes GDB takes them for characters.
TEST(short_symbols_are_not_quoted_for_gdb)
{
	enum ic_tracer gdb;
	struct ic_probe other = probe;

	assert_true(ic_tracer_find("gdb", &gdb));
	other.symbol = "go";
	assert_string_equal(spell(gdb, &program, &other, NULL, 0).definition,
			    "dprintf *(long)&go+16,\"leaf_1\\n\"");
	other.symbol = "$d";
	assert_non_null(spell(gdb, &program, &other, NULL, 0).why_not);
	other.symbol = "a.b";
	assert_null(spell(gdb, &program, &other, NULL, 0).why_not);
}

TEST(hostile_symbols_are_refused)
{
	struct ic_probe other = probe;

	for (size_t i = 0; i < COUNT_OF(hostile) - 1; i++) {
		other.symbol = hostile[i];
		assert_non_null(ic_probe_symbol_fault(&other));
		for (enum ic_tracer tracer = IC_TRACER_TRACEFS; ic_tracer_row(tracer); tracer++)
			assert_non_null(spell(tracer, &module, &other, NULL, 0).why_not);
	}
}

TEST(names_of_arguments_are_told_apart)
{
	const struct ic_location here = { .kind = IC_LOCATION_REGISTER, .reg = 5 };
	const struct ic_parameter params[] = {
		number("a b", 4, true, here),
		number("a-b", 4, true, here),
		number(NULL, 4, true, here),
		number("common_pid", 4, true, here),
	};

	assert_string_equal(spell(IC_TRACER_TRACEFS, &program, &probe, params, 4).definition,
			    "p:g/leaf_1 /bin/a:0x1010 a_b=%di:s32 a_b_2=%di:s32 arg3=%di:s32 "
			    "_common_pid=%di:s32");
}

TEST(an_event_has_128_arguments_at_most)
{
	struct ic_parameter params[130];

	for (size_t i = 0; i < COUNT_OF(params); i++)
		params[i] =
			number(NULL, 4, true, (struct ic_location){ .kind = IC_LOCATION_REGISTER });
	struct spelled spelled = spell(IC_TRACER_TRACEFS, &program, &probe, params, 130);
	assert_non_null(strstr(spelled.definition, " arg128=%ax:s32"));
	assert_null(strstr(spelled.definition, "arg129"));
	assert_string_equal(spelled.left_out, "?: an event has at most 128 arguments; "
					      "?: an event has at most 128 arguments");
}

TEST(registers_are_called_as_the_kernel_does)
{
	assert_string_equal(ic_probe_kernel_register(MACHINE_AMD64, 0), "ax");
	assert_string_equal(ic_probe_kernel_register(MACHINE_AMD64, 7), "sp");
	assert_string_equal(ic_probe_kernel_register(MACHINE_AMD64, 15), "r15");
	assert_null(ic_probe_kernel_register(MACHINE_AMD64, 16));
	assert_string_equal(ic_probe_kernel_register(MACHINE_AARCH64, 30), "x30");
	assert_null(ic_probe_kernel_register(MACHINE_AARCH64, 64));
	assert_null(ic_probe_kernel_register(0xffff, 0));
}

UNIT_TESTS(probe_spelling)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tracefs_fetches_what_it_can),
		cmocka_unit_test(of_a_boolean_in_a_register_only_a_bit_is_fetched),
		cmocka_unit_test(what_tracefs_cannot_fetch_is_left_out_with_the_reason),
		cmocka_unit_test(each_tracer_has_its_spelling),
		cmocka_unit_test(places_in_a_kernel_are_symbols_and_offsets),
		cmocka_unit_test(strings_are_fetched_in_each_spelling),
		cmocka_unit_test(strings_of_a_kernel_are_read_there),
		cmocka_unit_test(the_address_of_a_string_may_be_anywhere),
		cmocka_unit_test(hostile_names_of_arguments_become_identifiers),
		cmocka_unit_test(returns_are_probed_by_tracers_that_can),
		cmocka_unit_test(short_symbols_are_not_quoted_for_gdb),
		cmocka_unit_test(hostile_symbols_are_refused),
		cmocka_unit_test(names_of_arguments_are_told_apart),
		cmocka_unit_test(an_event_has_128_arguments_at_most),
		cmocka_unit_test(registers_are_called_as_the_kernel_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
