// Arguments that are not stored yet where a copy is entered: implements inlinecall/extra/stored.h.
#include <inlinecall/extra/stored.h>

#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra/call_frames.h>

#include "code/stored/stored.h"
#include "elf/image/image.h"

struct ic_stored {
	struct ic_image *image;
	bool is_begun;
	struct ic_stored_source source; // nothing is known without a disassembler
	struct ic_call_frames *frames;
	struct ic_call_frame_reader *rows;
};

static struct ic_bytes bytes_at(void *context, uint64_t addr)
{
	return ic_image_code_at(context, addr);
}

// Without call frames, locations in a function's frame are unchanged.
static void begin_arguments(struct ic_stored *stored)
{
	struct ic_error err;

	if (stored->is_begun)
		return;
	stored->is_begun = true;
	stored->source =
		(struct ic_stored_source){ ic_disassembler_open(ic_image_machine(stored->image),
								ic_image_addr_size(stored->image),
								&err),
					   bytes_at, stored->image };
	if (!stored->source.disassembler)
		return;
	stored->frames = ic_call_frames_open(stored->image, NULL);
	if (stored->frames)
		stored->rows = ic_call_frame_reader_new(stored->frames, NULL);
}

// The slot that a location reads first; false if it reads none, or one outside the function's
// frame.
static bool find_slot(struct ic_stored *stored, uint64_t entry,
		      const struct ic_parameter *parameter, struct ic_slot *slot)
{
	const struct ic_location *location = &parameter->location;
	struct ic_call_frame_entry frame;
	struct ic_call_frame_row row;

	if (location->kind != IC_LOCATION_MEMORY &&
	    (location->kind != IC_LOCATION_VALUE || location->load_count == 0))
		return false;
	*slot = (struct ic_slot){ .reg = (uint8_t)location->reg,
				  .offset = (uint64_t)location->offset,
				  .size = location->load_count > 0 ? location->loads[0].size
								   : parameter->size,
				  .moves = location->why == IC_LOCATION_WHY_NOT_STORED,
				  .is_reached = parameter->is_everywhere };
	if (location->base == IC_BASE_REGISTER)
		return location->reg <= UINT8_MAX;
	// Above the frame address, the caller has stored the values.
	if (location->base != IC_BASE_CFA || location->offset >= 0 || !stored->rows ||
	    !ic_call_frame_reader_find(stored->rows, entry, &frame, &row, NULL) ||
	    row.cfa.kind != IC_RULE_REGISTER || row.cfa.from > UINT8_MAX)
		return false;
	slot->reg = (uint8_t)row.cfa.from;
	slot->offset += (uint64_t)row.cfa.at.offset;
	slot->moves = false;
	return true;
}

// Replaces what a location reads first by a value.
static void replace_location(struct ic_location *location, const struct ic_location *value)
{
	struct ic_location changed = *value;
	bool is_loaded = location->load_count > 0;

	changed.is_uninitialised = location->is_uninitialised;
	if (is_loaded) {
		uint32_t first = value->kind != IC_LOCATION_MEMORY; // of the remaining loads
		changed.kind = location->kind;
		changed.load_count = location->load_count - first;
		memcpy(changed.loads, location->loads + first,
		       changed.load_count * sizeof(*changed.loads));
		if (first)
			changed.offset += location->loads[0].offset;
	}
	if (is_loaded && value->kind == IC_LOCATION_ADDRESS)
		changed.base = IC_BASE_ADDRESS;
	else if (is_loaded && value->kind == IC_LOCATION_CONSTANT)
		changed.base = IC_BASE_CONSTANT;
	*location = changed;
}

void ic_stored_correct(void *context, uint64_t entry, struct ic_parameter *parameter)
{
	struct ic_stored *stored = context;
	struct ic_location value;
	struct ic_slot slot;
	uint64_t after = IC_NO_ADDR;

	if (parameter->location.kind != IC_LOCATION_MEMORY &&
	    parameter->location.kind != IC_LOCATION_VALUE)
		return;
	begin_arguments(stored);
	if (!stored->source.disassembler || !find_slot(stored, entry, parameter, &slot))
		return;
	switch (ic_stored_find(&stored->source, entry, &slot, &value, &after)) {
	case IC_STORED_NOTHING: return;
	case IC_STORED_UNKNOWN:
		parameter->location = (struct ic_location){ .why = IC_LOCATION_WHY_NOT_STORED };
		parameter->known_from = after;
		break;
	case IC_STORED_VALUE: replace_location(&parameter->location, &value); break;
	}
	parameter->is_everywhere = false;
}

struct ic_stored *ic_stored_open(struct ic_image *image, struct ic_error *err)
{
	struct ic_stored *stored = calloc(1, sizeof(*stored));

	if (stored)
		stored->image = image;
	else if (err)
		ic_fail_memory(err);
	return stored;
}

void ic_stored_free(struct ic_stored *stored)
{
	if (!stored)
		return;
	ic_call_frame_reader_free(stored->rows);
	ic_call_frames_free(stored->frames);
	ic_disassembler_close(stored->source.disassembler);
	free(stored);
}
