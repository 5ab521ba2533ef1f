// The Firefox Profiler's format (github.com/firefox-devtools/profiler, src/types/profile.ts), in
// its processed form, version 57; newer viewers upgrade it. Each thread has tables made of columns,
// which refer to each other by row numbers. A frame has an inline depth, and the symbol that it was
// inlined into. If sample times are unknown, each stack is one sample with a weight.
#include <stdlib.h>

#include "base/sort.h"
#include "elf/files/build_id.h"
#include "profile/timeline.h"
#include "profile/writers/write.h"
#include "text/json_text.h"
#include "text/text.h"

enum { VERSION = 57 };

enum { OTHER, USER, INLINED, KERNEL }; // categories, as in write_meta()

// Rows, without padding. Unknown numbers are IC_NONE.
struct function_row {
	uint32_t name, source; // indexes of strings
	uint32_t line, resource;
};

struct frame_row {
	uint32_t function, line, depth, category, symbol;
};

struct stack_row {
	uint32_t frame, prefix;
};

struct symbol_row {
	uint64_t start;
	uint32_t library, name;
};

struct resource_row {
	uint32_t library, name;
};

struct sample {
	uint64_t time, weight;
	uint32_t stack;
};

struct writer {
	const struct ic_profile *profile;
	size_t event;
	struct ic_output *output;
	struct ic_profile_timeline timeline;
	struct ic_byte_pool strings;  // for all threads
	IC_ARRAY(uint32_t) libraries; // for all threads: indexes of files
	uint32_t *library_of;         // by file; IC_NONE if it is not a library yet
	// For one thread; equal rows are merged.
	struct ic_byte_pool functions, frames, stacks, symbols, resources;
	struct ic_map row_of;   // row of a frame, by its index in the profile
	struct ic_map stack_of; // by node
	IC_ARRAY(struct sample) samples;
	IC_ARRAY(uint32_t) path; // nodes of a stack, outermost last
	bool out_of_memory;
};

static uint32_t add_row(struct writer *writer, struct ic_byte_pool *table, const void *row,
			size_t size)
{
	uint32_t number = ic_byte_pool_add(table, row, (uint32_t)size);

	writer->out_of_memory |= number == IC_NONE;
	return number;
}

static uint32_t string_number(struct writer *writer, const char *text)
{
	return text ? add_row(writer, &writer->strings, text, strlen(text) + 1) : IC_NONE;
}

// ---- Rows

// The library index of a file; IC_NONE if it is memory, or only has names.
static uint32_t library_of(struct writer *writer, uint32_t file)
{
	enum ic_profile_file_kind kind = writer->profile->files.items[file].kind;

	if ((kind != IC_PROFILE_DISK && kind != IC_PROFILE_KERNEL) ||
	    writer->library_of[file] != IC_NONE)
		return writer->library_of[file];
	if (!IC_ARRAY_ADD(&writer->libraries, file)) {
		writer->out_of_memory = true;
		return IC_NONE;
	}
	return writer->library_of[file] = writer->libraries.count - 1;
}

// `source` is the file that contains the function.
static uint32_t add_function(struct writer *writer, uint32_t number, const char *source,
			     uint32_t file)
{
	const struct ic_profile *profile = writer->profile;
	const struct ic_profile_function *function = &profile->resolved.functions.items[number];
	const char *path = profile->files.items[file].name;
	struct function_row row = { IC_NONE, string_number(writer, source),
				    function->decl_line ? function->decl_line : IC_NONE, IC_NONE };
	const struct resource_row resource = { library_of(writer, file),
					       string_number(writer, ic_text_base_name(path)) };

	if (resource.library != IC_NONE)
		row.resource = add_row(writer, &writer->resources, &resource, sizeof(resource));
	if (function->name) {
		row.name = string_number(writer, function->name);
	} else {
		char text[512];
		snprintf(text, sizeof(text), "?? in %s", path);
		row.name = string_number(writer, text);
	}
	return add_row(writer, &writer->functions, &row, sizeof(row));
}

// The symbol to which a location's code belongs.
static uint32_t add_symbol(struct writer *writer, const struct ic_profile_location *location)
{
	const struct ic_profile *profile = writer->profile;
	const struct ic_profile_frame *host =
		&profile->resolved.frames.items[location->first_frame + location->frame_count - 1];
	const char *name = profile->resolved.functions.items[host->function].name;
	// The viewer's numbers have 53 bits, and kernel addresses have the highest bits set.
	const uint64_t most = (1ull << 48) - 1;
	const struct symbol_row row = { host->start & most, library_of(writer, location->file),
					string_number(writer, name) };

	return host->start == UINT64_MAX || !name || row.library == IC_NONE
		       ? IC_NONE
		       : add_row(writer, &writer->symbols, &row, sizeof(row));
}

static uint32_t add_frame(struct writer *writer, const struct ic_profile_location *location,
			  uint32_t depth, uint32_t symbol)
{
	const struct ic_profile *profile = writer->profile;
	const struct ic_profile_frame *frame =
		&profile->resolved.frames
			 .items[location->first_frame + location->frame_count - 1 - depth];
	const struct ic_profile_function *function =
		&profile->resolved.functions.items[frame->function];
	const char *source = function->decl_file ? function->decl_file : frame->source;
	// In this format, lines belong to the function's file.
	bool has_line = frame->line > 0 && frame->source && strcmp(frame->source, source) == 0;
	const struct frame_row row = {
		add_function(writer, frame->function, source, location->file),
		has_line ? frame->line : IC_NONE,
		depth,
		frame->inlined                                   ? INLINED
		: profile->files.items[location->file].is_kernel ? KERNEL
								 : USER,
		symbol,
	};

	return add_row(writer, &writer->frames, &row, sizeof(row));
}

// The same, but finds an existing row.
static uint32_t frame_row(struct writer *writer, const struct ic_profile_location *location,
			  uint32_t depth)
{
	uint32_t number = location->first_frame + location->frame_count - 1 - depth;
	uint32_t *row = ic_map_at(&writer->row_of, number);

	writer->out_of_memory |= !row;
	if (row && *row == IC_NONE)
		*row = add_frame(writer, location, depth, add_symbol(writer, location));
	return row ? *row : IC_NONE;
}

// The row of a node's innermost frame, below the stack of its caller.
static uint32_t add_node(struct writer *writer, uint32_t node, uint32_t caller)
{
	const struct ic_profile *profile = writer->profile;
	const struct ic_profile_location *location =
		&profile->locations.items[profile->nodes.items[node].location];
	struct stack_row row = { IC_NONE, caller };

	for (uint32_t depth = 0; depth < location->frame_count; depth++) {
		row.frame = frame_row(writer, location, depth);
		row.prefix = add_row(writer, &writer->stacks, &row, sizeof(row));
	}
	return row.prefix;
}

// The index of a stack; IC_NONE for no stack.
static uint32_t add_stack(struct writer *writer, uint32_t node)
{
	const struct ic_profile *profile = writer->profile;
	uint32_t stack = IC_NONE, *place;

	writer->path.count = 0;
	for (; node != IC_NONE; node = profile->nodes.items[node].caller) {
		const uint32_t *known = ic_map_find(&writer->stack_of, node);
		if (known) {
			stack = *known;
			break;
		}
		place = IC_ARRAY_PUSH(&writer->path);
		writer->out_of_memory |= !place;
		if (!place)
			return IC_NONE;
		*place = node;
	}
	for (uint32_t i = writer->path.count; i > 0; i--) {
		stack = add_node(writer, writer->path.items[i - 1], stack);
		place = ic_map_at(&writer->stack_of, writer->path.items[i - 1]);
		writer->out_of_memory |= !place;
		if (place)
			*place = stack;
	}
	return stack;
}

// ---- Columns

static void write_key(struct ic_output *output, const char *before, const char *key)
{
	ic_output_text(output, before);
	ic_json_text(output, key);
	ic_output_char(output, ':');
}

// A column with the same value in each row.
static void write_constant(struct ic_output *output, const char *key, uint32_t count,
			   const char *value)
{
	write_key(output, ",", key);
	ic_output_char(output, '[');
	for (uint32_t i = 0; i < count; i++) {
		ic_output_text(output, i > 0 ? "," : "");
		ic_output_text(output, value);
	}
	ic_output_char(output, ']');
}

// A column of numbers, at `offset` in each row; `none` stands for unknown.
static void write_column(struct ic_output *output, const char *key,
			 const struct ic_byte_pool *table, size_t offset, const char *none)
{
	write_key(output, ",", key);
	ic_output_char(output, '[');
	for (uint32_t i = 0; i < table->runs.count; i++) {
		uint32_t number;
		memcpy(&number, ic_byte_pool_get(table, i).data + offset, sizeof(number));
		ic_output_text(output, i > 0 ? "," : "");
		if (number == IC_NONE)
			ic_output_text(output, none);
		else
			ic_output_decimal(output, number);
	}
	ic_output_char(output, ']');
}

static void begin_table(struct ic_output *output, const char *key, uint32_t count)
{
	write_key(output, ",\n", key);
	ic_output_text(output, "{\"length\":");
	ic_output_decimal(output, count);
}

static void write_functions(const struct writer *writer)
{
	const struct ic_byte_pool *table = &writer->functions;
	struct ic_output *output = writer->output;
	uint32_t count = table->runs.count;

	begin_table(output, "funcTable", count);
	write_column(output, "name", table, offsetof(struct function_row, name), "null");
	write_column(output, "fileName", table, offsetof(struct function_row, source), "null");
	write_column(output, "lineNumber", table, offsetof(struct function_row, line), "null");
	write_column(output, "resource", table, offsetof(struct function_row, resource), "-1");
	write_constant(output, "isJS", count, "false");
	write_constant(output, "relevantForJS", count, "false");
	write_constant(output, "columnNumber", count, "null");
	ic_output_char(output, '}');
}

static void write_frames(const struct writer *writer)
{
	const struct ic_byte_pool *table = &writer->frames;
	struct ic_output *output = writer->output;
	uint32_t count = table->runs.count;

	begin_table(output, "frameTable", count);
	write_column(output, "func", table, offsetof(struct frame_row, function), "null");
	write_column(output, "line", table, offsetof(struct frame_row, line), "null");
	write_column(output, "inlineDepth", table, offsetof(struct frame_row, depth), "null");
	write_column(output, "category", table, offsetof(struct frame_row, category), "null");
	write_column(output, "nativeSymbol", table, offsetof(struct frame_row, symbol), "null");
	write_constant(output, "subcategory", count, "0");
	write_constant(output, "address", count, "-1");
	write_constant(output, "innerWindowID", count, "null");
	write_constant(output, "column", count, "null");
	ic_output_char(output, '}');
}

static void write_stacks(const struct writer *writer)
{
	begin_table(writer->output, "stackTable", writer->stacks.runs.count);
	write_column(writer->output, "frame", &writer->stacks, offsetof(struct stack_row, frame),
		     "null");
	write_column(writer->output, "prefix", &writer->stacks, offsetof(struct stack_row, prefix),
		     "null");
	ic_output_char(writer->output, '}');
}

static void write_resources(const struct writer *writer)
{
	const struct ic_byte_pool *table = &writer->resources;

	begin_table(writer->output, "resourceTable", table->runs.count);
	write_column(writer->output, "lib", table, offsetof(struct resource_row, library), "null");
	write_column(writer->output, "name", table, offsetof(struct resource_row, name), "null");
	write_constant(writer->output, "host", table->runs.count, "null");
	write_constant(writer->output, "type", table->runs.count, "1"); // a library
	ic_output_char(writer->output, '}');
}

static void write_symbols(const struct writer *writer)
{
	const struct ic_byte_pool *table = &writer->symbols;
	struct ic_output *output = writer->output;

	begin_table(output, "nativeSymbols", table->runs.count);
	write_column(output, "libIndex", table, offsetof(struct symbol_row, library), "null");
	write_column(output, "name", table, offsetof(struct symbol_row, name), "null");
	write_constant(output, "functionSize", table->runs.count, "null");
	write_key(output, ",", "address");
	for (uint32_t i = 0; i < table->runs.count; i++) {
		struct symbol_row row;
		memcpy(&row, ic_byte_pool_get(table, i).data, sizeof(row));
		ic_output_char(output, i > 0 ? ',' : '[');
		ic_output_decimal(output, row.start);
	}
	ic_output_text(output, table->runs.count > 0 ? "]}" : "[]}");
}

// ---- Threads

// Nanoseconds are converted to milliseconds, as in the viewer; other weights are plain numbers.
static void write_weight(struct ic_output *output, uint64_t weight, bool is_time)
{
	enum { NANOSECONDS = 1000000 };

	if (!is_time) {
		ic_output_decimal(output, weight);
		return;
	}
	char digits[16];
	snprintf(digits, sizeof(digits), ".%06u", (unsigned)(weight % NANOSECONDS));
	ic_output_decimal(output, weight / NANOSECONDS);
	ic_output_text(output, digits);
}

static void write_samples(const struct writer *writer)
{
	const struct ic_profile_event *event = &writer->profile->events.items[writer->event];
	bool is_time = event->unit && strcmp(event->unit, "nanoseconds") == 0;
	bool is_bytes = event->unit && strcmp(event->unit, "bytes") == 0;
	struct ic_output *output = writer->output;

	begin_table(output, "samples", writer->samples.count);
	write_key(output, ",", "weightType");
	ic_json_text(output, is_time ? "tracing-ms" : is_bytes ? "bytes" : "samples");
	write_key(output, ",", "stack");
	for (uint32_t i = 0; i < writer->samples.count; i++) {
		ic_output_char(output, i > 0 ? ',' : '[');
		if (writer->samples.items[i].stack == IC_NONE)
			ic_output_text(output, "null");
		else
			ic_output_decimal(output, writer->samples.items[i].stack);
	}
	write_key(output, "],", "weight");
	for (uint32_t i = 0; i < writer->samples.count; i++) {
		ic_output_char(output, i > 0 ? ',' : '[');
		write_weight(output, writer->samples.items[i].weight, is_time);
	}
	write_key(output, "],", "time");
	for (uint32_t i = 0; i < writer->samples.count; i++) {
		ic_output_char(output, i > 0 ? ',' : '[');
		write_weight(output, writer->samples.items[i].time, writer->timeline.has_times);
	}
	ic_output_text(output, "]}");
}

static void write_head(const struct writer *writer, const struct ic_profile_thread *thread)
{
	struct ic_output *output = writer->output;

	ic_output_text(output, "{\"processType\":\"default\",\"processStartupTime\":0,"
			       "\"processShutdownTime\":null,\"registerTime\":0,"
			       "\"unregisterTime\":null,\"pausedRanges\":[],\"name\":");
	ic_json_text(output, thread->name ? thread->name : "??");
	ic_output_text(output, thread->pid == thread->tid ? ",\"isMainThread\":true,\"pid\":\""
							  : ",\"isMainThread\":false,\"pid\":\"");
	ic_output_decimal(output, thread->pid);
	ic_output_text(output, "\",\"tid\":");
	ic_output_decimal(output, thread->tid);
	ic_output_text(output, ",\n\"markers\":{\"length\":0,\"data\":[],\"name\":[],"
			       "\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[]}");
}

static void free_thread(struct writer *writer)
{
	struct ic_byte_pool *tables[] = { &writer->functions, &writer->frames, &writer->stacks,
					  &writer->symbols, &writer->resources };

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		ic_byte_pool_free(tables[i]);
		*tables[i] = (struct ic_byte_pool){ .bytes = { 0 } };
	}
	ic_map_clear(&writer->row_of);
	ic_map_clear(&writer->stack_of);
	writer->samples.count = 0;
}

// Adds a cell, or one of its samples, to the thread. False if memory runs out.
static bool add_sample(struct writer *writer, uint32_t number)
{
	const struct ic_profile *profile = writer->profile;
	struct sample sample = { .time = writer->samples.count };

	if (writer->timeline.has_times) {
		const struct ic_profile_moment *moment = &profile->moments.items[number];
		sample.time = moment->time - writer->timeline.first_time;
		sample.weight = moment->weight;
		number = moment->cell;
	} else {
		sample.weight = profile->cells.items[number].weight;
	}
	sample.stack = add_stack(writer, profile->cells.items[number].node);
	struct sample *place = IC_ARRAY_PUSH(&writer->samples);
	if (place)
		*place = sample;
	return place && !writer->out_of_memory;
}

// Writes a thread with some of the cells or samples, which are sorted by thread.
static bool write_thread(struct writer *writer, const struct ic_keyed *numbers, uint32_t count)
{
	const struct ic_profile *profile = writer->profile;

	for (uint32_t i = 0; i < count; i++)
		if (!add_sample(writer, numbers[i].number))
			return false;
	write_head(writer, &profile->threads.items[numbers->key]);
	write_samples(writer);
	write_stacks(writer);
	write_frames(writer);
	write_functions(writer);
	write_resources(writer);
	write_symbols(writer);
	ic_output_char(writer->output, '}');
	free_thread(writer);
	return true;
}

static bool write_threads(struct writer *writer)
{
	const struct ic_keyed *numbers = writer->timeline.list;
	uint32_t count = writer->timeline.count;

	for (uint32_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && numbers[end].key == numbers[first].key;)
			end++;
		ic_output_text(writer->output, first > 0 ? ",\n" : "");
		if (!write_thread(writer, numbers + first, end - first))
			return false;
	}
	return true;
}

// ---- All

// The interval between samples in nanoseconds, if the event is a clock.
static uint64_t interval_of(const struct ic_profile_event *event)
{
	bool is_clock = event->unit && strcmp(event->unit, "nanoseconds") == 0;

	return is_clock && event->samples > 0 ? event->weight / event->samples : 1000000;
}

static void write_meta(const struct writer *writer)
{
	struct ic_output *output = writer->output;

	ic_output_text(output, "{\"meta\":{\"preprocessedProfileVersion\":");
	ic_output_decimal(output, VERSION);
	ic_output_text(output, ",\"version\":27,\"product\":\"inlinecall\","
			       "\"importedFrom\":\"inlinecall\",\"startTime\":0,\"interval\":");
	write_weight(output, interval_of(&writer->profile->events.items[writer->event]), true);
	ic_output_text(output,
		       ","
		       "\"processType\":0,\"stackwalk\":1,\"symbolicated\":true,"
		       "\"keepProfileThreadOrder\":true,\"markerSchema\":[],"
		       "\"sourceCodeIsNotOnSearchfox\":true,\"categories\":["
		       "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
		       "{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
		       "{\"name\":\"Inlined\",\"color\":\"green\",\"subcategories\":[\"Other\"]},"
		       "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]}"
		       "]},\n\"pages\":[],\"threads\":[");
}

// A file's build ID in the form that minidumps use: the first 16 bytes as a GUID, and an age of 0.
static void write_breakpad_id(struct ic_output *output, const struct ic_profile_file *file)
{
	static const uint8_t order[] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	char text[2 * sizeof(order) + 2] = "";

	for (size_t i = 0; i < sizeof(order) && file->build_id_size > 0; i++)
		snprintf(text + 2 * i, 3, "%02X",
			 order[i] < file->build_id_size ? file->build_id[order[i]] : 0);
	if (file->build_id_size > 0)
		text[sizeof(text) - 2] = '0';
	ic_json_text(output, text);
}

static void write_library(struct ic_output *output, const struct ic_profile_file *file)
{
	const char *names[][2] = { { "{\"name\":", ic_text_base_name(file->name) },
				   { ",\"debugName\":", ic_text_base_name(file->name) },
				   { ",\"path\":", file->path },
				   { ",\"debugPath\":", file->path } };
	char build_id[IC_BUILD_ID_TEXT_SIZE];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		ic_output_text(output, names[i][0]);
		ic_json_text(output, names[i][1]);
	}
	ic_output_text(output, ",\"arch\":\"\",\"breakpadId\":");
	write_breakpad_id(output, file);
	ic_output_text(output, ",\"codeId\":");
	ic_build_id_text((struct ic_bytes){ file->build_id, file->build_id_size }, build_id);
	ic_json_text(output, file->build_id_size > 0 ? build_id : NULL);
	ic_output_char(output, '}');
}

static void write_end(const struct writer *writer)
{
	struct ic_output *output = writer->output;

	ic_output_text(output, "],\n\"libs\":[");
	for (uint32_t i = 0; i < writer->libraries.count; i++) {
		ic_output_text(output, i > 0 ? ",\n" : "");
		write_library(output, &writer->profile->files.items[writer->libraries.items[i]]);
	}
	ic_output_text(output, "],\n\"shared\":{\"stringArray\":[");
	for (uint32_t i = 0; i < writer->strings.runs.count; i++) {
		ic_output_text(output, i > 0 ? ",\n" : "");
		ic_json_text(output, (const char *)ic_byte_pool_get(&writer->strings, i).data);
	}
	ic_output_text(output, "]}}\n");
}

bool ic_profile_write_firefox(const struct ic_profile *profile, size_t event,
			      struct ic_output *output, struct ic_error *err)
{
	struct writer writer = {
		.profile = profile,
		.event = event,
		.output = output,
		.library_of = ic_items_alloc(profile->files.count + 1ull, sizeof(uint32_t)),
	};
	bool ok = ic_profile_timeline_make(&writer.timeline, profile, event) && writer.library_of;

	for (uint32_t i = 0; ok && i < profile->files.count; i++)
		writer.library_of[i] = IC_NONE;
	if (ok)
		write_meta(&writer);
	ok = ok && write_threads(&writer);
	if (ok)
		write_end(&writer);
	free_thread(&writer);
	ic_byte_pool_free(&writer.strings);
	ic_map_free(&writer.row_of);
	ic_map_free(&writer.stack_of);
	IC_ARRAY_FREE(&writer.libraries);
	IC_ARRAY_FREE(&writer.samples);
	IC_ARRAY_FREE(&writer.path);
	free(writer.library_of);
	ic_profile_timeline_free(&writer.timeline);
	return ok || ic_fail_memory(err);
}
