// Entries of call frame information and their instructions, as in the file: implements the last
// part of inlinecall/extra/call_frames.h.
#include <inttypes.h>
#include <stdlib.h>

#include "base/registers.h"
#include "unwind/frames/call_frames.h"

struct ic_call_frame_items {
	struct ic_call_frames *frames;
	struct ic_range range;
	bool has_range;
	size_t table_index;
	struct ic_cfi_walk walk; // of the current table
	// An FDE that is to be returned after its CIE.
	struct ic_cfi_entry fde;
	bool is_fde_pending;
	uint64_t shown_cie_off; // of the last CIE returned; IC_NO_ADDR at first
	// The entry whose instructions are being returned.
	struct ic_cie cie;
	uint64_t entry_off;
	struct ic_cursor instructions;
	bool is_in_entry;
	uint64_t addr; // reached by the instructions so far
	// In a relocatable file, where addresses are offsets in sections: the section of the
	// entry's code.
	uint32_t code_section;
	uint64_t code_start;
	struct ic_expression_text text;
	// In .sframe: the number of the next FDE, and the rows of the current one. The first block
	// stands for repeated ones.
	uint32_t sframe_next;
	struct ic_sframe_rows sframe_rows;
	uint64_t rows_left; // that may be returned
};

static struct ic_cfi_table *table_of(struct ic_call_frame_items *items)
{
	return &items->frames->tables[items->table_index];
}

static bool is_in_sframe(struct ic_call_frame_items *items)
{
	return items->table_index == IC_CALL_FRAME_SFRAME;
}

// Many FDEs of .sframe can have the same rows. Assemblers write less than 10 for an FDE.
static uint64_t most_rows(const struct ic_call_frames *frames)
{
	return (1ull << 20) + 16ull * ic_call_frames_count(frames);
}

struct ic_call_frame_items *ic_call_frame_items_open(struct ic_call_frames *frames,
						     const struct ic_range *range,
						     struct ic_error *err)
{
	if (!ic_call_frames_list(frames, err)) // for the problems in headers
		return NULL;
	struct ic_call_frame_items *items = calloc(1, sizeof(*items));
	if (!items) {
		if (err)
			ic_fail_memory(err);
		return NULL;
	}
	items->frames = frames;
	items->has_range = range;
	if (range)
		items->range = *range;
	items->walk.section = &frames->tables[0].section;
	items->shown_cie_off = IC_NO_ADDR;
	items->rows_left = most_rows(frames);
	items->text.chars.memory = &frames->image->memory;
	return items;
}

void ic_call_frame_items_free(struct ic_call_frame_items *items)
{
	if (!items)
		return;
	ic_expression_text_free(&items->text);
	free(items);
}

static struct ic_call_frame_pointer pointer_of(const struct ic_pointer *pointer)
{
	return (struct ic_call_frame_pointer){ .is_given = !pointer->is_null,
					       .is_indirect = pointer->is_indirect,
					       .value = pointer->is_null ? 0 : pointer->value };
}

static void begin_instructions(struct ic_call_frame_items *items, uint64_t off,
			       struct ic_cursor instructions, uint64_t addr)
{
	items->entry_off = off;
	items->instructions = instructions;
	items->addr = addr;
	items->is_in_entry = true;
}

// Errors in headers were reported when all were read.
static bool give_cie(struct ic_call_frame_items *items, uint64_t off,
		     struct ic_call_frame_item *item)
{
	const struct ic_cfi_section *section = &table_of(items)->section;
	struct ic_cie *cie = &items->cie;
	struct ic_error reported;
	struct ic_cfi_walk walk = { section, off };
	struct ic_cfi_entry entry;

	if (!ic_cie_read(section, off, cie, &reported) ||
	    !ic_cfi_entry_next(&walk, &entry, &reported))
		return false;
	*item = (struct ic_call_frame_item){ .kind = IC_CALL_FRAME_CIE,
					     .section = section->name,
					     .off = off,
					     .size = entry.size,
					     .personality = pointer_of(&cie->personality),
					     .version = cie->version,
					     .augmentation = cie->augmentation,
					     .code_align = cie->code_align,
					     .data_align = cie->data_align,
					     .return_reg = cie->return_reg,
					     .is_signal = cie->is_signal };
	items->shown_cie_off = off;
	begin_instructions(items, off, cie->instructions, 0);
	return true;
}

// Finds the section of some code in a relocatable file. Entries are in section order.
static void find_code_section(struct ic_call_frame_items *items, uint64_t addr)
{
	const struct ic_elf_file *file = items->frames->files[items->table_index];

	items->code_start = 0;
	for (uint32_t i = 0; file->is_relocatable && i < file->section_count; i++) {
		uint32_t number = (items->code_section + i) % file->section_count;
		const struct ic_section *section = &file->sections[number];
		if (!ic_section_is_loaded(section) || addr < section->addr ||
		    addr - section->addr >= section->size)
			continue;
		items->code_section = number;
		items->code_start = section->addr;
		return;
	}
}

// Returns a requested FDE, or its CIE, if that must come first.
static bool give_fde(struct ic_call_frame_items *items, const struct ic_cfi_entry *entry,
		     struct ic_call_frame_item *item)
{
	const struct ic_cfi_section *section = &table_of(items)->section;
	struct ic_error reported;
	struct ic_cie cie;
	struct ic_fde fde;

	if (!ic_cie_read(section, entry->cie_off, &cie, &reported) ||
	    !ic_fde_read(section, entry, &cie, &fde, &reported))
		return false;
	if (items->has_range && (fde.start >= items->range.end || fde.end <= items->range.start))
		return false;
	if (items->has_range && items->shown_cie_off != entry->cie_off) {
		items->fde = *entry;
		items->is_fde_pending = true;
		return give_cie(items, entry->cie_off, item);
	}
	*item = (struct ic_call_frame_item){ .kind = IC_CALL_FRAME_FDE,
					     .section = section->name,
					     .off = entry->off,
					     .size = entry->size,
					     .range = { fde.start, fde.end },
					     .cie_off = entry->cie_off,
					     .lsda = pointer_of(&fde.lsda) };
	items->cie = cie;
	find_code_section(items, fde.start);
	begin_instructions(items, entry->off, fde.instructions, fde.start);
	return true;
}

static bool give_entry(struct ic_call_frame_items *items, const struct ic_cfi_entry *entry,
		       struct ic_call_frame_item *item)
{
	switch (entry->kind) {
	case IC_CFI_FDE: return give_fde(items, entry, item);
	case IC_CFI_CIE: return !items->has_range && give_cie(items, entry->off, item);
	case IC_CFI_TERMINATOR: break;
	}
	*item = (struct ic_call_frame_item){ .kind = IC_CALL_FRAME_TERMINATOR,
					     .section = table_of(items)->section.name,
					     .off = entry->off,
					     .size = entry->size };
	return !items->has_range;
}

// False at the end of the entry. An unreadable operand ends it, and is a problem.
static bool give_instruction(struct ic_call_frame_items *items, struct ic_call_frame_item *item,
			     struct ic_error *err)
{
	const struct ic_cfi_table *table = table_of(items);
	const struct ic_cfi_text_options options = {
		.section = &table->section,
		.cie = &items->cie,
		.machine = ic_call_frames_numbering(&table->section),
	};
	struct ic_cfi_instruction instruction = { 0 };

	err->code = IC_ERROR_NONE;
	if (!ic_cfi_instruction_next(&items->instructions, &table->section, &items->cie,
				     &instruction)) {
		items->is_in_entry = false;
		return !ic_cursor_ok(&items->instructions, err) &&
		       ic_call_frames_complain(items->frames, table, items->entry_off, err);
	}
	ic_cfi_instruction_advances(&instruction, &items->addr);
	ic_expression_text_clear(&items->text);
	if (!ic_cfi_instruction_write(&items->text, &instruction, items->addr - items->code_start,
				      &options, err))
		(void)ic_call_frames_complain(items->frames, table, items->entry_off, err);
	*item = (struct ic_call_frame_item){ .kind = IC_CALL_FRAME_INSTRUCTION,
					     .section = table->section.name,
					     .off = instruction.off,
					     .text = ic_expression_text(&items->text) };
	return err->code != IC_ERROR_MEMORY;
}

// ---- SFrame

// Returns the next FDE of .sframe for the requested code; false after the last.
static bool give_sframe_fde(struct ic_call_frame_items *items, struct ic_call_frame_item *item)
{
	const struct ic_sframe *sframe = &items->frames->sframe;
	struct ic_sframe_fde fde;
	struct ic_error reported;

	while (items->sframe_next < sframe->fde_count) {
		if (!ic_sframe_fde_read(sframe, items->sframe_next++, &fde, &reported) ||
		    (items->has_range &&
		     (fde.start >= items->range.end || fde.end <= items->range.start)))
			continue;
		*item = (struct ic_call_frame_item){ .kind = IC_CALL_FRAME_FDE,
						     .section = table_of(items)->section.name,
						     .off = fde.off,
						     .size = ic_sframe_fde_size(sframe),
						     .range = { fde.start, fde.end },
						     .cie_off = IC_NO_ADDR };
		find_code_section(items, fde.start);
		ic_sframe_rows_begin(&items->sframe_rows, sframe, &fde, fde.start);
		items->entry_off = fde.off;
		items->is_in_entry = true;
		return true;
	}
	return false;
}

// Writes the rules of a row, as the default output does.
static bool write_row(struct ic_call_frame_items *items, const struct ic_sframe_row *row,
		      struct ic_error *err)
{
	const struct ic_sframe *sframe = &items->frames->sframe;
	struct ic_cfi_section section = table_of(items)->section;
	const struct ic_cie cie = ic_sframe_cie(sframe, &items->sframe_rows.fde);
	const struct ic_cfi_text_options options = {
		.section = &section,
		.cie = &cie,
		.machine = section.machine,
	};
	const char *percent = ic_register_has_percent(section.machine) ? "%" : "";
	struct ic_expression_text *text = &items->text;
	struct ic_call_frame_row made;
	struct ic_sframe_rules rules;

	ic_sframe_convert(sframe, row, &rules, &made);
	section.bytes = (struct ic_bytes){ rules.bytes, rules.size };
	bool ok = ic_expression_text_add(
			  text, "FRE: 0x%" PRIx64 " CFA=", row->start - items->code_start) &&
		  ic_cfi_rule_write(text, &made.cfa, true, &options, err);
	for (size_t i = 0; ok && i < made.rule_count; i++)
		ok = ic_expression_text_add(text, " %s%s=", percent,
					    ic_register_name(section.machine, made.rules[i].reg)) &&
		     ic_cfi_rule_write(text, &made.rules[i], false, &options, err);
	return ok || ic_fail_memory(err);
}

// Reads the next FRE of the first block. False after the last one, and at an error. FREs without
// code take time too, so they count for the limit.
static bool read_row(struct ic_call_frame_items *items, struct ic_sframe_row *row,
		     struct ic_error *err)
{
	struct ic_sframe_rows *rows = &items->sframe_rows;
	bool has_row = ic_sframe_rows_next(rows, row, err) && rows->block == rows->fde.start;

	if (rows->skipped >= items->rows_left) {
		items->sframe_next = items->frames->sframe.fde_count;
		return ic_fail(err, IC_ERROR_LIMIT,
			       "too many FREs for the number of FDEs; the rest are left out");
	}
	items->rows_left -= rows->skipped + has_row;
	return has_row;
}

// False after the last FRE. An unreadable one ends the FDE, and is a problem.
static bool give_sframe_row(struct ic_call_frame_items *items, struct ic_call_frame_item *item,
			    struct ic_error *err)
{
	struct ic_sframe_row row;

	items->is_in_entry = read_row(items, &row, err);
	if (!items->is_in_entry)
		return ic_call_frames_complain(items->frames, table_of(items), items->entry_off,
					       err);
	ic_expression_text_clear(&items->text);
	*item = (struct ic_call_frame_item){ .kind = IC_CALL_FRAME_INSTRUCTION,
					     .section = table_of(items)->section.name,
					     .off = row.off };
	bool ok = write_row(items, &row, err);
	item->text = ic_expression_text(&items->text);
	return ok;
}

// ---- Entry points

// The next entry in a table but .sframe; false after the last.
static bool next_entry(struct ic_call_frame_items *items, struct ic_cfi_entry *entry)
{
	struct ic_error reported;

	while (!ic_cfi_entry_next(&items->walk, entry, &reported)) {
		if (reported.code != IC_ERROR_NONE)
			continue;
		if (++items->table_index == IC_CALL_FRAME_SFRAME)
			return false;
		items->walk = (struct ic_cfi_walk){ .section = &table_of(items)->section };
		items->shown_cie_off = IC_NO_ADDR;
	}
	return true;
}

bool ic_call_frame_items_next(struct ic_call_frame_items *items, struct ic_call_frame_item *item,
			      struct ic_error *err)
{
	struct ic_error unwanted;
	struct ic_cfi_entry entry;

	if (!err)
		err = &unwanted;
	while (items->is_in_entry) {
		if (is_in_sframe(items) ? give_sframe_row(items, item, err)
					: give_instruction(items, item, err))
			return true;
		if (err->code == IC_ERROR_MEMORY)
			return false;
	}
	err->code = IC_ERROR_NONE;
	if (items->is_fde_pending) {
		items->is_fde_pending = false;
		return give_fde(items, &items->fde, item);
	}
	while (!is_in_sframe(items) && next_entry(items, &entry))
		if (give_entry(items, &entry, item))
			return true;
	return give_sframe_fde(items, item);
}
