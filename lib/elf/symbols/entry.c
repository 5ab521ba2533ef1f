#include "elf/symbols/entry.h"

#include <elf.h>
#include <string.h>

// The section of an entry, whose contents are in memory; NULL if it is in none.
static const struct ic_section *section_of(const struct ic_elf_file *file,
					   const struct ic_raw_symbol *raw)
{
	const struct ic_section *section =
		raw->section < file->section_count ? &file->sections[raw->section] : NULL;

	return section && ic_section_is_loaded(section) ? section : NULL;
}

// ARM and RISC-V mark code and data by symbols such as $a and $d.
static bool is_mark(const struct ic_elf_file *file, const char *name)
{
	return (file->machine == EM_ARM || file->machine == EM_AARCH64 ||
		file->machine == EM_RISCV) &&
	       name[0] == '$' && name[1] && strchr("adtx", name[1]);
}

// Assemblers for RISC-V write labels for differences.
static bool is_fake_label(const struct ic_elf_file *file, const char *name)
{
	return file->machine == EM_RISCV && (!name[0] || strcmp(name, ".L0 ") == 0);
}

// Labels that are local to a piece of assembly, and those of annobin.
static bool is_hidden_label(const struct ic_raw_symbol *raw)
{
	return raw->size == 0 && ELF64_ST_TYPE(raw->info) == STT_NOTYPE &&
	       ELF64_ST_BIND(raw->info) == STB_LOCAL &&
	       ELF64_ST_VISIBILITY(raw->other) == STV_HIDDEN;
}

static uint64_t binding_key(uint8_t info)
{
	switch (ELF64_ST_BIND(info)) {
	case STB_LOCAL: return 0;
	case STB_WEAK: return 1;
	}
	return 2;
}

static bool counts_as_innermost(struct ic_symtab_entry *entry, const struct ic_raw_symbol *raw,
				const struct ic_section *section)
{
	uint8_t type = ELF64_ST_TYPE(raw->info);
	bool is_code = section && ic_section_is_code(section);

	entry->key = binding_key(raw->info);
	if (ic_raw_symbol_is_function(raw))
		return raw->size > 0 || is_code;
	// Assembly may omit the type: a symbol in code is a function, such as a kernel's
	// entry_SYSCALL_64.
	entry->only_ends = type == STT_OBJECT;
	if (type == STT_NOTYPE)
		return is_code && (raw->size > 0 || (!is_hidden_label(raw) && entry->name[0] &&
						     strncmp(entry->name, ".L", 2) != 0));
	return is_code && type == STT_OBJECT;
}

static bool counts_for_llvm(struct ic_symtab_entry *entry, const struct ic_raw_symbol *raw,
			    const struct ic_section *section)
{
	uint8_t type = ELF64_ST_TYPE(raw->info);

	entry->key = raw->size;
	return section &&
	       (ic_raw_symbol_is_function(raw) || type == STT_NOTYPE || type == STT_OBJECT);
}

#define SIZE_BITS 62

static bool counts_for_gnu(struct ic_symtab_entry *entry, const struct ic_raw_symbol *raw,
			   const struct ic_section *section)
{
	uint8_t type = ELF64_ST_TYPE(raw->info);
	uint64_t most = (1ull << SIZE_BITS) - 1, size = raw->size ? raw->size : 1;
	uint64_t class = type == STT_FUNC ? 2 : type != STT_NOTYPE;

	entry->key = class << SIZE_BITS | (size < most ? most - size : 0);
	return section && !is_hidden_label(raw) && entry->start >= section->addr &&
	       entry->start < entry->section_end &&
	       (ic_raw_symbol_is_function(raw) || type == STT_NOTYPE || type >= STT_LOOS);
}

// The highest byte of a kernel address is all ones.
static uint64_t untag_addr(uint64_t addr)
{
	return (addr & IC_FIRST_TAGGED ? ~0ull << 56 : 0) | (addr & ~0ull >> 8);
}

bool ic_symtab_entry_make(struct ic_symtab_entry *entry, const struct ic_named_symbols *named,
			  const struct ic_raw_symbol *raw, enum ic_symtab_rule rule)
{
	const struct ic_elf_file *file = named->table.file;
	const struct ic_section *section = section_of(file, raw);

	if (raw->section == SHN_UNDEF || raw->section == SHN_COMMON ||
	    raw->name >= named->names.size)
		return false;
	uint64_t start = ic_named_symbols_addr(named, raw), section_end = UINT64_MAX;
	if (rule == SYMTAB_LLVM_UNTAGGED)
		start = untag_addr(start);
	if (section && __builtin_add_overflow(section->addr, section->size, &section_end))
		section_end = UINT64_MAX;
	*entry = (struct ic_symtab_entry){ .start = start,
					   .section_end = section_end,
					   .name = ic_named_symbols_name(named, raw),
					   .has_size = raw->size > 0 };
	if (__builtin_add_overflow(start, raw->size, &entry->end))
		entry->end = UINT64_MAX;
	if (ELF64_ST_TYPE(raw->info) == STT_NOTYPE && is_mark(file, entry->name))
		return false;
	switch (rule) {
	case SYMTAB_INNERMOST: return counts_as_innermost(entry, raw, section);
	case SYMTAB_LLVM:
	case SYMTAB_LLVM_UNTAGGED:
		return !is_fake_label(file, entry->name) && counts_for_llvm(entry, raw, section);
	case SYMTAB_GNU: return counts_for_gnu(entry, raw, section);
	}
	return false;
}

// A STT_FILE symbol without a name precedes symbols that the linker made.
void ic_symtab_source_note(struct ic_symtab_source *source, const struct ic_named_symbols *named,
			   const struct ic_raw_symbol *raw)
{
	bool has_name = raw->name < named->names.size && named->names.data[raw->name];

	source->file = has_name ? ic_named_symbols_name(named, raw) : NULL;
	source->file_after_symbol |= source->seen_symbol;
}

const char *ic_symtab_source_of(const struct ic_symtab_source *source,
				const struct ic_raw_symbol *raw, enum ic_symtab_rule rule)
{
	bool is_local = ELF64_ST_BIND(raw->info) == STB_LOCAL;

	return is_local || (rule == SYMTAB_GNU && !source->file_after_symbol) ? source->file : NULL;
}
