// Lists all symbols of an image. The public part is inlinecall/image.h.
#include "elf/image/image.h"
#include "elf/symbols/names.h"

struct listing {
	void (*visit)(void *context, const struct ic_image_symbol *symbol);
	void *context;
};

static void visit_symbol(void *context, const struct ic_symbol *symbol, enum ic_symbol_kind kind)
{
	const struct listing *listing = context;
	const struct ic_image_symbol shown = { symbol->name, symbol->start, symbol->end,
					       kind != IC_SYMBOL_OTHER };

	listing->visit(listing->context, &shown);
}

bool ic_image_list_symbols(struct ic_image *image,
			   void (*visit)(void *context, const struct ic_image_symbol *symbol),
			   void *context, struct ic_error *err)
{
	struct listing listing = { visit, context };
	struct ic_symbol_files files = { NULL, NULL };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	bool ok = ic_image_load_descriptors(image, 1, err);
	ok = ic_image_symbol_files(image, false, &files, ok ? err : &unwanted) && ok;
	if (files.file)
		ic_symtab_take_all(files.file, files.mini, visit_symbol, &listing);
	return ok;
}
