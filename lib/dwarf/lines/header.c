#include "dwarf/lines/header.h"

#include "dwarf/units/constants.h"

enum { MOST_FORMATS = 255 }; // the count is one byte

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
	if (!IC_ARRAY_ADD(&header->files, file))
		return ic_fail_memory(err);
	return true;
}

static bool push_function(struct ic_line_header *header, struct ic_line_function function,
			  struct ic_error *err)
{
	if (!IC_ARRAY_ADD(&header->functions, function))
		return ic_fail_memory(err);
	return true;
}

// Pushes a number 0 if the table's numbers begin at 1.
static bool push_zeros(struct ic_line_header *header, const struct ic_unit *unit,
		       struct ic_error *err)
{
	return push_directory(header, unit->root.comp_dir ? unit->root.comp_dir : "", err) &&
	       push_file(header, (struct ic_line_file){ .name = "" }, err);
}

// DWARF 4, 6.2.4: both lists end with an empty name.
static bool parse_old_tables(struct ic_line_header *header, struct ic_cursor *cur,
			     struct ic_error *err)
{
	for (const char *name; *(name = ic_cursor_string(cur));)
		if (!push_directory(header, name, err))
			return false;
	for (const char *name; *(name = ic_cursor_string(cur));) {
		struct ic_line_file file = { .name = name, .directory = ic_cursor_uleb(cur) };
		ic_cursor_uleb(cur); // time
		ic_cursor_uleb(cur); // size
		if (!push_file(header, file, err))
			return false;
	}
	return ic_cursor_ok(cur, err);
}

// Reads the formats of entries: pairs whose names are DW_LNCT_*.
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

struct entry { // an entry of any list
	const char *name, *source;
	uint64_t directory, decl_file, decl_line;
};

static struct entry parse_entry(struct ic_cursor *cur, const struct ic_attr_spec *formats,
				uint32_t count, const struct ic_unit *unit)
{
	struct entry entry = { .name = "", .source = "" };
	struct ic_error err;

	for (uint32_t i = 0; i < count && !cur->fault; i++) {
		struct ic_value value = ic_value_read(cur, &formats[i], unit);

		if (cur->fault)
			break;
		switch (formats[i].name) {
		case DW_LNCT_directory_index: entry.directory = value.number; break;
		case DW_LNCT_decl_file: entry.decl_file = value.number; break;
		case DW_LNCT_decl_line: entry.decl_line = value.number; break;
		case DW_LNCT_LLVM_source:
			if (!ic_value_string(&value, unit, &entry.source, &err))
				ic_cursor_fault(cur, "source is not a valid string");
			break;
		case DW_LNCT_path:
		case DW_LNCT_subprogram_name:
			if (!ic_value_string(&value, unit, &entry.name, &err))
				ic_cursor_fault(cur, "name is not a valid string");
			break;
		}
	}
	return entry;
}

enum list { DIRECTORIES, FILES, FUNCTIONS };

static uint32_t small_number(uint64_t number)
{
	return number <= UINT32_MAX ? (uint32_t)number : 0;
}

static bool push_entry(struct ic_line_header *header, enum list list, const struct entry *entry,
		       struct ic_error *err)
{
	switch (list) {
	case DIRECTORIES: return push_directory(header, entry->name, err);
	case FILES:
		return push_file(header,
				 (struct ic_line_file){ entry->name, entry->directory,
							entry->source[0] ? entry->source : NULL },
				 err);
	case FUNCTIONS: break;
	}
	return push_function(header,
			     (struct ic_line_function){ entry->name, small_number(entry->decl_file),
							small_number(entry->decl_line) },
			     err);
}

// DWARF 5, 6.2.4.1: each list begins with the formats of its entries.
static bool parse_list(struct ic_line_header *header, enum list list, struct ic_cursor *cur,
		       const struct ic_unit *unit, struct ic_error *err)
{
	struct ic_attr_spec formats[MOST_FORMATS];
	uint32_t format_count = parse_formats(formats, cur, unit);
	uint64_t count = ic_cursor_uleb(cur);

	if (format_count == 0) // entries without bytes: any count would fit
		count = 0;
	for (uint64_t i = 0; i < count && !cur->fault; i++) {
		const uint8_t *before = cur->pos;
		struct entry entry = parse_entry(cur, formats, format_count, unit);

		if (cur->pos == before && !cur->fault)
			ic_cursor_fault(cur, "entries have a size of 0");
		if (cur->fault)
			break;
		if (!push_entry(header, list, &entry, err))
			return false;
	}
	return ic_cursor_ok(cur, err);
}

static bool parse_tables(struct ic_line_header *header, struct ic_cursor *cur,
			 const struct ic_unit *unit, struct ic_error *err)
{
	switch (header->version) {
	case 5: break;
	case IC_LINE_TWO_LEVEL:
		if (!push_zeros(header, unit, err) ||
		    !push_function(header, (struct ic_line_function){ .name = NULL }, err))
			return false;
		break;
	default: return push_zeros(header, unit, err) && parse_old_tables(header, cur, err);
	}
	for (enum list list = DIRECTORIES; list <= (header->version == 5 ? FILES : FUNCTIONS);
	     list++)
		if (!parse_list(header, list, cur, unit, err))
			return false;
	return true;
}

// Finds the two programs of a two-level table, which begins where header_length ends. The bytes
// before them make readers of other versions skip the rest: no directories, no files, and an opcode
// of 2 MiB.
static bool parse_levels(struct ic_line_header *header, struct ic_cursor *cur, const uint8_t *start,
			 const uint8_t *end, struct ic_error *err)
{
	static const uint8_t filler[] = { 0, 0, 0, 0xff, 0xff, 0x7f, 0x7f };
	uint64_t most = (uint64_t)(end - start);
	const uint8_t *bytes = ic_cursor_take(cur, sizeof(filler));
	uint64_t logicals = ic_cursor_uint(cur, header->offset_size);
	uint64_t actuals = ic_cursor_uint(cur, header->offset_size);

	if (bytes && memcmp(bytes, filler, sizeof(filler)) != 0)
		ic_cursor_fault(cur, "invalid header of a two-level table");
	else if (logicals > most || actuals > most || (actuals != 0 && actuals < logicals))
		ic_cursor_fault(cur, "rows of a two-level table are beyond its end");
	if (!ic_cursor_ok(cur, err))
		return false;
	header->program_off = (uint64_t)(start - cur->begin) + logicals;
	header->program_size = most - logicals;
	header->logicals_size = actuals != 0 ? actuals - logicals : header->program_size;
	return true;
}

// Parses the fields between header_length and the tables, and finds the program. In a common table
// it begins `header_size` bytes after header_length, even if the tables end earlier, since vendors
// add data after them.
static bool parse_numbers(struct ic_line_header *header, struct ic_cursor *cur,
			  uint64_t header_size, uint64_t budget, struct ic_error *err)
{
	const uint8_t *start = cur->pos, *end = cur->end;
	bool two_levels = header->version == IC_LINE_TWO_LEVEL;
	uint64_t size = two_levels ? (uint64_t)(end - start) : header_size;

	cur->end = start + (size < budget ? size : budget);
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
	if (header->line_range == 0 && header->opcode_base == 0)
		ic_cursor_fault(cur, "line_range and opcode_base are 0");
	else if (header->min_inst_length == 0)
		ic_cursor_fault(cur, "minimum_instruction_length is 0");
	if (!ic_cursor_ok(cur, err))
		return false;
	if (two_levels)
		return parse_levels(header, cur, start, end, err);
	header->program_off = (uint64_t)(start - cur->begin) + header_size;
	header->program_size = header->logicals_size = (uint64_t)(end - start) - header_size;
	return true;
}

// Pairs of zeros have no effect, and some tables are padded with them. A program that begins with
// more than any padding has been overwritten, and would seem to have no rows.
static bool has_zeros_for_program(const struct ic_line_header *header, struct ic_bytes section)
{
	static const uint8_t zeros[16];

	return header->program_size >= sizeof(zeros) &&
	       memcmp(section.data + header->program_off, zeros, sizeof(zeros)) == 0;
}

// Whether the bytes after the tables set an address: then the program begins there, and
// header_length is wrong. Otherwise they are a vendor's data.
static bool has_rows(struct ic_cursor rest, uint8_t addr_size)
{
	const uint8_t set_address[] = { 0, (uint8_t)(1 + addr_size), DW_LNE_set_address };

	return memmem(rest.pos, (size_t)(rest.end - rest.pos), set_address, sizeof(set_address));
}

void ic_line_header_clear(struct ic_line_header *header)
{
	*header = (struct ic_line_header){ .directories = IC_ARRAY_EMPTIED(header->directories),
					   .files = IC_ARRAY_EMPTIED(header->files),
					   .functions = IC_ARRAY_EMPTIED(header->functions) };
}

bool ic_line_header_parse(struct ic_line_header *header, const struct ic_unit *unit,
			  uint64_t budget, struct ic_error *err)
{
	struct ic_bytes section;
	bool is_readable = ic_dwarf_section(unit->dwarf, &unit->dwarf->line, &section, err);
	uint64_t size = unit->root.line_off < section.size ? section.size - unit->root.line_off : 1;
	struct ic_cursor cur =
		ic_cursor_at(section, ".debug_line", unit->root.line_off, size, unit->dwarf->swap);
	struct ic_unit sizes = *unit; // the table has its own offset size

	ic_line_header_clear(header);
	if (!is_readable)
		return false;
	header->offset_size = sizes.offset_size = ic_cursor_initial_length(&cur);
	header->version = ic_cursor_u16(&cur);
	if (ic_dwarf_is_version_5(header->version))
		header->version = 5;
	if (!cur.fault && (header->version < 2 || header->version > 5) &&
	    header->version != IC_LINE_TWO_LEVEL) {
		ic_fail_at(err, ".debug_line", unit->root.line_off,
			   "unsupported line table version %u", header->version);
		err->code = IC_ERROR_UNSUPPORTED;
		return false;
	}
	if (header->version == 5) {
		ic_cursor_u8(&cur); // address size, which these tables do not use
		ic_cursor_u8(&cur); // segment selector size
	}
	uint64_t header_size = ic_cursor_uint(&cur, header->offset_size);
	if (header_size > (uint64_t)(cur.end - cur.pos)) {
		ic_cursor_fault(&cur, "header extends beyond the end of its table");
		header_size = 0;
	}
	if (!parse_numbers(header, &cur, header_size, budget, err))
		return false;
	bool ok = parse_tables(header, &cur, &sizes, err);
	// If exactly four bytes are left, they are nvcc's: the offset of the table's part of
	// .debug_str.
	if (ok && ic_cursor_off(&cur) + 4 == header->program_off && cur.end - cur.pos == 4)
		header->names_off = ic_cursor_u32(&cur);
	if (ok && header->version <= 5 && has_rows(cur, unit->addr_size))
		return ic_fail_at(err, ".debug_line", ic_cursor_off(&cur),
				  "rows begin before the end of the header");
	if (ok && has_zeros_for_program(header, section))
		return ic_fail_at(err, ".debug_line", header->program_off, "zeros instead of rows");
	return ok;
}

static size_t append_part(char *path, size_t size, size_t length, const char *part)
{
	size_t part_length = strnlen(part, size); // the name may be as long as its section

	if (length < size) {
		size_t room = size - 1 - length;
		size_t copied = part_length < room ? part_length : room;
		memcpy(path + length, part, copied);
		path[length + copied] = 0;
	}
	return length + part_length;
}

static size_t append_directory(const struct ic_line_header *header, char *path, size_t size,
			       size_t length, const char *part)
{
	size_t part_length = strnlen(part, size);

	length = append_part(path, size, length, part);
	if (header->one_slash && part_length > 0 && part[part_length - 1] == '/')
		return length;
	return append_part(path, size, length, "/");
}

size_t ic_line_file_path(const struct ic_line_header *header, const struct ic_unit *unit,
			 uint64_t file, char *path, size_t size)
{
	if (file >= header->files.count || (file == 0 && header->version != 5))
		return 0;
	const struct ic_line_file *entry = &header->files.items[file];
	const char *directory = entry->directory < header->directories.count
					? header->directories.items[entry->directory]
					: "";
	bool has_own = unit->root.comp_dir && unit->root.comp_dir[0] && !header->is_relative;
	size_t length = 0;

	if (entry->name[0] != '/') {
		// Directory 0 is the unit's own (DWARF 5, 6.2.4), though it may be spelled
		// differently.
		bool is_own = entry->directory == 0 &&
			      (!unit->root.comp_dir || !strcmp(directory, unit->root.comp_dir));
		if (directory[0] != '/' && !is_own && has_own)
			length = append_directory(header, path, size, length, unit->root.comp_dir);
		if (directory[0] && !(header->is_relative && entry->directory == 0))
			length = append_directory(header, path, size, length, directory);
	}
	return append_part(path, size, length, entry->name);
}

void ic_line_header_free(struct ic_line_header *header)
{
	IC_ARRAY_FREE(&header->directories);
	IC_ARRAY_FREE(&header->files);
	IC_ARRAY_FREE(&header->functions);
}
