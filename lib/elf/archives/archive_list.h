// The members of an archive, by its headers and names, in the formats of GNU, BSD and LLVM.
#ifndef ELF_ARCHIVES_ARCHIVE_LIST_H
#define ELF_ARCHIVES_ARCHIVE_LIST_H

#include "base/arena.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"

struct ic_archive_member {
	const char *name;   // in the list's arena
	const char *shown;  // shown instead for a member of an archive in a thin one; else NULL
	uint64_t off, size; // of its bytes in the archive; 0 if it is a file of its own
	// In a thin archive whose member `name` is itself an archive: the offset of the header
	// there; else 0.
	uint64_t origin;
};

struct ic_archive_list {
	bool is_thin; // its members are separate files, with `name` as path
	IC_ARRAY(struct ic_archive_member) members;
	struct ic_arena arena;
	struct ic_error fault; // what ended the list too early, or IC_ERROR_NONE
};

bool ic_archive_is_archive(struct ic_bytes bytes);

// Reads all headers. False only if memory runs out; a fault in the bytes ends the list.
// `path` is for messages.
bool ic_archive_list_read(struct ic_archive_list *list, struct ic_bytes bytes, const char *path,
			  struct ic_error *err) IC_CHECKED;

// Reads the header at `off` and the name that belongs to it, into `arena`. False also if it is not
// a valid header of a member with its bytes in the archive.
bool ic_archive_member_read(struct ic_archive_member *member, struct ic_arena *arena,
			    struct ic_bytes bytes, const char *path, uint64_t off,
			    struct ic_error *err) IC_CHECKED;

void ic_archive_list_free(struct ic_archive_list *list);

#endif
