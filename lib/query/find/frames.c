#include "query/find/frames.h"

static const char *file_of(const struct ic_unit_model *unit, uint32_t file)
{
	return file < unit->file_count ? unit->files[file] : NULL;
}

static const char *source_of(const struct ic_unit_model *unit, uint32_t file)
{
	return file < unit->source_count ? unit->sources[file] : NULL;
}

struct ic_frame ic_frame_of_row(const struct ic_unit_model *unit, const struct ic_code_row *row)
{
	struct ic_frame frame = { .start = IC_NO_ADDR };

	if (row) {
		frame.file = file_of(unit, row->file);
		frame.source = source_of(unit, row->file);
		frame.line = row->line;
		frame.column = row->column;
		frame.discriminator = row->discriminator;
		frame.is_approximate = row->is_approximate;
	}
	return frame;
}

// The position of the call that an instance replaces.
static struct ic_frame place_of_call(const struct ic_unit_model *unit,
				     const struct ic_instance *instance)
{
	return (struct ic_frame){ .file = file_of(unit, instance->call_file),
				  .source = source_of(unit, instance->call_file),
				  .line = instance->call_line,
				  .column = instance->call_column,
				  .discriminator = instance->call_discriminator };
}

static void add_function(struct ic_frame *frame, const struct ic_unit_model *unit,
			 const struct ic_instance *instance)
{
	frame->start = instance->entry;
	frame->inlined = instance->kind == IC_INSTANCE_INLINED;
	if (instance->function == IC_NONE)
		return;
	const struct ic_function *function = &unit->functions[instance->function];
	frame->function = function->name ? function->name : function->linkage_name;
	frame->linkage_name = function->linkage_name;
	frame->decl_file = function->decl_file;
	frame->decl_line = function->decl_line;
}

size_t ic_frames_of(const struct ic_unit_model *unit, uint32_t instance,
		    const struct ic_code_row *row, struct ic_frame *frames, size_t capacity)
{
	struct ic_frame frame = ic_frame_of_row(unit, row);
	size_t count = 0;

	for (const struct ic_instance *at; instance != IC_NONE; instance = at->parent) {
		at = &unit->instances[instance];
		if (count < capacity) {
			add_function(&frame, unit, at);
			frames[count] = frame;
			frame = place_of_call(unit, at);
		}
		count++;
	}
	return count;
}
