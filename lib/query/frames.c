#include "query/frames.h"

#include "model/code_map.h"

static const char *file_of(const struct ic_unit_model *unit, uint32_t file)
{
	return file < unit->file_count ? unit->files[file] : NULL;
}

// What a frame says of the instance that it is in.
static struct ic_frame frame_of(const struct ic_unit_model *unit,
				const struct ic_instance *instance)
{
	struct ic_frame frame = { .start = instance->entry,
				  .inlined = instance->kind == IC_INSTANCE_INLINED };

	if (instance->function == IC_NONE)
		return frame;
	const struct ic_function *function = &unit->functions[instance->function];
	frame.function = function->name ? function->name : function->linkage_name;
	frame.linkage_name = function->linkage_name;
	frame.decl_file = function->decl_file;
	frame.decl_line = function->decl_line;
	return frame;
}

size_t ic_frames_at(const struct ic_unit_model *unit, uint64_t addr, struct ic_frame *frames,
		    size_t capacity)
{
	const struct ic_code_row *row = ic_code_map_row(&unit->code_map, addr);
	uint32_t number = ic_segments_find(&unit->code_map.instances, addr);
	struct ic_frame place = { .start = IC_NO_ADDR }; // of the code that is under way
	size_t count = 0;

	if (row) {
		place.file = file_of(unit, row->file);
		place.line = row->line;
		place.column = row->column;
		place.discriminator = row->discriminator;
	}
	if (number == IC_NONE) {
		if (row && capacity > 0)
			frames[0] = place;
		return row != NULL;
	}
	for (; number != IC_NONE; count++) {
		const struct ic_instance *instance = &unit->instances[number];
		if (count < capacity) {
			struct ic_frame *frame = &frames[count];
			*frame = frame_of(unit, instance);
			frame->file = place.file;
			frame->line = place.line;
			frame->column = place.column;
			frame->discriminator = place.discriminator;
		}
		place.file = file_of(unit, instance->call_file);
		place.line = instance->call_line;
		place.column = instance->call_column;
		place.discriminator = instance->call_discriminator;
		number = instance->parent;
	}
	return count;
}
