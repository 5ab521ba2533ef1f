#include "dwarf_builder_internal.h"

#include "dwarf_constants.h"

#include <stdio.h>
#include <string.h>

static const uint8_t standard_lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };

static const struct dw_line_content default_dir_contents[] = {
	{ DW_LNCT_path, DW_FORM_line_strp },
	{ 0, 0 },
};

static const struct dw_line_content default_file_contents[] = {
	{ DW_LNCT_path, DW_FORM_line_strp },
	{ DW_LNCT_directory_index, DW_FORM_udata },
	{ 0, 0 },
};

struct dw_line_header dw_line_header_default(const struct dwarf_builder *dw)
{
	static const char *const no_dirs[] = { NULL };
	static const struct dw_line_file no_files[] = { { .path = NULL } };

	return (struct dw_line_header){
		.version = dw->format.version,
		.addr_size = dw->format.addr_size,
		.min_inst_length = 1,
		.max_ops_per_inst = 1,
		.default_is_stmt = 1,
		.line_base = -5,
		.line_range = 14,
		.opcode_base = 13,
		.opcode_lengths = standard_lengths,
		.dirs = no_dirs,
		.files = no_files,
		.dir_contents = default_dir_contents,
		.file_contents = default_file_contents,
	};
}

struct dw_line_header dw_line_header_two_level(const struct dwarf_builder *dw)
{
	static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 2, 0 };
	struct dw_line_header header = dw_line_header_default(dw);

	header.version = DW_LINE_TWO_LEVEL;
	header.opcode_base = 16;
	header.opcode_lengths = lengths;
	header.has_actuals = true;
	return header;
}

// ---- DWARF 2 to 4

static void put_old_tables(struct dwarf_builder *dw, const struct dw_line_header *header)
{
	for (size_t i = 0; header->dirs[i]; i++)
		dw_text(dw, header->dirs[i]);
	dw_u8(dw, 0);
	for (const struct dw_line_file *file = header->files; file->path; file++) {
		dw_text(dw, file->path);
		dw_uleb(dw, file->dir);
		dw_uleb(dw, file->mtime);
		dw_uleb(dw, file->size);
	}
	dw_u8(dw, 0);
}

// ---- DWARF 5

static void put_text(struct dwarf_builder *dw, uint16_t form, const char *text)
{
	const char *in = form == DW_FORM_line_strp ? ".debug_line_str" : ".debug_str";

	switch (form) {
	case DW_FORM_string: dw_text(dw, text); break;
	case DW_FORM_strp:
	case DW_FORM_line_strp: {
		uint32_t section = section_of_unit(dw, in);
		put_offset_to(dw, dw->sections[section].start, string_add(dw, section, text),
			      dw->format.offset_size);
		break;
	}
	case DW_FORM_strp_sup: put_form_value(dw, form, 0); break;
	default: put_form_value(dw, form, dw_str_index(dw, text)); break;
	}
}

static void put_number(struct dwarf_builder *dw, uint16_t form, uint64_t value)
{
	switch (form) {
	case DW_FORM_block: // the standard allows it for a time
		dw_uleb(dw, 8);
		dw_u64(dw, value);
		break;
	case DW_FORM_block1:
		dw_u8(dw, 8);
		dw_u64(dw, value);
		break;
	case DW_FORM_string: dw_u8(dw, 0); break;
	case DW_FORM_data16:
		dw_u64(dw, value);
		dw_u64(dw, 0);
		break;
	default: put_form_value(dw, form, value); break;
	}
}

static void put_content(struct dwarf_builder *dw, struct dw_line_content content,
			const struct dw_line_file *file)
{
	switch (content.content) {
	case DW_LNCT_path: put_text(dw, content.form, file->path); break;
	case DW_LNCT_LLVM_source:
		put_text(dw, content.form, file->source ? file->source : "");
		break;
	case DW_LNCT_MD5:
		if (content.form == DW_FORM_data16)
			dw_raw(dw, file->md5, 16);
		else
			put_number(dw, content.form, 0);
		break;
	case DW_LNCT_directory_index: put_number(dw, content.form, file->dir); break;
	case DW_LNCT_timestamp: put_number(dw, content.form, file->mtime); break;
	case DW_LNCT_size: put_number(dw, content.form, file->size); break;
	default: put_number(dw, content.form, 0); break;
	}
}

static void put_contents(struct dwarf_builder *dw, const struct dw_line_content *contents)
{
	uint8_t count = 0;

	while (contents[count].content)
		count++;
	dw_u8(dw, count);
	for (uint8_t i = 0; i < count; i++) {
		dw_uleb(dw, contents[i].content);
		dw_uleb(dw, contents[i].form);
	}
}

static void put_entry(struct dwarf_builder *dw, const struct dw_line_content *contents,
		      const struct dw_line_file *file)
{
	for (; contents->content; contents++)
		put_content(dw, *contents, file);
}

static void put_new_tables(struct dwarf_builder *dw, const struct dw_line_header *header)
{
	size_t dir_count = 0, file_count = 0;

	while (header->dirs[dir_count])
		dir_count++;
	put_contents(dw, header->dir_contents);
	dw_uleb(dw, dir_count);
	for (size_t i = 0; i < dir_count; i++) {
		struct dw_line_file dir = { .path = header->dirs[i] };
		put_entry(dw, header->dir_contents, &dir);
	}

	while (header->files[file_count].path)
		file_count++;
	put_contents(dw, header->file_contents);
	dw_uleb(dw, file_count);
	for (size_t i = 0; i < file_count; i++)
		put_entry(dw, header->file_contents, &header->files[i]);
}

// ---- Two-level tables

static const char *joined(char *text, size_t size, const char *label, const char *end)
{
	snprintf(text, size, "%s.%s", label, end);
	return text;
}

static void put_level(struct dwarf_builder *dw, const char *label, const char *level,
		      struct dw_bad bad)
{
	char from[64], to[64];

	if (bad.set)
		dw_offset(dw, bad.value);
	else
		dw_distance(dw, joined(from, sizeof(from), label, "start"),
			    joined(to, sizeof(to), label, level), dw->format.offset_size);
}

static void put_functions(struct dwarf_builder *dw, const struct dw_line_function *functions)
{
	static const struct dw_line_content contents[] = {
		{ DW_LNCT_subprogram_name, DW_FORM_strp },
		{ DW_LNCT_decl_file, DW_FORM_udata },
		{ DW_LNCT_decl_line, DW_FORM_data2 },
		{ 0, 0 },
	};
	size_t count = 0;

	while (functions && functions[count].name)
		count++;
	put_contents(dw, contents);
	dw_uleb(dw, count);
	for (size_t i = 0; i < count; i++) {
		put_text(dw, DW_FORM_strp, functions[i].name);
		dw_uleb(dw, functions[i].decl_file);
		dw_u16(dw, (uint16_t)functions[i].decl_line);
	}
}

// After the registers: for readers of other versions the header ends after two empty lists, and
// the program is an opcode of 2 MiB.
static void put_two_levels(struct dwarf_builder *dw, const char *label,
			   const struct dw_line_header *header)
{
	struct dw_bad none = { .set = !header->has_actuals };
	char name[64];

	dw_raw(dw, DW_BYTES(0, 0));
	dw_length_end(dw);
	dw_raw(dw, DW_BYTES(0, 0xff, 0xff, 0x7f, 0x7f));
	put_level(dw, label, "logicals", header->bad_logicals);
	put_level(dw, label, "actuals", header->bad_actuals.set ? header->bad_actuals : none);
	put_new_tables(dw, header);
	put_functions(dw, header->functions);
	dw_raw(dw, header->extra.data, header->extra.size);
	dw_label(dw, joined(name, sizeof(name), label, "logicals"));
}

void dw_line_actuals(struct dwarf_builder *dw, const char *label)
{
	char name[64];

	dw_label(dw, joined(name, sizeof(name), label, "actuals"));
}

// ---- The table

static void put_length(struct dwarf_builder *dw, struct dw_bad bad)
{
	if (bad.set) {
		if (dw->format.offset_size == 8)
			dw_u32(dw, UINT32_MAX);
		dw_offset(dw, bad.value);
		dw_length_begin(dw, 0); // for dw_line_end() to close
	} else {
		dw_initial_length_begin(dw);
	}
}

static void put_registers(struct dwarf_builder *dw, const struct dw_line_header *header,
			  uint16_t version)
{
	dw_u8(dw, header->min_inst_length);
	if (version >= 4)
		dw_u8(dw, header->max_ops_per_inst);
	dw_u8(dw, header->default_is_stmt);
	dw_u8(dw, (uint8_t)header->line_base);
	dw_u8(dw, header->line_range);
	dw_u8(dw, header->opcode_base);
	if (header->opcode_base > 1)
		dw_raw(dw, header->opcode_lengths, (size_t)header->opcode_base - 1);
}

void dw_line_begin(struct dwarf_builder *dw, const char *label, const struct dw_line_header *header)
{
	uint16_t version = header->version ? header->version : dw->format.version;
	char start[64];

	section_push(dw, section_of_unit(dw, ".debug_line"));
	dw_label(dw, label);
	put_length(dw, header->bad_length);
	dw_u16(dw, header->bad_version.set ? (uint16_t)header->bad_version.value : version);
	if (version == 5) {
		dw_u8(dw, header->addr_size ? header->addr_size : dw->format.addr_size);
		dw_u8(dw, 0); // no segment selectors
	}
	if (header->bad_header_length.set) {
		dw_offset(dw, header->bad_header_length.value);
		dw_length_begin(dw, 0);
	} else {
		dw_length_begin(dw, dw->format.offset_size);
	}
	if (version == DW_LINE_TWO_LEVEL)
		dw_label(dw, joined(start, sizeof(start), label, "start"));
	put_registers(dw, header, version);
	if (version == DW_LINE_TWO_LEVEL) {
		put_two_levels(dw, label, header);
		return;
	}
	if (version >= 5)
		put_new_tables(dw, header);
	else
		put_old_tables(dw, header);
	dw_raw(dw, header->extra.data, header->extra.size);
	dw_length_end(dw);
}

void dw_line_end(struct dwarf_builder *dw)
{
	dw_length_end(dw);
	dw_section_end(dw);
}

// ---- The program

void dw_line_address(struct dwarf_builder *dw, uint64_t addr)
{
	dw_u8(dw, 0);
	dw_uleb(dw, 1u + dw->format.addr_size);
	dw_u8(dw, DW_LNE_set_address);
	dw_address(dw, addr);
}

void dw_line_row(struct dwarf_builder *dw, uint64_t addr_advance, int64_t line_advance)
{
	dw_u8(dw, DW_LNS_advance_pc);
	dw_uleb(dw, addr_advance);
	dw_u8(dw, DW_LNS_advance_line);
	dw_sleb(dw, line_advance);
	dw_u8(dw, DW_LNS_copy);
}

void dw_line_end_sequence(struct dwarf_builder *dw, uint64_t addr_advance)
{
	dw_u8(dw, DW_LNS_advance_pc);
	dw_uleb(dw, addr_advance);
	dw_u8(dw, 0);
	dw_u8(dw, 1);
	dw_u8(dw, DW_LNE_end_sequence);
}

void dw_line_extended(struct dwarf_builder *dw, uint8_t opcode, const void *operands, size_t size)
{
	dw_u8(dw, 0);
	dw_uleb(dw, size + 1);
	dw_u8(dw, opcode);
	dw_raw(dw, operands, size);
}

void dw_line_inlined_call(struct dwarf_builder *dw, uint64_t row, uint64_t name_off)
{
	dw_u8(dw, 0);
	dw_uleb(dw, 1 + uleb_size(row) + uleb_size(name_off));
	dw_u8(dw, DW_LNE_NVIDIA_inlined_call);
	dw_uleb(dw, row);
	dw_uleb(dw, name_off);
}
