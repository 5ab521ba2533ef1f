#include "base/members.h"

#include <errno.h>
#include <string.h>

#include "base/cli.h"

bool cli_members_begin(struct cli_members *members, const char *path, struct ic_error *err)
{
	bool is_archive = err->code == IC_ERROR_ARCHIVE;
	bool is_absent = err->code == IC_ERROR_SYSTEM &&
			 (err->os_error == ENOENT || err->os_error == ENOTDIR);
	struct ic_error why;

	*members = (struct cli_members){ .members = NULL };
	if (!is_archive && !is_absent)
		return false;
	members->members = ic_members_open(path, &why);
	if (!members->members && (is_archive || why.code != IC_ERROR_SYSTEM))
		*err = why;
	return members->members != NULL;
}

bool cli_members_are_several(const struct cli_members *members)
{
	return !ic_members_name(members->members) || ic_members_count(members->members) > 1;
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
	if (err->code == IC_ERROR_NO_DEBUG && !ic_members_name(members->members)) {
		note_without_debug(members, name);
		return;
	}
	cli_complain("%s", err->message);
	members->complained = true;
	members->failure = err->code;
}

// Opens a member without debug information for its symbols, if `symbols_do`. No server is asked
// twice.
static struct ic_image *open_symbols(const struct cli_members *members,
				     const struct ic_image_options *options,
				     enum ic_error_code failure)
{
	struct ic_image_options others = *options;

	others.debuginfod = NULL;
	others.allow_no_debug = true;
	return members->symbols_do && failure == IC_ERROR_NO_DEBUG
		       ? ic_archive_image_open(ic_members_archive(members->members),
					       members->number, &others, NULL)
		       : NULL;
}

struct ic_image *cli_members_next(struct cli_members *members,
				  const struct ic_image_options *options)
{
	struct ic_member member;
	struct ic_error err;

	while (ic_members_next(members->members, options, &member, &err)) {
		members->number = member.number;
		if (!member.image) {
			explain_failure(members, member.name, &err);
			member.image = open_symbols(members, options, err.code);
		}
		if (member.image) {
			members->images++;
			return member.image;
		}
	}
	return NULL;
}

void cli_members_progress(const struct cli_members *members, struct cli_progress *progress)
{
	progress->part = members->number;
	progress->parts = ic_archive_count(ic_members_archive(members->members));
}

bool cli_members_check(const struct cli_members *members)
{
	const char *path = ic_archive_path(ic_members_archive(members->members));
	const char *more = members->unnamed > 0 ? ", ..." : "";
	struct ic_error err;

	if (members->without_debug == 1)
		cli_complain("%s: 1 of its members has no debug information (compiled without "
			     "-g?): %s%s",
			     path, members->names, more);
	else if (members->without_debug > 0)
		cli_complain("%s: %lu of its members have no debug information (compiled without "
			     "-g?): %s%s",
			     path, members->without_debug, members->names, more);
	bool whole = ic_members_check(members->members, &err);
	if (!whole)
		cli_complain("%s", err.message);
	return whole && !members->complained && members->without_debug == 0;
}

void cli_members_end(struct cli_members *members)
{
	ic_members_free(members->members);
}
