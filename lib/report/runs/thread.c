// The rows of the stacks of threads.
#include <stdlib.h>
#include <string.h>

#include "report/runs/thread.h"

#include <inlinecall/extra/backtrace.h>

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }

static const struct ic_field argument_fields[] = {
	FIELD(ic_row_argument, name,  TEXT),
	FIELD(ic_row_argument, type,  TEXT),
	FIELD(ic_row_argument, value, TEXT),
	FIELD(ic_row_argument, how,   TEXT),
};

static const struct ic_schema argument_schema = {
	argument_fields, sizeof(argument_fields) / sizeof(*argument_fields),
	sizeof(struct ic_row_argument)
};

#define FRAME_FIELDS                                   \
	FIELD(ic_row_thread_frame, address,      OFFSET),  \
	FIELD(ic_row_thread_frame, module,       TEXT),    \
	FIELD(ic_row_thread_frame, function,     TEXT),    \
	FIELD(ic_row_thread_frame, linkage_name, TEXT),    \
	FIELD(ic_row_thread_frame, offset,       BYTES),   \
	FIELD(ic_row_thread_frame, file,         TEXT),    \
	FIELD(ic_row_thread_frame, line,         NUMBER),  \
	FIELD(ic_row_thread_frame, column,       NUMBER),  \
	FIELD(ic_row_thread_frame, inlined,      FLAG),    \
	FIELD(ic_row_thread_frame, found,        TEXT),    \
	FIELD(ic_row_thread_frame, signal,       FLAG),    \
	FIELD(ic_row_thread_frame, callee,       TEXT),    \
	FIELD(ic_row_thread_frame, jit,          FLAG)

static const struct ic_field frame_fields[] = { FRAME_FIELDS };

const struct ic_schema ic_thread_frame_schema = {
	frame_fields, sizeof(frame_fields) / sizeof(*frame_fields), sizeof(struct ic_row_thread_frame)
};

static const struct ic_field argued_fields[] = {
	FRAME_FIELDS,
	{ "arguments", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_row_thread_frame, arguments),
	  offsetof(struct ic_row_thread_frame, argument_count), &argument_schema },
	{ "variables", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_row_thread_frame, variables),
	  offsetof(struct ic_row_thread_frame, variable_count), &argument_schema },
};

static const struct ic_schema argued_schema = {
	argued_fields, sizeof(argued_fields) / sizeof(*argued_fields) - 1, sizeof(struct ic_row_thread_frame)
};
static const struct ic_schema whole_schema = { // with variables
	argued_fields, sizeof(argued_fields) / sizeof(*argued_fields), sizeof(struct ic_row_thread_frame)
};

static const struct ic_field other_fields[] = {
	FIELD(ic_row_other_thread, core, TEXT),
	FIELD(ic_row_other_thread, tid,  BYTES),
	FIELD(ic_row_other_thread, goroutine, BYTES),
};

static const struct ic_schema other_schema = {
	other_fields, sizeof(other_fields) / sizeof(*other_fields), sizeof(struct ic_row_other_thread)
};

#define THREAD_FIELDS(schema)                                                    \
	FIELD(ic_thread_row, type,   TEXT),                                          \
	FIELD(ic_thread_row, core,   TEXT),                                          \
	FIELD(ic_thread_row, pid,    BYTES),                                         \
	FIELD(ic_thread_row, tid,    BYTES),                                         \
	FIELD(ic_thread_row, name,   TEXT),                                          \
	FIELD(ic_thread_row, goroutine, BYTES),                                      \
	FIELD(ic_thread_row, state,  TEXT),                                          \
	FIELD(ic_thread_row, signal, BYTES),                                         \
	{ "frames", IC_FIELD_LIST, offsetof(struct ic_thread_row, frames),           \
	  offsetof(struct ic_thread_row, frame_count), &(schema) },                  \
	FIELD(ic_thread_row, end,    TEXT),                                          \
	{ "others", IC_FIELD_LIST, offsetof(struct ic_thread_row, others),           \
	  offsetof(struct ic_thread_row, other_count), &other_schema }

static const struct ic_field fields[] = { THREAD_FIELDS(ic_thread_frame_schema) };
static const struct ic_field fields_with_arguments[] = { THREAD_FIELDS(argued_schema) };
static const struct ic_field fields_with_variables[] = { THREAD_FIELDS(whole_schema) };

#define SCHEMA(fields) { fields, sizeof(fields) / sizeof(*fields), sizeof(struct ic_thread_row) }

static const struct ic_schema schema = SCHEMA(fields),
			      schema_with_arguments = SCHEMA(fields_with_arguments),
			      schema_with_variables = SCHEMA(fields_with_variables);

struct flat_row { // a line of a table: one per frame, or one for a thread without frames
	struct ic_thread_row thread;
	uint32_t number; // of the frame, 0 for the innermost
	struct ic_row_thread_frame frame;
	const char *inlined, *jit; // "true", "false", or NULL if there is no frame
};

#define FLAT(key, type, field) { key, IC_FIELD_##type, offsetof(struct flat_row, field), 0, NULL }

static const struct ic_field flat_fields[] = {
	FLAT("type",         TEXT,    thread.type),
	FLAT("core",         TEXT,    thread.core),
	FLAT("pid",          BYTES,   thread.pid),
	FLAT("tid",          BYTES,   thread.tid),
	FLAT("name",         TEXT,    thread.name),
	FLAT("goroutine",    BYTES,   thread.goroutine),
	FLAT("state",        TEXT,    thread.state),
	FLAT("signal",       BYTES,   thread.signal),
	FLAT("frame",        NUMBER,  number),
	FLAT("address",      ADDRESS, frame.address),
	FLAT("module",       TEXT,    frame.module),
	FLAT("function",     TEXT,    frame.function),
	FLAT("linkage_name", TEXT,    frame.linkage_name),
	FLAT("offset",       BYTES,   frame.offset),
	FLAT("source",       TEXT,    frame.file),
	FLAT("line",         COUNT,   frame.line),
	FLAT("column",       COUNT,   frame.column),
	FLAT("inlined",      TEXT,    inlined),
	FLAT("found",        TEXT,    frame.found),
	FLAT("callee",       TEXT,    frame.callee),
	FLAT("jit",          TEXT,    jit),
	FLAT("end",          TEXT,    thread.end),
};

static const struct ic_schema flat_schema = { flat_fields,
					      sizeof(flat_fields) / sizeof(*flat_fields),
					      sizeof(struct flat_row) };
// clang-format on

static const struct ic_schema *schema_of(const void *data)
{
	const struct ic_thread_row *row = data;

	return row->has_variables   ? &schema_with_variables
	       : row->has_arguments ? &schema_with_arguments
				    : &schema;
}

static void split_row(const void *data, ic_line_function *line, void *context)
{
	const struct ic_thread_row *thread = data;
	struct flat_row row = { .thread = *thread,
				.frame = { .address = IC_NO_ADDR, .offset = IC_NO_ADDR } };

	do {
		if (row.number < thread->frame_count) {
			row.frame = thread->frames[row.number];
			row.inlined = row.frame.inlined ? "true" : "false";
			row.jit = row.frame.jit ? "true" : "false";
		}
		line(context, &flat_schema, &row);
	} while (++row.number < thread->frame_count);
}

static const struct ic_schema *const thread_schemas[] = { &schema, &schema_with_arguments,
							  &schema_with_variables, NULL };

const struct ic_row_type ic_thread_row_type = { IC_ROWS_THREADS, &flat_schema, thread_schemas,
						schema_of, split_row };

struct member {                      // a thread
	uint32_t backtraces, number; // the index of the backtraces, and of the thread in them
	uint64_t hash;               // of its stack
};

struct thread_rows {
	struct ic_rows rows; // must be first
	const struct ic_backtraces **list;
	size_t list_count;
	IC_ARRAY(struct member) all; // in input order
	// The same, sorted so that equal stacks are adjacent. `firsts` has the starts of the
	// groups, and the end of the last.
	IC_ARRAY(struct member) members;
	IC_ARRAY(uint32_t) firsts;
	struct ic_thread_row row;
	IC_ARRAY(struct ic_row_thread_frame) frames;
	IC_ARRAY(struct ic_row_argument) arguments; // and variables, of all frames, concatenated
	IC_ARRAY(struct ic_row_other_thread) others;
};

static struct ic_backtrace_thread get_thread(const struct thread_rows *rows,
					     const struct member *member)
{
	struct ic_backtrace_thread thread;

	ic_backtraces_get(rows->list[member->backtraces], member->number, &thread);
	return thread;
}

// ---- Groups

// Identifies the place of a frame, independent of where its file was loaded; by address if no file
// is known.
static uint64_t place_of(const struct ic_backtrace_frame *frame)
{
	return frame->module_addr != IC_NO_ADDR ? frame->module_addr : frame->address;
}

static bool is_same_frame(const struct ic_backtrace_frame *a, const struct ic_backtrace_frame *b)
{
	const char *module = a->module ? a->module : "", *other = b->module ? b->module : "";

	return a->number == b->number && place_of(a) == place_of(b) &&
	       (a->module_addr == IC_NO_ADDR) == (b->module_addr == IC_NO_ADDR) &&
	       strcmp(module, other) == 0;
}

// Whether two are threads, or goroutines in the same state.
static bool is_same_state(const struct ic_target_thread *a, const struct ic_target_thread *b)
{
	return a->state && b->state ? strcmp(a->state, b->state) == 0 : a->state == b->state;
}

static bool is_same_stack(const struct ic_backtrace_thread *a, const struct ic_backtrace_thread *b)
{
	if (a->frame_count != b->frame_count || a->end != b->end ||
	    !is_same_state(&a->thread, &b->thread))
		return false;
	for (size_t i = 0; i < a->frame_count; i++)
		if (!is_same_frame(&a->frames[i], &b->frames[i]))
			return false;
	return true;
}

// Equal for equal stacks.
static uint64_t hash_stack(const struct ic_backtrace_thread *thread)
{
	uint64_t hash = thread->frame_count;

	for (size_t i = 0; i < thread->frame_count; i++)
		hash = (hash ^ place_of(&thread->frames[i])) * 0x100000001b3;
	return hash;
}

static bool add_member(struct thread_rows *rows, struct member member)
{
	struct member *slot = IC_ARRAY_PUSH(&rows->members);

	if (slot)
		*slot = member;
	return slot;
}

static bool begin_group(struct thread_rows *rows)
{
	uint32_t *slot = IC_ARRAY_PUSH(&rows->firsts);

	if (slot)
		*slot = rows->members.count;
	return slot;
}

static bool list_threads(struct thread_rows *rows, bool group)
{
	struct ic_backtrace_thread thread;

	for (uint32_t i = 0; i < rows->list_count; i++) {
		struct member member = { .backtraces = i };
		for (; ic_backtraces_get(rows->list[i], member.number, &thread); member.number++) {
			struct member *slot = IC_ARRAY_PUSH(&rows->all);
			if (!slot)
				return false;
			member.hash = group ? hash_stack(&thread) : 0;
			*slot = member;
		}
	}
	return true;
}

// Adds the later threads with the same stack as this one. Time: O(n) for n threads.
static bool add_group(struct thread_rows *rows, uint32_t first, bool *is_listed)
{
	const struct member *all = rows->all.items;
	struct ic_backtrace_thread one = get_thread(rows, &all[first]);

	for (uint32_t i = first + 1; i < rows->all.count; i++) {
		if (is_listed[i] || all[i].hash != all[first].hash)
			continue;
		struct ic_backtrace_thread other = get_thread(rows, &all[i]);
		is_listed[i] = is_same_stack(&one, &other);
		if (is_listed[i] && !add_member(rows, all[i]))
			return false;
	}
	return true;
}

static bool make_groups(struct thread_rows *rows, bool group)
{
	if (!list_threads(rows, group))
		return false;
	bool *is_listed = ic_items_zeroed(rows->all.count + 1ull, sizeof(*is_listed));
	bool ok = is_listed;
	for (uint32_t i = 0; ok && i < rows->all.count; i++)
		if (!is_listed[i])
			ok = begin_group(rows) && add_member(rows, rows->all.items[i]) &&
			     (!group || add_group(rows, i, is_listed));
	rows->rows.count = rows->firsts.count;
	free(is_listed);
	return ok && begin_group(rows);
}

// ---- Rows

static const char *how_word(enum ic_unwind_how how)
{
	switch (how) {
	case IC_UNWIND_GIVEN: return "given";
	case IC_UNWIND_CALL_FRAMES: return "call_frames";
	case IC_UNWIND_FRAME_POINTER: return "frame_pointer";
	case IC_UNWIND_CALL: return "call";
	case IC_UNWIND_CODE: return "code";
	case IC_UNWIND_TAIL_CALL: return "tail_call";
	}
	return NULL;
}

void ic_row_frame_fill(struct ic_row_thread_frame *frame, struct ic_filler *filler,
		       const struct ic_backtrace_frame *from)
{
	const char *mangled = from->frame.linkage_name ? from->frame.linkage_name : from->symbol;

	*frame = (struct ic_row_thread_frame){
		.address = from->address,
		.module = from->module && *from->module ? ic_filler_path(filler, from->module)
							: NULL,
		.function = from->frame.function ? from->frame.function : from->symbol,
		.linkage_name = from->frame.linkage_name,
		.offset = from->symbol ? from->symbol_offset : IC_NO_ADDR,
		.file = ic_filler_path(filler, from->frame.file),
		.line = from->frame.line,
		.column = from->frame.column,
		.inlined = from->frame.inlined,
		.found = how_word(from->how),
		.signal = from->is_signal,
		.callee = from->callee,
		.jit = from->is_jit,
		.module_addr = from->module_addr,
		.number = from->number,
		.how = from->how,
	};
	if (filler->options.demangle && from->frame.display_name) {
		frame->function = from->frame.display_name;
	} else if (filler->options.demangle && mangled &&
		   (from->frame.linkage_name || !from->frame.inlined)) {
		const char *name = ic_names_demangled(&filler->names, mangled);
		if (name != mangled)
			frame->function = name;
	}
}

static struct ic_row_argument argument_row(const struct ic_backtrace_argument *from)
{
	return (struct ic_row_argument){
		.name = from->name,
		.type = from->type,
		.value = from->value,
		.how = from->how,
		.is_entry_value = from->how && strcmp(from->how, "entry_value") == 0,
	};
}

// Adds arguments or variables, for which there is room; NULL for NULL.
static const struct ic_row_argument *add_list(struct thread_rows *rows,
					      const struct ic_backtrace_argument *list,
					      size_t count)
{
	const struct ic_row_argument *first = rows->arguments.items + rows->arguments.count;

	for (size_t i = 0; i < count; i++)
		rows->arguments.items[rows->arguments.count++] = argument_row(&list[i]);
	return list ? first : NULL;
}

// Fills in the arguments and variables of all frames of a row. False if memory runs out.
static bool fill_arguments(struct thread_rows *rows, const struct ic_backtrace_thread *thread)
{
	size_t count = 0;

	for (size_t i = 0; i < thread->frame_count; i++)
		count += thread->frames[i].argument_count + thread->frames[i].variable_count;
	if (!IC_ARRAY_RESERVE(&rows->arguments, count + 1))
		return false;
	rows->arguments.count = 0;
	for (size_t i = 0; i < thread->frame_count; i++) {
		const struct ic_backtrace_frame *from = &thread->frames[i];
		struct ic_row_thread_frame *frame = &rows->frames.items[i];

		frame->arguments = add_list(rows, from->arguments, from->argument_count);
		frame->argument_count = from->argument_count;
		frame->variables = add_list(rows, from->variables, from->variable_count);
		frame->variable_count = from->variable_count;
	}
	return true;
}

static struct ic_row_other_thread other_of(const struct ic_target_thread *thread)
{
	return (struct ic_row_other_thread){
		.core = thread->core,
		.tid = thread->goroutine ? IC_NO_ADDR : thread->tid,
		.goroutine = thread->goroutine ? thread->goroutine : IC_NO_ADDR,
	};
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct thread_rows *rows = (struct thread_rows *)common;
	const struct member *members = rows->members.items + rows->firsts.items[number];
	uint32_t count = rows->firsts.items[number + 1] - rows->firsts.items[number];
	struct ic_backtrace_thread thread = get_thread(rows, members);

	if (!IC_ARRAY_RESERVE(&rows->frames, thread.frame_count + 1) ||
	    !IC_ARRAY_RESERVE(&rows->others, count))
		return NULL;
	for (size_t i = 0; i < thread.frame_count; i++)
		ic_row_frame_fill(&rows->frames.items[i], &common->filler, &thread.frames[i]);
	if (!fill_arguments(rows, &thread))
		return NULL;
	for (uint32_t i = 1; i < count; i++) {
		const struct ic_backtrace_thread other = get_thread(rows, &members[i]);
		rows->others.items[i - 1] = other_of(&other.thread);
	}
	const struct ic_row_other_thread own = other_of(&thread.thread);
	rows->row = (struct ic_thread_row){
		.type = thread.thread.goroutine ? "goroutine" : "thread",
		.core = thread.thread.core,
		.pid = thread.thread.pid,
		.tid = own.tid,
		.name = thread.thread.name,
		.goroutine = own.goroutine,
		.state = thread.thread.state,
		.signal = thread.thread.signal ? thread.thread.signal : IC_NO_ADDR,
		.frames = rows->frames.items,
		.frame_count = thread.frame_count,
		.end = thread.end_text,
		.others = rows->others.items,
		.other_count = count - 1,
		.end_kind = thread.end,
		.has_arguments = ic_backtraces_have_arguments(rows->list[members->backtraces]),
		.has_variables = ic_backtraces_have_variables(rows->list[members->backtraces]),
		.has_cores = rows->list_count > 1 && thread.thread.core,
		.is_processor = thread.thread.is_processor,
	};
	return &rows->row;
}

static void free_rows(struct ic_rows *common)
{
	struct thread_rows *rows = (struct thread_rows *)common;

	free(rows->list);
	IC_ARRAY_FREE(&rows->all);
	IC_ARRAY_FREE(&rows->members);
	IC_ARRAY_FREE(&rows->firsts);
	IC_ARRAY_FREE(&rows->frames);
	IC_ARRAY_FREE(&rows->arguments);
	IC_ARRAY_FREE(&rows->others);
}

struct ic_rows *ic_rows_of_backtraces(const struct ic_backtraces *const *list, size_t count,
				      bool group, const struct ic_row_options *options,
				      struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct thread_rows), &ic_thread_row_type, options, err);
	struct thread_rows *rows = (struct thread_rows *)common;

	if (!rows)
		return NULL;
	common->make = make_row;
	common->deinit = free_rows;
	rows->list = ic_items_alloc(count + 1, sizeof(*rows->list));
	for (; rows->list && rows->list_count < count; rows->list_count++)
		rows->list[rows->list_count] = list[rows->list_count];
	if (rows->list && make_groups(rows, group))
		return common;
	ic_rows_free(common);
	if (err)
		ic_fail_memory(err);
	return NULL;
}
