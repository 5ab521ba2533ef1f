#include "base/trees.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/members.h"

enum { MOST_LEVELS = 64, MAGIC_SIZE = 8 };

static void visit_image(struct cli_tree *tree, struct ic_image *image)
{
	tree->stopped = !tree->visit(tree->context, image);
}

static void visit_members(struct cli_tree *tree, struct cli_members *members)
{
	struct ic_image *image;

	while (!tree->stopped && (image = cli_members_next(members, &tree->files->image)))
		visit_image(tree, image);
	tree->incomplete |= !cli_members_check(members);
	cli_members_end(members);
}

// `is_found`: it was found in a directory, and may be without debug information.
static void visit_file(struct cli_tree *tree, const char *path, bool is_found)
{
	struct cli_members members;
	struct ic_error err;
	struct ic_image *image = cli_files_open(tree->files, path, &err);

	tree->file_count++;
	if (image) {
		visit_image(tree, image);
		return;
	}
	if (cli_members_begin(&members, path, &err)) {
		visit_members(tree, &members);
		return;
	}
	if (tree->refuse)
		tree->refuse(tree->context, path, &err);
	if (is_found && err.code == IC_ERROR_NO_DEBUG) {
		tree->without_debug++;
	} else {
		cli_complain("%s", err.message);
		tree->incomplete = true;
	}
}

// Whether a file's name is that of a compressed kernel module.
static bool is_packed_module(const char *path)
{
	const char *at = strstr(path, ".ko.");

	return at && (strcmp(at, ".ko.xz") == 0 || strcmp(at, ".ko.zst") == 0 ||
		      strcmp(at, ".ko.gz") == 0);
}

// Reads the start of a file; returns the number of bytes.
static size_t read_magic(const char *path, char magic[MAGIC_SIZE])
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // it may be a FIFO
	ssize_t size = file >= 0 ? read(file, magic, MAGIC_SIZE) : 0;

	if (file >= 0)
		close(file);
	return size > 0 ? (size_t)size : 0;
}

static bool is_elf(const char *magic, size_t size)
{
	return size >= 4 && memcmp(magic, "\177ELF", 4) == 0;
}

// Whether a file of a directory is one with code: ELF, an archive, or a compressed module.
static bool is_binary(const char *path)
{
	char magic[MAGIC_SIZE];

	if (is_packed_module(path))
		return true;
	size_t size = read_magic(path, magic);
	return is_elf(magic, size) ||
	       (size == MAGIC_SIZE && (memcmp(magic, "!<arch>\n", MAGIC_SIZE) == 0 ||
				       memcmp(magic, "!<thin>\n", MAGIC_SIZE) == 0));
}

bool cli_tree_is_file(const char *path)
{
	char magic[MAGIC_SIZE];

	return is_elf(magic, read_magic(path, magic));
}

static void visit_directory(struct cli_tree *tree, const char *path, int level);

static void visit_entry(struct cli_tree *tree, const char *path, int level)
{
	struct stat status;

	if (lstat(path, &status) != 0) {
		cli_complain("%s: cannot read: %s", path, strerror(errno));
		tree->incomplete = true;
	} else if (S_ISDIR(status.st_mode)) {
		visit_directory(tree, path, level + 1);
	} else if (S_ISREG(status.st_mode) && is_binary(path)) {
		visit_file(tree, path, true);
	}
}

static void visit_inside(struct cli_tree *tree, const char *path, const char *name, int level)
{
	char *inside;

	if (asprintf(&inside, "%s/%s", path, name) < 0) {
		cli_complain("out of memory");
		tree->incomplete = tree->stopped = true;
		return;
	}
	visit_entry(tree, inside, level);
	free(inside);
}

static void visit_directory(struct cli_tree *tree, const char *path, int level)
{
	struct dirent **entries;
	int count = level < MOST_LEVELS ? scandir(path, &entries, NULL, alphasort) : -1;

	if (count < 0) {
		cli_complain("%s: cannot read: %s", path,
			     level < MOST_LEVELS ? strerror(errno)
						 : "too many directories inside each other");
		tree->incomplete = true;
		return;
	}
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		if (!tree->stopped && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			visit_inside(tree, path, name, level);
		free(entries[i]);
	}
	free(entries);
}

void cli_tree_visit(struct cli_tree *tree, const char *path)
{
	unsigned long count = tree->file_count;
	struct stat status;

	if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
		visit_file(tree, path, false);
		return;
	}
	visit_directory(tree, path, 0);
	if (tree->file_count == count && !tree->stopped) {
		cli_complain("%s: no ELF file, archive or kernel module in this directory", path);
		tree->incomplete = true;
	}
}
