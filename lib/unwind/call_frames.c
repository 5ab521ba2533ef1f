#include "unwind/call_frames.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/machine.h"
#include "elf/load.h"

#include <inlinecall/registers.h>

static uint64_t addr_of(const struct ic_elf_file *file, const char *name)
{
	const struct ic_section *section = ic_elf_file_section(file, name);

	return section ? section->addr : 0;
}

// Reads the headers of a section. False if memory is out; all else is a problem.
static bool add_table(struct ic_call_frames *frames, struct ic_cfi_table *table,
		      struct ic_elf_file *file, struct ic_section *section, bool is_eh,
		      struct ic_error *err)
{
	const char *name = is_eh ? ".eh_frame" : ".debug_frame";

	if (!section || section->size == 0 || section->raw.size == 0) // a debug file has no bytes
		return true;
	const char *path = file == &frames->image->file ? NULL : file->path;
	frames->problems.file = frames->files[table - frames->tables] = path;
	if (!ic_sections_load(file, &section, 1, 1, err)) {
		if (err->code == IC_ERROR_MEMORY)
			return false;
		ic_problems_add(&frames->problems, err, name, 0);
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
	bool ok = ic_cfi_table_build(table, &frames->image->memory, &frames->problems);
	ic_problems_finish(&frames->problems, name, 0);
	return ok || ic_image_fail_memory(frames->image, err);
}

static bool fail_without(const struct ic_call_frames *frames, struct ic_error *err)
{
	const char *path = frames->image->file.path;

	if (frames->machine == IC_MACHINE_ARM &&
	    ic_elf_file_section(&frames->image->file, ".ARM.exidx"))
		return ic_fail(err, IC_ERROR_NOT_FOUND,
			       "%s: its call frames are in .ARM.exidx, which is not read; it has "
			       "no .debug_frame",
			       path);
	return ic_fail(err, IC_ERROR_NOT_FOUND,
		       "%s: no call frame information: neither .eh_frame nor .debug_frame", path);
}

static bool add_tables(struct ic_call_frames *frames, struct ic_error *err)
{
	struct ic_elf_file *own = &frames->image->file, *dwarf = ic_image_dwarf_file(frames->image);
	struct ic_section *eh = ic_elf_file_section(own, ".eh_frame");
	struct ic_section *debug = ic_elf_file_debug_section(own, ".debug_frame");

	if (!debug && dwarf != own)
		debug = ic_elf_file_debug_section(dwarf, ".debug_frame");
	else
		dwarf = own;
	if (!eh && !debug)
		return ic_elf_file_section(own, ".orc_unwind") || fail_without(frames, err);
	return add_table(frames, &frames->tables[0], own, eh, true, err) &&
	       add_table(frames, &frames->tables[1], dwarf, debug, false, err);
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
	if (add_tables(frames, err))
		return frames;
	ic_call_frames_close(frames);
	return NULL;
}

void ic_call_frames_close(struct ic_call_frames *frames)
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

size_t ic_call_frames_count(const struct ic_call_frames *frames)
{
	size_t count = 0;

	for (size_t i = 0; i < IC_CALL_FRAME_TABLES; i++)
		count += frames->tables[i].places.count;
	return count;
}

// The place of FDE number `number`, and its table; NULL if there are not so many.
static const struct ic_cfi_place *place_of(const struct ic_call_frames *frames, size_t number,
					   const struct ic_cfi_table **table)
{
	for (size_t i = 0; i < IC_CALL_FRAME_TABLES; i++) {
		*table = &frames->tables[i];
		if (number < (*table)->places.count)
			return &(*table)->places.items[number];
		number -= (*table)->places.count;
	}
	return NULL;
}

static void fill_entry(struct ic_call_frame_entry *entry, const struct ic_cfi_table *table,
		       const struct ic_cfi_place *place)
{
	const struct ic_cie *cie = &table->cies.items[place->cie];

	*entry = (struct ic_call_frame_entry){ .range = { place->start, place->end },
					       .section = table->section.name,
					       .off = place->off,
					       .return_reg = cie->return_reg,
					       .is_signal = cie->is_signal,
					       .has_b_key = cie->has_b_key };
}

bool ic_call_frames_get(const struct ic_call_frames *frames, size_t number,
			struct ic_call_frame_entry *entry)
{
	const struct ic_cfi_table *table;
	const struct ic_cfi_place *place = place_of(frames, number, &table);

	if (place)
		fill_entry(entry, table, place);
	return place;
}

static const struct ic_cfi_place *find_place(const struct ic_call_frames *frames, uint64_t addr,
					     const struct ic_cfi_table **table)
{
	const struct ic_cfi_place *place = NULL;

	for (size_t i = 0; !place && i < IC_CALL_FRAME_TABLES; i++) {
		*table = &frames->tables[i];
		place = ic_cfi_table_find(*table, addr);
	}
	return place;
}

bool ic_call_frames_find(const struct ic_call_frames *frames, uint64_t addr, size_t *number)
{
	const struct ic_cfi_table *table;
	const struct ic_cfi_place *place = find_place(frames, addr, &table);

	*number = 0;
	if (!place)
		return false;
	*number = (size_t)(place - table->places.items);
	if (table != frames->tables)
		*number += frames->tables[0].places.count;
	return true;
}

bool ic_call_frames_next(const struct ic_call_frames *frames, struct ic_range range, size_t *number)
{
	const struct ic_cfi_table *table;
	const struct ic_cfi_place *place;

	for (; (place = place_of(frames, *number, &table)); ++*number)
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

	// Those of modules are sorted only once they are loaded.
	if (frames->machine != IC_MACHINE_X86_64 || file->is_relocatable || !sections[0] ||
	    !sections[1] || sections[1]->raw.size == 0)
		return false;
	if (!ic_sections_load(file, sections, sections[2] ? 3 : 2, 1, err))
		return false;
	if (sections[2])
		header = sections[2]->bytes;
	return ic_orc_init(&frames->orc, sections[0]->bytes, sections[1]->bytes, header,
			   sections[0]->addr, file->swap, err);
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

// ---- Readers

struct ic_call_frame_reader *ic_call_frame_reader_new(struct ic_call_frames *frames,
						      struct ic_error *err)
{
	struct ic_call_frame_reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		if (err)
			ic_fail_memory(err);
		return NULL;
	}
	reader->frames = frames;
	reader->rows.remembered.memory = reader->text.chars.memory = &frames->image->memory;
	return reader;
}

void ic_call_frame_reader_free(struct ic_call_frame_reader *reader)
{
	if (!reader)
		return;
	ic_cfi_rows_free(&reader->rows);
	ic_expression_text_free(&reader->text);
	free(reader);
}

bool ic_call_frames_complain(struct ic_call_frames *frames, const struct ic_cfi_table *table,
			     uint64_t off, struct ic_error *err)
{
	if (err->code == IC_ERROR_NONE)
		return false;
	if (err->code == IC_ERROR_MEMORY)
		return ic_image_fail_memory(frames->image, err);
	pthread_mutex_lock(&frames->lock);
	frames->problems.file = frames->files[table - frames->tables];
	ic_problems_add(&frames->problems, err, table->section.name, off);
	pthread_mutex_unlock(&frames->lock);
	return false;
}

// Likewise, of the FDE that is read.
static bool complain(struct ic_call_frame_reader *reader, struct ic_error *err)
{
	return err->code != IC_ERROR_NONE && // no FDE may have been begun
	       ic_call_frames_complain(reader->frames, reader->table, reader->place->off, err);
}

static bool begin(struct ic_call_frame_reader *reader, const struct ic_cfi_table *table,
		  const struct ic_cfi_place *place, struct ic_error *err)
{
	struct ic_fde fde;

	reader->table = table;
	reader->place = place;
	reader->rows.section = &table->section;
	return (ic_cfi_table_read(table, place, &fde, err) &&
		ic_cfi_rows_begin(&reader->rows, &table->cies.items[place->cie], &fde, err)) ||
	       complain(reader, err);
}

bool ic_call_frame_reader_begin(struct ic_call_frame_reader *reader, size_t number,
				struct ic_error *err)
{
	const struct ic_cfi_table *table;
	const struct ic_cfi_place *place = place_of(reader->frames, number, &table);
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!place)
		return ic_fail(err, IC_ERROR_ARGUMENT, "there is no FDE number %zu", number);
	return begin(reader, table, place, err);
}

bool ic_call_frame_reader_next(struct ic_call_frame_reader *reader, struct ic_call_frame_row *row,
			       struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	return ic_cfi_rows_next(&reader->rows, row, err) || complain(reader, err);
}

bool ic_call_frame_reader_find(struct ic_call_frame_reader *reader, uint64_t addr,
			       struct ic_call_frame_entry *entry, struct ic_call_frame_row *row,
			       struct ic_error *err)
{
	const struct ic_cfi_table *table;
	const struct ic_cfi_place *place = find_place(reader->frames, addr, &table);
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!place)
		return ic_fail(err, IC_ERROR_NOT_FOUND, "no call frame information for 0x%" PRIx64,
			       addr);
	fill_entry(entry, table, place);
	if (!begin(reader, table, place, err))
		return false;
	while (ic_call_frame_reader_next(reader, row, err))
		if (addr < row->range.end)
			return true;
	return false; // a fault: without one, some row reaches the end of the code
}

static unsigned numbering(unsigned machine, bool is_eh)
{
	return machine == IC_MACHINE_PPC && is_eh ? IC_MACHINE_PPC64 : machine;
}

unsigned ic_call_frames_numbering(const struct ic_cfi_section *section)
{
	return numbering(section->machine, section->is_eh);
}

const char *ic_call_frame_register_name(const struct ic_call_frames *frames,
					const struct ic_call_frame_entry *entry, uint32_t number)
{
	bool is_eh = strcmp(entry->section, ".eh_frame") == 0;

	return ic_register_name(numbering(frames->machine, is_eh), number);
}

const char *ic_call_frame_reader_text(struct ic_call_frame_reader *reader,
				      const struct ic_register_rule *rule, bool is_cfa)
{
	const struct ic_cfi_section *section = &reader->table->section;
	const struct ic_cfi_text_options options = {
		.section = section,
		.cie = &reader->table->cies.items[reader->place->cie],
		.machine = ic_call_frames_numbering(section),
	};
	struct ic_error err;

	ic_expression_text_clear(&reader->text);
	if (!ic_cfi_rule_write(&reader->text, rule, is_cfa, &options, &err) &&
	    !complain(reader, &err) && err.code == IC_ERROR_MEMORY)
		return NULL;
	return ic_expression_text(&reader->text);
}
