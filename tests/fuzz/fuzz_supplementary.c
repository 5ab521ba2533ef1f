// Fuzzes the DWARF of a file together with that of its supplementary file, without ELF: references
// and strings lead from one to the other, and units are walked when a reference first leads there.
// Wanted: a sound model, the same for one thread and for two, in memory that the input's size
// bounds.
#include "alloc_meter.h"
#include "fuzz_input.h"
#include "index/scan.h"
#include "model_check.h"

enum {
	FILE_COUNT = 2,
	SECTION_COUNT = FILE_COUNT * FUZZ_DWARF_SECTIONS,
	MODEL_FACTOR = 200, // as in fuzz_dwarf.c
	PEAK_FACTOR = 600,
	ALLOWANCE = 1 << 20,
};

static struct ic_range code[1] = { { 0x1000, 0x9000 } };

static void scan(struct ic_index *index, const struct ic_bytes *sections, uint8_t choice,
		 uint32_t jobs)
{
	const struct ic_index_options options = { .jobs = jobs,
						  .calls = choice & 2,
						  .declarations = choice & 4 };
	struct ic_dwarf files[FILE_COUNT], types;
	struct ic_dwarf *dwarfs[] = { &files[0], &types, &files[1] };
	struct ic_error err = { 0 };

	for (size_t i = 0; i < FILE_COUNT; i++)
		files[i] = fuzz_dwarf_of(sections + i * FUZZ_DWARF_SECTIONS, choice & 1);
	files[0].supplementary = &files[1];
	files[1].is_supplementary = true;
	files[1].file = "supplementary";
	types = files[0]; // the units again, as those of .debug_types in DWARF 4
	types.info_name = ".debug_types";
	types.is_types = true;
	if (!(choice & 8))
		types.info.size = 0;
	*index = (struct ic_index){ .code = { code, 1 } };
	struct ic_problems problems = { .arena = &index->arena };
	struct ic_debug *debug = ic_debug_of_sections(dwarfs, 3, &err);
	PROMISE(debug && ic_scan_all(index, debug, &options, &problems, &err)); // memory suffices
	ic_debug_release(debug);
	model_check(index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	struct ic_bytes sections[SECTION_COUNT];
	struct ic_index one, two;

	fuzz_take_sections(&in, sections, SECTION_COUNT);
	size_t before = alloc_meter_live();
	alloc_meter_start(0, false);
	scan(&one, sections, choice, 1);
	PROMISE(alloc_meter_live() - before <= MODEL_FACTOR * size + ALLOWANCE);
	PROMISE(alloc_meter_peak() - before <= PEAK_FACTOR * size + ALLOWANCE);
	scan(&two, sections, choice, 2);
	model_check_same(&one, &two);
	ic_arena_free(&one.arena);
	ic_arena_free(&two.arena);
	PROMISE(alloc_meter_live() == before);
	fuzz_free_sections(sections, SECTION_COUNT);
	return 0;
}
