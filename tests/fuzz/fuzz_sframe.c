// Fuzzes SFrame: headers, FDEs, rows, and how they are found in a file.
// Wanted: an error that says why; the rows of an FDE follow each other within its code; rules are
// in the order of registers, and their texts complete; the FDE found for an address covers it, and
// one is found if any does.
#include <string.h>

#include "dwarf/frames/text.h"
#include "elf_builder.h"
#include "fuzz_input.h"
#include "open_guard.h"
#include "sframe/rows.h"
#include "unwind/frames/call_frames.h"

enum { ADDR = 0x40000, MOST_FDES = 64, MOST_ROWS = 256, MOST_ITEMS = 1024 };

enum { BIG_ENDIAN_FILE = 1, RELOCATABLE = 2 }; // in the byte of choice; the rest is the machine

static const uint16_t machines[] = { EM_X86_64, EM_AARCH64, EM_S390, EM_PPC64 };

static uint16_t machine_of(uint8_t choice)
{
	return machines[choice >> 2 & 3];
}

// ---- Rows

static void check_value(const struct ic_sframe_value *value)
{
	PROMISE(value->base <= IC_SFRAME_REGISTER);
	PROMISE(value->base == IC_SFRAME_REGISTER || value->reg == 0);
	PROMISE(value->reg <= UINT32_MAX >> 1);
}

static void check_rows(const struct ic_sframe *sframe, const struct ic_sframe_fde *fde,
		       uint64_t addr)
{
	struct ic_sframe_rows rows;
	struct ic_sframe_rules rules;
	struct ic_call_frame_row made;
	struct ic_sframe_row row;
	struct ic_error err = { 0 };
	uint64_t next = fde->start;

	ic_sframe_rows_begin(&rows, sframe, fde, addr);
	for (int i = 0; i < MOST_ROWS; i++) {
		if (!ic_sframe_rows_next(&rows, &row, &err)) {
			if (err.code != IC_ERROR_NONE)
				PROMISE_REASON(err);
			PROMISE(!ic_sframe_rows_next(&rows, &row, &err));
			return;
		}
		PROMISE(row.start >= next && row.start < row.end && row.end <= fde->end);
		PROMISE(row.off >= sframe->fres_off && row.off < sframe->fres_end);
		next = row.end;
		check_value(&row.cfa);
		check_value(&row.ra);
		check_value(&row.fp);
		PROMISE(row.is_outermost || row.cfa.base == IC_SFRAME_REGISTER);
		ic_sframe_convert(sframe, &row, &rules, &made);
		PROMISE(made.rule_count <= IC_SFRAME_MOST_RULES);
		PROMISE(rules.size <= sizeof(rules.bytes));
		for (size_t j = 1; j < made.rule_count; j++)
			PROMISE(made.rules[j - 1].reg < made.rules[j].reg);
	}
}

static void check_table(const struct ic_sframe_section *section)
{
	struct ic_sframe sframe;
	struct ic_sframe_fde fde, found;
	struct ic_error err = { 0 };

	if (!ic_sframe_parse(&sframe, section, &err)) {
		PROMISE_REASON(err);
		return;
	}
	PROMISE(sframe.end <= section->bytes.size && sframe.fres_end <= sframe.end);
	PROMISE(sframe.fde_count <= section->bytes.size / 16);
	for (uint32_t i = 0; i < sframe.fde_count && i < MOST_FDES; i++) {
		if (!ic_sframe_fde_read(&sframe, i, &fde, &err)) {
			PROMISE_REASON(err);
			continue;
		}
		PROMISE(fde.start <= fde.end && fde.rows_off <= sframe.fres_end);
		PROMISE(ic_sframe_fde_number(&sframe, fde.off) == i);
		check_rows(&sframe, &fde, fde.start);
		if (fde.start < fde.end)
			check_rows(&sframe, &fde, fde.end - 1);
		if (ic_sframe_fde_find(&sframe, fde.start, &found))
			PROMISE(found.start <= fde.start && fde.start < found.end);
	}
}

// ---- A file

static struct ic_image *open_image(uint8_t choice, struct ic_bytes section)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64,
				     .big_endian = choice & BIG_ENDIAN_FILE,
				     .machine = machine_of(choice),
				     .type = choice & RELOCATABLE ? ET_REL : ET_EXEC });

	elf_add_section(elf, (struct elf_section){ .name = ".sframe",
						   .flags = SHF_ALLOC,
						   .addr = choice & RELOCATABLE ? 0 : ADDR,
						   .bytes = { section.data, section.size } });
	struct bytes bytes = elf_build(elf);
	struct ic_image *image =
		ic_image_open(open_guard_put(bytes.data, bytes.size), &options, NULL);
	elf_builder_free(elf);
	return image;
}

static void check_text(struct ic_call_frame_reader *reader, const struct ic_call_frame_row *row)
{
	const char *text = ic_call_frame_reader_text(reader, &row->cfa, true);

	PROMISE(text && fuzz_read_text(text, NULL) > 0 && !strchr(text, '<'));
	for (size_t i = 0; i < row->rule_count; i++) {
		text = ic_call_frame_reader_text(reader, &row->rules[i], false);
		PROMISE(text && fuzz_read_text(text, NULL) > 0 && !strchr(text, '<'));
	}
}

static void check_addr(struct ic_call_frame_reader *reader, uint64_t addr, bool is_covered)
{
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;
	struct ic_error err = { 0 };

	if (ic_call_frame_reader_find(reader, addr, &entry, &row, &err)) {
		PROMISE(is_covered);
		PROMISE(row.range.start <= addr && addr < row.range.end);
		PROMISE(entry.range.start <= row.range.start && row.range.end <= entry.range.end);
		check_text(reader, &row);
	} else {
		PROMISE_REASON(err);
	}
}

static void check_frames(struct ic_call_frames *frames)
{
	struct ic_call_frame_reader *reader = ic_call_frame_reader_new(frames, NULL);
	struct ic_call_frame_entry entry;
	struct ic_index_problem problem;
	size_t number;

	PROMISE(reader);
	check_addr(reader, 0x1000, true); // before all FDEs are read
	PROMISE(ic_call_frames_list(frames, NULL));
	for (size_t i = 0; i < MOST_FDES && ic_call_frames_get(frames, i, &entry); i++) {
		PROMISE(entry.range.start < entry.range.end);
		PROMISE(strcmp(entry.section, ".sframe") == 0);
		check_addr(reader, entry.range.start, true);
		check_addr(reader, entry.range.end - 1, true);
		if (ic_call_frames_count(frames) < 1000)
			check_addr(reader, entry.range.end,
				   ic_call_frames_find(frames, entry.range.end, &number));
	}
	for (size_t i = 0; ic_call_frames_problem_get(frames, i, &problem); i++)
		PROMISE(fuzz_read_text(problem.message, NULL) > 0);
	ic_call_frame_reader_free(reader);
}

// The entries of the section, as they are in the file.
static void check_items(struct ic_call_frames *frames)
{
	struct ic_call_frame_items *items = ic_call_frame_items_open(frames, NULL, NULL);
	struct ic_call_frame_item item;
	uint64_t fde = 0;

	PROMISE(items);
	for (int i = 0; i < MOST_ITEMS && ic_call_frame_items_next(items, &item, NULL); i++) {
		PROMISE(strcmp(item.section, ".sframe") == 0);
		if (item.kind == IC_CALL_FRAME_FDE) {
			PROMISE(item.off > fde && item.cie_off == IC_NO_ADDR);
			fde = item.off;
			continue;
		}
		PROMISE(item.kind == IC_CALL_FRAME_INSTRUCTION && fde > 0);
		PROMISE(fuzz_read_text(item.text, NULL) > 0 && !strchr(item.text, '<'));
	}
	ic_call_frame_items_free(items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	struct ic_bytes bytes;

	fuzz_take_sections(&in, &bytes, 1);
	check_table(&(struct ic_sframe_section){
		.bytes = bytes,
		.addr = ADDR,
		.machine = machine_of(choice),
		.is_relocatable = choice & RELOCATABLE,
		.swap = (choice & BIG_ENDIAN_FILE) != IC_HOST_IS_BIG_ENDIAN,
	});
	struct ic_image *image = open_image(choice, bytes);
	PROMISE(image);
	struct ic_call_frames *frames = ic_call_frames_open(image, NULL);
	if (frames) {
		check_frames(frames);
		check_items(frames);
	}
	ic_call_frames_free(frames);
	ic_image_free(image);
	fuzz_free_sections(&bytes, 1);
	return 0;
}
