#include "elf/archives/archive_list.h"

#include <inlinecall/extra/archive.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf/image/image.h"

struct ic_archive {
	char *path;
	size_t directory_length; // of the path, with its slash; 0 if it has none
	struct ic_archive_list list;
};

static bool fail_number(const struct ic_archive *archive, size_t number, struct ic_error *err)
{
	return ic_fail(err, IC_ERROR_ARGUMENT, "%s: no member %zu", archive->path, number);
}

// The path of the separate file, or the nested archive, of a member of a thin archive; false if it
// is too long.
static bool find_file(const struct ic_archive *archive, const struct ic_archive_member *member,
		      char *path, size_t size, struct ic_error *err)
{
	int directory = member->name[0] == '/' ? 0 : (int)archive->directory_length;
	int length = snprintf(path, size, "%.*s%s", directory, archive->path, member->name);

	return (length > 0 && (size_t)length < size) ||
	       ic_fail(err, IC_ERROR_MALFORMED, "%s: path of a member is too long: %.100s...",
		       archive->path, member->name);
}

// The nested archive's member for a member of this thin archive.
static bool find_nested(const struct ic_archive *archive, const struct ic_archive_member *member,
			const char *path, struct ic_archive_member *nested, struct ic_arena *arena,
			struct ic_error *err)
{
	const struct ic_place place = { .name = archive->path,
					.path = path,
					.size = IC_PLACE_TO_END };
	struct ic_mapping mapping;

	if (!ic_mapping_open(&mapping, &place, err))
		return false;
	const struct ic_bytes bytes = { mapping.data, mapping.size };
	bool ok = ic_archive_member_read(nested, arena, bytes, path, member->origin, err);
	ic_mapping_close(&mapping);
	return ok;
}

// Names members of archives inside a thin one as nm prints them; one that cannot be found keeps the
// archive's name, and opening it fails with the reason.
static bool name_nested(struct ic_archive *archive, struct ic_error *err)
{
	char path[PATH_MAX];

	for (uint32_t i = 0; i < archive->list.members.count; i++) {
		struct ic_archive_member *member = &archive->list.members.items[i], nested;
		if (member->origin == 0 || !find_file(archive, member, path, sizeof(path), err))
			continue;
		if (find_nested(archive, member, path, &nested, &archive->list.arena, err))
			member->shown = nested.name;
		else if (err->code == IC_ERROR_MEMORY)
			return false;
	}
	return true;
}

static bool open_archive(struct ic_archive *archive, const char *path, struct ic_error *err)
{
	const struct ic_place place = { .name = path, .path = path, .size = IC_PLACE_TO_END };
	const char *slash = strrchr(path, '/');
	struct ic_mapping mapping;

	archive->path = strdup(path);
	if (!archive->path)
		return ic_fail_memory(err);
	archive->directory_length = slash ? (size_t)(slash - path) + 1 : 0;
	if (!ic_mapping_open(&mapping, &place, err))
		return false;
	const struct ic_bytes bytes = { mapping.data, mapping.size };
	bool ok = ic_archive_is_archive(bytes) ||
		  ic_fail(err, IC_ERROR_NOT_ELF, "%s: not an archive", path);
	ok = ok && ic_archive_list_read(&archive->list, bytes, path, err);
	ic_mapping_close(&mapping);
	return ok && name_nested(archive, err);
}

struct ic_archive *ic_archive_open(const char *path, struct ic_error *err)
{
	struct ic_archive *archive = calloc(1, sizeof(*archive));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!archive) {
		ic_fail_memory(err);
		return NULL;
	}
	if (path ? open_archive(archive, path, err)
		 : ic_fail(err, IC_ERROR_ARGUMENT, "no path given"))
		return archive;
	ic_archive_free(archive);
	return NULL;
}

void ic_archive_free(struct ic_archive *archive)
{
	if (!archive)
		return;
	ic_archive_list_free(&archive->list);
	free(archive->path);
	free(archive);
}

bool ic_archive_is_whole(const struct ic_archive *archive, struct ic_error *err)
{
	if (archive->list.fault.code == IC_ERROR_NONE)
		return true;
	if (err)
		*err = archive->list.fault;
	return false;
}

const char *ic_archive_path(const struct ic_archive *archive)
{
	return archive->path;
}

size_t ic_archive_count(const struct ic_archive *archive)
{
	return archive->list.members.count;
}

const char *ic_archive_member(const struct ic_archive *archive, size_t number)
{
	if (number >= archive->list.members.count)
		return NULL;
	const struct ic_archive_member *member = &archive->list.members.items[number];
	return member->shown ? member->shown : member->name;
}

static struct ic_image *open_member(const struct ic_archive *archive,
				    const struct ic_archive_member *member, const char *name,
				    const struct ic_image_options *options, struct ic_error *err)
{
	struct ic_place place = {
		.name = name, .path = archive->path, .off = member->off, .size = member->size
	};
	struct ic_arena arena = { .blocks = NULL };
	struct ic_archive_member nested;
	char path[PATH_MAX];

	if (archive->list.is_thin) {
		place = (struct ic_place){ .name = name, .path = path, .size = IC_PLACE_TO_END };
		if (!find_file(archive, member, path, sizeof(path), err))
			return NULL;
	}
	if (member->origin > 0) {
		bool found = find_nested(archive, member, path, &nested, &arena, err);
		ic_arena_free(&arena);
		if (!found)
			return NULL;
		place = (struct ic_place){
			.name = name, .path = path, .off = nested.off, .size = nested.size
		};
	}
	return ic_image_open_place(&place, options, err);
}

struct ic_image *ic_archive_image_open(const struct ic_archive *archive, size_t number,
				       const struct ic_image_options *options, struct ic_error *err)
{
	const char *member = ic_archive_member(archive, number);
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!member) {
		fail_number(archive, number, err);
		return NULL;
	}
	size_t size = strlen(archive->path) + strlen(member) + sizeof("()");
	char *name = malloc(size);
	if (!name) {
		ic_fail_memory(err);
		return NULL;
	}
	snprintf(name, size, "%s(%s)", archive->path, member);
	struct ic_image *image =
		open_member(archive, &archive->list.members.items[number], name, options, err);
	free(name);
	return image;
}
