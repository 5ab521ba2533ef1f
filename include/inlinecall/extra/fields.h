// Rows by their fields, for programs that take rows of any kind: bindings for other languages,
// writers of other formats.
//
// A schema lists the fields of a row in the order of the keys in docs/formats/json.md, with their
// names, their types, and where they are in the row's struct (inlinecall/extra/row.h). Schemas are
// static.
#ifndef INLINECALL_EXTRA_FIELDS_H
#define INLINECALL_EXTRA_FIELDS_H

#include <inlinecall/extra/rows.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ic_field_type {
	IC_FIELD_TEXT,          /**< const char *; NULL if unknown */
	IC_FIELD_ADDRESS,       /**< uint64_t; IC_NO_ADDR if unknown */
	IC_FIELD_OFFSET,        /**< uint64_t, always known */
	IC_FIELD_COUNT,         /**< uint32_t; 0 if unknown */
	IC_FIELD_NUMBER,        /**< uint32_t, where 0 is valid */
	IC_FIELD_BYTES,         /**< uint64_t, a size; IC_NO_ADDR if unknown */
	IC_FIELD_SIGNED,        /**< int64_t; INT64_MIN if unknown */
	IC_FIELD_FLAG,          /**< bool */
	IC_FIELD_RANGES,        /**< const struct ic_row_range *, an array */
	IC_FIELD_LIST,          /**< const void *, an array of items of another schema */
	IC_FIELD_OPTIONAL_LIST, /**< the same; NULL if unknown */
	IC_FIELD_OBJECT,        /**< a struct of another schema, in the row itself */
	IC_FIELD_NONE,          /**< unknown in every row */
};

struct ic_schema;

struct ic_field {
	const char *key;         /**< in JSON and CSV; never renamed */
	enum ic_field_type type; /**< also says what is at `at` */
	size_t at;               /**< offset of the field in its row */
	size_t count_at; /**< for RANGES and lists: offset of a size_t, the length of the array */
	const struct ic_schema *items; /**< for lists and OBJECT: of an item; otherwise NULL */
};

struct ic_schema {
	const struct ic_field *fields;
	size_t field_count;
	size_t row_size; /**< of the struct, in bytes: the distance of items in an array */
};

/** A row and what its fields are. */
struct ic_row_fields {
	const struct ic_schema *schema;
	const void *row;
};

/**
 * Gets the next row like ic_rows_next(), with its fields. Rows of one kind may have several
 * schemas: some fields depend on what was asked for.
 *
 * @param fields  [out] Unchanged if there is none.
 * @param err     [out] See ic_rows_next(); may be NULL.
 *
 * @return false after the last row, or if memory runs out.
 */
IC_API bool ic_rows_next_fields(struct ic_rows *rows, struct ic_row_fields *fields,
				struct ic_error *err);

/**
 * The size in bytes of the UTF-8 character (RFC 3629) at the start of a text, which must not be
 * empty; 0 if there is none. Names in files can be any bytes: JSON has U+FFFD in place of each one
 * that is not part of a character.
 */
IC_API size_t ic_field_character(const char *text);

#ifdef __cplusplus
}
#endif

#endif
