// One image, and any number of indexes and symbolizers of it at the same time.
#include "unit_test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/index.h>
#include <inlinecall/extra/lines.h>
#include <inlinecall/image.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"
#include "fixtures/split.h"

enum { THREADS = 8, ROUNDS = 12, VIEW_KINDS = 4, END = 0x3200 };

// The contents of an index, and the symbols of its code.
static char *text_of_index(struct ic_image *image, uint32_t number, const char *const *names)
{
	const struct ic_index_options options = { .jobs = number % 3,
						  .declarations = true,
						  .functions = names };
	struct ic_error err = { .message = "" };
	struct scan scan = { .index = ic_index_build(image, &options, &err) };
	char *text = NULL;
	size_t size = 0;
	struct ic_symbol symbol;

	if (!scan.index)
		return strdup(err.message);
	FILE *out = open_memstream(&text, &size);
	fputs(scan_everything(&scan), out);
	for (uint64_t addr = 0; addr < END; addr += 0x40)
		if (ic_index_symbol_of(scan.index, (struct ic_range){ addr, addr + 1 }, NULL,
				       &symbol))
			fprintf(out, "%s ", symbol.name);
	fclose(out);
	free(scan.text);
	ic_index_free(scan.index);
	return text;
}

static struct ic_symbolizer *new_symbolizer(struct ic_image *image, uint32_t number)
{
	const struct ic_symbolizer_options options = { .jobs = number % 3 };
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(image, &options, NULL);

	assert_non_null(symbolizer);
	return symbolizer;
}

// The frames at addresses, looked up one by one or at once.
static char *text_of_stacks(struct ic_image *image, uint32_t number)
{
	struct lookup lookup = { .symbolizer = new_symbolizer(image, number) };
	uint64_t addrs[END / 0x10];
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	for (uint32_t i = 0; i < COUNT_OF(addrs); i++)
		addrs[i] = i * 0x10;
	struct ic_stacks *stacks =
		number & 1 ? ic_stacks_find(lookup.symbolizer, addrs, COUNT_OF(addrs), NULL) : NULL;
	for (uint32_t i = 0; i < COUNT_OF(addrs); i++)
		fprintf(out, "%s\n",
			stacks ? lookup_stack(&lookup, stacks, i) : lookup_text(&lookup, addrs[i]));
	fprintf(out, "%s", lookup_problems(&lookup));
	fclose(out);
	ic_stacks_free(stacks);
	free(lookup.text);
	ic_symbolizer_free(lookup.symbolizer);
	return text;
}

static char *text_of_lines(struct ic_image *image, uint32_t number)
{
	struct ic_symbolizer *symbolizer = new_symbolizer(image, number);
	struct ic_error err = { .message = "" };
	struct ic_lines *lines = ic_lines_find(symbolizer, "a.c", 2, &err);
	char *text = NULL;

	assert_true(asprintf(&text, "%zu places", lines ? ic_lines_count(lines) : 0) > 0);
	ic_lines_free(lines);
	ic_symbolizer_free(symbolizer);
	return text;
}

static char *text_of(struct ic_image *image, uint32_t kind, uint32_t number)
{
	static const char *const names[] = { "a.c.leaf", NULL };

	switch (kind) {
	case 0: return text_of_index(image, number, NULL);
	case 1: return text_of_stacks(image, number);
	case 2: return text_of_index(image, number, names); // of some units, and relocates those
	}
	return text_of_lines(image, number);
}

struct user {
	struct ic_image *image;
	char *const *wanted; // by kind
	uint32_t number, wrong;
};

static void *use_image(void *argument)
{
	struct user *user = argument;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t kind = (user->number + i) % VIEW_KINDS;
		char *text = text_of(user->image, kind, user->number + i / VIEW_KINDS);
		user->wrong += strcmp(text, user->wanted[kind]) != 0;
		free(text);
	}
	return NULL;
}

static struct ic_image *open_image(const char *path)
{
	struct ic_error err = { .message = "" };
	struct ic_image *image = ic_image_open(path, NULL, &err);

	if (!image)
		fail_msg("%s", err.message);
	return image;
}

static void check_shared(const char *path, const char *host)
{
	char *wanted[VIEW_KINDS];
	struct user users[THREADS];
	pthread_t threads[THREADS];

	for (uint32_t kind = 0; kind < VIEW_KINDS; kind++) {
		struct ic_image *alone = open_image(path);
		wanted[kind] = text_of(alone, kind, 0);
		ic_image_free(alone);
	}
	assert_non_null(strstr(wanted[0], host));
	assert_non_null(strstr(wanted[1], host));
	struct ic_image *image = open_image(path);
	for (uint32_t i = 0; i < THREADS; i++) {
		users[i] = (struct user){ image, wanted, i, 0 };
		assert_int_equal(pthread_create(&threads[i], NULL, use_image, &users[i]), 0);
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_int_equal(users[i].wrong, 0);
	}
	ic_image_free(image);
	for (uint32_t kind = 0; kind < VIEW_KINDS; kind++)
		free(wanted[kind]);
}

// ---- Of files of each kind

static void add_symbols(struct elf_builder *elf, const char *section, uint64_t start)
{
	for (uint64_t i = 0; i < 3; i++)
		elf_add_symbol(elf, (struct elf_symbol){ .name = i == 1 ? "second" : "others",
							 .section = section,
							 .value = start + i * 0x80,
							 .size = 0x80,
							 .type = STT_FUNC });
}

// Two units, of which the second refers to the first.
static const char *write_program(struct elf_format elf_format, enum elf_compression compression)
{
	bool is_linked = elf_format.type != ET_REL;
	struct dwarf_format format = { .version = 5,
				       .addr_size = 8,
				       .relocs = is_linked ? DWARF_RELOCS_NONE : DWARF_RELOCS_RELA,
				       .offset_size = 4 };
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct elf_builder *elf = elf_builder_new(elf_format);

	dw_addr_target(dw, is_linked ? NULL : ".text");
	program_put(dw,
		    &(struct program_unit){ .name = "a.c", .start = is_linked ? CODE_START : 0 });
	program_put(dw, &(struct program_unit){ .name = "b.c",
						.start = is_linked ? CODE_START + 0x1000 : 0x1000,
						.origin = "a.c" });
	dw_addr_target(dw, NULL);
	elf_add_code(elf, ".text", is_linked ? CODE_START : 0, 0x2000);
	add_symbols(elf, ".text", is_linked ? CODE_START : 0);
	elf_add_dwarf_compressed(elf, dw, compression);
	dwarf_builder_free(dw);
	return elf_end_at(elf, "a.out");
}

TEST(a_linked_program_may_have_any_number_of_users)
{
	struct elf_format format = { .bits = 64, .machine = EM_X86_64, .type = ET_EXEC };

	check_shared(write_program(format, ELF_COMPRESSION_NONE), "a.c.main");
	check_shared(write_program(format, ELF_COMPRESSION_ZSTD), "a.c.main");
}

TEST(a_relocatable_file_may_have_any_number_of_users)
{
	struct elf_format format = { .bits = 64, .machine = EM_X86_64, .type = ET_REL };

	check_shared(write_program(format, ELF_COMPRESSION_NONE), "a.c.main");
	check_shared(write_program(format, ELF_COMPRESSION_ZLIB), "a.c.main");
}

TEST(a_program_of_split_dwarf_may_have_any_number_of_users)
{
	static const struct split_unit units[] = {
		{ .id = 1,
		  .name = "one",
		  .dwo_name = "all.dwo",
		  .start = 0x1000,
		  .has_high_pc = true },
		{ .id = 2,
		  .name = "two",
		  .dwo_name = "all.dwo",
		  .start = 0x2000,
		  .has_high_pc = true },
	};

	check_shared(split_write(split_format_number(0), units, 2, "a.out", "all.dwo"), "one");
}

TEST(a_stripped_program_may_have_any_number_of_users)
{
	struct elf_format format = {
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .no_symtab = true
	};
	struct elf_builder *mini = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_EXEC });
	struct elf_builder *elf = elf_builder_new(format);
	struct dwarf_builder *dw = scan_builder(4);

	elf_add_nobits(mini, ".text", CODE_START, 0x2000, SHF_ALLOC | SHF_EXECINSTR);
	add_symbols(mini, ".text", CODE_START + 0x200);
	program_put(dw, &(struct program_unit){ .name = "a.c", .start = CODE_START });
	elf_add_code(elf, ".text", CODE_START, 0x2000);
	elf_add_mini_debug(elf, elf_build(mini));
	elf_builder_free(mini);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	check_shared(elf_end_at(elf, "a.out"), "second");
}

// If symbols cannot be sorted for lack of memory, each user has the problem.
TEST(symbols_that_take_too_much_memory_are_a_problem)
{
	enum { SYMBOLS = 40000, QUESTIONS = 32 };
	const struct ic_image_options options = { .max_memory = 1 << 20 };
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_error err = { .message = "" };
	struct ic_symbolizer_symbol at;
	struct ic_index_problem problem;
	struct ic_symbol symbol;
	uint32_t found = 0;

	program_put(dw, &(struct program_unit){ .name = "a.c", .start = CODE_START });
	elf_add_code(elf, ".text", CODE_START, SYMBOLS);
	for (uint64_t i = 0; i < SYMBOLS; i++)
		elf_add_symbol(elf, (struct elf_symbol){ .name = "f",
							 .section = ".text",
							 .value = CODE_START + i,
							 .size = 1,
							 .type = STT_FUNC });
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	struct ic_image *image = ic_image_open(elf_end_at(elf, "a.out"), &options, &err);
	struct ic_index *index = image ? ic_index_build(image, NULL, &err) : NULL;
	if (!index)
		fail_msg("%s", err.message);
	struct ic_symbolizer *symbolizer = new_symbolizer(image, 1);

	assert_false(ic_index_problem_get(index, 0, &problem));
	for (uint64_t i = 0; i < QUESTIONS; i++)
		found += ic_index_symbol_of(index,
					    (struct ic_range){ CODE_START + i, CODE_START + i + 1 },
					    NULL, &symbol);
	assert_true(found > 0 && found < QUESTIONS);
	assert_true(ic_index_problem_get(index, 0, &problem));
	assert_non_null(strstr(problem.message, "symbols exceed the memory limit"));
	assert_int_equal(ic_index_count(index).problems, 1);
	assert_false(ic_index_problem_get(index, 1, &problem));
	assert_false(ic_symbolizer_symbol_at(symbolizer, CODE_START, &at));
	for (int i = 0; i < 2; i++) { // reported once
		assert_true(ic_symbolizer_problem_get(symbolizer, 0, &problem));
		assert_non_null(strstr(problem.message, "memory limit"));
		assert_false(ic_symbolizer_problem_get(symbolizer, 1, &problem));
	}
	ic_symbolizer_free(symbolizer);
	ic_index_free(index);
	ic_image_free(image);
}

UNIT_TESTS(elf_image_shared_image)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_linked_program_may_have_any_number_of_users),
		cmocka_unit_test(a_relocatable_file_may_have_any_number_of_users),
		cmocka_unit_test(a_program_of_split_dwarf_may_have_any_number_of_users),
		cmocka_unit_test(a_stripped_program_may_have_any_number_of_users),
		cmocka_unit_test(symbols_that_take_too_much_memory_are_a_problem),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
