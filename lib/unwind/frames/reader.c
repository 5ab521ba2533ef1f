// Reads the rows of FDEs: implements a part of inlinecall/extra/call_frames.h.
#include <inttypes.h>
#include <stdlib.h>

#include "unwind/frames/call_frames.h"

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

// Reads the FDE at an offset of a table, and its CIE.
static bool read_fde(struct ic_call_frame_reader *reader, const struct ic_cfi_table *table,
		     uint64_t off, struct ic_fde *fde, struct ic_error *err)
{
	struct ic_cfi_walk walk = { &table->section, off };
	struct ic_cfi_entry entry;

	reader->has_cie &= reader->table == table;
	reader->table = table;
	reader->off = off;
	reader->rows.section = &table->section;
	return ic_cfi_entry_next(&walk, &entry, err) && entry.kind == IC_CFI_FDE &&
	       read_cie(reader, entry.cie_off, err) &&
	       ic_fde_read(&table->section, &entry, &reader->cie, fde, err);
}

static bool begin_rows(struct ic_call_frame_reader *reader, const struct ic_fde *fde,
		       struct ic_error *err)
{
	return ic_cfi_rows_begin(&reader->rows, &reader->cie, fde, err) ||
	       report_problem(reader, err);
}

// An FDE of a few bytes can have the rules of a large CIE, and can have a row for each byte of its
// instructions. Compilers write 20 rules for an FDE.
static uint64_t most_rules(const struct ic_call_frame_reader *reader)
{
	return (1ull << 20) + 128ull * ic_call_frames_count(reader->frames);
}

static bool take_rules(struct ic_call_frame_reader *reader, size_t count, struct ic_error *err)
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
	struct ic_fde fde;

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
	if (!read_fde(reader, table, place->off, &fde, err))
		return report_problem(reader, err);
	return begin_rows(reader, &fde, err);
}

bool ic_call_frame_reader_next(struct ic_call_frame_reader *reader, struct ic_call_frame_row *row,
			       struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	return (ic_cfi_rows_next(&reader->rows, row, err) &&
		(!reader->is_listing || take_rules(reader, row->rule_count, err))) ||
	       report_problem(reader, err);
}

// Finds the FDE for an address by the index. It is only used if it starts where the index says and
// covers the address. Errors are not reported: reading all FDEs does that.
static bool find_indexed(struct ic_call_frame_reader *reader, uint64_t addr, struct ic_fde *fde)
{
	const struct ic_cfi_table *table = &reader->frames->tables[0];
	struct ic_cfi_index_entry found;
	struct ic_error unwanted;

	return ic_cfi_index_find(&reader->frames->index, addr, &found) &&
	       read_fde(reader, table, found.fde_addr - table->section.addr, fde, &unwanted) &&
	       fde->start == found.start && addr < fde->end;
}

// The same by reading all FDEs, including those missing in the index.
static bool find_listed(struct ic_call_frame_reader *reader, uint64_t addr, struct ic_fde *fde,
			struct ic_error *err)
{
	struct ic_call_frames *frames = reader->frames;

	for (size_t i = 0; i < IC_CALL_FRAME_TABLES; i++) {
		struct ic_cfi_table *table = &frames->tables[i];

		if (!ic_call_frames_list_table(frames, table, err))
			return false;
		const struct ic_cfi_place *place = ic_cfi_table_find(table, addr);
		if (place)
			return read_fde(reader, table, place->off, fde, err) ||
			       report_problem(reader, err);
	}
	return ic_fail(err, IC_ERROR_NOT_FOUND, "no call frame information for 0x%" PRIx64, addr);
}

bool ic_call_frame_reader_find(struct ic_call_frame_reader *reader, uint64_t addr,
			       struct ic_call_frame_entry *entry, struct ic_call_frame_row *row,
			       struct ic_error *err)
{
	struct ic_error unwanted;
	struct ic_fde fde;

	if (!err)
		err = &unwanted;
	reader->is_listing = false;
	if (!find_indexed(reader, addr, &fde) && !find_listed(reader, addr, &fde, err))
		return false;
	ic_call_frames_fill(entry, reader->table, (struct ic_range){ fde.start, fde.end },
			    reader->off, &reader->cie);
	if (!begin_rows(reader, &fde, err))
		return false;
	while (ic_call_frame_reader_next(reader, row, err))
		if (addr < row->range.end)
			return true;
	return false; // an error: without one, some row extends to the end of the code
}

const char *ic_call_frame_reader_text(struct ic_call_frame_reader *reader,
				      const struct ic_register_rule *rule, bool is_cfa)
{
	const struct ic_cfi_section *section = &reader->table->section;
	const struct ic_cfi_text_options options = {
		.section = section,
		.cie = &reader->cie,
		.machine = ic_call_frames_numbering(section),
	};
	struct ic_error err;

	ic_expression_text_clear(&reader->text);
	if (!ic_cfi_rule_write(&reader->text, rule, is_cfa, &options, &err) &&
	    !report_problem(reader, &err) && err.code == IC_ERROR_MEMORY)
		return NULL;
	return ic_expression_text(&reader->text);
}
