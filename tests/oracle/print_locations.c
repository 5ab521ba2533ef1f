// Prints the locations in every attribute of every DIE of a file, for
// tests/oracle/test_locations.py:
//	unit OFFSET FILE
//	DIE ATTRIBUTE = EXPRESSION
//	DIE ATTRIBUTE list OFFSET
//	 START END [vVIEW VIEW] [dead] = EXPRESSION
//	 default = EXPRESSION
// Numbers are hexadecimal, but for views. Addresses of a relocatable file are those in their
// sections. FILE is that of a split unit, else "-". What cannot be read is "problem ...".
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "debug/debug.h"
#include "dwarf/expressions/locations.h"
#include "dwarf/expressions/text.h"
#include "dwarf/units/die.h"

#include <inlinecall/extra/call_frames.h>

struct printer {
	struct ic_elf_file *file; // of the code
	struct ic_unit *unit;
	struct ic_abbrev_table table;
	struct ic_location_sections sections;
	struct ic_expression_names names;
	struct ic_expression_text text;
	uint64_t lists_base;
};

static bool wants_all(uint16_t tag)
{
	(void)tag;
	return true;
}

static uint8_t classify_all(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs,
			    const void *context)
{
	(void)abbrev;
	(void)specs;
	(void)context;
	return IC_KIND_FIRST;
}

static void print_problem(const struct ic_error *err)
{
	printf("problem %s\n", err->message);
}

// An empty range may be at the end of its section.
static uint64_t section_start(const struct ic_elf_file *file, struct ic_range range)
{
	uint64_t start = 0;

	for (uint32_t i = 0; file->is_relocatable && i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (!ic_section_is_code(section) || range.start < section->addr)
			continue;
		if (range.start - section->addr < section->size)
			return section->addr;
		if (range.start - section->addr == section->size && range.start == range.end)
			start = section->addr;
	}
	return start;
}

static const char *base_type_name(void *context, uint64_t off)
{
	const struct printer *printer = context;
	struct ic_value value;
	const char *name;
	struct ic_error err;
	struct ic_die die;

	if (!ic_die_open(&die, printer->unit, &printer->table, off, &err) || die.tag != 0x24)
		return NULL;
	for (uint16_t attr; (attr = ic_die_next(&die, &value));)
		if (attr == DW_AT_name)
			return ic_value_string(&value, printer->unit, &name, &err) ? name : NULL;
	return NULL;
}

// ---- Attributes

// Attributes of class loclist (DWARF 5, 7.5.5). Before DWARF 4 a list has the form of a constant,
// which DW_AT_data_member_location may be.
static bool may_be_list(const struct ic_unit *unit, const struct ic_attr_spec *spec)
{
	switch (spec->name) {
	case 0x02: // location
	case 0x19: // string_length
	case 0x2a: // return_addr
	case 0x40: // frame_base
	case 0x46: // segment
	case 0x48: // static_link
	case 0x4a: // use_location
	case 0x4d: // vtable_elem_location
		return spec->class == IC_FORM_CLASS_OFFSET ||
		       (unit->version < 4 &&
			(spec->form == DW_FORM_data4 || spec->form == DW_FORM_data8));
	case 0x38: // data_member_location
		return spec->class == IC_FORM_CLASS_OFFSET;
	}
	return false;
}

// Expressions have a form of their own since DWARF 4, but Go writes them as blocks even there.
static bool is_location(const struct ic_unit *unit, const struct ic_attr_spec *spec)
{
	enum { CONST_VALUE = 0x1c, FIRST_OF_VENDORS = 0x2000 };
	enum { GNU_CALL_SITE_VALUE = 0x2111, GNU_CALL_SITE_TARGET_CLOBBERED = 0x2114 };

	if (spec->form == DW_FORM_exprloc || spec->form == DW_FORM_loclistx)
		return true;
	if (spec->class == IC_FORM_CLASS_BLOCK)
		return (spec->name < FIRST_OF_VENDORS && spec->name != CONST_VALUE) ||
		       (spec->name >= GNU_CALL_SITE_VALUE &&
			spec->name <= GNU_CALL_SITE_TARGET_CLOBBERED);
	return may_be_list(unit, spec);
}

static void print_expression(struct printer *printer, struct ic_cursor expression)
{
	struct ic_error err;

	ic_expression_text_clear(&printer->text);
	bool ok = ic_expression_write(&printer->text, expression, printer->unit, &printer->names,
				      &err);
	printf("= %s\n", ic_expression_text(&printer->text));
	if (!ok)
		print_problem(&err);
}

static void print_entry(struct printer *printer, const struct ic_location_entry *entry)
{
	if (entry->has_range) {
		uint64_t base = section_start(printer->file, entry->range);
		printf(" %" PRIx64 " %" PRIx64 " ", entry->range.start - base,
		       entry->range.end - base);
	}
	if (entry->has_views)
		printf("v%" PRIu64 " %" PRIu64 " ", entry->start_view, entry->end_view);
	printf("%s%s", entry->is_dead ? "dead " : "", entry->is_default ? " default " : "");
	print_expression(printer, entry->expression);
}

static void print_attr(struct printer *printer, uint64_t off, const struct ic_attr_spec *spec,
		       struct ic_cursor attr, const struct ic_value *views)
{
	struct ic_locations locations;
	struct ic_location_entry entry;
	struct ic_error err;

	printf("%" PRIx64 " %x ", off, spec->name);
	const struct ic_location_lists lists = { printer->unit, &printer->sections,
						 printer->lists_base };
	bool ok = ic_locations_open(&locations, attr, spec, &lists, &err);
	if (ok && ic_value_is_given(views) && spec->name == DW_AT_location)
		ok = ic_locations_open_views(&locations, views, &err);
	if (ok && locations.is_list)
		printf("list %" PRIx64 "\n", ic_cursor_off(&locations.cur));
	while (ok && ic_locations_next(&locations, &entry))
		print_entry(printer, &entry);
	if (!ok || !ic_locations_ok(&locations, &err))
		print_problem(&err);
}

// ---- DIEs

static void print_die(struct printer *printer, struct ic_die *die)
{
	struct ic_die again = *die;
	struct ic_value views = { .form = 0 }, value;

	for (uint16_t name; (name = ic_die_next(die, &value));)
		if (name == DW_AT_GNU_locviews)
			views = value;
	while (again.spec < again.spec_end) {
		const struct ic_attr_spec *spec = again.spec;
		struct ic_cursor before = again.cur;
		if (ic_die_next(&again, &value) == 0)
			break;
		if (is_location(printer->unit, spec))
			print_attr(printer, die->off, spec, before, &views);
	}
}

static void read_lists_base(struct printer *printer)
{
	const struct ic_unit *unit = printer->unit;
	struct ic_value value;
	struct ic_error err;
	struct ic_die die;

	printer->lists_base = unit->locations_part + (unit->offset_size == 8 ? 20 : 12);
	if (!ic_die_open(&die, unit, &printer->table, unit->die_off, &err))
		return;
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		if (name == DW_AT_loclists_base &&
		    !ic_value_offset(&value, &printer->lists_base, &err))
			print_problem(&err);
}

static void print_unit(struct printer *printer)
{
	const struct ic_abbrev_reader reader = { wants_all, classify_all, NULL };
	struct ic_unit *unit = printer->unit;
	struct ic_bytes section = unit->dwarf->abbrev;
	struct ic_cursor cur = ic_cursor_at(section, ".debug_abbrev", unit->abbrev_off,
					    section.size - unit->abbrev_off, unit->dwarf->swap);
	struct ic_problems problems = { .file = NULL };
	struct ic_error err;
	struct ic_walk walk;

	printf("unit %" PRIx64 " %s\n", unit->off, unit->dwarf->is_split ? unit->dwarf->file : "-");
	if (!ic_unit_check(unit, &err) ||
	    !ic_abbrev_table_parse(&printer->table, &cur, unit, &reader, &err) ||
	    !ic_unit_read_root(unit, &printer->table, &problems, &err)) {
		print_problem(&err);
		return;
	}
	read_lists_base(printer);
	ic_walk_init(&walk, unit, &printer->table);
	for (enum ic_walk_event event; (event = ic_walk_step(&walk)) != IC_WALK_END;) {
		struct ic_die die;
		if (event == IC_WALK_FAULT) {
			(void)ic_walk_fault(&walk, &err);
			print_problem(&err);
			return;
		}
		if (event != IC_WALK_ENTRY)
			continue;
		ic_die_at_walk(&die, &walk);
		print_die(printer, &die);
		ic_walk_pass(&walk, die.cur.pos);
	}
}

static bool open_sections(struct printer *printer, struct ic_image *image,
			  const struct ic_debug *debug, struct ic_error *err)
{
	struct ic_elf_file *split = ic_split_file_of(&debug->split, printer->unit->dwarf);
	struct ic_elf_file *file = split ? split : ic_image_dwarf_file(image);

	return ic_dwarf_file_section(&printer->sections.loc, file,
				     split ? ".debug_loc.dwo" : ".debug_loc", err) &&
	       ic_dwarf_file_section(&printer->sections.loclists, file,
				     split ? ".debug_loclists.dwo" : ".debug_loclists", err);
}

static void print_units(struct ic_image *image, struct ic_debug *debug)
{
	struct printer printer = { .file = ic_image_dwarf_file(image) };
	struct ic_unit_list *units = &debug->units.list;
	struct ic_error err;

	printer.names = (struct ic_expression_names){ .machine = ic_image_machine(image),
						      .type_name = base_type_name,
						      .context = &printer };
	for (uint32_t i = 0; i < units->units.count; i++) {
		printer.unit = &units->units.items[i];
		if (printer.unit->dwarf->is_types || printer.unit->dwarf->is_supplementary)
			continue;
		if (open_sections(&printer, image, debug, &err))
			print_unit(&printer);
		else
			print_problem(&err);
	}
	ic_abbrev_table_free(&printer.table);
	ic_expression_text_free(&printer.text);
}

int main(int argc, char **argv)
{
	struct ic_error err;
	struct ic_image *image = argc == 2 ? ic_image_open(argv[1], NULL, &err) : NULL;
	struct ic_debug *debug = image ? ic_debug_hold(image, &err) : NULL;
	struct ic_problems problems = { .file = NULL };

	if (!debug || !ic_debug_load(debug, 1, &problems, &err) ||
	    !ic_dwarf_file_need_all(&debug->main, 1, &err) ||
	    !ic_debug_list(debug, 1, &problems, &err))
		return 1;
	print_units(image, debug);
	ic_debug_release(debug);
	ic_image_free(image);
	return 0;
}
