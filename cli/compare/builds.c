#include "compare/builds.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cli.h"
#include "base/members.h"

enum { MOST_LEVELS = 64, MAGIC_SIZE = 8 };

struct reader { // of a build
	struct cli_builds *builds;
	struct ic_build *build;
	struct cli_progress progress;
	unsigned long files, without_debug;
	bool failed; // memory ran out
};

static void add_image(struct reader *reader, struct ic_image *image)
{
	struct cli_builds *builds = reader->builds;
	struct ic_error err;

	builds->index.progress = cli_progress_show;
	builds->index.progress_context = &reader->progress;
	struct ic_index *index = ic_index_build(image, &builds->index, &err);
	cli_progress_end(&reader->progress);
	if (index)
		builds->incomplete |= cli_files_print_index_problems(index, ic_image_path(image));
	if (!index || !ic_build_add(reader->build, index, &err)) {
		cli_complain("%s", err.message);
		builds->incomplete = true;
		reader->failed = index != NULL;
	}
	reader->files += index != NULL;
	ic_index_free(index);
	ic_image_free(image);
}

static void add_members(struct reader *reader, struct cli_members *members)
{
	struct ic_image *image;

	while (!reader->failed && (image = cli_members_next(members, &reader->builds->files.image)))
		add_image(reader, image);
	reader->builds->incomplete |= !cli_members_check(members);
	cli_members_end(members);
}

// `is_found`: it was found in a directory, and may be without debug information.
static void add_file(struct reader *reader, const char *path, bool is_found)
{
	struct cli_members members;
	struct ic_error err;

	cli_progress_begin(&reader->progress, path);
	struct ic_image *image = cli_files_open(&reader->builds->files, path, &err);
	if (image) {
		add_image(reader, image);
	} else if (cli_members_begin(&members, path, &err)) {
		add_members(reader, &members);
	} else if (is_found && err.code == IC_ERROR_NO_DEBUG) {
		reader->without_debug++;
	} else {
		cli_complain("%s", err.message);
		reader->builds->incomplete = true;
	}
}

// Whether a file's name is that of a compressed kernel module.
static bool is_packed_module(const char *path)
{
	const char *at = strstr(path, ".ko.");

	return at && (strcmp(at, ".ko.xz") == 0 || strcmp(at, ".ko.zst") == 0 ||
		      strcmp(at, ".ko.gz") == 0);
}

// Whether a file of a directory is one with code: ELF, an archive, or a compressed module.
static bool is_binary(const char *path)
{
	char magic[MAGIC_SIZE] = "";
	FILE *file = is_packed_module(path) ? NULL : fopen(path, "rb");

	if (!file)
		return is_packed_module(path);
	size_t size = fread(magic, 1, sizeof(magic), file);
	fclose(file);
	return (size >= 4 && memcmp(magic, "\177ELF", 4) == 0) ||
	       (size == MAGIC_SIZE && (memcmp(magic, "!<arch>\n", MAGIC_SIZE) == 0 ||
				       memcmp(magic, "!<thin>\n", MAGIC_SIZE) == 0));
}

static void add_directory(struct reader *reader, const char *path, int level);

// Symbolic links are not followed, so each file is read once.
static void add_entry(struct reader *reader, const char *path, int level)
{
	struct stat status;

	if (lstat(path, &status) != 0) {
		cli_complain("cannot read %s: %s", path, strerror(errno));
		reader->builds->incomplete = true;
	} else if (S_ISDIR(status.st_mode)) {
		add_directory(reader, path, level + 1);
	} else if (S_ISREG(status.st_mode) && is_binary(path)) {
		add_file(reader, path, true);
	}
}

static void add_directory(struct reader *reader, const char *path, int level)
{
	struct dirent **entries;
	int count = level < MOST_LEVELS ? scandir(path, &entries, NULL, alphasort) : -1;

	if (count < 0) {
		cli_complain("cannot read %s: %s", path,
			     level < MOST_LEVELS ? strerror(errno)
						 : "too many directories inside each other");
		reader->builds->incomplete = true;
		return;
	}
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		size_t size = strlen(path) + strlen(name) + 2;
		char *inside = reader->failed || !strcmp(name, ".") || !strcmp(name, "..")
				       ? NULL
				       : malloc(size);
		if (inside) {
			snprintf(inside, size, "%s/%s", path, name);
			add_entry(reader, inside, level);
		}
		free(inside);
		free(entries[i]);
	}
	free(entries);
}

static bool check_files(const struct reader *reader, const char *path)
{
	reader->builds->incomplete |= reader->without_debug > 0;
	if (reader->without_debug > 0)
		cli_complain("%s: %lu file%s no debug information and %s not compared", path,
			     reader->without_debug, reader->without_debug == 1 ? " has" : "s have",
			     reader->without_debug == 1 ? "is" : "are");
	else if (reader->files == 0 && !reader->builds->incomplete)
		cli_complain("%s: no file with debug information", path);
	return reader->files > 0 && !reader->failed;
}

struct ic_build *cli_build_read(struct cli_builds *builds, const char *path)
{
	struct reader reader = { .builds = builds };
	struct stat status;
	struct ic_error err;

	reader.build = ic_build_new(&err);
	if (!reader.build) {
		cli_complain("%s", err.message);
		builds->incomplete = true;
		return NULL;
	}
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		add_directory(&reader, path, 0);
	else
		add_file(&reader, path, false);
	if (check_files(&reader, path))
		return reader.build;
	builds->incomplete = true;
	ic_build_free(reader.build);
	return NULL;
}
