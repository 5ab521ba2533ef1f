// Fuzzes the indexes of packages.
// Wanted: rows in the order of their offsets, each found at its offsets, and nothing found anywhere
// else.
#include "dwarf/units/package.h"

#include "fuzz_input.h"

struct rows {
	const struct ic_package_row *items;
	uint32_t count;
};

static void check_rows(const struct ic_package *package, bool in_types, struct rows rows)
{
	for (uint32_t i = 0; i < rows.count; i++) {
		const struct ic_package_row *row = &rows.items[i];
		const uint64_t offs[] = { row->info_off, (uint64_t)row->info_off + row->info_size,
					  (uint64_t)row->info_off + row->info_size - 1,
					  row->info_off - 1ull };

		PROMISE(i == 0 || row[-1].info_off <= row->info_off);
		for (size_t j = 0; j < sizeof(offs) / sizeof(*offs); j++) {
			const struct ic_package_row *found =
				ic_package_find(package, in_types, offs[j]);
			PROMISE(!found || (found >= rows.items && found < rows.items + rows.count));
			PROMISE(!found || (found->info_off <= offs[j] &&
					   offs[j] - found->info_off < found->info_size));
			// Rows that overlap hide each other, but not the last of them.
			if (j == 0 && row->info_size > 0 &&
			    (i + 1 == rows.count || row[1].info_off > row->info_off))
				PROMISE(found == row);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	bool swap = fuzz_take_u8(&in) & 1;
	struct ic_bytes indexes[2];
	struct ic_package package = { 0 };
	struct ic_error err = { 0 };

	fuzz_take_sections(&in, indexes, 2);
	for (size_t i = 0; i < 2; i++) {
		uint32_t before = package.in_info.count + package.in_types.count;
		if (!ic_package_add(&package, indexes[i], i ? ".debug_tu_index" : ".debug_cu_index",
				    swap, &err)) {
			PROMISE_REASON(err);
			break;
		}
		PROMISE(package.in_info.count + package.in_types.count - before <=
			indexes[i].size / 12);
		check_rows(&package, false,
			   (struct rows){ package.in_info.items, package.in_info.count });
		check_rows(&package, true,
			   (struct rows){ package.in_types.items, package.in_types.count });
	}
	ic_package_free(&package);
	fuzz_free_sections(indexes, 2);
	return 0;
}
