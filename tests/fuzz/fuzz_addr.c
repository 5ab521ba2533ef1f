// Fuzzes lookups by address in whole ELF files.
// Wanted: an error that says why, or a symbolizer. No more frames are written than fit, and their
// strings can be read. Many addresses at once have the frames that each has. If the file has no
// problems, these are those of an index of all of it: in the unit that answers, the innermost
// instance and those around it. The code of a source line is the same with any number of threads,
// and has the frames at its start. Parameters are only known of frames that exist.
#include <inlinecall/extra/lines.h>
#include <inlinecall/extra/locals.h>
#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/image.h>
#include <inlinecall/index.h>
#include <inlinecall/parameters.h>

#include "elf/image/image.h"
#include "fuzz_input.h"
#include "model/index.h"
#include "open_guard.h"

enum {
	MOST_ADDRS = 600,
	MOST_FRAMES = 64, // compared
	EARLY = 4,        // lookups of a symbolizer that has not read all headers yet
	MOST_SOURCES = 8, // lines looked up
};

struct addrs {
	uint64_t items[MOST_ADDRS];
	size_t count;
};

static void add(struct addrs *addrs, uint64_t addr)
{
	if (addrs->count < MOST_ADDRS)
		addrs->items[addrs->count++] = addr;
}

static void add_edges(struct addrs *addrs, uint64_t start, uint64_t end)
{
	add(addrs, start);
	add(addrs, end - 1);
	add(addrs, start - 1);
	add(addrs, end);
}

// ---- Frames from the index

static bool has(const struct ic_unit_model *unit, uint32_t number, uint64_t addr)
{
	const struct ic_instance *instance = &unit->instances[number];

	for (uint32_t i = 0; i < instance->range_count; i++) {
		const struct ic_range *range = &unit->ranges[instance->first_range + i];
		if (range->start <= addr && addr < range->end)
			return true;
	}
	return false;
}

// Whether an instance has an address in a range that begins in its host and stays in it up to the
// address.
static bool has_in_host(const struct ic_unit_model *unit, uint32_t number, uint32_t host,
			uint64_t addr)
{
	const struct ic_instance *instance = &unit->instances[number];
	const struct ic_instance *outer = &unit->instances[host];

	if (number == host || outer->kind != IC_INSTANCE_HOST)
		return has(unit, number, addr);
	for (uint32_t i = 0; i < instance->range_count; i++) {
		const struct ic_range *range = &unit->ranges[instance->first_range + i];
		uint64_t at = range->start;

		if (addr < range->start || addr >= range->end)
			continue;
		for (bool grown = true; grown && at <= addr;) { // as far as the host extends
			grown = false;
			for (uint32_t j = 0; j < outer->range_count; j++) {
				const struct ic_range *part = &unit->ranges[outer->first_range + j];
				if (part->start <= at && at < part->end) {
					at = part->end;
					grown = true;
				}
			}
		}
		if (at > addr)
			return true;
	}
	return false;
}

static uint32_t instance_at(const struct ic_unit_model *unit, uint64_t addr)
{
	uint32_t found = IC_NONE, found_host = IC_NONE, found_depth = 0;

	for (uint32_t i = 0; i < unit->instance_count; i++) {
		uint32_t host = i, depth = 0;
		for (; unit->instances[host].parent != IC_NONE; depth++)
			host = unit->instances[host].parent;
		if (!has_in_host(unit, i, host, addr))
			continue;
		if (found == IC_NONE || host < found_host ||
		    (host == found_host && depth > found_depth)) {
			found = i;
			found_host = host;
			found_depth = depth;
		}
	}
	return found;
}

static void same_text(const char *left, const char *right)
{
	PROMISE(left == right || (left && right && !strcmp(left, right)));
}

static bool is_chain_of(const struct ic_unit_model *unit, uint32_t instance,
			const struct ic_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (instance == IC_NONE)
			return false;
		const struct ic_instance *at = &unit->instances[instance];
		const struct ic_function *function =
			at->function != IC_NONE ? &unit->functions[at->function] : NULL;
		const char *name =
			function ? (function->name ? function->name : function->linkage_name)
				 : NULL;
		bool same_name = name ? frames[i].function && !strcmp(name, frames[i].function)
				      : !frames[i].function;
		// A host without a name has that of its symbol.
		bool is_named = !name && at->kind == IC_INSTANCE_HOST && frames[i].is_symbol;
		if ((!same_name && !is_named) || (!is_named && frames[i].start != at->entry) ||
		    frames[i].inlined != (at->kind == IC_INSTANCE_INLINED))
			return false;
		instance = at->parent;
	}
	return instance == IC_NONE;
}

// Some unit must have the same frames: if several have the address, their claims decide.
static void check_by_index(const struct ic_index *index, uint64_t addr,
			   const struct ic_frame *frames, size_t count)
{
	bool found = false;

	if (count == 0 || frames[0].is_symbol || (count == 1 && !frames[0].function))
		return;
	for (uint32_t i = 0; !found && i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		uint32_t instance = instance_at(unit, addr);
		found = instance != IC_NONE && is_chain_of(unit, instance, frames, count);
	}
	PROMISE(found);
}

// ---- Lookups

static void check_frame(const struct ic_frame *frame)
{
	if (frame->function)
		fuzz_read_text(frame->function, NULL);
	if (frame->linkage_name)
		fuzz_read_text(frame->linkage_name, NULL);
	if (frame->file)
		fuzz_read_text(frame->file, NULL);
	if (frame->decl_file)
		fuzz_read_text(frame->decl_file, NULL);
}

static bool same_place(const struct ic_frame *a, const struct ic_frame *b)
{
	return a->line == b->line && a->column == b->column && a->discriminator == b->discriminator;
}

static void check_same(const struct ic_frame *frames, size_t count, const struct ic_frame *others,
		       size_t other_count)
{
	PROMISE(count == other_count);
	for (size_t i = 0; i < count && i < MOST_FRAMES; i++) {
		const struct ic_frame *a = &frames[i], *b = &others[i];
		same_text(a->function, b->function);
		same_text(a->linkage_name, b->linkage_name);
		same_text(a->file, b->file);
		same_text(a->decl_file, b->decl_file);
		PROMISE(same_place(a, b) && a->decl_line == b->decl_line && a->start == b->start);
		PROMISE(a->inlined == b->inlined && a->is_symbol == b->is_symbol);
	}
}

static bool has_problems(struct ic_symbolizer *symbolizer)
{
	struct ic_index_problem problem;
	uint64_t count = 0;

	for (; ic_symbolizer_problem_get(symbolizer, count, &problem); count++)
		PROMISE(fuzz_read_text(problem.message, NULL) > 0);
	return count > 0;
}

struct stack {
	struct ic_frame frames[MOST_FRAMES];
	size_t count;
};

static void check_single(struct stack *stack, struct ic_symbolizer *symbolizer, uint64_t addr)
{
	struct ic_frame *frames = stack->frames;
	struct ic_symbolizer_symbol symbol;
	size_t count = ic_symbolizer_frames_at(symbolizer, addr, frames, MOST_FRAMES);

	stack->count = count;
	for (size_t i = 0; i < count && i < MOST_FRAMES; i++)
		check_frame(&frames[i]);
	for (size_t i = 0; i + 1 < count && i + 1 < MOST_FRAMES; i++)
		PROMISE(frames[i].inlined && !frames[i].is_symbol);
	if (ic_symbolizer_symbol_at(symbolizer, addr, &symbol))
		PROMISE(symbol.start <= addr && (symbol.start == symbol.end || addr < symbol.end));
}

// Frames that do not fit are counted, but not written.
static void check_capacity(struct ic_symbolizer *symbolizer, uint64_t addr)
{
	struct ic_frame frames[2];
	size_t count = ic_symbolizer_frames_at(symbolizer, addr, NULL, 0);

	frames[1].line = 0x5a5a;
	PROMISE(ic_symbolizer_frames_at(symbolizer, addr, frames, 1) == count);
	PROMISE(frames[1].line == 0x5a5a);
}

// Only for an undamaged file: in others, what is left out depends on what was read before.
static void compare(struct ic_symbolizer *symbolizer, const struct ic_stacks *stacks,
		    const struct addrs *addrs, const struct ic_index *index)
{
	struct ic_frame frames[MOST_FRAMES];

	for (size_t i = 0; i < addrs->count; i++) {
		size_t count =
			ic_symbolizer_frames_at(symbolizer, addrs->items[i], frames, MOST_FRAMES);
		struct ic_stack other;
		PROMISE(ic_stacks_get(stacks, i, &other));
		check_same(frames, count, other.frames, other.count);
		if (count <= MOST_FRAMES)
			check_by_index(index, addrs->items[i], frames, count);
	}
}

static void check_stacks(struct ic_symbolizer *symbolizer, struct ic_symbolizer *other,
			 const struct addrs *addrs, const struct ic_index *index)
{
	static struct stack early[EARLY];
	struct ic_error err = { 0 };
	struct ic_stacks *stacks = ic_stacks_find(other, addrs->items, addrs->count, &err);
	struct stack stack;

	PROMISE(stacks); // memory suffices
	for (size_t i = 0; i < addrs->count; i++) {
		struct ic_stack found;
		PROMISE(ic_stacks_get(stacks, i, &found));
		for (size_t j = 0; j < found.count && j < MOST_FRAMES; j++)
			check_frame(&found.frames[j]);
		check_single(i < EARLY ? &early[i] : &stack, symbolizer, addrs->items[i]);
	}
	for (size_t i = 0; i < addrs->count; i++)
		check_capacity(symbolizer, addrs->items[i]);
	bool is_sound = !has_problems(symbolizer) && !has_problems(other) && index &&
			index->problem_count == 0;
	if (is_sound)
		compare(symbolizer, stacks, addrs, index);
	for (size_t i = 0; is_sound && i < EARLY && i < addrs->count; i++)
		if (early[i].count <= MOST_FRAMES)
			check_by_index(index, addrs->items[i], early[i].frames, early[i].count);
	ic_stacks_free(stacks);
}

// ---- Lines

// Compares with the frames at an address of the place.
static void check_place_at(struct ic_symbolizer *symbolizer, const struct ic_line_place *place,
			   const struct ic_frame *frames, size_t count, uint64_t addr)
{
	struct ic_frame others[MOST_FRAMES];
	size_t other_count = ic_symbolizer_frames_at(symbolizer, addr, others, MOST_FRAMES);

	if (other_count > MOST_FRAMES || count > MOST_FRAMES)
		return;
	if (other_count == 0) { // only the line is known
		PROMISE(count == 1 && !frames[0].function && !frames[0].inlined);
		return;
	}
	if (place->range.start == place->range.end) {
		// The code there belongs to the next line: the frames begin with the function that
		// has the line, or with one of which only the line is known.
		size_t more = count == other_count + 1;
		PROMISE(!more || !frames[0].function);
		frames += more;
		count -= more;
		PROMISE(count <= other_count);
		memmove(others, others + (other_count - count), count * sizeof(*others));
		other_count = count;
	}
	if (count > 0) { // another row may be there
		others[0].file = frames[0].file;
		others[0].line = frames[0].line;
		others[0].column = frames[0].column;
		others[0].discriminator = frames[0].discriminator;
	}
	check_same(frames, count, others, other_count);
}

static void check_place(struct ic_symbolizer *symbolizer, const struct ic_line_place *place,
			const struct ic_frame *frames, size_t count, bool is_sound)
{
	PROMISE(place->range.start <= place->range.end);
	PROMISE(count > 0);
	for (size_t i = 0; i < count && i < MOST_FRAMES; i++)
		check_frame(&frames[i]);
	same_text(frames[0].file, place->file);
	PROMISE(frames[0].line == place->line && frames[0].column == place->column);
	if (!is_sound)
		return;
	check_place_at(symbolizer, place, frames, count, place->range.start);
	if (place->range.start < place->range.end)
		check_place_at(symbolizer, place, frames, count, place->range.end - 1);
}

static void check_line(struct ic_symbolizer *symbolizer, struct ic_symbolizer *other,
		       const char *file, uint32_t line, bool is_sound)
{
	struct ic_lines *lines = ic_lines_find(symbolizer, file, line, NULL);
	struct ic_lines *others = ic_lines_find(other, file, line, NULL);
	struct ic_line_place place, other_place = { .line = 0 };
	struct ic_frame frames[MOST_FRAMES];
	uint64_t last = 0;

	PROMISE(lines && others); // memory suffices
	if (is_sound) {
		PROMISE(ic_lines_count(lines) == ic_lines_count(others));
		PROMISE(ic_lines_next(lines) == ic_lines_next(others));
		PROMISE(ic_lines_has_file(lines) == ic_lines_has_file(others));
	}
	for (size_t i = 0; i < ic_lines_count(lines); i++) {
		size_t count = ic_lines_get(lines, i, &place, frames, MOST_FRAMES);
		PROMISE(place.line == line && last <= place.range.start);
		last = place.range.start;
		check_place(symbolizer, &place, frames, count, is_sound);
		if (!is_sound)
			continue;
		ic_lines_get(others, i, &other_place, NULL, 0);
		same_text(place.file, other_place.file);
		PROMISE(place.range.start == other_place.range.start &&
			place.range.end == other_place.range.end);
		PROMISE(place.column == other_place.column &&
			place.discriminator == other_place.discriminator &&
			place.is_stmt == other_place.is_stmt);
	}
	ic_lines_free(lines);
	ic_lines_free(others);
}

// Looks up lines that frames name.
static void check_lines(struct ic_symbolizer *symbolizer, struct ic_symbolizer *other,
			const struct addrs *addrs, const struct ic_index *index)
{
	struct ic_frame frame = { .file = NULL };
	uint32_t asked = 0, last = 0;

	for (size_t i = 0; i < addrs->count && asked < MOST_SOURCES; i++) {
		if (ic_symbolizer_frames_at(symbolizer, addrs->items[i], &frame, 1) == 0 ||
		    !frame.file || frame.line == 0 || frame.line == last)
			continue;
		const char *slash = strrchr(frame.file, '/');
		bool is_sound = !has_problems(symbolizer) && !has_problems(other) && index &&
				index->problem_count == 0;
		last = frame.line;
		check_line(symbolizer, other, asked & 1 && slash ? slash + 1 : frame.file, last,
			   is_sound);
		asked++;
	}
	check_line(symbolizer, other, "a.c", 1, false);
}

enum { MOST_LOCALS = 8 }; // addresses whose variables are read

static void check_texts(const struct ic_local *local)
{
	PROMISE(!local->function || strlen(local->function) < SIZE_MAX);
	PROMISE(!local->name || strlen(local->name) < SIZE_MAX);
	PROMISE(!local->decl_file || strlen(local->decl_file) > 0);
}

static void check_locals(struct ic_symbolizer *symbolizer, const struct addrs *addrs)
{
	for (size_t i = 0; i < addrs->count && i < MOST_LOCALS; i++) {
		struct ic_locals *locals = ic_locals_find(symbolizer, addrs->items[i], NULL);
		const struct ic_local *list;

		PROMISE(locals);
		for (size_t j = ic_locals_get(locals, &list); j-- > 0;)
			check_texts(&list[j]);
		ic_locals_free(locals);
		struct ic_local variable;
		if (ic_variable_at(symbolizer, addrs->items[i], &variable))
			check_texts(&variable);
	}
}

enum { MOST_PARAMETERS = 8 }; // addresses whose frames' parameters are read

static void check_parameter(const struct ic_parameter *parameter)
{
	if (parameter->name)
		fuzz_read_text(parameter->name, NULL);
	if (parameter->type)
		fuzz_read_text(parameter->type, NULL);
	for (size_t i = 0; i < parameter->list_count; i++)
		PROMISE(fuzz_read_text(parameter->list[i].expression, NULL) > 0 ||
			parameter->list[i].location.kind == IC_LOCATION_UNAVAILABLE);
}

// The frame after the last one has none.
static void check_frame_parameters(struct ic_parameters *parameters, uint64_t addr, size_t count)
{
	const struct ic_parameter *list;
	struct ic_error err = { 0 };

	for (size_t i = 0; i <= count && i < MOST_FRAMES; i++) {
		if (!ic_parameters_find_frame(parameters, addr, i, &err)) {
			PROMISE_REASON(err);
			continue;
		}
		bool is_known = ic_parameters_is_known(parameters);
		PROMISE(!is_known || i < count);
		size_t found = ic_parameters_list(parameters, &list);
		PROMISE(is_known || found == 0);
		while (found-- > 0)
			check_parameter(&list[found]);
	}
}

static void check_parameters(struct ic_symbolizer *symbolizer, const struct addrs *addrs)
{
	const struct ic_parameters_options options = {
		.lists = true, .strings = true, .variables = true, .members = "a,n->n,[0],*"
	};
	struct ic_parameters *parameters = ic_parameters_open_frames(symbolizer, &options, NULL);

	PROMISE(parameters);
	for (size_t i = 0; i < addrs->count && i < MOST_PARAMETERS; i++)
		check_frame_parameters(
			parameters, addrs->items[i],
			ic_symbolizer_frames_at(symbolizer, addrs->items[i], NULL, 0));
	ic_parameters_free(parameters);
}

// ---- The file

static void list_addrs(struct addrs *addrs, struct ic_image *image, const struct ic_index *index,
		       const uint8_t *data, size_t size)
{
	const struct ic_elf_file *file = ic_image_dwarf_file(image);

	addrs->count = 0;
	for (uint32_t i = 0; index && i < index->unit_count; i++)
		for (uint32_t j = 0; j < index->units[i].range_count; j++)
			if (addrs->count < MOST_ADDRS / 2)
				add_edges(addrs, index->units[i].ranges[j].start,
					  index->units[i].ranges[j].end);
	for (uint32_t i = 0; i < 8 && 8 * (i + 1) <= size; i++) { // off the end of the input
		uint64_t addr;
		memcpy(&addr, data + size - 8 * (i + 1), sizeof(addr));
		add(addrs, addr);
		add(addrs, addr & 0xffff);
	}
	for (uint32_t i = 0; i < file->section_count; i++)
		if (ic_section_is_loaded(&file->sections[i]))
			add_edges(addrs, file->sections[i].addr,
				  file->sections[i].addr + file->sections[i].size);
}

static struct ic_symbolizer *make_symbolizer(struct ic_image *image, uint32_t jobs)
{
	const struct ic_symbolizer_options options = { .jobs = jobs };
	struct ic_error err = { 0 };
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(image, &options, &err);

	if (!symbolizer)
		PROMISE_REASON(err);
	return symbolizer;
}

static void check_image(struct ic_image *image, const uint8_t *data, size_t size)
{
	static struct addrs addrs;
	const struct ic_index_options options = { .jobs = 1 };
	struct ic_error err = { 0 };
	struct ic_symbolizer *symbolizer = make_symbolizer(image, 1);
	struct ic_index *index = ic_index_build(image, &options, &err);
	struct ic_symbolizer *other = make_symbolizer(image, 2);

	if (!index)
		PROMISE_REASON(err);
	if (symbolizer && other) {
		list_addrs(&addrs, image, index, data, size);
		check_stacks(symbolizer, other, &addrs, index);
		check_lines(symbolizer, other, &addrs, index);
		check_locals(symbolizer, &addrs);
		check_parameters(symbolizer, &addrs);
	}
	ic_symbolizer_free(symbolizer);
	ic_symbolizer_free(other);
	ic_index_free(index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const nowhere[] = { "/nonexistent" };
	const struct ic_image_options options = { .debug_dirs = nowhere,
						  .debug_dir_count = 1,
						  .allow_no_debug = true };
	struct ic_error err = { 0 };
	struct ic_image *image = ic_image_open(open_guard_put(data, size), &options, &err);

	if (image)
		check_image(image, data, size);
	else
		PROMISE_REASON(err);
	ic_image_free(image);
	return 0;
}
