#include "scan_fixture.h"

#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/image.h>

#include "elf_fixture.h"

#include "dwarf_constants.h"

void scan_open_path(struct scan *scan, const char *path, const struct ic_index_options *options)
{
	struct ic_error err = { .message = "" };

	*scan = (struct scan){ .image = ic_image_open(path, NULL, &err) };
	if (!scan->image)
		fail_msg("%s", err.message);
	scan->index = ic_index_build(scan->image, options, &err);
	if (!scan->index)
		fail_msg("%s", err.message);
}

void scan_open(struct scan *scan, struct dwarf_builder *dw, const struct ic_index_options *options)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	scan_open_path(scan, elf_end_at(elf, "a.out"), options);
}

void scan_close(struct scan *scan)
{
	ic_index_free(scan->index);
	ic_image_close(scan->image);
	free(scan->text);
}

static void put_scope(FILE *out, const struct ic_index *index, uint32_t unit, uint32_t scope)
{
	if (scope == IC_NONE)
		return;
	const struct ic_scope *found = &index->units[unit].scopes[scope];
	put_scope(out, index, unit, found->parent);
	fprintf(out, "%s::", found->name ? found->name : "{}");
}

static void put_name(FILE *out, const struct ic_index *index, const struct ic_unit_model *unit,
		     uint32_t number)
{
	if (number == IC_NONE) {
		fprintf(out, "?");
		return;
	}
	const struct ic_function *function = &unit->functions[number];
	put_scope(out, index, function->scope_unit, function->scope);
	fprintf(out, "%s", function->name ? function->name : "{}");
}

static void put_call_site(FILE *out, const struct ic_unit_model *unit, uint32_t file, uint32_t line,
			  uint32_t column)
{
	if (file == IC_NONE && line == 0)
		return;
	fprintf(out, " from %s:%" PRIu32, file == IC_NONE ? "?" : unit->files[file], line);
	if (column)
		fprintf(out, ":%" PRIu32, column);
}

static void put_instance(FILE *out, const struct ic_index *index, const struct ic_unit_model *unit,
			 const struct ic_instance *instance)
{
	for (uint32_t up = instance->parent; up != IC_NONE; up = unit->instances[up].parent)
		fputc(' ', out);
	fprintf(out, instance->kind == IC_INSTANCE_HOST ? "host " : "inlined ");
	put_name(out, index, unit, instance->function);
	for (uint32_t i = 0; i < instance->range_count; i++) {
		const struct ic_range *range = &unit->ranges[instance->first_range + i];
		fprintf(out, " 0x%" PRIx64 "-0x%" PRIx64, range->start, range->end);
	}
	if (instance->entry != IC_NO_ADDR)
		fprintf(out, " at 0x%" PRIx64, instance->entry);
	put_call_site(out, unit, instance->call_file, instance->call_line, instance->call_column);
	fputc('\n', out);
}

static void put_call(FILE *out, const struct ic_index *index, const struct ic_unit_model *unit,
		     const struct ic_call *call)
{
	fprintf(out, "%s ", call->is_tail ? "jump" : "call");
	put_name(out, index, unit, call->function);
	if (call->addr != IC_NO_ADDR)
		fprintf(out, " at 0x%" PRIx64, call->addr);
	if (call->return_addr != IC_NO_ADDR)
		fprintf(out, " returns 0x%" PRIx64, call->return_addr);
	if (call->parent != IC_NONE) {
		fprintf(out, " in ");
		put_name(out, index, unit, unit->instances[call->parent].function);
	}
	put_call_site(out, unit, call->call_file, call->call_line, call->call_column);
	fputc('\n', out);
}

static void put_function(FILE *out, const struct ic_function *function)
{
	fprintf(out, "function %s %s %s:%" PRIu32 " 0x%" PRIx64 " %d %" PRIu32 ".%" PRIu32 "\n",
		function->name ? function->name : "{}",
		function->linkage_name ? function->linkage_name : "{}",
		function->decl_file ? function->decl_file : "?", function->decl_line,
		function->die_off, function->inlining,
		function->scope == IC_NONE ? 0 : function->scope_unit, function->scope);
}

static const char *write_text(struct scan *scan, bool everything)
{
	const struct ic_index *index = scan->index;
	size_t size;

	free(scan->text);
	FILE *out = open_memstream(&scan->text, &size);
	assert_non_null(out);
	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		fprintf(out, "unit %s\n", unit->name ? unit->name : "?");
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			if (everything)
				fprintf(out, "0x%" PRIx32 " ", unit->instances[j].die_off);
			put_instance(out, index, unit, &unit->instances[j]);
		}
		for (uint32_t j = 0; j < unit->call_count; j++)
			put_call(out, index, unit, &unit->calls[j]);
		for (uint32_t j = 0; everything && j < unit->function_count; j++)
			put_function(out, &unit->functions[j]);
		for (uint32_t j = 0; everything && j < unit->declaration_count; j++)
			fprintf(out, "declaration 0x%" PRIx32 " %" PRIu32 "\n",
				unit->declarations[j].die_off, unit->declarations[j].scope);
	}
	for (uint32_t i = 0; i < index->problem_count; i++)
		fprintf(out, "problem %s\n", index->problems[i].message);
	fclose(out);
	return scan->text;
}

const char *scan_text(struct scan *scan)
{
	return write_text(scan, false);
}

const char *scan_everything(struct scan *scan)
{
	return write_text(scan, true);
}

const struct ic_function *scan_function(const struct scan *scan, uint32_t instance)
{
	for (uint32_t i = 0; i < scan->index->unit_count; i++) {
		const struct ic_unit_model *unit = &scan->index->units[i];
		if (instance < unit->instance_count)
			return &unit->functions[unit->instances[instance].function];
		instance -= unit->instance_count;
	}
	fail_msg("there are not so many instances");
	return NULL;
}

struct dwarf_builder *scan_builder(uint16_t version)
{
	return dwarf_builder_new(
		(struct dwarf_format){ .version = version, .offset_size = 4, .addr_size = 8 });
}

void scan_unit_of(struct dwarf_builder *dw, const char *name, uint16_t language)
{
	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_string(dw, DW_AT_name, name);
	dw_data2(dw, DW_AT_language, language);
	dw_string(dw, DW_AT_comp_dir, "/src");
}

void scan_unit_done(struct dwarf_builder *dw)
{
	dw_die_end(dw);
	dw_unit_end(dw);
}

void scan_abstract(struct dwarf_builder *dw, const char *name)
{
	dw_label(dw, name);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, name);
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_die_end(dw);
}

void scan_host(struct dwarf_builder *dw, const char *name, uint64_t start, uint64_t end)
{
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, name);
	dw_low_high(dw, start, end);
}

void scan_inlined(struct dwarf_builder *dw, const char *origin, uint64_t start, uint64_t end)
{
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, origin);
	dw_low_high(dw, start, end);
}
