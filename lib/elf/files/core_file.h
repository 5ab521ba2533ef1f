// Core files: the memory of a process that has ended, or of a machine with its kernel, and notes
// about it (core(5)). The notes are interpreted elsewhere.
#ifndef ELF_FILES_CORE_FILE_H
#define ELF_FILES_CORE_FILE_H

#include "base/cursor.h"
#include "elf/files/mapping.h"

struct ic_core_segment {       // PT_LOAD
	uint64_t start, end;   // addresses
	struct ic_bytes bytes; // contents of its start that are in the file
	uint64_t missing;      // bytes that the program header claims but a truncated file lacks
	bool is_code;
};

enum { // types of notes (elf.h)
	IC_CORE_PRSTATUS = 1,
	IC_CORE_FPREGSET = 2,
	IC_CORE_PRPSINFO = 3,
	IC_CORE_AUXV = 6,
	IC_CORE_FILES = 0x46494c45,
	IC_CORE_SIGINFO = 0x53494749,
	IC_CORE_PAC_MASK = 0x406,
};

struct ic_core_note {
	uint32_t type;
	bool is_core, is_linux; // whose types these are; others have their own types
	bool is_qemu;           // the state of a processor
	bool is_kernel;         // VMCOREINFO: text
	struct ic_cursor bytes; // of its description
};

struct ic_core_file {
	char *path;
	struct ic_mapping mapping;
	struct ic_core_segment *segments; // sorted by their start
	uint32_t segment_count;
	// The same, sorted by physical address (p_paddr), without overlaps.
	struct ic_core_segment *physical;
	uint32_t physical_count;
	bool has_physical;      // some physical address is not 0: it is the memory of a machine
	struct ic_bytes *notes; // contents of PT_NOTE
	uint32_t notes_count;
	uint16_t machine; // EM_*
	uint8_t addr_size;
	bool swap;        // its byte order is not ours
	uint64_t missing; // bytes of all segments
	// Number of segments that contradict their headers: with more in the file than in memory,
	// beyond all addresses, or overlapping another. The latter two are left out.
	uint32_t impossible;
};

// Opens a core file, which may be compressed as a whole (elf/files/unpack.h), expanding to at most
// `max_memory` bytes, if that is not 0. A truncated file is opened too, unless its program headers
// are incomplete.
bool ic_core_file_open(struct ic_core_file *core, const char *path, uint64_t max_memory,
		       struct ic_error *err) IC_CHECKED;

void ic_core_file_close(struct ic_core_file *core);

// Keeps only what does not use bytes of the file: segments and notes are dropped.
void ic_core_file_close_memory(struct ic_core_file *core);

// The segment that contains an address; NULL if there is none.
const struct ic_core_segment *ic_core_segment_at(const struct ic_core_file *core, uint64_t addr);

// Copies memory from one segment or adjacent ones. False if not all of it is in the file.
bool ic_core_read(const struct ic_core_file *core, uint64_t addr, void *bytes, size_t size);

// The same by physical addresses.
bool ic_core_read_physical(const struct ic_core_file *core, uint64_t addr, void *bytes,
			   size_t size);

// An iterator over the notes; zero-initialised it is at the first.
struct ic_core_notes {
	uint32_t part; // index into core->notes
	uint64_t off;  // in it
};

// Gets the next note. False after the last, with err->code IC_ERROR_NONE, and at one that is
// truncated, which ends its part.
bool ic_core_note_next(const struct ic_core_file *core, struct ic_core_notes *walk,
		       struct ic_core_note *note, struct ic_error *err);

#endif
