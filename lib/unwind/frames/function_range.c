#include "unwind/frames/function_range.h"

#include "unwind/frames/call_frames.h"

// The file with the code at an address; NULL if it is in none, or that is not known.
static struct ic_image *find_image(const struct ic_unwind_options *options, uint64_t addr,
				   uint64_t *bias)
{
	struct ic_unwind_module module = { .frames = NULL };

	if (!options->find_module(options->context, addr, &module))
		return NULL;
	*bias = module.bias;
	return module.image || !module.frames ? module.image : module.frames->image;
}

bool ic_function_range_find(const struct ic_unwind_options *options, uint64_t addr,
			    struct ic_range *range)
{
	struct ic_symbol_source *symbols;
	struct ic_symbol symbol;
	struct ic_error err;
	uint64_t bias;
	struct ic_image *image = find_image(options, addr, &bias);

	if (!image)
		return false;
	uint64_t in_file = addr - bias;
	// Unreadable symbols are reported when frames are named.
	if (!ic_image_symbols(image, SYMTAB_INNERMOST, 1, &symbols, &err) && !symbols)
		return false;
	const struct ic_range here = { in_file, in_file + 1 };
	if (!symbols->find(symbols, here, NULL, &symbol) || in_file < symbol.start)
		return false;
	uint64_t end = symbol.end > symbol.start ? symbol.end : symbol.reach;
	*range = (struct ic_range){ symbol.start + bias, end + bias };
	return in_file < end;
}

bool ic_function_range_is_entry(const struct ic_unwind_options *options, uint64_t addr)
{
	struct ic_range range;
	uint64_t bias;
	const struct ic_image *image = find_image(options, addr, &bias);

	return image && image->file.layout.entry_addr != 0 &&
	       ic_function_range_find(options, addr, &range) &&
	       range.start - bias == image->file.layout.entry_addr;
}
