// Fuzzes the unwinding of stacks: call frame information, registers, memory and code are the
// input's. Wanted: stacks end within the limit of frames, whatever is in them; each frame's stack
// pointer is above that of the one before, but for signal frames and leaves; twice the same is the
// same.
#include <elf.h>

#include <inlinecall/extra/unwind.h>
#include <inlinecall/image.h>

#include "elf_builder.h"
#include "fuzz_input.h"
#include "open_guard.h"

enum {
	CODE = 0x1000,
	CODE_SIZE = 0x1000,
	STUBS_SIZE = 0x100, // of the PLT, before it
	STACK = 0x7000,
	MOST_FRAMES = 300,
	FRAME_SECTIONS = 4
};

static const struct machine {
	uint16_t machine;
	uint8_t bits, word;
	bool big_endian;
	uint32_t sp;
	bool has_link;
} machines[] = {
	{ EM_X86_64, 64, 8, false, 7, false },  { EM_386, 32, 4, false, 4, false },
	{ EM_AARCH64, 64, 8, false, 31, true }, { EM_RISCV, 64, 8, false, 2, true },
	{ EM_PPC64, 64, 8, true, 1, true },     { EM_S390, 64, 8, true, 15, true },
	{ EM_X86_64, 32, 8, false, 7, false },  { EM_PPC, 32, 4, true, 1, true },
	{ EM_S390, 32, 4, true, 15, true },
};

struct world {
	struct ic_bytes memory, code; // from the PLT on, and from there repeatedly
	struct ic_call_frames *frames;
};

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct world *world = context;

	if (addr >= CODE - STUBS_SIZE && addr < CODE + CODE_SIZE && size < CODE_SIZE &&
	    world->code.size > 0) {
		for (size_t i = 0; i < size; i++)
			((uint8_t *)bytes)[i] =
				world->code
					.data[(addr + i - (CODE - STUBS_SIZE)) % world->code.size];
		return true;
	}
	if (addr < STACK || addr - STACK > world->memory.size ||
	    size > world->memory.size - (addr - STACK))
		return false;
	if (size > 0)
		memcpy(bytes, world->memory.data + (addr - STACK), size);
	return true;
}

static bool find_module(void *context, uint64_t addr, struct ic_unwind_module *module)
{
	const struct world *world = context;

	// A part of the code is of no file.
	if (addr < CODE - STUBS_SIZE || addr >= CODE + CODE_SIZE)
		return false;
	*module = (struct ic_unwind_module){ .frames = addr < CODE + CODE_SIZE / 8 * 7
							       ? world->frames
							       : NULL };
	return true;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 0x100000001b3;
}

static void check_step(const struct machine *machine, const struct ic_unwind_frame *last,
		       const struct ic_unwind_frame *frame)
{
	uint64_t before, after;

	if (frame->how == IC_UNWIND_CALL || last->is_signal ||
	    !ic_unwind_register_get(&last->registers, machine->sp, &before) ||
	    !ic_unwind_register_get(&frame->registers, machine->sp, &after))
		return;
	PROMISE(machine->word == 8 || after <= UINT32_MAX);
	PROMISE(frame->is_exact == last->is_signal);
	// A rule for the stack pointer itself has the last word.
	if (after <= before)
		PROMISE(machine->has_link || frame->how == IC_UNWIND_CALL_FRAMES);
}

// Unwinds a stack; returns a hash of all that was said.
static uint64_t unwind(struct ic_unwinder *unwinder, const struct machine *machine,
		       const struct ic_unwind_registers *registers)
{
	const struct ic_unwind_frame *frame;
	struct ic_unwind_frame last = { .how = IC_UNWIND_GIVEN };
	uint64_t hash = 0xcbf29ce484222325, count = 0, value;

	ic_unwinder_begin(unwinder, registers);
	while ((frame = ic_unwinder_next(unwinder))) {
		PROMISE(++count <= MOST_FRAMES);
		if (count > 1)
			check_step(machine, &last, frame);
		hash = mix(hash, frame->registers.pc + frame->how);
		for (uint32_t i = 0; i < IC_UNWIND_MOST_REGISTERS; i++)
			if (ic_unwind_register_get(&frame->registers, i, &value))
				hash = mix(hash, value + i);
		last = *frame;
	}
	PROMISE(count > 0 && !ic_unwinder_next(unwinder));
	PROMISE(count == MOST_FRAMES || ic_unwinder_end(unwinder) != IC_UNWIND_TOO_MANY);
	for (const char *text = ic_unwinder_end_text(unwinder); *text; text++)
		hash = mix(hash, (uint8_t)*text);
	return hash;
}

static struct ic_image *open_image(const struct machine *machine, struct ic_bytes section)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct elf_builder *elf =
		elf_builder_new((struct elf_format){ .bits = machine->bits,
						     .big_endian = machine->big_endian,
						     .machine = machine->machine,
						     .type = ET_EXEC,
						     .segments = true });

	elf_add_code(elf, ".plt", CODE - STUBS_SIZE, STUBS_SIZE);
	elf_add_code(elf, ".text", CODE, CODE_SIZE);
	elf_add_section(elf, (struct elf_section){ .name = ".eh_frame",
						   .flags = SHF_ALLOC,
						   .addr = 0x4000,
						   .bytes = { section.data, section.size } });
	struct bytes bytes = elf_build(elf);
	struct ic_image *image =
		ic_image_open(open_guard_put(bytes.data, bytes.size), &options, NULL);
	elf_builder_free(elf);
	return image;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	const struct machine *machine =
		&machines[fuzz_take_u8(&in) % (sizeof(machines) / sizeof(*machines))];
	struct ic_unwind_registers registers = { .pc = fuzz_take_u16(&in) };
	struct ic_bytes sections[FRAME_SECTIONS]; // call frames, words of registers, code,
						  // the stack
	struct world world;

	fuzz_take_sections(&in, sections, FRAME_SECTIONS);
	for (uint32_t i = 0; i + 2 <= sections[1].size && i < 128; i += 2)
		ic_unwind_register_set(&registers, i / 2,
				       sections[1].data[i] | (uint64_t)sections[1].data[i + 1]
								     << 8);
	struct ic_image *image = open_image(machine, sections[0]);
	world = (struct world){ sections[3], sections[2],
				image ? ic_call_frames_open(image, NULL) : NULL };
	const struct ic_unwind_options options = { .machine = machine->machine,
						   .is_32_bit = machine->bits == 32,
						   .is_big_endian = machine->big_endian,
						   .read_memory = read_memory,
						   .find_module = find_module,
						   .context = &world,
						   .most_frames = MOST_FRAMES };
	struct ic_unwinder *unwinder = ic_unwinder_new(&options, NULL);
	PROMISE(unwinder);
	uint64_t first = unwind(unwinder, machine, &registers);
	PROMISE(unwind(unwinder, machine, &registers) == first); // with the rows that are kept
	ic_unwinder_forget(unwinder);
	PROMISE(unwind(unwinder, machine, &registers) == first);
	ic_unwinder_free(unwinder);
	ic_call_frames_free(world.frames);
	ic_image_free(image);
	fuzz_free_sections(sections, FRAME_SECTIONS);
	return 0;
}
