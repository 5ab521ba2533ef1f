// Copies of ELF files with additional sections. The rest of the file keeps its place, byte for
// byte; the contents of the new sections are appended, with a longer table of names and one of
// headers. If the old tables end the file, the new ones replace them. What follows a replaced
// section moves up, unless it is loaded into memory: a gap would look like damage.
#include <elf.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/sort.h"
#include "elf/image/image.h"

#include <inlinecall/extra/image.h>

struct field { // of a header, in either class
	uint8_t off, size;
};

static const struct layout {
	struct field table_off, entry_size, entry_count, names_index; // of the file's header
	struct field name, type, flags, off, size, link, align;       // of a section's
	uint8_t header_size;                                          // of a section
	struct field segments_off, segment_size, segment_count;       // of the file's
	struct field segment_file_off, segment_file_size;             // of a segment's
} layouts[] = {
	// clang-format off
	{ { 32, 4 }, { 46, 2 }, { 48, 2 }, { 50, 2 },
	  { 0, 4 }, { 4, 4 }, { 8, 4 }, { 16, 4 }, { 20, 4 }, { 24, 4 }, { 32, 4 }, 40,
	  { 28, 4 }, { 42, 2 }, { 44, 2 }, { 4, 4 }, { 16, 4 } },
	{ { 40, 8 }, { 58, 2 }, { 60, 2 }, { 62, 2 },
	  { 0, 4 }, { 4, 4 }, { 8, 8 }, { 24, 8 }, { 32, 8 }, { 40, 4 }, { 48, 8 }, 64,
	  { 32, 8 }, { 54, 2 }, { 56, 2 }, { 8, 8 }, { 32, 8 } },
	// clang-format on
};

enum {
	SECTION_ALIGN = 4,
	ALIGN = 8, // of the table
	FILE_HEADER = 64,
	MOST_PADDING = 64, // before a section that is not loaded, and the tables that end a file
};

struct part { // to write after the file
	const void *bytes;
	uint64_t size, off;
};

struct copy {
	const struct ic_elf_file *file;
	const struct layout *layout;
	const struct ic_image_addition *additions;
	size_t addition_count;
	const struct ic_section **replaced; // by addition; NULL for none
	uint8_t header[FILE_HEADER];        // of the file
	uint8_t *table;                     // of the section headers, with the new ones
	uint64_t count, names_index, old_count;
	char *names;
	uint64_t names_size;
	uint64_t cut;           // sections move up from here on; the file's size if none do
	struct ic_keyed *moved; // those, by their old places
	uint32_t moved_count;
	uint64_t kept; // bytes of the file
	uint64_t end;  // of everything placed so far
};

static uint64_t get_field(const struct copy *copy, const uint8_t *at, struct field field)
{
	bool swap = copy->file->swap;

	at += field.off;
	return field.size == 2   ? ic_load16(at, swap)
	       : field.size == 4 ? ic_load32(at, swap)
				 : ic_load64(at, swap);
}

static void set_field(const struct copy *copy, uint8_t *at, struct field field, uint64_t value)
{
	ic_store(at + field.off, value, field.size, copy->file->swap);
}

static uint8_t *header_entry(const struct copy *copy, uint64_t number)
{
	return copy->table + number * copy->layout->header_size;
}

static bool fail_copy(const struct copy *copy, struct ic_error *err, const char *what)
{
	return ic_fail(err, IC_ERROR_MALFORMED, "%s: %s", copy->file->path, what);
}

// Copies the headers of the sections and their names.
static bool read_tables(struct copy *copy, struct ic_error *err)
{
	const struct ic_elf_file *file = copy->file;
	const struct layout *layout = copy->layout;
	uint64_t off = get_field(copy, copy->header, layout->table_off), most;

	copy->old_count = get_field(copy, copy->header, layout->entry_count);
	copy->names_index = get_field(copy, copy->header, layout->names_index);
	if (off == 0 || off > file->size || file->size - off < layout->header_size ||
	    get_field(copy, copy->header, layout->entry_size) != layout->header_size)
		return fail_copy(copy, err, "no section headers");
	// Numbers too large for the header are in the first section header (gABI).
	if (copy->old_count == 0)
		copy->old_count = get_field(copy, file->data + off, layout->size);
	if (copy->names_index == SHN_XINDEX)
		copy->names_index = get_field(copy, file->data + off, layout->link);
	most = (file->size - off) / layout->header_size;
	if (copy->old_count > most || copy->names_index >= copy->old_count ||
	    copy->names_index == 0)
		return fail_copy(copy, err, "section headers are beyond the end of the file");
	copy->table = ic_items_zeroed(copy->old_count + copy->addition_count, layout->header_size);
	if (!copy->table)
		return ic_fail_memory(err);
	memcpy(copy->table, file->data + off, copy->old_count * layout->header_size);
	copy->count = copy->old_count;
	const uint8_t *names = header_entry(copy, copy->names_index);
	uint64_t names_off = get_field(copy, names, layout->off);
	copy->names_size = get_field(copy, names, layout->size);
	if (get_field(copy, names, layout->type) != SHT_STRTAB || names_off > file->size ||
	    file->size - names_off < copy->names_size || copy->names_size > UINT32_MAX / 2 ||
	    copy->names_size == 0 || file->data[names_off + copy->names_size - 1] != 0)
		return fail_copy(copy, err, "section names are beyond the end of the file");
	// Names outside the table would otherwise be among the additions.
	for (uint64_t i = 0; i < copy->old_count; i++)
		if (get_field(copy, header_entry(copy, i), layout->name) >= copy->names_size)
			return fail_copy(copy, err, "section names are beyond the end of the file");
	uint64_t more = 0;
	for (size_t i = 0; i < copy->addition_count; i++)
		more += strlen(copy->additions[i].name) + 1;
	copy->names = malloc(copy->names_size + more + 1);
	if (!copy->names)
		return ic_fail_memory(err);
	if (copy->names_size > 0)
		memcpy(copy->names, file->data + names_off, copy->names_size);
	return true;
}

// ---- What is kept

// Only one of several sections with the same name is replaced.
static bool find_replaced(struct copy *copy, struct ic_error *err)
{
	copy->replaced = ic_items_alloc(copy->addition_count + 1ull, sizeof(*copy->replaced));
	for (size_t i = 0; copy->replaced && i < copy->addition_count; i++)
		copy->replaced[i] = ic_elf_file_section(copy->file, copy->additions[i].name);
	return copy->replaced || ic_fail_memory(err);
}

static bool is_replaced(const struct copy *copy, uint64_t number)
{
	for (size_t i = 0; i < copy->addition_count; i++)
		if (copy->replaced[i] == copy->file->sections + number)
			return true;
	return number == copy->names_index;
}

static uint64_t later_end(uint64_t end, uint64_t off, uint64_t size)
{
	return off <= UINT64_MAX - size && off + size > end ? off + size : end;
}

static uint64_t end_of_segments(const struct copy *copy, uint64_t end)
{
	const struct layout *layout = copy->layout;
	uint64_t off = get_field(copy, copy->header, layout->segments_off);
	uint64_t size = get_field(copy, copy->header, layout->segment_size);
	uint64_t count = get_field(copy, copy->header, layout->segment_count);
	uint64_t least = layout->segment_file_size.off + layout->segment_file_size.size;

	end = later_end(end, off, count * size);
	for (uint64_t i = 0; i < count && size >= least && off <= copy->file->size &&
			     (i + 1) * size <= copy->file->size - off;
	     i++) {
		const uint8_t *segment = copy->file->data + off + i * size;
		end = later_end(end, get_field(copy, segment, layout->segment_file_off),
				get_field(copy, segment, layout->segment_file_size));
	}
	return end;
}

static uint64_t field_of(const struct copy *copy, uint64_t number, struct field field)
{
	return get_field(copy, header_entry(copy, number), field);
}

// Finds what moves up: everything after the first replaced section.
static void find_cut(struct copy *copy)
{
	const struct layout *layout = copy->layout;
	uint64_t loaded = end_of_segments(copy, FILE_HEADER), size = copy->file->size;

	copy->cut = size;
	for (uint64_t i = 1; i < copy->old_count; i++) {
		uint64_t off = field_of(copy, i, layout->off);
		if (field_of(copy, i, layout->type) == SHT_NOBITS)
			continue;
		if (field_of(copy, i, layout->flags) & SHF_ALLOC)
			loaded = later_end(loaded, off, field_of(copy, i, layout->size));
		if (is_replaced(copy, i) && i != copy->names_index && off < copy->cut)
			copy->cut = off;
	}
	if (copy->cut < loaded)
		copy->cut = size;
}

// Lists the sections that move up. False if they exceed the data after the cut, or memory runs out.
static bool list_moved(struct copy *copy)
{
	const struct layout *layout = copy->layout;
	uint64_t left = copy->file->size - copy->cut;

	copy->moved = ic_items_alloc(copy->old_count, sizeof(*copy->moved));
	for (uint64_t i = 1; copy->moved && i < copy->old_count; i++) {
		uint64_t off = field_of(copy, i, layout->off);
		uint64_t size = field_of(copy, i, layout->size);
		if (field_of(copy, i, layout->type) == SHT_NOBITS || is_replaced(copy, i) ||
		    off < copy->cut)
			continue;
		if (size > left || off > copy->file->size - size)
			return false;
		left -= size;
		copy->moved[copy->moved_count++] = (struct ic_keyed){ off, (uint32_t)i };
	}
	return copy->moved && ic_keyed_sort(copy->moved, copy->moved_count);
}

// The end of the part of the file that stays: all of it, unless only data that is rewritten
// follows.
static uint64_t end_of_kept(const struct copy *copy)
{
	const struct layout *layout = copy->layout;
	uint64_t end = end_of_segments(copy, FILE_HEADER), anew = 0, size = copy->file->size;

	for (uint64_t i = 1; i < copy->old_count; i++)
		if (field_of(copy, i, layout->type) != SHT_NOBITS && !is_replaced(copy, i) &&
		    field_of(copy, i, layout->off) < copy->cut)
			end = later_end(end, field_of(copy, i, layout->off),
					field_of(copy, i, layout->size));
	for (uint64_t i = 1; i < copy->old_count; i++)
		if (field_of(copy, i, layout->type) != SHT_NOBITS &&
		    field_of(copy, i, layout->off) >= end)
			anew += field_of(copy, i, layout->size) % (size + 1);
	if (get_field(copy, copy->header, layout->table_off) >= end)
		anew += copy->old_count * layout->header_size;
	return end < size && size - end <= anew + MOST_PADDING * (copy->moved_count + 1ull) ? end
											    : size;
}

static void find_kept(struct copy *copy)
{
	find_cut(copy);
	if (!list_moved(copy)) {
		copy->cut = copy->file->size;
		copy->moved_count = 0;
	}
	copy->kept = end_of_kept(copy);
	if (copy->kept > copy->cut) { // something unknown follows
		copy->kept = copy->file->size;
		copy->moved_count = 0;
	}
	copy->end = copy->kept;
}

// ---- What is added

static uint64_t place_part(struct copy *copy, uint64_t size, unsigned align)
{
	uint64_t off = ic_align_up(copy->end, align);

	copy->end = off + size;
	return off;
}

// The header of an addition, possibly that of the section it replaces. NULL if that is loaded, or
// holds the section names.
static uint8_t *need_header(struct copy *copy, size_t number)
{
	const struct ic_section *old = copy->replaced[number];
	const char *name = copy->additions[number].name;
	size_t size = strlen(name) + 1;

	if (old &&
	    (old->flags & SHF_ALLOC || (uint64_t)(old - copy->file->sections) == copy->names_index))
		return NULL;
	if (old && (uint64_t)(old - copy->file->sections) < copy->old_count)
		return header_entry(copy, (uint64_t)(old - copy->file->sections));
	uint8_t *header = header_entry(copy, copy->count++);
	set_field(copy, header, copy->layout->name, copy->names_size);
	memcpy(copy->names + copy->names_size, name, size);
	copy->names_size += size;
	return header;
}

static bool add_section(struct copy *copy, size_t number, uint64_t *off, struct ic_error *err)
{
	const struct ic_image_addition *addition = &copy->additions[number];
	const struct layout *layout = copy->layout;
	uint8_t *header = need_header(copy, number);

	if (!header)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "%s: cannot replace section %s, which is allocated or has the "
			       "section names",
			       copy->file->path, addition->name);
	*off = place_part(copy, addition->size, SECTION_ALIGN);
	set_field(copy, header, layout->type, SHT_PROGBITS);
	set_field(copy, header, layout->flags, 0);
	set_field(copy, header, layout->off, *off);
	set_field(copy, header, layout->size, addition->size);
	set_field(copy, header, layout->align, SECTION_ALIGN);
	return true;
}

// Writes a part at its place, at most MOST_PADDING bytes ahead.
static bool write_part(FILE *out, uint64_t *at, struct part part)
{
	static const uint8_t zeros[MOST_PADDING];

	if (part.off > *at && fwrite(zeros, 1, part.off - *at, out) != part.off - *at)
		return false;
	*at = part.off + part.size;
	return part.size == 0 || fwrite(part.bytes, 1, part.size, out) == part.size;
}

// Sets the places of the tables in the headers.
static void finish_headers(struct copy *copy, uint64_t names_off, uint64_t table_off)
{
	const struct layout *layout = copy->layout;
	uint8_t *names = header_entry(copy, copy->names_index);

	set_field(copy, names, layout->off, names_off);
	set_field(copy, names, layout->size, copy->names_size);
	set_field(copy, copy->header, layout->table_off, table_off);
	if (copy->count < SHN_LORESERVE) {
		set_field(copy, copy->header, layout->entry_count, copy->count);
	} else {
		set_field(copy, copy->header, layout->entry_count, 0);
		set_field(copy, copy->table, layout->size, copy->count);
	}
}

// The old and new places of a section.
static struct part move_section(struct copy *copy, uint32_t number)
{
	const struct layout *layout = copy->layout;
	uint64_t align = field_of(copy, number, layout->align);
	struct part part = { copy->file->data + field_of(copy, number, layout->off),
			     field_of(copy, number, layout->size), 0 };

	part.off = place_part(copy, part.size,
			      align > 1 && align <= MOST_PADDING ? (unsigned)align : 1);
	set_field(copy, header_entry(copy, number), layout->off, part.off);
	return part;
}

static bool write_copy(struct copy *copy, FILE *out, struct ic_error *err)
{
	const struct ic_elf_file *file = copy->file;
	uint64_t *offs = ic_items_zeroed(copy->addition_count + 1, sizeof(*offs)), at = 0;
	struct part *moved = ic_items_alloc(copy->moved_count + 1ull, sizeof(*moved));
	bool ok = (offs && moved) || ic_fail_memory(err);

	for (uint32_t i = 0; ok && i < copy->moved_count; i++)
		moved[i] = move_section(copy, copy->moved[i].number);
	for (size_t i = 0; ok && i < copy->addition_count; i++)
		ok = add_section(copy, i, &offs[i], err);
	if (!ok) {
		free(offs);
		free(moved);
		return false;
	}
	uint64_t names_off = place_part(copy, copy->names_size, 1);
	uint64_t table_size = copy->count * copy->layout->header_size;
	uint64_t table_off = place_part(copy, table_size, ALIGN);
	uint64_t header_size = copy->kept < FILE_HEADER ? copy->kept : FILE_HEADER;

	finish_headers(copy, names_off, table_off);
	ok = write_part(out, &at, (struct part){ copy->header, header_size, 0 }) &&
	     write_part(out, &at,
			(struct part){ file->data + header_size, copy->kept - header_size,
				       header_size });
	for (uint32_t i = 0; ok && i < copy->moved_count; i++)
		ok = write_part(out, &at, moved[i]);
	for (size_t i = 0; ok && i < copy->addition_count; i++)
		ok = write_part(out, &at,
				(struct part){ copy->additions[i].bytes, copy->additions[i].size,
					       offs[i] });
	ok = ok &&
	     write_part(out, &at, (struct part){ copy->names, copy->names_size, names_off }) &&
	     write_part(out, &at, (struct part){ copy->table, table_size, table_off });
	free(offs);
	free(moved);
	return ok || ic_fail_system(err, "write", "the copy");
}

bool ic_image_write(const struct ic_image *image, const struct ic_image_addition *additions,
		    size_t count, FILE *out, struct ic_error *err)
{
	const struct ic_elf_file *file = &image->file;
	struct ic_error unwanted;
	struct copy copy = {
		.file = file,
		.additions = additions,
		.addition_count = count,
	};

	err = err ? err : &unwanted;
	memcpy(copy.header, file->data, file->size < FILE_HEADER ? file->size : FILE_HEADER);
	copy.layout = &layouts[copy.header[EI_CLASS] == ELFCLASS64];
	bool ok = read_tables(&copy, err) && find_replaced(&copy, err);
	if (ok) {
		find_kept(&copy);
		ok = write_copy(&copy, out, err);
	}
	free(copy.replaced);
	free(copy.moved);
	free(copy.table);
	free(copy.names);
	return ok;
}
