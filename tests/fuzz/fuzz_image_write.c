// Fuzzes the writing of copies of ELF files with more sections, some of which may replace others.
// Wanted: a copy that can be opened, with the new sections and all that are not replaced.
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/image/image.h"

#include "fuzz_input.h"

#include <inlinecall/extra/image.h>

enum { FILE_HEADER = 64 };

static const struct ic_image_options no_debug = { .allow_no_debug = true };

static const uint8_t first[] = { 1, 2, 3, 4, 5 }, second[200] = { 9 };

static struct ic_image *open_bytes(const void *bytes, size_t size, struct ic_error *err)
{
	return ic_image_open_memory(bytes, size, "fuzz", &no_debug, err);
}

// The copy, to be freed; NULL if there is none.
static char *copy_of(const struct ic_image *image, const struct ic_image_addition *additions,
		     size_t *size)
{
	struct ic_error err = { .code = IC_ERROR_NONE };
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, size);

	PROMISE(out);
	bool ok = ic_image_write(image, additions, 2, out, &err);
	PROMISE(fclose(out) == 0);
	if (ok)
		return bytes;
	PROMISE_REASON(err);
	free(bytes);
	return NULL;
}

// Of several sections of a name only one is replaced.
static bool is_replaced(const struct ic_elf_file *file, const struct ic_image_addition *additions,
			const struct ic_section *section)
{
	return section == ic_elf_file_section(file, additions[0].name) ||
	       section == ic_elf_file_section(file, additions[1].name);
}

static void check_sections(const struct ic_elf_file *before, const struct ic_elf_file *after,
			   const struct ic_image_addition *additions)
{
	PROMISE(after->section_count >= before->section_count);
	for (uint32_t i = 1; i < before->section_count; i++) { // number 0 is none
		const struct ic_section *old = &before->sections[i], *new = &after->sections[i];
		if (is_replaced(before, additions, old))
			continue;
		PROMISE(strcmp(old->name, new->name) == 0);
		PROMISE(old->type == new->type && old->flags == new->flags);
		PROMISE(old->addr == new->addr);
		// The file's header changes, and names are added.
		if (old->raw.size == 0 || old->raw.data < before->data + FILE_HEADER)
			continue;
		PROMISE(old->raw.size == new->raw.size || old->type == SHT_STRTAB);
		PROMISE(old->raw.size <= new->raw.size);
		PROMISE(memcmp(old->raw.data, new->raw.data, old->raw.size) == 0);
	}
}

static void check_added(const struct ic_elf_file *after, const struct ic_image_addition *addition)
{
	const struct ic_section *section = ic_elf_file_section(after, addition->name);

	PROMISE(section && section->raw.size == addition->size);
	PROMISE(memcmp(section->raw.data, addition->bytes, addition->size) == 0);
}

static void check_copy(const struct ic_image *image, const struct ic_image_addition *additions)
{
	struct ic_error err = { .code = IC_ERROR_NONE };
	size_t size;
	char *copy = copy_of(image, additions, &size);

	if (!copy)
		return;
	struct ic_image *copied = open_bytes(copy, size, &err);
	PROMISE(copied);
	check_sections(&image->file, &copied->file, additions);
	check_added(&copied->file, &additions[0]);
	check_added(&copied->file, &additions[1]);
	ic_image_free(copied);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_image_addition additions[] = { { ".BTF.inline", first, sizeof(first) },
						 { ".BTF", second, sizeof(second) } };
	uint8_t number = fuzz_take_u8(&in); // of a section that is replaced
	struct ic_error err = { .code = IC_ERROR_NONE };
	struct ic_bytes file;

	fuzz_take_sections(&in, &file, 1);
	struct ic_image *image = open_bytes(file.data, file.size, &err);
	if (image && number < image->file.section_count)
		additions[0].name = image->file.sections[number].name;
	if (image && strcmp(additions[0].name, additions[1].name) != 0)
		check_copy(image, additions);
	else if (!image)
		PROMISE_REASON(err);
	ic_image_free(image);
	fuzz_free_sections(&file, 1);
	return 0;
}
