// Seeds of the targets on stacks: call frame information of every machine, and core files.
#include "corpus.h"

#include <elf.h>
#include <stdio.h>

#include "core_builder.h"

static const struct {
	const char *name;
	uint8_t choice, return_reg, sp, cfa;
	bool is_32_bit, big_endian, has_link;
} machines[] = {
	{ "x86_64", 0, 16, 7, 8, false, false, false },
	{ "i386", 1, 8, 4, 4, true, false, false },
	{ "aarch64", 2, 30, 31, 0, false, false, true },
	{ "riscv", 3, 1, 2, 0, false, false, true },
	{ "ppc64", 4, 65, 1, 0, false, true, true },
	{ "s390x", 5, 14, 15, 160, false, true, true },
	{ "x32", 6, 16, 7, 8, true, false, false },
	{ "ppc", 7, 65, 1, 0, true, true, true },
	{ "s390", 8, 14, 15, 96, true, true, true },
};

static void put_entry(struct byte_buffer *out, struct byte_buffer *entry)
{
	byte_buffer_put(out, entry->size, 4);
	byte_buffer_append(out, entry->data, entry->size);
	byte_buffer_deinit(entry);
}

static void put_fde(struct byte_buffer *out, uint64_t start, uint64_t cie, size_t word,
		    struct bytes rules)
{
	struct byte_buffer fde = { .big_endian = out->big_endian };

	byte_buffer_put(&fde, out->size + 4 - cie, 4);
	byte_buffer_put(&fde, start, word);
	byte_buffer_put(&fde, 0x100, word);
	byte_buffer_uleb(&fde, 0);
	byte_buffer_append(&fde, rules.data, rules.size);
	put_entry(out, &fde);
}

static void write_frames(const struct corpus *corpus, size_t i)
{
	struct byte_buffer frames = { .big_endian = machines[i].big_endian };
	struct byte_buffer cie = frames, registers = { .data = NULL };
	struct byte_buffer stack = { .big_endian = machines[i].big_endian };
	size_t word = machines[i].is_32_bit ? 4 : 8;
	uint8_t reg = machines[i].return_reg;

	byte_buffer_put(&cie, 0, 4);
	byte_buffer_put(&cie, 1, 1);
	byte_buffer_string(&cie, "zRS");
	byte_buffer_uleb(&cie, 1);
	byte_buffer_sleb(&cie, -(int)word);
	byte_buffer_put(&cie, reg, 1);
	byte_buffer_uleb(&cie, 1);
	byte_buffer_put(&cie, 0, 1);
	byte_buffer_put(&cie, 0x0c, 1);
	byte_buffer_uleb(&cie, machines[i].sp);
	byte_buffer_uleb(&cie, machines[i].cfa);
	put_entry(&frames, &cie);
	put_fde(&frames, 0x1000, 0, word, CORPUS_BYTES(0x0e, 16, 0x05, reg, 1));
	put_fde(&frames, 0x1100, 0, word, CORPUS_BYTES(0x07, reg));
	put_fde(&frames, 0x1200, 0, word,
		CORPUS_BYTES(0x0f, 3, 0x70, 8, 0x06, 0x16, reg, 2, 0x08, 8));
	for (int j = 0; j < 32; j++)
		byte_buffer_put(&registers, 0x7000 + (unsigned)j, 2);
	for (unsigned j = 0; j < 16; j++)
		byte_buffer_put(&stack, j % 2 ? 0x1010 + 0x100 * (j / 6) : 0x7040, word);
	const struct bytes sections[] = { byte_buffer_view(&frames), byte_buffer_view(&registers),
					  CORPUS_BYTES(0), byte_buffer_view(&stack) };
	corpus_put(corpus, "fuzz_unwind", machines[i].name,
		   CORPUS_BYTES(machines[i].choice, 0x10, 0x10), sections, 4);
	byte_buffer_deinit(&frames);
	byte_buffer_deinit(&registers);
	byte_buffer_deinit(&stack);
}

// Code without call frame information: a stub, and a function that was called directly.
static void write_code(const struct corpus *corpus)
{
	// At 0xf00: push, jmp *, jmp *, push, jmp. At 0xf20: push %rbx; sub $16, %rsp; call 0xf20.
	const struct bytes code = CORPUS_BYTES(0xff, 0x35, 0, 0, 0, 0, 0xff, 0x25, 0, 0, 0, 0, 0, 0,
					       0, 0, 0xff, 0x25, 0, 0, 0, 0, 0x68, 0, 0, 0, 0, 0xe9,
					       0xe0, 0xff, 0xff, 0xff, 0x53, 0x48, 0x83, 0xec, 16,
					       0xe8, 0xf6, 0xff, 0xff, 0xff, 0x90, 0xc3);
	struct byte_buffer registers = { .data = NULL }, stack = registers;

	for (int i = 0; i < 32; i++)
		byte_buffer_put(&registers, 0x7000, 2);
	for (int i = 0; i < 16; i++)
		byte_buffer_put(&stack, 0xf2a, 8);
	const struct bytes sections[] = {
		{ NULL, 0 }, byte_buffer_view(&registers), code, byte_buffer_view(&stack)
	};
	corpus_put(corpus, "fuzz_unwind", "code", CORPUS_BYTES(0, 0x2a, 0x0f), sections, 4);
	corpus_put(corpus, "fuzz_unwind", "stub", CORPUS_BYTES(0, 0x16, 0x0f), sections, 4);
	corpus_put(corpus, "fuzz_x86_stack", "code", CORPUS_BYTES(0x2a, 0), &code, 1);
	byte_buffer_deinit(&registers);
	byte_buffer_deinit(&stack);
}

// The stub of a function, and one of an indirect function.
static void write_stubs(const struct corpus *corpus)
{
	const struct bytes code = CORPUS_BYTES(0xff, 0x25, 0xfa, 0x1f, 0, 0, 0x68, 0, 0, 0, 0, 0xe9,
					       0, 0, 0, 0, 0xff, 0x25, 0xf2, 0x1f, 0, 0);
	struct byte_buffer relocations = { .data = NULL }, symbols = relocations;

	byte_buffer_put(&relocations, 0x3000, 8);
	byte_buffer_put(&relocations, 1ull << 32 | 7, 8);
	byte_buffer_put(&relocations, 0, 8);
	byte_buffer_put(&relocations, 0x3008, 8);
	byte_buffer_put(&relocations, 37, 8);
	byte_buffer_put(&relocations, 0x1010, 8);
	byte_buffer_fill(&symbols, 0, 24);
	byte_buffer_put(&symbols, 1, 4);
	byte_buffer_fill(&symbols, 0, 20);
	const struct bytes sections[] = { code, byte_buffer_view(&relocations),
					  CORPUS_BYTES(0, 'p', 'u', 't', 's', 0),
					  byte_buffer_view(&symbols) };
	corpus_put(corpus, "fuzz_stub_names", "x86_64", CORPUS_BYTES(0), sections, 4);
	byte_buffer_deinit(&relocations);
	byte_buffer_deinit(&symbols);
}

static void write_core(const struct corpus *corpus, const char *name, uint16_t machine,
		       bool is_32_bit, bool big_endian, size_t status_size)
{
	static const uint8_t memory[0x100] = { 0x20, 0x70 };
	const struct core_segment segments[] = { { 0x1000, 0x1000, { NULL, 0 }, PF_R | PF_X },
						 { 0x7000, 0x100, { memory, 0x100 }, PF_R } };
	struct core_file core = { .machine = machine,
				  .is_32_bit = is_32_bit,
				  .big_endian = big_endian,
				  .segments = segments,
				  .segment_count = 2 };
	struct byte_buffer status = { .big_endian = big_endian };
	size_t word = is_32_bit && machine != EM_X86_64 ? 4 : 8; // of x32 registers have 64 bits

	byte_buffer_fill(&status, 0, status_size);
	byte_buffer_patch(&status, (is_32_bit ? 72 : 112) + 16 * word, 0x1010, word);
	core_add_note(&core, "CORE", NT_PRSTATUS, byte_buffer_view(&status));
	core_add_note(&core, "CORE", NT_PRFPREG, byte_buffer_view(&status));
	core_add_note(&core, "CORE", NT_PRPSINFO, byte_buffer_view(&status));
	core_add_note(&core, "CORE", NT_AUXV, byte_buffer_view(&status));
	core_add_file(&core, 0x1000, 0x2000, 0, "/program");
	byte_buffer_deinit(&status);
	struct byte_buffer bytes = core_build(&core);
	struct bytes whole = byte_buffer_view(&bytes);
	corpus_put(corpus, "fuzz_core", name, (struct bytes){ NULL, 0 }, &whole, 1);
	byte_buffer_deinit(&bytes);
}

// A dump of a kernel, by QEMU and with VMCOREINFO.
static void write_dump(const struct corpus *corpus)
{
	static const uint8_t memory[0x2000] = { [0x1000] = 1, [0x1001] = 0x10 };
	static const uint64_t physical[] = { 0x1000 };
	static const char info[] = "OSRELEASE=6.1.0\nBUILD-ID=01020304\n"
				   "SYMBOL(swapper_pg_dir)=ffffffff80001000\nNUMBER(phys_base)=0\n"
				   "KERNELOFFSET=0\nNUMBER(sme_mask)=0\n";
	const struct core_segment segment = { 0, 0x2000, { memory, 0x2000 }, PF_R };
	struct core_file core = {
		.machine = EM_X86_64, .segments = &segment, .segment_count = 1, .physical = physical
	};
	struct byte_buffer status = { .data = NULL };

	byte_buffer_fill(&status, 0, 336);
	core_add_note(&core, "CORE", NT_PRSTATUS, byte_buffer_view(&status));
	byte_buffer_patch(&status, 112 + 17 * 8, 0x33, 8);
	core_add_note(&core, "CORE", NT_PRSTATUS, byte_buffer_view(&status));
	byte_buffer_fill(&status, 0, 440 - 336);
	byte_buffer_patch(&status, 0, 1, 4);
	byte_buffer_patch(&status, 416, 0x1000, 8);
	core_add_note(&core, "QEMU", 0, byte_buffer_view(&status));
	struct bytes text = { (const uint8_t *)info, sizeof(info) - 1 };
	core_add_note(&core, "VMCOREINFO", 0, text);
	struct byte_buffer bytes = core_build(&core);
	struct bytes whole = byte_buffer_view(&bytes);
	corpus_put(corpus, "fuzz_core", "kernel", (struct bytes){ NULL, 0 }, &whole, 1);
	const struct bytes parts[] = { text, { memory, sizeof(memory) } };
	corpus_put(corpus, "fuzz_kernel_memory", "four", (struct bytes){ (const uint8_t *)"\4", 1 },
		   parts, 2);
	byte_buffer_deinit(&status);
	byte_buffer_deinit(&bytes);
}

static void write_orc(const struct corpus *corpus)
{
	static const uint8_t addrs[] = { 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0 };
	static const uint8_t entries[] = { 8, 0, 0, 0, 5, 0, 16, 0, 0xf0, 0xff, 0x15, 0,
					   0, 0, 0, 0, 5, 1, 8,  0, 0,    0,    9,    0 };
	const struct bytes parts[] = { { addrs, sizeof(addrs) },
				       { entries, sizeof(entries) },
				       { NULL, 0 } };

	corpus_put(corpus, "fuzz_orc", "first", (struct bytes){ addrs, 2 }, parts, 3);
}

void corpus_write_unwind(const struct corpus *corpus)
{
	write_code(corpus);
	write_stubs(corpus);
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		write_frames(corpus, i);
	write_core(corpus, "x86_64", EM_X86_64, false, false, 336);
	write_core(corpus, "s390x", EM_S390, false, true, 336);
	write_core(corpus, "aarch64", EM_AARCH64, false, false, 392);
	write_core(corpus, "ppc64", EM_PPC64, false, true, 504);
	write_core(corpus, "x32", EM_X86_64, true, false, 296);
	write_core(corpus, "ppc", EM_PPC, true, true, 268);
	write_core(corpus, "s390", EM_S390, true, true, 224);
	write_dump(corpus);
	write_orc(corpus);
}
