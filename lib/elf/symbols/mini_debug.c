#include "elf/symbols/mini_debug.h"

#include <inttypes.h>
#include <sys/mman.h>

#include <lzma.h>

// A symbol and its name take about a hundred bytes, so there is room for a million functions, ten
// times those of the largest programs; symbols compress to a tenth, not to a thousandth.
enum {
	MOST_SIZE = 128 << 20,
	MOST_EXPANSION = 256,
	MOST_INDEX_MEMORY = 1 << 20,    // for the list of an xz file's blocks: there is one block
	MOST_DECODER_MEMORY = 96 << 20, // xz -9 needs 65 MiB
};

#define SECTION ".gnu_debugdata"

const struct ic_section *ic_mini_debug_section(const struct ic_elf_file *file)
{
	const struct ic_section *section = ic_elf_file_section(file, SECTION);

	bool is_left_out = section && section->raw.size == 0 &&
			   section->size > 0; // of a debug file

	return is_left_out ? NULL : section;
}

// The size in the index at the end of the xz file, which the decoder enforces.
static bool read_size(struct ic_bytes raw, uint64_t *size, struct ic_error *err)
{
	const size_t footer_size = LZMA_STREAM_HEADER_SIZE;
	uint64_t memory = MOST_INDEX_MEMORY;
	lzma_index *index = NULL;
	lzma_stream_flags flags;

	if (raw.size < 2 * footer_size)
		return ic_fail_at(err, SECTION, 0, "too short for an xz file");
	if (lzma_stream_footer_decode(&flags, raw.data + raw.size - footer_size) != LZMA_OK ||
	    flags.backward_size > raw.size - 2 * footer_size)
		return ic_fail_at(err, SECTION, raw.size - footer_size,
				  "invalid end of an xz file");
	size_t off = raw.size - footer_size - (size_t)flags.backward_size, at = off;
	lzma_ret result = lzma_index_buffer_decode(&index, &memory, NULL, raw.data, &at,
						   raw.size - footer_size);
	if (result == LZMA_MEM_ERROR)
		return ic_fail_memory(err);
	if (result != LZMA_OK)
		return ic_fail_at(err, SECTION, off, "invalid index of an xz file");
	*size = lzma_index_uncompressed_size(index);
	lzma_index_end(index, NULL);
	return true;
}

static bool fail_decode(lzma_ret result, size_t off, struct ic_error *err)
{
	switch (result) {
	case LZMA_MEM_ERROR: return ic_fail_memory(err);
	case LZMA_MEMLIMIT_ERROR:
		return ic_fail_at(err, SECTION, off, "takes more than %d MiB to decompress",
				  MOST_DECODER_MEMORY >> 20);
	default:
		return ic_fail_at(
			err, SECTION, off,
			"cannot be decompressed: damaged, or not of the size in its index");
	}
}

static bool decompress_data(struct ic_mapping *mapping, struct ic_bytes raw,
			    struct ic_memory *memory, struct ic_error *err)
{
	uint64_t size = 0, decoder_memory = MOST_DECODER_MEMORY;
	char why[IC_MEMORY_WHY_SIZE];
	size_t in = 0, out = 0;

	if (!read_size(raw, &size, err))
		return false;
	if (size == 0 || size > MOST_SIZE || size / MOST_EXPANSION > raw.size)
		return ic_fail_at(err, SECTION, 0,
				  "claims to decompress to %" PRIu64
				  " bytes from %zu, which is too much for symbols",
				  size, raw.size);
	if (!ic_memory_take_unpacked(memory, size, why)) {
		ic_fail_at(err, SECTION, 0, "%s", why);
		err->code = IC_ERROR_LIMIT;
		return false;
	}
	void *pages = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	if (pages == MAP_FAILED) {
		ic_memory_release(memory, size);
		return ic_fail_memory(err);
	}
	*mapping = (struct ic_mapping){ pages, (size_t)size, pages, (size_t)size };
	lzma_ret result = lzma_stream_buffer_decode(&decoder_memory, 0, NULL, raw.data, &in,
						    raw.size, mapping->data, &out, mapping->size);
	if (result == LZMA_OK && out == mapping->size)
		return true;
	ic_mapping_close(mapping);
	ic_memory_release(memory, size);
	return fail_decode(result, in, err);
}

// Turns an error in the inner file into one of its section.
static bool fail_inside(struct ic_error *err)
{
	struct ic_error inner = *err;

	return inner.code == IC_ERROR_MEMORY
		       ? false
		       : ic_fail_at(err, SECTION, 0, "decompressed: %s", inner.message);
}

static bool open_inside(struct ic_elf_file *mini, const struct ic_elf_file *file,
			struct ic_mapping *mapping, struct ic_error *err)
{
	if (!ic_elf_file_adopt(mini, SECTION, mapping, err))
		return fail_inside(err);
	if (mini->machine == file->machine && mini->addr_size == file->addr_size &&
	    mini->swap == file->swap && !mini->is_relocatable)
		return true;
	ic_elf_file_close(mini);
	return ic_fail_at(err, SECTION, 0,
			  "contains a file of another kind or for another machine");
}

bool ic_mini_debug_open(struct ic_elf_file *mini, const struct ic_elf_file *file,
			struct ic_error *err)
{
	struct ic_bytes raw = ic_mini_debug_section(file)->raw;
	struct ic_mapping mapping;

	*mini = (struct ic_elf_file){ 0 };
	if (!decompress_data(&mapping, raw, file->memory, err))
		return false;
	uint64_t size = mapping.size;
	if (!open_inside(mini, file, &mapping, err)) {
		ic_memory_release(file->memory, size);
		return false;
	}
	mini->memory = file->memory;
	mini->reserved = size;
	return true;
}
