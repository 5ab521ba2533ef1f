// Formats of Go's runtime and profiles.
#include "mentions/go.h"

#include <string.h>

#include "mentions/forms.h"
#include "text/span.h"

static struct ic_span rest_from(struct ic_span line, size_t at)
{
	return (struct ic_span){ line.text + at, line.size - at };
}

// ":25", the line of a source file; its end, or `at`.
static size_t read_line_number(struct ic_span line, size_t at, uint32_t *number)
{
	uint64_t value = 0;
	size_t end = at + 1;

	for (; end < line.size && line.text[end] >= '0' && line.text[end] <= '9'; end++) {
		value = value * 10 + (uint64_t)(line.text[end] - '0');
		if (value > UINT32_MAX)
			return at;
	}
	*number = (uint32_t)value;
	return end > at + 1 ? end : at;
}

// ---- Tracebacks

bool ic_go_begins_stack(struct ic_span line)
{
	line = ic_span_trimmed(line);
	return line.size > 2 && memcmp(line.text + line.size - 2, "]:", 2) == 0 &&
	       ic_span_holds(line, "goroutine ");
}

void ic_go_caller_read(struct ic_span line, struct ic_go_caller *caller)
{
	static const char created[] = "created by ";
	struct ic_span name = { NULL, 0 };

	caller->size = 0;
	caller->is_inlined = caller->has_arguments = false;
	line = ic_span_trimmed(line);
	const char *by = ic_span_find(line, created);
	if (by) {
		name.text = by + sizeof(created) - 1;
		const char *end = line.text + line.size;
		const char *blank = memchr(name.text, ' ', (size_t)(end - name.text));
		name.size = (size_t)((blank ? blank : end) - name.text);
	} else if (line.size > 0 && line.text[line.size - 1] == ')') {
		const char *open = memrchr(line.text, '(', line.size);
		size_t end = open ? (size_t)(open - line.text) : 0,
		       start = ic_mention_word_start(line, end);
		name = (struct ic_span){ line.text + start, end - start };
		caller->has_arguments = open;
		caller->is_inlined = open && ic_span_is(rest_from(line, end), "(...)");
	}
	if (ic_span_is(name, "panic")) // the runtime prints this name
		name = (struct ic_span){ "runtime.gopanic", sizeof("runtime.gopanic") - 1 };
	if (name.size == 0 || name.size > sizeof(caller->name))
		return;
	memcpy(caller->name, name.text, name.size);
	caller->size = name.size;
}

bool ic_go_caller_is_sigpanic(const struct ic_go_caller *caller)
{
	return ic_span_is((struct ic_span){ caller->name, caller->size }, "runtime.sigpanic");
}

// " +0x88 fp=0xc000086ef8 sp=0xc000086ec0 pc=0x4b41c8" up to the end of the line; all parts are
// optional.
static bool read_tail(struct ic_span line, size_t at, struct ic_mention *mention)
{
	uint64_t unused;

	at = ic_mention_read_hex(line, at, " +0x", &mention->off);
	size_t frame = ic_mention_read_hex(line, at, " fp=0x", &unused);
	if (frame > at) {
		frame = ic_mention_read_hex(line, frame, " sp=0x", &unused);
		at = ic_mention_read_hex(line, frame, " pc=0x", &mention->addr);
		mention->has_addr = at > frame;
	}
	return at == line.size;
}

bool ic_mention_read_go_place(struct ic_span line, const struct ic_go_caller *caller,
			      struct ic_mention *mention)
{
	line = ic_span_trimmed(line);
	const char *tab = memchr(line.text, '\t', line.size);
	if (!tab || caller->size == 0)
		return false;
	for (size_t at = (size_t)(tab - line.text) + 1; at < line.size; at++) {
		*mention = (struct ic_mention){ .start = (size_t)(tab - line.text) + 1 };
		size_t end = line.text[at] == ':' ? read_line_number(line, at, &mention->line) : at;
		if (end == at || !read_tail(line, end, mention))
			continue;
		mention->name = (struct ic_span){ caller->name, caller->size };
		mention->is_return = mention->off > 0; // otherwise nothing has been called yet
		return mention->off > 0 || mention->has_addr || !caller->is_inlined;
	}
	return false;
}

// ---- Profiles

bool ic_mention_read_go_profile_line(struct ic_span line, struct ic_mention *mention)
{
	line = ic_span_trimmed(line);
	size_t name = ic_mention_read_hex(line, 0, "#\t0x", &mention->addr) + 1, plus, end;
	const char *tab = name < line.size ? memchr(line.text + name, '\t', line.size - name)
					   : NULL;

	end = tab ? (size_t)(tab - line.text) : line.size;
	if (name == 1 || name >= end || line.text[name - 1] != '\t')
		return false;
	for (plus = end - 1; plus > name && line.text[plus] != '+';)
		plus--;
	if (plus == name || ic_mention_read_hex(line, plus, "+0x", &mention->off) != end)
		return false;
	mention->start = 2;
	mention->has_addr = true;
	mention->name = (struct ic_span){ line.text + name, plus - name };
	const char *colon = memrchr(line.text, ':', line.size);
	size_t at = colon ? (size_t)(colon - line.text) : 0;
	if (at < end || read_line_number(line, at, &mention->line) != line.size)
		mention->line = 0;
	return true;
}

size_t ic_go_stack_start(struct ic_span line)
{
	static const char mark[] = " @ 0x";
	bool is_counted = line.size > 0 && line.text[0] >= '0' && line.text[0] <= '9';
	const char *found = is_counted ? ic_span_find(line, mark) : NULL;

	return found ? (size_t)(found - line.text) : line.size;
}
