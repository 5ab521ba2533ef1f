#include "members.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static struct ic_archive *open_prefix(const char *path, size_t length, struct ic_error *err)
{
	char *prefix = strndup(path, length);
	struct ic_archive *archive = prefix ? ic_archive_open(prefix, err) : NULL;

	free(prefix);
	return archive;
}

// "lib.a(member.o)": either name may have brackets itself, so each one is tried.
static struct ic_archive *open_with_member(const char *path, const char **member,
					   struct ic_error *err)
{
	size_t length = strlen(path);
	struct ic_error why = { .code = IC_ERROR_MEMORY, .message = "out of memory" };

	if (length == 0 || path[length - 1] != ')')
		return NULL;
	for (const char *at = path; (at = strchr(at, '(')); at++) {
		struct ic_archive *archive = open_prefix(path, (size_t)(at - path), &why);
		if (archive) {
			*member = at + 1;
			return archive;
		}
		if (why.code != IC_ERROR_SYSTEM)
			*err = why; // there is such a file
	}
	return NULL;
}

bool cli_members_begin(struct cli_members *members, const char *path, struct ic_error *err)
{
	*members = (struct cli_members){ .archive = NULL };
	if (err->code == IC_ERROR_ARCHIVE)
		members->archive = ic_archive_open(path, err);
	else if (err->code == IC_ERROR_SYSTEM &&
		 (err->os_error == ENOENT || err->os_error == ENOTDIR))
		members->archive = open_with_member(path, &members->wanted, err);
	return members->archive != NULL;
}

static bool is_wanted(const struct cli_members *members, const char *name)
{
	if (!members->wanted)
		return true;
	size_t length = strlen(members->wanted) - 1; // without the bracket
	return strlen(name) == length && !memcmp(name, members->wanted, length);
}

bool cli_members_are_several(const struct cli_members *members)
{
	unsigned long count = 0;
	const char *name;

	for (size_t i = 0; (name = ic_archive_member(members->archive, i)); i++)
		count += is_wanted(members, name);
	return !members->wanted || count > 1;
}

static void note_without_debug(struct cli_members *members, const char *name)
{
	size_t used = strlen(members->names), room = sizeof(members->names) - used;
	const char *comma = used > 0 ? ", " : "";

	members->without_debug++;
	if (members->unnamed > 0 || strlen(comma) + strlen(name) >= room)
		members->unnamed++;
	else
		snprintf(members->names + used, room, "%s%s", comma, name);
}

static void explain_failure(struct cli_members *members, const char *name,
			    const struct ic_error *err)
{
	if (err->code == IC_ERROR_NO_CODE && !members->wanted)
		return; // data, or what a compiler keeps for itself, such as lib.rmeta
	if (err->code == IC_ERROR_NO_DEBUG && !members->wanted) {
		note_without_debug(members, name);
		return;
	}
	cli_complain("%s", err->message);
	members->complained = true;
	members->failure = err->code;
}

struct ic_image *cli_members_next(struct cli_members *members,
				  const struct ic_image_options *options)
{
	struct ic_error err;
	const char *name;

	while ((name = ic_archive_member(members->archive, members->next))) {
		size_t number = members->next++;
		if (!is_wanted(members, name))
			continue;
		members->found = true;
		struct ic_image *image =
			ic_archive_image_open(members->archive, number, options, &err);
		if (image) {
			members->images++;
			return image;
		}
		explain_failure(members, name, &err);
	}
	return NULL;
}

void cli_members_progress(const struct cli_members *members, struct cli_progress *progress)
{
	progress->part = members->next - 1;
	progress->parts = ic_archive_count(members->archive);
}

bool cli_members_check(const struct cli_members *members)
{
	const char *path = ic_archive_path(members->archive);
	struct ic_error err;

	if (members->without_debug > 0)
		cli_complain("%s: %lu of its members %s no debug information (compiled without "
			     "-g?): %s%s",
			     path, members->without_debug,
			     members->without_debug == 1 ? "has" : "have", members->names,
			     members->unnamed > 0 ? ", ..." : "");
	bool whole = ic_archive_is_whole(members->archive, &err);
	if (!whole)
		cli_complain("%s", err.message);
	else if (members->wanted && !members->found)
		cli_complain("%s: has no member '%.*s'", path, (int)strlen(members->wanted) - 1,
			     members->wanted);
	return whole && !members->complained && members->without_debug == 0 &&
	       (!members->wanted || members->found);
}

void cli_members_end(struct cli_members *members)
{
	ic_archive_close(members->archive);
}
