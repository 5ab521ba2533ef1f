// One ELF file: mapped, and its sections listed. Section contents are interpreted elsewhere.
#ifndef ELF_FILES_ELF_FILE_H
#define ELF_FILES_ELF_FILE_H

#include <pthread.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/range.h"
#include "elf/files/mapping.h"

struct ic_pending_relocs;

struct ic_section {
	const char *name; // in the file's section_names; "" if it has none
	uint64_t addr;    // in a relocatable file, the one that we assign; 0 if not loaded
	uint64_t size;    // in memory
	uint64_t flags;   // SHF_*
	uint64_t align;
	uint32_t type, link, info;
	struct ic_bytes raw;   // as in the file; empty for SHT_NOBITS
	struct ic_bytes bytes; // decompressed and relocated, once ic_sections_load has been called
	bool has_relocs;       // relocations are still to be applied
	bool is_buffer;        // `bytes` is a separate mapping, which the file owns
	struct ic_pending_relocs *pending; // for relocation on demand; in the file's arena
};

struct ic_code_segment {
	struct ic_range range;        // of addresses
	uint64_t file_off, file_size; // of its contents in the file
};

struct ic_loaded { // what a program header loads
	uint64_t addr;
	struct ic_bytes bytes; // those in the file
	bool is_code;          // executable
	bool is_constant;      // not writable
};

struct ic_section_loading {    // loading of a file's sections
	struct ic_error fault; // why they are only partly loaded; IC_ERROR_NONE if they are not
	// Protects the following, and the loading of sections; on the heap, since a file can move.
	// NULL if no other thread uses the file.
	pthread_mutex_t *lock;
	bool is_checked;              // by ic_section_checks_once()
	struct ic_error *check_fault; // its result, owned; NULL if it found nothing
	// Number of users of its sections, which are not freed while there are any.
	uint32_t readers;
	struct ic_arena pending_arena;
};

struct ic_program_layout { // according to the program headers
	bool has_segments;
	struct ic_code_segment *code_segments; // executable segments
	uint32_t code_segment_count;
	struct ic_loaded *loaded; // everything that is loaded
	uint32_t loaded_count;
	// Addresses of the dynamic linker's data; empty if there is none.
	struct ic_range dynamic;
	// Addresses that the dynamic linker makes read-only after relocating the file
	// (PT_GNU_RELRO), as in the headers: it rounds both down to pages.
	struct ic_range relocated;
	uint64_t entry_addr;  // entry point of a program; otherwise 0
	uint64_t lowest_addr; // of the page of the first loaded byte; 0 in relocatable files
};

struct ic_elf_file {
	char *path;      // as in messages: for a member of an archive, "lib.a(member.o)"
	char *disk_path; // of the file on disk, and the range in it
	uint64_t disk_off, disk_size;
	struct ic_mapping mapping;
	uint8_t *data; // the mapped file; a member may have any alignment
	size_t size;
	uint16_t machine;    // EM_*
	bool is_relocatable; // ET_REL, or any file whose sections have no addresses
	uint8_t addr_size;
	bool swap; // its byte order is not ours
	struct ic_section *sections;
	uint32_t section_count;
	uint64_t header_table_off; // of the section headers
	char *section_names;
	bool is_read;             // into memory, instead of mapped
	bool is_given;            // opened by a descriptor or from memory, not by its path
	struct ic_memory *memory; // the limit; or NULL
	uint64_t reserved;        // memory counted for its buffers
	uint64_t counted;         // the size counted to raise the limit
	struct ic_section_loading loading;
	struct ic_program_layout layout;
};

enum { IC_SHT_CREL = 0x40000014 }; // LLVM's; <elf.h> does not have it

static inline void ic_elf_file_lock(const struct ic_elf_file *file)
{
	if (file->loading.lock)
		pthread_mutex_lock(file->loading.lock);
}

static inline void ic_elf_file_unlock(const struct ic_elf_file *file)
{
	if (file->loading.lock)
		pthread_mutex_unlock(file->loading.lock);
}

// Whether it is a program with fixed addresses (ET_EXEC).
bool ic_elf_file_is_executable(const struct ic_elf_file *file);

// Whether the section holds relocations, of any kind.
bool ic_section_is_relocs(const struct ic_section *section);

// Whether a section of this name holds debug information.
bool ic_is_debug_name(const char *name);

// Whether the section is in memory at run time, and whether it is executable, or not writable.
bool ic_section_is_loaded(const struct ic_section *section);
bool ic_section_is_code(const struct ic_section *section);
bool ic_section_is_constant(const struct ic_section *section);

// Maps the file and reads its section table.
bool ic_elf_file_open(struct ic_elf_file *file, const char *path, struct ic_error *err) IC_CHECKED;

// The same for another file of the same image as `own`: with the same memory limit, and read
// instead of mapped if that one is.
bool ic_elf_file_open_beside(struct ic_elf_file *file, const char *path,
			     const struct ic_elf_file *own, struct ic_error *err) IC_CHECKED;

// The same for a place that may be part of a file. Compressed files (elf/files/unpack.h) are
// decompressed.
bool ic_elf_file_open_place(struct ic_elf_file *file, const struct ic_place *place,
			    struct ic_error *err) IC_CHECKED;

// Opens the origin of `file` once more, with a mapping of its own.
bool ic_elf_file_reopen(struct ic_elf_file *again, const struct ic_elf_file *file,
			struct ic_error *err) IC_CHECKED;

// Opens a file in memory, called `name` in messages. Takes the mapping over, even if it fails.
bool ic_elf_file_adopt(struct ic_elf_file *file, const char *name, struct ic_mapping *mapping,
		       struct ic_error *err) IC_CHECKED;

void ic_elf_file_close(struct ic_elf_file *file);

// The reason why the file at `path` could not be opened, for a list of paths tried: in `text`, in
// `err` or static.
const char *ic_elf_file_open_fault(const struct ic_error *err, const char *path,
				   char text[IC_ERROR_TEXT_SIZE]);

// A message about the file without its path at the start, for callers that print the path.
const char *ic_elf_file_own_message(const struct ic_elf_file *file, const char *message);

// Whether the section has that name or, for a debugging section, its name in GNU's older
// compression, ".zdebug_info" for ".debug_info".
bool ic_section_has_debug_name(const struct ic_section *section, const char *name);

// The section with that name, or NULL. If there are several, the first that is not in a group: a
// relocatable file may have one per type besides the main one.
struct ic_section *ic_elf_file_section(const struct ic_elf_file *file, const char *name);

// Whether there is such a section that is not empty.
bool ic_elf_file_has(const struct ic_elf_file *file, const char *name);

// The same by ic_section_has_debug_name().
struct ic_section *ic_elf_file_debug_section(const struct ic_elf_file *file, const char *name);

#endif
