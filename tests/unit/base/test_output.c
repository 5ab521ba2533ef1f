#include "unit_test.h"

#include <stdlib.h>

#include "base/output.h"

static char *printed_bytes(const char *text, size_t count)
{
	static struct ic_output output;
	char *made = NULL;
	size_t size;
	struct ic_error err;
	FILE *stream = open_memstream(&made, &size);

	assert_non_null(stream);
	ic_output_init(&output, stream);
	ic_output_printable_bytes(&output, text, count);
	assert_true(ic_output_finish(&output, &err));
	assert_int_equal(fclose(stream), 0);
	return made;
}

static char *printed(const char *text)
{
	return printed_bytes(text, strlen(text));
}

// Texts are checked eight bytes at a time.
TEST(a_control_character_is_a_question_mark_wherever_it_stands)
{
	for (unsigned byte = 1; byte < 256; byte++) {
		for (size_t at = 0; at < 20; at++) {
			char text[] = "a text of 20 letters";
			text[at] = (char)byte;
			char *made = printed(text);
			if (byte < ' ' || byte == 0x7f)
				text[at] = '?';
			assert_string_equal(made, text);
			free(made);
		}
	}
}

TEST(texts_of_any_length_are_written_whole)
{
	char text[40] = "", wanted[40] = "";

	for (size_t length = 0; length + 1 < sizeof(text); length++) {
		char *made = printed(text);
		assert_string_equal(made, wanted);
		free(made);
		text[length] = length % 3 ? '\n' : (char)0xc3;
		wanted[length] = length % 3 ? '?' : (char)0xc3;
	}
}

TEST(control_characters_of_utf8_are_question_marks_and_other_characters_stay)
{
	for (size_t at = 0; at + 2 < 20; at++) {
		for (unsigned byte = 0x80; byte < 0xc0; byte++) {
			char text[] = "a text of 20 letters", wanted[sizeof(text)];
			text[at] = (char)0xc2;
			text[at + 1] = (char)byte;
			strcpy(wanted, text);
			if (byte < 0xa0) {
				wanted[at] = '?';
				strcpy(wanted + at + 1, text + at + 2);
			}
			char *made = printed(text);
			assert_string_equal(made, wanted);
			free(made);
		}
	}
	char *made = printed("cut \xc2"); // no character
	assert_string_equal(made, "cut \xc2");
	free(made);
}

TEST(what_follows_the_bytes_of_a_text_is_not_written)
{
	const char text[] = "cut \xc2\x85 here"; // in the middle of a character

	for (size_t count = 0; count <= 5; count++) {
		char *made = printed_bytes(text, count);
		assert_int_equal(strlen(made), count);
		assert_memory_equal(made, text, count);
		free(made);
	}
}

UNIT_TESTS(base_output)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_control_character_is_a_question_mark_wherever_it_stands),
		cmocka_unit_test(texts_of_any_length_are_written_whole),
		cmocka_unit_test(
			control_characters_of_utf8_are_question_marks_and_other_characters_stay),
		cmocka_unit_test(what_follows_the_bytes_of_a_text_is_not_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
