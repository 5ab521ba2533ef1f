// Stacks that were recorded of a process on x86-64: registers, a copy of the stack and the files
// that were mapped as code. A recording is in the byte order of the machine, all in words of 64
// bits: "ICSTACKS", the count of mappings and for each its start, end, offset and path (as the
// count of its bytes, and these padded with zeros to whole words); then until the end for each
// sample its registers, the start of its stack and the count of its bytes, which are whole words,
// and these.
#ifndef BENCH_RECORDING_H
#define BENCH_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDING_MAGIC 0x534b434154534349 // "ICSTACKS"

enum { RECORDED_REGISTERS = 17, RECORDED_PC = 16 }; // by DWARF's numbers

struct mapping { // of code
	uint64_t start, end, offset;
	const char *path;
	uint64_t bias;        // of the addresses of the file
	const uint8_t *file;  // mapped; NULL if it cannot be
	uint64_t image_start; // of all segments of the file
	uint64_t image_end;
	uint64_t eh_header; // address of .eh_frame_hdr in memory; 0 if the file has none
	// The segment with it and with .eh_frame, which may be before it.
	uint64_t eh_start, eh_end;
	const uint8_t *eh_bytes;
};

struct sample {
	const uint64_t *registers; // RECORDED_REGISTERS
	uint64_t start, size;
	const uint8_t *bytes;
};

struct recording {
	struct mapping *mappings; // sorted by their start
	struct sample *samples;
	size_t mapping_count, sample_count;
};

// Opens a recording and maps its files; ends the program if it cannot be read. It is never closed.
void recording_open(struct recording *recording, const char *path);

// The mapping with an address; NULL if there is none.
struct mapping *recording_mapping(const struct recording *recording, uint64_t addr);

// The mapping of the file that has an address, of code or not; NULL if there is none.
struct mapping *recording_image(const struct recording *recording, uint64_t addr);

// Reads the memory of a sample. False if it is not in its stack.
bool sample_read(const struct sample *sample, uint64_t addr, void *bytes, size_t size);

// What unwinds one sample: writes up to `most` program counters, and returns how many there are.
typedef size_t unwind_sample(void *context, const struct sample *sample, uint64_t *pcs,
			     size_t most);

// Forgets all that was found while unwinding.
typedef void forget_found(void *context);

// The rest of the program, once the recording is open and the unwinder ready. With `is_listing` it
// prints the program counters, a line per sample. Else it unwinds all samples in rounds, and prints
// the medians of what a step costs in CPU time: by what is kept of earlier stacks, and if that is
// forgotten before each stack.
void recording_run(const struct recording *recording, bool is_listing, unwind_sample *unwind,
		   forget_found *forget, void *context);

#endif
