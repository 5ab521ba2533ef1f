// Where a Linux kernel can trace functions. The public part is inlinecall/extra/image.h.
#include <stdlib.h>

#include "base/array.h"
#include "elf/image/image.h"
#include "elf/sections/relative.h"
#include "elf/symbols/names.h"

#include <inlinecall/extra/image.h>

static int compare_addrs(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

bool ic_image_traced_functions(struct ic_image *image, uint64_t **addrs, size_t *count,
			       struct ic_error *err)
{
	struct ic_symbol_files files = { NULL, NULL };
	struct ic_symbol start, end;
	struct ic_error unwanted;
	unsigned size = ic_image_addr_size(image);

	if (!err)
		err = &unwanted;
	*addrs = NULL;
	*count = 0;
	if (!ic_image_symbol_files(image, true, &files, err))
		return false;
	if (!files.file ||
	    !ic_symtab_find_name(files.file, files.mini, "__start_mcount_loc", 0, &start) ||
	    !ic_symtab_find_name(files.file, files.mini, "__stop_mcount_loc", 0, &end))
		return ic_fail(err, IC_ERROR_NOT_FOUND, "%s: no table of traced functions (ftrace)",
			       image->file.path);
	const struct ic_bytes table = ic_loaded_at(&image->file, start.start);
	uint64_t bytes = end.start - start.start;
	if (end.start < start.start || bytes > table.size || bytes % size != 0)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: the table of traced functions (ftrace) is not in the file",
			       image->file.path);
	uint64_t *list = ic_items_alloc(bytes / size + 1, sizeof(*list));
	if (!list)
		return ic_fail_memory(err);
	for (size_t i = 0; i < bytes / size; i++)
		list[i] = size == 8 ? ic_load64(table.data + 8 * i, image->file.swap)
				    : ic_load32(table.data + 4 * i, image->file.swap);
	qsort(list, bytes / size, sizeof(*list), compare_addrs);
	*addrs = list;
	*count = bytes / size;
	return true;
}
