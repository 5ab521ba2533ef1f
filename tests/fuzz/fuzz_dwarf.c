// Fuzzes all sections of DWARF at once, through the whole scan, without ELF.
// Wanted: a sound model, the same for one thread and for two and wherever the sections are, in
// memory that the input's size bounds; and the same models for the units that can have a name.
#include "alloc_meter.h"
#include "fuzz_input.h"
#include "index/scan.h"
#include "model_check.h"

enum {
	MODEL_FACTOR = 200, // most bytes of the model per byte of the input
	PEAK_FACTOR = 600,  // the same while it is built
	ALLOWANCE = 1 << 20,
};

struct variant { // what the first byte of the input chooses
	bool swap, calls, declarations;
	uint32_t code_count;
};

// What counts as code. The smallest is what make_corpus writes its functions to.
static void set_code(struct ic_index *index, struct ic_range *ranges, uint32_t count)
{
	ranges[0] = (struct ic_range){ 0x1000, 0x9000 };
	ranges[1] = (struct ic_range){ 0xffff8000, 0xffffffff00000000 };
	if (count == 0)
		ranges[0] = (struct ic_range){ 0, UINT64_MAX };
	index->code = (struct ic_range_set){ ranges, count ? count : 1 };
}

static void scan(struct ic_index *index, struct ic_range *ranges, struct ic_dwarf *dwarf,
		 const struct variant *variant, uint32_t jobs, const char *const *functions)
{
	const struct ic_index_options options = { .jobs = jobs,
						  .calls = variant->calls,
						  .declarations = variant->declarations,
						  .functions = functions,
						  .parameters = true,
						  .entries = true };
	struct ic_error err = { 0 };

	*index = (struct ic_index){ .units = NULL };
	set_code(index, ranges, variant->code_count);
	struct ic_problems problems = { .arena = &index->arena };
	struct ic_debug *debug = ic_debug_of_sections(&dwarf, 1, &err);
	PROMISE(debug && ic_scan_all(index, debug, &options, &problems, &err)); // memory suffices
	ic_debug_release(debug);
	model_check(index);
	for (uint32_t i = 1; i < index->unit_count; i++) // all of one section
		PROMISE(index->units[i - 1].off < index->units[i].off);
}

// The name of the last function of all, for choosing units by it; NULL if there is none.
static const char *last_name(const struct ic_index *index)
{
	for (uint32_t i = index->unit_count; i > 0; i--)
		for (uint32_t j = index->units[i - 1].function_count; j > 0; j--)
			if (index->units[i - 1].functions[j - 1].name)
				return index->units[i - 1].functions[j - 1].name;
	return NULL;
}

// Reads only the units that can have functions of that name, or all. Each unit must be as in an
// index of everything, or not read.
static void scan_by_name(const struct ic_index *all, struct ic_dwarf *dwarf,
			 const struct variant *variant)
{
	const char *const names[] = { last_name(all), NULL };
	struct ic_range ranges[2];
	struct ic_index some;

	scan(&some, ranges, dwarf, variant, 2, names);
	PROMISE(some.unit_count == all->unit_count);
	for (uint32_t i = 0; i < some.unit_count; i++)
		PROMISE(some.units[i].instance_count == all->units[i].instance_count ||
			some.units[i].instance_count == 0);
	ic_arena_free(&some.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	const struct variant variant = { choice & 1, choice & 2, choice & 4, choice >> 3 & 2 };
	struct fuzz_input again = in; // elsewhere in memory, which must make no difference
	struct ic_bytes sections[FUZZ_DWARF_SECTIONS], copies[FUZZ_DWARF_SECTIONS];
	struct ic_range ranges[2][2];
	struct ic_index one, two;

	fuzz_take_sections(&in, sections, FUZZ_DWARF_SECTIONS);
	fuzz_take_sections(&again, copies, FUZZ_DWARF_SECTIONS);
	struct ic_dwarf dwarf = fuzz_dwarf_of(sections, variant.swap);
	struct ic_dwarf dwarf_copy = fuzz_dwarf_of(copies, variant.swap);
	size_t before = alloc_meter_live();
	alloc_meter_start(0, false);
	scan(&one, ranges[0], &dwarf, &variant, 1, NULL);
	PROMISE(alloc_meter_live() - before <= MODEL_FACTOR * size + ALLOWANCE);
	PROMISE(alloc_meter_peak() - before <= PEAK_FACTOR * size + ALLOWANCE);
	scan(&two, ranges[1], &dwarf_copy, &variant, 2, NULL);
	model_check_same(&one, &two);
	scan_by_name(&one, &dwarf, &variant);
	ic_arena_free(&one.arena);
	ic_arena_free(&two.arena);
	PROMISE(alloc_meter_live() == before);
	fuzz_free_sections(sections, FUZZ_DWARF_SECTIONS);
	fuzz_free_sections(copies, FUZZ_DWARF_SECTIONS);
	return 0;
}
