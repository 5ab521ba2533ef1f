#include "compare/touched.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/files.h"

enum { MOST_LINES = 1000000, TAIL_LINES = 32, MOST_STEPS = 32, RECENT_LINES = 16 };

// ---- Lines

static bool add_line(struct cli_touched *touched, const struct cli_touched_line *line)
{
	if (touched->line_count == touched->line_capacity) {
		size_t capacity = touched->line_capacity > 0 ? 2 * touched->line_capacity : 64;
		struct cli_touched_line *lines =
			reallocarray(touched->lines, capacity, sizeof(*lines));
		if (!lines)
			return false;
		touched->lines = lines;
		touched->line_capacity = capacity;
	}
	touched->lines[touched->line_count++] = *line;
	return true;
}

static bool add_lines(struct cli_touched *touched, const char *file, uint32_t first, uint32_t last)
{
	for (uint32_t line = first; line <= last; line++)
		if (!add_line(touched, &(struct cli_touched_line){ .file = file,
								   .line = line,
								   .is_changed = true,
								   .may_matter = true }))
			return false;
	return true;
}

// Reads a line number that the text consists of; 0 if it is none.
static uint32_t read_number(const char *text, const char *end)
{
	char *stop;

	if (*text < '0' || *text > '9')
		return 0;
	errno = 0;
	unsigned long number = strtoul(text, &stop, 10);
	return errno == 0 && stop == end && number < UINT32_MAX ? (uint32_t)number : 0;
}

bool cli_touched_add_place(struct cli_touched *touched, const char *place)
{
	const char *colon = strrchr(place, ':'), *end = place + strlen(place);
	const char *dash = colon ? strchr(colon, '-') : NULL;
	uint32_t first = colon ? read_number(colon + 1, dash ? dash : end) : 0;
	uint32_t last = dash ? read_number(dash + 1, end) : first;

	if (!colon || colon == place || first == 0 || last < first || last - first >= MOST_LINES) {
		cli_usage_error("--line takes FILE:LINE or FILE:FIRST-LAST, not '%s'", place);
		return false;
	}
	char **files = reallocarray(touched->files, touched->file_count + 1, sizeof(*files));
	if (files)
		touched->files = files;
	char *file = strndup(place, (size_t)(colon - place));
	if (files && file)
		files[touched->file_count++] = file;
	else
		free(file);
	if (!files || !file || !add_lines(touched, file, first, last)) {
		cli_complain("out of memory");
		return false;
	}
	return true;
}

static bool add_patch_lines(struct cli_touched *touched, const struct cli_patch *patch)
{
	for (size_t i = 0; i < patch->line_count; i++) {
		const struct cli_patch_line *from = &patch->lines[i];
		struct cli_touched_line line = { .file = patch->files[from->file],
						 .patch = patch,
						 .patch_file = from->file };
		if (from->text && !from->is_removed)
			continue;
		line.line = from->line - 1;
		if (!from->text && !add_line(touched, &line))
			return false;
		line.line = from->line;
		line.is_changed = from->is_removed;
		line.is_inserted = !from->text;
		line.may_matter = from->may_matter;
		if (!add_line(touched, &line))
			return false;
	}
	return true;
}

bool cli_touched_add_patch(struct cli_touched *touched, const char *path)
{
	struct cli_patch **patches =
		reallocarray(touched->patches, touched->patch_count + 1, sizeof(*patches));
	struct cli_patch *patch = malloc(sizeof(*patch));

	if (patches)
		touched->patches = patches;
	if (patches && patch) {
		patches[touched->patch_count++] = patch;
		if (!cli_patch_read(patch, path))
			return false;
		if (add_patch_lines(touched, patch))
			return true;
	} else {
		free(patch);
	}
	cli_complain("out of memory");
	return false;
}

// ---- Functions

struct found {            // a function with code of a line
	const char *name; // to recognise it in the next place
	size_t function;  // its number
	uint32_t decl_line;
	bool is_here;  // it is declared in the file of the line
	bool has_code; // false if its only range is empty, because the code of the line was dropped
};

struct code_line { // what an image has of a line
	uint32_t number;
	uint32_t next; // the next line that may have code, 0 for none
	struct found *found;
	size_t count;
};

struct look { // at an image, for a line
	struct cli_touched *touched;
	struct ic_symbolizer *symbolizer;
	struct cli_touched_line *line;
	// The latest lines of the file: several lines without code have the same one after them.
	struct code_line recent[RECENT_LINES];
	size_t next_recent;
	struct ic_error err;
	bool failed;
};

static bool are_one_file(const char *path, const char *other)
{
	return strcmp(cli_base_name(path), cli_base_name(other)) == 0;
}

static bool is_function(const struct ic_affected_source *source, const struct ic_frame *frame,
			const char *symbol)
{
	return source->line == frame->decl_line && strcmp(source->function, symbol) == 0 &&
	       are_one_file(source->file, frame->decl_file);
}

// Makes room for another function. False if memory runs out.
static bool grow_functions(struct cli_touched *touched)
{
	size_t count = touched->function_count + 1;
	struct ic_affected_source *functions =
		reallocarray(touched->functions, count, sizeof(*functions));
	bool *are_strays = reallocarray(touched->are_strays, count, sizeof(*are_strays));

	if (functions)
		touched->functions = functions;
	if (are_strays)
		touched->are_strays = are_strays;
	return functions && are_strays;
}

// The number of a frame's function, at code of a line of `file`; SIZE_MAX if memory runs out.
static size_t number_function(struct cli_touched *touched, const struct ic_frame *frame,
			      const char *file)
{
	const char *symbol = frame->linkage_name ? frame->linkage_name : frame->function;

	for (size_t i = 0; i < touched->function_count; i++)
		if (is_function(&touched->functions[i], frame, symbol))
			return i;
	char *name = strdup(symbol), *path = strdup(frame->decl_file);
	if (!name || !path || !grow_functions(touched)) {
		free(name);
		free(path);
		return SIZE_MAX;
	}
	touched->functions[touched->function_count] =
		(struct ic_affected_source){ name, path, frame->decl_line };
	touched->are_strays[touched->function_count] = !are_one_file(path, file);
	return touched->function_count++;
}

static void add_function(struct look *look, size_t number)
{
	struct cli_touched_line *line = look->line;

	for (size_t i = 0; i < line->function_count; i++)
		if (line->functions[i] == number)
			return;
	size_t *functions =
		reallocarray(line->functions, line->function_count + 1, sizeof(*functions));
	if (functions)
		line->functions = functions;
	if (functions)
		functions[line->function_count++] = number;
	else
		look->touched->failed = true;
}

static void forget_lines(struct look *look)
{
	for (size_t i = 0; i < RECENT_LINES; i++)
		free(look->recent[i].found);
	memset(look->recent, 0, sizeof(look->recent));
}

// Adds the function of a place, unless it is there: one of a header has thousands of places.
static void note_place(struct look *look, struct code_line *line, const struct ic_frame *frame,
		       bool has_code)
{
	if (!frame->function || !frame->decl_file || frame->decl_line == 0)
		return;
	for (size_t i = 0; i < line->count; i++)
		if (line->found[i].name == frame->function &&
		    line->found[i].decl_line == frame->decl_line &&
		    line->found[i].has_code == has_code)
			return;
	struct found *found = reallocarray(line->found, line->count + 1, sizeof(*found));
	size_t number = number_function(look->touched, frame, look->line->file);
	if (found)
		line->found = found;
	if (!found || number == SIZE_MAX) {
		look->touched->failed = true;
		return;
	}
	found[line->count++] =
		(struct found){ .name = frame->function,
				.function = number,
				.decl_line = frame->decl_line,
				.is_here = are_one_file(frame->decl_file, look->line->file),
				.has_code = has_code };
}

static const struct code_line *find_line(struct look *look, uint32_t number)
{
	for (size_t i = 0; i < RECENT_LINES; i++)
		if (look->recent[i].number == number)
			return &look->recent[i];
	struct code_line *line = &look->recent[look->next_recent++ % RECENT_LINES];
	struct ic_lines *lines =
		ic_lines_find(look->symbolizer, look->line->file, number, &look->err);
	size_t count = lines ? ic_lines_count(lines) : 0;
	struct ic_line_place place;
	struct ic_frame frame;

	free(line->found);
	*line = (struct code_line){ .number = number };
	look->failed |= !lines;
	for (size_t i = 0; i < count; i++) {
		ic_lines_get(lines, i, &place, &frame, 1);
		note_place(look, line, &frame, place.range.start < place.range.end);
	}
	line->next = !lines || count > 0 ? number + 1 : ic_lines_next(lines);
	ic_lines_free(lines);
	return line;
}

static const char *text_of(const struct look *look, uint32_t line)
{
	const struct cli_touched_line *asked = look->line;

	return asked->patch ? cli_patch_text(asked->patch, asked->patch_file, line) : NULL;
}

// Whether a line may be between the start of a declaration and the function's name.
static bool may_begin_declaration(const char *text)
{
	size_t length = text ? strlen(text) : 0;

	return length > 0 && text[0] != '#' && text[0] != '}' && text[length - 1] != ';' &&
	       text[length - 1] != '}' && text[strspn(text, " \t")];
}

// Whether a line before the one that declares a function belongs to the declaration, according to
// the patch: an attribute, or "static inline".
static bool is_head(const struct look *look, uint32_t decl_line)
{
	for (uint32_t line = look->line->line; line < decl_line; line++)
		if (!may_begin_declaration(text_of(look, line)))
			return false;
	return true;
}

// Whether a function with code of the line `number` contains the line that is asked for, which may
// be an earlier one.
static bool contains_line(const struct look *look, const struct found *found, uint32_t number)
{
	uint32_t asked = look->line->line;

	return (found->has_code && number <= asked) ||
	       (found->is_here && (found->decl_line <= asked || is_head(look, found->decl_line)));
}

// Adds the functions with code of a line that contain the line that is asked for. Returns whether
// there are any; *next is the next line that may have code of such functions, 0 for none.
static bool add_functions_at(struct look *look, uint32_t number, uint32_t *next)
{
	const struct code_line *line = find_line(look, number);
	bool any = false, is_beyond = false;

	for (size_t i = 0; i < line->count; i++) {
		bool contains = contains_line(look, &line->found[i], number);
		any |= contains;
		is_beyond |= !contains && line->found[i].is_here;
		if (contains)
			add_function(look, line->found[i].function);
	}
	*next = is_beyond ? 0 : line->next;
	return any;
}

// The last lines of a function may have no code, such as its closing brace. The patch shows whether
// another brace is between the function's last code and the line.
static void look_before(struct look *look)
{
	uint32_t asked = look->line->line, next;

	for (uint32_t line = asked; line > 1 && asked - line < TAIL_LINES; line--) {
		const char *text = text_of(look, line), *before = text_of(look, line - 1);
		if (!text || !before || (line < asked && text[0] == '}'))
			return;
		if (before[0] == '}' || add_functions_at(look, line - 1, &next) || look->failed)
			return;
	}
}

// A line without code is in the function with the next line that has some, if that was declared
// before.
static void look_at_line(struct look *look)
{
	uint32_t line = look->line->line;
	bool any = false;

	for (int i = 0; !any && line > 0 && i < MOST_STEPS && !look->failed; i++)
		any = add_functions_at(look, line, &line);
	if (!any && !look->failed)
		look_before(look);
}

static bool has_file(struct look *look, const char *file)
{
	struct ic_lines *lines = ic_lines_find(look->symbolizer, file, 1, &look->err);
	bool has = lines && ic_lines_has_file(lines);

	look->failed |= !lines;
	ic_lines_free(lines);
	return has;
}

static void look_at_lines(struct look *look)
{
	struct cli_touched *touched = look->touched;
	const char *file = NULL;
	bool has = false;

	for (size_t i = 0; i < touched->line_count && !look->failed; i++) {
		look->line = &touched->lines[i];
		if (!file || strcmp(file, look->line->file) != 0) {
			has = has_file(look, file = look->line->file);
			forget_lines(look);
		}
		if (has && !look->failed)
			look_at_line(look);
	}
}

bool cli_touched_look(struct cli_touched *touched, struct ic_image *image)
{
	struct look look = { .touched = touched };

	look.symbolizer = ic_symbolizer_new(image, NULL, &look.err);
	look.failed = !look.symbolizer;
	if (look.symbolizer)
		look_at_lines(&look);
	if (look.failed)
		cli_complain("%s", look.err.message);
	else if (touched->failed)
		cli_complain("out of memory");
	forget_lines(&look);
	bool faulty = look.symbolizer &&
		      cli_files_print_problems(look.symbolizer, ic_image_path(image));
	ic_symbolizer_free(look.symbolizer);
	return !look.failed && !touched->failed && !faulty;
}

// ---- The result

static bool has_function(const struct cli_touched_line *line, size_t function)
{
	for (size_t i = 0; i < line->function_count; i++)
		if (line->functions[i] == function)
			return true;
	return false;
}

// Whether one of the functions that contain a line also contains the change there: an insertion is
// in the functions that contain both the line before it and the line after it.
static bool contains_change(const struct cli_touched *touched, size_t number, size_t function)
{
	const struct cli_touched_line *line = &touched->lines[number];

	return line->is_changed ||
	       (line->is_inserted && has_function(&touched->lines[number - 1], function));
}

static void mark_functions(const struct cli_touched *touched, bool *is_kept)
{
	for (size_t i = 0; i < touched->line_count; i++) {
		const struct cli_touched_line *line = &touched->lines[i];
		for (size_t j = 0; j < line->function_count; j++)
			is_kept[line->functions[j]] |=
				contains_change(touched, i, line->functions[j]);
	}
}

static void keep_functions(struct cli_touched *touched, const bool *is_kept)
{
	size_t kept = 0;

	for (size_t i = 0; i < touched->function_count; i++) {
		struct ic_affected_source *function = &touched->functions[i];
		if (is_kept[i]) {
			touched->are_strays[kept] = touched->are_strays[i];
			touched->functions[kept++] = *function;
		} else {
			free((char *)function->function);
			free((char *)function->file);
		}
	}
	touched->function_count = kept;
}

static bool is_in_function(const struct cli_touched *touched, size_t number)
{
	const struct cli_touched_line *line = &touched->lines[number];

	for (size_t i = 0; i < line->function_count; i++)
		if (contains_change(touched, number, line->functions[i]))
			return true;
	return false;
}

static bool check_lines(const struct cli_touched *touched)
{
	const struct cli_touched_line *first = NULL;
	char others[64] = "";
	size_t count = 0;

	for (size_t i = 0; i < touched->line_count; i++)
		if (touched->lines[i].may_matter && !is_in_function(touched, i) && count++ == 0)
			first = &touched->lines[i];
	if (count > 1)
		snprintf(others, sizeof(others), ", and %zu more, are", count - 1);
	if (first)
		cli_complain("%s:%u: %s%s in no function with code: what uses a macro, a type, a "
			     "variable or a function without code is not found",
			     first->file, first->line,
			     first->is_inserted ? "what is inserted here" : "this line",
			     count > 1 ? others : " is");
	return !first;
}

bool cli_touched_finish(struct cli_touched *touched)
{
	bool *is_kept = calloc(touched->function_count + 1, sizeof(*is_kept));

	if (!is_kept) {
		cli_complain("out of memory");
		return false;
	}
	bool ok = check_lines(touched);
	mark_functions(touched, is_kept);
	keep_functions(touched, is_kept);
	for (size_t i = 0; i < touched->line_count; i++)
		free(touched->lines[i].functions);
	touched->line_count = 0;
	free(is_kept);
	return ok;
}

bool cli_touched_is_stray(const struct cli_touched *touched, const char *symbol, uint32_t decl_line)
{
	for (size_t i = 0; symbol && i < touched->function_count; i++)
		if (touched->are_strays[i] && touched->functions[i].line == decl_line &&
		    strcmp(touched->functions[i].function, symbol) == 0)
			return true;
	return false;
}

void cli_touched_free(struct cli_touched *touched)
{
	for (size_t i = 0; i < touched->line_count; i++)
		free(touched->lines[i].functions);
	for (size_t i = 0; i < touched->function_count; i++) {
		free((char *)touched->functions[i].function);
		free((char *)touched->functions[i].file);
	}
	for (size_t i = 0; i < touched->file_count; i++)
		free(touched->files[i]);
	for (size_t i = 0; i < touched->patch_count; i++) {
		cli_patch_free(touched->patches[i]);
		free(touched->patches[i]);
	}
	free(touched->lines);
	free(touched->functions);
	free(touched->are_strays);
	free(touched->files);
	free(touched->patches);
}
