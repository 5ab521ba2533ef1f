// Reads the rows of FDEs: implements a part of inlinecall/extra/call_frames.h.
#include <inttypes.h>
#include <stdlib.h>

#include "unwind/frames/call_frames.h"

struct found_fde {
	struct ic_range range;
	struct ic_fde fde;
	struct ic_sframe_fde sframe; // instead, in .sframe
};

struct ic_call_frame_reader *ic_call_frame_reader_new(struct ic_call_frames *frames,
						      struct ic_error *err)
{
	struct ic_call_frame_reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		if (err)
			ic_fail_memory(err);
		return NULL;
	}
	reader->frames = frames;
	reader->rows.remembered.memory = reader->text.chars.memory = &frames->image->memory;
	return reader;
}

void ic_call_frame_reader_free(struct ic_call_frame_reader *reader)
{
	if (!reader)
		return;
	ic_cfi_rows_free(&reader->rows);
	ic_expression_text_free(&reader->text);
	free(reader);
}

void ic_call_frame_reader_use(struct ic_call_frame_reader *reader, struct ic_call_frames *frames)
{
	if (reader->frames == frames)
		return;
	reader->frames = frames;
	reader->table = NULL;
	reader->has_cie = false;
}

// Adds an error in the current FDE to the problems.
static bool report_problem(struct ic_call_frame_reader *reader, struct ic_error *err)
{
	return err->code != IC_ERROR_NONE && // no FDE may have been started
	       ic_call_frames_complain(reader->frames, reader->table, reader->off, err);
}

// Reads a CIE, unless it was the last one read.
static bool read_cie(struct ic_call_frame_reader *reader, uint64_t off, struct ic_error *err)
{
	if (reader->has_cie && reader->cie.off == off)
		return true;
	reader->rows.is_ready = false;
	reader->has_cie = ic_cie_read(&reader->table->section, off, &reader->cie, err);
	return reader->has_cie;
}

static bool is_in_sframe(const struct ic_call_frame_reader *reader)
{
	return reader->table && ic_call_frames_is_sframe(reader->frames, reader->table);
}

static void enter_table(struct ic_call_frame_reader *reader, const struct ic_cfi_table *table,
			uint64_t off)
{
	reader->has_cie &= reader->table == table;
	reader->table = table;
	reader->off = off;
}

// Switches to an FDE of .sframe.
static void enter_sframe(struct ic_call_frame_reader *reader, struct found_fde *found)
{
	const struct ic_call_frames *frames = reader->frames;

	enter_table(reader, &frames->tables[IC_CALL_FRAME_SFRAME], found->sframe.off);
	reader->cie = ic_sframe_cie(&frames->sframe, &found->sframe);
	reader->has_cie = false; // in no section
	found->range = (struct ic_range){ found->sframe.start, found->sframe.end };
}

// Reads the FDE at an offset of a table, and its CIE.
static bool read_fde(struct ic_call_frame_reader *reader, const struct ic_cfi_table *table,
		     uint64_t off, struct found_fde *found, struct ic_error *err)
{
	const struct ic_sframe *sframe = &reader->frames->sframe;
	struct ic_cfi_walk walk = { &table->section, off };
	struct ic_cfi_entry entry;

	enter_table(reader, table, off);
	if (is_in_sframe(reader)) {
		bool ok = ic_sframe_fde_read(sframe, ic_sframe_fde_number(sframe, off),
					     &found->sframe, err);
		enter_sframe(reader, found);
		return ok;
	}
	reader->rows.section = &table->section;
	if (!ic_cfi_entry_next(&walk, &entry, err) || entry.kind != IC_CFI_FDE ||
	    !read_cie(reader, entry.cie_off, err) ||
	    !ic_fde_read(&table->section, &entry, &reader->cie, &found->fde, err))
		return false;
	found->range = (struct ic_range){ found->fde.start, found->fde.end };
	return true;
}

// Starts with the rows of an FDE that was read; in .sframe, with those of an address if they are
// repeated.
static bool begin_rows(struct ic_call_frame_reader *reader, const struct found_fde *found,
		       uint64_t addr, struct ic_error *err)
{
	if (is_in_sframe(reader)) {
		ic_sframe_rows_begin(&reader->sframe_rows, &reader->frames->sframe, &found->sframe,
				     addr);
		return true;
	}
	return ic_cfi_rows_begin(&reader->rows, &reader->cie, &found->fde, err) ||
	       report_problem(reader, err);
}

// An FDE of a few bytes can have the rules of a large CIE, and can have a row for each byte of its
// instructions. Compilers write 20 rules for an FDE.
static uint64_t most_rules(const struct ic_call_frame_reader *reader)
{
	return (1ull << 20) + 128ull * ic_call_frames_count(reader->frames);
}

static bool take_rules(struct ic_call_frame_reader *reader, uint64_t count, struct ic_error *err)
{
	if (count + 1 <= reader->rules_left) {
		reader->rules_left -= count + 1;
		return true;
	}
	reader->rules_left = 0;
	return ic_fail(err, IC_ERROR_LIMIT,
		       "too many rules for the number of entries; the rest are left out");
}

bool ic_call_frame_reader_begin(struct ic_call_frame_reader *reader, size_t number,
				struct ic_error *err)
{
	const struct ic_cfi_table *table;
	const struct ic_cfi_place *place = ic_call_frames_place(reader->frames, number, &table);
	struct ic_error unwanted;
	struct found_fde found;

	if (!err)
		err = &unwanted;
	if (!place)
		return ic_fail(err, IC_ERROR_ARGUMENT, "no FDE number %zu", number);
	if (!reader->is_listing || number <= reader->listed)
		reader->rules_left = most_rules(reader);
	reader->is_listing = true;
	reader->listed = number;
	err->code = IC_ERROR_NONE;
	if (reader->rules_left == 0) // this was reported
		return false;
	if (!read_fde(reader, table, place->off, &found, err))
		return report_problem(reader, err);
	return begin_rows(reader, &found, found.range.start, err);
}

// Reads the next row of .sframe. FREs without code take time too, so a listing counts them.
static bool next_sframe(struct ic_call_frame_reader *reader, struct ic_call_frame_row *row,
			struct ic_error *err)
{
	struct ic_sframe_row read;
	bool has_row = ic_sframe_rows_next(&reader->sframe_rows, &read, err);
	uint64_t skipped = reader->sframe_rows.skipped;

	if (reader->is_listing && skipped > 0 && !take_rules(reader, skipped, err))
		return false;
	if (has_row)
		ic_sframe_convert(&reader->frames->sframe, &read, &reader->sframe_rules, row);
	return has_row;
}

bool ic_call_frame_reader_next(struct ic_call_frame_reader *reader, struct ic_call_frame_row *row,
			       struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	return ((is_in_sframe(reader) ? next_sframe(reader, row, err)
				      : ic_cfi_rows_next(&reader->rows, row, err)) &&
		(!reader->is_listing || take_rules(reader, row->rule_count, err))) ||
	       report_problem(reader, err);
}

// Finds the FDE for an address by the index. It is only used if it starts where the index says and
// covers the address. Errors are not reported: reading all FDEs does that.
static bool find_indexed(struct ic_call_frame_reader *reader, uint64_t addr,
			 struct found_fde *found)
{
	const struct ic_cfi_table *table = &reader->frames->tables[0];
	struct ic_cfi_index_entry entry;
	struct ic_error unwanted;

	return ic_cfi_index_find(&reader->frames->index, addr, &entry) &&
	       read_fde(reader, table, entry.fde_addr - table->section.addr, found, &unwanted) &&
	       found->range.start == entry.start && addr < found->range.end;
}

// The same in .sframe, which is its own index if it is sorted.
static bool find_in_sframe(struct ic_call_frame_reader *reader, uint64_t addr,
			   struct found_fde *found)
{
	const struct ic_call_frames *frames = reader->frames;

	if (!frames->can_search_sframe ||
	    !ic_sframe_fde_find(&frames->sframe, addr, &found->sframe))
		return false;
	enter_sframe(reader, found);
	return true;
}

static bool fail_to_find(struct ic_error *err, uint64_t addr)
{
	return ic_fail(err, IC_ERROR_NOT_FOUND, "no call frame information for 0x%" PRIx64, addr);
}

// The same by reading all FDEs, including those missing in the index.
static bool find_listed(struct ic_call_frame_reader *reader, uint64_t addr, struct found_fde *found,
			struct ic_error *err)
{
	struct ic_call_frames *frames = reader->frames;

	for (size_t i = 0; i < IC_CALL_FRAME_TABLES; i++) {
		struct ic_cfi_table *table = &frames->tables[i];

		if (ic_call_frames_is_sframe(frames, table) && find_in_sframe(reader, addr, found))
			return true;
		if (!ic_call_frames_list_table(frames, table, err))
			return false;
		const struct ic_cfi_place *place = ic_cfi_table_find(table, addr);
		if (place)
			return read_fde(reader, table, place->off, found, err) ||
			       report_problem(reader, err);
	}
	return fail_to_find(err, addr);
}

bool ic_call_frame_reader_find(struct ic_call_frame_reader *reader, uint64_t addr,
			       struct ic_call_frame_entry *entry, struct ic_call_frame_row *row,
			       struct ic_error *err)
{
	struct ic_error unwanted;
	struct found_fde found;

	if (!err)
		err = &unwanted;
	reader->is_listing = false;
	if (!find_indexed(reader, addr, &found) && !find_listed(reader, addr, &found, err))
		return false;
	ic_call_frames_fill(entry, reader->table, found.range, reader->off, &reader->cie);
	if (!begin_rows(reader, &found, addr, err))
		return false;
	while (ic_call_frame_reader_next(reader, row, err))
		if (addr < row->range.end)
			return addr >= row->range.start || fail_to_find(err, addr);
	// An error. Without one, some row extends to the end of the code, except in .sframe.
	return err->code == IC_ERROR_NONE && fail_to_find(err, addr);
}

const char *ic_call_frame_reader_text(struct ic_call_frame_reader *reader,
				      const struct ic_register_rule *rule, bool is_cfa)
{
	struct ic_cfi_section section = reader->table->section;
	const struct ic_cfi_text_options options = {
		.section = &section,
		.cie = &reader->cie,
		.machine = ic_call_frames_numbering(&section),
	};
	struct ic_error err;

	if (is_in_sframe(reader)) // expressions are made from its rows
		section.bytes =
			(struct ic_bytes){ reader->sframe_rules.bytes, reader->sframe_rules.size };
	ic_expression_text_clear(&reader->text);
	if (!ic_cfi_rule_write(&reader->text, rule, is_cfa, &options, &err) &&
	    !report_problem(reader, &err) && err.code == IC_ERROR_MEMORY)
		return NULL;
	return ic_expression_text(&reader->text);
}
