#include "filter/sysroot.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

// Inserts `text` before what is left of the path.
static bool prepend_path(char *rest, const char *text)
{
	char joined[PATH_MAX];
	int size = snprintf(joined, sizeof(joined), "%s/%s", text, rest);

	if (size < 0 || (size_t)size >= sizeof(joined))
		return false;
	strcpy(rest, joined);
	return true;
}

static void cut_last_part(char *to, size_t root_size)
{
	char *slash = strrchr(to + root_size, '/');

	if (slash)
		*slash = 0;
}

bool cli_sysroot_path(const char *root, const char *path, char *to, size_t size)
{
	char rest[PATH_MAX], link[PATH_MAX];
	size_t root_size = strlen(root), used, part;
	int links = 0;

	while (root_size > 0 && root[root_size - 1] == '/')
		root_size--;
	if (strlen(path) >= sizeof(rest) || root_size >= size)
		return false;
	memcpy(to, root, root_size);
	to[root_size] = 0;
	strcpy(rest, path);
	while (*rest) {
		size_t slashes = strspn(rest, "/");
		memmove(rest, rest + slashes, strlen(rest + slashes) + 1);
		part = strcspn(rest, "/");
		if (part == 0)
			break;
		if (part == 2 && strncmp(rest, "..", 2) == 0)
			cut_last_part(to, root_size);
		used = strlen(to);
		if (used + part + 2 > size)
			return false;
		if (strncmp(rest, ".", part) != 0 && strncmp(rest, "..", part) != 0)
			snprintf(to + used, size - used, "/%.*s", (int)part, rest);
		memmove(rest, rest + part, strlen(rest + part) + 1);
		ssize_t length = readlink(to, link, sizeof(link) - 1);
		if (length < 0 || !to[used])
			continue;
		link[length] = 0;
		if (++links > MOST_LINKS || !prepend_path(rest, link))
			return false;
		to[link[0] == '/' ? root_size : used] = 0;
	}
	return true;
}
