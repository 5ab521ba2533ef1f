// Fuzzes the reading of units by one stream, one after another, in any order and in any way: whole,
// for some addresses, the root DIE with the line table, or a single function.
// Wanted: the same model and problems of the unit as from a new stream.
#include "fuzz_input.h"
#include "index/scan.h"
#include "model_check.h"
#include "read/function.h"
#include "read/lines.h"
#include "read/model.h"
#include "read/unit.h"
#include "tables/line_contexts.h"

enum { MOST_QUESTIONS = 48, MOST_WANTED = 3 };

enum question_kind { WHOLE, PARTIAL, ROOT, FUNCTION, KINDS };

struct question {
	enum question_kind kind;
	uint32_t unit;
	uint64_t die_off;            // of the function
	uint64_t addrs[MOST_WANTED]; // sorted
};

struct answer {
	bool opened;
	struct ic_unit_model model;
	struct ic_function function;
	uint32_t file_count, directory_count; // of the line table
	struct ic_reference reference;        // the last of them
	uint32_t reference_count;
};

struct setting {
	struct ic_scan scan;
	struct ic_index index;
	struct ic_range code;
	struct ic_requested_addrs *wanted; // by unit
	unsigned long long row_allowance;
	uint64_t random;
};

static uint64_t next_random(struct setting *setting)
{
	setting->random = setting->random * 6364136223846793005 + 1442695040888963407;
	return setting->random >> 33;
}

static int compare_addrs(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static struct question any_question(struct setting *setting)
{
	const struct ic_unit_list *list = &setting->scan.context.units;
	struct question question = {
		.kind = (enum question_kind)(next_random(setting) % KINDS),
		.unit = (uint32_t)(next_random(setting) % list->units.count),
	};
	const struct ic_unit *unit = &list->units.items[question.unit];

	question.die_off = unit->off + next_random(setting) % (unit->end_off - unit->off);
	for (int i = 0; i < MOST_WANTED; i++)
		question.addrs[i] = 0x1000 + next_random(setting) % 0x3000;
	qsort(question.addrs, MOST_WANTED, sizeof(*question.addrs), compare_addrs);
	return question;
}

static bool read_unit(struct ic_stream *stream, uint32_t unit)
{
	bool opened = ic_model_begin(stream, unit);

	if (opened)
		while (ic_unit_event(stream, ic_walk_step(&stream->walk))) {}
	ic_model_end(stream);
	return opened;
}

static bool read_root(struct ic_stream *stream, uint32_t unit, struct answer *answer)
{
	if (!ic_reader_open_root(&stream->reader, unit))
		return false;
	ic_unit_lines_read(&stream->reader);
	answer->file_count = stream->reader.lines.header.files.count;
	answer->directory_count = stream->reader.lines.header.directories.count;
	return true;
}

static bool read_function(struct ic_stream *stream, const struct question *question,
			  struct answer *answer)
{
	if (!ic_stream_open(stream, question->unit) || !stream->reader.table)
		return false;
	ic_function_follow(stream, &answer->function,
			   (struct ic_reference){ .off = ic_unit_global_off(stream->reader.unit,
									    question->die_off),
						  .unit = question->unit });
	return true;
}

static struct answer ask(struct setting *setting, struct ic_stream *stream,
			 const struct question *question)
{
	struct answer answer = { .function.scope = IC_NONE };
	struct ic_unit_model *model = &setting->index.units[question->unit];

	// Without what is kept elsewhere, and may depend on what was read.
	*model = (struct ic_unit_model){ .off = 0 };
	stream->references.count = 0;
	setting->scan.context.row_allowance = setting->row_allowance;
	setting->wanted[question->unit] =
		(struct ic_requested_addrs){ question->addrs,
					     question->kind == PARTIAL ? MOST_WANTED : 0 };
	switch (question->kind) {
	case WHOLE:
	case PARTIAL: answer.opened = read_unit(stream, question->unit); break;
	case ROOT: answer.opened = read_root(stream, question->unit, &answer); break;
	case FUNCTION: answer.opened = read_function(stream, question, &answer); break;
	case KINDS: break;
	}
	setting->wanted[question->unit].count = 0;
	PROMISE(!stream->reader.out_of_memory);
	answer.model = *model;
	if (question->kind == ROOT || question->kind == FUNCTION) {
		struct ic_problems problems = ic_reader_problems_take(&stream->reader);
		answer.model.problem_count = problems.list.count;
		answer.model.problems = ic_arena_copy(stream->reader.arena, problems.list.items,
						      problems.list.count,
						      sizeof(*problems.list.items));
		answer.model.function_count = 1;
		answer.model.functions = ic_arena_copy(stream->reader.arena, &answer.function, 1,
						       sizeof(answer.function));
		IC_ARRAY_FREE(&problems.list);
	}
	answer.reference_count = stream->references.count;
	if (answer.reference_count > 0)
		answer.reference = stream->references.items[answer.reference_count - 1];
	return answer;
}

static void check_same(const struct answer *used, const struct answer *fresh)
{
	PROMISE(used->opened == fresh->opened);
	model_check_same_unit(&used->model, &fresh->model);
	PROMISE(used->file_count == fresh->file_count);
	PROMISE(used->directory_count == fresh->directory_count);
	PROMISE(used->reference_count == fresh->reference_count);
	PROMISE(used->reference.off == fresh->reference.off);
	PROMISE(used->reference.unit == fresh->reference.unit);
	PROMISE(used->reference.number == fresh->reference.number);
	PROMISE(used->reference.links == fresh->reference.links);
	PROMISE(used->reference.is_scope == fresh->reference.is_scope);
}

static void ask_both(struct setting *setting, struct ic_stream *stream)
{
	const struct question question = any_question(setting);
	struct ic_stream other = { .reader = { .context = stream->reader.context,
					       .arena = stream->reader.arena } };
	struct answer used = ask(setting, stream, &question);
	struct answer fresh = ask(setting, &other, &question);

	check_same(&used, &fresh);
	ic_stream_free(&other);
}

// The root DIE of each unit is read once and kept, with its problems.
static void read_roots(struct setting *setting, struct ic_arena *arena)
{
	struct ic_read_context *context = &setting->scan.context;

	for (uint32_t i = 0; i < context->units.units.count; i++) {
		struct ic_reader reader = { .context = context, .arena = arena };
		(void)!ic_reader_open_root(&reader, i);
		ic_reader_free(&reader);
	}
}

static void ask_all(struct setting *setting)
{
	struct ic_read_context *context = &setting->scan.context;
	struct ic_arena arena = { .blocks = NULL };
	struct ic_stream stream = { .reader = { .context = context, .arena = &arena } };
	uint32_t count = context->units.units.count * 4;

	setting->row_allowance = context->row_allowance;
	setting->wanted = calloc(count + 1, sizeof(*setting->wanted));
	PROMISE(setting->wanted);
	context->wanted = setting->wanted;
	read_roots(setting, &arena);
	for (uint32_t i = 0; i < count && i < MOST_QUESTIONS; i++)
		ask_both(setting, &stream);
	ic_stream_free(&stream);
	ic_arena_free(&arena);
	free(setting->wanted);
}

static uint64_t hash(const uint8_t *data, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ data[i]) * 0x100000001b3; // FNV-1a
	return hash;
}

// The input is that of fuzz_dwarf; all of it determines the queries.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	const struct ic_read_options want = { .jobs = 1,
					      .calls = choice & 2,
					      .declarations = choice & 4,
					      .code_map = choice & 0x20 };
	struct ic_bytes sections[FUZZ_DWARF_SECTIONS];
	struct setting setting = { .code = { 0x1000, 0x9000 }, .random = hash(data, size) };
	struct ic_error err;

	fuzz_take_sections(&in, sections, FUZZ_DWARF_SECTIONS);
	struct ic_dwarf dwarf = fuzz_dwarf_of(sections, choice & 1), *dwarfs = &dwarf;
	if (choice & 0x40) {
		dwarf.source = &ic_unit_source_lines;
		dwarf.info = dwarf.line;
		dwarf.info_name = ".debug_line";
	}
	setting.index.code = (struct ic_range_set){ &setting.code, 1 };
	struct ic_problems problems = { .arena = &setting.index.arena };
	struct ic_debug *debug = ic_debug_of_sections(&dwarfs, 1, &err);
	PROMISE(debug);
	PROMISE(ic_scan_open(&setting.scan, &setting.index, debug, &want, &problems, &err));
	if (setting.index.unit_count > 0)
		ask_all(&setting);
	ic_scan_close(&setting.scan);
	ic_debug_release(debug);
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&setting.index.arena);
	fuzz_free_sections(sections, FUZZ_DWARF_SECTIONS);
	return 0;
}
