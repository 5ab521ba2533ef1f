#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "elf/sections/load.h"
#include "elf/sections/relocate.h"
#include "fixtures/relocate.h"

TEST(a_symbol_of_a_section_has_the_address_that_the_section_was_given)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	const struct section_reloc relocs[] = {
		{ .off = 0, .size = 8, .target = ".text.b", .addend = 0x10 },
		{ .off = 8, .size = 8, .target = "undefined", .addend = 3 },
		{ .off = 16, .size = 4, .target = ".debug_str", .addend = 7 },
	};
	struct ic_elf_file file;
	struct ic_error err;
	uint8_t data[20] = { 0 };

	elf_add_code(elf, ".text.a", 0, 0x100);
	elf_add_code(elf, ".text.b", 0, 0x100);
	elf_add_section(elf, (struct elf_section){ .name = ".debug_str" });
	add_data(elf, data, sizeof(data));
	elf_add_symbol(elf, (struct elf_symbol){ .name = "undefined", .bind = STB_GLOBAL });
	elf_add_relocs(elf, ".debug_info", relocs, COUNT_OF(relocs));
	elf_end_and_open(&file, elf);
	assert_true(load(&file, 1, &err));
	const uint8_t *bytes = ic_elf_file_section(&file, ".debug_info")->bytes.data;
	assert_int_equal(ic_load64(bytes, file.swap),
			 ic_elf_file_section(&file, ".text.b")->addr + 0x10);
	assert_int_equal(ic_load64(bytes + 8, file.swap), 3);
	assert_int_equal(ic_load32(bytes + 16, file.swap), 7);
	ic_elf_file_close(&file);
}

TEST(relocations_out_of_order_are_applied_too)
{
	const struct section_reloc relocs[] = {
		{ .off = 6, .type = R_X86_64_16, .target = "symbol" },
		{ .off = 0, .type = R_X86_64_32, .target = "symbol" },
		{ .off = 2, .type = R_X86_64_16, .target = "one" }, // over a part of the last
		{ .off = 4, .type = R_X86_64_8, .target = "one", .addend = 1 },
	};
	const struct ic_bytes wanted = BYTES(0x78, 0x56, 1, 0, 2, 0, 0x78, 0x56);
	struct ic_elf_file file;
	struct ic_error err;

	assert_true(apply(&file, EM_X86_64, BYTES(0, 0, 0, 0, 0, 0, 0, 0), relocs, 4, &err));
	assert_memory_equal(ic_elf_file_section(&file, ".debug_info")->bytes.data, wanted.data, 8);
	ic_elf_file_close(&file);
}

TEST(a_machine_that_nobody_knows_is_refused)
{
	const struct section_reloc reloc = { .off = 0, .type = 1, .target = "symbol" };

	check_refused(EM_VAX, BYTES(0, 0, 0, 0, 0, 0, 0, 0), &reloc, 1, IC_ERROR_UNSUPPORTED,
		      "relocatable file for a machine (e_machine 75) whose relocations are not "
		      "supported");
}

TEST(many_relocations_are_applied_alike_by_any_number_of_threads)
{
	enum { COUNT = 50000, APART = 12 }; // more than two threads' shares
	static struct section_reloc relocs[COUNT];
	struct byte_buffer data = { 0 };

	byte_buffer_fill(&data, 0, COUNT * APART);
	for (uint32_t i = 0; i < COUNT; i++)
		relocs[i] = (struct section_reloc){ .off = (uint64_t)i * APART,
						    .type = R_X86_64_32,
						    .target = "symbol",
						    .addend = i - (int64_t)SYMBOL_VALUE };
	struct elf_builder *elf = elf_begin(ET_REL);
	struct ic_elf_file file;
	struct ic_error err;
	add_data(elf, data.data, data.size);
	elf_add_relocs(elf, ".debug_info", relocs, COUNT);
	elf_end_and_open(&file, elf);
	assert_true(load(&file, 4, &err));
	const uint8_t *bytes = ic_elf_file_section(&file, ".debug_info")->bytes.data;
	for (uint32_t i = 0; i < COUNT; i++)
		assert_true(ic_load32(bytes + (uint64_t)i * APART, file.swap) == i);
	byte_buffer_deinit(&data);
	ic_elf_file_close(&file);
}

// Loads a section that is relocated after another has been moved by some bytes against its start.
static bool load_beside(int64_t distance, size_t size)
{
	static const uint8_t data[16];
	const struct section_reloc reloc = { .off = 8, .type = R_X86_64_64, .target = "symbol" };
	struct elf_builder *elf = elf_begin(ET_REL);
	struct ic_elf_file file;
	struct ic_error err;

	add_data(elf, data, sizeof(data));
	elf_add_relocs(elf, ".debug_info", &reloc, 1);
	elf_add_section(elf, (struct elf_section){ .name = ".other", .bytes = { data, 1 } });
	elf_end_and_open(&file, elf);
	const struct ic_bytes info = ic_elf_file_section(&file, ".debug_info")->raw;
	ic_elf_file_section(&file, ".other")->raw = (struct ic_bytes){ info.data + distance, size };
	bool ok = load(&file, 1, &err);
	if (!ok) {
		char message[1024];
		snprintf(message, sizeof(message), "%s: sections .debug_info and .other overlap",
			 file.path);
		assert_error(&err, IC_ERROR_MALFORMED, message);
	}
	ic_elf_file_close(&file);
	return ok;
}

TEST(what_is_relocated_lies_on_nothing_else)
{
	assert_true(load_beside(-4, 4));
	assert_false(load_beside(-4, 5));
	assert_false(load_beside(-4, 24)); // all around it
	assert_false(load_beside(0, 16));
	assert_false(load_beside(4, 4)); // inside of it
	assert_false(load_beside(15, 1));
}

struct kind { // a kind of relocations of a machine
	uint16_t machine;
	uint8_t bits;
	uint32_t type;
};

enum { SET_ULEB = 60, SUB_ULEB = 61 }; // of RISC-V, not in all <elf.h>

static const struct kind kinds[] = {
#define ROW(machine, bits, type, size, op) { machine, bits, type },
#include "fixtures/relocate_rows.def"
#undef ROW
	{ EM_RISCV, 64, SET_ULEB },
	{ EM_RISCV, 64, SUB_ULEB },
};

enum { RELOCS = 1500, TAIL = 16 };

struct random_file {
	const struct kind *kind; // one of its machine's
	bool big_endian, rel, unsorted;
	unsigned closeness; // fields begin fewer bytes apart than that
};

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

// The kinds of a machine, with a type drawn from all of them.
static uint32_t draw_type(const struct kind *kind, uint32_t *random)
{
	for (;;) {
		const struct kind *drawn = &kinds[next_random(random) % COUNT_OF(kinds)];
		if (drawn->machine == kind->machine && drawn->bits == kind->bits)
			return drawn->type;
	}
}

static const char *write_random(const struct random_file *of, uint32_t *random)
{
	static struct section_reloc relocs[RELOCS];
	struct elf_builder *elf = elf_builder_new((struct elf_format){ .bits = of->kind->bits,
								       .big_endian = of->big_endian,
								       .machine = of->kind->machine,
								       .type = ET_REL,
								       .rel = of->rel });
	struct byte_buffer data = { 0 };
	uint64_t off = 0;

	for (size_t i = 0; i < RELOCS; i++) {
		relocs[i] = (struct section_reloc){ .off = off,
						    .size = 4,
						    .type = draw_type(of->kind, random),
						    .target = "symbol",
						    .addend = next_random(random) };
		off += next_random(random) % of->closeness;
	}
	for (uint64_t i = 0; i < off + TAIL; i++) // numbers of at most five bytes
		byte_buffer_put(&data, next_random(random) & (i % 5 ? 0xff : 0x7f), 1);
	for (size_t i = 0; of->unsorted && i < 20; i++) {
		struct section_reloc *one = &relocs[next_random(random) % RELOCS];
		struct section_reloc *other = &relocs[next_random(random) % RELOCS], kept = *one;
		*one = *other;
		*other = kept;
	}
	add_data(elf, data.data, data.size);
	elf_add_relocs(elf, ".debug_info", relocs, RELOCS);
	byte_buffer_deinit(&data);
	return elf_end_at(elf, "random.o");
}

static struct ic_section *open_deferred(struct ic_elf_file *file, const char *path)
{
	struct ic_error err = { .message = "" };

	if (!ic_elf_file_open(file, path, &err))
		fail_msg("%s", err.message);
	struct ic_section *info = ic_elf_file_section(file, ".debug_info");
	if (!ic_sections_load_deferring(file, &info, 1, info, 2, &err))
		fail_msg("%s", err.message);
	return info;
}

static void check_parts(const struct random_file *of, uint32_t *random)
{
	const char *path = write_random(of, random);
	struct ic_elf_file whole, file;
	struct ic_error err = { .message = "" };

	assert_true(ic_elf_file_open(&whole, path, &err));
	if (!load(&whole, 2, &err))
		fail_msg("%s", err.message);
	const struct ic_bytes wanted = ic_elf_file_section(&whole, ".debug_info")->bytes;
	struct ic_section *info = open_deferred(&file, path);
	assert_memory_equal(info->bytes.data, info->raw.data, info->raw.size);
	for (int i = 0; i < 12; i++) {
		uint64_t start = next_random(random) % wanted.size;
		uint64_t size = next_random(random) % (i % 3 ? 40 : 4000);
		uint64_t left = wanted.size - start;
		assert_true(ic_section_relocate_part(&file, info, start, start + size, &err));
		assert_memory_equal(info->bytes.data + start, wanted.data + start,
				    size < left ? size : left);
	}
	for (int i = 0; i < 2; i++) { // a second time changes nothing
		assert_true(ic_section_relocate_rest(&file, info, 2, &err));
		assert_memory_equal(info->bytes.data, wanted.data, wanted.size);
	}
	assert_true(ic_section_relocate_part(&file, info, 0, UINT64_MAX, &err));
	assert_memory_equal(info->bytes.data, wanted.data, wanted.size);
	ic_elf_file_close(&file);
	ic_elf_file_close(&whole);
}

TEST(parts_in_any_order_make_what_relocating_at_once_does)
{
	uint32_t random = 1;

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (i > 0 && kinds[i].machine == kinds[i - 1].machine &&
		    kinds[i].bits == kinds[i - 1].bits)
			continue; // one file for all kinds of a machine
		for (unsigned j = 0; j < 16; j++) {
			const struct random_file of = { &kinds[i], j & 1, j & 2, (j & 12) == 12,
							j & 4 ? 30 : 14 };
			check_parts(&of, &random);
		}
	}
}

static struct section_reloc *make_relocs(size_t count, uint64_t apart)
{
	struct section_reloc *relocs = calloc(count, sizeof(*relocs));

	assert_non_null(relocs);
	for (size_t i = 0; i < count; i++)
		relocs[i] = (struct section_reloc){ .off = i * apart,
						    .type = R_X86_64_32,
						    .target = "symbol" };
	return relocs;
}

static const char *write_relocs(const struct section_reloc *relocs, size_t count, size_t size)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	struct byte_buffer data = { 0 };

	byte_buffer_fill(&data, 0xee, size);
	add_data(elf, data.data, data.size);
	elf_add_relocs(elf, ".debug_info", relocs, count);
	byte_buffer_deinit(&data);
	return elf_end_at(elf, "parts.o");
}

static bool is_relocated(const struct ic_section *section, uint64_t off)
{
	uint32_t field = ic_load32(section->bytes.data + off, SWAP_LITTLE);

	assert_true(field == 0xeeeeeeee || field == SYMBOL_VALUE);
	return field == SYMBOL_VALUE;
}

TEST(a_part_is_relocated_with_little_around_it)
{
	enum { COUNT = 1000, APART = 16, MIDDLE = COUNT / 2 * APART };
	struct section_reloc *relocs = make_relocs(COUNT, APART);
	struct ic_elf_file file;
	struct ic_error err;
	unsigned count = 0;

	struct ic_section *info = open_deferred(&file, write_relocs(relocs, COUNT, COUNT * APART));
	assert_true(ic_section_relocate_part(&file, info, MIDDLE, MIDDLE, &err)); // empty
	assert_true(ic_section_relocate_part(&file, info, MIDDLE, 0, &err));
	assert_memory_equal(info->bytes.data, info->raw.data, info->raw.size);
	// A field that reaches into the part from before it, too.
	assert_true(ic_section_relocate_part(&file, info, MIDDLE + 3, MIDDLE + 4, &err));
	assert_true(is_relocated(info, MIDDLE));
	for (uint64_t i = 0; i < COUNT; i++)
		count += is_relocated(info, i * APART);
	assert_in_range(count, 1, 32);
	ic_elf_file_close(&file);
	free(relocs);
}

TEST(what_cannot_be_relocated_fails_its_part_whenever_that_is_asked_for)
{
	enum { COUNT = 1000, APART = 16, BAD = 400 };
	struct section_reloc *relocs = make_relocs(COUNT, APART);
	struct ic_elf_file file;
	struct ic_error err = { .message = "" };
	char wanted[1024];

	relocs[BAD].type = R_X86_64_GOT32;
	relocs[BAD + 200].type = R_X86_64_GOT32;
	struct ic_section *info = open_deferred(&file, write_relocs(relocs, COUNT, COUNT * APART));
	snprintf(wanted, sizeof(wanted),
		 "%s: .rela.debug_info, entry %d: relocation type not for debug sections (type 3)",
		 file.path, BAD);
	assert_true(ic_section_relocate_part(&file, info, 0, 1000, &err));
	for (int i = 0; i < 2; i++) {
		err = (struct ic_error){ .message = "" };
		assert_false(ic_section_relocate_part(&file, info, BAD * APART, (BAD + 201) * APART,
						      &err));
		assert_error(&err, IC_ERROR_MALFORMED, wanted);
		// Other parts are relocated all the same.
		assert_true(ic_section_relocate_part(&file, info, 900 * APART, UINT64_MAX, &err));
		assert_true(is_relocated(info, 999 * APART));
	}
	assert_false(ic_section_relocate_rest(&file, info, 2, &err));
	assert_error(&err, IC_ERROR_MALFORMED, wanted);
	assert_true(is_relocated(info, 700 * APART));
	assert_false(load(&file, 2, &err));
	assert_error(&err, IC_ERROR_MALFORMED, wanted);
	ic_elf_file_close(&file);
	free(relocs);
}

TEST(what_is_not_deferred_is_relocated_at_once)
{
	struct section_reloc *relocs = make_relocs(100, 16);
	struct ic_elf_file file;
	struct ic_error err;

	assert_true(ic_elf_file_open(&file, write_relocs(relocs, 100, 1600), &err));
	struct ic_section *info = ic_elf_file_section(&file, ".debug_info");
	struct ic_section *symtab = ic_elf_file_section(&file, ".symtab");
	struct ic_section *sections[] = { info, symtab };
	assert_true(ic_sections_load_deferring(&file, sections, 2, symtab, 1, &err));
	for (uint64_t i = 0; i < 100; i++)
		assert_true(is_relocated(info, i * 16));
	assert_null(symtab->pending); // it has none
	assert_true(ic_section_relocate_part(&file, symtab, 0, 100, &err));
	assert_true(ic_section_relocate_rest(&file, symtab, 1, &err));
	assert_memory_equal(symtab->bytes.data, symtab->raw.data, symtab->raw.size);
	ic_elf_file_close(&file);
	free(relocs);
}

UNIT_TESTS(elf_sections_relocate)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_symbol_of_a_section_has_the_address_that_the_section_was_given),
		cmocka_unit_test(relocations_out_of_order_are_applied_too),
		cmocka_unit_test(a_machine_that_nobody_knows_is_refused),
		cmocka_unit_test(many_relocations_are_applied_alike_by_any_number_of_threads),
		cmocka_unit_test(what_is_relocated_lies_on_nothing_else),
		cmocka_unit_test(parts_in_any_order_make_what_relocating_at_once_does),
		cmocka_unit_test(a_part_is_relocated_with_little_around_it),
		cmocka_unit_test(
			what_cannot_be_relocated_fails_its_part_whenever_that_is_asked_for),
		cmocka_unit_test(what_is_not_deferred_is_relocated_at_once),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
