// Programs of Go without DWARF: from the parts of the table to units.
#include "unit_test.h"

#include <stdlib.h>

#include "fixtures/elf.h"
#include "fixtures/go.h"
#include "fixtures/lookup.h"
#include "fixtures/scan.h"

#define HOSTS_FIRST "host main.first 0x401000-0x401030 at 0x401000\n"
#define HOSTS_MAIN  "host main.main 0x401040-0x401070 at 0x401040\n"
#define HOSTS       "unit ?\n" HOSTS_FIRST HOSTS_MAIN
#define INLINED                                                                  \
	" inlined main.mid 0x401048-0x401058 at 0x401048 from /src/main.go:10\n" \
	"  inlined main.leaf 0x401050-0x401058 at 0x401050 from /src/main.go:70\n"

static void make(struct go_parts *parts, uint32_t release, unsigned format)
{
	struct go_table table = go_table_of(release, format & 1 ? 8 : 4, format & 2);

	go_parts_make(parts, &table);
}

static void check(struct go_parts *parts, const char *wanted)
{
	struct scan scan;

	scan_open_path(&scan, go_parts_write(parts, "a.out"), NULL);
	assert_scan(&scan, wanted);
	scan_close(&scan);
}

TEST(every_release_says_the_same_in_every_format)
{
	static const uint32_t releases[] = { 9, 12, 13, 15, 16, 18, 20, 27 };

	for (size_t i = 0; i < COUNT_OF(releases); i++) {
		for (unsigned format = 0; format < 4; format++) {
			struct go_parts parts;
			make(&parts, releases[i], format);
			check(&parts, HOSTS INLINED);
			make(&parts, releases[i], format);
			parts.is_headless = true;
			check(&parts, HOSTS INLINED);
		}
	}
}

TEST(a_table_that_cannot_be_read_is_said)
{
	struct ic_image *image;
	struct go_parts parts;
	struct ic_error err;

	make(&parts, 20, 1);
	memset(parts.bytes.data, 0xee, 8);
	image = ic_image_open(go_parts_write(&parts, "a.out"), NULL, &err);
	assert_non_null(image);
	assert_null(ic_index_build(image, NULL, &err));
	assert_non_null(strstr(err.message, "a.out: .gopclntab+0x0: not a function table of Go"));
	ic_image_free(image);
}

TEST(a_number_of_functions_beyond_the_table_is_said)
{
	for (unsigned format = 0; format < 4; format++) {
		uint8_t size = format & 1 ? 8 : 4;
		struct go_parts parts;
		struct ic_error err;
		make(&parts, 20, format);
		byte_buffer_patch(&parts.bytes, 8, 100000, size);
		struct ic_image *image = ic_image_open(go_parts_write(&parts, "a.out"), NULL, &err);
		assert_non_null(image);
		assert_null(ic_index_build(image, NULL, &err));
		assert_non_null(strstr(err.message, "shorter than its header says"));
		ic_image_free(image);
	}
}

TEST(module_data_that_are_not_there_are_said)
{
	struct go_parts parts;
	struct scan scan;

	make(&parts, 20, 1);
	go_module_set(&parts, 17, 77);
	scan_open_path(&scan, go_parts_write(&parts, "a.out"), NULL);
	assert_non_null(strstr(scan_text(&scan), "the module data of this table was not found"));
	assert_null(strstr(scan_text(&scan), "inlined main"));
	scan_close(&scan);
}

TEST(records_of_calls_that_make_no_sense_are_said)
{
	struct go_parts parts;
	struct scan scan;

	make(&parts, 20, 1);
	memset(parts.calls.data, 0xee, parts.calls.size);
	scan_open_path(&scan, go_parts_write(&parts, "a.out"), NULL);
	assert_non_null(strstr(scan_text(&scan), HOSTS "problem "));
	assert_non_null(strstr(scan_text(&scan), "inlined calls cannot be read"));
	scan_close(&scan);
}

// ---- Code in several sections

static void put_texts(struct go_parts *parts, uint64_t count, uint64_t room)
{
	static const uint64_t texts[] = { 0, 64, GO_TEXT, 64, 128, GO_TEXT + 0x800 };
	uint8_t size = parts->table.pointer_size;

	parts->before.big_endian = parts->table.big_endian;
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		byte_buffer_put(&parts->before, texts[i], size);
	go_module_set(parts, 41, GO_BEFORE);
	go_module_set(parts, 42, count);
	go_module_set(parts, 43, room);
}

TEST(offsets_of_code_count_from_its_section)
{
	for (unsigned format = 0; format < 4; format++) {
		struct go_parts parts;
		make(&parts, 20, format);
		put_texts(&parts, 2, 2);
		check(&parts,
		      "unit ?\n" HOSTS_FIRST "host main.main 0x401800-0x401830 at 0x401800\n"
		      " inlined main.mid 0x401808-0x401818 at 0x401808 from "
		      "/src/main.go:10\n"
		      "  inlined main.leaf 0x401810-0x401818 at 0x401810 from "
		      "/src/main.go:70\n");
		make(&parts, 20, format);
		put_texts(&parts, 100, 100); // more than the file has
		check(&parts, HOSTS INLINED);
	}
}

// ---- Addresses that the dynamic linker fills in

static void put_relative(struct byte_buffer *out, uint64_t off, uint64_t addr)
{
	enum { RELATIVE = 8 }; // of x86-64

	byte_buffer_put(out, GO_TABLE + off, 8);
	byte_buffer_put(out, RELATIVE, 8);
	byte_buffer_put(out, addr, 8);
}

// Before Go 1.18 the table itself has addresses.
TEST(addresses_that_are_filled_in_are_those_of_the_functions)
{
	enum { DYNAMIC_SIZE = 48, LIST = 16 };
	static const uint64_t dynamic[] = { DT_RELA,   GO_BEFORE + DYNAMIC_SIZE,
					    DT_RELASZ, 24 * 6,
					    DT_NULL,   0 };
	struct go_table table = go_table_of(9, 8, IC_HOST_IS_BIG_ENDIAN);
	struct go_parts parts;
	struct scan scan;
	struct ic_error err;

	table.text = 0;
	go_parts_make(&parts, &table);
	parts.before.big_endian = table.big_endian;
	for (size_t i = 0; i < COUNT_OF(dynamic); i++)
		byte_buffer_put(&parts.before, dynamic[i], 8);
	for (uint64_t i = 0; i < 5; i++) { // the list of functions, its end, and their records
		uint64_t item = LIST + 16 * (i % 3);
		put_relative(&parts.before,
			     i < 3 ? item : ic_load64(parts.bytes.data + item + 8, false),
			     GO_TEXT + 64 * (i % 3));
	}
	byte_buffer_fill(&parts.before, 0, 24); // of no type
	scan = (struct scan){ .image = ic_image_open(go_parts_write(&parts, "a.out"), NULL, &err) };
	assert_non_null(scan.image);
	scan.image->file.machine = EM_X86_64;
	scan.image->file.layout.dynamic = (struct ic_range){ GO_BEFORE, GO_BEFORE + DYNAMIC_SIZE };
	scan.index = ic_index_build(scan.image, NULL, &err);
	assert_non_null(scan.index);
	assert_scan(&scan, HOSTS INLINED);
	scan_close(&scan);
}

// ---- Units

enum { MANY = 300 };

TEST(units_have_a_number_of_functions_and_say_what_code_they_have)
{
	static struct go_function functions[MANY];
	struct go_table table = go_table_of(20, 8, false);
	struct go_parts parts;
	struct scan scan;
	struct lookup lookup;

	for (uint32_t i = 0; i < MANY; i++)
		functions[i] = (struct go_function){ .entry = 8ull * i,
						     .name = i == 200 ? "main.sought" : "main.f",
						     .files = go_files,
						     .lines = go_lines };
	table.functions = functions;
	table.count = MANY;
	table.end = 8 * MANY;
	go_parts_make(&parts, &table);
	const char *path = go_parts_write(&parts, "a.out");
	scan_open_path(&scan, path, NULL);
	assert_int_equal(scan.index->unit_count, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(scan.index->units[i].instance_count, i < 2 ? 128 : MANY - 256);
	scan_close(&scan);
	lookup_open_path(&lookup, path);
	assert_lookup(&lookup, GO_TEXT + 8 * 200, "main.sought /src/main.go:10");
	assert_lookup(&lookup, GO_TEXT + 8 * 200 - 1, "main.f /src/main.go:10");
	assert_lookup(&lookup, GO_TEXT + 8 * 128 - 1,
		      "main.f /src/main.go:10"); // of the first unit
	assert_lookup(&lookup, GO_TEXT + 8 * 128, "main.f /src/main.go:10");
	assert_lookup(&lookup, GO_TEXT + 8 * MANY, "");
	assert_string_equal(lookup_problems(&lookup), "");
	lookup_close(&lookup);
}

TEST(a_list_that_is_not_in_order_is_said_and_its_other_functions_stay)
{
	static struct go_function functions[3];
	struct go_table table = go_table_of(20, 8, false);
	struct go_parts parts;
	struct scan scan;

	functions[0] = go_functions[0];
	functions[1] = go_functions[0];
	functions[1].entry = 32;
	functions[2] = go_functions[1];
	functions[2].entry = 16;
	table.functions = functions;
	table.count = 3;
	table.end = 80;
	go_parts_make(&parts, &table);
	scan_open_path(&scan, go_parts_write(&parts, "a.out"), NULL);
	assert_non_null(
		strstr(scan_text(&scan), "does not start before the next one in the table"));
	assert_non_null(strstr(scan_text(&scan), "host main.main 0x401010-0x401040"));
	scan_close(&scan);
}

UNIT_TESTS(tables_go_table)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_release_says_the_same_in_every_format),
		cmocka_unit_test(a_table_that_cannot_be_read_is_said),
		cmocka_unit_test(a_number_of_functions_beyond_the_table_is_said),
		cmocka_unit_test(module_data_that_are_not_there_are_said),
		cmocka_unit_test(records_of_calls_that_make_no_sense_are_said),
		cmocka_unit_test(offsets_of_code_count_from_its_section),
		cmocka_unit_test(addresses_that_are_filled_in_are_those_of_the_functions),
		cmocka_unit_test(units_have_a_number_of_functions_and_say_what_code_they_have),
		cmocka_unit_test(a_list_that_is_not_in_order_is_said_and_its_other_functions_stay),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
