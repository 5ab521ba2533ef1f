#include "unwind/frames/function_range.h"

#include "unwind/frames/call_frames.h"

bool ic_function_range_find(const struct ic_unwind_options *options, uint64_t addr,
			    struct ic_range *range)
{
	struct ic_unwind_module module = { .frames = NULL };
	struct ic_symbol_source *symbols;
	struct ic_symbol symbol;
	struct ic_error err;

	if (!options->find_module(options->context, addr, &module))
		return false;
	struct ic_image *image = module.image || !module.frames ? module.image
								: module.frames->image;
	if (!image)
		return false;
	uint64_t in_file = addr - module.bias;
	// Unreadable symbols are reported when frames are named.
	if (!ic_image_symbols(image, SYMTAB_INNERMOST, 1, &symbols, &err) && !symbols)
		return false;
	if (!symbols ||
	    !symbols->find(symbols, (struct ic_range){ in_file, in_file + 1 }, NULL, &symbol) ||
	    in_file < symbol.start)
		return false;
	uint64_t end = symbol.end > symbol.start ? symbol.end : symbol.reach;
	*range = (struct ic_range){ symbol.start + module.bias, end + module.bias };
	return in_file < end;
}
