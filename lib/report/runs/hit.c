// The rows of traced calls, and what all rows of a trace share about a copy.
#include "report/runs/hit.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "report/rows/entry.h"
#include "report/runs/thread.h"

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }

static const struct ic_field copy_fields[] = {
	FIELD(ic_row_copy, entry,       OFFSET),
	FIELD(ic_row_copy, source,      TEXT),
	FIELD(ic_row_copy, line,        COUNT),
	FIELD(ic_row_copy, column,      COUNT),
	FIELD(ic_row_copy, inlined,     FLAG),
	FIELD(ic_row_copy, call_file,   TEXT),
	FIELD(ic_row_copy, call_line,   COUNT),
	FIELD(ic_row_copy, call_column, COUNT),
	FIELD(ic_row_copy, host,        TEXT),
	{ "chain", IC_FIELD_LIST, offsetof(struct ic_row_copy, chain),
	  offsetof(struct ic_row_copy, chain_count), &ic_chain_schema },
	FIELD(ic_row_copy, symbol,      TEXT),
	FIELD(ic_row_copy, counted_elsewhere, FLAG),
	IC_DOUBT_FIELDS(ic_row_copy),
};

enum { DOUBTS = 3 }; // the number of fields that only copies with counts have

static const struct ic_schema copy_schema = { copy_fields,
					      sizeof(copy_fields) / sizeof(*copy_fields) - DOUBTS,
					      sizeof(struct ic_row_copy) };
const struct ic_schema ic_row_counted_copy_schema = {
	copy_fields, sizeof(copy_fields) / sizeof(*copy_fields), sizeof(struct ic_row_copy)
};

static const struct ic_field argument_fields[] = {
	FIELD(ic_row_traced, name,  TEXT),
	FIELD(ic_row_traced, type,  TEXT),
	FIELD(ic_row_traced, value, TEXT),
	FIELD(ic_row_traced, text,  TEXT),
	FIELD(ic_row_traced, why,   TEXT),
};

static const struct ic_schema argument_schema = {
	argument_fields, sizeof(argument_fields) / sizeof(*argument_fields),
	sizeof(struct ic_row_traced)
};
static const struct ic_schema value_schema = { // without a name
	argument_fields + 1, sizeof(argument_fields) / sizeof(*argument_fields) - 1,
	sizeof(struct ic_row_traced)
};

#define HEAD                                      \
	FIELD(ic_hit_row, type,         TEXT),    \
	FIELD(ic_hit_row, file,         TEXT),    \
	FIELD(ic_hit_row, time,         BYTES),   \
	FIELD(ic_hit_row, wall,         BYTES),   \
	FIELD(ic_hit_row, pid,          BYTES),   \
	FIELD(ic_hit_row, tid,          BYTES),   \
	FIELD(ic_hit_row, cpu,          BYTES),   \
	FIELD(ic_hit_row, command,      TEXT),    \
	FIELD(ic_hit_row, function,     TEXT),    \
	FIELD(ic_hit_row, linkage_name, TEXT)

static const struct ic_field fields[] = {
	HEAD,
	{ "copy", IC_FIELD_OBJECT, offsetof(struct ic_hit_row, copy), 0, &copy_schema },
	{ "arguments", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_hit_row, arguments),
	  offsetof(struct ic_hit_row, argument_count), &argument_schema },
	{ "variables", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_hit_row, variables),
	  offsetof(struct ic_hit_row, variable_count), &argument_schema },
	{ "callers", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_hit_row, callers),
	  offsetof(struct ic_hit_row, caller_count), &ic_thread_frame_schema },
	{ "stack", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_hit_row, stack),
	  offsetof(struct ic_hit_row, stack_count), &ic_thread_frame_schema },
	FIELD(ic_hit_row, stack_end, TEXT),
};

static const struct ic_schema schema = {
	fields, sizeof(fields) / sizeof(*fields) - 2, sizeof(struct ic_hit_row)
};
static const struct ic_schema stack_schema = {
	fields, sizeof(fields) / sizeof(*fields), sizeof(struct ic_hit_row)
};

static const struct ic_field exit_fields[] = {
	HEAD,
	{ "copy", IC_FIELD_OBJECT, offsetof(struct ic_hit_row, copy), 0, &copy_schema },
	FIELD(ic_hit_row, exit,     TEXT),
	FIELD(ic_hit_row, duration, BYTES),
	{ "result", IC_FIELD_OBJECT, offsetof(struct ic_hit_row, result), 0, &value_schema },
};

static const struct ic_schema exit_schema = {
	exit_fields, sizeof(exit_fields) / sizeof(*exit_fields) - 1, sizeof(struct ic_hit_row)
};
static const struct ic_schema result_schema = {
	exit_fields, sizeof(exit_fields) / sizeof(*exit_fields), sizeof(struct ic_hit_row)
};

struct flat_row { // a line of a table: one per argument, or one for a call without arguments
	struct ic_hit_row hit;
	const char *inlined; // "true" or "false"
	struct ic_row_traced argument;
	const char *duration; // a number, for an exit
};

#define FLAT(key, type, field) { key, IC_FIELD_##type, offsetof(struct flat_row, field), 0, NULL }

static const struct ic_field flat_fields[] = {
	FLAT("type",         TEXT,    hit.type),
	FLAT("file",         TEXT,    hit.file),
	FLAT("time",         BYTES,   hit.time),
	FLAT("wall",         BYTES,   hit.wall),
	FLAT("pid",          BYTES,   hit.pid),
	FLAT("tid",          BYTES,   hit.tid),
	FLAT("cpu",          BYTES,   hit.cpu),
	FLAT("command",      TEXT,    hit.command),
	FLAT("function",     TEXT,    hit.function),
	FLAT("linkage_name", TEXT,    hit.linkage_name),
	FLAT("entry",        ADDRESS, hit.copy.entry),
	FLAT("source",       TEXT,    hit.copy.source),
	FLAT("line",         COUNT,   hit.copy.line),
	FLAT("column",       COUNT,   hit.copy.column),
	FLAT("inlined",      TEXT,    inlined),
	FLAT("call_file",    TEXT,    hit.copy.call_file),
	FLAT("call_line",    COUNT,   hit.copy.call_line),
	FLAT("call_column",  COUNT,   hit.copy.call_column),
	FLAT("host",         TEXT,    hit.copy.host),
	FLAT("argument",     TEXT,    argument.name),
	FLAT("value",        TEXT,    argument.value),
	FLAT("text",         TEXT,    argument.text),
	FLAT("why",          TEXT,    argument.why),
	FLAT("exit",         TEXT,    hit.exit),
	FLAT("duration",     TEXT,    duration),
};
// clang-format on

static const struct ic_schema flat_schema = { flat_fields,
					      sizeof(flat_fields) / sizeof(*flat_fields),
					      sizeof(struct flat_row) };

static const struct ic_schema *schema_of(const void *row)
{
	const struct ic_hit_row *hit = row;

	if (hit->exit)
		return hit->has_result ? &result_schema : &exit_schema;
	return hit->has_stack ? &stack_schema : &schema;
}

static void split_row(const void *data, ic_line_function *line, void *context)
{
	const struct ic_hit_row *hit = data;
	struct flat_row row = { .hit = *hit, .inlined = hit->copy.inlined ? "true" : "false" };
	char duration[24];
	size_t number = 0, count = hit->argument_count + hit->variable_count;

	if (hit->exit) {
		snprintf(duration, sizeof(duration), "%" PRIu64, hit->duration);
		row.duration = duration;
		row.argument = hit->result;
	}
	do {
		if (number < count)
			row.argument = number < hit->argument_count
					       ? hit->arguments[number]
					       : hit->variables[number - hit->argument_count];
		line(context, &flat_schema, &row);
	} while (++number < count);
}

static const struct ic_schema *const hit_schemas[] = { &schema, &stack_schema, &exit_schema,
						       &result_schema, NULL };

const struct ic_row_type ic_hit_row_type = { IC_ROWS_HITS, &flat_schema, hit_schemas, schema_of,
					     split_row };

void ic_row_copy_names_fill(struct ic_filler *filler, const struct ic_sites *sites,
			    const struct ic_trace_copy *of, const char **function,
			    const char **linkage_name)
{
	struct ic_site site;

	ic_sites_get(sites, of->site, &site);
	*function = ic_filler_name(filler,
				   ic_site_function(sites->index, &sites->places.items[of->site]));
	*linkage_name = site.linkage_name;
}

bool ic_row_copy_fill(struct ic_row_copy *copy, struct ic_row_chain *chain,
		      struct ic_filler *filler, const struct ic_sites *sites,
		      const struct ic_trace_copy *of)
{
	const struct ic_site_place *place = &sites->places.items[of->site];
	struct ic_site site;

	ic_sites_get(sites, of->site, &site);
	chain->callers.count = 0;
	if (!site.has_only_entry && !ic_row_chain_fill(chain, filler, sites, place))
		return false;
	*copy = (struct ic_row_copy){
		.entry = of->addr,
		.source = ic_filler_path(filler, of->file),
		.line = of->line,
		.column = of->column,
		.inlined = site.kind == IC_SITE_INLINED,
		.call_file = ic_filler_path(filler, site.call_file),
		.call_line = site.call_line,
		.call_column = site.call_column,
		.host = ic_filler_name(filler, ic_site_host(sites->index, place)),
		.chain = chain->callers.items,
		.chain_count = chain->callers.count,
		.symbol = ic_filler_symbol(filler, (struct ic_range){ of->addr, of->addr + 1 },
					   ic_filler_symbol_of(site.host, site.host_linkage_name)),
		.counted_elsewhere = of->is_counted_elsewhere,
	};
	return true;
}

struct hit_rows {
	struct ic_rows rows; // must be first
	struct ic_trace *trace;
	struct ic_hit_row row;
	struct ic_row_chain chain;
	IC_ARRAY(struct ic_row_traced) arguments;
	struct ic_modules *modules;       // NULL if stacks are not requested
	struct ic_backtraces *backtraces; // of the last row
	IC_ARRAY(struct ic_row_thread_frame) frames;
	struct ic_symbolizer *symbolizer; // of callers; NULL until there is one
	IC_ARRAY(struct ic_frame) found;
	IC_ARRAY(struct ic_row_thread_frame) callers;
	struct ic_error err;  // why there is no stack
	uint64_t wall_offset; // of CLOCK_REALTIME from CLOCK_MONOTONIC
};

static struct ic_row_traced traced_row(const struct ic_trace_argument *argument,
				       const struct ic_trace_value *value)
{
	return (struct ic_row_traced){ .name = argument->name,
				       .type = argument->type,
				       .value = value->number,
				       .text = value->text,
				       .why = value->why };
}

static bool fill_arguments(struct hit_rows *rows, const struct ic_trace_copy *copy,
			   const struct ic_trace_hit *hit)
{
	size_t before = 0; // the first variable

	rows->arguments.count = 0;
	if (!copy->arguments)
		return true;
	for (size_t i = 0; i < copy->argument_count; i++) {
		struct ic_row_traced *argument = IC_ARRAY_PUSH(&rows->arguments);
		if (!argument)
			return false;
		*argument = traced_row(&copy->arguments[i], &hit->values[i]);
		before += !copy->arguments[i].is_variable;
	}
	// An empty list is not NULL.
	static const struct ic_row_traced none = { .name = NULL };
	rows->row.arguments = before > 0 ? rows->arguments.items : &none;
	rows->row.argument_count = before;
	rows->row.variable_count = rows->arguments.count - before;
	if (copy->file)
		rows->row.variables = rows->row.variable_count > 0 ? rows->arguments.items + before
								   : &none;
	return true;
}

// The frames at the call; at least one, of which only the address may be known. False if memory
// runs out.
static bool find_callers(struct hit_rows *rows, const struct ic_trace_hit *hit)
{
	struct ic_image *image = ic_trace_image(rows->trace);
	uint64_t addr = hit->return_addr_in_file - 1;

	rows->found.count = 0;
	if (hit->return_addr_in_file != IC_NO_ADDR) {
		if (!rows->symbolizer)
			rows->symbolizer = ic_symbolizer_new(image, NULL, &rows->err);
		if (!rows->symbolizer)
			return false;
		size_t count = ic_symbolizer_frames_at(rows->symbolizer, addr, NULL, 0);
		if (!IC_ARRAY_RESERVE(&rows->found, count))
			return false;
		ic_symbolizer_frames_at(rows->symbolizer, addr, rows->found.items, count);
		rows->found.count = (uint32_t)count;
	}
	struct ic_frame *none = rows->found.count == 0 ? IC_ARRAY_PUSH(&rows->found) : NULL;
	if (none)
		*none = (struct ic_frame){ .start = IC_NO_ADDR };
	return rows->found.count > 0;
}

static bool fill_callers(struct hit_rows *rows, const struct ic_trace_hit *hit)
{
	bool is_here = hit->return_addr_in_file != IC_NO_ADDR;

	if (hit->return_address == 0)
		return true;
	rows->callers.count = 0;
	if (!find_callers(rows, hit) || !IC_ARRAY_RESERVE(&rows->callers, rows->found.count))
		return false;
	for (uint32_t i = 0; i < rows->found.count; i++) {
		const struct ic_backtrace_frame frame = {
			.address = hit->return_address,
			.lookup = hit->return_address - 1,
			.module = is_here ? ic_image_path(ic_trace_image(rows->trace)) : NULL,
			.module_addr = hit->return_addr_in_file,
			.frame = rows->found.items[i],
			.how = IC_UNWIND_CALL_FRAMES,
		};
		ic_row_frame_fill(&rows->callers.items[i], &rows->rows.filler, &frame);
	}
	rows->row.callers = rows->callers.items;
	rows->row.caller_count = rows->found.count;
	return true;
}

static bool fill_stack(struct hit_rows *rows, const struct ic_trace_hit *hit)
{
	struct ic_backtrace_thread thread;

	if (!rows->modules)
		return true;
	rows->row.has_stack = true;
	ic_backtraces_free(rows->backtraces);
	rows->backtraces = ic_trace_backtrace(rows->trace, rows->modules, hit, &rows->err);
	if (!rows->backtraces || !ic_backtraces_get(rows->backtraces, 0, &thread)) {
		rows->row.stack_end = rows->err.message;
		return rows->err.code != IC_ERROR_MEMORY;
	}
	rows->frames.count = 0;
	for (size_t i = 0; i < thread.frame_count; i++) {
		struct ic_row_thread_frame *frame = IC_ARRAY_PUSH(&rows->frames);
		if (!frame)
			return false;
		ic_row_frame_fill(frame, &rows->rows.filler, &thread.frames[i]);
	}
	rows->row.stack = rows->frames.items;
	rows->row.stack_count = rows->frames.count;
	rows->row.stack_end = thread.end_text;
	rows->row.is_whole = thread.end == IC_UNWIND_OUTERMOST;
	return true;
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t find_wall_offset(void)
{
	return read_clock(CLOCK_REALTIME) - read_clock(CLOCK_MONOTONIC);
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct hit_rows *rows = (struct hit_rows *)common;
	const struct ic_sites *sites = ic_trace_sites(rows->trace);
	struct ic_filler *filler = &common->filler;
	struct ic_trace_copy copy;
	struct ic_trace_hit hit;

	(void)number;
	if (!ic_trace_next(rows->trace, &hit)) {
		common->is_over = true;
		rows->wall_offset = find_wall_offset(); // the clock may have been set
		return NULL;
	}
	ic_trace_copy_get(rows->trace, hit.copy, &copy);
	rows->row = (struct ic_hit_row){ .type = "hit",
					 .file = filler->options.file,
					 .time = hit.time,
					 .wall = hit.time + rows->wall_offset,
					 .pid = hit.pid,
					 .tid = hit.tid,
					 .cpu = hit.cpu,
					 .command = hit.command,
					 .since = hit.time - ic_trace_start_time(rows->trace),
					 .shows_clock = common->filler.options.clock };
	ic_row_copy_names_fill(filler, sites, &copy, &rows->row.function, &rows->row.linkage_name);
	if (!ic_row_copy_fill(&rows->row.copy, &rows->chain, filler, sites, &copy))
		return NULL;
	if (hit.is_exit) {
		rows->row.type = "exit";
		rows->row.exit = ic_exit_kind_name(hit.exit_kind);
		rows->row.duration = hit.duration;
		rows->row.has_result = hit.result != NULL;
		if (hit.result)
			rows->row.result = traced_row(copy.result, hit.result);
	} else if (!fill_arguments(rows, &copy, &hit) || !fill_callers(rows, &hit) ||
		   !fill_stack(rows, &hit)) {
		return NULL;
	}
	return &rows->row;
}

static void free_rows(struct ic_rows *common)
{
	struct hit_rows *rows = (struct hit_rows *)common;

	IC_ARRAY_FREE(&rows->chain.callers);
	IC_ARRAY_FREE(&rows->arguments);
	IC_ARRAY_FREE(&rows->frames);
	IC_ARRAY_FREE(&rows->found);
	IC_ARRAY_FREE(&rows->callers);
	ic_symbolizer_free(rows->symbolizer);
	ic_backtraces_free(rows->backtraces);
}

struct ic_rows *ic_rows_of_hits(struct ic_trace *trace, struct ic_modules *modules,
				const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct hit_rows), &ic_hit_row_type, options, err);

	if (!common)
		return NULL;
	((struct hit_rows *)common)->trace = trace;
	((struct hit_rows *)common)->modules = modules;
	((struct hit_rows *)common)->wall_offset = find_wall_offset();
	common->make = make_row;
	common->deinit = free_rows;
	common->count = SIZE_MAX;
	common->may_go_on = true;
	common->filler.names.index = ic_trace_sites(trace)->index;
	return common;
}
