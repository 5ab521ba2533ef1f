// Rules about the stack that functions use, by call frame information (DWARF 5, 6.4).
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "rules/checker.h"
#include "unwind/frames/machine.h"

#include <inlinecall/extra/call_frames.h>

// The distances of the stack pointer from the canonical frame address in the code of an FDE.
struct gauge {
	int64_t first, most; // at its start, and the largest
	const char *why_not; // why they are not known everywhere; NULL if they are
	uint32_t fdes;       // of a function: those that were added
};

enum { MOST_FDES = 256 }; // of a function: a compiler makes one for each of its parts

struct measurer { // of the stack frames of an index
	struct ic_rule_checker *checker;
	struct ic_call_frames *frames;
	struct ic_call_frame_reader *reader;
	const struct ic_unwind_machine *machine;
	struct ic_map by_fde; // the numbers of their gauges: each FDE is read once
	IC_ARRAY(struct gauge) gauges;
};

// ---- FDEs

static void take_row(const struct measurer *measurer, const struct ic_call_frame_row *row,
		     bool is_first, struct gauge *gauge)
{
	const struct ic_register_rule *cfa = &row->cfa;

	if (cfa->kind != IC_RULE_REGISTER || cfa->from != measurer->machine->sp) {
		gauge->why_not = "it uses a frame pointer, or changes the size of its frame";
		return;
	}
	if (is_first)
		gauge->first = cfa->at.offset;
	if (is_first || cfa->at.offset > gauge->most)
		gauge->most = cfa->at.offset;
}

// False if memory runs out.
static bool read_gauge(const struct measurer *measurer, size_t number, struct gauge *gauge)
{
	struct ic_call_frame_row row;
	struct ic_error err;
	bool is_first = true;

	*gauge = (struct gauge){ .why_not = NULL };
	bool ok = ic_call_frame_reader_begin(measurer->reader, number, &err);
	while (ok && (ok = ic_call_frame_reader_next(measurer->reader, &row, &err))) {
		take_row(measurer, &row, is_first, gauge);
		is_first = false;
	}
	if (err.code != IC_ERROR_NONE)
		gauge->why_not = "its call frame information is malformed";
	return err.code != IC_ERROR_MEMORY;
}

// The gauge of an FDE, valid until the next call; NULL if memory runs out.
static const struct gauge *gauge_of(struct measurer *measurer, size_t number)
{
	uint32_t *place = ic_map_at(&measurer->by_fde, number);
	struct gauge gauge;

	if (!place)
		return NULL;
	if (*place == IC_NONE) {
		*place = measurer->gauges.count;
		if (!read_gauge(measurer, number, &gauge) ||
		    !IC_ARRAY_ADD(&measurer->gauges, gauge))
			return NULL;
	}
	return &measurer->gauges.items[*place];
}

// ---- Functions

// Adds the code of a range to the gauge of a function. False if memory runs out.
static bool measure_range(struct measurer *measurer, struct ic_range range, uint64_t entry,
			  struct gauge *sum)
{
	struct ic_call_frame_entry fde;
	size_t number;

	for (uint64_t addr = range.start; addr < range.end; addr = fde.range.end) {
		if (!ic_call_frames_find(measurer->frames, addr, &number) ||
		    !ic_call_frames_get(measurer->frames, number, &fde))
			sum->why_not = "its code has no call frame information";
		else if (sum->fdes++ == MOST_FDES)
			sum->why_not = "its call frame information has too many entries";
		if (sum->why_not)
			return true;
		const struct gauge *gauge = gauge_of(measurer, number);
		if (!gauge)
			return false;
		if (entry >= fde.range.start && entry < fde.range.end)
			sum->first = gauge->first;
		if (gauge->most > sum->most)
			sum->most = gauge->most;
		sum->why_not = gauge->why_not;
	}
	return true;
}

// On machines whose calls store the return address, it is part of the frame.
static uint64_t frame_size(const struct measurer *measurer, const struct gauge *gauge)
{
	int64_t before = measurer->machine->link == IC_UNWIND_NO_REG ? 0 : gauge->first;

	return gauge->most > before ? (uint64_t)gauge->most - (uint64_t)before : 0;
}

static bool check_function(struct measurer *measurer, const struct ic_rule_site *site)
{
	struct ic_rule_checker *checker = measurer->checker;
	struct ic_rule_item *item = &checker->rules->items.items[site->rule];
	const struct ic_unit_model *unit = &checker->index->units[site->place.unit];
	const struct ic_instance *instance = &unit->instances[site->place.number];
	struct gauge gauge = { .why_not = NULL };

	for (uint32_t i = 0; !gauge.why_not && i < instance->range_count; i++)
		if (!measure_range(measurer, unit->ranges[instance->first_range + i],
				   instance->entry, &gauge))
			return false;
	if (gauge.why_not)
		return ic_rule_checker_doubt(checker, site->rule, site->place.unit,
					     site->place.number, gauge.why_not);
	uint64_t size = frame_size(measurer, &gauge);
	if (size > item->rule.found)
		item->rule.found = size;
	if (size <= item->rule.limit)
		return true;
	char text[48];
	int length = snprintf(text, sizeof(text), "uses %" PRIu64 " bytes of stack", size);
	const struct ic_rule_break broken = { .what = ic_arena_copy(&checker->rules->arena, text,
								    (size_t)length + 1, 1) };
	return broken.what &&
	       ic_rule_checker_break_at(checker, site->rule, broken, site->place.unit,
					site->place.number, IC_NO_ADDR);
}

static bool check_functions(struct measurer *measurer)
{
	struct ic_rule_checker *checker = measurer->checker;

	for (uint32_t i = 0; i < checker->sites.count; i++) {
		const struct ic_rule_site *site = &checker->sites.items[i];
		if (checker->rules->items.items[site->rule].kind != IC_RULE_STACK)
			continue;
		if (measurer->reader && measurer->machine
			    ? !check_function(measurer, site)
			    : !ic_rule_checker_doubt(
				      checker, site->rule, site->place.unit, site->place.number,
				      measurer->reader ? "stacks of this machine are not known"
						       : "there is no call frame information"))
			return false;
	}
	return true;
}

bool ic_rule_checker_check_stacks(struct ic_rule_checker *checker, struct ic_error *err)
{
	struct measurer measurer = {
		.checker = checker,
		.frames = checker->readers.call_frames,
		.machine = ic_unwind_machine(ic_image_machine(checker->image),
					     ic_image_addr_size(checker->image) == 4),
	};

	if (measurer.frames) {
		if (!ic_call_frames_list(measurer.frames, err))
			return false;
		measurer.reader = ic_call_frame_reader_new(measurer.frames, err);
		if (!measurer.reader)
			return false;
	}
	bool ok = check_functions(&measurer) || ic_fail_memory(err);
	ic_call_frame_reader_free(measurer.reader);
	ic_map_free(&measurer.by_fde);
	IC_ARRAY_FREE(&measurer.gauges);
	return ok;
}
