// Prints every row of every line table of a file, for tests/oracle/test_line_rows.py:
//	table OFFSET
//	ADDRESS LINE COLUMN FILE ISA DISCRIMINATOR FLAG... [at ROW] [in FUNCTION]
// Addresses of a relocatable file are offsets in their sections. The end is "problem ..." if a
// table could not be read.
#include <inttypes.h>
#include <stdio.h>

#include "debug/file.h"
#include "dwarf/lines/rows.h"
#include "elf/files/elf_file.h"

static uint64_t section_start(const struct ic_elf_file *file, uint64_t addr)
{
	for (uint32_t i = 0; file->is_relocatable && i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (ic_section_is_code(section) && addr >= section->addr &&
		    addr - section->addr < section->size)
			return section->addr;
	}
	return 0;
}

static void print_row(const struct ic_line_program *program, const struct ic_line_row *row,
		      uint64_t base)
{
	// In the order of enum ic_line_flag.
	static const char *const names[] = { " is_stmt", " basic_block", " end_sequence",
					     " prologue_end", " epilogue_begin" };

	printf("%" PRIx64 " %u %u %u %u %u", row->addr - base, row->line, row->column, row->file,
	       row->isa, row->discriminator);
	for (int i = 0; i < 5; i++)
		if (row->flags >> i & 1)
			printf("%s", names[i]);
	if (program->functions.context > 0)
		printf(" at %" PRIu64, program->functions.context);
	if (program->functions.function.name)
		printf(" in %s", program->functions.function.name);
	printf("\n");
}

// Prints the table at `off`, and returns where the next one is; 0 at a fault.
static uint64_t print_table(const struct ic_elf_file *file, const struct ic_dwarf *dwarf,
			    uint64_t off)
{
	const struct ic_unit unit = { .dwarf = dwarf,
				      .version = 4,
				      .addr_size = file->addr_size,
				      .offset_size = 4,
				      .root.line_off = off };
	struct ic_line_header header = { 0 };
	struct ic_line_program program;
	struct ic_line_row row;
	struct ic_error err;
	uint64_t base = 0;
	bool is_first = true;

	bool ok = ic_line_header_parse(&header, &unit, UINT64_MAX, &err);
	uint64_t next = ok ? header.program_off + header.program_size : 0;
	printf("table %" PRIx64 "\n", off);
	ic_line_program_open(&program, &header, &unit, UINT64_MAX);
	for (enum ic_line_event event;
	     (event = ic_line_program_next(&program, &row)) != IC_LINE_END;) {
		if (event != IC_LINE_ROW)
			continue;
		if (is_first)
			base = section_start(file, row.addr);
		print_row(&program, &row, base);
		is_first = row.flags & IC_LINE_END_SEQUENCE;
	}
	ok = ok && ic_line_program_ok(&program, &err) &&
	     ic_line_functions_ok(&program.functions, &err);
	ic_line_program_close(&program);
	ic_line_header_free(&header);
	if (ok)
		return next;
	printf("problem %s\n", err.message);
	return 0;
}

static void print_tables(const struct ic_elf_file *file, const struct ic_dwarf *dwarf)
{
	uint64_t off = 0;

	while (off < dwarf->line.size && (off = print_table(file, dwarf, off)) != 0) {}
}

// A file may have only line tables.
static void print_bare_tables(struct ic_elf_file *file)
{
	struct ic_dwarf dwarf = { .swap = file->swap };
	struct ic_error err;

	if (ic_dwarf_file_section(&dwarf.line, file, ".debug_line", &err) &&
	    ic_dwarf_file_section(&dwarf.str, file, ".debug_str", &err))
		print_tables(file, &dwarf);
}

int main(int argc, char **argv)
{
	struct ic_elf_file file;
	struct ic_dwarf_file dwarf_file;
	struct ic_error err;

	if (argc != 2 || !ic_elf_file_open(&file, argv[1], &err))
		return 1;
	if (!ic_dwarf_file_load(&dwarf_file, &file, IC_DWARF_FILE_MAIN, 1, &err) ||
	    !ic_dwarf_file_need_all(&dwarf_file, 1, &err)) {
		ic_elf_file_close(&file);
		return 1;
	}
	if (dwarf_file.count > 0)
		print_tables(&file, &dwarf_file.dwarfs[0]);
	else
		print_bare_tables(&file);
	ic_dwarf_file_free(&dwarf_file);
	ic_elf_file_close(&file);
	return 0;
}
