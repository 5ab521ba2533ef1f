#include "text/template_name.h"

#include <string.h>

#include "text/name_parts.h"
#include "text/text.h"

struct buffer {
	char *bytes;
	size_t size, used;
};

static void add_bytes(struct buffer *to, const char *bytes, size_t size)
{
	size_t room = to->size - to->used;

	if (size > room)
		size = room;
	memcpy(to->bytes + to->used, bytes, size);
	to->used += size;
}

bool ic_name_is_of_go(const char *name)
{
	return strchr(name, '.') && !strstr(name, "::") && !strpbrk(name, "<> ");
}

// Adds a Go name without the contents of its brackets: "main.Map[_]".
static void add_go_name(struct buffer *to, const char *name)
{
	int depth = 0;

	for (; *name; name++) {
		depth -= *name == ']';
		if (depth <= 0)
			add_bytes(to, name, 1);
		if (*name == '[' && depth++ == 0)
			add_bytes(to, "_", 1);
	}
}

// The length of the part of a name that all instances of a template share.
static size_t stem_length(const struct ic_name_part *part)
{
	size_t stem = ic_name_stem_length(part->start, part->length);
	bool is_conversion = part->length > 9 && strncmp(part->start, "operator ", 9) == 0;

	return stem == 0 || is_conversion ? part->length : stem;
}

static void add_part(struct buffer *to, const struct ic_name_part *part)
{
	size_t stem = stem_length(part);

	add_bytes(to, part->start, stem);
	if (stem < part->length && part->start[stem] == '<')
		add_bytes(to, "<_>", 3);
}

size_t ic_template_name(const char *name, const char *file, char *to, size_t size)
{
	struct buffer buffer = { to, size, 0 };
	struct ic_name_parts parts;
	const char *base = file ? ic_text_base_name(file) : "";

	if (ic_name_is_of_go(name)) {
		add_go_name(&buffer, name);
		return buffer.used;
	}
	ic_name_parts_split(&parts, name);
	for (uint32_t i = 0; i < parts.count; i++) {
		if (i > 0)
			add_bytes(&buffer, "::", 2);
		add_part(&buffer, &parts.parts[i]);
	}
	if (strchr(name, '{') && *base) {
		add_bytes(&buffer, " in ", 4);
		add_bytes(&buffer, base, strlen(base));
	}
	return buffer.used;
}
