// Reads all units of an image with their lines, and writes them in a format. Implements
// inlinecall/extra/emit.h.
#include <inlinecall/extra/emit.h>

#include <stdlib.h>

#include "elf/copies/debug_copy.h"
#include "emit/breakpad_out.h"
#include "emit/frame_out.h"
#include "emit/gsym_out.h"
#include "emit/stack_out.h"
#include "emit/unit_out.h"
#include "index/build.h"
#include "index/scan.h"
#include "read/nesting.h"
#include "text/text.h"

enum { DEFAULT_VERSION = 5 };

struct ic_emit {
	struct ic_image *image;
	struct ic_index index;
	struct ic_debug *debug;
	struct ic_scan scan;
	struct ic_problems problems;
	enum ic_emit_format format;
	// Of the format:
	struct ic_units_out out;
	struct ic_out frames; // .debug_frame
	struct ic_gsym_out gsym;
	struct ic_breakpad_out breakpad;
	struct ic_emit_counts counts;
	IC_ARRAY(struct ic_debug_symbol) symbols;
	enum ic_emit_compression compression;
};

// ---- Reading

// DWARF 2 cannot describe functions in several parts, so that code inlined into them may seem to be
// outside its host. The output can describe them, and has to be right.
static void judge_nesting(struct ic_emit *emit, const struct ic_unit *from,
			  const struct ic_unit_model *unit)
{
	struct ic_error err;
	uint32_t die_off;

	if (from->version < 3 && !ic_is_nested(unit->instances, unit->instance_count, unit->ranges,
					       unit->range_count, &die_off, &err))
		ic_problems_add(&emit->problems, &err, from->dwarf->info_name, from->off + die_off);
}

static bool read_units(struct ic_emit *emit, uint32_t jobs, struct ic_error *err)
{
	const struct ic_read_options want = { .jobs = jobs, .code_map = true, .scopes = true };
	uint32_t *numbers;

	emit->index.arena.memory = &emit->image->memory;
	emit->problems.arena = &emit->index.arena;
	emit->debug = ic_debug_hold(emit->image, err);
	if (!emit->debug || !ic_index_begin(&emit->index, emit->image, &emit->problems, err) ||
	    !ic_debug_load(emit->debug, jobs, &emit->problems, err) ||
	    !ic_dwarf_file_need_all(&emit->debug->main, jobs, err) ||
	    !ic_scan_open(&emit->scan, &emit->index, emit->debug, &want, &emit->problems, err))
		return false;
	if (emit->format != IC_EMIT_DWARF &&
	    !ic_index_find_symbols(&emit->index, emit->image, SYMTAB_INNERMOST, jobs,
				   &emit->problems, err))
		return false;
	uint32_t count = emit->scan.context.units.units.count;
	numbers = ic_items_alloc(count + 1ull, sizeof(*numbers));
	if (!numbers)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = i;
	bool ok = ic_scan_read(&emit->scan, numbers, count, NULL, &emit->problems, err);
	free(numbers);
	ic_scan_report(&emit->scan, &emit->problems);
	for (uint32_t i = 0; ok && i < emit->index.unit_count; i++) {
		const struct ic_unit_model *unit = &emit->index.units[i];
		ic_problems_copy(&emit->problems, unit->problems, unit->problem_count);
		judge_nesting(emit, &emit->scan.context.units.units.items[i], unit);
	}
	return ok && (!emit->problems.out_of_memory || ic_fail_memory(err));
}

// ---- Building

static bool list_symbols(struct ic_emit *emit, const struct ic_unit_model *unit)
{
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		const struct ic_function *function =
			instance->function != IC_NONE ? &unit->functions[instance->function] : NULL;
		const char *name = !function                ? NULL
				   : function->linkage_name ? function->linkage_name
							    : function->name;
		if (instance->kind != IC_INSTANCE_HOST || instance->range_count == 0 || !name)
			continue;
		const struct ic_range *range = &unit->ranges[instance->first_range];
		struct ic_debug_symbol *symbol = IC_ARRAY_PUSH(&emit->symbols);
		if (!symbol)
			return false;
		*symbol = (struct ic_debug_symbol){ name, range->start, range->end - range->start };
	}
	return true;
}

static bool fail_size(const struct ic_emit *emit, bool is_too_large, const char *what,
		      struct ic_error *err)
{
	return is_too_large ? ic_fail(err, IC_ERROR_LIMIT, "%s: %s would be 4 GiB or larger",
				      ic_image_path(emit->image), what)
			    : ic_fail_memory(err);
}

// The output counts towards the image's memory.
static void limit_sizes(struct ic_emit *emit)
{
	struct ic_memory *memory = &emit->image->memory;
	struct ic_units_out *out = &emit->out;

	out->dies.info.bytes.memory = out->lines.line.bytes.memory = memory;
	out->ranges.bytes.memory = out->aranges.bytes.memory = memory;
	out->strings.bytes.memory = out->lines.strings.bytes.memory = memory;
	emit->frames.bytes.memory = emit->symbols.memory = memory;
}

// Names are written unchanged; those that readers would take for damage are reported.
static void judge_strings(struct ic_emit *emit, const struct ic_byte_pool *strings,
			  const char *section)
{
	for (uint32_t i = 0; i < strings->runs.count; i++) {
		uint32_t off = strings->runs.items[i].off;
		uint8_t first = strings->bytes.items[off];
		struct ic_error err;
		if (!first || ic_text_may_begin(first))
			continue;
		ic_fail_at(&err, section, off, "a name begins with invalid byte 0x%02x", first);
		ic_problems_add(&emit->problems, &err, section, off);
	}
	ic_problems_finish(&emit->problems, section, 0);
}

static bool make_sections(struct ic_emit *emit, uint32_t version, struct ic_error *err)
{
	const struct ic_unit_list *list = &emit->scan.context.units;
	const struct ic_elf_file *file = &emit->image->file;
	struct ic_units_out *out = &emit->out;
	bool ok = true;

	limit_sizes(emit);
	out->version = out->lines.version = version;
	out->addr_size = out->lines.addr_size = out->dies.addr_size = file->addr_size;
	out->dies.info.swap = out->dies.abbrev.swap = out->lines.line.swap = file->swap;
	out->ranges.swap = out->aranges.swap = file->swap;
	for (uint32_t i = 0; ok && i < emit->index.unit_count; i++) {
		uint32_t before = out->dies.info.bytes.count;
		ok = ic_units_out_put(out, &emit->index, i, list->units.items[i].root.language) &&
		     list_symbols(emit, &emit->index.units[i]);
		emit->counts.units += out->dies.info.bytes.count > before;
	}
	const struct ic_go_table *go = emit->debug->has_go ? &emit->debug->go : NULL;
	emit->frames.swap = file->swap;
	ok = ok && (!go || ic_frames_out_put(&emit->frames, &go->table, file->machine,
					     go->steps * emit->index.unit_count));
	ok &= ic_units_out_finish(out);
	if (!ok)
		return fail_size(emit, emit->frames.too_large || ic_units_out_are_too_large(out),
				 "a section", err);
	judge_strings(emit, &out->strings, ".debug_str");
	judge_strings(emit, &out->lines.strings, ".debug_line_str");
	return true;
}

// Reports that a hostile file's functions are in too many parts.
static void judge_left_out(struct ic_emit *emit, bool left_out)
{
	struct ic_error err;

	if (!left_out)
		return;
	ic_fail(&err, IC_ERROR_LIMIT,
		"inlined calls of functions in very many parts were left out");
	ic_problems_add(&emit->problems, &err, NULL, 0);
}

static void count_functions(struct ic_emit *emit, const struct ic_function_list *list,
			    uint64_t symbols, const struct ic_out *file)
{
	emit->counts.functions = list->items.count + symbols;
	emit->counts.units = emit->counts.functions > 0;
	emit->counts.copies = ic_function_list_copies(list);
	emit->counts.bytes = file->bytes.count;
}

static bool make_gsym(struct ic_emit *emit, struct ic_error *err)
{
	struct ic_gsym_out *out = &emit->gsym;
	struct ic_memory *memory = &emit->image->memory;
	const uint8_t *id;
	size_t id_size = ic_image_build_id(emit->image, &id);
	bool ok = true;

	out->version = emit->format == IC_EMIT_GSYM ? 1 : 2;
	out->swap = emit->image->file.swap;
	out->list.records.bytes.memory = out->list.items.memory = out->file.bytes.memory = memory;
	out->strings.bytes.memory = memory;
	for (uint32_t i = 0; ok && i < emit->index.unit_count; i++)
		ok = ic_gsym_out_put(out, &emit->index, i);
	ok = ok && ic_gsym_out_finish(out, &emit->index, (struct ic_bytes){ id, id_size });
	if (!ok)
		return fail_size(emit, ic_gsym_out_is_too_large(out), "the file", err);
	judge_left_out(emit, out->left_out);
	count_functions(emit, &out->list, 0, &out->file);
	return true;
}

static bool make_breakpad(struct ic_emit *emit, struct ic_error *err)
{
	struct ic_breakpad_out *out = &emit->breakpad;
	struct ic_memory *memory = &emit->image->memory;
	bool ok = true;

	ic_breakpad_out_begin(out, &emit->index, emit->image);
	out->list.records.bytes.memory = out->list.items.memory = out->file.bytes.memory = memory;
	out->files.bytes.memory = out->origins.bytes.memory = out->names.arena.memory = memory;
	for (uint32_t i = 0; ok && i < emit->index.unit_count; i++)
		ok = ic_breakpad_out_put(out, i);
	ok = ok && ic_breakpad_out_finish(out, emit->image);
	if (ok && !ic_stack_out_put(&out->file, emit->image, out->load_addr, &emit->problems, err))
		return false;
	if (!ok || out->file.failed)
		return fail_size(emit, ic_breakpad_out_is_too_large(out), "the file", err);
	judge_left_out(emit, out->left_out);
	count_functions(emit, &out->list, out->symbols, &out->file);
	return true;
}

struct sections {
	struct ic_image_addition items[8];
	size_t count;
};

static void add_section(struct sections *sections, const char *name, const uint8_t *bytes,
			uint32_t size)
{
	if (size > 0)
		sections->items[sections->count++] =
			(struct ic_image_addition){ name, bytes, size };
}

static struct sections sections_of(const struct ic_emit *emit)
{
	const struct ic_units_out *out = &emit->out;
	const struct ic_dies_out *dies = &out->dies;
	struct sections sections = { .count = 0 };

	add_section(&sections, ".debug_info", dies->info.bytes.items, dies->info.bytes.count);
	add_section(&sections, ".debug_abbrev", dies->abbrev.bytes.items, dies->abbrev.bytes.count);
	add_section(&sections, ".debug_line", out->lines.line.bytes.items,
		    out->lines.line.bytes.count);
	add_section(&sections, ".debug_str", out->strings.bytes.items, out->strings.bytes.count);
	add_section(&sections, ".debug_line_str", out->lines.strings.bytes.items,
		    out->lines.strings.bytes.count);
	add_section(&sections, out->version >= 5 ? ".debug_rnglists" : ".debug_ranges",
		    out->ranges.bytes.items, out->ranges.bytes.count);
	add_section(&sections, ".debug_aranges", out->aranges.bytes.items,
		    out->aranges.bytes.count);
	add_section(&sections, ".debug_frame", emit->frames.bytes.items, emit->frames.bytes.count);
	return sections;
}

static bool make_debug_file(struct ic_emit *emit, uint32_t version, struct ic_error *err)
{
	if (!make_sections(emit, version, err))
		return false;
	struct sections sections = sections_of(emit);
	for (size_t i = 0; i < sections.count; i++)
		emit->counts.bytes += sections.items[i].size;
	emit->counts.functions = emit->out.functions;
	emit->counts.copies = emit->out.copies;
	return true;
}

static bool make_output(struct ic_emit *emit, uint32_t version, struct ic_error *err)
{
	bool ok = false;

	switch (emit->format) {
	case IC_EMIT_DWARF: ok = make_debug_file(emit, version, err); break;
	case IC_EMIT_GSYM:
	case IC_EMIT_GSYM_2: ok = make_gsym(emit, err); break;
	case IC_EMIT_BREAKPAD: ok = make_breakpad(emit, err); break;
	}
	return ok && (!emit->problems.out_of_memory || ic_fail_memory(err));
}

// ---- The public part

struct ic_emit *ic_emit_make(struct ic_image *image, const struct ic_emit_options *options,
			     struct ic_error *err)
{
	static const struct ic_emit_options defaults = { .version = DEFAULT_VERSION };
	struct ic_emit *emit = calloc(1, sizeof(*emit));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!options)
		options = &defaults;
	uint32_t version = options->version ? options->version : DEFAULT_VERSION;
	if (!emit) {
		ic_fail_memory(err);
		return NULL;
	}
	emit->image = image;
	emit->compression = options->compression;
	emit->format = options->format;
	if (version != 4 && version != 5)
		ic_fail(err, IC_ERROR_UNSUPPORTED, "cannot write DWARF %u, only 4 and 5",
			(unsigned)version);
	else if (options->compression > IC_EMIT_ZSTD)
		ic_fail(err, IC_ERROR_ARGUMENT, "unknown kind of compression");
	else if (options->format > IC_EMIT_BREAKPAD)
		ic_fail(err, IC_ERROR_ARGUMENT, "unknown format");
	else if (ic_image_is_relocatable(image))
		ic_fail(err, IC_ERROR_UNSUPPORTED,
			"%s: relocatable code has no addresses, and relocations cannot be written",
			ic_image_path(image));
	else if (read_units(emit, options->jobs, err) && make_output(emit, version, err))
		return emit;
	if (err->code == IC_ERROR_MEMORY)
		(void)ic_image_fail_memory(image, err);
	ic_emit_free(emit);
	return NULL;
}

void ic_emit_count(const struct ic_emit *emit, struct ic_emit_counts *counts)
{
	*counts = emit->counts;
}

bool ic_emit_problem_get(const struct ic_emit *emit, size_t number,
			 struct ic_index_problem *problem)
{
	// Nothing is added any more, so the array will not change.
	return ic_problems_get((struct ic_problems *)&emit->problems, number, problem);
}

static bool write_bytes(const struct ic_out *bytes, FILE *out, struct ic_error *err)
{
	return fwrite(bytes->bytes.items, 1, bytes->bytes.count, out) == bytes->bytes.count ||
	       ic_fail_system(err, "write", "output");
}

bool ic_emit_write(const struct ic_emit *emit, FILE *out, struct ic_error *err)
{
	static const enum ic_squeeze squeezes[] = { [IC_EMIT_PLAIN] = IC_SQUEEZE_NONE,
						    [IC_EMIT_ZLIB] = IC_SQUEEZE_ZLIB,
						    [IC_EMIT_ZSTD] = IC_SQUEEZE_ZSTD };
	struct sections sections = sections_of(emit);
	const struct ic_debug_contents contents = { .sections = sections.items,
						    .section_count = sections.count,
						    .squeeze = squeezes[emit->compression],
						    .symbols = emit->symbols.items,
						    .symbol_count = emit->symbols.count };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (emit->format != IC_EMIT_DWARF)
		return write_bytes(emit->format == IC_EMIT_BREAKPAD ? &emit->breakpad.file
								    : &emit->gsym.file,
				   out, err);
	// The debug file has what strip removed, and the section headers, too.
	const struct ic_elf_file *file = emit->image->has_debug_file ? &emit->image->debug_file
								     : &emit->image->file;

	return ic_debug_copy_write(file, &contents, out, err);
}

void ic_emit_free(struct ic_emit *emit)
{
	if (!emit)
		return;
	ic_units_out_free(&emit->out);
	ic_out_free(&emit->frames);
	ic_gsym_out_free(&emit->gsym);
	ic_breakpad_out_free(&emit->breakpad);
	IC_ARRAY_FREE(&emit->symbols);
	ic_scan_close(&emit->scan);
	ic_debug_release(emit->debug);
	IC_ARRAY_FREE(&emit->problems.list);
	ic_arena_free(&emit->index.arena);
	free(emit);
}
