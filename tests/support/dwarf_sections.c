#include "dwarf_builder_internal.h"

#include <stdlib.h>
#include <string.h>

// ---- Labels and targets

uint32_t label_new(struct dwarf_builder *dw)
{
	dw->labels = support_grow(dw->labels, dw->label_count, sizeof(*dw->labels));
	dw->labels[dw->label_count] = (struct label){ 0 };
	return (uint32_t)dw->label_count++;
}

uint32_t label_find(struct dwarf_builder *dw, const char *name)
{
	for (size_t i = 0; i < dw->label_count; i++) {
		if (dw->labels[i].name && !strcmp(dw->labels[i].name, name))
			return (uint32_t)i;
	}
	uint32_t label = label_new(dw);
	dw->labels[label].name = support_strdup(name);
	return label;
}

void label_place(struct dwarf_builder *dw, uint32_t index)
{
	struct label *label = &dw->labels[index];

	if (label->placed)
		support_fail("label \"%s\" is placed twice", label->name ? label->name : "?");
	label->placed = true;
	label->off = section_pos(dw);
	label->section = dw->open_sections[dw->open_section_count - 1];
}

void dw_label(struct dwarf_builder *dw, const char *name)
{
	label_place(dw, label_find(dw, name));
}

static struct target *target_find(struct dwarf_builder *dw, const char *name)
{
	for (size_t i = 0; i < dw->target_count; i++) {
		if (!strcmp(dw->targets[i].name, name))
			return &dw->targets[i];
	}
	dw->targets = support_grow(dw->targets, dw->target_count, sizeof(*dw->targets));
	dw->targets[dw->target_count] = (struct target){ .name = support_strdup(name) };
	return &dw->targets[dw->target_count++];
}

const char *target_intern(struct dwarf_builder *dw, const char *name)
{
	return name ? target_find(dw, name)->name : NULL;
}

void dw_addr_target(struct dwarf_builder *dw, const char *target)
{
	dw->addr_target = target_intern(dw, target);
}

void dw_target_value(struct dwarf_builder *dw, const char *target, uint64_t value)
{
	target_find(dw, target)->value = value;
}

// ---- Sections

uint32_t section_new(struct dwarf_builder *dw, const char *name)
{
	uint32_t index = dw->section_count;

	if (index == MAX_SECTIONS)
		support_fail("more than %d sections", MAX_SECTIONS);
	dw->section_count++;
	dw->sections[index] = (struct section){
		.name = support_strdup(name),
		.bytes.big_endian = dw->builder_format.big_endian,
		.start = label_new(dw),
	};
	dw->labels[dw->sections[index].start] = (struct label){ .placed = true, .section = index };
	return index;
}

uint32_t section_find(struct dwarf_builder *dw, const char *name)
{
	for (uint32_t i = 0; i < dw->section_count; i++) {
		if (dw->sections[i].name && !strcmp(dw->sections[i].name, name))
			return i;
	}
	return section_new(dw, name);
}

uint32_t section_of_unit(struct dwarf_builder *dw, const char *name)
{
	char dwo_name[64];

	if (!dw->unit_is_open || !dw->unit.dwo)
		return section_find(dw, name);
	if (strlen(name) + sizeof(".dwo") > sizeof(dwo_name))
		support_fail("name of section too long: %s", name);
	strcpy(dwo_name, name);
	strcat(dwo_name, ".dwo");
	return section_find(dw, dwo_name);
}

void section_push(struct dwarf_builder *dw, uint32_t section)
{
	if (dw->finished)
		support_fail("written to after dw_section()");
	if (dw->open_section_count == MAX_OPEN_SECTIONS)
		support_fail("too many open sections");
	dw->open_sections[dw->open_section_count++] = section;
}

void dw_section_begin(struct dwarf_builder *dw, const char *name)
{
	section_push(dw, section_find(dw, name));
}

void dw_section_end(struct dwarf_builder *dw)
{
	section_current(dw);
	dw->open_section_count--;
}

struct section *section_current(struct dwarf_builder *dw)
{
	if (dw->open_section_count == 0)
		support_fail("no section is open for writing");
	return &dw->sections[dw->open_sections[dw->open_section_count - 1]];
}

uint64_t section_pos(struct dwarf_builder *dw)
{
	return section_current(dw)->bytes.size;
}

void section_insert(struct dwarf_builder *dw, uint64_t off, size_t count)
{
	struct section *section = section_current(dw);
	uint32_t index = dw->open_sections[dw->open_section_count - 1];

	byte_buffer_insert(&section->bytes, off, count);
	for (size_t i = section->fixup_count; i > 0 && section->fixups[i - 1].off >= off; i--)
		section->fixups[i - 1].off += count;
	for (size_t i = 0; i < dw->label_count; i++) {
		struct label *label = &dw->labels[i];
		if (label->placed && label->section == index && label->off >= off)
			label->off += count;
	}
}

static void fixup_add(struct section *section, struct fixup fixup)
{
	section->fixups =
		support_grow(section->fixups, section->fixup_count, sizeof(*section->fixups));
	section->fixups[section->fixup_count++] = fixup;
}

void section_take(struct dwarf_builder *dw, uint32_t from_index)
{
	struct section *from = &dw->sections[from_index], *to = section_current(dw);
	uint32_t to_index = dw->open_sections[dw->open_section_count - 1];
	uint64_t delta = to->bytes.size;

	byte_buffer_append(&to->bytes, from->bytes.data, from->bytes.size);
	for (size_t i = 0; i < from->fixup_count; i++) {
		struct fixup fixup = from->fixups[i];
		fixup.off += delta;
		fixup_add(to, fixup);
	}
	for (size_t i = 0; i < dw->label_count; i++) {
		struct label *label = &dw->labels[i];
		if (label->placed && label->section == from_index && i != from->start) {
			label->section = to_index;
			label->off += delta;
		}
	}
	from->bytes.size = 0;
	from->fixup_count = 0;
}

// ---- Raw writers

void dw_uint(struct dwarf_builder *dw, uint64_t value, size_t size)
{
	byte_buffer_put(&section_current(dw)->bytes, value, size);
}

void dw_u8(struct dwarf_builder *dw, uint8_t value)
{
	dw_uint(dw, value, 1);
}

void dw_u16(struct dwarf_builder *dw, uint16_t value)
{
	dw_uint(dw, value, 2);
}

void dw_u32(struct dwarf_builder *dw, uint32_t value)
{
	dw_uint(dw, value, 4);
}

void dw_u64(struct dwarf_builder *dw, uint64_t value)
{
	dw_uint(dw, value, 8);
}

void dw_uleb(struct dwarf_builder *dw, uint64_t value)
{
	byte_buffer_uleb(&section_current(dw)->bytes, value);
}

void dw_uleb_padded(struct dwarf_builder *dw, uint64_t value, size_t width)
{
	byte_buffer_uleb_padded(&section_current(dw)->bytes, value, width);
}

void dw_sleb(struct dwarf_builder *dw, int64_t value)
{
	byte_buffer_sleb(&section_current(dw)->bytes, value);
}

void dw_text(struct dwarf_builder *dw, const char *text)
{
	byte_buffer_string(&section_current(dw)->bytes, text);
}

void dw_raw(struct dwarf_builder *dw, const void *data, size_t size)
{
	byte_buffer_append(&section_current(dw)->bytes, data, size);
}

void dw_fill(struct dwarf_builder *dw, uint8_t byte, size_t count)
{
	byte_buffer_fill(&section_current(dw)->bytes, byte, count);
}

void dw_align(struct dwarf_builder *dw, size_t align)
{
	byte_buffer_align(&section_current(dw)->bytes, align);
}

static void put_fixup(struct dwarf_builder *dw, struct fixup fixup)
{
	fixup.off = section_pos(dw);
	fixup_add(section_current(dw), fixup);
	dw_fill(dw, 0, fixup.size);
}

void put_offset_to(struct dwarf_builder *dw, uint32_t label, uint64_t addend, uint8_t size)
{
	put_fixup(dw, (struct fixup){ .kind = FIXUP_OFFSET,
				      .to = label,
				      .addend = (int64_t)addend,
				      .size = size });
}

void put_distance(struct dwarf_builder *dw, uint32_t from, uint32_t to, uint8_t size)
{
	put_fixup(dw,
		  (struct fixup){ .kind = FIXUP_DISTANCE, .from = from, .to = to, .size = size });
}

void put_uleb_distance(struct dwarf_builder *dw, uint32_t to)
{
	const struct label *label = &dw->labels[to], *start = &dw->labels[dw->unit_start];
	struct fixup fixup = {
		.kind = FIXUP_DISTANCE, .from = dw->unit_start, .to = to, .is_uleb = true, .size = 4
	};

	if (label->placed)
		dw_uleb(dw, label->off - start->off);
	else
		put_fixup(dw, fixup);
}

void put_address(struct dwarf_builder *dw, const char *target, uint64_t addr, uint8_t size)
{
	if (!target) {
		dw_uint(dw, addr, size);
		return;
	}
	put_fixup(dw, (struct fixup){ .kind = FIXUP_ADDRESS,
				      .target = target,
				      .addend = (int64_t)addr,
				      .size = size });
}

void dw_address(struct dwarf_builder *dw, uint64_t addr)
{
	put_address(dw, dw->addr_target, addr, dw->format.addr_size);
}

void dw_address_of(struct dwarf_builder *dw, const char *target, int64_t addend)
{
	put_address(dw, target_intern(dw, target), (uint64_t)addend, dw->format.addr_size);
}

void dw_offset(struct dwarf_builder *dw, uint64_t value)
{
	dw_uint(dw, value, dw->format.offset_size);
}

void dw_offset_to(struct dwarf_builder *dw, const char *label)
{
	put_offset_to(dw, label_find(dw, label), 0, dw->format.offset_size);
}

void dw_distance(struct dwarf_builder *dw, const char *from, const char *to, size_t size)
{
	uint32_t from_label = from ? label_find(dw, from) : dw->unit_start;

	put_distance(dw, from_label, label_find(dw, to), (uint8_t)size);
}

void dw_length_begin(struct dwarf_builder *dw, size_t size)
{
	if (dw->open_length_count == MAX_OPEN_LENGTHS)
		support_fail("too many open lengths");
	uint32_t start = label_new(dw), end = label_new(dw);
	if (size > 0) // 0: the field was written wrong on purpose
		put_distance(dw, start, end, (uint8_t)size);
	label_place(dw, start);
	dw->open_lengths[dw->open_length_count++] = end;
}

void dw_initial_length_begin(struct dwarf_builder *dw)
{
	if (dw->format.offset_size == 8)
		dw_u32(dw, UINT32_MAX);
	dw_length_begin(dw, dw->format.offset_size);
}

void dw_length_end(struct dwarf_builder *dw)
{
	if (dw->open_length_count == 0)
		support_fail("dw_length_end() without a beginning");
	label_place(dw, dw->open_lengths[--dw->open_length_count]);
}

// ---- The end

static const struct label *label_placed(const struct dwarf_builder *dw, uint32_t index)
{
	const struct label *label = &dw->labels[index];

	if (!label->placed)
		support_fail("label \"%s\" is used, but never placed",
			     label->name ? label->name : "(the builder's own)");
	return label;
}

// What a field holds when everything has its final place.
static uint64_t fixup_value(struct dwarf_builder *dw, const struct fixup *fixup)
{
	uint64_t value = (uint64_t)fixup->addend;

	switch (fixup->kind) {
	case FIXUP_OFFSET: return value + label_placed(dw, fixup->to)->off;
	case FIXUP_DISTANCE:
		return value + label_placed(dw, fixup->to)->off -
		       label_placed(dw, fixup->from)->off;
	case FIXUP_ADDRESS: return value + target_find(dw, fixup->target)->value;
	}
	return 0;
}

static bool is_dwo(const struct section *section)
{
	size_t size = strlen(section->name);
	return size > 4 && !strcmp(section->name + size - 4, ".dwo");
}

// Notes the relocation of a field; returns what the field holds beside it.
static uint64_t reloc_add(struct dwarf_builder *dw, struct section *section,
			  const struct fixup *fixup)
{
	uint64_t value = fixup_value(dw, fixup);
	struct section_reloc reloc = { .off = fixup->off, .size = fixup->size };

	if (fixup->kind == FIXUP_ADDRESS) {
		reloc.target = fixup->target;
		reloc.addend = fixup->addend;
	} else {
		reloc.target = dw->sections[dw->labels[fixup->to].section].name;
		reloc.addend = (int64_t)value;
	}
	section->relocs =
		support_grow(section->relocs, section->reloc_count, sizeof(*section->relocs));
	section->relocs[section->reloc_count++] = reloc;

	switch (dw->builder_format.relocs) {
	case DWARF_RELOCS_NONE: return value;
	case DWARF_RELOCS_RELA: return 0;
	case DWARF_RELOCS_REL: return (uint64_t)reloc.addend;
	}
	return 0;
}

static void fixup_apply(struct dwarf_builder *dw, struct section *section,
			const struct fixup *fixup)
{
	// A .dwo file is not linked: its offsets are final as they are.
	bool relocated = fixup->kind != FIXUP_DISTANCE && !is_dwo(section);
	uint64_t value = relocated ? reloc_add(dw, section, fixup) : fixup_value(dw, fixup);

	if (fixup->is_uleb) {
		byte_buffer_patch_uleb(&section->bytes, fixup->off, value, fixup->size);
		return;
	}
	if (fixup->kind != FIXUP_ADDRESS && fixup->size < 8 && value >> (8 * fixup->size) != 0)
		support_fail("%s+%#llx: %#llx does not fit in %d bytes", section->name,
			     (unsigned long long)fixup->off, (unsigned long long)value,
			     fixup->size);
	byte_buffer_patch(&section->bytes, fixup->off, value, fixup->size);
}

// ---- Addresses of units

void dw_aranges(struct dwarf_builder *dw, const char *unit, const struct dw_range *ranges,
		size_t count)
{
	size_t tuple = 2u * dw->format.addr_size;

	dw_section_begin(dw, ".debug_aranges");
	uint64_t start = section_pos(dw);
	dw_initial_length_begin(dw);
	dw_u16(dw, 2);
	dw_offset_to(dw, unit);
	dw_u8(dw, dw->format.addr_size);
	dw_u8(dw, 0);
	while ((section_pos(dw) - start) % tuple > 0) // of the set, not of the section
		dw_u8(dw, 0);
	for (size_t i = 0; i < count; i++) {
		dw_address(dw, ranges[i].start);
		dw_uint(dw, ranges[i].end - ranges[i].start, dw->format.addr_size);
	}
	dw_fill(dw, 0, tuple);
	dw_length_end(dw);
	dw_section_end(dw);
}

// ---- The end

static void finish(struct dwarf_builder *dw)
{
	if (dw->finished)
		return;
	if (dw->unit_is_open || dw->open_section_count || dw->open_length_count)
		support_fail("a unit, section or length is still open");
	pools_flush(dw);
	abbrev_tables_write(dw);
	dw->finished = true;
	for (uint32_t i = 0; i < dw->section_count; i++) {
		struct section *section = &dw->sections[i];
		for (size_t j = 0; j < section->fixup_count; j++)
			fixup_apply(dw, section, &section->fixups[j]);
	}
}

struct bytes dw_section(struct dwarf_builder *dw, const char *name)
{
	finish(dw);
	return byte_buffer_view(&dw->sections[section_find(dw, name)].bytes);
}

const char *dw_section_name(struct dwarf_builder *dw, size_t index)
{
	finish(dw);
	for (uint32_t i = 0; i < dw->section_count; i++) {
		if (dw->sections[i].bytes.size > 0 && index-- == 0)
			return dw->sections[i].name;
	}
	return NULL;
}

const struct section_reloc *dw_relocs(struct dwarf_builder *dw, const char *name, size_t *count)
{
	finish(dw);
	const struct section *section = &dw->sections[section_find(dw, name)];
	*count = section->reloc_count;
	return section->relocs;
}

bool dw_wants_relocs(const struct dwarf_builder *dw)
{
	return dw->builder_format.relocs != DWARF_RELOCS_NONE;
}

uint64_t dw_label_off(struct dwarf_builder *dw, const char *label)
{
	finish(dw);
	return label_placed(dw, label_find(dw, label))->off;
}

struct dwarf_builder *dwarf_builder_new(struct dwarf_format format)
{
	struct dwarf_builder *dw = calloc(1, sizeof(*dw));

	if (!dw)
		support_fail("out of memory");
	dw->builder_format = dw->format = format;
	pools_init(dw);
	return dw;
}

struct dwarf_format dw_format(const struct dwarf_builder *dw)
{
	return dw->builder_format;
}

void dwarf_builder_free(struct dwarf_builder *dw)
{
	abbrev_tables_free(dw);
	pools_free(dw);
	for (uint32_t i = 0; i < dw->section_count; i++) {
		free(dw->sections[i].name);
		free(dw->sections[i].fixups);
		free(dw->sections[i].relocs);
		byte_buffer_deinit(&dw->sections[i].bytes);
	}
	for (size_t i = 0; i < dw->label_count; i++)
		free(dw->labels[i].name);
	for (size_t i = 0; i < dw->target_count; i++)
		free(dw->targets[i].name);
	free(dw->labels);
	free(dw->targets);
	free(dw->attrs);
	free(dw);
}
