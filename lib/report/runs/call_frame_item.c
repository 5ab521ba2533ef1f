// The rows of the entries of call frame information, and of their instructions.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/rows/rows.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_call_frame_item_row, key), 0, NULL }
#define SIGNAL { "signal", IC_FIELD_FLAG, offsetof(struct ic_call_frame_item_row, is_signal), 0, NULL }

#define COMMON_FIELDS        \
	FIELD(type,   TEXT),   \
	FIELD(file,   TEXT),   \
	FIELD(table,  TEXT),   \
	FIELD(offset, OFFSET)

static const struct ic_field terminator_fields[] = { COMMON_FIELDS, FIELD(size, BYTES) };

static const struct ic_field instruction_fields[] = { COMMON_FIELDS, FIELD(text, TEXT) };

static const struct ic_field fde_fields[] = {
	COMMON_FIELDS,
	FIELD(size,     BYTES),
	FIELD(function, TEXT),
	FIELD(start,    OFFSET),
	FIELD(end,      OFFSET),
	FIELD(section,  TEXT),
	FIELD(cie,      ADDRESS),
	FIELD(lsda,     TEXT),
};

static const struct ic_field cie_fields[] = {
	COMMON_FIELDS,
	FIELD(size,            BYTES),
	FIELD(version,         NUMBER),
	FIELD(augmentation,    TEXT),
	FIELD(code_align,      BYTES),
	FIELD(data_align,      SIGNED),
	FIELD(return_register, TEXT),
	FIELD(personality,     TEXT),
	SIGNAL,
};

#define SCHEMA(fields) \
	{ fields, sizeof(fields) / sizeof(*fields), sizeof(struct ic_call_frame_item_row) }

static const struct ic_schema terminator_schema = SCHEMA(terminator_fields),
			      instruction_schema = SCHEMA(instruction_fields),
			      fde_schema = SCHEMA(fde_fields),
			      cie_schema = SCHEMA(cie_fields);
// clang-format on

static const struct ic_schema *schema_of(const void *data)
{
	const struct ic_call_frame_item_row *row = data;

	switch (row->kind) {
	case IC_CALL_FRAME_CIE: return &cie_schema;
	case IC_CALL_FRAME_FDE: return &fde_schema;
	case IC_CALL_FRAME_TERMINATOR: return &terminator_schema;
	case IC_CALL_FRAME_INSTRUCTION: break;
	}
	return &instruction_schema;
}

static const struct ic_schema *const call_frame_item_schemas[] = { &cie_schema, &fde_schema,
								   &terminator_schema,
								   &instruction_schema, NULL };

const struct ic_row_type ic_call_frame_item_row_type = { IC_ROWS_CALL_FRAME_ITEMS,
							 &instruction_schema,
							 call_frame_item_schemas, schema_of, NULL };

struct item_rows {
	struct ic_rows rows; // must be first
	struct ic_call_frames *frames;
	struct ic_symbolizer *symbolizer;
	struct ic_call_frame_items *items;
	struct ic_call_frame_item_row row;
	struct ic_arena texts; // of the row
	bool out_of_memory;
};

static const char *keep_text(struct item_rows *rows, const char *text)
{
	const char *copy = ic_arena_copy(&rows->texts, text, strlen(text) + 1, 1);

	rows->out_of_memory |= !copy;
	return copy;
}

static const char *pointer_text(struct item_rows *rows, const struct ic_call_frame_pointer *pointer)
{
	char text[32];

	if (!pointer->is_given)
		return NULL;
	snprintf(text, sizeof(text), pointer->is_indirect ? "[0x%" PRIx64 "]" : "0x%" PRIx64,
		 pointer->value);
	return keep_text(rows, text);
}

static void fill_fde(struct item_rows *rows, const struct ic_call_frame_item *item)
{
	struct ic_call_frame_item_row *row = &rows->row;
	struct ic_index_section section = { .name = NULL };
	struct ic_symbolizer_symbol symbol;

	ic_symbolizer_section_at(rows->symbolizer, item->range.start, &section);
	row->type = "fde";
	row->section = section.name;
	row->start = item->range.start - section.start;
	row->end = item->range.end - section.start;
	row->cie = item->cie_off;
	row->lsda = pointer_text(rows, &item->lsda);
	if (ic_symbolizer_symbol_at(rows->symbolizer, item->range.start, &symbol))
		row->function = ic_filler_symbol_name(&rows->rows.filler, symbol.name);
}

static void fill_cie(struct item_rows *rows, const struct ic_call_frame_item *item)
{
	const struct ic_call_frame_entry entry = { .section = item->section };
	struct ic_call_frame_item_row *row = &rows->row;
	char number[16];

	row->type = "cie";
	row->version = item->version;
	row->augmentation = item->augmentation;
	row->code_align = item->code_align;
	row->data_align = item->data_align;
	row->is_signal = item->is_signal;
	row->personality = pointer_text(rows, &item->personality);
	row->return_register = ic_call_frame_register_name(rows->frames, &entry, item->return_reg);
	if (row->return_register)
		return;
	snprintf(number, sizeof(number), "reg%" PRIu32, item->return_reg);
	row->return_register = keep_text(rows, number);
}

static void fill_row(struct item_rows *rows, const struct ic_call_frame_item *item)
{
	ic_arena_free(&rows->texts);
	rows->row = (struct ic_call_frame_item_row){ .file = rows->rows.filler.options.file,
						     .table = item->section,
						     .offset = item->off,
						     .size = item->size,
						     .kind = item->kind };
	switch (item->kind) {
	case IC_CALL_FRAME_CIE: fill_cie(rows, item); break;
	case IC_CALL_FRAME_FDE: fill_fde(rows, item); break;
	case IC_CALL_FRAME_TERMINATOR: rows->row.type = "terminator"; break;
	case IC_CALL_FRAME_INSTRUCTION:
		rows->row.type = "instruction";
		rows->row.text = keep_text(rows, item->text);
		break;
	}
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct item_rows *rows = (struct item_rows *)common;
	struct ic_call_frame_item item;
	struct ic_error err;

	(void)number;
	if (ic_call_frame_items_next(rows->items, &item, &err)) {
		fill_row(rows, &item);
		return rows->out_of_memory ? NULL : &rows->row;
	}
	common->is_over = err.code == IC_ERROR_NONE;
	return NULL;
}

static void free_rows(struct ic_rows *common)
{
	struct item_rows *rows = (struct item_rows *)common;

	ic_call_frame_items_free(rows->items);
	ic_arena_free(&rows->texts);
}

struct ic_rows *ic_rows_of_call_frame_items(struct ic_call_frames *frames,
					    struct ic_symbolizer *symbolizer,
					    const struct ic_range *range,
					    const struct ic_row_options *options,
					    struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct item_rows), &ic_call_frame_item_row_type, options, err);
	struct item_rows *rows = (struct item_rows *)common;

	if (!rows)
		return NULL;
	common->make = make_row;
	common->deinit = free_rows;
	rows->frames = frames;
	rows->symbolizer = symbolizer;
	rows->items = ic_call_frame_items_open(frames, range, err);
	if (!rows->items) {
		ic_rows_free(common);
		return NULL;
	}
	common->count = SIZE_MAX;
	return common;
}
