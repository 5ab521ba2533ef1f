// bench_stacks [--list] FILE: unwinds recorded stacks (recording.h).
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra/unwind.h>
#include <inlinecall/image.h>

#include "recording.h"

struct unwinding {
	struct recording recording;
	struct ic_call_frames **frames; // by number of the mapping
	const struct sample *sample;
	struct ic_unwinder *unwinder;
};

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct unwinding *unwinding = context;

	return sample_read(unwinding->sample, addr, bytes, size);
}

static bool find_module(void *context, uint64_t addr, struct ic_unwind_module *module)
{
	const struct unwinding *unwinding = context;
	const struct mapping *mapping = recording_mapping(&unwinding->recording, addr);

	if (mapping)
		*module = (struct ic_unwind_module){
			.bias = mapping->bias,
			.frames = unwinding->frames[mapping - unwinding->recording.mappings]
		};
	return mapping;
}

static size_t unwind(void *context, const struct sample *sample, uint64_t *pcs, size_t most)
{
	struct unwinding *unwinding = context;
	struct ic_unwind_registers registers = { .pc = sample->registers[RECORDED_PC] };
	const struct ic_unwind_frame *frame;
	size_t count = 0;

	for (uint32_t i = 0; i < RECORDED_REGISTERS; i++)
		ic_unwind_register_set(&registers, i, sample->registers[i]);
	unwinding->sample = sample;
	ic_unwinder_begin(unwinding->unwinder, &registers);
	while (count < most && (frame = ic_unwinder_next(unwinding->unwinder)))
		pcs[count++] = frame->registers.pc;
	return count;
}

static void forget(void *context)
{
	struct unwinding *unwinding = context;

	ic_unwinder_forget(unwinding->unwinder);
}

int main(int argc, char **argv)
{
	const struct ic_image_options image_options = { .allow_no_debug = true };
	struct unwinding unwinding = { .sample = NULL };
	const struct ic_unwind_options options = { .machine = EM_X86_64,
						   .read_memory = read_memory,
						   .find_module = find_module,
						   .context = &unwinding };
	bool is_listing = argc == 3 && strcmp(argv[1], "--list") == 0;

	if (argc != 2 + is_listing)
		return 64;
	recording_open(&unwinding.recording, argv[argc - 1]);
	unwinding.frames = calloc(unwinding.recording.mapping_count + 1, sizeof(*unwinding.frames));
	unwinding.unwinder = ic_unwinder_new(&options, NULL);
	if (!unwinding.frames || !unwinding.unwinder)
		return 1;
	for (size_t i = 0; i < unwinding.recording.mapping_count; i++) {
		struct ic_image *image =
			ic_image_open(unwinding.recording.mappings[i].path, &image_options, NULL);
		if (image)
			unwinding.frames[i] = ic_call_frames_open(image, NULL);
	}
	recording_run(&unwinding.recording, is_listing, unwind, forget, &unwinding);
	return 0;
}
