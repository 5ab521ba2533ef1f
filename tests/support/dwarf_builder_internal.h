// What the files of the DWARF builder share. A section is bytes and fixups: fields whose value is
// known, or which want a relocation, when everything is written.
#ifndef TESTS_SUPPORT_DWARF_BUILDER_INTERNAL_H
#define TESTS_SUPPORT_DWARF_BUILDER_INTERNAL_H

#include "dwarf_builder.h"

enum { MAX_SECTIONS = 64, MAX_OPEN_SECTIONS = 16, MAX_OPEN_LENGTHS = 16, MAX_DEPTH = 256 };

#define NO_LABEL UINT32_MAX

struct label {
	char *name; // NULL: ours
	bool placed;
	uint32_t section;
	uint64_t off;
};

enum fixup_kind {
	FIXUP_OFFSET,   // of label `to` in its section
	FIXUP_DISTANCE, // from label `from` to label `to`
	FIXUP_ADDRESS,  // of `target`
};

struct fixup {
	enum fixup_kind kind;
	uint64_t off;
	uint8_t size;
	bool is_uleb;
	uint32_t from, to;
	const char *target;
	int64_t addend;
};

struct section {
	char *name; // NULL: a pool's, until it is added to its real section
	struct byte_buffer bytes;
	struct fixup *fixups;
	size_t fixup_count;
	struct section_reloc *relocs; // made from the fixups at the end
	size_t reloc_count;
	uint32_t start; // label
};

struct target {
	char *name;
	uint64_t value;
};

struct abbrev_attr {
	uint16_t name, form;
	int64_t constant;
};

struct abbrev {
	uint64_t code;
	uint16_t tag;
	bool children;
	struct abbrev_attr *attrs;
	size_t attr_count;
};

struct abbrev_table {
	char *name;
	bool dwo, by_hand;
	uint32_t label; // its place in .debug_abbrev
	uint64_t last_code;
	struct abbrev *abbrevs;
	size_t abbrev_count;
};

struct open_die {
	uint64_t off;
	uint16_t tag;
	uint64_t code; // 0: to be chosen
	bool closed;   // the abbreviation is made: no more attributes
	bool children;
	uint32_t sibling; // label, NO_LABEL if none is wanted
};

struct open_block {
	bool open;
	uint64_t off;
	uint8_t size; // of the length; 0: ULEB128
};

enum pool_kind { POOL_STRINGS, POOL_ADDRS, POOL_RANGES, POOL_LOCS, POOL_COUNT };

struct pool_item {
	const char *target; // of an address
	uint64_t value;     // address, or offset of a string
	uint32_t label;     // of a list
};

struct pool { // a table that is gathered while its unit is written
	uint32_t section;
	uint32_t base; // label; NO_LABEL until asked for
	struct pool_item *items;
	size_t item_count;
	bool indexed; // a list was asked for by number, so the table has offsets
};

struct dwarf_builder {
	struct dwarf_format builder_format;
	struct dwarf_format format; // of the open unit
	bool finished;

	struct section sections[MAX_SECTIONS];
	uint32_t section_count;
	uint32_t open_sections[MAX_OPEN_SECTIONS];
	uint32_t open_section_count;
	uint32_t open_lengths[MAX_OPEN_LENGTHS]; // labels of their ends
	uint32_t open_length_count;

	struct label *labels;
	size_t label_count;
	struct target *targets;
	size_t target_count;
	const char *addr_target;
	enum dw_string_sharing string_sharing;

	struct dw_unit unit;
	bool unit_is_open;
	uint32_t unit_start; // label
	struct abbrev_table *tables;
	size_t table_count;
	size_t table; // the unit's

	struct open_die dies[MAX_DEPTH];
	size_t die_count;
	struct abbrev_attr *attrs; // of the innermost open DIE
	size_t attr_count;
	bool indirect;
	struct open_block block;

	struct pool pools[POOL_COUNT];
	struct dwarf_format pool_format; // of the unit that the pools are for
	bool pool_dwo;
};

// ---- dwarf_sections.c
uint32_t section_find(struct dwarf_builder *dw, const char *name); // made if there is none
// The section, or its .dwo twin while a split unit is written.
uint32_t section_of_unit(struct dwarf_builder *dw, const char *name);
uint32_t section_new(struct dwarf_builder *dw, const char *name);
void section_push(struct dwarf_builder *dw, uint32_t section);
struct section *section_current(struct dwarf_builder *dw);
uint64_t section_pos(struct dwarf_builder *dw);
// Makes room in the current section; labels and fixups at or after `off` move.
void section_insert(struct dwarf_builder *dw, uint64_t off, size_t count);
// Moves all of a section to the end of the current one.
void section_take(struct dwarf_builder *dw, uint32_t from);

uint32_t label_new(struct dwarf_builder *dw);
uint32_t label_find(struct dwarf_builder *dw, const char *name); // made if there is none
void label_place(struct dwarf_builder *dw, uint32_t label);
const char *target_intern(struct dwarf_builder *dw, const char *name);

void put_offset_to(struct dwarf_builder *dw, uint32_t label, uint64_t addend, uint8_t size);
void put_distance(struct dwarf_builder *dw, uint32_t from, uint32_t to, uint8_t size);
// From the open unit, as a ULEB128: padded if the label is not placed yet.
void put_uleb_distance(struct dwarf_builder *dw, uint32_t to);
void put_address(struct dwarf_builder *dw, const char *target, uint64_t addr, uint8_t size);

// ---- dwarf_units.c
void abbrev_tables_write(struct dwarf_builder *dw);
void abbrev_tables_free(struct dwarf_builder *dw);
void attr_declare(struct dwarf_builder *dw, uint16_t name, uint16_t form, int64_t constant);

// ---- dwarf_pools.c
void pools_init(struct dwarf_builder *dw);
void pools_begin_unit(struct dwarf_builder *dw);
void pools_flush(struct dwarf_builder *dw);
void pools_free(struct dwarf_builder *dw);
uint64_t string_add(struct dwarf_builder *dw, uint32_t section, const char *text);

// ---- dwarf_attrs.c
void put_form_value(struct dwarf_builder *dw, uint16_t form, uint64_t value);

#endif
