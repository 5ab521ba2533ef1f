// Rows of tables: see inlinecall/extra/tables.h. docs/database.md defines the fields.
#ifndef INLINECALL_EXTRA_TABLE_ROW_H
#define INLINECALL_EXTRA_TABLE_ROW_H

#include <inlinecall/extra/tables.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A row of any table. Fields that its table does not have are not set. Unknown strings are NULL,
 * unknown addresses and sizes UINT64_MAX, unknown lines, columns and numbers of rows 0. In a
 * relocatable file, addresses are offsets in `section`.
 */
struct ic_table_row {
	const char
		*type; /**< "file", "unit", "source" and so on: the table's name in the singular */
	const char *file;
	enum ic_table table; /**< not a key */
	uint32_t id;         /**< of units, sources, functions, instances and calls */
	uint32_t number; /**< of a range or an argument of its instance, and of a problem; from 1 */

	// Of a file.
	const char *build_id;    /**< in hexadecimal */
	uint32_t machine;        /**< see ic_image_machine(); 0 if unknown */
	uint32_t address_bytes;  /**< 4 or 8; 0 if unknown */
	bool relocatable;        /**< see ic_image_is_relocatable() */
	const char *debug_file;  /**< with the debug information, if it is another */
	const char *elf_package; /**< see ic_image_package() */
	const char *elf_package_version;

	// Of a unit.
	const char *directory, *producer;
	const char *language; /**< as DWARF names it, without DW_LANG_ */
	const char *die_file; /**< see struct ic_site */

	const char *path; /**< of a source file */

	// Of a unit, a function or an argument.
	const char *name;

	// Of a function.
	const char *linkage_name;
	const char *full_name; /**< with scopes and parameters if it has a linkage name */
	const char *inlining;  /**< DW_AT_inline: "not_inlined", "inlined", "declared_not_inlined"
				*   or "declared_inlined" */
	uint32_t decl_source, decl_line, decl_column;

	// Numbers of other rows.
	uint32_t unit, function, instance, parent, host;

	// Of an instance or a call.
	bool inlined, part, tail, variadic;
	uint32_t depth; /**< number of inlined functions around it */
	uint32_t call_source, call_line, call_column;
	const char *section, *symbol;
	uint64_t entry, address, return_address;
	uint64_t bytes; /**< of an instance: of its ranges; of a range, and of an argument's type */
	uint64_t arguments; /**< the number of them; UINT64_MAX if unknown */
	uint64_t die;       /**< of a unit, where its header is */

	uint64_t start; /**< of a range */

	// Of an argument: see struct ic_row_parameter.
	const char *value_type, *encoding;
	bool is_signed, artificial, result; /**< the key of the first is "signed" */
	const char *kind, *location, *reason;
	const char *reg; /**< "register" */
	int64_t register_offset;
	const char *value; /**< of a constant or an address: the number in hexadecimal */
	uint64_t known_from;
	const char *known_section;

	// Of a problem: see struct ic_index_problem.
	const char *problem_file, *message;
	uint64_t position;
	bool note;
};

#ifdef __cplusplus
}
#endif

#endif
