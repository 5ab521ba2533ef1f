#include "dwarf/line_header.h"

#include "dwarf/constants.h"

enum { MOST_FORMATS = 255 }; // their count is one byte

static bool push_directory(struct ic_line_header *header, const char *name, struct ic_error *err)
{
	const char **directory = IC_ARRAY_PUSH(&header->directories);

	if (!directory)
		return ic_fail_memory(err);
	*directory = name;
	return true;
}

static bool push_file(struct ic_line_header *header, struct ic_line_file file, struct ic_error *err)
{
	struct ic_line_file *place = IC_ARRAY_PUSH(&header->files);

	if (!place)
		return ic_fail_memory(err);
	*place = file;
	return true;
}

// DWARF 4, 6.2.4: both lists end with an empty name.
static bool parse_old_tables(struct ic_line_header *header, struct ic_cursor *cur,
			     const struct ic_unit *unit, struct ic_error *err)
{
	if (!push_directory(header, unit->comp_dir ? unit->comp_dir : "", err) ||
	    !push_file(header, (struct ic_line_file){ "", 0 }, err))
		return false;
	for (const char *name; *(name = ic_cursor_string(cur));)
		if (!push_directory(header, name, err))
			return false;
	for (const char *name; *(name = ic_cursor_string(cur));) {
		struct ic_line_file file = { name, ic_cursor_uleb(cur) };
		ic_cursor_uleb(cur); // time
		ic_cursor_uleb(cur); // size
		if (!push_file(header, file, err))
			return false;
	}
	return ic_cursor_ok(cur, err);
}

// What the entries are made of: attributes whose names are DW_LNCT_*.
static uint32_t parse_formats(struct ic_attr_spec *formats, struct ic_cursor *cur,
			      const struct ic_unit *unit)
{
	uint32_t count = ic_cursor_u8(cur);

	for (uint32_t i = 0; i < count; i++) {
		uint16_t content = ic_cursor_uleb16(cur);
		uint16_t form = ic_cursor_uleb16(cur);
		formats[i] = ic_attr_spec_make(content, form, ic_form_size(form, unit), 0);
	}
	return count;
}

static struct ic_line_file parse_entry(struct ic_cursor *cur, const struct ic_attr_spec *formats,
				       uint32_t count, const struct ic_unit *unit)
{
	struct ic_line_file file = { "", 0 };
	struct ic_error err;

	for (uint32_t i = 0; i < count; i++) {
		struct ic_value value = ic_value_read(cur, &formats[i], unit);

		if (cur->fault)
			break;
		if (formats[i].name == DW_LNCT_directory_index)
			file.directory = value.number;
		else if (formats[i].name == DW_LNCT_path &&
			 !ic_value_string(&value, unit, &file.name, &err))
			ic_cursor_fault(cur, "file name that is not a string of its section");
	}
	return file;
}

// DWARF 5, 6.2.4.1: each list says what its entries are made of.
static bool parse_tables(struct ic_line_header *header, struct ic_cursor *cur,
			 const struct ic_unit *unit, struct ic_error *err)
{
	struct ic_attr_spec formats[MOST_FORMATS];

	for (int files = 0; files <= 1; files++) {
		uint32_t format_count = parse_formats(formats, cur, unit);
		uint64_t count = ic_cursor_uleb(cur);

		if (format_count == 0) // entries of no bytes: any number would fit
			count = 0;
		for (uint64_t i = 0; i < count && !cur->fault; i++) {
			const uint8_t *before = cur->pos;
			struct ic_line_file file = parse_entry(cur, formats, format_count, unit);

			if (cur->pos == before && !cur->fault)
				ic_cursor_fault(cur, "entries without bytes");
			if (cur->fault)
				break;
			if (!(files ? push_file(header, file, err)
				    : push_directory(header, file.name, err)))
				return false;
		}
	}
	return ic_cursor_ok(cur, err);
}

// The numbers between header_length and the tables, and where the program is: behind `header_size`
// bytes, whatever the tables say, since vendors put things of their own behind them.
static bool parse_numbers(struct ic_line_header *header, struct ic_cursor *cur,
			  uint64_t header_size, uint64_t budget, struct ic_error *err)
{
	const uint8_t *program = cur->pos + header_size, *end = cur->end;

	cur->end = cur->pos + (header_size < budget ? header_size : budget);
	const uint8_t *numbers = ic_cursor_take(cur, header->version >= 4 ? 6 : 5);
	if (!numbers)
		return ic_cursor_ok(cur, err);
	header->min_inst_length = *numbers++;
	header->max_ops_per_inst = header->version >= 4 ? *numbers++ : 1;
	header->default_is_stmt = *numbers++ != 0;
	header->line_base = (int8_t)*numbers++;
	header->line_range = *numbers++;
	header->opcode_base = *numbers;
	header->opcode_lengths =
		ic_cursor_take(cur, header->opcode_base > 0 ? header->opcode_base - 1u : 0);
	if (!ic_cursor_ok(cur, err))
		return false;
	header->program_off = (uint64_t)(program - cur->begin);
	header->program_size = (uint64_t)(end - program);
	return true;
}

bool ic_line_header_parse(struct ic_line_header *header, const struct ic_unit *unit,
			  uint64_t budget, struct ic_error *err)
{
	const struct ic_bytes *section = &unit->dwarf->line;
	uint64_t size = unit->line_off < section->size ? section->size - unit->line_off : 1;
	struct ic_cursor cur =
		ic_cursor_at(*section, ".debug_line", unit->line_off, size, unit->dwarf->swap);
	struct ic_unit sizes = *unit; // the table has an offset size of its own

	header->directories.count = header->files.count = 0;
	header->program_size = header->names_off = 0;
	header->offset_size = sizes.offset_size = ic_cursor_initial_length(&cur);
	header->version = ic_cursor_u16(&cur);
	if (!cur.fault && (header->version < 2 || header->version > 5)) {
		ic_fail_at(err, ".debug_line", unit->line_off, "line table of version %u",
			   header->version);
		err->code = IC_ERROR_UNSUPPORTED;
		return false;
	}
	if (header->version >= 5) {
		ic_cursor_u8(&cur); // size of addresses, of which these tables have none
		ic_cursor_u8(&cur); // segment selector size
	}
	uint64_t header_size = ic_cursor_uint(&cur, header->offset_size);
	if (header_size > (uint64_t)(cur.end - cur.pos)) {
		ic_cursor_fault(&cur, "header reaches beyond the end of its table");
		header_size = 0;
	}
	if (!parse_numbers(header, &cur, header_size, budget, err))
		return false;
	bool ok = header->version >= 5 ? parse_tables(header, &cur, &sizes, err)
				       : parse_old_tables(header, &cur, unit, err);
	// Where just so much is left it is nvcc's: the part of .debug_str that is the table's.
	if (ok && ic_cursor_off(&cur) + 4 == header->program_off && cur.end - cur.pos == 4)
		header->names_off = ic_cursor_u32(&cur);
	return ok;
}

static size_t append(char *path, size_t size, size_t length, const char *part)
{
	size_t part_length = strnlen(part, size); // a name may be as long as its section

	if (length < size) {
		size_t room = size - 1 - length;
		size_t copied = part_length < room ? part_length : room;
		memcpy(path + length, part, copied);
		path[length + copied] = 0;
	}
	return length + part_length;
}

size_t ic_line_file_path(const struct ic_line_header *header, const struct ic_unit *unit,
			 uint64_t file, char *path, size_t size)
{
	if (file >= header->files.count || (file == 0 && header->version < 5))
		return 0;
	const struct ic_line_file *entry = &header->files.items[file];
	const char *directory = entry->directory < header->directories.count
					? header->directories.items[entry->directory]
					: "";
	size_t length = 0;

	if (entry->name[0] != '/') {
		// Directory 0 is the unit's own (DWARF 5, 6.2.4), in other words perhaps.
		bool is_own = entry->directory == 0 &&
			      (!unit->comp_dir || !strcmp(directory, unit->comp_dir));
		if (directory[0] != '/' && !is_own && unit->comp_dir && unit->comp_dir[0]) {
			length = append(path, size, length, unit->comp_dir);
			length = append(path, size, length, "/");
		}
		if (directory[0]) {
			length = append(path, size, length, directory);
			length = append(path, size, length, "/");
		}
	}
	return append(path, size, length, entry->name);
}

void ic_line_header_free(struct ic_line_header *header)
{
	IC_ARRAY_FREE(&header->directories);
	IC_ARRAY_FREE(&header->files);
}
