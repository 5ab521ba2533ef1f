#include "elf/finding/supplementary.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "elf/files/build_id.h"
#include "elf/finding/debug_dirs.h"
#include "elf/finding/debuginfod.h"
#include "text/text.h"

struct sup_link {                         // a file's link to its supplementary file
	const struct ic_section *section; // the section of the link
	const char *name;
	struct ic_bytes id; // build-id, or checksum
	bool is_debug_sup;  // from .debug_sup, so that the other file must have the checksum too
	bool is_supplementary;
};

struct search {
	struct sup_link link;
	const struct ic_elf_file *file; // with the link
	struct ic_elf_file *found;
	char directory[PATH_MAX]; // of the file, with links resolved; "" if not known
	char tried[1200];
	bool out_of_memory;
	bool is_unreadable; // at least one of those that were tried
};

// A name, and the build ID after its NUL.
static bool read_alt_link(struct sup_link *link, const struct ic_section *section)
{
	const uint8_t *data = section->raw.data;
	const uint8_t *nul = section->raw.size ? memchr(data, 0, section->raw.size) : NULL;

	if (!nul || nul == data)
		return false;
	*link = (struct sup_link){ .section = section,
				   .name = (const char *)data,
				   .id = { nul + 1,
					   section->raw.size - (size_t)(nul + 1 - data) } };
	return link->id.size > 0;
}

// DWARF 5, 7.3.6.
static bool read_debug_sup(struct sup_link *link, const struct ic_section *section, bool swap)
{
	struct ic_cursor cur = ic_cursor_at(section->raw, ".debug_sup", 0, section->raw.size, swap);
	uint16_t version = ic_cursor_u16(&cur);
	bool is_supplementary = ic_cursor_u8(&cur) != 0;
	const char *name = ic_cursor_string(&cur);
	uint64_t size = ic_cursor_uleb(&cur);
	const uint8_t *id = ic_cursor_take(&cur, size);

	*link = (struct sup_link){ .section = section,
				   .name = name,
				   .id = { id, (size_t)size },
				   .is_debug_sup = true,
				   .is_supplementary = is_supplementary };
	return !cur.fault && version >= 2 && size > 0;
}

static const struct ic_section *find_link(const struct ic_elf_file *file)
{
	const struct ic_section *section = ic_elf_file_section(file, ".gnu_debugaltlink");

	return section ? section : ic_elf_file_section(file, ".debug_sup");
}

static bool read_link(struct sup_link *link, const struct ic_elf_file *file)
{
	const struct ic_section *alt_link = ic_elf_file_section(file, ".gnu_debugaltlink");
	const struct ic_section *debug_sup = ic_elf_file_section(file, ".debug_sup");

	return (alt_link && read_alt_link(link, alt_link)) ||
	       (debug_sup && read_debug_sup(link, debug_sup, file->swap));
}

bool ic_supplementary_wanted(const struct ic_elf_file *file)
{
	struct sup_link link = { .is_supplementary = false };

	return !read_link(&link, file) ? find_link(file) != NULL : !link.is_supplementary;
}

static void note_path(struct search *search, const char *path, const char *reason)
{
	ic_text_append(search->tried, sizeof(search->tried), "\n  %s: %s", path, reason);
}

static bool same_bytes(struct ic_bytes a, struct ic_bytes b)
{
	return a.size == b.size && !memcmp(a.data, b.data, a.size);
}

// The reason to reject the file that was opened; NULL if there is none.
static const char *check_found(const struct search *search)
{
	struct ic_bytes build_id = ic_build_id_find(search->found);
	struct sup_link own;

	if (search->link.is_debug_sup && read_link(&own, search->found) && own.is_debug_sup)
		return !own.is_supplementary                 ? "is not a supplementary file"
		       : same_bytes(own.id, search->link.id) ? NULL
							     : "has another checksum";
	return same_bytes(build_id, search->link.id) ? NULL
	       : build_id.size                       ? "has another build ID"
						     : "has no build ID";
}

static bool try_path(struct search *search, const char *path)
{
	char text[IC_ERROR_TEXT_SIZE];
	struct ic_error err;

	if (!ic_elf_file_open_beside(search->found, path, search->file, &err)) {
		search->out_of_memory |= err.code == IC_ERROR_MEMORY;
		search->is_unreadable |= err.code != IC_ERROR_SYSTEM;
		note_path(search, path, ic_elf_file_open_fault(&err, path, text));
		return false;
	}
	const char *objection = check_found(search);
	if (!objection)
		return true;
	note_path(search, path, objection);
	ic_elf_file_close(search->found);
	return false;
}

static bool try_in(struct search *search, const char *directory, const char *sub_directory,
		   const char *name)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s%s/%s", directory, sub_directory, name);

	return length > 0 && (size_t)length < sizeof(path) && try_path(search, path);
}

static bool try_build_id(struct search *search, const char *debug_dir)
{
	char path[PATH_MAX];

	return ic_build_id_path(search->link.id, debug_dir, ".debug", path, sizeof(path)) &&
	       try_path(search, path);
}

// Servers know files by build IDs; a DWARF 5 checksum may be anything.
static bool try_servers(struct search *search, struct ic_debuginfod *client, const char *name)
{
	char *path;
	struct ic_error err;

	if (!client || search->link.is_debug_sup)
		return false;
	if (!ic_debuginfod_find(client, IC_DEBUGINFOD_DEBUG_FILE, search->link.id, name, &path,
				&err)) {
		search->out_of_memory |= err.code == IC_ERROR_MEMORY;
		note_path(search, "debuginfod", err.message);
		return false;
	}
	bool found = try_path(search, path);
	free(path);
	return found;
}

bool ic_supplementary_open(struct ic_elf_file *supplementary, const struct ic_elf_file *file,
			   const struct ic_image_options *options, struct ic_error *err)
{
	struct search search = { .file = file, .found = supplementary };

	if (!read_link(&search.link, file))
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: does not name a supplementary file",
			       find_link(file) ? find_link(file)->name : file->path);
	const char *name = search.link.name, *base_name = ic_text_base_name(name);
	// Packages have it in /usr/lib/debug/.dwz/MACHINE; a directory that replaces /usr/lib/debug
	// has the same layout.
	const char *in_dwz = strstr(name, "/.dwz/");
	ic_real_directory(file, search.directory, sizeof(search.directory));
	bool found = name[0] == '/' ? try_path(&search, name)
				    : try_in(&search, search.directory, "", name);

	found = found || try_in(&search, search.directory, "/.dwz", base_name) ||
		(base_name != name && try_in(&search, search.directory, "", base_name));
	for (size_t i = 0; !found && i <= options->debug_dir_count; i++) {
		const char *debug_dir = ic_debug_dir(options, i);
		found = try_build_id(&search, debug_dir) ||
			(in_dwz && try_in(&search, debug_dir, "", in_dwz + 1)) ||
			try_in(&search, debug_dir, "/.dwz", base_name);
	}
	if (found || try_servers(&search, options->debuginfod, file->path))
		return true;
	return search.out_of_memory
		       ? ic_fail_memory(err)
		       : ic_fail(err, IC_ERROR_NO_DEBUG,
				 "%s: its supplementary file %.400s %s, so functions in it have no "
				 "names; searched:%s",
				 search.link.section->name, name,
				 search.is_unreadable ? "cannot be read" : "was not found",
				 search.tried);
}
