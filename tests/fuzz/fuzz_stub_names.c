// Fuzzes the names of stubs of dynamic linking: their code, relocations, symbols and names are the
// input's. Wanted: a name is within its section, or there is none.
#include <elf.h>

#include <inlinecall/image.h>

#include "elf/image/stub_names.h"
#include "elf_builder.h"
#include "fuzz_input.h"
#include "open_guard.h"

enum { PLT = 0x1000, MOST_TRIED = 64, SECTIONS = 4 };

static const struct {
	uint16_t machine;
	uint8_t bits;
	bool is_rel;
} machines[] = {
	{ EM_X86_64, 64, false },  { EM_386, 32, true },    { EM_386, 32, false },
	{ EM_AARCH64, 64, false }, { EM_PPC64, 64, false },
};

static struct ic_image *open_image(size_t choice, const struct ic_bytes *sections)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = machines[choice].bits,
		.machine = machines[choice].machine,
		.type = ET_DYN,
		.segments = true,
	});

	elf_add_section(elf,
			(struct elf_section){ .name = ".plt",
					      .flags = SHF_ALLOC | SHF_EXECINSTR,
					      .addr = PLT,
					      .bytes = { sections[0].data, sections[0].size } });
	elf_add_section(elf,
			(struct elf_section){ .name = ".rel.plt",
					      .type = machines[choice].is_rel ? SHT_REL : SHT_RELA,
					      .flags = SHF_ALLOC,
					      .bytes = { sections[1].data, sections[1].size } });
	uint32_t names = elf_add_section(
		elf, (struct elf_section){ .name = ".dynstr",
					   .type = SHT_STRTAB,
					   .bytes = { sections[2].data, sections[2].size } });
	elf_add_section(elf,
			(struct elf_section){ .name = ".dynsym",
					      .type = SHT_DYNSYM,
					      .link = names,
					      .entry_size = machines[choice].bits == 64 ? 24 : 16,
					      .bytes = { sections[3].data, sections[3].size } });
	elf_add_section(elf, (struct elf_section){ .name = ".got.plt",
						   .flags = SHF_ALLOC | SHF_WRITE,
						   .addr = 0x100000,
						   .bytes = { (const uint8_t *)"\0\0\0", 4 } });
	struct bytes bytes = elf_build(elf);
	struct ic_image *image =
		ic_image_open(open_guard_put(bytes.data, bytes.size), &options, NULL);
	elf_builder_free(elf);
	return image;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	size_t choice = fuzz_take_u8(&in) % (sizeof(machines) / sizeof(*machines));
	struct ic_bytes sections[SECTIONS];
	struct ic_stub stub;

	fuzz_take_sections(&in, sections, SECTIONS);
	struct ic_image *image = open_image(choice, sections);
	for (uint64_t off = 0; image && off < sections[0].size + 8 && off < MOST_TRIED; off++) {
		if (!ic_image_stub_find(image, PLT + off, &stub))
			continue;
		PROMISE(ic_image_stub_section(image, PLT + off));
		PROMISE(stub.name || stub.resolver != UINT64_MAX);
		PROMISE(stub.start >= PLT && stub.start <= PLT + off);
		if (stub.name)
			fuzz_read_text(stub.name, NULL);
	}
	ic_image_free(image);
	fuzz_free_sections(sections, SECTIONS);
	return 0;
}
