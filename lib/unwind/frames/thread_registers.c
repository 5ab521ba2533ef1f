#include "unwind/frames/thread_registers.h"

#include "base/machine.h"

enum { NO = IC_THREAD_NO, PC = IC_THREAD_PC };

static const struct ic_thread_layout layouts[] = {
#define LAYOUT(machine, is_32_bit, word, size, off, ...) \
	{ IC_MACHINE_##machine,                          \
	  is_32_bit,                                     \
	  word,                                          \
	  size,                                          \
	  off,                                           \
	  sizeof((const int8_t[]){ __VA_ARGS__ }),       \
	  (const int8_t[]){ __VA_ARGS__ } },
#include "unwind/frames/thread_registers.def"
#undef LAYOUT
};

const struct ic_thread_layout *ic_thread_layout(unsigned machine, bool is_32_bit)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (layouts[i].machine == machine && layouts[i].is_32_bit == is_32_bit)
			return &layouts[i];
	return NULL;
}

void ic_thread_registers_read(const struct ic_thread_layout *layout, struct ic_cursor bytes,
			      struct ic_unwind_registers *registers)
{
	*registers = (struct ic_unwind_registers){ .pc = 0 };
	for (unsigned i = 0; i < layout->count; i++) {
		uint64_t value = ic_cursor_uint(&bytes, layout->word);

		if (bytes.fault)
			return;
		if (layout->numbers[i] == PC)
			registers->pc = value;
		else if (layout->numbers[i] != NO)
			ic_unwind_register_set(registers, (uint32_t)layout->numbers[i], value);
	}
}

bool ic_thread_floats_matter(const struct ic_thread_layout *layout)
{
	return layout->machine == IC_MACHINE_S390;
}

void ic_thread_floats_read(const struct ic_thread_layout *layout, struct ic_cursor bytes,
			   struct ic_unwind_registers *registers)
{
	// Of f0 to f15, by the ABI supplement.
	static const uint8_t numbers[] = { 16, 20, 17, 21, 18, 22, 19, 23,
					   24, 28, 25, 29, 26, 30, 27, 31 };

	if (!ic_thread_floats_matter(layout))
		return;
	ic_cursor_take(&bytes, 8); // the control register, and padding
	for (unsigned i = 0; i < sizeof(numbers); i++) {
		uint64_t value = ic_cursor_u64(&bytes);

		if (!bytes.fault)
			ic_unwind_register_set(registers, numbers[i], value);
	}
}

bool ic_thread_status_read(const struct ic_thread_layout *layout, struct ic_cursor bytes,
			   struct ic_thread_status *status, struct ic_error *err)
{
	const uint8_t *begin = bytes.pos;
	uint64_t size = (uint64_t)(bytes.end - begin);

	if (size != layout->prstatus_size)
		return ic_fail_at(err, bytes.section, ic_cursor_off(&bytes),
				  "expected a thread status of %u bytes, found %llu",
				  layout->prstatus_size, (unsigned long long)size);
	bytes.pos = begin + 12; // after struct elf_siginfo
	status->signal = ic_cursor_u16(&bytes);
	bytes.pos = begin + (layout->is_32_bit ? 24 : 32);
	status->tid = ic_cursor_u32(&bytes);
	bytes.pos = begin + layout->registers_off;
	ic_thread_registers_read(layout, bytes, &status->registers);
	return true;
}
