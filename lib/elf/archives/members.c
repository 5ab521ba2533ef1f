#include <inlinecall/extra/archive.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct ic_members {
	struct ic_archive *archive;
	char *name;    // in "lib.a(NAME)"; NULL if all members are selected
	size_t next;   // the number of the next one to look at
	bool is_found; // a selected member was found
};

static struct ic_archive *open_prefix(const char *path, size_t length, struct ic_error *err)
{
	char *prefix = strndup(path, length);
	struct ic_archive *archive = prefix ? ic_archive_open(prefix, err) : NULL;

	if (!prefix)
		ic_fail_memory(err);
	free(prefix);
	return archive;
}

// "lib.a(member.o)": either name may have brackets itself, so each one is tried. *err is changed
// only if there is such a file.
static struct ic_archive *open_with_member(const char *path, char **name, struct ic_error *err)
{
	size_t length = strlen(path);
	struct ic_error why;

	if (length == 0 || path[length - 1] != ')')
		return NULL;
	for (const char *at = path; (at = strchr(at, '(')); at++) {
		struct ic_archive *archive = open_prefix(path, (size_t)(at - path), &why);
		if (!archive && why.code != IC_ERROR_SYSTEM)
			*err = why;
		if (!archive)
			continue;
		*name = strndup(at + 1, (size_t)(path + length - 1 - (at + 1)));
		if (*name)
			return archive;
		ic_archive_free(archive);
		ic_fail_memory(err);
		return NULL;
	}
	return NULL;
}

struct ic_members *ic_members_open(const char *path, struct ic_error *err)
{
	struct ic_members *members = calloc(1, sizeof(*members));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!members) {
		ic_fail_memory(err);
		return NULL;
	}
	members->archive = ic_archive_open(path, err);
	if (!members->archive && err->code == IC_ERROR_SYSTEM &&
	    (err->os_error == ENOENT || err->os_error == ENOTDIR))
		members->archive = open_with_member(path, &members->name, err);
	if (members->archive)
		return members;
	ic_members_free(members);
	return NULL;
}

void ic_members_free(struct ic_members *members)
{
	if (!members)
		return;
	ic_archive_free(members->archive);
	free(members->name);
	free(members);
}

const struct ic_archive *ic_members_archive(const struct ic_members *members)
{
	return members->archive;
}

const char *ic_members_name(const struct ic_members *members)
{
	return members->name;
}

static bool is_meant(const struct ic_members *members, const char *name)
{
	return !members->name || strcmp(name, members->name) == 0;
}

size_t ic_members_count(const struct ic_members *members)
{
	size_t count = 0;
	const char *name;

	for (size_t i = 0; (name = ic_archive_member(members->archive, i)); i++)
		count += is_meant(members, name);
	return count;
}

bool ic_members_next(struct ic_members *members, const struct ic_image_options *options,
		     struct ic_member *member, struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	for (;;) {
		member->number = members->next;
		member->name = ic_archive_member(members->archive, member->number);
		if (!member->name)
			return false;
		members->next++;
		if (!is_meant(members, member->name))
			continue;
		members->is_found = true;
		member->image =
			ic_archive_image_open(members->archive, member->number, options, err);
		// Data, or compiler-internal files such as lib.rmeta.
		if (member->image || members->name || err->code != IC_ERROR_NO_CODE)
			return true;
	}
}

void ic_members_rewind(struct ic_members *members)
{
	members->next = 0;
}

bool ic_members_check(const struct ic_members *members, struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!ic_archive_is_whole(members->archive, err))
		return false;
	return !members->name || members->is_found ||
	       ic_fail(err, IC_ERROR_NOT_FOUND, "%s: no member '%s'",
		       ic_archive_path(members->archive), members->name);
}
