// Start addresses of global functions: implements a part of inlinecall/extra/image.h.
#include <elf.h>
#include <stdlib.h>

#include "base/array.h"
#include "elf/files/symbol.h"
#include "elf/image/image.h"

#include <inlinecall/extra/image.h>

typedef IC_ARRAY(uint64_t) addr_list;

static bool take_addrs(addr_list *addrs, const struct ic_named_symbols *named)
{
	for (uint64_t i = 1; i < named->table.count; i++) { // the first is null (gABI)
		const struct ic_raw_symbol raw = ic_symbol_table_read(&named->table, i);

		if (raw.section == SHN_UNDEF || ELF64_ST_BIND(raw.info) == STB_LOCAL ||
		    !ic_raw_symbol_is_function(&raw))
			continue;
		if (!IC_ARRAY_ADD(addrs, ic_named_symbols_addr(named, &raw)))
			return false;
	}
	return true;
}

static int compare_addrs(const void *a, const void *b)
{
	const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

bool ic_image_global_functions(struct ic_image *image, uint64_t **addrs, size_t *count,
			       struct ic_error *err)
{
	struct ic_symbol_files files = { NULL, NULL };
	struct ic_named_symbols tables[2], dynamic;
	addr_list list = { .items = NULL };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	*addrs = NULL;
	*count = 0;
	if ((!ic_image_load_descriptors(image, 1, err) ||
	     !ic_image_symbol_files(image, false, &files, err)) &&
	    err->code == IC_ERROR_MEMORY)
		return false;
	dynamic = ic_named_symbols_open_dynamic(&image->file);
	bool ok = take_addrs(&list, &dynamic);
	if (files.file)
		(void)ic_named_symbols_open(tables, files.file, files.mini);
	for (size_t i = 0; ok && files.file && i < 2; i++)
		ok = take_addrs(&list, &tables[i]);
	if (!ok) {
		IC_ARRAY_FREE(&list);
		return ic_fail_memory(err);
	}
	if (list.count > 0)
		qsort(list.items, list.count, sizeof(*list.items), compare_addrs);
	*addrs = list.items;
	*count = list.count;
	return true;
}
