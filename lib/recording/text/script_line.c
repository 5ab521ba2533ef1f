#include "recording/text/script_line.h"

#include "text/text.h"

static bool is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

static struct ic_bytes text_after(struct ic_bytes text, size_t size)
{
	return (struct ic_bytes){ text.data + size, text.size - size };
}

static struct ic_bytes without_blanks(struct ic_bytes text)
{
	while (text.size > 0 && ic_text_is_blank((char)text.data[0]))
		text = text_after(text, 1);
	while (text.size > 0 && ic_text_is_blank((char)text.data[text.size - 1]))
		text.size--;
	return text;
}

// Takes the next word and the blanks around it. Empty at the end.
static struct ic_bytes take_word(struct ic_bytes *text)
{
	size_t size = 0;

	*text = without_blanks(*text);
	while (size < text->size && !ic_text_is_blank((char)text->data[size]))
		size++;
	struct ic_bytes word = { text->data, size };
	*text = text_after(*text, size);
	return word;
}

// Takes a number. False if there is none, or it is too large.
static bool take_decimal(struct ic_bytes *text, uint64_t *number)
{
	size_t size = 0;

	*number = 0;
	for (; size < text->size && is_digit(text->data[size]); size++)
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, text->data[size] - '0', number))
			return false;
	*text = text_after(*text, size);
	return size > 0;
}

static bool take_text(struct ic_bytes *text, const char *wanted)
{
	size_t size = strlen(wanted);

	if (text->size < size || memcmp(text->data, wanted, size) != 0)
		return false;
	*text = text_after(*text, size);
	return true;
}

static bool take_hex(struct ic_bytes *text, uint64_t *number)
{
	size_t size = 0;

	take_text(text, "0x");
	*number = 0;
	for (; size < text->size && ic_text_hex_digit((char)text->data[size]) >= 0; size++)
		*number = *number << 4 | (uint64_t)ic_text_hex_digit((char)text->data[size]);
	*text = text_after(*text, size);
	return size > 0 && size <= 16;
}

// ---- Samples

static bool is_number(struct ic_bytes word)
{
	uint64_t number;

	return take_decimal(&word, &number) && word.size == 0;
}

// "12" or "12/13"
static bool take_id(struct ic_bytes *word, uint64_t *id)
{
	*id = UINT32_MAX; // for a task that has ended
	return take_text(word, "-1") || take_decimal(word, id);
}

static bool read_ids(struct ic_bytes word, struct ic_script_sample *sample)
{
	uint64_t first, second;

	if (!take_id(&word, &first))
		return false;
	second = first;
	if (take_text(&word, "/") && !take_id(&word, &second))
		return false;
	sample->pid = (uint32_t)first;
	sample->tid = (uint32_t)second;
	return word.size == 0 && first <= UINT32_MAX && second <= UINT32_MAX;
}

// "1.234567:", in nanoseconds.
static bool read_time(struct ic_bytes word, uint64_t *time)
{
	uint64_t seconds, part;

	if (!take_decimal(&word, &seconds) || !take_text(&word, "."))
		return false;
	size_t digits = word.size - 1; // without the colon
	if (!take_decimal(&word, &part) || !take_text(&word, ":") || word.size > 0 || digits > 9 ||
	    __builtin_mul_overflow(seconds, 1000000000, time))
		return false;
	for (; digits < 9; digits++)
		part *= 10;
	return !__builtin_add_overflow(*time, part, time);
}

static bool is_time(struct ic_bytes word)
{
	uint64_t time;

	return read_time(word, &time);
}

static bool is_event(struct ic_bytes word)
{
	return word.size > 1 && word.data[word.size - 1] == ':' && !is_digit(word.data[0]);
}

enum { MOST_WORDS = 32 };

struct words {
	struct ic_bytes line, list[MOST_WORDS];
	size_t count;
	size_t time, event; // their indexes; SIZE_MAX if absent
	size_t addr;        // the same, after a thread; it is the first word of a frame
};

// The number of columns that a word fills with the blanks before it, without the one that separates
// it.
static size_t columns_of(const struct words *words, size_t number)
{
	const struct ic_bytes *word = &words->list[number];
	const uint8_t *begin = number > 0 ? word[-1].data + word[-1].size + 1 : words->line.data;

	return (size_t)(word->data + word->size - begin);
}

// Whether a number is in one of perf's columns, unlike a number in a name.
static bool is_column(const struct words *words, size_t number, size_t width)
{
	size_t columns = columns_of(words, number), size = words->list[number].size;

	return is_number(words->list[number]) && columns == (size > width ? size : width);
}

// The ID of a thread. Newer versions of perf have wider columns (5 in 6.1, 7 in 6.12).
static bool is_id_column(const struct words *words, size_t number)
{
	return is_column(words, number, 5) || is_column(words, number, 7);
}

// The address of a sample without a stack: its column is preceded by one more blank.
static bool is_addr(const struct words *words, size_t number)
{
	enum { WIDTH = 16 };
	struct ic_bytes word = words->list[number];
	uint64_t addr;

	return number > 0 && columns_of(words, number) > WIDTH &&
	       columns_of(words, number) > word.size && take_hex(&word, &addr) && word.size == 0;
}

// Splits a line into words; the event is the one after the time. `rest` is what follows that.
static void split_words(struct ic_bytes line, struct words *words, struct ic_bytes *rest)
{
	struct ic_bytes word, behind_word = line;

	words->line = line;
	words->count = 0;
	words->time = words->event = words->addr = SIZE_MAX;
	while (words->count < MOST_WORDS && words->addr == SIZE_MAX &&
	       (word = take_word(&behind_word)).size > 0) {
		size_t number = words->count++;
		words->list[number] = word;
		if (words->event == SIZE_MAX && is_addr(words, number))
			words->addr = number;
		else if (words->time == SIZE_MAX && number >= 1 && is_time(word)) {
			words->time = number;
			words->event = SIZE_MAX;
		} else if (words->event == SIZE_MAX && number >= 1 && is_event(word)) {
			words->event = number;
			*rest = behind_word;
		}
	}
}

static bool has_slash(struct ic_bytes word)
{
	return memchr(word.data, '/', word.size) != NULL;
}

static bool is_cpu(struct ic_bytes word) // "[001]"
{
	return word.size > 2 && word.data[0] == '[' && is_digit(word.data[1]) &&
	       word.data[word.size - 1] == ']';
}

static bool read_thread(const struct words *words, size_t number, bool is_strict,
			struct ic_script_sample *sample)
{
	if (!read_ids(words->list[number], sample) ||
	    ((is_strict || number == 0) && !has_slash(words->list[number]) &&
	     !is_id_column(words, number)))
		return false;
	const uint8_t *begin = words->list[0].data;
	if (number > 0)
		sample->thread = without_blanks(
			(struct ic_bytes){ begin, (size_t)(words->list[number].data - begin) });
	return true;
}

// Reads the `count` words before the event. The name of a thread may contain blanks and digits: its
// IDs are the last numbers before the time or, if that is not printed, before the period.
static bool read_head(const struct words *words, size_t count, struct ic_script_sample *sample)
{
	bool has_event = words->event != SIZE_MAX, has_time = words->time < count;
	size_t ids = has_time ? words->time : count, last = count - 1;
	struct ic_bytes period = words->list[last];

	if (has_time)
		sample->has_period = last > ids && is_number(period);
	else if (last > 0 && is_number(period))
		sample->has_period = has_slash(words->list[last - 1]) ||
				     is_cpu(words->list[last - 1]) || is_column(words, last, 10);
	if (has_time && !read_time(words->list[words->time], &sample->time))
		return false;
	if (has_time && !has_event && last - sample->has_period != ids)
		return false;
	if (sample->has_period && !take_decimal(&period, &sample->period))
		return false;
	if (has_time) {
		while (ids > 0 && !read_thread(words, ids - 1, false, sample))
			ids--;
		return ids > 0;
	}
	ids -= sample->has_period;
	ids -= ids > 1 && is_cpu(words->list[ids - 1]);
	return ids > 0 && read_thread(words, ids - 1, !has_event, sample);
}

// ---- Frames

// Takes "+0x12" from the end. False if there is none.
static bool take_offset(struct ic_bytes *text, uint64_t *offset)
{
	size_t size = text->size;

	while (size > 0 && ic_text_hex_digit((char)text->data[size - 1]) >= 0)
		size--;
	if (size < 4 || size == text->size || memcmp(text->data + size - 3, "+0x", 3) != 0)
		return false;
	struct ic_bytes digits = text_after(*text, size);
	text->size = size - 3;
	return take_hex(&digits, offset);
}

// The parentheses at the end contain the file, whose name may have parentheses too.
static bool take_file(struct ic_bytes *text, struct ic_bytes *file)
{
	size_t start = text->size, open = 0;

	do {
		if (start == 0)
			return false;
		start--;
		open += text->data[start] == ')';
		open -= text->data[start] == '(' && open > 0;
	} while (open > 0);
	if (start + 1 == text->size) // no parenthesis
		return false;
	*file = (struct ic_bytes){ text->data + start + 1, text->size - start - 2 };
	text->size = start;
	*text = without_blanks(*text);
	return true;
}

static bool is_unknown(struct ic_bytes text)
{
	static const char unknown[] = "[unknown]";

	return text.size == 0 || (text.size == sizeof(unknown) - 1 &&
				  memcmp(text.data, unknown, sizeof(unknown) - 1) == 0);
}

bool ic_script_frame_line(struct ic_bytes line, struct ic_script_frame *frame)
{
	struct ic_bytes text = without_blanks(line);
	uint64_t offset;

	*frame = (struct ic_script_frame){ .addr = 0 };
	if (!take_hex(&text, &frame->addr) ||
	    (text.size > 0 && !ic_text_is_blank((char)text.data[0])))
		return false;
	text = without_blanks(text);
	if (take_file(&text, &frame->file)) {
		frame->has_offset = take_offset(&frame->file, &frame->file_offset);
		if (is_unknown(frame->file))
			frame->file = (struct ic_bytes){ NULL, 0 };
	}
	frame->in_function = take_offset(&text, &offset) ? offset : UINT64_MAX;
	if (!is_unknown(text))
		frame->name = text;
	return true;
}

// ---- Lines of samples

bool ic_script_is_of_stack(struct ic_bytes line)
{
	struct ic_script_frame frame;

	return line.size > 0 && line.data[0] == '\t' && ic_script_frame_line(line, &frame);
}

static bool has_stack(struct ic_bytes following)
{
	struct ic_bytes line;

	return ic_text_take_line(&following, &line) && ic_script_is_of_stack(line);
}

// "  busy.c:12", or "  busy[1136]" if perf does not know the line.
bool ic_script_is_source_line(struct ic_bytes line)
{
	size_t size = line.size;

	if (size < 3 || line.data[0] != ' ' || line.data[1] != ' ' || line.data[2] == ' ')
		return false;
	bool is_addr = line.data[size - 1] == ']';
	size -= is_addr;
	while (size > 3 && (is_addr ? ic_text_hex_digit((char)line.data[size - 1]) >= 0
				    : is_digit(line.data[size - 1])))
		size--;
	return size < line.size - is_addr && line.data[size - 1] == (is_addr ? '[' : ':');
}

bool ic_script_sample_line(struct ic_bytes line, struct ic_bytes following,
			   struct ic_script_sample *sample, struct ic_bytes *rest)
{
	struct words words;
	size_t count;

	*sample = (struct ic_script_sample){ .period = 1, .time = UINT64_MAX };
	split_words(line, &words, rest);
	count = words.event;
	if (count != SIZE_MAX) {
		sample->event = words.list[count];
		sample->event.size--;                       // the colon
	} else if (line.size > 0 && line.data[0] == '\t') { // a frame
		return false;
	} else if (words.addr != SIZE_MAX) {
		count = words.addr;
		*rest = text_after(line, (size_t)(words.list[count].data - line.data));
	} else {
		count = words.count;
		*rest = text_after(line, line.size);
		if (count == MOST_WORDS || (words.time == SIZE_MAX && !has_stack(following)))
			return false;
	}
	return count > 0 && read_head(&words, count, sample);
}

// ---- Mappings

bool ic_script_mapping_line(struct ic_bytes line, struct ic_script_mapping *mapping)
{
	static const char record[] = "PERF_RECORD_MMAP";
	const uint8_t *found = memmem(line.data, line.size, record, sizeof(record) - 1);
	uint64_t pid, tid;

	if (!found)
		return false;
	struct ic_bytes text = text_after(line, (size_t)(found - line.data) + sizeof(record) - 1);
	take_text(&text, "2");
	bool is_all = take_text(&text, " -1/"); // of the kernel
	if (is_all ? !take_decimal(&text, &tid)
		   : !take_text(&text, " ") || !take_decimal(&text, &pid) ||
			     !take_text(&text, "/") || !take_decimal(&text, &tid))
		return false;
	*mapping = (struct ic_script_mapping){ .pid = is_all ? UINT32_MAX : (uint32_t)pid };
	if (!take_text(&text, ": [") || !take_hex(&text, &mapping->start) ||
	    !take_text(&text, "(") || !take_hex(&text, &mapping->size) ||
	    !take_text(&text, ") @ ") || !take_hex(&text, &mapping->offset))
		return false;
	const uint8_t *end = memmem(text.data, text.size, "]: ", 3);
	if (!end)
		return false;
	text = text_after(text, (size_t)(end - text.data) + 3);
	struct ic_bytes mode = take_word(&text);
	mapping->is_code = memchr(mode.data, 'x', mode.size) != NULL;
	mapping->path = without_blanks(text);
	return mapping->path.size > 0;
}
