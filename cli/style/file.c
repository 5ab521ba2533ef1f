#include "style/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/files.h"

struct cli_style_section {
	uint64_t start;
	uint64_t size; // the largest size of this section and those before it
};

// An offset belongs to the first section that is large enough, so a section is kept only if it is
// larger than all before it.
static bool read_sections(struct cli_style_file *file, struct ic_error *err)
{
	struct ic_index_section section;
	size_t capacity = 0;
	uint64_t size, largest = 0;

	for (size_t i = 0; ic_symbolizer_section_get(file->symbolizer, i, &section, &size); i++) {
		if (size <= largest)
			continue;
		if (file->section_count == capacity) {
			capacity = 2 * capacity + 8;
			struct cli_style_section *sections =
				realloc(file->sections, capacity * sizeof(*sections));
			if (!sections) {
				*err = (struct ic_error){ .code = IC_ERROR_MEMORY,
							  .message = "out of memory" };
				return false;
			}
			file->sections = sections;
		}
		largest = size;
		file->sections[file->section_count++] =
			(struct cli_style_section){ section.start, largest };
	}
	return true;
}

bool cli_style_file_begin(struct cli_style_file *file, struct ic_image *image,
			  const struct ic_symbolizer_options *options, struct ic_error *err)
{
	*file = (struct cli_style_file){ .image = image };
	file->symbolizer = ic_symbolizer_new(image, options, err);
	// Tools print 64-bit addresses with more digits.
	file->is_32_bit = ic_image_addr_size(image) == 4;
	file->relocatable = ic_image_is_relocatable(image);
	if (file->symbolizer && (!file->relocatable || read_sections(file, err)))
		return true;
	cli_style_file_close(file);
	return false;
}

bool cli_style_file_open(struct cli_style_file *file, const char *path,
			 const struct ic_image_options *options, enum ic_symbolizer_symbols symbols,
			 struct ic_error *err)
{
	struct ic_image_options all = *options;
	const struct ic_symbolizer_options symbolizer = { .symbols = symbols };

	all.allow_no_debug = true;
	*file = (struct cli_style_file){ .image = NULL };
	struct ic_image *image = ic_image_open(path, &all, err);
	return image && cli_style_file_begin(file, image, &symbolizer, err);
}

void cli_style_file_close(struct cli_style_file *file)
{
	cli_style_forget(file);
	if (file->symbolizer)
		cli_files_print_problems(file->symbolizer, ic_image_path(file->image));
	ic_symbolizer_free(file->symbolizer);
	ic_image_free(file->image);
	free(file->sections);
	free(file->addrs);
	*file = (struct cli_style_file){ .image = NULL };
}

bool cli_style_add(struct cli_style_file *file, uint64_t addr, size_t *number)
{
	if (file->addr_count == file->addr_capacity) {
		size_t capacity = 2 * file->addr_capacity + 64;
		uint64_t *addrs = realloc(file->addrs, capacity * sizeof(*addrs));
		if (!addrs) {
			cli_complain("out of memory");
			return false;
		}
		file->addrs = addrs;
		file->addr_capacity = capacity;
	}
	*number = file->addr_count;
	file->addrs[file->addr_count++] = addr;
	return true;
}

size_t cli_style_frames(struct cli_style_file *file, size_t number, const struct ic_frame **frames)
{
	struct ic_symbolizer_symbol symbol;
	struct ic_error err;

	if (!file->stacks)
		file->stacks =
			ic_stacks_find(file->symbolizer, file->addrs, file->addr_count, &err);
	if (!file->stacks) {
		cli_complain("%s", err.message);
		return 0;
	}
	struct ic_stack stack;
	if (!ic_stacks_get(file->stacks, number, &stack))
		return 0;
	*frames = stack.frames;
	if (stack.count > 0 && (*frames)->is_symbol && !(*frames)->file &&
	    ic_symbolizer_symbol_at(file->symbolizer, file->addrs[number], &symbol)) {
		file->symbol_frame = **frames;
		file->symbol_frame.file = symbol.source;
		*frames = &file->symbol_frame;
	}
	return stack.count;
}

void cli_style_forget(struct cli_style_file *file)
{
	ic_stacks_free(file->stacks);
	file->stacks = NULL;
	file->addr_count = 0;
}

bool cli_style_addr(const struct cli_style_file *file, uint64_t offset, uint64_t *addr)
{
	size_t from = 0, to = file->section_count;

	*addr = offset;
	if (!file->relocatable)
		return true;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (file->sections[middle].size <= offset)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == file->section_count)
		return false;
	*addr += file->sections[from].start;
	return true;
}

void cli_style_put(const char *name)
{
	const char *end = name;

	while (*end && cli_control_size(end) == 0)
		end++;
	fwrite(name, 1, (size_t)(end - name), stdout);
	if (*end)
		cli_print_name(end);
}
