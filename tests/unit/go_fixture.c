#include "go_fixture.h"

#include "unit_test.h"

#include "elf_fixture.h"

static uint64_t load_word(const struct go_parts *parts, uint32_t number)
{
	const uint8_t *at = parts->bytes.data + 8 + number * parts->table.pointer_size;
	bool swap = parts->table.big_endian != IC_HOST_IS_BIG_ENDIAN;

	return parts->table.pointer_size == 8 ? ic_load64(at, swap) : ic_load32(at, swap);
}

void go_module_set(struct go_parts *parts, uint32_t word, uint64_t value)
{
	uint8_t size = parts->table.pointer_size;

	byte_buffer_patch(&parts->module, (size_t)word * size, value, size);
}

void go_parts_make(struct go_parts *parts, const struct go_table *table)
{
	*parts = (struct go_parts){ .table = *table, .section = ".gopclntab" };
	go_table_write(table, &parts->bytes, &parts->calls);
	parts->module.big_endian = table->big_endian;
	byte_buffer_fill(&parts->module, 0, (size_t)64 * table->pointer_size);
	if (table->release < 18)
		return;
	// The header's words from the third one on: names, files of units, paths, values,
	// functions.
	go_module_set(parts, 0, GO_TABLE);
	go_module_set(parts, 1, GO_TABLE + load_word(parts, 3));
	go_module_set(parts, 10, GO_TABLE + load_word(parts, 6));
	go_module_set(parts, 16, GO_TABLE + load_word(parts, 7));
	go_module_set(parts, 17, table->count + 1ull);
	go_module_set(parts, 22, table->text);
	go_module_set(parts, table->release < 20 ? 38 : table->release < 27 ? 40 : 43, GO_CALLS);
}

static void add(struct elf_builder *elf, const char *name, uint64_t flags, uint64_t addr,
		const struct byte_buffer *bytes)
{
	elf_add_section(elf, (struct elf_section){ .name = name,
						   .flags = SHF_ALLOC | flags,
						   .addr = addr,
						   .align = 8,
						   .bytes = byte_buffer_view(bytes) });
}

// Without section headers: as programs that were packed.
static void cut_headers(uint8_t *file, bool is_64)
{
	memset(file + (is_64 ? offsetof(Elf64_Ehdr, e_shoff) : offsetof(Elf32_Ehdr, e_shoff)), 0,
	       is_64 ? 8 : 4);
	memset(file + (is_64 ? offsetof(Elf64_Ehdr, e_shentsize)
			     : offsetof(Elf32_Ehdr, e_shentsize)),
	       0, 6);
}

const char *go_parts_write(struct go_parts *parts, const char *name)
{
	static const uint16_t machines[2][2] = { { EM_386, EM_MIPS }, { EM_X86_64, EM_S390 } };
	bool is_64 = parts->table.pointer_size == 8;
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = is_64 ? 64 : 32,
				     .big_endian = parts->table.big_endian,
				     .machine = machines[is_64][parts->table.big_endian],
				     .type = ET_EXEC,
				     .segments = true,
				     .no_symtab = true });
	const char *path = temp_path(name);

	if (parts->before.size > 0)
		add(elf, ".before", 0, GO_BEFORE, &parts->before);
	elf_add_code(elf, ".text", GO_TEXT, GO_TEXT_SIZE);
	add(elf, parts->section, parts->in_code ? SHF_EXECINSTR : 0, GO_TABLE, &parts->bytes);
	add(elf, ".rodata", 0, GO_CALLS, &parts->calls);
	add(elf, parts->is_joined ? ".go.buildinfo" : ".noptrdata", SHF_WRITE, GO_MODULE,
	    &parts->module);
	struct bytes file = elf_build(elf);
	if (parts->is_headless)
		cut_headers((uint8_t *)file.data, is_64);
	temp_write(path, file.data, file.size);
	elf_builder_free(elf);
	byte_buffer_deinit(&parts->before);
	byte_buffer_deinit(&parts->bytes);
	byte_buffer_deinit(&parts->calls);
	byte_buffer_deinit(&parts->module);
	return path;
}
