#include "filter/return.h"

#include <inlinecall/call_frames.h>
#include <inlinecall/extra/call_before.h>

uint64_t cli_filter_lookup_addr(const struct cli_filter_file *file, uint64_t addr, bool is_return)
{
	return is_return ? ic_image_code_addr(file->image, addr) - 1 : addr;
}

static void open_call_frames(struct cli_filter_file *file)
{
	if (file->sought_call_frames)
		return;
	file->sought_call_frames = true;
	file->call_frames = ic_call_frames_open(file->image, NULL);
	if (file->call_frames)
		file->reader = ic_call_frame_reader_new(file->call_frames, NULL);
}

// Whether a place is in the code that returns from signal handlers: call frame information marks it
// (augmentation "S"), because the frame below was interrupted.
static bool is_signal_frame(struct cli_filter_place place)
{
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;

	if (!place.file || place.file->is_relocatable)
		return false;
	open_call_frames(place.file);
	return place.file->reader &&
	       ic_call_frame_reader_find(place.file->reader, place.addr, &entry, &row, NULL) &&
	       entry.is_signal;
}

bool cli_filter_is_return(struct cli_filter_files *files, const struct ic_mention *mention,
			  struct cli_filter_place place)
{
	struct ic_symbolizer_symbol symbol;

	if (!mention->code_decides)
		return mention->is_return;
	if (mention->is_return && mention->is_caller && is_signal_frame(files->last.place))
		return false;
	if (place.file->is_kernel || place.file->is_relocatable) // its code is patched at run time
		return mention->is_return;
	switch (ic_call_before_check(place.file->image, place.addr)) {
	case IC_CALL_BEFORE_FOUND: return true;
	case IC_CALL_BEFORE_NONE: return false;
	case IC_CALL_BEFORE_UNKNOWN: break;
	}
	// A call that does not return is seldom at the very end of a function: there is padding
	// after most.
	return mention->is_return &&
	       !(mention->object.text &&
		 ic_symbolizer_symbol_at(place.file->symbolizer, place.addr, &symbol) &&
		 symbol.start == place.addr);
}
