#include "report/rows/rows.h"

#include <stdlib.h>
#include <string.h>

#include "text/text.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_limit_row, key), 0, NULL }

static const struct ic_field limit_fields[] = {
	FIELD(type,     TEXT),
	FIELD(file,     TEXT),
	FIELD(left_out, BYTES),
};
// clang-format on

const struct ic_schema ic_limit_schema = { limit_fields,
					   sizeof(limit_fields) / sizeof(*limit_fields),
					   sizeof(struct ic_limit_row) };

struct ic_rows *ic_rows_alloc(size_t size, const struct ic_row_type *type,
			      const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *rows = calloc(1, size);

	if (!rows) {
		if (err)
			ic_fail_memory(err);
		return NULL;
	}
	rows->type = type;
	rows->filler.names.style = IC_DEMANGLE_FULL;
	if (options)
		rows->filler.options = *options;
	return rows;
}

const void *ic_rows_take(struct ic_rows *rows, struct ic_error *err)
{
	err->code = IC_ERROR_NONE;
	rows->is_over &= !rows->may_go_on;
	if (rows->next == rows->count || rows->is_over)
		return NULL;
	const void *row = rows->make(rows, rows->next);
	if (rows->is_over)
		return NULL;
	if (!row || rows->filler.names.out_of_memory) {
		ic_fail_memory(err);
		return NULL;
	}
	rows->next++;
	return row;
}

bool ic_rows_next_fields(struct ic_rows *rows, struct ic_row_fields *fields, struct ic_error *err)
{
	struct ic_error unwanted;
	const void *taken = ic_rows_take(rows, err ? err : &unwanted);

	if (!taken)
		return false;
	*fields = (struct ic_row_fields){ ic_row_schema(rows->type, taken), taken };
	return true;
}

bool ic_rows_next(struct ic_rows *rows, struct ic_row *row, struct ic_error *err)
{
	struct ic_error unwanted;
	const void *taken = ic_rows_take(rows, err ? err : &unwanted);

	if (!taken)
		return false;
	*row = (struct ic_row){ .site = NULL };
	memcpy((char *)row + rows->type->kind * sizeof(taken), &taken, sizeof(taken));
	return true;
}

uint64_t ic_rows_left_out(const struct ic_rows *rows)
{
	return rows->left_out;
}

size_t ic_field_character(const char *text)
{
	return ic_text_character(text);
}

void ic_rows_free(struct ic_rows *rows)
{
	if (!rows)
		return;
	if (rows->deinit)
		rows->deinit(rows);
	ic_filler_deinit(&rows->filler);
	free(rows);
}
