#include "core_builder.h"

#include <elf.h>
#include <string.h>

void core_add_note(struct core_file *core, const char *owner, uint32_t type, struct bytes bytes)
{
	struct byte_buffer *notes = &core->notes;

	notes->big_endian = core->big_endian;
	byte_buffer_put(notes, strlen(owner) + 1, 4);
	byte_buffer_put(notes, bytes.size, 4);
	byte_buffer_put(notes, type, 4);
	byte_buffer_string(notes, owner);
	byte_buffer_align(notes, 4);
	byte_buffer_append(notes, bytes.data, bytes.size);
	byte_buffer_align(notes, 4);
}

void core_add_file(struct core_file *core, uint64_t start, uint64_t end, uint64_t page,
		   const char *path)
{
	struct byte_buffer note = { .big_endian = core->big_endian };
	size_t word = core->is_32_bit ? 4 : 8;

	byte_buffer_put(&note, 1, word);
	byte_buffer_put(&note, 0x1000, word);
	byte_buffer_put(&note, start, word);
	byte_buffer_put(&note, end, word);
	byte_buffer_put(&note, page, word);
	byte_buffer_string(&note, path);
	core_add_note(core, "CORE", NT_FILE, byte_buffer_view(&note));
	byte_buffer_deinit(&note);
}

static void put_program_header(struct byte_buffer *out, size_t word, uint32_t type, uint32_t flags,
			       uint64_t off, uint64_t addr, uint64_t physical, uint64_t file_size,
			       uint64_t size)
{
	byte_buffer_put(out, type, 4);
	if (word == 8)
		byte_buffer_put(out, flags, 4);
	byte_buffer_put(out, off, word);
	byte_buffer_put(out, addr, word);
	byte_buffer_put(out, physical, word);
	byte_buffer_put(out, file_size, word);
	byte_buffer_put(out, size, word);
	if (word == 4)
		byte_buffer_put(out, flags, 4);
	byte_buffer_put(out, 1, word);
}

static void put_header(const struct core_file *core, struct byte_buffer *out, size_t word)
{
	uint8_t ident[EI_NIDENT] = { 0x7f,
				     'E',
				     'L',
				     'F',
				     word == 8 ? ELFCLASS64 : ELFCLASS32,
				     core->big_endian ? ELFDATA2MSB : ELFDATA2LSB,
				     EV_CURRENT };

	byte_buffer_append(out, ident, sizeof(ident));
	byte_buffer_put(out, ET_CORE, 2);
	byte_buffer_put(out, core->machine, 2);
	byte_buffer_put(out, EV_CURRENT, 4);
	byte_buffer_put(out, 0, word);
	byte_buffer_put(out, word == 8 ? 64 : 52, word);
	byte_buffer_put(out, 0, word);
	byte_buffer_put(out, 0, 4);
	byte_buffer_put(out, word == 8 ? 64 : 52, 2);
	byte_buffer_put(out, word == 8 ? 56 : 32, 2);
	byte_buffer_put(out, core->segment_count + 1, 2);
	byte_buffer_put(out, 0, 6);
}

struct byte_buffer core_build(struct core_file *core)
{
	struct byte_buffer out = { .big_endian = core->big_endian };
	size_t word = core->is_32_bit ? 4 : 8;
	uint64_t off = (word == 8 ? 64 : 52) + (word == 8 ? 56 : 32) * (core->segment_count + 1);

	put_header(core, &out, word);
	put_program_header(&out, word, PT_NOTE, 0, off, 0, 0, core->notes.size, 0);
	off += core->notes.size;
	for (size_t i = 0; i < core->segment_count; i++) {
		const struct core_segment *segment = &core->segments[i];

		put_program_header(&out, word, PT_LOAD, segment->flags, off, segment->addr,
				   core->physical ? core->physical[i] : 0, segment->bytes.size,
				   segment->size);
		off += segment->bytes.size;
	}
	byte_buffer_append(&out, core->notes.data, core->notes.size);
	for (size_t i = 0; i < core->segment_count; i++)
		byte_buffer_append(&out, core->segments[i].bytes.data,
				   core->segments[i].bytes.size);
	byte_buffer_deinit(&core->notes);
	return out;
}
