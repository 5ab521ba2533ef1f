#include "elf/sections/load.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/workers.h"
#include "elf/files/compress.h"
#include "elf/sections/relocate.h"

struct load_failure { // the first failure of a worker, in section order
	uint32_t number;
	struct ic_error err;
};

struct load_job {
	struct ic_elf_file *file;
	struct ic_section *const *sections;
	struct load_failure *failures; // by worker
};

// The mapping is private: writing copies single pages, for this process only.
static bool make_writable(const struct ic_elf_file *file, const struct ic_section *section,
			  struct ic_error *err)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)section->raw.data & ~(page - 1);
	uintptr_t end = (uintptr_t)section->raw.data + section->raw.size;

	if (section->raw.size == 0 ||
	    mprotect((void *)start, end - start, PROT_READ | PROT_WRITE) == 0)
		return true;
	return ic_fail_system(err, "write to the mapping of", file->path);
}

static bool load_section(struct ic_elf_file *file, struct ic_section *section, struct ic_error *err)
{
	if (ic_section_is_compressed(section))
		return ic_section_decompress(file, section, err);
	section->bytes = section->raw;
	return !section->has_relocs || make_writable(file, section, err);
}

static void load_some(struct ic_items *items, uint32_t worker, void *context)
{
	struct load_job *job = context;
	struct load_failure *failure = &job->failures[worker];
	struct ic_error err;

	for (uint32_t i; ic_items_take(items, &i);)
		if (!load_section(job->file, job->sections[i], &err) && i < failure->number)
			*failure = (struct load_failure){ i, err };
}

// Loads sections on this many workers. Reports the first error in order, for any number of threads.
static bool load_each(struct load_job *job, uint32_t workers, uint32_t count, struct ic_error *err)
{
	struct load_failure *first;

	job->failures = first = ic_items_alloc(workers, sizeof(*job->failures));
	if (!first)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < workers; i++)
		job->failures[i].number = UINT32_MAX;
	ic_workers_run(workers, count, load_some, job);
	for (uint32_t i = 1; i < workers; i++)
		if (job->failures[i].number < first->number)
			first = &job->failures[i];
	bool ok = first->number == UINT32_MAX;
	if (!ok)
		*err = first->err;
	free(job->failures);
	return ok;
}

// Whether a failure leaves sections with relocations applied partly, or not at all.
static bool are_half_made(struct ic_section *const *sections, uint32_t count)
{
	bool any = false;

	for (uint32_t i = 0; i < count; i++)
		any |= sections[i]->has_relocs;
	return any;
}

// Relocates the rest of loaded sections that were deferred.
static bool relocate_rests(const struct ic_elf_file *file, struct ic_section *const *sections,
			   uint32_t section_count, const struct ic_section *deferred, uint32_t jobs,
			   struct ic_error *err)
{
	for (uint32_t i = 0; i < section_count; i++)
		if (sections[i] != deferred &&
		    !ic_section_relocate_rest(file, sections[i], jobs, err))
			return false;
	return true;
}

// The caller holds the lock.
static bool load_sections(struct ic_elf_file *file, struct ic_section *const *sections,
			  uint32_t section_count, struct ic_section *deferred, uint32_t jobs,
			  struct ic_error *err)
{
	struct ic_section **wanted =
		ic_items_zeroed(section_count + 1ull, sizeof(struct ic_section *));
	struct load_job job = { .file = file, .sections = wanted };
	uint32_t count = 0, compressed = 0;
	bool ok = wanted || ic_fail_memory(err);

	if (ok && file->loading.fault.code != IC_ERROR_NONE) {
		*err = file->loading.fault;
		ok = false;
	}
	for (uint32_t i = 0; ok && i < section_count; i++) {
		if (sections[i]->bytes.data)
			continue;
		wanted[count++] = sections[i];
		if (!ic_section_is_compressed(sections[i]))
			continue;
		compressed++;
		ok = ic_section_reserve(file, sections[i], err);
	}
	// Uncompressed sections take no time.
	ok = ok && load_each(&job, ic_workers_count(jobs, compressed), count, err);
	bool half_made = wanted && are_half_made(wanted, count);
	uint32_t relocated = 0; // .dwo files have none
	for (uint32_t i = 0; ok && i < count; i++)
		if (wanted[i]->has_relocs)
			wanted[relocated++] = wanted[i];
	if (ok && relocated > 0)
		ok = ic_sections_relocate(file, wanted, relocated, deferred, jobs, err);
	if (!ok && half_made && file->loading.fault.code == IC_ERROR_NONE)
		file->loading.fault = *err;
	free(wanted);
	return ok && relocate_rests(file, sections, section_count, deferred, jobs, err);
}

static void unload_section(struct ic_elf_file *file, struct ic_section *section)
{
	if (!section->is_buffer)
		return;
	munmap((void *)section->bytes.data, section->bytes.size);
	file->reserved -= section->bytes.size;
	ic_memory_release(file->memory, section->bytes.size);
	section->bytes = (struct ic_bytes){ NULL, 0 };
	section->is_buffer = false;
	section->pending = NULL;
}

// ---- Entry points

bool ic_sections_load_deferring(struct ic_elf_file *file, struct ic_section *const *sections,
				uint32_t section_count, struct ic_section *deferred, uint32_t jobs,
				struct ic_error *err)
{
	ic_elf_file_lock(file);
	bool ok = load_sections(file, sections, section_count, deferred, jobs, err);
	ic_elf_file_unlock(file);
	return ok;
}

bool ic_sections_load(struct ic_elf_file *file, struct ic_section *const *sections,
		      uint32_t section_count, uint32_t jobs, struct ic_error *err)
{
	return ic_sections_load_deferring(file, sections, section_count, NULL, jobs, err);
}

bool ic_section_load_part(const struct ic_elf_file *file, const struct ic_section *section,
			  uint64_t start, uint64_t end, struct ic_error *err)
{
	ic_elf_file_lock(file);
	bool ok = ic_section_relocate_part(file, section, start, end, err);
	ic_elf_file_unlock(file);
	return ok;
}

bool ic_section_load_rest(const struct ic_elf_file *file, const struct ic_section *section,
			  uint32_t jobs, struct ic_error *err)
{
	ic_elf_file_lock(file);
	bool ok = ic_section_relocate_rest(file, section, jobs, err);
	ic_elf_file_unlock(file);
	return ok;
}

void ic_sections_hold(struct ic_elf_file *file)
{
	ic_elf_file_lock(file);
	file->loading.readers++;
	ic_elf_file_unlock(file);
}

void ic_sections_release(struct ic_elf_file *file, struct ic_section *const *sections,
			 uint32_t section_count)
{
	ic_elf_file_lock(file);
	bool is_last = --file->loading.readers == 0;
	for (uint32_t i = 0; is_last && i < section_count; i++)
		unload_section(file, sections[i]);
	ic_elf_file_unlock(file);
}
