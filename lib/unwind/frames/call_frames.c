#include "unwind/frames/call_frames.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/machine.h"
#include "elf/files/descriptor.h"
#include "elf/sections/checks.h"
#include "elf/sections/load.h"

#include <inlinecall/extra/registers.h>

static const char *const table_names[IC_CALL_FRAME_TABLES] = { ".eh_frame", ".debug_frame",
							       ".sframe" };

static uint64_t addr_of(const struct ic_elf_file *file, const char *name)
{
	const struct ic_section *section = ic_elf_file_section(file, name);

	return section ? section->addr : 0;
}

// A table's file, for messages; NULL for the image's own.
static const char *path_of(const struct ic_call_frames *frames, const struct ic_cfi_table *table)
{
	const struct ic_elf_file *file = frames->files[table - frames->tables];

	return file == &frames->image->file ? NULL : file->path;
}

bool ic_call_frames_is_sframe(const struct ic_call_frames *frames, const struct ic_cfi_table *table)
{
	return table == &frames->tables[IC_CALL_FRAME_SFRAME];
}

static bool has_code(const struct ic_elf_file *file)
{
	for (uint32_t i = 0; i < file->section_count; i++)
		if (ic_section_is_code(&file->sections[i]) && file->sections[i].raw.size > 0)
			return true;
	return false;
}

// Decompresses and relocates the section of a table. False if memory runs out; any other failure is
// a problem, and the table stays empty.
static bool load_table(struct ic_call_frames *frames, struct ic_cfi_table *table,
		       struct ic_error *err)
{
	struct ic_elf_file *file = frames->files[table - frames->tables];
	struct ic_section *section = frames->sections[table - frames->tables];
	bool is_eh = table == &frames->tables[0];
	const char *name = table_names[table - frames->tables];

	// It may already be loaded. A debug file has contents neither for this nor for code.
	if (table->section.name || !section || section->size == 0)
		return true;
	if (section->raw.size == 0) {
		if (has_code(file)) {
			ic_fail(err, IC_ERROR_MALFORMED, "%s: section has no contents in the file",
				name);
			ic_problems_add(&frames->problems, err, NULL, 0);
		}
		return true;
	}
	if (!ic_sections_load(file, &section, 1, 1, err)) {
		if (err->code == IC_ERROR_MEMORY)
			return false;
		frames->problems.file = path_of(frames, table);
		ic_problems_add(&frames->problems, err, name, 0);
		table->section.name = name;
		return true;
	}
	table->section = (struct ic_cfi_section){
		.bytes = section->bytes,
		.name = name,
		.addr = section->addr,
		.text_addr = addr_of(file, ".text"),
		.data_addr = addr_of(file, ".got"),
		.machine = file->machine,
		.addr_size = file->addr_size,
		.is_eh = is_eh,
		.swap = file->swap,
	};
	return true;
}

// Zeros, or missing contents, are not errors in themselves: the index shows how many entries are
// missing.
static void check_count(struct ic_call_frames *frames, const struct ic_cfi_table *table)
{
	struct ic_error err;

	if (table != &frames->tables[0] || table->fde_count >= frames->index.count)
		return;
	(void)ic_fail_at(&err, ".eh_frame", 0,
			 "%" PRIu32 " entries can be read, but .eh_frame_hdr lists %" PRIu64,
			 table->fde_count, frames->index.count);
	ic_problems_add(&frames->problems, &err, NULL, 0);
}

// Parses the header of a loaded .sframe.
static bool parse_sframe(const struct ic_call_frames *frames, struct ic_sframe *sframe,
			 struct ic_error *err)
{
	const struct ic_cfi_section *section = &frames->tables[IC_CALL_FRAME_SFRAME].section;

	return ic_sframe_parse(
		sframe,
		&(struct ic_sframe_section){
			.bytes = section->bytes,
			.addr = section->addr,
			.machine = section->machine,
			.is_relocatable = frames->files[IC_CALL_FRAME_SFRAME]->is_relocatable,
			.swap = section->swap,
		},
		err);
}

// Reads all FDEs of .sframe. If its header cannot be read, that is a problem.
static bool list_sframe(struct ic_call_frames *frames, struct ic_cfi_table *table)
{
	struct ic_sframe sframe;
	struct ic_error err;

	if (table->section.bytes.size == 0) // it could not be loaded
		return true;
	if (!parse_sframe(frames, &sframe, &err)) {
		ic_problems_add(&frames->problems, &err, NULL, 0);
		return true;
	}
	// Otherwise other threads may already use it.
	if (!frames->can_search_sframe)
		frames->sframe = sframe;
	return ic_sframe_list(&sframe, table, &frames->image->memory, &frames->problems);
}

// Reads the headers of all entries of a table. False if memory runs out.
static bool build_table(struct ic_call_frames *frames, struct ic_cfi_table *table,
			struct ic_error *err)
{
	struct ic_elf_file *file = frames->files[table - frames->tables];

	// Without relocations, all entries of an object would cover the same code.
	if (!ic_section_checks_once(file, err)) {
		frames->problems.file = path_of(frames, table);
		ic_problems_add(&frames->problems, err, NULL, 0);
	}
	if (!load_table(frames, table, err))
		return false;
	if (!table->section.name) {
		check_count(frames, table);
		return true;
	}
	// Problems of readers are added after these.
	ic_problems_finish(&frames->problems, table->section.name, 0);
	frames->problems.file = path_of(frames, table);
	uint32_t before = frames->problems.list.count;
	bool ok = ic_call_frames_is_sframe(frames, table)
			  ? list_sframe(frames, table)
			  : ic_cfi_table_build(table, &frames->image->memory, &frames->problems);
	if (frames->problems.list.count == before)
		check_count(frames, table);
	ic_problems_finish(&frames->problems, table->section.name, 0);
	return ok || ic_image_fail_memory(frames->image, err);
}

static bool is_listed(const struct ic_call_frames *frames, const struct ic_cfi_table *table)
{
	return atomic_load_explicit(&frames->is_listed[table - frames->tables],
				    memory_order_acquire);
}

bool ic_call_frames_list_table(struct ic_call_frames *frames, struct ic_cfi_table *table,
			       struct ic_error *err)
{
	bool ok = true;

	if (is_listed(frames, table))
		return true;
	pthread_mutex_lock(&frames->lock);
	if (!is_listed(frames, table)) {
		ok = build_table(frames, table, err);
		if (ok)
			atomic_store_explicit(&frames->is_listed[table - frames->tables], true,
					      memory_order_release);
		else
			ic_cfi_table_free(table);
	}
	pthread_mutex_unlock(&frames->lock);
	return ok;
}

static bool fail_without(struct ic_call_frames *frames, struct ic_error *err)
{
	const char *path = frames->image->file.path;
	struct ic_error fault;

	if (!ic_section_checks_once(&frames->image->file, &fault))
		ic_problems_add(&frames->problems, &fault, NULL, 0);
	if (frames->problems.list.count > 0)
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: %s", path,
			       frames->problems.list.items[0].message);
	if (frames->machine == IC_MACHINE_ARM &&
	    ic_elf_file_section(&frames->image->file, ".ARM.exidx"))
		return ic_fail(err, IC_ERROR_NOT_FOUND,
			       "%s: call frames are in .ARM.exidx, which is not supported, and "
			       "there is no .debug_frame",
			       path);
	if (frames->image->file.section_count == 0)
		return ic_fail(
			err, IC_ERROR_MALFORMED,
			"%s: no section headers, which are needed to find call frame information",
			path);
	return ic_fail(err, IC_ERROR_NOT_FOUND,
		       "%s: no call frame information: no .eh_frame, .debug_frame or .sframe",
		       path);
}

static bool find_sections(struct ic_call_frames *frames, struct ic_error *err)
{
	struct ic_elf_file *own = &frames->image->file, *dwarf = ic_image_dwarf_file(frames->image);
	struct ic_section *eh = ic_elf_file_section(own, ".eh_frame");
	struct ic_section *debug = ic_elf_file_debug_section(own, ".debug_frame");
	struct ic_section *sframe = ic_elf_file_section(own, ".sframe");

	if (!debug && dwarf != own)
		debug = ic_elf_file_debug_section(dwarf, ".debug_frame");
	else
		dwarf = own;
	frames->files[0] = own;
	frames->files[1] = dwarf;
	frames->files[IC_CALL_FRAME_SFRAME] = own;
	frames->sections[0] = eh;
	frames->sections[1] = debug;
	frames->sections[IC_CALL_FRAME_SFRAME] = sframe;
	if (!eh && !own->is_relocatable && ic_elf_file_has(own, ".eh_frame_hdr")) {
		ic_fail(err, IC_ERROR_MALFORMED, ".eh_frame_hdr: the .eh_frame section is missing");
		ic_problems_add(&frames->problems, err, NULL, 0);
	}
	return eh || debug || sframe || ic_elf_file_section(own, ".orc_unwind") ||
	       fail_without(frames, err);
}

// Reads the header of .eh_frame's index, and loads both sections. False if memory runs out.
static bool open_index(struct ic_call_frames *frames, struct ic_error *err)
{
	struct ic_elf_file *file = frames->files[0];
	struct ic_section *section = ic_elf_file_section(file, ".eh_frame_hdr");

	if (!frames->sections[0] || !section || file->is_relocatable || section->raw.size == 0)
		return true;
	if (!ic_sections_load(file, &section, 1, 1, err)) // .eh_frame has the same information
		return err->code != IC_ERROR_MEMORY;
	if (!load_table(frames, &frames->tables[0], err))
		return false;
	(void)ic_cfi_index_read(&frames->index, section->bytes, section->addr, file->addr_size,
				file->swap);
	if (frames->index.has_frames_addr &&
	    frames->index.frames_addr != frames->sections[0]->addr) {
		ic_fail_at(err, ".eh_frame", 0,
			   "section is at 0x%" PRIx64 " according to its header, but at 0x%" PRIx64
			   " according to .eh_frame_hdr",
			   frames->sections[0]->addr, frames->index.frames_addr);
		ic_problems_add(&frames->problems, err, NULL, 0);
	}
	return true;
}

// Loads .sframe, so that it can be searched. False if memory runs out; errors are reported when it
// is listed.
static bool open_sframe(struct ic_call_frames *frames, struct ic_error *err)
{
	struct ic_cfi_table *table = &frames->tables[IC_CALL_FRAME_SFRAME];
	struct ic_error unwanted;

	if (!frames->sections[IC_CALL_FRAME_SFRAME] || frames->files[0]->is_relocatable)
		return true;
	if (!load_table(frames, table, err))
		return false;
	frames->can_search_sframe = parse_sframe(frames, &frames->sframe, &unwanted);
	return true;
}

// Sets the address where the kernel enters the program. False if memory runs out; if a descriptor
// cannot be read, its own address is used.
static bool find_program_entry(struct ic_call_frames *frames, struct ic_error *err)
{
	const struct ic_elf_file *file = &frames->image->file;
	const struct ic_section *descriptors = ic_elf_file_descriptors(file);

	frames->program_entry = file->layout.entry_addr;
	if (!descriptors)
		return true;
	if (!ic_image_load_descriptors(frames->image, 1, err))
		return err->code != IC_ERROR_MEMORY;
	frames->program_entry = ic_descriptor_code(file, descriptors, file->layout.entry_addr);
	return true;
}

struct ic_call_frames *ic_call_frames_open(struct ic_image *image, struct ic_error *err)
{
	struct ic_call_frames *frames = calloc(1, sizeof(*frames));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!frames || pthread_mutex_init(&frames->lock, NULL) != 0) {
		free(frames);
		ic_fail_memory(err);
		return NULL;
	}
	frames->image = image;
	frames->machine = image->file.machine;
	frames->arena.memory = frames->problems.list.memory = &image->memory;
	frames->problems.arena = &frames->arena;
	if (find_sections(frames, err) && open_index(frames, err) && open_sframe(frames, err) &&
	    find_program_entry(frames, err))
		return frames;
	ic_call_frames_free(frames);
	return NULL;
}

void ic_call_frames_free(struct ic_call_frames *frames)
{
	if (!frames)
		return;
	for (size_t i = 0; i < IC_CALL_FRAME_TABLES; i++)
		ic_cfi_table_free(&frames->tables[i]);
	IC_ARRAY_FREE(&frames->problems.list);
	ic_arena_free(&frames->arena);
	pthread_mutex_destroy(&frames->lock);
	free(frames);
}

bool ic_call_frames_list(struct ic_call_frames *frames, struct ic_error *err)
{
	struct ic_error unwanted;
	bool ok = true;

	if (!err)
		err = &unwanted;
	for (size_t i = 0; ok && i < IC_CALL_FRAME_TABLES; i++)
		ok = ic_call_frames_list_table(frames, &frames->tables[i], err);
	return ok;
}

// The number of FDEs listed in a table.
static size_t count_of(const struct ic_call_frames *frames, const struct ic_cfi_table *table)
{
	return is_listed(frames, table) ? table->places.count : 0;
}

size_t ic_call_frames_count(const struct ic_call_frames *frames)
{
	size_t count = 0;

	for (size_t i = 0; i < IC_CALL_FRAME_TABLES; i++)
		count += count_of(frames, &frames->tables[i]);
	return count;
}

const struct ic_cfi_place *ic_call_frames_place(const struct ic_call_frames *frames, size_t number,
						const struct ic_cfi_table **table)
{
	for (size_t i = 0; i < IC_CALL_FRAME_TABLES; i++) {
		*table = &frames->tables[i];
		if (number < count_of(frames, *table))
			return &(*table)->places.items[number];
		number -= count_of(frames, *table);
	}
	return NULL;
}

void ic_call_frames_fill(struct ic_call_frame_entry *entry, const struct ic_cfi_table *table,
			 struct ic_range range, uint64_t off, const struct ic_cie *cie)
{
	*entry = (struct ic_call_frame_entry){ .range = range,
					       .section = table->section.name,
					       .off = off,
					       .return_reg = cie->return_reg,
					       .is_signal = cie->is_signal,
					       .has_b_key = cie->has_b_key };
}

bool ic_call_frames_get(const struct ic_call_frames *frames, size_t number,
			struct ic_call_frame_entry *entry)
{
	const struct ic_cfi_table *table;
	const struct ic_cfi_place *place = ic_call_frames_place(frames, number, &table);

	if (place)
		ic_call_frames_fill(entry, table, (struct ic_range){ place->start, place->end },
				    place->off, &table->cies.items[place->cie]);
	return place;
}

bool ic_call_frames_find(const struct ic_call_frames *frames, uint64_t addr, size_t *number)
{
	size_t before = 0;

	*number = 0;
	for (size_t i = 0; i < IC_CALL_FRAME_TABLES; i++) {
		const struct ic_cfi_table *table = &frames->tables[i];
		const struct ic_cfi_place *place =
			is_listed(frames, table) ? ic_cfi_table_find(table, addr) : NULL;
		if (place) {
			*number = before + (size_t)(place - table->places.items);
			return true;
		}
		before += count_of(frames, table);
	}
	return false;
}

bool ic_call_frames_next(const struct ic_call_frames *frames, struct ic_range range, size_t *number)
{
	const struct ic_cfi_table *table;
	const struct ic_cfi_place *place;

	for (; (place = ic_call_frames_place(frames, *number, &table)); ++*number)
		if (place->start < range.end && place->end > range.start)
			return true;
	return false;
}

bool ic_call_frames_problem_get(struct ic_call_frames *frames, size_t number,
				struct ic_index_problem *problem)
{
	pthread_mutex_lock(&frames->lock);
	bool found = ic_problems_get(&frames->problems, number, problem);
	pthread_mutex_unlock(&frames->lock);
	return found;
}

unsigned ic_call_frames_machine(const struct ic_call_frames *frames)
{
	return frames->machine;
}

// ---- ORC

static bool load_orc(struct ic_call_frames *frames, struct ic_error *err)
{
	struct ic_elf_file *file = &frames->image->file;
	struct ic_section *sections[] = { ic_elf_file_section(file, ".orc_unwind_ip"),
					  ic_elf_file_section(file, ".orc_unwind"),
					  ic_elf_file_section(file, ".orc_header") };
	struct ic_bytes header = { NULL, 0 };

	// Those of modules are only sorted when they are loaded.
	if (frames->machine != IC_MACHINE_X86_64 || file->is_relocatable || !sections[0] ||
	    !sections[1] || sections[1]->raw.size == 0)
		return false;
	if (!ic_sections_load(file, sections, sections[2] ? 3 : 2, 1, err))
		return false;
	if (sections[2])
		header = sections[2]->bytes;
	const struct ic_orc_sections orc = { sections[0]->bytes, sections[1]->bytes, header,
					     sections[0]->addr, file->swap };
	return ic_orc_init(&frames->orc, &orc, err);
}

const struct ic_orc *ic_call_frames_orc(struct ic_call_frames *frames)
{
	struct ic_error err = { .code = IC_ERROR_NONE };

	pthread_mutex_lock(&frames->lock);
	if (!frames->has_asked_orc) {
		frames->has_asked_orc = true;
		frames->has_orc = load_orc(frames, &err);
		if (err.code != IC_ERROR_NONE) {
			frames->problems.file = NULL;
			ic_problems_add(&frames->problems, &err, ".orc_unwind", 0);
		}
	}
	pthread_mutex_unlock(&frames->lock);
	return frames->has_orc ? &frames->orc : NULL;
}

static unsigned register_numbering(unsigned machine, bool is_eh)
{
	return machine == IC_MACHINE_PPC && is_eh ? IC_MACHINE_PPC64 : machine;
}

unsigned ic_call_frames_numbering(const struct ic_cfi_section *section)
{
	return register_numbering(section->machine, section->is_eh);
}

const char *ic_call_frame_register_name(const struct ic_call_frames *frames,
					const struct ic_call_frame_entry *entry, uint32_t number)
{
	bool is_eh = strcmp(entry->section, ".eh_frame") == 0;

	return ic_register_name(register_numbering(frames->machine, is_eh), number);
}

bool ic_call_frames_complain(struct ic_call_frames *frames, const struct ic_cfi_table *table,
			     uint64_t off, struct ic_error *err)
{
	if (err->code == IC_ERROR_NONE)
		return false;
	if (err->code == IC_ERROR_MEMORY)
		return ic_image_fail_memory(frames->image, err);
	pthread_mutex_lock(&frames->lock);
	frames->problems.file = path_of(frames, table);
	ic_problems_add(&frames->problems, err, table->section.name, off);
	pthread_mutex_unlock(&frames->lock);
	return false;
}
