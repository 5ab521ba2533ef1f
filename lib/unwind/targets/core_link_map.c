#include "unwind/targets/core_link_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf/files/elf_file.h"
#include "unwind/targets/core_mapping.h"

enum {
	DYNAMIC_DEBUG = 21,     // DT_DEBUG: the address of struct r_debug (link.h)
	MOST_LIBRARIES = 4096,  // each is opened, even if the list does not end
	MOST_DYNAMIC = 1 << 12, // entries
	MOST_PATH = 4096,
	ENTRY_OFF = 24, // of e_entry in an ELF header of either class
};

static unsigned word_size(const struct ic_target *target)
{
	return target->layout->is_32_bit ? 4 : 8;
}

static bool read_word(const struct ic_target *target, uint64_t addr, uint64_t *value)
{
	uint8_t bytes[8];

	if (!ic_core_read(&target->core, addr, bytes, word_size(target)))
		return false;
	*value = word_size(target) == 8 ? ic_load64(bytes, target->core.swap)
					: ic_load32(bytes, target->core.swap);
	return true;
}

static bool read_text(const struct ic_target *target, uint64_t addr, char text[MOST_PATH])
{
	for (size_t i = 0; i < MOST_PATH; i++) {
		if (!ic_core_read(&target->core, addr + i, &text[i], 1))
			return false;
		if (text[i] == 0)
			return true;
	}
	return false;
}

// Adds the code segments of a file loaded with a bias.
static bool add_segments(struct ic_target *target, const struct ic_elf_file *file, uint64_t bias,
			 struct ic_error *err)
{
	bool ok = true;

	for (uint32_t i = 0; ok && i < file->layout.code_segment_count; i++) {
		const struct ic_code_segment *segment = &file->layout.code_segments[i];
		const struct ic_space_mapping mapping = { .start = segment->range.start + bias,
							  .end = segment->range.end + bias,
							  .offset = segment->file_off,
							  .path = file->path };

		ok = ic_core_mapping_add(target, &mapping, file->layout.lowest_addr + bias, err);
	}
	return ok;
}

static uint64_t entry_of(const struct ic_elf_file *file)
{
	const uint8_t *at = file->data + ENTRY_OFF;

	return file->addr_size == 8 ? ic_load64(at, file->swap) : ic_load32(at, file->swap);
}

// The first library in the dynamic linker's list; 0 if it cannot be read, as in statically linked
// programs.
static uint64_t find_list(const struct ic_target *target, const struct ic_elf_file *file,
			  uint64_t bias)
{
	const struct ic_section *dynamic = ic_elf_file_section(file, ".dynamic");
	unsigned word = word_size(target);
	uint64_t tag = 1, value = 0, first = 0;

	for (uint32_t i = 0; dynamic && tag != 0 && i < MOST_DYNAMIC; i++) {
		uint64_t addr = dynamic->addr + bias + 2ull * word * i;

		if (!read_word(target, addr, &tag) || !read_word(target, addr + word, &value))
			return 0;
		// After the version, padded to a word.
		if (tag == DYNAMIC_DEBUG)
			return read_word(target, value + word, &first) ? first : 0;
	}
	return 0;
}

static bool add_library(struct ic_target *target, const struct ic_core_program *program,
			const char *name, uint64_t bias, struct ic_error *err)
{
	struct ic_elf_file file;
	char *path = NULL;

	if (asprintf(&path, "%s%s", program->sysroot ? program->sysroot : "", name) < 0)
		return ic_fail_memory(err);
	bool ok = ic_elf_file_open(&file, path, err);
	free(path);
	if (ok) {
		ok = add_segments(target, &file, bias, err);
		ic_elf_file_close(&file);
	} else if (err->code != IC_ERROR_MEMORY) {
		ic_problems_add(&target->problems, err, NULL, 0);
		ok = true;
	}
	return ok;
}

// Adds all libraries in the list (struct link_map): bias, name, dynamic section, next. The first is
// the program; the vDSO has no path.
static bool add_libraries(struct ic_target *target, const struct ic_core_program *program,
			  uint64_t item, struct ic_error *err)
{
	unsigned word = word_size(target);
	char name[MOST_PATH];

	for (uint32_t i = 0; item != 0 && i < MOST_LIBRARIES; i++) {
		uint64_t bias, text, next;

		if (!read_word(target, item, &bias) || !read_word(target, item + word, &text) ||
		    !read_word(target, item + 3 * word, &next)) {
			(void)ic_fail_at(err, "link map", item, "address is not in the core");
			ic_problems_add(&target->problems, err, NULL, 0);
			return true;
		}
		if (i > 0 && read_text(target, text, name) && name[0] == '/' &&
		    !add_library(target, program, name, bias, err))
			return false;
		item = next;
	}
	return true;
}

static bool add_program(struct ic_target *target, const struct ic_core_program *program,
			const struct ic_elf_file *file, bool with_libraries, struct ic_error *err)
{
	uint64_t bias = program->entry ? program->entry - entry_of(file) : 0;

	if (file->machine != target->layout->machine ||
	    (file->addr_size == 4) != target->layout->is_32_bit)
		return ic_fail(err, IC_ERROR_MISMATCH, "%s: is for a different machine than %s",
			       file->path, target->core.path);
	if (target->layout->is_32_bit)
		bias = (uint32_t)bias;
	return add_segments(target, file, bias, err) &&
	       (!with_libraries ||
		add_libraries(target, program, find_list(target, file, bias), err));
}

bool ic_core_program_add(struct ic_target *target, const struct ic_core_program *program,
			 bool with_libraries, struct ic_error *err)
{
	struct ic_elf_file file;

	if (!program->path)
		return ic_fail(err, IC_ERROR_NOT_FOUND,
			       "%s: no list of mapped files (NT_FILE); specify the program",
			       target->core.path);
	if (!ic_elf_file_open(&file, program->path, err))
		return false;
	bool ok = add_program(target, program, &file, with_libraries, err);
	ic_elf_file_close(&file);
	return ok;
}
