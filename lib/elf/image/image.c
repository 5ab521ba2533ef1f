#include "elf/image/image.h"

#include <elf.h>
#include <stdlib.h>

#include "breakpad/records.h"
#include "elf/files/build_id.h"
#include "elf/files/descriptor.h"
#include "elf/finding/debug_file.h"
#include "elf/finding/supplementary.h"
#include "elf/sections/load.h"
#include "elf/symbols/mini_debug.h"
#include "gsym/file.h"

#include <inlinecall/extra/image.h>

static bool has_dwarf(const struct ic_elf_file *file)
{
	const struct ic_section *section = ic_elf_file_debug_section(file, ".debug_info");

	return section && section->raw.size > 0;
}

// A file from nvcc -lineinfo has only this: it records inlining too (dwarf/lines/functions.h).
static bool has_lines(const struct ic_elf_file *file)
{
	const struct ic_section *section = ic_elf_file_debug_section(file, ".debug_line");

	return section && section->raw.size > 0;
}

bool ic_image_go_place(struct ic_image *image, struct ic_go_place *place)
{
	if (image->source == IC_IMAGE_SOURCE_DWARF)
		return false;
	pthread_mutex_lock(&image->lock);
	if (!image->is_go_sought)
		image->has_go = ic_go_place_find(&image->file, &image->go_place);
	image->is_go_sought = true;
	*place = image->go_place;
	bool has = image->has_go;
	pthread_mutex_unlock(&image->lock);
	return has;
}

// Whether the file was GSYM or Breakpad.
static bool is_symbol_file(const struct ic_elf_file *file)
{
	return ic_elf_file_section(file, IC_GSYM_SECTION) ||
	       ic_elf_file_section(file, IC_BREAKPAD_SECTION);
}

// Go's runtime needs to know what was inlined, so even stripped programs have this information.
static bool has_go(struct ic_image *image)
{
	struct ic_go_place place;

	return ic_image_go_place(image, &place);
}

static bool copy_options(struct ic_image *image, const struct ic_image_options *options)
{
	image->dwo_dirs = calloc(options->dwo_dir_count + 1, sizeof(*image->dwo_dirs));
	if (!image->dwo_dirs)
		return false;
	for (size_t i = 0; i < options->dwo_dir_count; i++) {
		char *copy = strdup(options->dwo_dirs[i]);
		if (!copy)
			return false;
		image->dwo_dirs[image->dwo_dir_count++] = copy;
	}
	if (options->dwp_path)
		image->dwp_path = strdup(options->dwp_path);
	return image->dwp_path || !options->dwp_path;
}

// A file without its supplementary file can still answer from its own DIEs.
static bool open_supplementary(struct ic_image *image, const struct ic_image_options *options,
			       struct ic_error *err)
{
	const struct ic_elf_file *file = ic_image_dwarf_file(image);
	struct ic_elf_file opened;

	if (!ic_supplementary_wanted(file))
		return true;
	if (ic_supplementary_open(&opened, file, options, err)) {
		image->supplementary =
			ic_companions_add(&image->companions,
					  ic_companion_key(opened.path, "supplementary"), &opened);
		return image->supplementary || ic_fail_memory(err);
	}
	if (err->code == IC_ERROR_MEMORY)
		return false;
	image->supplementary_fault = strdup(err->message);
	return image->supplementary_fault || ic_fail_memory(err);
}

static bool has_code(const struct ic_elf_file *file)
{
	for (uint32_t i = 0; i < file->section_count; i++)
		if (ic_section_is_code(&file->sections[i]) && file->sections[i].size > 0)
			return true; // assemblers always leave an empty .text
	return file->layout.code_segment_count > 0;
}

static bool open_debug_file(struct ic_image *image, const struct ic_image_options *options,
			    struct ic_error *err)
{
	if (ic_debug_file_open(&image->debug_file, &image->file, options, err)) {
		image->has_debug_file = true;
		return true;
	}
	if (err->code == IC_ERROR_NO_DEBUG && !has_code(&image->file))
		err->code = IC_ERROR_NO_CODE;
	return false;
}

// A missing debug file is only reported if the caller requires one; an unusable one always.
static bool keep_debug_fault(struct ic_image *image, struct ic_error *err)
{
	if (err->code != IC_ERROR_MALFORMED)
		return err->code != IC_ERROR_MEMORY;
	image->debug_fault = strdup(ic_elf_file_own_message(&image->file, err->message));
	return image->debug_fault || ic_fail_memory(err);
}

static bool open_files(struct ic_image *image, const struct ic_place *place,
		       const struct ic_image_options *options, struct ic_error *err)
{
	struct ic_place limited = *place;

	image->memory.fixed = options->max_memory;
	image->source = options->source;
	limited.memory = &image->memory;
	limited.is_read = options->read_files;
	if (!copy_options(image, options))
		return ic_fail_memory(err);
	if (!ic_elf_file_open_place(&image->file, &limited, err))
		return false;
	if (image->source == IC_IMAGE_SOURCE_GO)
		return has_go(image) || options->allow_no_debug ||
		       ic_fail(err, IC_ERROR_NO_DEBUG, "%s: no function table of Go's runtime",
			       place->name);
	if (is_symbol_file(&image->file)) // asked about in place of debug files of its build ID
		return true;
	if (has_dwarf(&image->file))
		return open_supplementary(image, options, err);
	if (ic_elf_file_debug_section(&image->file, ".debug_info.dwo"))
		return ic_fail(
			err, IC_ERROR_NO_DEBUG,
			"%s: only has split debug information; pass the program that it belongs to",
			place->name);
	if (!open_debug_file(image, options, err))
		return (options->allow_no_debug || has_lines(&image->file) || has_go(image)) &&
		       keep_debug_fault(image, err);
	if (!has_dwarf(&image->debug_file) && !has_lines(&image->debug_file) &&
	    !options->allow_no_debug && !has_go(image))
		return ic_fail(err, IC_ERROR_NO_DEBUG,
			       "%s: no .debug_info, not even in its debug file %s", place->name,
			       image->debug_file.path);
	return open_supplementary(image, options, err);
}

struct ic_image *ic_image_open_place(const struct ic_place *place,
				     const struct ic_image_options *options, struct ic_error *err)
{
	static const struct ic_image_options defaults = { 0 };
	struct ic_image *image = calloc(1, sizeof(*image));

	if (!image || pthread_mutex_init(&image->lock, NULL) != 0) {
		free(image);
		ic_fail_memory(err);
		return NULL;
	}
	if (open_files(image, place, options ? options : &defaults, err))
		return image;
	ic_image_free(image);
	return NULL;
}

static struct ic_image *open_named(const struct ic_place *place,
				   const struct ic_image_options *options, struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (place->name)
		return ic_image_open_place(place, options, err);
	ic_fail(err, IC_ERROR_ARGUMENT, "no path given");
	return NULL;
}

struct ic_image *ic_image_open(const char *path, const struct ic_image_options *options,
			       struct ic_error *err)
{
	return open_named(&(struct ic_place){ .name = path, .path = path, .size = IC_PLACE_TO_END },
			  options, err);
}

struct ic_image *ic_image_open_fd(int fd, const char *path, const struct ic_image_options *options,
				  struct ic_error *err)
{
	return open_named(&(struct ic_place){ .name = path,
					      .path = path,
					      .size = IC_PLACE_TO_END,
					      .has_fd = true,
					      .fd = fd },
			  options, err);
}

struct ic_image *ic_image_open_memory(const void *bytes, size_t size, const char *path,
				      const struct ic_image_options *options, struct ic_error *err)
{
	return open_named(&(struct ic_place){ .name = path,
					      .path = path,
					      .bytes = { bytes ? bytes : "", bytes ? size : 0 } },
			  options, err);
}

void ic_image_free(struct ic_image *image)
{
	if (!image)
		return;
	for (size_t i = 0; i < SYMTAB_RULE_COUNT; i++)
		ic_symbol_finder_free(image->symbols[i]);
	ic_elf_file_close(&image->file);
	if (image->has_debug_file)
		ic_elf_file_close(&image->debug_file);
	if (image->has_mini_file)
		ic_elf_file_close(&image->mini_file);
	ic_companions_close(&image->companions);
	for (uint32_t i = 0; i < image->dwo_dir_count; i++)
		free(image->dwo_dirs[i]);
	free(image->dwo_dirs);
	free(image->dwp_path);
	free(image->supplementary_fault);
	free(image->debug_fault);
	pthread_mutex_destroy(&image->lock);
	free(image);
}

const char *ic_image_path(const struct ic_image *image)
{
	return image->file.path;
}

const char *ic_image_debug_path(const struct ic_image *image)
{
	return image->has_debug_file ? image->debug_file.path : image->file.path;
}

bool ic_image_is_relocatable(const struct ic_image *image)
{
	return image->file.is_relocatable;
}

unsigned ic_image_addr_size(const struct ic_image *image)
{
	return image->file.addr_size;
}

size_t ic_image_build_id(const struct ic_image *image, const uint8_t **bytes)
{
	struct ic_bytes id = ic_build_id_find(&image->file);

	*bytes = id.data;
	return id.size;
}

bool ic_image_addr_of_offset(const struct ic_image *image, uint64_t off, uint64_t *addr)
{
	for (uint32_t i = 0; i < image->file.layout.code_segment_count; i++) {
		const struct ic_code_segment *segment = &image->file.layout.code_segments[i];
		if (off < segment->file_off || off - segment->file_off >= segment->file_size)
			continue;
		*addr = segment->range.start + (off - segment->file_off);
		return true;
	}
	return false;
}

bool ic_image_offset_of_addr(const struct ic_image *image, uint64_t addr, uint64_t *off)
{
	for (uint32_t i = 0; i < image->file.layout.code_segment_count; i++) {
		const struct ic_code_segment *segment = &image->file.layout.code_segments[i];
		if (addr < segment->range.start || addr >= segment->range.end ||
		    addr - segment->range.start >= segment->file_size)
			continue;
		*off = segment->file_off + (addr - segment->range.start);
		return true;
	}
	return false;
}

struct ic_bytes ic_image_code_at(const struct ic_image *image, uint64_t addr)
{
	const struct ic_elf_file *file = &image->file;
	uint64_t off;

	if (!ic_image_offset_of_addr(image, addr, &off) || off >= file->size)
		return (struct ic_bytes){ NULL, 0 };
	return (struct ic_bytes){ file->data + off, file->size - (size_t)off };
}

struct ic_bytes ic_image_constants_at(const struct ic_image *image, uint64_t addr)
{
	for (uint32_t i = 0; i < image->file.layout.loaded_count; i++) {
		const struct ic_loaded *loaded = &image->file.layout.loaded[i];
		uint64_t off = addr - loaded->addr;
		if (loaded->is_constant && off < loaded->bytes.size)
			return (struct ic_bytes){ loaded->bytes.data + off,
						  loaded->bytes.size - (size_t)off };
	}
	return (struct ic_bytes){ NULL, 0 };
}

bool ic_image_code_segment(const struct ic_image *image, size_t number, struct ic_range *range,
			   uint64_t *off)
{
	if (number >= image->file.layout.code_segment_count)
		return false;
	const struct ic_code_segment *segment = &image->file.layout.code_segments[number];
	*range = segment->range;
	*off = segment->file_off;
	return true;
}

unsigned ic_image_machine(const struct ic_image *image)
{
	return image->file.machine;
}

uint64_t ic_image_code_addr(const struct ic_image *image, uint64_t addr)
{
	switch (image->file.machine) {
	case EM_ARM:
	case EM_MIPS:
	case EM_MIPS_RS3_LE: return addr & ~UINT64_C(1);
	default: return addr;
	}
}

bool ic_image_fail_memory(struct ic_image *image, struct ic_error *err)
{
	char limit[IC_MEMORY_TEXT_SIZE];

	if (!atomic_load_explicit(&image->memory.is_exceeded, memory_order_relaxed))
		return ic_fail_memory(err);
	return ic_fail(err, IC_ERROR_LIMIT, "%s: debug information exceeds the memory limit of %s",
		       image->file.path, ic_memory_text(ic_memory_limit(&image->memory), limit));
}

struct ic_elf_file *ic_image_dwarf_file(struct ic_image *image)
{
	return image->has_debug_file ? &image->debug_file : &image->file;
}

bool ic_image_symbol_files(struct ic_image *image, bool own, struct ic_symbol_files *files,
			   struct ic_error *err)
{
	*files = (struct ic_symbol_files){ .file = &image->file };
	if (ic_elf_file_has(&image->file, ".symtab"))
		return true;
	if (!own && image->has_debug_file && ic_elf_file_has(&image->debug_file, ".symtab")) {
		files->file = &image->debug_file;
		return true;
	}
	if (!ic_mini_debug_section(&image->file))
		return true;
	pthread_mutex_lock(&image->lock);
	if (!image->has_mini_file)
		image->has_mini_file = ic_mini_debug_open(&image->mini_file, &image->file, err);
	bool has = image->has_mini_file;
	pthread_mutex_unlock(&image->lock);
	if (has)
		files->mini = &image->mini_file;
	return has;
}

bool ic_image_load_descriptors(struct ic_image *image, uint32_t jobs, struct ic_error *err)
{
	struct ic_section *own = ic_elf_file_descriptors(&image->file);
	struct ic_section *other =
		image->has_debug_file ? ic_elf_file_descriptors(&image->debug_file) : NULL;

	if (own && !ic_sections_load(&image->file, &own, 1, jobs, err))
		return false;
	if (other && other->raw.size > 0) // the debug file describes the unstripped program
		return ic_sections_load(&image->debug_file, &other, 1, jobs, err);
	if (!own || !other || other->addr != own->addr)
		return true;
	pthread_mutex_lock(&image->lock);
	if (!other->bytes.data)
		other->bytes = own->bytes; // valid as long
	pthread_mutex_unlock(&image->lock);
	return true;
}

bool ic_image_symbols(struct ic_image *image, enum ic_symtab_rule rule, uint32_t jobs,
		      struct ic_symbol_source **symbols, struct ic_error *err)
{
	bool is_llvm = rule == SYMTAB_LLVM || rule == SYMTAB_LLVM_UNTAGGED;
	struct ic_symbol_files files;

	*symbols = NULL;
	if (!ic_image_load_descriptors(image, jobs, err))
		return false;
	bool ok = ic_image_symbol_files(image, is_llvm, &files, err);
	if (!ok && err->code == IC_ERROR_MEMORY)
		return false;
	pthread_mutex_lock(&image->lock);
	if (!image->symbols[rule])
		image->symbols[rule] = ic_symbol_finder_new(&files, rule, &image->memory);
	*symbols = image->symbols[rule];
	pthread_mutex_unlock(&image->lock);
	return *symbols ? ok : ic_fail_memory(err);
}
