#include "unit_test.h"

#include <string.h>

#include "elf/image/package_note.h"

static bool read_note(const char *json, struct ic_image_package *package)
{
	return ic_package_note_read((struct ic_bytes){ (const uint8_t *)json, strlen(json) },
				    package);
}

static void the_name_and_the_version_are_read(void **state)
{
	struct ic_image_package package;

	(void)state;
	assert_true(
		read_note("{\"type\":\"deb\",\"name\":\"zstd\",\"version\":\"1.5-5\"}", &package));
	assert_string_equal(package.name, "zstd");
	assert_string_equal(package.version, "1.5-5");
	assert_true(read_note(
		" {\n\"name\" : \"a\" , \"n\" : [ { \"name\" : \"b\" } , -1.5e3 ] } x", &package));
	assert_string_equal(package.name, "a");
	assert_string_equal(package.version, "");
}

static void escapes_are_read(void **state)
{
	struct ic_image_package package;

	(void)state;
	assert_true(read_note("{\"name\":\"a\\\"\\\\\\u0041b\"}", &package));
	assert_string_equal(package.name, "a\"\\?b");
}

static void the_last_of_several_counts(void **state)
{
	struct ic_image_package package;

	(void)state;
	assert_true(read_note("{\"name\":\"a\",\"name\":\"b\"}", &package));
	assert_string_equal(package.name, "b");
	assert_false(read_note("{\"name\":\"a\",\"name\":null}", &package));
}

static void long_names_are_cut_off(void **state)
{
	struct ic_image_package package;
	char json[1000] = "{\"name\":\"";

	(void)state;
	memset(json + strlen(json), 'n', 900);
	strcpy(json + strlen(json), "\"}");
	assert_true(read_note(json, &package));
	assert_int_equal(strlen(package.name), sizeof(package.name) - 1);
}

static void other_texts_are_refused(void **state)
{
	static const char *const texts[] = { "",
					     "{",
					     "{}",
					     "[\"name\"]",
					     "{\"name\":\"\"}",
					     "{\"name\":\"a\"",
					     "{\"name\":\"a}",
					     "{\"name\" \"a\"}",
					     "{\"name\":\"a\\",
					     "{\"name\":\"a\\u12\"}",
					     "{\"name\":\"a\\x\"}",
					     "{\"x\":{\"name\":\"a\"}}" };
	struct ic_image_package package;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		assert_false(read_note(texts[i], &package));
}

UNIT_TESTS(elf_image_package_note)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_name_and_the_version_are_read),
		cmocka_unit_test(escapes_are_read),
		cmocka_unit_test(the_last_of_several_counts),
		cmocka_unit_test(long_names_are_cut_off),
		cmocka_unit_test(other_texts_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
