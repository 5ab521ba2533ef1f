// Fuzzes the relocations of a relocatable file, for each machine.
// Wanted: success, or an error that says why; only fields of relocations are written; the outcome
// is the same for one thread and for two, and by parts in any order; and nothing is leaked if
// memory is out.
#include "elf/sections/relocate.h"

#include <elf.h>

#include "elf/sections/crel.h"

#include "alloc_meter.h"
#include "fuzz_input.h"

enum {
	INPUT_SECTIONS = 4, // the target, two sections of relocations, the symbols
	TARGET = 1,
	FIRST_RELOCS,
	SECOND_RELOCS,
	SYMTAB,
	TEXT,
	SECTION_COUNT,
	MOST_FIELD = 10, // bytes of a field: a ULEB128 of 64 bits
	PARTS = 6,
};

// In the order that make_corpus knows. The eighth is a machine without known relocations.
static const uint16_t machines[] = {
	EM_X86_64, EM_386,  EM_AARCH64, EM_ARM,    EM_RISCV, EM_PPC64, EM_S390,
	EM_VAX,    EM_MIPS, EM_SPARCV9, EM_SH,     EM_PPC,   EM_BPF,   EM_LOONGARCH,
	EM_QDSP6,  EM_68K,  EM_ALPHA,   EM_PARISC, EM_IA_64, EM_ARCV2, EM_SPARC32PLUS,
};

static struct ic_section reloc_section(struct ic_bytes raw, bool rela, bool crel)
{
	return (struct ic_section){ .name = ".rela.debug_info",
				    .type = raw.size == 0 ? SHT_NULL
					    : crel        ? IC_SHT_CREL
					    : rela        ? SHT_RELA
							  : SHT_REL,
				    .link = SYMTAB,
				    .info = TARGET,
				    .raw = raw };
}

// A copy of the target, which is where it will be relocated.
static uint8_t *copy_target(struct ic_elf_file *file, const struct ic_bytes *input)
{
	uint8_t *copy = malloc(input->size + 1); // one byte more: it is not NULL

	if (!copy)
		abort();
	if (input->size > 0)
		memcpy(copy, input->data, input->size);
	file->sections[TARGET].bytes = (struct ic_bytes){ copy, input->size };
	return copy;
}

// Relocates a copy of the target, which is returned.
static uint8_t *relocate(struct ic_elf_file *file, const struct ic_bytes *input, uint32_t jobs,
			 bool *ok)
{
	uint8_t *copy = copy_target(file, input);
	struct ic_section *target = &file->sections[TARGET];
	struct ic_error err = { 0 };

	*ok = ic_sections_relocate(file, &target, 1, NULL, jobs, &err);
	if (!*ok)
		PROMISE_REASON(err);
	return copy;
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

// A faulty relocation costs only its part; without any, parts make the same bytes as all at once.
static void check_parts(struct ic_elf_file *file, const struct ic_bytes *input,
			const uint8_t *whole, bool whole_ok, uint32_t random)
{
	uint8_t *copy = copy_target(file, input);
	struct ic_section *target = &file->sections[TARGET];
	struct ic_error err = { 0 };
	bool parts_ok = true;

	if (!ic_sections_relocate(file, &target, 1, target, 1, &err)) {
		PROMISE(!whole_ok);
		PROMISE_REASON(err);
		ic_arena_free(&file->loading.pending_arena);
		free(copy);
		return;
	}
	for (int i = 0; i < PARTS && input->size > 0; i++) {
		size_t start = next_random(&random) % input->size;
		size_t size = next_random(&random) % (i % 2 ? 20 : input->size);
		size_t end = size < input->size - start ? start + size : input->size;
		bool ok = ic_section_relocate_part(file, target, start, start + size, &err);
		parts_ok &= ok;
		if (!ok)
			PROMISE_REASON(err);
		PROMISE(!memcmp(copy + start, whole + start, end - start));
	}
	bool rest_ok = ic_section_relocate_rest(file, target, 1 + random % 2, &err);
	PROMISE(rest_ok == whole_ok);
	PROMISE(parts_ok || !rest_ok);
	if (input->size > 0)
		PROMISE(!memcmp(copy, whole, input->size));
	target->pending = NULL;
	ic_arena_free(&file->loading.pending_arena);
	free(copy);
}

static void check_memory(struct ic_elf_file *file, const struct ic_bytes *input, uint32_t random)
{
	uint8_t *copy = copy_target(file, input);
	struct ic_section *target = &file->sections[TARGET];
	struct ic_error err = { 0 };
	size_t before = alloc_meter_live();

	alloc_meter_start(1 + random % 16, false);
	bool ok = ic_sections_relocate(file, &target, 1, target, 1, &err);
	alloc_meter_stop();
	PROMISE(ok || !target->pending);
	if (!ok)
		PROMISE_REASON(err);
	target->pending = NULL;
	ic_arena_free(&file->loading.pending_arena);
	PROMISE(alloc_meter_live() == before);
	free(copy);
}

static void mark_fields(const struct ic_elf_file *file, const struct ic_section *relocs,
			uint8_t *touched, size_t size)
{
	bool is_64 = file->addr_size == 8;
	struct ic_arena arena = { .blocks = NULL };
	struct ic_error err;

	if (relocs->type == IC_SHT_CREL)
		relocs = ic_crel_expand(file, relocs, &arena, &err);
	size_t entry = file->addr_size * (relocs && relocs->type == SHT_RELA ? 3u : 2u);

	for (size_t i = 0; relocs && i + entry <= relocs->raw.size; i += entry) {
		const uint8_t *at = relocs->raw.data + i;
		uint64_t off = is_64 ? ic_load64(at, file->swap) : ic_load32(at, file->swap);

		for (uint64_t j = 0; j < MOST_FIELD && off < size && j < size - off; j++)
			touched[off + j] = 1;
	}
	ic_arena_free(&arena);
}

static void check_untouched(const struct ic_elf_file *file, const struct ic_bytes *before,
			    const uint8_t *after)
{
	uint8_t *touched = calloc(before->size + 1, 1);

	if (!touched)
		abort();
	mark_fields(file, &file->sections[FIRST_RELOCS], touched, before->size);
	mark_fields(file, &file->sections[SECOND_RELOCS], touched, before->size);
	for (size_t i = 0; i < before->size; i++)
		PROMISE(touched[i] || before->data[i] == after[i]);
	free(touched);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint8_t machine = fuzz_take_u8(&in), choice = fuzz_take_u8(&in);
	struct ic_bytes input[INPUT_SECTIONS];
	bool ok_one, ok_two;

	fuzz_take_sections(&in, input, INPUT_SECTIONS);
	struct ic_section sections[SECTION_COUNT] = {
		[0] = { .name = "" },
		[TARGET] = { .name = ".debug_info", .type = SHT_PROGBITS, .raw = input[0] },
		[FIRST_RELOCS] = reloc_section(input[1], choice & 1, choice & 8),
		[SECOND_RELOCS] = reloc_section(input[2], !(choice & 1), false),
		[SYMTAB] = { .name = ".symtab", .type = SHT_SYMTAB, .raw = input[3] },
		[TEXT] = { .name = ".text", .type = SHT_PROGBITS, .addr = 0x1000, .size = 0x100 },
	};
	struct ic_elf_file file = {
		.path = (char *)"fuzz.o",
		.machine = machines[machine % (sizeof(machines) / sizeof(*machines))],
		.is_relocatable = true,
		.addr_size = choice & 2 ? 4 : 8,
		.swap = ((choice & 4) != 0) != IC_HOST_IS_BIG_ENDIAN,
		.size = size,
		.sections = sections,
		.section_count = SECTION_COUNT,
	};
	uint8_t *one = relocate(&file, &input[0], 1, &ok_one);
	uint8_t *two = relocate(&file, &input[0], 2, &ok_two);

	check_untouched(&file, &input[0], one);
	PROMISE(ok_one == ok_two);
	if (input[0].size > 0)
		PROMISE(!memcmp(one, two, input[0].size));
	uint32_t random = choice * 256u + machine + (uint32_t)input[1].size;
	check_parts(&file, &input[0], one, ok_one, random);
	check_memory(&file, &input[0], random);
	free(one);
	free(two);
	fuzz_free_sections(input, INPUT_SECTIONS);
	return 0;
}
