// Included first by every unit test: cmocka, and the checks that it lacks.
#ifndef TESTS_UNIT_UNIT_TEST_H
#define TESTS_UNIT_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#ifdef assert_uint_in_range // cmocka 2, which calls the old name deprecated
#undef assert_in_range
#define assert_in_range assert_uint_in_range
#endif

#include "base/bytes.h"
#include "base/cursor.h"
#include "base/error.h"

// A test's name is the claim that it makes.
#define TEST(name) static void name(void **state __attribute__((unused)))

// Runs the tests of a file: one function a file of one program (main.c). `name` is the path of the
// file that they test, with underscores.
#define UNIT_TESTS(name)                \
	int unit_tests_of_##name(void); \
	int unit_tests_of_##name(void)

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

// An error is what a user reads: the whole message counts.
#define assert_error(err, wanted_code, wanted_message)               \
	do {                                                         \
		assert_string_equal((err)->message, wanted_message); \
		assert_int_equal((err)->code, wanted_code);          \
	} while (0)

// The same for a fault in a section, whose name and offset the error also has as values.
#define assert_fault(err, wanted_section, wanted_offset, wanted_message) \
	do {                                                             \
		assert_error(err, IC_ERROR_MALFORMED, wanted_message);   \
		assert_string_equal((err)->section, wanted_section);     \
		assert_int_equal((err)->offset, wanted_offset);          \
	} while (0)

// Bytes written down in the test.
#define BYTES(...)                                                    \
	((struct ic_bytes){ .data = (const uint8_t[]){ __VA_ARGS__ }, \
			    .size = sizeof((const uint8_t[]){ __VA_ARGS__ }) })

// Bytes written down in a test are little-endian: whether this machine has to swap them.
#define SWAP_LITTLE IC_HOST_IS_BIG_ENDIAN

// A cursor over all of `bytes`.
static inline struct ic_cursor cursor_over(struct ic_bytes bytes)
{
	return ic_cursor_at(bytes, ".test", 0, bytes.size, SWAP_LITTLE);
}

#endif
