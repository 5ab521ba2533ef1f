#include "elf/relocate.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/workers.h"
#include "elf/symbol.h"

// Of the machines, those that the <elf.h> of some systems does not name.
#ifndef EM_SPARC32PLUS
#define EM_SPARC32PLUS 18
#endif
#ifndef EM_ARC_COMPACT
#define EM_ARC_COMPACT 93
#endif
#ifndef EM_QDSP6
#define EM_QDSP6 164
#endif
#ifndef EM_ARCV2
#define EM_ARCV2 195
#endif
#ifndef EM_BPF
#define EM_BPF 247
#endif
#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

enum reloc_op {
	OP_UNKNOWN,
	OP_NONE,
	OP_SET,
	OP_PC,
	OP_ADD,
	OP_SUB,
	OP_SET6,
	OP_ADD6,
	OP_SUB6,
	OP_SET_ULEB,
	OP_ADD_ULEB,
	OP_SUB_ULEB,
};

struct reloc_kind {
	uint16_t machine, code;
	uint8_t size, op;
};

static const struct reloc_kind reloc_kinds[] = {
#define RELOC(machine, code, size, op) { EM_##machine, code, size, OP_##op },
#include "elf/relocs.def"
#undef RELOC
};

enum info_layout { // of r_info in a file of 64 bits
	INFO_PLAIN,
	INFO_MIPS,  // a symbol, a special symbol, and three types, the first of them last
	INFO_SPARC, // above the low eight bits of the type there is more data
};

enum {
	MOST_CODES = 2048,
	CHUNK = 1 << 16, // relocations that a worker takes at a time
	MOST_FIELD = 10, // bytes that one may write: a ULEB128
};

struct reloc { // one entry of SHT_REL or SHT_RELA, of either class
	uint64_t off, addend;
	uint32_t symbol, code;
	uint8_t then[2], special; // of MIPS: operations that follow, and on what symbol
};

struct reloc_chunk { // a part of one relocation section
	const struct ic_section *relocs;
	struct ic_section *target;
	const uint64_t *symbols; // their values
	uint32_t symbol_count;
	uint64_t first, end; // entries
	const char *fault;   // what is wrong with the entry `fault_index`
	uint64_t fault_index;
};

struct reloc_job {
	const struct ic_elf_file *file;
	enum info_layout layout;
	bool has_addends_in_place;           // in SHT_RELA too
	struct reloc_kind kinds[MOST_CODES]; // of the machine, by code
	struct reloc_chunk *chunks;
	uint32_t chunk_count;
};

static uint64_t entry_size(const struct ic_elf_file *file, const struct ic_section *relocs)
{
	uint64_t words = relocs->type == SHT_RELA ? 3 : 2;

	return words * file->addr_size;
}

static struct reloc read_reloc64(const uint8_t *at, bool has_addend, enum info_layout layout,
				 bool swap)
{
	uint64_t info = ic_load64(at + 8, swap);
	struct reloc reloc = { .off = ic_load64(at, swap),
			       .addend = has_addend ? ic_load64(at + 16, swap) : 0,
			       .symbol = (uint32_t)(info >> 32),
			       .code = (uint32_t)info };

	if (layout == INFO_SPARC) {
		reloc.code &= 0xff;
	} else if (layout == INFO_MIPS) { // the same bytes in either byte order
		reloc.symbol = ic_load32(at + 8, swap);
		reloc.special = at[12];
		reloc.then[1] = at[13];
		reloc.then[0] = at[14];
		reloc.code = at[15];
	}
	return reloc;
}

static struct reloc read_reloc(const struct reloc_job *job, const struct ic_section *relocs,
			       uint64_t index)
{
	const uint8_t *at = relocs->raw.data + index * entry_size(job->file, relocs);
	bool has_addend = relocs->type == SHT_RELA, swap = job->file->swap;

	if (job->file->addr_size == 8)
		return read_reloc64(at, has_addend, job->layout, swap);
	uint32_t info = ic_load32(at + 4, swap);
	uint64_t addend = has_addend ? (uint64_t)(int64_t)(int32_t)ic_load32(at + 8, swap) : 0;
	return (struct reloc){ .off = ic_load32(at, swap),
			       .addend = addend,
			       .symbol = info >> 8,
			       .code = info & 0xff };
}

static uint64_t load_field(const uint8_t *at, uint8_t size, bool swap)
{
	switch (size) {
	case 1: return *at;
	case 2: return ic_load16(at, swap);
	case 4: return ic_load32(at, swap);
	default: return ic_load64(at, swap);
	}
}

static void store_field(uint8_t *at, uint8_t size, uint64_t value, bool swap)
{
	uint16_t value16 = swap ? __builtin_bswap16((uint16_t)value) : (uint16_t)value;
	uint32_t value32 = swap ? __builtin_bswap32((uint32_t)value) : (uint32_t)value;
	uint64_t value64 = swap ? __builtin_bswap64(value) : value;

	switch (size) {
	case 1: *at = (uint8_t)value; break;
	case 2: memcpy(at, &value16, sizeof(value16)); break;
	case 4: memcpy(at, &value32, sizeof(value32)); break;
	default: memcpy(at, &value64, sizeof(value64)); break;
	}
}

static uint64_t extend_sign(uint64_t value, uint8_t size)
{
	switch (size) {
	case 1: return (uint64_t)(int8_t)value;
	case 2: return (uint64_t)(int16_t)value;
	case 4: return (uint64_t)(int32_t)value;
	default: return value;
	}
}

// A ULEB128 keeps its width, since what is behind it has been laid out. The pair of SET, or ADD to
// 0, and SUB stands for a difference, so the field holds the first value only in between.
static bool patch_uleb(uint8_t *at, const uint8_t *end, uint64_t value, enum reloc_op op)
{
	uint64_t old = 0;
	uint8_t *last = at;

	while (last < end && last - at < MOST_FIELD && *last & 0x80)
		last++;
	if (last == end || last - at == MOST_FIELD)
		return false;
	for (const uint8_t *byte = last; byte >= at; byte--)
		old = old << 7 | (*byte & 0x7f);
	if (op != OP_SET_ULEB)
		value = op == OP_ADD_ULEB ? old + value : old - value;
	for (uint8_t *byte = at; byte <= last; byte++, value >>= 7)
		*byte = (uint8_t)((value & 0x7f) | (byte < last ? 0x80 : 0));
	return true;
}

static const struct reloc_kind *kind_of(const struct reloc_job *job, uint32_t code)
{
	static const struct reloc_kind unknown = { 0 };

	return code < MOST_CODES ? &job->kinds[code] : &unknown;
}

// The ABI of MIPS64: up to two operations more on the same field. What the one before results in
// is the addend of the next, whose symbol is none of the file's; the last says how wide the field
// is. False where that is not for us.
static bool compose(const struct reloc_job *job, const struct reloc *reloc,
		    const struct reloc_kind **kind, uint64_t *value)
{
	for (int i = 0; i < 2 && reloc->then[i] != 0; i++) {
		const struct reloc_kind *next = kind_of(job, reloc->then[i]);
		bool is_pc = (*kind)->op == OP_PC;

		if (((*kind)->op != OP_SET && !is_pc) || (next->op != OP_SET && next->op != OP_PC))
			return false;
		*value = extend_sign(*value - (is_pc ? reloc->off : 0), (*kind)->size);
		*kind = next;
	}
	return reloc->then[0] == 0 || reloc->special == 0;
}

static bool put_value(uint8_t *at, const uint8_t *end, const struct reloc_kind *kind,
		      uint64_t value, uint64_t old, bool swap)
{
	switch ((enum reloc_op)kind->op) {
	case OP_SET:
	case OP_PC:
	case OP_ADD: store_field(at, kind->size, old + value, swap); break;
	case OP_SUB: store_field(at, kind->size, old - value, swap); break;
	case OP_SET6: *at = (uint8_t)((old & 0xc0) | (value & 0x3f)); break;
	case OP_ADD6: *at = (uint8_t)((old & 0xc0) | ((old + value) & 0x3f)); break;
	case OP_SUB6: *at = (uint8_t)((old & 0xc0) | ((old - value) & 0x3f)); break;
	case OP_SET_ULEB:
	case OP_ADD_ULEB:
	case OP_SUB_ULEB: return patch_uleb(at, end, value, kind->op);
	case OP_NONE:
	case OP_UNKNOWN: break;
	}
	return true;
}

static const char *apply(const struct reloc_job *job, const struct reloc_chunk *chunk,
			 const struct reloc *reloc)
{
	static const char not_ours[] =
		"a relocation of a type that does not belong in debugging sections";
	const struct reloc_kind *kind = kind_of(job, reloc->code);
	const struct ic_bytes target = chunk->target->bytes;
	bool in_place = chunk->relocs->type == SHT_REL || job->has_addends_in_place;

	if (kind->op == OP_UNKNOWN)
		return not_ours;
	if (kind->op == OP_NONE)
		return NULL;
	if (reloc->symbol >= chunk->symbol_count)
		return "a relocation with a symbol that does not exist";
	uint64_t value = chunk->symbols[reloc->symbol] + reloc->addend;
	if (!compose(job, reloc, &kind, &value))
		return not_ours;
	if (reloc->off > target.size || kind->size > target.size - reloc->off)
		return "a relocation beyond the end of its section";

	uint8_t *at = (uint8_t *)target.data + reloc->off; // writable: see ic_sections_load
	uint64_t old = 0;
	if (in_place || kind->op >= OP_ADD)
		old = load_field(at, kind->size, job->file->swap);
	if (kind->op == OP_PC)
		value -= reloc->off;
	if (!put_value(at, target.data + target.size, kind, value, old, job->file->swap))
		return "a relocation of a number without an end";
	return NULL;
}

static void apply_chunk(const struct reloc_job *job, struct reloc_chunk *chunk)
{
	for (uint64_t i = chunk->first; i < chunk->end; i++) {
		struct reloc reloc = read_reloc(job, chunk->relocs, i);
		const char *fault = apply(job, chunk, &reloc);

		if (fault) { // the file is refused: nothing later matters
			chunk->fault = fault;
			chunk->fault_index = i;
			return;
		}
	}
}

static void apply_chunks(struct ic_items *items, uint32_t worker, void *context)
{
	struct reloc_job *job = context;
	(void)worker;

	for (uint32_t i; ic_items_take(items, &i);)
		apply_chunk(job, &job->chunks[i]);
}

static bool add_chunk(struct reloc_job *job, const struct reloc_chunk *whole, uint64_t first,
		      uint64_t end)
{
	struct reloc_chunk *grown =
		realloc(job->chunks, (job->chunk_count + 1ull) * sizeof(*grown));

	if (!grown)
		return false;
	job->chunks = grown;
	grown[job->chunk_count] = *whole;
	grown[job->chunk_count].first = first;
	grown[job->chunk_count++].end = end;
	return true;
}

// Splits a relocation section in chunks between entries whose fields cannot overlap, so that no
// two workers touch the same byte. That takes entries in the order of their offsets, which all
// assemblers keep; where they are not, one worker takes them all.
static bool add_chunks(struct reloc_job *job, const struct reloc_chunk *whole)
{
	uint32_t count_before = job->chunk_count;
	uint64_t count = whole->end, first = 0, last_off = 0;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t off = read_reloc(job, whole->relocs, i).off;

		if (off < last_off) {
			job->chunk_count = count_before;
			return add_chunk(job, whole, 0, count);
		}
		if (i - first >= CHUNK && off - last_off >= MOST_FIELD) {
			if (!add_chunk(job, whole, first, i))
				return false;
			first = i;
		}
		last_off = off;
	}
	return first == count || add_chunk(job, whole, first, count);
}

// The values of a symbol table's symbols, as the sections were laid out. NULL where memory is out.
static uint64_t *read_symbol_values(const struct ic_elf_file *file, const struct ic_section *symtab,
				    uint32_t *count)
{
	struct ic_symbol_table table = ic_symbol_table_of(file, symtab);

	*count = table.count <= UINT32_MAX ? (uint32_t)table.count : UINT32_MAX;
	uint64_t *values = malloc((*count + 1ull) * sizeof(*values));
	for (uint32_t i = 0; values && i < *count; i++) {
		struct ic_raw_symbol symbol = ic_symbol_table_read(&table, i);
		values[i] = ic_raw_symbol_addr(file, &symbol);
	}
	return values;
}

// What the relocations of a file are prepared with. Sizes are counted, since many headers can stand
// for the same bytes: a small file would make us read them a thousand times.
struct preparation {
	struct reloc_job *job;
	uint32_t *relocs_of;     // by target: 1 + the number of its section of relocations, or 0
	bool *has_two;           // by target
	uint64_t **symbols;      // by symbol table: the values, once they are asked for
	uint32_t *symbol_counts; // likewise
	uint64_t relocs_size, symbols_size;
};

static bool preparation_init(struct preparation *preparation, struct reloc_job *job)
{
	const struct ic_elf_file *file = job->file;
	size_t count = file->section_count + 1ull;

	*preparation =
		(struct preparation){ .job = job,
				      .relocs_of = calloc(count, sizeof(*preparation->relocs_of)),
				      .has_two = calloc(count, sizeof(*preparation->has_two)),
				      .symbols = calloc(count, sizeof(*preparation->symbols)),
				      .symbol_counts =
					      calloc(count, sizeof(*preparation->symbol_counts)) };
	if (!preparation->relocs_of || !preparation->has_two || !preparation->symbols ||
	    !preparation->symbol_counts)
		return false;
	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *relocs = &file->sections[i];
		if ((relocs->type != SHT_REL && relocs->type != SHT_RELA) ||
		    relocs->info >= file->section_count || relocs->link >= file->section_count)
			continue;
		preparation->has_two[relocs->info] = preparation->relocs_of[relocs->info] != 0;
		preparation->relocs_of[relocs->info] = i + 1;
	}
	return true;
}

static void preparation_deinit(struct preparation *preparation)
{
	for (uint32_t i = 0; preparation->symbols && i < preparation->job->file->section_count; i++)
		free(preparation->symbols[i]);
	free(preparation->symbols);
	free(preparation->symbol_counts);
	free(preparation->relocs_of);
	free(preparation->has_two);
}

// Reads the symbol table once, for all sections of relocations that mean it.
static bool prepare_symbols(struct preparation *preparation, uint32_t link, struct ic_error *err)
{
	const struct ic_elf_file *file = preparation->job->file;
	const struct ic_section *symtab = &file->sections[link];

	if (preparation->symbols[link] || symtab->type != SHT_SYMTAB)
		return true;
	preparation->symbols_size += symtab->raw.size;
	if (preparation->symbols_size > file->size)
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: its symbol tables lie on one another",
			       file->path);
	preparation->symbols[link] =
		read_symbol_values(file, symtab, &preparation->symbol_counts[link]);
	return preparation->symbols[link] || ic_fail_memory(err);
}

// Two sections of relocations for the same bytes would be applied in any order.
static bool prepare_section(struct preparation *preparation, struct ic_section *target,
			    struct ic_error *err)
{
	const struct ic_elf_file *file = preparation->job->file;
	uint32_t target_index = (uint32_t)(target - file->sections);

	if (preparation->relocs_of[target_index] == 0)
		return true;
	if (preparation->has_two[target_index])
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: %s has two sections of relocations",
			       file->path, target->name);
	const struct ic_section *relocs = &file->sections[preparation->relocs_of[target_index] - 1];
	preparation->relocs_size += relocs->raw.size;
	if (preparation->relocs_size > file->size)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: its sections of relocations lie on one another", file->path);
	if (!prepare_symbols(preparation, relocs->link, err))
		return false;
	struct reloc_chunk whole = { .relocs = relocs,
				     .target = target,
				     .symbols = preparation->symbols[relocs->link],
				     .symbol_count = preparation->symbol_counts[relocs->link],
				     .end = relocs->raw.size / entry_size(file, relocs) };
	return add_chunks(preparation->job, &whole) || ic_fail_memory(err);
}

struct placed_section {
	const struct ic_section *section;
	bool is_wanted;
};

static int compare_places(const void *left, const void *right)
{
	const struct ic_section *a = ((const struct placed_section *)left)->section;
	const struct ic_section *b = ((const struct placed_section *)right)->section;

	if (a->raw.data != b->raw.data)
		return a->raw.data < b->raw.data ? -1 : 1;
	return (a > b) - (a < b);
}

static const struct ic_section *last_to_end(const struct ic_section *a, const struct ic_section *b)
{
	return !a || b->raw.data + b->raw.size > a->raw.data + a->raw.size ? b : a;
}

// Sections that lie on one another in the file would be relocated by two workers at once, or while
// they say how. Those that are not to be relocated may.
static bool check_places(struct placed_section *places, uint32_t count,
			 const struct ic_elf_file *file, struct ic_error *err)
{
	const struct ic_section *last = NULL, *last_wanted = NULL; // to end, of those before

	qsort(places, count, sizeof(*places), compare_places);
	for (uint32_t i = 0; i < count; i++) {
		const struct ic_section *section = places[i].section;
		const struct ic_section *before = places[i].is_wanted ? last : last_wanted;
		if (before && section->raw.data < before->raw.data + before->raw.size)
			return ic_fail(err, IC_ERROR_MALFORMED,
				       "%s: sections %s and %s lie on one another", file->path,
				       places[i].is_wanted ? section->name : before->name,
				       places[i].is_wanted ? before->name : section->name);
		last = last_to_end(last, section);
		if (places[i].is_wanted)
			last_wanted = last_to_end(last_wanted, section);
	}
	return true;
}

static bool check_overlaps(const struct ic_elf_file *file, struct ic_section *const *sections,
			   uint32_t section_count, struct ic_error *err)
{
	struct placed_section *places = calloc(file->section_count + 1ull, sizeof(*places));
	uint32_t count = 0;

	if (!places)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < section_count; i++)
		places[sections[i] - file->sections].is_wanted = true;
	for (uint32_t i = 0; i < file->section_count; i++)
		if (file->sections[i].raw.size > 0)
			places[count++] =
				(struct placed_section){ &file->sections[i], places[i].is_wanted };
	bool ok = check_places(places, count, file, err);
	free(places);
	return ok;
}

static bool prepare(struct reloc_job *job, struct ic_section *const *sections,
		    uint32_t section_count, struct preparation *preparation, struct ic_error *err)
{
	if (!preparation_init(preparation, job))
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < section_count; i++)
		if (!prepare_section(preparation, sections[i], err))
			return false;
	return true;
}

static bool run(struct reloc_job *job, uint32_t jobs, struct ic_error *err)
{
	ic_workers_run(ic_workers_count(jobs, job->chunk_count), job->chunk_count, apply_chunks,
		       job);
	for (uint32_t i = 0; i < job->chunk_count; i++) {
		const struct reloc_chunk *chunk = &job->chunks[i];
		if (!chunk->fault)
			continue;
		struct reloc reloc = read_reloc(job, chunk->relocs, chunk->fault_index);
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: %s, entry %" PRIu64 ": %s (type %u)",
			       job->file->path, chunk->relocs->name, chunk->fault_index,
			       chunk->fault, reloc.code);
	}
	return true;
}

// Machines of one instruction set share their relocations.
static uint16_t family(uint16_t machine)
{
	switch (machine) {
	case EM_MIPS_RS3_LE: return EM_MIPS;
	case EM_SPARC32PLUS:
	case EM_SPARCV9: return EM_SPARC;
	case EM_ARCV2: return EM_ARC_COMPACT;
	default: return machine;
	}
}

// Fills in what is the machine's own; false where it is not one that we know.
static bool find_kinds(struct reloc_job *job)
{
	uint16_t machine = family(job->file->machine);
	bool known = false;

	if (machine == EM_MIPS)
		job->layout = INFO_MIPS;
	else if (machine == EM_SPARC)
		job->layout = INFO_SPARC;
	job->has_addends_in_place = machine == EM_SH; // its assembler writes 0 beside each
	for (size_t i = 0; i < sizeof(reloc_kinds) / sizeof(*reloc_kinds); i++) {
		if (reloc_kinds[i].machine != machine)
			continue;
		job->kinds[reloc_kinds[i].code] = reloc_kinds[i];
		known = true;
	}
	return known;
}

bool ic_sections_relocate(const struct ic_elf_file *file, struct ic_section *const *sections,
			  uint32_t section_count, uint32_t jobs, struct ic_error *err)
{
	struct reloc_job *job = calloc(1, sizeof(*job));
	struct preparation preparation = { .job = job };
	bool ok = job != NULL;

	if (ok)
		job->file = file;
	if (ok && !find_kinds(job))
		ok = ic_fail(
			err, IC_ERROR_UNSUPPORTED,
			"%s: a relocatable file for a machine (e_machine %u) whose relocations "
			"are not known",
			file->path, file->machine);
	else if (ok)
		ok = check_overlaps(file, sections, section_count, err) &&
		     prepare(job, sections, section_count, &preparation, err) &&
		     run(job, jobs, err);
	else
		ok = ic_fail_memory(err);
	preparation_deinit(&preparation);
	if (job)
		free(job->chunks);
	free(job);
	return ok;
}
