#include "process/proc_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool take_number(char **at, int base, char end, uint64_t *value)
{
	char *after;

	if (!**at || strspn(*at, "0123456789abcdef") == 0) // strtoull() accepts signs and blanks
		return false;
	errno = 0;
	*value = strtoull(*at, &after, base);
	if (errno != 0 || *after != end)
		return false;
	*at = after + 1;
	return true;
}

// The kernel writes only newlines this way, as three octal digits.
static void restore_newlines(char *name)
{
	char *to = name;

	for (const char *from = name; *from; to++) {
		bool is_newline = strncmp(from, "\\012", 4) == 0;
		*to = is_newline ? '\n' : *from;
		from += is_newline ? 4 : 1;
	}
	*to = 0;
}

static void cut_deleted(char *name)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(name), cut = sizeof(deleted) - 1;

	if (length >= cut && strcmp(name + length - cut, deleted) == 0)
		name[length - cut] = 0;
}

bool ic_map_line_parse(struct ic_map_line *map, char *line)
{
	uint64_t major, minor;
	char *at = line;

	*map = (struct ic_map_line){ .name = NULL };
	line[strcspn(line, "\n")] = 0;
	if (!take_number(&at, 16, '-', &map->start) || !take_number(&at, 16, ' ', &map->end) ||
	    map->start >= map->end || strlen(at) < 5 || at[4] != ' ')
		return false;
	map->is_code = at[2] == 'x';
	at += 5;
	if (!take_number(&at, 16, ' ', &map->offset) || !take_number(&at, 16, ':', &major) ||
	    !take_number(&at, 16, ' ', &minor))
		return false;
	map->device = major << 32 | minor;
	errno = 0;
	char *end;
	map->inode = strtoull(at, &end, 10);
	if (end == at || errno != 0 || (*end && *end != ' '))
		return false;
	map->name = end + strspn(end, " ");
	if (map->name[0] == '/')
		cut_deleted(map->name);
	restore_newlines(map->name);
	return true;
}
