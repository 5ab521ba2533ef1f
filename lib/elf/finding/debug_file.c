#include "elf/finding/debug_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libdeflate.h>

#include "elf/files/build_id.h"
#include "elf/finding/debug_dirs.h"
#include "elf/finding/debuginfod.h"
#include "elf/sections/checks.h"
#include "text/text.h"

struct search {
	const struct ic_elf_file *file;
	struct ic_elf_file *debug_file;
	char directory[PATH_MAX]; // of the file, with links resolved
	struct ic_bytes build_id; // empty if the file has none
	const char *link_name;    // NULL if the file has no .gnu_debuglink
	uint32_t link_crc;
	char tried[1200];
	char asked[200]; // the result from servers; empty if none were asked
	bool is_refused; // an existing file cannot be used
	bool out_of_memory;
};

static void note_path(struct search *search, const char *path, const char *verdict)
{
	ic_text_append(search->tried, sizeof(search->tried), "\n  %s: %s", path, verdict);
}

// A file name, padding to four bytes, and the CRC-32 of that file. False if it is something else,
// or a path: a file must not choose what else is opened.
static bool take_link(struct search *search, struct ic_bytes link)
{
	const uint8_t *nul = memchr(link.data, 0, link.size);
	size_t length = nul ? (size_t)(nul - link.data) : 0;
	size_t crc_off = (length + 4) & ~(size_t)3;

	if (length == 0 || memchr(link.data, '/', length) || crc_off > link.size ||
	    link.size - crc_off < 4)
		return false;
	search->link_name = (const char *)link.data;
	search->link_crc = ic_load32(link.data + crc_off, search->file->swap);
	return true;
}

static void read_link(struct search *search)
{
	const struct ic_section *section = ic_elf_file_section(search->file, ".gnu_debuglink");

	if (!section || section->raw.size == 0 || take_link(search, section->raw))
		return;
	search->is_refused = true;
	note_path(search, section->name, "no file name with a checksum");
}

static const char *check_build_id(const struct search *search)
{
	struct ic_bytes found = ic_build_id_find(search->debug_file);

	if (search->build_id.size == found.size &&
	    !memcmp(search->build_id.data, found.data, found.size))
		return NULL;
	return found.size ? "has another build ID" : "has no build ID";
}

static const char *check_crc(const struct search *search)
{
	uint32_t crc = libdeflate_crc32(0, search->debug_file->data, search->debug_file->size);

	return crc == search->link_crc ? NULL : "its checksum differs from .gnu_debuglink";
}

// The debug link of a file may be its own name, meant for another directory.
static bool is_file_itself(const struct search *search, const char *path)
{
	struct stat own, other;

	return stat(search->file->disk_path, &own) == 0 && stat(path, &other) == 0 &&
	       own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

static bool try_file(struct search *search, const char *path,
		     const char *(*check)(const struct search *))
{
	char text[IC_ERROR_TEXT_SIZE];
	struct ic_error err;

	if (!ic_elf_file_open_beside(search->debug_file, path, search->file, &err)) {
		search->out_of_memory |= err.code == IC_ERROR_MEMORY;
		search->is_refused |= err.code != IC_ERROR_SYSTEM ||
				      (err.os_error != ENOENT && err.os_error != ENOTDIR);
		note_path(search, path, ic_elf_file_open_fault(&err, path, text));
		return false;
	}
	const char *objection = check(search);
	if (!objection)
		return true;
	note_path(search, path, objection);
	search->is_refused |= !is_file_itself(search, path);
	ic_elf_file_close(search->debug_file);
	return false;
}

static bool try_build_id(struct search *search, const char *debug_dir)
{
	const struct ic_bytes *id = &search->build_id;
	char path[PATH_MAX];

	if (id->size == 0)
		return false;
	// perf caches recorded files in a directory of its own, which messages need not mention.
	if (ic_build_id_path(*id, debug_dir, "/debug", path, sizeof(path)) &&
	    access(path, F_OK) == 0 && try_file(search, path, check_build_id))
		return true;
	if (ic_build_id_path(*id, debug_dir, ".debug", path, sizeof(path)))
		return try_file(search, path, check_build_id);
	note_path(search, debug_dir, "not searched: invalid size of the build ID");
	return false;
}

static bool try_link(struct search *search, const char *prefix, const char *directory,
		     const char *suffix)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s%s%s/%s", prefix, directory, suffix,
			      search->link_name);

	return length > 0 && (size_t)length < sizeof(path) && try_file(search, path, check_crc);
}

// A symbolic link may have the debug file next to it, although its target is elsewhere:
// content-addressed stores are trees of links.
static bool try_beside_link(struct search *search)
{
	const char *path = search->file->disk_path, *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) : 1;
	char directory[PATH_MAX], real[PATH_MAX];

	if (length >= sizeof(directory))
		return false;
	memcpy(directory, slash ? path : ".", length);
	directory[length] = 0;
	if (!realpath(length > 0 ? directory : "/", real) || !strcmp(real, search->directory))
		return false;
	return try_link(search, "", directory, "") || try_link(search, "", directory, "/.debug");
}

// A file from a server must have the same build ID, like any other.
static bool try_servers(struct search *search, struct ic_debuginfod *client)
{
	char *path;
	struct ic_error err;

	if (search->build_id.size == 0)
		return false;
	if (!ic_debuginfod_find(client, IC_DEBUGINFOD_DEBUG_FILE, search->build_id,
				search->file->path, &path, &err)) {
		search->out_of_memory |= err.code == IC_ERROR_MEMORY;
		snprintf(search->asked, sizeof(search->asked), "\n  debuginfod: %.150s",
			 err.message);
		return false;
	}
	bool found = try_file(search, path, check_build_id);
	free(path);
	return found;
}

// GCC's objects for link-time optimisation have neither code nor ordinary debugging information,
// unless they are "fat".
static bool has_link_time_code(const struct ic_elf_file *file)
{
	for (uint32_t i = 0; i < file->section_count; i++)
		if (!strncmp(file->sections[i].name, ".gnu.lto_", 9))
			return true;
	return false;
}

static bool fail_not_found(const struct search *search, struct ic_error *err)
{
	bool has_id = search->build_id.size > 0;
	struct ic_error fault;

	if (!ic_section_checks_run(search->file, &fault))
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: no readable .debug_info: %s",
			       search->file->path, fault.message);
	if (has_link_time_code(search->file))
		return ic_fail(err, IC_ERROR_NO_DEBUG,
			       "%s: compiled only for link-time optimization (-flto): inlining is "
			       "decided in the linked program",
			       search->file->path);
	if (search->file->section_count == 0)
		return ic_fail(err, IC_ERROR_NO_DEBUG,
			       "%s: no section headers, so neither .debug_info nor a build ID can "
			       "be found",
			       search->file->path);
	if (!search->tried[0] && !search->asked[0])
		return ic_fail(err, IC_ERROR_NO_DEBUG,
			       "%s: no .debug_info (was it compiled with -g?), and no build ID or "
			       ".gnu_debuglink to find a debug file",
			       search->file->path);
	return ic_fail(err, search->is_refused ? IC_ERROR_MALFORMED : IC_ERROR_NO_DEBUG,
		       "%s: no .debug_info; searched for its debug file (by %s):%s%s",
		       search->file->path,
		       has_id && search->link_name ? "build ID and .gnu_debuglink"
		       : has_id                    ? "build ID"
						   : ".gnu_debuglink",
		       search->tried, search->asked);
}

bool ic_debug_file_open(struct ic_elf_file *debug_file, const struct ic_elf_file *file,
			const struct ic_image_options *options, struct ic_error *err)
{
	struct search search = { .file = file,
				 .debug_file = debug_file,
				 .build_id = ic_build_id_find(file) };

	read_link(&search);
	ic_real_directory(file, search.directory, sizeof(search.directory));
	for (size_t i = 0; i <= options->debug_dir_count; i++)
		if (try_build_id(&search, ic_debug_dir(options, i)))
			return true;
	if (search.link_name) {
		if (try_link(&search, "", search.directory, "") ||
		    try_link(&search, "", search.directory, "/.debug") || try_beside_link(&search))
			return true;
		for (size_t i = 0; i <= options->debug_dir_count; i++)
			if (try_link(&search, ic_debug_dir(options, i), search.directory, ""))
				return true;
		for (size_t i = 0; i < options->debug_dir_count; i++) // these contain the file
			if (try_link(&search, "", options->debug_dirs[i], ""))
				return true;
	}
	if (options->debuginfod && try_servers(&search, options->debuginfod))
		return true;
	return search.out_of_memory ? ic_fail_memory(err) : fail_not_found(&search, err);
}
