#include "gsym/file.h"

#include <inttypes.h>

#include "base/cursor.h"

#define NAME IC_GSYM_SECTION

static bool is_size(uint8_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static struct ic_cursor cursor_at(const struct ic_gsym *gsym, uint64_t off, uint64_t size)
{
	return ic_cursor_at(gsym->bytes, NAME, off, size, gsym->swap);
}

bool ic_gsym_begins(struct ic_bytes bytes)
{
	return bytes.size >= 6 && (ic_load32(bytes.data, false) == IC_GSYM_MAGIC ||
				   ic_load32(bytes.data, true) == IC_GSYM_MAGIC);
}

// ---- Headers

// In version 1 the tables follow the header, each aligned to the size of its numbers.
static bool place_tables(struct ic_gsym *gsym, struct ic_cursor *cur, uint8_t id_size,
			 struct ic_error *err)
{
	uint64_t strings_off = ic_cursor_u32(cur), strings_size = ic_cursor_u32(cur);
	const uint8_t *id = ic_cursor_take(cur, IC_GSYM_MOST_ID_SIZE);
	uint64_t size = gsym->bytes.size;

	if (!ic_cursor_ok(cur, err))
		return false;
	if (id_size > IC_GSYM_MOST_ID_SIZE)
		return ic_fail_at(err, NAME, 7, "a build ID of %u bytes does not fit", id_size);
	if (strings_off > size || strings_size > size - strings_off)
		return ic_fail_at(err, NAME, 20, "the strings are beyond the end of the file");
	gsym->id = (struct ic_bytes){ id, id_size };
	gsym->strings = (struct ic_bytes){ gsym->bytes.data + strings_off, (size_t)strings_size };
	gsym->offset_size = 4;
	gsym->addrs_off = ic_align_up(IC_GSYM_HEADER_SIZE, gsym->addr_size);
	gsym->infos_off = ic_align_up(gsym->addrs_off + (uint64_t)gsym->count * gsym->addr_size, 4);
	gsym->files_off = gsym->infos_off + (uint64_t)gsym->count * 4;
	gsym->functions_end = size;
	return true;
}

// In version 2 a list after the header tells where they are.
static bool list_tables(struct ic_gsym *gsym, struct ic_cursor *cur, struct ic_error *err)
{
	struct ic_bytes tables[IC_GSYM_TABLE_ID + 1] = { { NULL, 0 } };

	for (;;) {
		uint64_t entry = ic_cursor_off(cur);
		uint32_t type = ic_cursor_u32(cur);
		uint64_t off = ic_cursor_u64(cur), size = ic_cursor_u64(cur);
		if (!ic_cursor_ok(cur, err))
			return false;
		if (type == IC_GSYM_TABLE_END)
			break;
		if (off > gsym->bytes.size || size > gsym->bytes.size - off)
			return ic_fail_at(err, NAME, entry,
					  "table %" PRIu32 " is beyond the end of the file", type);
		if (type > IC_GSYM_TABLE_ID) // of a later release: all that are needed are below
			continue;
		if (tables[type].data)
			return ic_fail_at(err, NAME, entry, "there are two tables %" PRIu32, type);
		tables[type] = (struct ic_bytes){ gsym->bytes.data + off, (size_t)size };
	}
	for (uint32_t type = IC_GSYM_TABLE_ADDRS; type < IC_GSYM_TABLE_ID; type++)
		if (!tables[type].data)
			return ic_fail_at(err, NAME, IC_GSYM_HEADER_SIZE_2,
					  "there is no table %" PRIu32, type);
	const uint8_t *start = gsym->bytes.data;
	gsym->offset_size = 8;
	gsym->id = tables[IC_GSYM_TABLE_ID];
	gsym->strings = tables[IC_GSYM_TABLE_STRINGS];
	gsym->addrs_off = (uint64_t)(tables[IC_GSYM_TABLE_ADDRS].data - start);
	gsym->infos_off = (uint64_t)(tables[IC_GSYM_TABLE_INFOS].data - start);
	gsym->files_off = (uint64_t)(tables[IC_GSYM_TABLE_FILES].data - start);
	gsym->functions_off = (uint64_t)(tables[IC_GSYM_TABLE_FUNCTIONS].data - start);
	gsym->functions_end = gsym->functions_off + tables[IC_GSYM_TABLE_FUNCTIONS].size;
	return true;
}

// Checks that the tables of numbers are in the file, and reads the number of files.
static bool check_tables(struct ic_gsym *gsym, struct ic_error *err)
{
	uint64_t size = gsym->bytes.size;
	struct ic_cursor cur = cursor_at(gsym, gsym->files_off, 4);

	gsym->file_count = ic_cursor_u32(&cur);
	if (!ic_cursor_ok(&cur, err))
		return false;
	gsym->files_off += 4;
	if (gsym->addrs_off > size || (size - gsym->addrs_off) / gsym->addr_size < gsym->count)
		return ic_fail_at(err, NAME, gsym->addrs_off,
				  "the table of %" PRIu32 " addresses is truncated", gsym->count);
	if (gsym->infos_off > size || (size - gsym->infos_off) / gsym->offset_size < gsym->count)
		return ic_fail_at(err, NAME, gsym->infos_off,
				  "the table of %" PRIu32 " functions is truncated", gsym->count);
	if ((size - gsym->files_off) / (2u * gsym->offset_size) < gsym->file_count)
		return ic_fail_at(err, NAME, gsym->files_off,
				  "the table of %" PRIu32 " files is truncated", gsym->file_count);
	if (gsym->strings.size == 0 || gsym->strings.data[0] != 0)
		return ic_fail_at(err, NAME, (uint64_t)(gsym->strings.data - gsym->bytes.data),
				  "the strings do not begin with an empty one");
	gsym->strings = ic_bytes_cut_after_nul(gsym->strings);
	return true;
}

bool ic_gsym_parse(struct ic_gsym *gsym, struct ic_bytes bytes, struct ic_error *err)
{
	*gsym = (struct ic_gsym){ .bytes = bytes };
	if (!ic_gsym_begins(bytes))
		return ic_fail_at(err, NAME, 0, "not GSYM");
	gsym->swap = ic_load32(bytes.data, false) != IC_GSYM_MAGIC;
	struct ic_cursor cur = cursor_at(gsym, 4, bytes.size - 4);
	uint16_t version = ic_cursor_u16(&cur);
	gsym->addr_size = ic_cursor_u8(&cur);
	uint8_t other = ic_cursor_u8(&cur); // the size of the build ID; how strings are encoded
	gsym->base = ic_cursor_u64(&cur);
	gsym->count = ic_cursor_u32(&cur);
	if (!ic_cursor_ok(&cur, err))
		return false;
	if (version < 1 || version > 2 || (version == 2 && other != 0)) {
		ic_fail_at(err, NAME, 4, "unsupported GSYM version %u, encoding %u", version,
			   version == 2 ? other : 0);
		err->code = IC_ERROR_UNSUPPORTED;
		return false;
	}
	gsym->version = (uint8_t)version;
	if (!is_size(gsym->addr_size))
		return ic_fail_at(err, NAME, 6, "addresses of %u bytes", gsym->addr_size);
	return (version == 1 ? place_tables(gsym, &cur, other, err)
			     : list_tables(gsym, &cur, err)) &&
	       check_tables(gsym, err);
}

// ---- Tables

uint64_t ic_gsym_addr(const struct ic_gsym *gsym, uint32_t number)
{
	uint64_t off = gsym->addrs_off + (uint64_t)number * gsym->addr_size;
	struct ic_cursor cur = cursor_at(gsym, off, gsym->addr_size);

	return gsym->base + ic_cursor_uint(&cur, gsym->addr_size);
}

uint64_t ic_gsym_info_off(const struct ic_gsym *gsym, uint32_t number)
{
	uint64_t off = gsym->infos_off + (uint64_t)number * gsym->offset_size;
	struct ic_cursor cur = cursor_at(gsym, off, gsym->offset_size);

	return gsym->functions_off + ic_cursor_uint(&cur, gsym->offset_size);
}

const char *ic_gsym_string(const struct ic_gsym *gsym, uint64_t off)
{
	return off < gsym->strings.size ? (const char *)gsym->strings.data + off : NULL;
}

bool ic_gsym_file(const struct ic_gsym *gsym, uint64_t number, const char **directory,
		  const char **name)
{
	if (number >= gsym->file_count)
		return false;
	uint64_t off = gsym->files_off + number * gsym->offset_size * 2;
	struct ic_cursor cur = cursor_at(gsym, off, gsym->offset_size * 2u);
	*directory = ic_gsym_string(gsym, ic_cursor_uint(&cur, gsym->offset_size));
	*name = ic_gsym_string(gsym, ic_cursor_uint(&cur, gsym->offset_size));
	return *directory && *name;
}
