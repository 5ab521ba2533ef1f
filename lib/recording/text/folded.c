#include "recording/text/folded.h"

#include <inttypes.h>

#include "text/text.h"

struct lines { // of one kind
	uint64_t count, first;
};

enum { MOST_COLUMNS = 2 }; // in a difference: before and after

struct reader {
	struct ic_profile *profile;
	uint32_t columns, events[MOST_COLUMNS]; // of counts
	uint32_t thread;
	uint32_t names, kernel_names;             // indexes of files; IC_NONE if not needed yet
	IC_ARRAY(struct ic_profile_given) frames; // of the current location, outermost first
	bool is_kernel;                           // the current location is the kernel's
	uint32_t node;                            // node of the part before it
	uint64_t line;
	struct lines right, wrong; // that are stacks, or not
	struct lines fractions;    // stacks with a count that is not an integer
};

// ---- Frames

static uint32_t names_of(struct reader *reader, bool is_kernel)
{
	const struct ic_profile_file file = { .path = is_kernel ? "[kernel]" : "[unknown]",
					      .kind = IC_PROFILE_NAMES,
					      .is_kernel = is_kernel };
	uint32_t *number = is_kernel ? &reader->kernel_names : &reader->names;

	if (*number == IC_NONE)
		*number = ic_profile_file_add(reader->profile, &file);
	return *number;
}

static bool add_node(struct reader *reader, uint32_t location)
{
	if (location == IC_NONE ||
	    !ic_profile_node_add(reader->profile, reader->node, location, &reader->node))
		return false;
	return true;
}

// Adds the location of the collected frames: a function with those inlined into it.
static bool finish_location(struct reader *reader)
{
	struct ic_profile_given *frames = reader->frames.items;
	uint32_t count = reader->frames.count;

	if (count == 0)
		return true;
	ic_profile_given_reverse(frames, count);
	reader->frames.count = 0;
	uint32_t file = names_of(reader, reader->is_kernel);
	return file != IC_NONE && add_node(reader, ic_profile_named_location_add(
							   reader->profile, file, frames, count));
}

// Removes a mark, such as "_[i]" of an inlined function or "_[k]" of the kernel.
static bool take_mark(struct ic_bytes *text, char mark)
{
	const char marked[] = { '_', '[', mark, ']' };

	if (text->size <= sizeof(marked) ||
	    memcmp(text->data + text->size - sizeof(marked), marked, sizeof(marked)) != 0)
		return false;
	text->size -= sizeof(marked);
	return true;
}

static bool add_name(struct reader *reader, struct ic_bytes text)
{
	bool inlined = take_mark(&text, 'i'), is_kernel = take_mark(&text, 'k');

	if (!inlined || reader->frames.count == 0) {
		if (!finish_location(reader))
			return false;
		reader->is_kernel = is_kernel;
		inlined = false;
	}
	struct ic_profile_given *place = IC_ARRAY_PUSH(&reader->frames);
	if (!place)
		return false;
	*place = ic_profile_given_name(ic_profile_text_number(reader->profile, text), inlined);
	return place->name != IC_NONE;
}

// ---- Addresses

// "/path+0xOFFSET": a place in a file.
static bool read_place(struct ic_bytes text, struct ic_bytes *path, uint64_t *offset)
{
	size_t digits = 0;

	*offset = 0;
	while (digits < text.size &&
	       ic_text_hex_digit((char)text.data[text.size - 1 - digits]) >= 0)
		digits++;
	if (digits == 0 || digits > 16 || text.size < digits + 4 || text.data[0] != '/' ||
	    memcmp(text.data + text.size - digits - 3, "+0x", 3) != 0)
		return false;
	for (size_t i = text.size - digits; i < text.size; i++)
		*offset = *offset << 4 | (uint64_t)ic_text_hex_digit((char)text.data[i]);
	*path = (struct ic_bytes){ text.data, text.size - digits - 3 };
	return true;
}

// All but the innermost are return addresses.
static bool add_place(struct reader *reader, struct ic_bytes path, uint64_t offset, bool is_caller)
{
	struct ic_profile *profile = reader->profile;
	const char *name = ic_profile_text_at(profile, ic_profile_text_number(profile, path));
	uint32_t file = name ? ic_profile_file_add(profile,
						   &(struct ic_profile_file){
							   .path = name,
							   .kind = ic_profile_file_kind_of(name) })
			     : IC_NONE;

	if (file == IC_NONE || !finish_location(reader))
		return false;
	is_caller &= offset > 0;
	uint32_t location = ic_profile_location_add(profile, file, offset - is_caller);
	if (location == IC_NONE)
		return false;
	profile->locations.items[location].is_caller |= is_caller;
	return add_node(reader, location);
}

static bool add_frame(struct reader *reader, struct ic_bytes text, bool is_innermost)
{
	struct ic_bytes path;
	uint64_t offset;

	if (text.size == 0)
		return true;
	if (!read_place(text, &path, &offset))
		return add_name(reader, text);
	return add_place(reader, path, offset, !is_innermost);
}

// ---- Lines

static bool is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

// Removes the number at the end of a line, and blanks before it.
static bool take_count(struct ic_bytes *line, uint64_t *count, bool *is_whole)
{
	size_t end = line->size, start = end, point = end;

	for (; start > 0 &&
	       (is_digit(line->data[start - 1]) || (line->data[start - 1] == '.' && point == end));
	     start--)
		if (line->data[start - 1] == '.')
			point = start - 1;
	if (start == point || start == 0 || !ic_text_is_blank((char)line->data[start - 1]))
		return false;
	*count = 0;
	for (size_t i = start; i < point; i++)
		if (__builtin_mul_overflow(*count, 10, count) ||
		    __builtin_add_overflow(*count, line->data[i] - '0', count))
			return false;
	for (size_t i = point + 1; i < end; i++)
		*is_whole &= line->data[i] == '0';
	while (start > 0 && ic_text_is_blank((char)line->data[start - 1]))
		start--;
	line->size = start;
	return start > 0;
}

static bool read_stack(struct reader *reader, struct ic_bytes line)
{
	reader->node = IC_NONE;
	while (line.size > 0) {
		const uint8_t *end = memchr(line.data, ';', line.size);
		size_t size = end ? (size_t)(end - line.data) : line.size;
		if (!add_frame(reader, (struct ic_bytes){ line.data, size }, !end))
			return false;
		size += end != NULL;
		line = (struct ic_bytes){ line.data + size, line.size - size };
	}
	return finish_location(reader);
}

static bool has_frame(struct ic_bytes line)
{
	while (line.size > 0 && line.data[line.size - 1] == ';')
		line.size--;
	return line.size > 0;
}

static bool take_counts(struct ic_bytes *line, uint32_t columns, uint64_t counts[MOST_COLUMNS],
			bool *are_whole)
{
	*are_whole = true;
	for (uint32_t i = columns; i > 0; i--)
		if (!take_count(line, &counts[i - 1], are_whole))
			return false;
	return has_frame(*line);
}

static struct ic_bytes without_end(struct ic_bytes line)
{
	while (line.size > 0 && ic_text_is_blank((char)line.data[line.size - 1]))
		line.size--;
	return line;
}

// Whether most lines with a count have two, as written by difffolded.pl and read by flamegraph.pl:
// names may end in numbers, and lines may be damaged.
static bool is_difference(struct ic_bytes text)
{
	struct ic_bytes line;
	uint64_t counts[MOST_COLUMNS], with_one = 0, with_two = 0;
	bool are_whole;

	while (ic_text_take_line(&text, &line)) {
		struct ic_bytes again = line = without_end(line);
		if (take_counts(&line, 2, counts, &are_whole))
			with_two++;
		else
			with_one += take_counts(&again, 1, counts, &are_whole);
	}
	return with_two > with_one;
}

static void count_line(const struct reader *reader, struct lines *lines)
{
	if (lines->count++ == 0)
		lines->first = reader->line;
}

static bool read_line(struct reader *reader, struct ic_bytes line)
{
	uint64_t counts[MOST_COLUMNS];
	bool are_whole;

	reader->line++;
	line = without_end(line);
	if (line.size == 0)
		return true;
	if (!take_counts(&line, reader->columns, counts, &are_whole) || !are_whole) {
		count_line(reader, are_whole ? &reader->wrong : &reader->fractions);
		return true;
	}
	count_line(reader, &reader->right);
	if (!read_stack(reader, line))
		return false;
	for (uint32_t i = 0; i < reader->columns; i++) {
		const struct ic_profile_cell cell = { reader->node, reader->thread,
						      reader->events[i], counts[i], counts[i] };
		bool is_nothing = counts[i] == 0 && reader->columns > 1;
		if (!is_nothing && !ic_profile_samples_add(reader->profile, &cell))
			return false;
	}
	return true;
}

// The counts after the change are the first event: flamegraph.pl draws those.
static bool begin_reader(struct reader *reader, bool is_difference)
{
	struct ic_profile *profile = reader->profile;
	uint32_t last = is_difference;

	reader->columns = last + 1;
	reader->events[last] = ic_profile_event_add(profile, is_difference ? "after" : NULL, NULL);
	if (is_difference)
		reader->events[0] = ic_profile_event_add(profile, "before", NULL);
	reader->thread =
		ic_profile_thread_add(profile, &(struct ic_profile_thread){ .is_unknown = true });
	return reader->events[0] != IC_NONE && reader->events[last] != IC_NONE &&
	       reader->thread != IC_NONE;
}

static void report_lines(struct reader *reader, const struct lines *lines, const char *what)
{
	struct ic_error err;

	if (lines->count == 0)
		return;
	ic_fail(&err, IC_ERROR_UNSUPPORTED, "%" PRIu64 " lines %s, the first is line %" PRIu64,
		lines->count, what, lines->first);
	ic_problems_add(&reader->profile->problems, &err, NULL, 0);
}

bool ic_folded_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
{
	struct reader reader = { .profile = profile, .names = IC_NONE, .kernel_names = IC_NONE };
	struct ic_bytes line;
	bool ok = begin_reader(&reader, is_difference(bytes));

	while (ok && ic_text_take_line(&bytes, &line))
		ok = read_line(&reader, line);
	IC_ARRAY_FREE(&reader.frames);
	if (!ok)
		return ic_fail_memory(err);
	if (reader.wrong.count > reader.right.count + reader.fractions.count)
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "not folded stacks");
	report_lines(&reader, &reader.wrong,
		     reader.columns > 1 ? "are not stacks with two counts"
					: "are not stacks with a count");
	report_lines(&reader, &reader.fractions, "have a count that is not a whole number");
	// Some tools terminate the last line, others do not.
	if (reader.right.count > 0 && bytes.data[-1] != '\n')
		ic_problems_note(&profile->problems, "the text does not end with a newline: if it "
						     "is truncated, the last count may be wrong");
	return true;
}
