// Instructions of AArch64 that compute several values at once. Where control goes is tested with
// exits (test_leaving.c).
#include "instructions/aarch64.h"

#include "unit_test.h"

static bool is_packed(uint32_t word)
{
	struct ic_instruction read = { .size = 4 };

	ic_aarch64_instruction_read(word, &read);
	return read.is_packed;
}

static void several_values_are_computed_at_once(void **state)
{
	static const uint32_t words[] = {
		0x4e211c00, // and v0.16b, v0.16b, v1.16b
		0x4ea53442, // cmgt v2.4s, v2.4s, v5.4s
		0x4e20cc01, // fmla v1.4s, v0.4s, v0.4s
		0x4ea09401, // mla v1.4s, v0.4s, v0.4s
		0x4f255400, // shl v0.4s, v0.4s, #5
		0x0e212800, // xtn v0.8b, v0.8h
		0x4e829420, // sdot v0.4s, v1.16b, v2.16b
		0x65a18440, // fmad z0.s, p1/m, z2.s, z1.s
		0x0480c420, // mad z0.s, p1/m, z0.s, z1.s
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		assert_true(is_packed(words[i]));
}

static void one_value_is_computed_or_none(void **state)
{
	static const uint32_t words[] = {
		0x4ea21c41, // mov v1.16b, v2.16b
		0x4f000462, // movi v2.4s, #3
		0x4f00f502, // fmov v2.4s, #3
		0x4e431821, // uzp1 v1.8h, v1.8h, v3.8h
		0x4e040c00, // dup v0.4s, w0
		0x4eb1b800, // addv s0, v0.4s
		0x0e205800, // cnt v0.8b, v0.8b
		0x1e22c000, // fcvt d0, s0
		0x1e618800, // fnmul d0, d0, d1
		0x04a0e3e4, // cntw x4
		0x2518e3e1, // ptrue p1.b
		0xa5434020, // ld1w {z0.s}, p0/z, [x1, x3, lsl #2]
		0x0b010000, // add w0, w0, w1
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		assert_false(is_packed(words[i]));
}

UNIT_TESTS(instructions_aarch64)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_values_are_computed_at_once),
		cmocka_unit_test(one_value_is_computed_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
