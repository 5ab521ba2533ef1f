// Fuzzes how the FDE of an address is found: .eh_frame, .eh_frame_hdr and .debug_frame are the
// input's.
// Wanted: what reading all FDEs finds is found with .eh_frame_hdr too, or a fault is reported; a
// row has the address; with an index that is made of all FDEs, everything is the same.
#include <stdlib.h>

#include "cfi_builder.h"
#include "dwarf/units/pointer.h"
#include "elf_builder.h"
#include "fuzz_input.h"
#include "open_guard.h"
#include "unwind/frames/call_frames.h"

#include <inlinecall/extra/call_frames.h>

enum {
	BIG_ENDIAN_FILE = 2, // in the byte of choice
	ADDR_4 = 4,
	SECTIONS = 3,
	FRAMES_ADDR = 0x40000,
	HEADER_ADDR = 0x30000,
	MOST_ENTRIES = 64,
	MOST_OVERLAPPING = 1000
};

static struct ic_image *open_image(uint8_t choice, const struct ic_bytes sections[SECTIONS])
{
	static const struct elf_section places[SECTIONS] = {
		{ .name = ".eh_frame", .flags = SHF_ALLOC, .addr = FRAMES_ADDR },
		{ .name = ".eh_frame_hdr", .flags = SHF_ALLOC, .addr = HEADER_ADDR },
		{ .name = ".debug_frame" },
	};
	const struct ic_image_options options = { .allow_no_debug = true };
	struct elf_builder *elf =
		elf_builder_new((struct elf_format){ .bits = choice & ADDR_4 ? 32 : 64,
						     .big_endian = choice & BIG_ENDIAN_FILE,
						     .machine = EM_X86_64,
						     .type = ET_EXEC });

	for (size_t i = 0; i < SECTIONS; i++) {
		struct elf_section section = places[i];
		section.bytes = (struct bytes){ sections[i].data, sections[i].size };
		elf_add_section(elf, section);
	}
	struct bytes bytes = elf_build(elf);
	struct ic_image *image =
		ic_image_open(open_guard_put(bytes.data, bytes.size), &options, NULL);
	elf_builder_free(elf);
	return image;
}

// A way to find an FDE.
struct finder {
	struct ic_call_frames *frames;
	struct ic_call_frame_reader *reader;
};

static struct finder finder_open(struct ic_image *image)
{
	struct finder finder = { .frames = ic_call_frames_open(image, NULL) };

	PROMISE(finder.frames);
	finder.reader = ic_call_frame_reader_new(finder.frames, NULL);
	PROMISE(finder.reader);
	return finder;
}

static void finder_close(struct finder *finder)
{
	struct ic_index_problem problem;

	for (size_t i = 0; ic_call_frames_problem_get(finder->frames, i, &problem); i++)
		PROMISE(fuzz_read_text(problem.message, NULL) > 0);
	ic_call_frame_reader_free(finder->reader);
	ic_call_frames_free(finder->frames);
}

struct found {
	bool ok;
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;
	struct ic_error err;
};

static struct found find(const struct finder *finder, uint64_t addr)
{
	struct found found = { .err = { .code = IC_ERROR_NONE } };

	found.ok = ic_call_frame_reader_find(finder->reader, addr, &found.entry, &found.row,
					     &found.err);
	if (found.ok) {
		PROMISE(found.row.range.start <= addr && addr < found.row.range.end);
		PROMISE(found.entry.range.start <= found.row.range.start);
		PROMISE(found.row.range.end <= found.entry.range.end);
	} else {
		PROMISE_REASON(found.err);
	}
	return found;
}

static void check(const struct finder *listed, const struct finder *indexed,
		  const struct finder *complete, uint64_t addr)
{
	struct found wanted = find(listed, addr), got = find(indexed, addr),
		     same = find(complete, addr);

	if (listed->frames->tables[0].places.count >= MOST_OVERLAPPING)
		return;
	PROMISE(got.ok || got.err.code == IC_ERROR_MALFORMED || !wanted.ok);
	PROMISE(same.ok == wanted.ok && same.err.code == wanted.err.code);
	if (!same.ok)
		return;
	PROMISE(same.entry.off == wanted.entry.off && same.entry.section == wanted.entry.section);
	PROMISE(same.entry.range.end == wanted.entry.range.end);
	PROMISE(same.row.range.end == wanted.row.range.end);
	PROMISE(same.row.rule_count == wanted.row.rule_count);
}

// Makes an index of all FDEs of .eh_frame that were listed.
static struct byte_buffer build_index(const struct ic_cfi_table *table, uint8_t choice)
{
	size_t count = table->places.count;
	struct cfi_pair *pairs = malloc((count + 1) * sizeof(*pairs));
	const struct cfi_index format = { .addr = HEADER_ADDR,
					  .encoding = choice & ADDR_4 ? DW_EH_PE_udata4
								      : DW_EH_PE_udata8,
					  .big_endian = choice & BIG_ENDIAN_FILE };

	PROMISE(pairs);
	for (size_t i = 0; i < count; i++) {
		const struct ic_cfi_place *place = &table->places.items[i];
		pairs[i] = (struct cfi_pair){ place->start, FRAMES_ADDR + place->off };
	}
	struct byte_buffer built = cfi_index_build(format, pairs, count);
	free(pairs);
	return built;
}

static void check_all(const struct finder *listed, const struct finder *indexed,
		      const struct finder *complete)
{
	struct ic_call_frame_entry entry;
	struct ic_cfi_index index = indexed->frames->index;
	struct ic_cfi_index_entry found;

	for (size_t i = 0; i < MOST_ENTRIES && ic_call_frames_get(listed->frames, i, &entry); i++) {
		check(listed, indexed, complete, entry.range.start - 1);
		check(listed, indexed, complete, entry.range.start);
		check(listed, indexed, complete, entry.range.end - 1);
		check(listed, indexed, complete, entry.range.end);
	}
	for (uint64_t addr = UINT64_MAX, i = 0;
	     i < MOST_ENTRIES && ic_cfi_index_find(&index, addr, &found); i++) {
		PROMISE(found.start <= addr);
		check(listed, indexed, complete, found.start);
		if (found.start == 0)
			break;
		addr = found.start - 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	struct ic_bytes sections[SECTIONS];

	fuzz_take_sections(&in, sections, SECTIONS);
	struct ic_image *image = open_image(choice, sections);
	PROMISE(image);
	struct finder listed = finder_open(image), indexed = finder_open(image),
		      complete = finder_open(image);
	listed.frames->index.count = 0;
	PROMISE(ic_call_frames_list(listed.frames, NULL));
	struct byte_buffer index = build_index(&listed.frames->tables[0], choice);
	(void)ic_cfi_index_read(&complete.frames->index,
				(struct ic_bytes){ index.data, index.size }, HEADER_ADDR,
				choice & ADDR_4 ? 4 : 8, index.big_endian != IC_HOST_IS_BIG_ENDIAN);
	check_all(&listed, &indexed, &complete);
	finder_close(&listed);
	finder_close(&indexed);
	finder_close(&complete);
	byte_buffer_deinit(&index);
	ic_image_free(image);
	fuzz_free_sections(sections, SECTIONS);
	return 0;
}
