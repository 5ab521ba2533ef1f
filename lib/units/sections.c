#include "units/sections.h"

#include <pthread.h>
#include <stdlib.h>

#include "elf/files/compress.h"
#include "elf/sections/load.h"

// No compiler's sections compress to less than a sixteenth, and deferring small ones gains nothing.
enum { USUAL_EXPANSION = 16, USUAL_SIZE = 1 << 20 };

enum state { STATE_NOT_READABLE, STATE_READABLE, STATE_FAILED };

struct cell {
	struct ic_section *section;
	size_t at;
	bool has_strings;
	atomic_int state;      // enum state; once it is set, the rest does not change
	struct ic_bytes bytes; // if STATE_READABLE
	char *fault;           // if STATE_FAILED; NULL if memory ran out
};

struct ic_lazy_sections {
	struct ic_dwarf_loader loader;
	struct ic_elf_file *file;
	pthread_mutex_t lock; // held while loading
	uint32_t count;
	struct cell cells[];
};

// Under the lock.
static void load_cell(struct ic_lazy_sections *sections, struct cell *cell)
{
	struct ic_elf_file *file = sections->file;
	struct ic_error err;

	if (ic_sections_load(file, &cell->section, 1, 1, &err)) {
		cell->bytes = cell->section->bytes;
		if (cell->has_strings)
			cell->bytes = ic_bytes_cut_after_nul(cell->bytes);
		atomic_store_explicit(&cell->state, STATE_READABLE, memory_order_release);
		return;
	}
	cell->fault = strdup(ic_elf_file_own_message(file, err.message));
	atomic_store_explicit(&cell->state, STATE_FAILED, memory_order_release);
}

static bool load_section(struct ic_dwarf_loader *loader, size_t at, struct ic_bytes *bytes,
			 struct ic_error *err)
{
	struct ic_lazy_sections *sections = (struct ic_lazy_sections *)loader;
	struct cell *cell = sections->cells;

	while (cell->at != at)
		cell++;
	int state = atomic_load_explicit(&cell->state, memory_order_acquire);
	if (state == STATE_NOT_READABLE) {
		pthread_mutex_lock(&sections->lock);
		if (atomic_load_explicit(&cell->state, memory_order_relaxed) == STATE_NOT_READABLE)
			load_cell(sections, cell);
		state = atomic_load_explicit(&cell->state, memory_order_relaxed);
		pthread_mutex_unlock(&sections->lock);
	}
	*bytes = cell->bytes;
	return state == STATE_READABLE ||
	       ic_fail(err, IC_ERROR_NO_DEBUG, "cannot read %s", cell->section->name);
}

static void report_problem(struct ic_dwarf_loader *loader, uint64_t *reported,
			   struct ic_problems *problems)
{
	struct ic_lazy_sections *sections = (struct ic_lazy_sections *)loader;
	struct ic_error err;

	for (uint32_t i = 0; i < sections->count; i++) {
		struct cell *cell = &sections->cells[i];
		if ((*reported & 1ull << i) ||
		    atomic_load_explicit(&cell->state, memory_order_acquire) != STATE_FAILED)
			continue;
		*reported |= 1ull << i;
		problems->out_of_memory |= !cell->fault;
		ic_fail(&err, IC_ERROR_MALFORMED, "%s; its contents are left out",
			cell->fault ? cell->fault : "");
		ic_problems_add(problems, &err, NULL, 0);
	}
}

static bool has_failed(const struct ic_dwarf_loader *loader)
{
	const struct ic_lazy_sections *sections = (const struct ic_lazy_sections *)loader;

	for (uint32_t i = 0; i < sections->count; i++)
		if (atomic_load_explicit(&sections->cells[i].state, memory_order_relaxed) ==
		    STATE_FAILED)
			return true;
	return false;
}

struct ic_lazy_sections *ic_lazy_sections_new(struct ic_elf_file *file, uint32_t most)
{
	struct ic_lazy_sections *sections =
		calloc(1, sizeof(*sections) + most * sizeof(sections->cells[0]));

	if (!sections || pthread_mutex_init(&sections->lock, NULL) != 0) {
		free(sections);
		return NULL;
	}
	sections->loader = (struct ic_dwarf_loader){ load_section, report_problem, has_failed };
	sections->file = file;
	return sections;
}

struct ic_dwarf_loader *ic_lazy_sections_loader(struct ic_lazy_sections *sections)
{
	return &sections->loader;
}

bool ic_lazy_sections_wants(const struct ic_elf_file *file, const struct ic_section *section)
{
	struct ic_error unwanted; // ignored: the error is reported when the section is loaded
	uint64_t size;

	return ic_section_is_compressed(section) && !section->bytes.data &&
	       ic_section_full_size(file, section, &size, &unwanted) &&
	       ((size > USUAL_SIZE && size / USUAL_EXPANSION > section->raw.size) ||
		!ic_memory_has(file->memory, size));
}

struct ic_bytes ic_lazy_sections_add(struct ic_lazy_sections *sections, struct ic_section *section,
				     size_t at, bool has_strings)
{
	struct cell *cell = &sections->cells[sections->count++];
	struct ic_error unwanted;
	uint64_t size = 0;

	if (!ic_section_full_size(sections->file, section, &size, &unwanted))
		size = 0; // ruled out by ic_lazy_sections_wants()
	*cell = (struct cell){ .section = section, .at = at, .has_strings = has_strings };
	return (struct ic_bytes){ NULL, (size_t)size };
}

void ic_lazy_sections_moved(struct ic_lazy_sections *sections, struct ic_elf_file *file)
{
	sections->file = file;
}

void ic_lazy_sections_free(struct ic_lazy_sections *sections)
{
	if (!sections)
		return;
	for (uint32_t i = 0; i < sections->count; i++)
		free(sections->cells[i].fault);
	pthread_mutex_destroy(&sections->lock);
	free(sections);
}
