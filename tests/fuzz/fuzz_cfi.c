// Fuzzes call frame information: its entries, instructions, rows and their texts.
// Wanted: entries follow each other to the end; the rows of an FDE tile its code from its start and
// end within it; rules are in the order of registers, one each; a fault has a reason; an address
// has the FDE that a linear search finds; texts are complete and not empty.
#include <string.h>

#include "dwarf/frames/rows.h"
#include "dwarf/frames/text.h"
#include "fuzz_input.h"
#include "unwind/tables/table.h"

#include <inlinecall/extra/call_frames.h>

enum { MOST_WRITTEN = 64, MOST_LOOKED_FOR = 64, MOST_OVERLAPPING = 1000 };

static void check_text(struct ic_expression_text *text, bool ok, const struct ic_error *err)
{
	const char *written = ic_expression_text(text);
	size_t size = strlen(written);

	PROMISE(ok || (err->code != IC_ERROR_NONE && err->message[0]));
	PROMISE(size > 0 && size == text->chars.count);
	ic_expression_text_clear(text);
}

// ---- Entries and their instructions

static void check_instructions(struct ic_cursor cur, const struct ic_cfi_section *section,
			       const struct ic_cie *cie, struct ic_expression_text *text)
{
	const struct ic_cfi_text_options options = { section, cie, section->machine };
	struct ic_cfi_instruction instruction = { 0 };
	struct ic_error err = { 0 };
	uint64_t addr = 0;

	for (;;) {
		const uint8_t *before = cur.pos;
		if (!ic_cfi_instruction_next(&cur, section, cie, &instruction))
			break;
		PROMISE(cur.pos > before && cur.pos <= cur.end);
		PROMISE(instruction.off == (uint64_t)(before - section->bytes.data));
		ic_cfi_instruction_advances(&instruction, &addr);
		bool ok = ic_cfi_instruction_write(text, &instruction, addr, &options, &err);
		check_text(text, ok, &err);
	}
	if (ic_cursor_ok(&cur, &err))
		PROMISE(!ic_cursor_more(&cur));
	else
		PROMISE_REASON(err);
}

static void check_cie(const struct ic_cfi_section *section, const struct ic_cie *cie)
{
	fuzz_read_text(cie->augmentation, &section->bytes);
	PROMISE(cie->addr_size == 2 || cie->addr_size == 4 || cie->addr_size == 8);
	PROMISE(cie->segment_size <= 8 && cie->return_reg <= UINT16_MAX);
	PROMISE(ic_pointer_is_known(cie->pointer_encoding));
	PROMISE(cie->instructions.pos <= cie->instructions.end);
	PROMISE(cie->instructions.end <= section->bytes.data + section->bytes.size);
}

static void check_entries(const struct ic_cfi_section *section, struct ic_expression_text *text)
{
	struct ic_cfi_walk walk = { .section = section };
	struct ic_error err = { 0 }, why = { 0 };
	struct ic_cfi_entry entry;
	struct ic_cie cie;
	struct ic_fde fde;

	for (;;) {
		uint64_t off = walk.next_off;
		if (!ic_cfi_entry_next(&walk, &entry, &err)) {
			if (err.code == IC_ERROR_NONE)
				break;
			PROMISE_REASON(err);
			PROMISE(walk.next_off > off && walk.next_off <= section->bytes.size);
			continue;
		}
		PROMISE(entry.off == off && entry.size >= 4);
		PROMISE(walk.next_off == off + entry.size && walk.next_off <= section->bytes.size);
		if (entry.kind == IC_CFI_TERMINATOR)
			continue;
		if (!ic_cie_read(section, entry.kind == IC_CFI_CIE ? off : entry.cie_off, &cie,
				 &why)) {
			PROMISE_REASON(why);
			continue;
		}
		check_cie(section, &cie);
		if (entry.kind == IC_CFI_CIE)
			check_instructions(cie.instructions, section, &cie, text);
		else if (ic_fde_read(section, &entry, &cie, &fde, &why))
			check_instructions(fde.instructions, section, &cie, text);
		else
			PROMISE_REASON(why);
	}
	PROMISE(walk.next_off == section->bytes.size);
}

// ---- Rows

static void check_rule(const struct ic_cfi_section *section, const struct ic_register_rule *rule,
		       const struct ic_cie *cie, bool is_cfa, struct ic_expression_text *text)
{
	const struct ic_cfi_text_options options = { section, cie, section->machine };
	struct ic_error err = { 0 };

	if (rule->kind == IC_RULE_EXPRESSION || rule->kind == IC_RULE_VAL_EXPRESSION)
		PROMISE(rule->at.expression >= section->bytes.data &&
			rule->from <= (uint64_t)(section->bytes.data + section->bytes.size -
						 rule->at.expression));
	PROMISE(!is_cfa || rule->kind == IC_RULE_UNDEFINED || rule->kind == IC_RULE_REGISTER ||
		rule->kind == IC_RULE_VAL_EXPRESSION);
	bool ok = ic_cfi_rule_write(text, rule, is_cfa, &options, &err);
	check_text(text, ok, &err);
}

static void check_row(const struct ic_cfi_section *section, const struct ic_call_frame_row *row,
		      const struct ic_cie *cie, uint32_t *written, struct ic_expression_text *text)
{
	PROMISE(row->rule_count <= IC_CFI_MOST_RULES);
	for (size_t i = 1; i < row->rule_count; i++)
		PROMISE(row->rules[i - 1].reg < row->rules[i].reg);
	if (++*written > MOST_WRITTEN)
		return;
	check_rule(section, &row->cfa, cie, true, text);
	for (size_t i = 0; i < row->rule_count; i++)
		check_rule(section, &row->rules[i], cie, false, text);
}

static void check_rows(const struct ic_cfi_table *table, const struct ic_cfi_place *place,
		       struct ic_cfi_rows *rows, uint32_t *written, struct ic_expression_text *text)
{
	const struct ic_cie *cie = &table->cies.items[place->cie];
	struct ic_cfi_walk walk = { &table->section, place->off };
	struct ic_call_frame_row row;
	struct ic_cfi_entry entry;
	struct ic_error err = { 0 };
	struct ic_fde fde;
	uint64_t next = place->start;

	PROMISE(place->start < place->end);
	PROMISE(ic_cfi_entry_next(&walk, &entry, &err));
	PROMISE(ic_fde_read(&table->section, &entry, cie, &fde, &err));
	PROMISE(fde.start == place->start && fde.end == place->end);
	if (!ic_cfi_rows_begin(rows, cie, &fde, &err)) {
		PROMISE_REASON(err);
		return;
	}
	while (ic_cfi_rows_next(rows, &row, &err)) {
		PROMISE(row.range.start == next && row.range.end > next);
		PROMISE(row.range.end <= place->end);
		next = row.range.end;
		check_row(&table->section, &row, cie, written, text);
	}
	if (err.code == IC_ERROR_NONE)
		PROMISE(next == place->end);
	else
		PROMISE_REASON(err);
	PROMISE(!ic_cfi_rows_next(rows, &row, &err)); // and so it stays
}

// ---- The table

static void check_find(const struct ic_cfi_table *table, uint64_t addr)
{
	const struct ic_cfi_place *wanted = NULL;

	for (uint32_t i = 0; i < table->places.count; i++)
		if (table->places.items[i].start <= addr && addr < table->places.items[i].end)
			wanted = &table->places.items[i];
	PROMISE(ic_cfi_table_find(table, addr) == wanted);
}

static void check_table(const struct ic_cfi_section *section, struct ic_expression_text *text)
{
	static struct ic_cfi_rows rows;
	struct ic_cfi_table table = { .section = *section };
	struct ic_arena arena = { .memory = NULL };
	struct ic_problems problems = { .arena = &arena };
	uint32_t written = 0;

	PROMISE(ic_cfi_table_build(&table, NULL, &problems));
	memset(&rows, 0, sizeof(rows));
	rows.section = &table.section;
	for (uint32_t i = 0; i < table.places.count; i++) {
		const struct ic_cfi_place *place = &table.places.items[i];

		PROMISE(i == 0 || place[-1].start <= place->start);
		check_rows(&table, place, &rows, &written, text);
		if (table.places.count >= MOST_OVERLAPPING || i >= MOST_LOOKED_FOR)
			continue;
		check_find(&table, place->start - 1);
		check_find(&table, place->start);
		check_find(&table, place->end - 1);
		check_find(&table, place->end);
	}
	for (uint32_t i = 0; i < problems.list.count; i++)
		PROMISE(fuzz_read_text(problems.list.items[i].message, NULL) > 0);
	ic_cfi_rows_free(&rows);
	ic_cfi_table_free(&table);
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint16_t machines[] = { 62, 183, 43, 20 }; // x86-64, AArch64, SPARC V9, POWER
	struct ic_expression_text text = { .chars.count = 0 };
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	struct ic_bytes bytes;

	fuzz_take_sections(&in, &bytes, 1);
	const struct ic_cfi_section section = { .bytes = bytes,
						.name = choice & 1 ? ".eh_frame" : ".debug_frame",
						.addr = 0x40000,
						.text_addr = 0x1000,
						.data_addr = 0x3000,
						.machine = machines[choice >> 3 & 3],
						.addr_size = choice & 4 ? 4 : 8,
						.is_eh = choice & 1,
						.swap = choice & 2 };
	check_entries(&section, &text);
	check_table(&section, &text);
	ic_expression_text_free(&text);
	fuzz_free_sections(&bytes, 1);
	return 0;
}
