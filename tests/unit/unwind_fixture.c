#include "unwind_fixture.h"

#include "unit_test.h"

#include "elf_fixture.h"

static void put_entry(struct byte_buffer *out, const struct byte_buffer *entry)
{
	byte_buffer_put(out, entry->size, 4);
	byte_buffer_append(out, entry->data, entry->size);
}

static void put_cie(struct byte_buffer *out, uint16_t machine, bool is_signal)
{
	// The return address of a call is in a register, or on the stack.
	bool is_arm = machine == EM_AARCH64, is_386 = machine == EM_386,
	     is_s390 = machine == EM_S390;
	bool has_link = is_arm || is_s390;
	struct byte_buffer cie = { .big_endian = is_s390 };

	byte_buffer_put(&cie, 0, 4);
	byte_buffer_put(&cie, 1, 1);
	byte_buffer_string(&cie, is_signal ? "zRS" : "zR");
	byte_buffer_uleb(&cie, 1);
	byte_buffer_sleb(&cie, is_386 ? -4 : -8);
	byte_buffer_put(&cie, is_arm ? LR : is_s390 ? 14 : is_386 ? 8 : RIP, 1);
	byte_buffer_uleb(&cie, 1);
	byte_buffer_put(&cie, 0, 1);    // addresses as they are
	byte_buffer_put(&cie, 0x0c, 1); // DW_CFA_def_cfa
	byte_buffer_uleb(&cie, is_arm ? SP_AARCH64 : is_s390 ? 15 : is_386 ? 4 : RSP);
	byte_buffer_uleb(&cie, is_arm ? 0 : is_s390 ? 160 : is_386 ? 4 : 8);
	if (!has_link) { // DW_CFA_offset: the return address is below
		byte_buffer_put(&cie, 0x80 | (is_386 ? 8 : RIP), 1);
		byte_buffer_uleb(&cie, 1);
	}
	put_entry(out, &cie);
	byte_buffer_deinit(&cie);
}

static void put_fde(struct byte_buffer *out, const struct function *function, uint64_t cie,
		    size_t word)
{
	struct byte_buffer fde = { .big_endian = out->big_endian };

	byte_buffer_put(&fde, out->size + 4 - cie, 4);
	byte_buffer_put(&fde, function->start, word);
	byte_buffer_put(&fde, 0x100, word);
	byte_buffer_uleb(&fde, 0);
	byte_buffer_append(&fde, function->rules.data, function->rules.size);
	put_entry(out, &fde);
	byte_buffer_deinit(&fde);
}

void world_open(struct world *world, uint16_t machine, const struct function *functions,
		size_t count)
{
	bool is_32_bit = machine == EM_386;
	struct elf_builder *elf =
		elf_builder_new((struct elf_format){ .bits = is_32_bit ? 32 : 64,
						     .big_endian = machine == EM_S390,
						     .machine = machine,
						     .type = ET_DYN,
						     .segments = true });
	const struct ic_image_options options = { .allow_no_debug = true };
	struct byte_buffer section = { .big_endian = machine == EM_S390 };
	size_t signals;

	put_cie(&section, machine, false);
	signals = section.size;
	put_cie(&section, machine, true);
	for (size_t i = 0; i < count; i++)
		put_fde(&section, &functions[i], functions[i].is_signal ? signals : 0,
			is_32_bit ? 4 : 8);
	elf_add_code(elf, ".text", CODE, CODE_SIZE);
	elf_add_section(elf, (struct elf_section){ .name = ".eh_frame",
						   .flags = SHF_ALLOC,
						   .addr = 0x8000,
						   .bytes = byte_buffer_view(&section) });
	byte_buffer_deinit(&section);
	*world = (struct world){ .count = WORDS, .machine = machine, .is_32_bit = is_32_bit };
	world->image = ic_image_open(elf_end_at(elf, "unwound"), &options, NULL);
	assert_non_null(world->image);
	world->frames = ic_call_frames_open(world->image, NULL);
	assert_non_null(world->frames);
}

void world_close(struct world *world)
{
	ic_call_frames_close(world->frames);
	ic_image_close(world->image);
}

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	struct world *world = context;
	size_t word = world->is_32_bit ? 4 : 8;

	if (addr == world->code_addr && size <= world->code.size) {
		memcpy(bytes, world->code.data, size);
		return true;
	}
	world->reads++;
	if (addr < STACK || addr % word != 0 || size != word ||
	    (addr - STACK) / word >= world->count)
		return false;
	if (word == 4) {
		uint32_t value = (uint32_t)world->words[(addr - STACK) / word];
		memcpy(bytes, &value, word);
	} else {
		memcpy(bytes, &world->words[(addr - STACK) / word], word);
	}
	return true;
}

static bool find_module(void *context, uint64_t addr, struct ic_unwind_module *module)
{
	struct world *world = context;

	world->finds++;
	if (addr < BIAS + CODE || addr >= BIAS + CODE + CODE_SIZE)
		return false;
	*module = (struct ic_unwind_module){ .bias = BIAS, .frames = world->frames };
	return true;
}

struct ic_unwinder *world_unwinder(struct world *world, uint32_t most_frames)
{
	const struct ic_unwind_options options = { .machine = world->machine,
						   .is_32_bit = world->is_32_bit,
						   .is_big_endian = world->machine == EM_S390 ||
								    IC_HOST_IS_BIG_ENDIAN,
						   .read_memory = read_memory,
						   .find_module = find_module,
						   .context = world,
						   .most_frames = most_frames };
	struct ic_unwinder *unwinder = ic_unwinder_new(&options, NULL);

	assert_non_null(unwinder);
	return unwinder;
}
