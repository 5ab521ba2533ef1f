// Inputs of the targets on BTF: tables in both forms, and types of the location kinds.
#include "corpus.h"

#include <stdio.h>

#include "btf_builder.h"
#include "dwarf_constants.h"
#include "elf_builder.h"

enum { KIND_LOC_PARAM = 20, KIND_LOC_PROTO = 21, KIND_LOCSEC = 22 };

// For reading a table, and for writing what was read.
static void put_both(const struct corpus *corpus, const char *name, struct bytes types,
		     struct bytes table)
{
	const struct bytes sections[] = { types, table };

	corpus_put(corpus, "fuzz_btf_inline", name, (struct bytes){ NULL, 0 }, sections, 2);
	corpus_put(corpus, "fuzz_btf_encode", name, (struct bytes){ NULL, 0 }, sections, 2);
}

static void put_tables(const struct corpus *corpus)
{
	for (unsigned i = 0; i < 2; i++) {
		struct byte_buffer table = { .data = NULL };
		struct btf_builder types;
		char name[32];

		btf_example_types(&types, i & 1);
		btf_example_write(&table, i & 1);
		snprintf(name, sizeof(name), "table-%u", i);
		put_both(corpus, name, btf_section(&types), byte_buffer_view(&table));
		btf_builder_deinit(&types);
		byte_buffer_deinit(&table);
	}
}

static void put_param(struct btf_builder *btf, uint32_t flags, uint32_t count)
{
	btf_type(btf, NULL, KIND_LOC_PARAM, count, false, 8);
	btf_word(btf, flags);
	for (uint32_t i = 0; i < count; i++)
		btf_word(btf, 5 + i);
}

static void put_calls(struct btf_builder *btf)
{
	uint32_t first = btf->next_id;

	put_param(btf, 8, 1);
	put_param(btf, 8, 2);
	put_param(btf, 0x38, 2);
	put_param(btf, 0x18, 1);
	put_param(btf, 0x29, 2);
	put_param(btf, 3, 1);
	put_param(btf, 6, 2);
	uint32_t list = btf_type(btf, NULL, KIND_LOC_PROTO, 7, false, 0);
	for (uint32_t i = 0; i < 7; i++)
		btf_word(btf, first + i);
	btf_type(btf, ".text", KIND_LOCSEC, 2, false, 0);
	for (uint32_t i = 0; i < 2; i++) {
		btf_word(btf, 7 + i);
		btf_word(btf, list);
		btf_word(btf, 0x40 * i);
	}
}

static void put_kinds(const struct corpus *corpus, unsigned number)
{
	struct btf_builder base, btf;
	bool big_endian = number & 1, is_split = number & 2;
	char name[32];

	btf_example_types(&base, big_endian);
	if (is_split)
		btf_builder_init(&btf, &base, big_endian);
	else
		btf_example_types(&btf, big_endian);
	put_calls(&btf);
	if (number & 4) // the sizes of 23 kinds, which it need not say
		byte_buffer_fill(&btf.layout, 0, 92);
	snprintf(name, sizeof(name), "kinds-%u", number);
	corpus_put(corpus, "fuzz_btf_loc", name, (struct bytes){ NULL, 0 },
		   (struct bytes[]){ is_split ? btf_section(&base) : (struct bytes){ NULL, 0 },
				     btf_section(&btf) },
		   2);
	put_both(corpus, name, btf_section(&base), btf_section(&btf));
	btf_builder_deinit(&btf);
	btf_builder_deinit(&base);
}

// Files without DWARF that have a table: in the RFC's form, or of kinds.
static void put_files(const struct corpus *corpus)
{
	for (unsigned i = 0; i < 4; i++) {
		bool big_endian = i & 1, is_kinds = i & 2;
		struct elf_builder *elf = elf_builder_new(
			(struct elf_format){ .bits = 64,
					     .big_endian = big_endian,
					     .machine = big_endian ? EM_PPC64 : EM_X86_64,
					     .type = ET_EXEC });
		struct byte_buffer table = { .data = NULL };
		struct btf_builder types, kinds;
		char name[32];

		btf_example_types(&types, big_endian);
		btf_builder_init(&kinds, &types, big_endian);
		btf_example_write(&table, big_endian);
		put_calls(&kinds);
		elf_add_code(elf, ".text", 0x1000, 0x100);
		for (unsigned j = 0; j < 2; j++)
			elf_add_symbol(elf, (struct elf_symbol){ .name = j ? "leaf" : "top",
								 .section = ".text",
								 .value = 0x1000 + 0x80 * j,
								 .size = 0x80,
								 .type = STT_FUNC });
		elf_add_section(
			elf, (struct elf_section){ .name = ".BTF", .bytes = btf_section(&types) });
		elf_add_section(
			elf, (struct elf_section){ .name = ".BTF.inline",
						   .bytes = is_kinds ? btf_section(&kinds)
								     : byte_buffer_view(&table) });
		snprintf(name, sizeof(name), "inline-table-%u", i);
		struct bytes file = elf_build(elf);
		corpus_put(corpus, "fuzz_file", name, (struct bytes){ 0 }, &file, 1);
		corpus_put(corpus, "fuzz_image_write", name, CORPUS_BYTES(255), &file, 1);
		elf_builder_free(elf);
		btf_builder_deinit(&kinds);
		btf_builder_deinit(&types);
		byte_buffer_deinit(&table);
	}
}

// Types to add to others, one of each kind.
static void put_additions(const struct corpus *corpus, unsigned number)
{
	struct byte_buffer additions = { .data = NULL };
	struct btf_builder base, btf;
	bool big_endian = number & 1, is_split = number & 2;
	char name[32];

	btf_example_types(&base, big_endian);
	btf_builder_init(&btf, is_split ? &base : NULL, big_endian);
	if (is_split)
		put_calls(&btf);
	for (uint8_t kind = 0; kind < 14; kind++) {
		byte_buffer_put(&additions, kind | 0x90u, 1); // with words and names
		byte_buffer_put(&additions, kind % 7u, 1);    // the name
		byte_buffer_put(&additions, 4, 2);            // the size
		byte_buffer_fill(&additions, 1, kind == 13 ? 12 : 3);
	}
	snprintf(name, sizeof(name), "more-%u", number);
	corpus_put(corpus, "fuzz_btf_more", name, (struct bytes){ NULL, 0 },
		   (struct bytes[]){ is_split ? btf_section(&base) : (struct bytes){ NULL, 0 },
				     is_split ? btf_section(&btf) : btf_section(&base),
				     byte_buffer_view(&additions) },
		   3);
	btf_builder_deinit(&btf);
	btf_builder_deinit(&base);
	byte_buffer_deinit(&additions);
}

// A program with DWARF, types that have some of its functions, and a table with some of its calls.
static void put_program(const struct corpus *corpus, uint8_t choice)
{
	bool big_endian = choice & 1;
	const struct dwarf_format format = { choice & 2 ? 5 : 4, 4, 8, big_endian,
					     DWARF_RELOCS_NONE };
	struct dwarf_builder *dw = choice & 4 ? corpus_types(format, DW_LANG_C99)
					      : corpus_program(format, NULL);
	struct elf_builder *elf =
		elf_builder_new((struct elf_format){ .bits = 64,
						     .big_endian = big_endian,
						     .machine = big_endian ? EM_S390 : EM_X86_64,
						     .type = ET_EXEC });
	struct byte_buffer table = { .data = NULL };
	struct btf_builder types;
	char name[32];

	elf_add_code(elf, ".text", 0x1000, 0x2000);
	for (unsigned i = 0; i < 3; i++)
		elf_add_symbol(elf, (struct elf_symbol){ .name = i == 0   ? "main"
								 : i == 1 ? "top"
									  : "other",
							 .section = ".text",
							 .value = 0x1000 * (i == 2 ? 2 : 1),
							 .size = 0x100,
							 .type = STT_FUNC });
	elf_add_dwarf(elf, dw);
	btf_example_types(&types, big_endian);
	btf_function(&types, "main", NULL, 0);
	btf_function(&types, "get", NULL, 0);
	btf_example_write(&table, big_endian);
	snprintf(name, sizeof(name), "program-%u", choice);
	corpus_put(
		corpus, "fuzz_btf_file", name, CORPUS_BYTES(choice),
		(struct bytes[]){ btf_section(&types), byte_buffer_view(&table), elf_build(elf) },
		3);
	elf_builder_free(elf);
	dwarf_builder_free(dw);
	btf_builder_deinit(&types);
	byte_buffer_deinit(&table);
}

void corpus_write_btf(const struct corpus *corpus)
{
	for (unsigned i = 0; i < 4; i++)
		put_additions(corpus, i);
	for (uint8_t i = 0; i < 12; i++)
		put_program(corpus, i);
	put_tables(corpus);
	for (unsigned i = 0; i < 8; i++)
		put_kinds(corpus, i);
	put_files(corpus);
}
