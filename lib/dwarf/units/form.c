#include "dwarf/units/form.h"

#include <inttypes.h>
#include <string.h>

#include "text/text.h"

static uint64_t read_block_size(struct ic_cursor *cur, uint8_t size)
{
	return size > 0 ? ic_cursor_uint(cur, size) : ic_cursor_uleb(cur);
}

uint8_t ic_form_size(uint16_t form, const struct ic_unit *unit)
{
	const struct ic_form_info *info = ic_form_info(form);

	switch ((enum ic_form_kind)info->kind) {
	case IC_FORM_KIND_FIXED: return info->size;
	case IC_FORM_KIND_OFFSET: return unit->offset_size;
	case IC_FORM_KIND_ADDRESS: return unit->addr_size;
	case IC_FORM_KIND_REF_ADDR: return unit->version <= 2 ? unit->addr_size : unit->offset_size;
	default: return IC_FORM_VARIES;
	}
}

// Reads the form in the DIE, for DW_FORM_indirect. It must be neither indirect again nor
// implicit_const, whose value would be in the abbreviation (DWARF 5, 7.5.3).
static uint16_t read_indirect_form(struct ic_cursor *cur)
{
	uint16_t form = ic_cursor_uleb16(cur);

	if (form == DW_FORM_indirect || form == DW_FORM_implicit_const)
		ic_cursor_fault(cur, "invalid form for DW_FORM_indirect");
	else if (ic_form_info(form)->kind == IC_FORM_KIND_UNKNOWN)
		ic_cursor_fault(cur, "unknown attribute form");
	return cur->fault ? (uint16_t)DW_FORM_flag_present : form;
}

// The forms of a DIE are in its abbreviation, those of a line table in its header.
static const char *unknown_form(const struct ic_cursor *cur)
{
	return strncmp(cur->section, ".debug_line", 11) != 0
		       ? "unknown attribute form in .debug_abbrev"
		       : "unknown attribute form";
}

struct ic_value ic_value_read_slow(struct ic_cursor *cur, const struct ic_attr_spec *spec,
				   const struct ic_unit *unit)
{
	if (spec->form == DW_FORM_indirect) {
		uint16_t form = read_indirect_form(cur);
		const struct ic_attr_spec direct =
			ic_attr_spec_make(spec->name, form, ic_form_size(form, unit), 0);
		return ic_value_read_slow(cur, &direct, unit);
	}
	const struct ic_form_info *info = ic_form_info(spec->form);
	struct ic_value value = { .form = spec->form, .class = spec->class };

	switch ((enum ic_form_kind)info->kind) {
	case IC_FORM_KIND_FIXED:
	case IC_FORM_KIND_OFFSET:
	case IC_FORM_KIND_ADDRESS:
	case IC_FORM_KIND_REF_ADDR:
		if (spec->size == 0)
			value.number = (uint64_t)spec->implicit;
		else if (spec->size <= sizeof(uint64_t))
			value.number = ic_cursor_uint(cur, spec->size);
		else
			ic_cursor_take(cur, spec->size);
		break;
	case IC_FORM_KIND_LEB:
		value.number = spec->form == DW_FORM_sdata ? (uint64_t)ic_cursor_sleb(cur)
							   : ic_cursor_uleb(cur);
		break;
	case IC_FORM_KIND_LEB_FIXED: // both parts in one number: see ic_value_address()
		value.number = (uint64_t)ic_cursor_uleb32(cur) << 32;
		value.number |= ic_cursor_uint(cur, info->size);
		break;
	case IC_FORM_KIND_CSTRING: value.text = ic_cursor_string(cur); break;
	case IC_FORM_KIND_BLOCK: ic_cursor_take(cur, read_block_size(cur, info->size)); break;
	case IC_FORM_KIND_INDIRECT:
	case IC_FORM_KIND_UNKNOWN: ic_cursor_fault(cur, unknown_form(cur)); break;
	}
	return value;
}

void ic_form_skip(struct ic_cursor *cur, uint16_t form, const struct ic_unit *unit)
{
	const struct ic_attr_spec spec = ic_attr_spec_make(0, form, ic_form_size(form, unit), 0);

	ic_value_read(cur, &spec, unit);
}

bool ic_unit_address_at(const struct ic_unit *unit, uint64_t index, uint64_t *addr,
			struct ic_error *err)
{
	struct ic_bytes section;
	uint64_t off;

	if (__builtin_mul_overflow(index, (uint64_t)unit->addr_size, &off) ||
	    __builtin_add_overflow(off, unit->root.addr_base, &off))
		off = UINT64_MAX;
	if (!ic_dwarf_section(unit->dwarf, &unit->dwarf->addr, &section, err))
		return false;
	struct ic_cursor cur =
		ic_cursor_at(section, ".debug_addr", off, unit->addr_size, unit->dwarf->swap);
	*addr = ic_cursor_uint(&cur, unit->addr_size) & ic_unit_addr_mask(unit);
	return ic_cursor_ok(&cur, err);
}

uint64_t ic_unit_read_addrx(const struct ic_unit *unit, struct ic_cursor *cur)
{
	uint64_t index = ic_cursor_uleb(cur), addr = 0;
	struct ic_error err;

	if (!cur->fault && !ic_unit_address_at(unit, index, &addr, &err))
		ic_cursor_fault(cur, "address index is beyond the end of .debug_addr");
	return addr;
}

bool ic_value_address(const struct ic_value *value, const struct ic_unit *unit, uint64_t *addr,
		      struct ic_error *err)
{
	if (value->form == DW_FORM_addr) {
		*addr = value->number & ic_unit_addr_mask(unit);
		return true;
	}
	if (value->form == DW_FORM_LLVM_addrx_offset) {
		if (!ic_unit_address_at(unit, value->number >> 32, addr, err))
			return false;
		*addr = (*addr + (value->number & UINT32_MAX)) & ic_unit_addr_mask(unit);
		return true;
	}
	if (value->class == IC_FORM_CLASS_ADDRESS)
		return ic_unit_address_at(unit, value->number, addr, err);
	return ic_fail(err, IC_ERROR_MALFORMED, "unexpected form 0x%x for an address", value->form);
}

// Whether another offset of 0 is next to an offset of 0: no two strings of a table have the same
// offset.
static bool is_beside_zeros(struct ic_bytes section, uint64_t off, uint64_t size, uint64_t start)
{
	static const uint8_t zeros[8];

	return (off >= start + size && memcmp(section.data + off - size, zeros, size) == 0) ||
	       (section.size - off >= 2 * size &&
		memcmp(section.data + off + size, zeros, size) == 0);
}

// Reads entry `index` of the unit's part of .debug_str_offsets (DWARF 5, 7.26): an offset in
// .debug_str.
static bool string_offset_at(const struct ic_unit *unit, uint64_t index, uint64_t *str_off,
			     struct ic_error *err)
{
	struct ic_bytes section;
	uint64_t off;

	if (__builtin_mul_overflow(index, (uint64_t)unit->offset_size, &off) ||
	    __builtin_add_overflow(off, unit->root.str_offsets_base, &off))
		off = UINT64_MAX;
	if (!ic_dwarf_section(unit->dwarf, &unit->dwarf->str_offsets, &section, err))
		return false;
	struct ic_cursor cur = ic_cursor_at(section, ".debug_str_offsets", off, unit->offset_size,
					    unit->dwarf->swap);
	*str_off = ic_cursor_uint(&cur, unit->offset_size);
	if (!ic_cursor_ok(&cur, err))
		return false;
	return *str_off != 0 ||
	       !is_beside_zeros(section, off, unit->offset_size, unit->root.str_offsets_base) ||
	       ic_fail_at(err, ".debug_str_offsets", off, "zeros instead of string offsets");
}

bool ic_list_offset_at(const struct ic_unit *unit, const struct ic_list_offsets *offsets,
		       uint64_t index, uint64_t *off, struct ic_error *err)
{
	const uint8_t *bytes = offsets->section.data;
	uint64_t at, base = offsets->base;

	if (__builtin_mul_overflow(index, (uint64_t)unit->offset_size, &at) ||
	    __builtin_add_overflow(at, base, &at))
		at = UINT64_MAX;
	struct ic_cursor cur = ic_cursor_at(offsets->section, offsets->name, at, unit->offset_size,
					    unit->dwarf->swap);
	uint64_t from_base = ic_cursor_uint(&cur, unit->offset_size);
	*off = base + from_base;
	if (!ic_cursor_ok(&cur, err))
		return false;
	// The lists follow the offsets, whose number precedes them.
	uint64_t count = base >= 4 ? ic_load32(bytes + base - 4, unit->dwarf->swap) : 0;
	return from_base >= count * unit->offset_size ||
	       ic_fail_at(err, offsets->name, at, "list offset points into the offset table");
}

// Whether an empty string is next to another: a section has at most one, since strings are not
// repeated.
static bool is_among_zeros(struct ic_bytes section, uint64_t off)
{
	return section.data[off] == 0 && (off == 0 || section.data[off - 1] == 0) &&
	       off + 1 < section.size && section.data[off + 1] == 0;
}

static bool string_at(const struct ic_dwarf *dwarf, const struct ic_bytes *strings,
		      const char *name, uint64_t off, const char **text, struct ic_error *err)
{
	struct ic_bytes section;

	if (!ic_dwarf_section(dwarf, strings, &section, err))
		return false;
	if (off < section.size && (section.data[section.size - 1] == 0 ||
				   memchr(section.data + off, 0, section.size - (size_t)off))) {
		if (is_among_zeros(section, off))
			return ic_fail_at(err, name, off, "zeros instead of a string");
		if (section.data[off] && !ic_text_may_begin(section.data[off]))
			return ic_fail_at(err, name, off, "string begins with invalid byte 0x%02x",
					  section.data[off]);
		*text = (const char *)section.data + off;
		return true;
	}
	return ic_fail_at(err, name, off,
			  off < section.size ? "unterminated string"
					     : "string offset is beyond the end of the section");
}

bool ic_value_string(const struct ic_value *value, const struct ic_unit *unit, const char **text,
		     struct ic_error *err)
{
	const struct ic_dwarf *dwarf = unit->dwarf;
	uint64_t off;

	switch (value->form) {
	case DW_FORM_string: *text = value->text; return true;
	case DW_FORM_strp:
		return string_at(dwarf, &dwarf->str, ".debug_str", value->number, text, err);
	case DW_FORM_line_strp:
		return string_at(dwarf, &dwarf->line_str, ".debug_line_str", value->number, text,
				 err);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return dwarf->supplementary
			       ? string_at(dwarf->supplementary, &dwarf->supplementary->str,
					   ".debug_str (supplementary)", value->number, text, err)
			       : ic_fail(err, IC_ERROR_NO_DEBUG,
					 "string is in the supplementary file, which is not "
					 "available");
	}
	if (value->class != IC_FORM_CLASS_STRING)
		return ic_fail(err, IC_ERROR_MALFORMED, "unexpected form 0x%x for a string",
			       value->form);
	return string_offset_at(unit, value->number, &off, err) &&
	       string_at(dwarf, &dwarf->str, ".debug_str", off, text, err);
}

// Resolves a reference to any unit of a file's .debug_info.
static bool reference_into(const struct ic_dwarf *dwarf, uint64_t number, uint64_t *off,
			   struct ic_error *err)
{
	*off = dwarf->info_base + number;
	if (dwarf->is_types)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "a unit in .debug_types refers to a DIE in another section");
	return number < dwarf->info.size ||
	       ic_fail_at(err,
			  dwarf->is_supplementary ? ".debug_info (supplementary)"
						  : dwarf->info_name,
			  number, "reference points outside all units");
}

bool ic_value_reference(const struct ic_value *value, const struct ic_unit *unit, uint64_t *off,
			struct ic_error *err)
{
	switch (value->form) {
	case DW_FORM_ref_addr: return reference_into(unit->dwarf, value->number, off, err);
	case DW_FORM_ref_sig8:
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "unexpected reference by type signature");
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
		return unit->dwarf->supplementary
			       ? reference_into(unit->dwarf->supplementary, value->number, off, err)
			       : ic_fail(err, IC_ERROR_NO_DEBUG,
					 "DIE is in the supplementary file, which is not "
					 "available");
	}
	if (value->class != IC_FORM_CLASS_REFERENCE)
		return ic_fail(err, IC_ERROR_MALFORMED, "unexpected form 0x%x for a reference",
			       value->form);
	if (value->number < unit->end_off - unit->off) {
		*off = ic_unit_global_off(unit, unit->off + value->number);
		return true;
	}
	return ic_fail(err, IC_ERROR_MALFORMED, "reference 0x%" PRIx64 " points outside its unit",
		       value->number);
}

bool ic_value_offset(const struct ic_value *value, uint64_t *off, struct ic_error *err)
{
	*off = value->number;
	return value->class == IC_FORM_CLASS_OFFSET || value->class == IC_FORM_CLASS_CONSTANT ||
	       ic_fail(err, IC_ERROR_MALFORMED, "unexpected form 0x%x for a section offset",
		       value->form);
}
