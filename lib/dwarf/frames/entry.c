#include "dwarf/frames/entry.h"

static struct ic_pointer_bases bases_of(const struct ic_cfi_section *section, uint8_t addr_size)
{
	return (struct ic_pointer_bases){ .section_addr = section->addr,
					  .text_addr = section->text_addr,
					  .data_addr = section->data_addr,
					  .addr_size = addr_size };
}

// Reads the ID field after the length. In a CIE, it is a number that no FDE can have there; in an
// FDE it locates the CIE. In .eh_frame it always has 4 bytes, and counts back from the field
// itself.
static void read_identifier(const struct ic_cfi_section *section, struct ic_cfi_entry *entry)
{
	struct ic_cursor *cur = &entry->rest;
	uint64_t off = ic_cursor_off(cur), id;

	if (section->is_eh) {
		id = ic_cursor_u32(cur);
		entry->kind = id == 0 ? IC_CFI_CIE : IC_CFI_FDE;
		entry->cie_off = off - id;
		if (id > off)
			ic_cursor_fault(cur, "CIE pointer is before the start of the section");
		return;
	}
	id = ic_cursor_uint(cur, entry->offset_size);
	bool is_cie = id == (entry->offset_size == 8 ? UINT64_MAX : UINT32_MAX);
	entry->kind = is_cie ? IC_CFI_CIE : IC_CFI_FDE;
	entry->cie_off = id;
}

bool ic_cfi_entry_next(struct ic_cfi_walk *walk, struct ic_cfi_entry *entry, struct ic_error *err)
{
	const struct ic_cfi_section *section = walk->section;
	uint64_t off = walk->next_off;

	err->code = IC_ERROR_NONE;
	if (off >= section->bytes.size)
		return false;
	struct ic_cursor cur = ic_cursor_at(section->bytes, section->name, off,
					    section->bytes.size - off, section->swap);
	*entry = (struct ic_cfi_entry){ .off = off, .kind = IC_CFI_TERMINATOR };
	entry->offset_size = ic_cursor_initial_length(&cur);
	entry->rest = cur;
	// A length of 0 is the terminator; linkers also leave some between entries.
	if (!cur.fault && ic_cursor_more(&cur))
		read_identifier(section, entry);
	walk->next_off = (uint64_t)(cur.end - cur.begin);
	entry->size = walk->next_off - off;
	if (cur.fault)
		walk->next_off = section->bytes.size;
	return ic_cursor_ok(&entry->rest, err);
}

// Reads the data of each letter of the augmentation, up to the first unknown letter: the size of
// the data tells where the instructions begin.
static void read_letters(const struct ic_cfi_section *section, const char *letter,
			 struct ic_cursor *cur, struct ic_cie *cie)
{
	struct ic_pointer_bases bases = bases_of(section, cie->addr_size);
	uint8_t encoding;

	for (; *letter; letter++) {
		switch (*letter) {
		case 'R': cie->pointer_encoding = ic_cursor_u8(cur); break;
		case 'L': cie->lsda_encoding = ic_cursor_u8(cur); break;
		case 'P':
			encoding = ic_cursor_u8(cur);
			cie->personality = ic_pointer_read(cur, encoding, &bases);
			break;
		case 'S': cie->is_signal = true; break;
		case 'B': cie->has_b_key = true; break;
		case 'G': break; // AArch64: the stack is tagged
		default: return;
		}
	}
}

// A cursor over augmentation data: a block with its size in front.
static struct ic_cursor read_data_block(struct ic_cursor *cur)
{
	uint64_t size = ic_cursor_uleb(cur);
	struct ic_cursor block = *cur;
	const uint8_t *data = ic_cursor_take(cur, size);

	block.end = data ? data + size : block.pos;
	return block;
}

// GCC 2's augmentation: the address of an exception table follows it.
static bool has_word(const char *augmentation)
{
	return strcmp(augmentation, "eh") == 0;
}

static void read_augmentation(const struct ic_cfi_section *section, struct ic_cursor *cur,
			      struct ic_cie *cie)
{
	struct ic_cursor block;

	cie->has_data = cie->augmentation[0] == 'z';
	if (!cie->has_data) {
		if (!has_word(cie->augmentation))
			read_letters(section, cie->augmentation, cur, cie);
		return;
	}
	block = read_data_block(cur);
	read_letters(section, cie->augmentation + 1, &block, cie);
	if (block.fault)
		ic_cursor_fault(cur, "truncated augmentation data");
	else if (!ic_pointer_is_known(cie->pointer_encoding) ||
		 cie->pointer_encoding & DW_EH_PE_indirect)
		ic_cursor_fault(cur, "unsupported pointer encoding");
}

static bool is_addr_size(uint8_t size)
{
	return size == 2 || size == 4 || size == 8;
}

static bool fail_version(const struct ic_cfi_section *section, const struct ic_cie *cie,
			 struct ic_error *err)
{
	ic_fail_at(err, section->name, cie->off, "unsupported CIE version %u", cie->version);
	err->code = IC_ERROR_UNSUPPORTED;
	return false;
}

static bool is_known_version(const struct ic_cfi_section *section, uint8_t version)
{
	return version == 1 || version == 3 || (version == 4 && !section->is_eh);
}

// Whether the layout of what follows the augmentation string is known. Without a z, GNU as writes
// only letters that have no data, into .debug_frame.
static bool is_known_augmentation(const char *augmentation)
{
	return augmentation[0] == 'z' || has_word(augmentation) ||
	       augmentation[strspn(augmentation, "SBG")] == '\0';
}

bool ic_cie_read(const struct ic_cfi_section *section, uint64_t off, struct ic_cie *cie,
		 struct ic_error *err)
{
	struct ic_cfi_walk walk = { section, off };
	struct ic_cfi_entry entry;

	*cie = (struct ic_cie){ .off = off,
				.augmentation = "",
				.addr_size = section->addr_size,
				.lsda_encoding = DW_EH_PE_omit,
				.personality.is_null = true };
	if (!ic_cfi_entry_next(&walk, &entry, err)) {
		if (err->code == IC_ERROR_NONE)
			ic_fail_at(err, section->name, off,
				   "CIE offset is beyond the end of the section");
		return false;
	}
	if (entry.kind != IC_CFI_CIE)
		return ic_fail_at(err, section->name, off,
				  "not a CIE, although an FDE refers to it");
	if (entry.size > IC_CIE_MOST_SIZE)
		return ic_fail_at(err, section->name, off, "CIE is too large");
	struct ic_cursor *cur = &entry.rest;
	cie->version = ic_cursor_u8(cur);
	if (!cur->fault && !is_known_version(section, cie->version))
		return fail_version(section, cie, err);
	cie->augmentation = ic_cursor_string(cur);
	if (!is_known_augmentation(cie->augmentation))
		ic_cursor_fault(cur, "unknown augmentation");
	if (has_word(cie->augmentation))
		ic_cursor_take(cur, section->addr_size);
	if (cie->version >= 4) {
		cie->addr_size = ic_cursor_u8(cur);
		cie->segment_size = ic_cursor_u8(cur);
		if (!is_addr_size(cie->addr_size) || cie->segment_size > 8)
			ic_cursor_fault(cur, "invalid address or segment selector size");
	}
	cie->code_align = ic_cursor_uleb(cur);
	cie->data_align = ic_cursor_sleb(cur);
	if (cie->code_align == 0 ||
	    cie->data_align == 0) // a factor of 0 would make every operand 0
		ic_cursor_fault(cur, "alignment factor is 0");
	cie->return_reg = cie->version == 1 ? ic_cursor_u8(cur) : ic_cursor_uleb16(cur);
	read_augmentation(section, cur, cie);
	cie->instructions = *cur;
	return ic_cursor_ok(cur, err);
}

bool ic_fde_read(const struct ic_cfi_section *section, const struct ic_cfi_entry *entry,
		 const struct ic_cie *cie, struct ic_fde *fde, struct ic_error *err)
{
	struct ic_pointer_bases bases = bases_of(section, cie->addr_size);
	struct ic_cursor cur = entry->rest;

	*fde = (struct ic_fde){ .lsda.is_null = true };
	ic_cursor_take(&cur, cie->segment_size);
	fde->start = ic_pointer_read(&cur, cie->pointer_encoding, &bases).value;
	// The size is encoded like the address, but unsigned and without a base.
	uint64_t size = ic_pointer_read_number(&cur, cie->pointer_encoding & 0x07, cie->addr_size);
	fde->end = fde->start + size;
	if (fde->end < fde->start || (cie->addr_size == 4 && fde->end > UINT32_MAX + 1ull))
		ic_cursor_fault(&cur, "address range exceeds the address space");
	if (cie->has_data) {
		fde->data = read_data_block(&cur);
		bases.function_addr = fde->start;
		fde->lsda = ic_pointer_read(&fde->data, cie->lsda_encoding, &bases);
		if (fde->data.fault) {
			fde->data.fault = "cannot read the LSDA pointer";
			fde->lsda = (struct ic_pointer){ .is_null = true };
		}
	}
	fde->instructions = cur;
	return ic_cursor_ok(&cur, err);
}
