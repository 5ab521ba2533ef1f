#include "emit/die_out.h"

#include "base/range.h"
#include "dwarf/units/constants.h"

static const struct attr {
	uint16_t name, form;
} attrs[IC_DIE_ATTRS] = {
#define DIE_ATTR(name, form) { DW_AT_##name, DW_FORM_##form },
#include "emit/die_attrs.def"
#undef DIE_ATTR
};

static uint32_t code_of(struct ic_dies_out *dies, const struct ic_die_out *die)
{
	uint64_t key = (uint64_t)die->tag << 33 | (uint64_t)die->has_children << 32 | die->given;
	uint32_t *code = ic_map_at(&dies->codes, key);
	struct ic_out *abbrev = &dies->abbrev;

	if (!code) {
		abbrev->failed = true;
		return 0;
	}
	if (*code != IC_NONE)
		return *code;
	*code = ++dies->code_count;
	ic_out_uleb(abbrev, *code);
	ic_out_uleb(abbrev, die->tag);
	ic_out_uint(abbrev, die->has_children, 1);
	for (unsigned i = 0; i < IC_DIE_ATTRS; i++) {
		if (die->given >> i & 1) {
			ic_out_uleb(abbrev, attrs[i].name);
			ic_out_uleb(abbrev, attrs[i].form);
		}
	}
	ic_out_uint(abbrev, 0, 2);
	return *code;
}

static void put_value(struct ic_dies_out *dies, uint16_t form, uint64_t value)
{
	switch (form) {
	case DW_FORM_flag_present: break;
	case DW_FORM_udata: ic_out_uleb(&dies->info, value); break;
	case DW_FORM_addr: ic_out_uint(&dies->info, value, dies->addr_size); break;
	case DW_FORM_data1: ic_out_uint(&dies->info, value, 1); break;
	case DW_FORM_data2: ic_out_uint(&dies->info, value, 2); break;
	default: ic_out_uint(&dies->info, value, 4); break; // offsets of 32-bit DWARF
	}
}

uint32_t ic_dies_out_put(struct ic_dies_out *dies, const struct ic_die_out *die)
{
	uint32_t off = dies->info.bytes.count;

	ic_out_uleb(&dies->info, code_of(dies, die));
	for (unsigned i = 0; i < IC_DIE_ATTRS; i++)
		if (die->given >> i & 1)
			put_value(dies, attrs[i].form, die->values[i]);
	return off;
}

void ic_dies_out_end(struct ic_dies_out *dies)
{
	ic_out_uint(&dies->info, 0, 1);
}

void ic_dies_out_finish(struct ic_dies_out *dies)
{
	ic_out_uint(&dies->abbrev, 0, 1);
}

void ic_dies_out_free(struct ic_dies_out *dies)
{
	ic_out_free(&dies->info);
	ic_out_free(&dies->abbrev);
	ic_map_free(&dies->codes);
}
