#include "report/rows/parameter.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/registers.h"
#include "values/location_text.h"

#include <inlinecall/extra/parameters.h>

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }

static const struct ic_field location_fields[] = {
	FIELD(ic_row_location, kind,   TEXT),
	FIELD(ic_row_location, text,   TEXT),
	FIELD(ic_row_location, reason, TEXT),
	{ "register", IC_FIELD_TEXT, offsetof(struct ic_row_location, reg), 0, NULL },
	FIELD(ic_row_location, offset, SIGNED),
	FIELD(ic_row_location, value,  TEXT),
	FIELD(ic_row_location, known_from, ADDRESS),
	FIELD(ic_row_location, known_section, TEXT),
};

enum { LOCATION_FIELDS = sizeof(location_fields) / sizeof(*location_fields) };

// Only an argument, not an entry of its list, can be available elsewhere.
static const struct ic_schema argument_schema = {
	location_fields, LOCATION_FIELDS, sizeof(struct ic_row_location)
};
static const struct ic_schema location_schema = {
	location_fields, LOCATION_FIELDS - 2, sizeof(struct ic_row_location)
};

static const struct ic_field entry_fields[] = {
	FIELD(ic_row_parameter_entry, start,      ADDRESS),
	FIELD(ic_row_parameter_entry, end,        ADDRESS),
	FIELD(ic_row_parameter_entry, section,    TEXT),
	FIELD(ic_row_parameter_entry, start_view, BYTES),
	FIELD(ic_row_parameter_entry, end_view,   BYTES),
	{ "location", IC_FIELD_OBJECT, offsetof(struct ic_row_parameter_entry, location), 0,
	  &location_schema },
	FIELD(ic_row_parameter_entry, expression, TEXT),
};

static const struct ic_schema entry_schema = {
	entry_fields, sizeof(entry_fields) / sizeof(*entry_fields),
	sizeof(struct ic_row_parameter_entry)
};

static const struct ic_field parameter_fields[] = {
	FIELD(ic_row_parameter, name,       TEXT),
	FIELD(ic_row_parameter, type,       TEXT),
	FIELD(ic_row_parameter, size,       BYTES),
	FIELD(ic_row_parameter, encoding,   TEXT),
	{ "signed", IC_FIELD_FLAG, offsetof(struct ic_row_parameter, is_signed), 0, NULL },
	FIELD(ic_row_parameter, artificial, FLAG),
	FIELD(ic_row_parameter, result,     FLAG),
	{ "location", IC_FIELD_OBJECT, offsetof(struct ic_row_parameter, location), 0,
	  &argument_schema },
	{ "list", IC_FIELD_LIST, offsetof(struct ic_row_parameter, list),
	  offsetof(struct ic_row_parameter, list_count), &entry_schema },
};
// clang-format on

enum { PARAMETER_FIELDS = sizeof(parameter_fields) / sizeof(*parameter_fields) };

const struct ic_schema ic_parameter_schema = { parameter_fields, PARAMETER_FIELDS - 1,
					       sizeof(struct ic_row_parameter) };
const struct ic_schema ic_parameter_list_schema = { parameter_fields, PARAMETER_FIELDS,
						    sizeof(struct ic_row_parameter) };

// ---- Words

const char *ic_location_kind_word(enum ic_location_kind kind)
{
	switch (kind) {
	case IC_LOCATION_UNAVAILABLE: return "unavailable";
	case IC_LOCATION_CONSTANT: return "constant";
	case IC_LOCATION_BYTES: return "bytes";
	case IC_LOCATION_REGISTER: return "register";
	case IC_LOCATION_ADDRESS: return "address";
	case IC_LOCATION_MEMORY: return "memory";
	case IC_LOCATION_ENTRY_VALUE: return "entry_value";
	case IC_LOCATION_PIECES: return "pieces";
	case IC_LOCATION_COMPUTED: return "computed";
	case IC_LOCATION_VALUE: return "value";
	}
	return NULL;
}

static const char *encoding_of(enum ic_type_encoding encoding)
{
	switch (encoding) {
	case IC_TYPE_UNKNOWN: return NULL;
	case IC_TYPE_VOID: return "void";
	case IC_TYPE_INTEGER: return "integer";
	case IC_TYPE_BOOLEAN: return "boolean";
	case IC_TYPE_CHARACTER: return "character";
	case IC_TYPE_FLOAT: return "float";
	case IC_TYPE_COMPLEX: return "complex";
	case IC_TYPE_POINTER: return "pointer";
	case IC_TYPE_REFERENCE: return "reference";
	case IC_TYPE_MEMBER_POINTER: return "member pointer";
	case IC_TYPE_ENUMERATION: return "enumeration";
	case IC_TYPE_STRUCTURE: return "structure";
	case IC_TYPE_ARRAY: return "array";
	case IC_TYPE_VECTOR: return "vector";
	case IC_TYPE_FUNCTION: return "function";
	case IC_TYPE_OTHER: return "other";
	}
	return NULL;
}

// ---- Rows

// A copy of a text, valid as long as the rows; NULL if memory runs out.
static const char *keep_text(struct ic_filler *filler, const char *text, size_t length)
{
	return ic_arena_copy(&filler->names.arena, text, length + 1, 1);
}

static bool write_text(struct ic_parameter_rows *rows, struct ic_filler *filler,
		       const struct ic_parameter *parameter, const struct ic_location *location,
		       const char *expression, const char **text)
{
	const struct ic_location_text_options options = {
		.type = parameter->type,
		.size = parameter->size,
		.is_signed = parameter->is_signed,
		.expression = expression,
		.machine = ic_parameters_machine(filler->options.parameters),
	};
	size_t length = ic_location_text(location, &options, rows->text.items, rows->text.capacity);

	if (length >= rows->text.capacity) {
		if (!IC_ARRAY_RESERVE(&rows->text, length + 1))
			return false;
		ic_location_text(location, &options, rows->text.items, rows->text.capacity);
	}
	*text = keep_text(filler, rows->text.items, length);
	return *text != NULL;
}

static bool write_value(struct ic_filler *filler, const struct ic_location *location,
			const char **value)
{
	char text[32];

	if (location->kind != IC_LOCATION_CONSTANT && location->kind != IC_LOCATION_ADDRESS)
		return true;
	int length = snprintf(text, sizeof(text), "0x%" PRIx64, location->constant);
	*value = keep_text(filler, text, (size_t)length);
	return *value != NULL;
}

// Whether the location is only a register plus an offset.
static bool is_sum(const struct ic_location *location)
{
	switch (location->kind) {
	case IC_LOCATION_REGISTER:
	case IC_LOCATION_ENTRY_VALUE: return true;
	case IC_LOCATION_MEMORY:
	case IC_LOCATION_VALUE:
		return location->base == IC_BASE_REGISTER && location->load_count == 0;
	default: return false;
	}
}

static bool fill_location(struct ic_parameter_rows *rows, struct ic_filler *filler,
			  const struct ic_parameter *parameter, const struct ic_location *location,
			  const char *expression, struct ic_row_location *row)
{
	*row = (struct ic_row_location){ .kind = ic_location_kind_word(location->kind),
					 .reason = ic_location_why_text(location->why),
					 .offset = INT64_MIN,
					 .known_from = IC_NO_ADDR };
	if (is_sum(location)) {
		row->reg = ic_register_name(ic_parameters_machine(filler->options.parameters),
					    location->reg);
		row->offset = location->offset;
	}
	return write_text(rows, filler, parameter, location, expression, &row->text) &&
	       write_value(filler, location, &row->value);
}

struct origin {           // for the addresses of a row
	uint64_t section; // where the row's own section starts
	uint64_t start;   // subtracted from addresses in it
};

// The section that an address is an offset in, and where it starts: 0 in a linked file.
static uint64_t find_section(const struct ic_filler *filler, uint64_t addr, const char **name)
{
	struct ic_index_section section;

	if (!ic_parameters_section_find(filler->options.parameters, addr, &section)) {
		*name = NULL;
		return 0;
	}
	*name = section.name;
	return section.start;
}

// An address as shown in the row. *section is its section if it is not the row's, otherwise NULL.
static uint64_t shown_addr(const struct ic_filler *filler, const struct origin *origin,
			   uint64_t addr, const char **section)
{
	uint64_t start = find_section(filler, addr, section);

	if (start != origin->section)
		return addr - start;
	*section = NULL;
	return addr - origin->start;
}

static bool add_entry(struct ic_parameter_rows *rows, struct ic_filler *filler,
		      const struct ic_parameter *parameter, const struct ic_parameter_entry *entry,
		      const struct origin *origin)
{
	struct ic_row_parameter_entry *row = IC_ARRAY_PUSH(&rows->entries);

	if (!row)
		return false;
	*row = (struct ic_row_parameter_entry){ .start = IC_NO_ADDR,
						.end = IC_NO_ADDR,
						.start_view = entry->start_view,
						.end_view = entry->end_view };
	if (entry->has_range) {
		row->start = shown_addr(filler, origin, entry->range.start, &row->section);
		row->end = row->start + (entry->range.end - entry->range.start);
	}
	row->expression = keep_text(filler, entry->expression, strlen(entry->expression));
	return row->expression && fill_location(rows, filler, parameter, &entry->location,
						row->expression, &row->location);
}

static bool add_parameter(struct ic_parameter_rows *rows, struct ic_filler *filler,
			  const struct ic_parameter *parameter, const struct origin *origin)
{
	struct ic_row_parameter *row = IC_ARRAY_PUSH(&rows->list);

	if (!row)
		return false;
	*row = (struct ic_row_parameter){ .name = parameter->name,
					  .type = parameter->type,
					  .size = parameter->size ? parameter->size : IC_NO_ADDR,
					  .encoding = encoding_of(parameter->encoding),
					  .is_signed = parameter->is_signed,
					  .artificial = parameter->is_artificial,
					  .result = parameter->is_result,
					  .list_count = parameter->list_count };
	// For a bit-field, or a part of a register, the bits that count form a piece.
	const struct ic_location_piece piece = { .bit_size = parameter->bit_size,
						 .bit_offset = parameter->bit_offset,
						 .location = parameter->location };
	const struct ic_location bits = { .kind = IC_LOCATION_PIECES,
					  .pieces = &piece,
					  .piece_count = 1 };
	bool has_bits = parameter->bit_size > 0 &&
			parameter->location.kind != IC_LOCATION_UNAVAILABLE;
	if (!fill_location(rows, filler, parameter, has_bits ? &bits : &parameter->location,
			   parameter->expression, &row->location))
		return false;
	if (parameter->known_from != IC_NO_ADDR)
		row->location.known_from = shown_addr(filler, origin, parameter->known_from,
						      &row->location.known_section);
	for (size_t i = 0; i < parameter->list_count; i++)
		if (!add_entry(rows, filler, parameter, &parameter->list[i], origin))
			return false;
	return true;
}

bool ic_parameter_rows_begin(struct ic_parameter_rows *rows)
{
	rows->list.count = rows->entries.count = 0;
	return IC_ARRAY_RESERVE(&rows->list, 1) && IC_ARRAY_RESERVE(&rows->entries, 1) &&
	       IC_ARRAY_RESERVE(&rows->text, 64);
}

bool ic_parameter_rows_add(struct ic_parameter_rows *rows, struct ic_filler *filler, uint64_t addr,
			   uint64_t start)
{
	const struct ic_parameter *list;
	const char *section;
	size_t count = ic_parameters_list(filler->options.parameters, &list);
	const struct origin origin = { find_section(filler, addr, &section), start };

	for (size_t i = 0; i < count; i++)
		if (!add_parameter(rows, filler, &list[i], &origin))
			return false;
	return true;
}

void ic_parameter_rows_end(struct ic_parameter_rows *rows)
{
	size_t entries = 0;

	for (uint32_t i = 0; i < rows->list.count; i++) {
		rows->list.items[i].list = rows->entries.items + entries;
		entries += rows->list.items[i].list_count;
	}
}

bool ic_parameter_rows_fill(struct ic_parameter_rows *rows, struct ic_filler *filler, uint64_t addr)
{
	const char *section;

	if (!ic_parameter_rows_begin(rows) ||
	    !ic_parameter_rows_add(rows, filler, addr, find_section(filler, addr, &section)))
		return false;
	ic_parameter_rows_end(rows);
	return true;
}

void ic_parameter_rows_free(struct ic_parameter_rows *rows)
{
	IC_ARRAY_FREE(&rows->list);
	IC_ARRAY_FREE(&rows->entries);
	IC_ARRAY_FREE(&rows->text);
}
