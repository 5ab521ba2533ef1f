#include "process/jit_code.h"

#include "byte_buffer.h"
#include "unit_test.h"

#include <stdio.h>

static struct ic_jit_code code;
static uint64_t wrong;

static void read_bytes(const void *bytes, size_t size)
{
	ic_jit_code_free(&code);
	code = (struct ic_jit_code){ .functions = { 0 } };
	assert_true(ic_jit_code_read(&code, (struct ic_bytes){ bytes, size }, &wrong));
}

static void read_text(const char *text)
{
	read_bytes(text, strlen(text));
}

// The name of the function at an address, and its line: "name", "name source:line", or "".
static const char *at(uint64_t addr)
{
	static char text[128];
	const struct ic_jit_function *function = ic_jit_code_find(&code, addr);
	const struct ic_jit_line *line = function ? ic_jit_code_line(&code, function, addr) : NULL;

	if (!function)
		return "";
	int size = snprintf(text, sizeof(text), "%.*s", (int)function->name.size,
			    (const char *)function->name.data);
	if (line)
		snprintf(text + size, sizeof(text) - (size_t)size, " %.*s:%u",
			 (int)line->source.size, (const char *)line->source.data, line->line);
	return text;
}

TEST(a_list_has_functions_in_any_order)
{
	read_text("2000 10 second one\n0x1000 0x20 first\n\n3000 8 last");
	assert_string_equal(at(0x1000), "first");
	assert_string_equal(at(0x101f), "first");
	assert_string_equal(at(0x1020), "");
	assert_string_equal(at(0xfff), "");
	assert_string_equal(at(0x200f), "second one");
	assert_string_equal(at(0x3007), "last");
	assert_int_equal(wrong, 0);
}

TEST(of_functions_at_one_address_the_one_written_last_counts)
{
	read_text("1000 10 old\n1000 20 new\n1008 4 inside\n");
	assert_string_equal(at(0x1004), "new");
	assert_string_equal(at(0x1008), "inside");
	assert_string_equal(at(0x1010), "new"); // which goes on behind it
	assert_string_equal(at(0x1020), "");
	read_text("1008 10 old\n1000 10 moved\n"); // to where another one was freed
	assert_string_equal(at(0x100c), "moved");
	assert_string_equal(at(0x1014), "old");
}

TEST(lines_that_are_none_are_counted)
{
	read_text("1000 10\n1000 10 \nx 10 name\n1000 name\n 1000 1 f\n11111111111111111 1 f\n5 5 "
		  "f\n");
	assert_int_equal(wrong, 6);
	assert_string_equal(at(5), "f");
	read_text("");
	assert_int_equal(wrong, 0);
	assert_string_equal(at(0), "");
}

// ---- Jitdumps

static void put_header(struct byte_buffer *out)
{
	byte_buffer_put(out, 0x4a695444, 4);
	byte_buffer_put(out, 1, 4);
	byte_buffer_put(out, 40, 4);
	byte_buffer_put(out, 62, 4);
	byte_buffer_put(out, 0, 4);
	byte_buffer_put(out, 7, 4); // process
	byte_buffer_put(out, 0, 8);
	byte_buffer_put(out, 0, 8);
}

static size_t begin_record(struct byte_buffer *out, unsigned kind)
{
	size_t start = out->size;

	byte_buffer_put(out, kind, 4);
	byte_buffer_put(out, 0, 4);
	byte_buffer_put(out, 1, 8);
	return start;
}

static void end_record(struct byte_buffer *out, size_t start)
{
	byte_buffer_patch(out, start + 4, out->size - start, 4);
}

static void put_load(struct byte_buffer *out, uint64_t addr, uint64_t size, const char *name)
{
	size_t start = begin_record(out, 0);

	byte_buffer_put(out, 7, 4);
	byte_buffer_put(out, 7, 4);
	byte_buffer_put(out, addr, 8);
	byte_buffer_put(out, addr, 8);
	byte_buffer_put(out, size, 8);
	byte_buffer_put(out, 1, 8);
	byte_buffer_string(out, name);
	byte_buffer_append(out, "code", 4);
	end_record(out, start);
}

static void put_move(struct byte_buffer *out, uint64_t from, uint64_t to, uint64_t size)
{
	size_t start = begin_record(out, 1);

	byte_buffer_put(out, 7, 8);
	byte_buffer_put(out, to, 8);
	byte_buffer_put(out, from, 8);
	byte_buffer_put(out, to, 8);
	byte_buffer_put(out, size, 8);
	byte_buffer_put(out, 1, 8);
	end_record(out, start);
}

static void put_line(struct byte_buffer *out, uint64_t addr, unsigned line, const char *source)
{
	byte_buffer_put(out, addr, 8);
	byte_buffer_put(out, line, 4);
	byte_buffer_put(out, 0, 4);
	byte_buffer_string(out, source);
}

static void check_dump(bool big_endian)
{
	struct byte_buffer out = { .big_endian = big_endian };

	put_header(&out);
	size_t start = begin_record(&out, 2);
	byte_buffer_put(&out, 0x1000, 8);
	byte_buffer_put(&out, 2, 8);
	put_line(&out, 0x1000, 5, "a.js");
	put_line(&out, 0x1008, 6, "\xff");
	end_record(&out, start);
	put_load(&out, 0x1000, 0x10, "with lines");
	put_load(&out, 0x2000, 0x10, "without");
	put_move(&out, 0x2000, 0x3000, 0x10);
	end_record(&out, begin_record(&out, 3));
	read_bytes(out.data, out.size);
	assert_int_equal(wrong, 0);
	assert_string_equal(at(0x1007), "with lines a.js:5");
	assert_string_equal(at(0x1008), "with lines a.js:6");
	assert_string_equal(at(0x2000), "without");
	assert_string_equal(at(0x300f), "without");
	assert_string_equal(at(0x3010), "");
	byte_buffer_deinit(&out);
}

TEST(a_dump_has_functions_and_lines)
{
	check_dump(false);
	check_dump(true);
}

// As V8 has them: behind the header of an ELF file.
TEST(lines_may_be_64_bytes_further)
{
	struct byte_buffer out = { .big_endian = false };

	put_header(&out);
	size_t start = begin_record(&out, 2);
	byte_buffer_put(&out, 0x1000, 8);
	byte_buffer_put(&out, 2, 8);
	put_line(&out, 0x1040, 5, "a.js");
	put_line(&out, 0x1048, 6, "a.js");
	end_record(&out, start);
	put_load(&out, 0x1000, 0x10, "f");
	read_bytes(out.data, out.size);
	assert_string_equal(at(0x1007), "f a.js:5");
	assert_string_equal(at(0x1008), "f a.js:6");
	byte_buffer_deinit(&out);
}

TEST(a_dump_that_is_cut_has_what_is_before)
{
	struct byte_buffer out = { .big_endian = false };

	put_header(&out);
	put_load(&out, 0x1000, 0x10, "first");
	size_t second = out.size;
	put_load(&out, 0x2000, 0x10, "second");
	for (size_t size = second; size < out.size; size++) {
		read_bytes(out.data, size);
		assert_int_equal(wrong, size > second);
		assert_string_equal(at(0x1000), "first");
		assert_string_equal(at(0x2000), "");
	}
	read_bytes(out.data, 39);
	assert_int_equal(wrong, 1);
	byte_buffer_deinit(&out);
}

UNIT_TESTS(process_jit_code)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_has_functions_in_any_order),
		cmocka_unit_test(of_functions_at_one_address_the_one_written_last_counts),
		cmocka_unit_test(lines_that_are_none_are_counted),
		cmocka_unit_test(a_dump_has_functions_and_lines),
		cmocka_unit_test(lines_may_be_64_bytes_further),
		cmocka_unit_test(a_dump_that_is_cut_has_what_is_before),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	ic_jit_code_free(&code);
	return failed;
}
