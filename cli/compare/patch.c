#include "compare/patch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

struct reader { // of a patch
	struct cli_patch *patch;
	const char *path;
	unsigned long number;        // of the patch's line
	uint32_t line;               // of the old file, the next one
	uint32_t old_left, new_left; // lines of the hunk that are still to come
	bool has_file;               // the hunks are of the last file of the patch
	bool was_removed;            // the old line before
	bool has_new_code;           // after the old line before
	bool failed;
};

static void refuse_patch(struct reader *reader, const char *reason)
{
	cli_complain("%s:%lu: %s", reader->path, reader->number, reason);
	reader->failed = true;
}

static void *grow_items(void *items, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return items;
	size_t wanted = *capacity > 0 ? 2 * *capacity : 64;
	void *larger = reallocarray(items, wanted, size);
	if (larger)
		*capacity = wanted;
	return larger;
}

// "--- a/mm/slab.c", perhaps with a time after a tab.
static void take_file(struct reader *reader, char *path)
{
	struct cli_patch *patch = reader->patch;
	char *slash = strchr(path, '/');

	path[strcspn(path, "\t")] = 0;
	reader->has_file = strcmp(path, "/dev/null") != 0;
	if (!reader->has_file)
		return;
	char **files = reallocarray(patch->files, patch->file_count + 1, sizeof(*files));
	if (files)
		patch->files = files;
	char *copy = strdup(slash && slash[1] ? slash + 1 : path);
	if (!files || !copy) {
		free(copy);
		refuse_patch(reader, "out of memory");
		return;
	}
	files[patch->file_count++] = copy;
}

// "@@ -LINE[,COUNT] +LINE[,COUNT] @@"
static void take_hunk(struct reader *reader, const char *text)
{
	unsigned old_line, old_count = 1, new_line, new_count = 1;
	int end = 0;

	if (sscanf(text, "@@ -%9u,%9u +%9u%n", &old_line, &old_count, &new_line, &end) < 3 &&
	    (old_count = 1, sscanf(text, "@@ -%9u +%9u%n", &old_line, &new_line, &end)) < 2) {
		refuse_patch(reader,
			     "a line that begins with '@@' must be followed by '-LINE,COUNT "
			     "+LINE,COUNT @@'");
		return;
	}
	if (text[end] == ',' && sscanf(text + end, ",%9u", &new_count) != 1)
		new_count = 1;
	reader->old_left = old_count;
	reader->new_left = new_count;
	// Without lines, it names the line before the insertion.
	reader->line = old_count == 0 ? old_line + 1 : old_line;
	reader->was_removed = false;
	reader->has_new_code = false;
}

// Whether a line is more than braces or the beginning of a comment.
static bool may_be_code(const char *text)
{
	text += strspn(text, " \t");
	return *text && strncmp(text, "//", 2) != 0 && strncmp(text, "/*", 2) != 0 &&
	       strncmp(text, "* ", 2) != 0 && strcmp(text, "*") != 0 &&
	       strncmp(text, "*/", 2) != 0 && text[strspn(text, "{};")];
}

// `text` is NULL for an insertion.
static void add_line(struct reader *reader, const char *text, bool is_removed)
{
	struct cli_patch *patch = reader->patch;
	struct cli_patch_line *lines =
		grow_items(patch->lines, patch->line_count, &patch->line_capacity, sizeof(*lines));
	char *copy = text ? strdup(text) : NULL;

	if (lines)
		patch->lines = lines;
	if (!lines || (text && !copy)) {
		free(copy);
		refuse_patch(reader, "out of memory");
		return;
	}
	lines[patch->line_count++] = (struct cli_patch_line){
		.file = (uint32_t)patch->file_count - 1,
		.line = reader->line,
		.text = copy,
		.is_removed = is_removed,
		.may_matter = is_removed && may_be_code(text),
	};
}

// Lines that replace others are no insertion: the others are removed.
static void take_new_line(struct reader *reader, const char *text)
{
	const struct cli_patch *patch = reader->patch;
	const struct cli_patch_line *last =
		patch->line_count > 0 ? &patch->lines[patch->line_count - 1] : NULL;
	bool is_further = last && !last->text && last->line == reader->line &&
			  last->file + 1 == patch->file_count;

	reader->new_left--;
	if (!reader->has_file)
		return;
	if (!reader->was_removed && !is_further)
		add_line(reader, NULL, false);
	if (reader->failed || !may_be_code(text))
		return;
	// New functions, types and variables begin at the left.
	bool is_inside = !reader->has_new_code && (*text == ' ' || *text == '\t');
	patch->lines[patch->line_count - 1].may_matter |= is_inside || *text == '#';
	reader->has_new_code = true;
}

static void take_hunk_line(struct reader *reader, const char *text)
{
	bool is_old = *text == ' ' || *text == '-' || *text == 0;

	if (*text == '\\')
		return;
	if (*text == '+' && reader->new_left > 0) {
		take_new_line(reader, text + 1);
		return;
	}
	if (!is_old || reader->old_left == 0 || (*text != '-' && reader->new_left == 0)) {
		refuse_patch(reader, "this hunk is not as long as its first line says");
		return;
	}
	reader->old_left--;
	reader->new_left -= *text != '-';
	if (reader->has_file)
		add_line(reader, *text ? text + 1 : text, *text == '-');
	reader->was_removed = *text == '-';
	reader->has_new_code = false;
	reader->line++;
}

static void take_line(struct reader *reader, char *text)
{
	reader->number++;
	text[strcspn(text, "\r\n")] = 0;
	if (reader->old_left > 0 || reader->new_left > 0)
		take_hunk_line(reader, text);
	else if (strncmp(text, "--- ", 4) == 0)
		take_file(reader, text + 4);
	else if (strncmp(text, "@@@", 3) == 0)
		refuse_patch(reader, "a patch of a merge has several old files: make one against "
				     "the file that was compiled");
	else if (strncmp(text, "@@ ", 3) == 0)
		take_hunk(reader, text);
}

static bool read_lines(struct reader *reader, FILE *stream)
{
	char *text = NULL;
	size_t capacity = 0;

	while (!reader->failed && getline(&text, &capacity, stream) > 0)
		take_line(reader, text);
	int error = errno;
	free(text);
	if (!reader->failed && !feof(stream)) {
		cli_complain("%s: cannot read: %s", reader->path, strerror(error));
		reader->failed = true;
	}
	return !reader->failed;
}

static int compare_lines(const void *left, const void *right)
{
	const struct cli_patch_line *a = left, *b = right;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->text != NULL) - (b->text != NULL);
}

bool cli_patch_read(struct cli_patch *patch, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct reader reader = { .patch = patch, .path = is_stdin ? "standard input" : path };
	FILE *stream = is_stdin ? stdin : fopen(path, "r");

	*patch = (struct cli_patch){ .files = NULL };
	if (!stream) {
		cli_complain("%s: cannot open: %s", path, strerror(errno));
		return false;
	}
	bool ok = read_lines(&reader, stream);
	if (!is_stdin)
		fclose(stream);
	if (ok && (reader.old_left > 0 || reader.new_left > 0)) {
		refuse_patch(&reader, "the patch ends in the middle of a hunk");
		ok = false;
	}
	if (ok && patch->line_count == 0) {
		cli_complain("%s: it changes no line of an old file", reader.path);
		ok = false;
	}
	if (patch->line_count > 1)
		qsort(patch->lines, patch->line_count, sizeof(*patch->lines), compare_lines);
	return ok;
}

const char *cli_patch_text(const struct cli_patch *patch, uint32_t file, uint32_t line)
{
	size_t from = 0, to = patch->line_count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct cli_patch_line *at = &patch->lines[middle];
		if (at->file == file && at->line == line && at->text)
			return at->text;
		if (at->file < file || (at->file == file && at->line <= line))
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}

void cli_patch_free(struct cli_patch *patch)
{
	for (size_t i = 0; i < patch->file_count; i++)
		free(patch->files[i]);
	for (size_t i = 0; i < patch->line_count; i++)
		free(patch->lines[i].text);
	free(patch->files);
	free(patch->lines);
}
