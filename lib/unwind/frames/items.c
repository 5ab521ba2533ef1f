// Entries of call frame information and their instructions, as in the file: implements the last
// part of inlinecall/extra/call_frames.h.
#include <stdlib.h>

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
};

static struct ic_cfi_table *table_of(struct ic_call_frame_items *items)
{
	return &items->frames->tables[items->table_index];
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

// The next entry in either table; false after the last.
static bool next_entry(struct ic_call_frame_items *items, struct ic_cfi_entry *entry)
{
	struct ic_error reported;

	while (!ic_cfi_entry_next(&items->walk, entry, &reported)) {
		if (reported.code != IC_ERROR_NONE)
			continue;
		if (++items->table_index == IC_CALL_FRAME_TABLES)
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
		if (give_instruction(items, item, err))
			return true;
		if (err->code == IC_ERROR_MEMORY)
			return false;
	}
	err->code = IC_ERROR_NONE;
	if (items->is_fde_pending) {
		items->is_fde_pending = false;
		return give_fde(items, &items->fde, item);
	}
	while (items->table_index < IC_CALL_FRAME_TABLES && next_entry(items, &entry))
		if (give_entry(items, &entry, item))
			return true;
	return false;
}
