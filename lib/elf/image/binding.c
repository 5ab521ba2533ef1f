#include "elf/image/binding.h"

#include <elf.h>
#include <string.h>

#include "base/machine.h"
#include "elf/files/symbol.h"
#include "text/text.h"

// Whether other files precede this one when names are looked up: it is a shared library, not linked
// with -Bsymbolic. Linkers mark programs that may be loaded anywhere.
static bool is_preempted(const struct ic_elf_file *file, bool *is_unknown)
{
	const struct ic_section *dynamic = ic_elf_file_section(file, ".dynamic");
	size_t word = file->addr_size;
	bool is_preempted = true;

	*is_unknown = false;
	if (file->is_relocatable || ic_elf_file_is_executable(file) || !dynamic)
		return false;
	*is_unknown = dynamic->raw.size < 2 * word;
	for (size_t off = 0; off + 2 * word <= dynamic->raw.size; off += 2 * word) {
		const uint8_t *at = dynamic->raw.data + off;
		uint64_t tag = word == 8 ? ic_load64(at, file->swap) : ic_load32(at, file->swap);
		uint64_t value = word == 8 ? ic_load64(at + word, file->swap)
					   : ic_load32(at + word, file->swap);

		if (tag == DT_NULL)
			break;
		if (tag == DT_SYMBOLIC || (tag == DT_FLAGS && (value & DF_SYMBOLIC)) ||
		    (tag == DT_FLAGS_1 && (value & DF_1_PIE)))
			is_preempted = false;
	}
	return is_preempted;
}

static uint64_t hash_of(const char *name)
{
	return ic_text_hash_up_to(name, strcspn(name, "@"));
}

static bool is_exported(const struct ic_raw_symbol *raw)
{
	return ELF64_ST_BIND(raw->info) != STB_LOCAL &&
	       ELF64_ST_VISIBILITY(raw->other) == STV_DEFAULT;
}

// Collects the relevant symbols of a table; if `exports`, other files' symbols take precedence over
// its own.
static bool take_symbols(struct ic_binding *binding, const struct ic_named_symbols *named,
			 bool exports)
{
	for (uint64_t i = 1; i < named->table.count; i++) { // the first is null (gABI)
		struct ic_raw_symbol raw = ic_symbol_table_read(&named->table, i);
		struct ic_keyed *added;

		if (raw.section == SHN_UNDEF) {
			if (raw.name == 0 || raw.name >= named->names.size)
				continue;
			added = IC_ARRAY_PUSH(&binding->undefined);
			if (added)
				added->key = hash_of(ic_named_symbols_name(named, &raw));
		} else if (ELF64_ST_TYPE(raw.info) == STT_GNU_IFUNC ||
			   (exports && is_exported(&raw))) {
			added = IC_ARRAY_PUSH(&binding->changed);
			if (added)
				added->key = ic_named_symbols_addr(named, &raw);
		} else {
			continue;
		}
		if (!added)
			return false;
		added->number = 0;
	}
	return true;
}

bool ic_binding_read(struct ic_binding *binding, struct ic_image *image, struct ic_error *err)
{
	struct ic_symbol_files files = { NULL, NULL };
	struct ic_named_symbols tables[2], dynamic;

	bool exports = is_preempted(&image->file, &binding->is_unknown);
	binding->undefined.memory = binding->changed.memory = &image->memory;
	if (!ic_image_load_descriptors(image, 1, err) ||
	    !ic_image_symbol_files(image, false, &files, err)) {
		binding->is_unknown = true; // this is reported with the symbols
		if (err->code == IC_ERROR_MEMORY)
			return false;
	}
	dynamic = ic_named_symbols_open_dynamic(&image->file);
	bool ok = take_symbols(binding, &dynamic, exports);
	if (files.file)
		(void)ic_named_symbols_open(tables, files.file, files.mini);
	for (size_t i = 0; ok && files.file && i < 2; i++)
		ok = take_symbols(binding, &tables[i], false);
	return (ok && ic_keyed_sort(binding->undefined.items, binding->undefined.count) &&
		ic_keyed_sort(binding->changed.items, binding->changed.count)) ||
	       ic_fail_memory(err);
}

static bool has_key(const struct ic_keyed *items, uint32_t count, uint64_t key)
{
	uint32_t at = ic_keyed_find(items, count, key);

	return at < count && items[at].key == key;
}

bool ic_binding_is_certain(const struct ic_binding *binding, uint64_t addr)
{
	return !binding->is_unknown &&
	       !has_key(binding->changed.items, binding->changed.count, addr);
}

bool ic_binding_is_undefined(const struct ic_binding *binding, const char *name)
{
	return has_key(binding->undefined.items, binding->undefined.count, hash_of(name));
}

// ---- Instructions

// The bytes of code at an address, up to `size`; NULL if the file does not have them.
static const uint8_t *code_at(const struct ic_image *image, uint64_t addr, size_t size)
{
	const struct ic_elf_file *file = &image->file;
	uint64_t off;

	if (!ic_image_offset_of_addr(image, addr, &off) || off > file->size ||
	    size > file->size - off)
		return NULL;
	return file->data + off;
}

static void add_branch(struct ic_branches *branches, uint64_t next, int64_t distance, uint64_t mask)
{
	branches->targets[branches->count++] = (next + (uint64_t)distance) & mask;
}

// With a four-byte distance: call, jmp, or a conditional jump, which has one more byte.
static void find_far_branch(const struct ic_image *image, uint64_t addr, bool is_after,
			    uint64_t mask, struct ic_branches *branches)
{
	enum { CALL = 0xe8, JUMP = 0xe9, TWO_BYTES = 0x0f, CONDITIONAL = 0x80 };

	for (uint64_t opcode = 1; opcode <= 2; opcode++) {
		uint64_t start = is_after ? addr - opcode - 4 : addr;
		const uint8_t *code = code_at(image, start, opcode + 4);
		bool is_branch = code && (opcode == 1 ? code[0] == CALL || code[0] == JUMP
						      : code[0] == TWO_BYTES &&
								(code[1] & 0xf0) == CONDITIONAL);
		if (is_branch)
			add_branch(branches, start + opcode + 4,
				   (int32_t)ic_load32(code + opcode, IC_HOST_IS_BIG_ENDIAN), mask);
	}
}

static bool x86_find_branches(const struct ic_image *image, uint64_t addr, bool is_after,
			      struct ic_branches *branches)
{
	enum { SHORT_JUMP = 0xeb, SHORT_CONDITIONAL = 0x70 };
	uint64_t mask = image->file.addr_size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t start = is_after ? addr - 2 : addr;
	const uint8_t *shorter = code_at(image, start, 2);

	find_far_branch(image, addr, is_after, mask, branches);
	if (shorter && (shorter[0] == SHORT_JUMP || (shorter[0] & 0xf0) == SHORT_CONDITIONAL))
		add_branch(branches, start + 2, (int8_t)shorter[1], mask);
	return shorter != NULL;
}

static bool aarch64_find_branches(const struct ic_image *image, uint64_t addr, bool is_after,
				  struct ic_branches *branches)
{
	uint64_t start = is_after ? addr - 4 : addr;
	const uint8_t *code = code_at(image, start, 4);
	uint32_t instruction = code ? ic_load32(code, IC_HOST_IS_BIG_ENDIAN) : 0;

	if ((instruction & 0x7c000000) == 0x14000000) // b, bl: 26 bits, in words
		add_branch(branches, start, (int64_t)(int32_t)(instruction << 6) >> 4, UINT64_MAX);
	if ((instruction & 0xff000010) == 0x54000000 || // b.cond: 19 bits
	    (instruction & 0x7e000000) == 0x34000000)   // cbz, cbnz
		add_branch(branches, start, ((int64_t)(int32_t)(instruction << 8) >> 13) * 4,
			   UINT64_MAX);
	return code != NULL;
}

bool ic_image_find_branches(const struct ic_image *image, uint64_t addr, bool is_after,
			    struct ic_branches *branches)
{
	branches->count = 0;
	switch (image->file.is_relocatable ? 0 : image->file.machine) {
	case IC_MACHINE_386:
	case IC_MACHINE_X86_64: return x86_find_branches(image, addr, is_after, branches);
	case IC_MACHINE_AARCH64: return aarch64_find_branches(image, addr, is_after, branches);
	}
	return false;
}

bool ic_image_branches_to(const struct ic_image *image, uint64_t addr, bool is_after,
			  uint64_t target)
{
	struct ic_branches branches;

	return ic_image_find_branches(image, addr, is_after, &branches) &&
	       ic_branches_have(&branches, target);
}

static uint64_t distance_at(const uint8_t *code)
{
	return (uint64_t)(int64_t)(int32_t)ic_load32(code, IC_HOST_IS_BIG_ENDIAN);
}

// The word that a stub jumps through: "endbr64; bnd jmp *distance(%rip)", where the first two may
// be missing.
static bool find_jump(const struct ic_image *image, uint64_t addr, uint64_t *slot)
{
	static const uint8_t landing[] = { 0xf3, 0x0f, 0x1e, 0xfa }, jump[] = { 0xff, 0x25 };
	const uint8_t *code = code_at(image, addr, sizeof(landing));

	if (code && memcmp(code, landing, sizeof(landing)) == 0)
		addr += sizeof(landing);
	code = code_at(image, addr, 1);
	if (code && *code == 0xf2) // bnd
		addr++;
	code = code_at(image, addr, 6);
	if (!code || memcmp(code, jump, sizeof(jump)) != 0)
		return false;
	*slot = addr + 6 + distance_at(code + 2);
	return true;
}

// Whether a word is read-only once the dynamic linker has relocated the file. It protects whole
// pages.
static bool is_protected(const struct ic_image *image, uint64_t slot)
{
	enum { PAGE = 4096 };
	const struct ic_range *range = &image->file.layout.relocated;

	return slot >= range->start && slot <= UINT64_MAX - 8 &&
	       slot + 8 <= (range->end & ~(uint64_t)(PAGE - 1));
}

bool ic_image_relaxed_to(const struct ic_image *image, uint64_t addr, bool is_after,
			 uint64_t *target)
{
	enum { SIZE = 6, PREFIX = 0x67, CALL = 0xe8, JUMP = 0xe9, NOP = 0x90 };
	uint64_t start = addr - (is_after ? SIZE : 0);
	const uint8_t *code = code_at(image, start, SIZE);

	if (!code || image->file.is_relocatable || image->file.machine != IC_MACHINE_X86_64 ||
	    image->file.addr_size != 8)
		return false;
	bool is_call = code[0] == PREFIX && code[1] == CALL;
	if (!is_call && !(code[0] == JUMP && code[5] == NOP))
		return false;
	*target = start + (is_call ? 6 : 5) + distance_at(code + (is_call ? 2 : 1));
	return true;
}

bool ic_image_called_by(const struct ic_image *image, uint64_t addr, bool is_after, uint64_t *slot)
{
	enum { CALL = 0xe8, JUMP = 0xe9, BY = 0xff, CALL_BY = 0x15, JUMP_BY = 0x25 };
	const uint8_t *code;
	bool found = false;

	if (image->file.is_relocatable || image->file.machine != IC_MACHINE_X86_64 ||
	    image->file.addr_size != 8)
		return false;
	code = code_at(image, addr - (is_after ? 6 : 0), 6);
	if (code && code[0] == BY && (code[1] == CALL_BY || code[1] == JUMP_BY)) {
		*slot = addr + (is_after ? 0 : 6) + distance_at(code + 2);
		found = true;
	}
	code = code_at(image, addr - (is_after ? 5 : 0), 5);
	if (!found && code && (code[0] == CALL || code[0] == JUMP))
		found = find_jump(image, addr + (is_after ? 0 : 5) + distance_at(code + 1), slot);
	return found && is_protected(image, *slot);
}

void ic_binding_free(struct ic_binding *binding)
{
	IC_ARRAY_FREE(&binding->undefined);
	IC_ARRAY_FREE(&binding->changed);
}
