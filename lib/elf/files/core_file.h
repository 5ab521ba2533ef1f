// Core files: the memory of a process that has ended, or that of a machine with its kernel, and
// notes about it (core(5)). What the notes mean is read elsewhere.
#ifndef ELF_FILES_CORE_FILE_H
#define ELF_FILES_CORE_FILE_H

#include "base/cursor.h"
#include "elf/files/mapping.h"

struct ic_core_segment {       // PT_LOAD
	uint64_t start, end;   // addresses
	struct ic_bytes bytes; // those of its start that are in the file
	uint64_t missing;      // bytes that the program header has and the file, cut short, has not
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
	bool is_core, is_linux; // whose types these are; others have their own
	bool is_qemu;           // the state of a processor
	bool is_kernel;         // VMCOREINFO: text
	struct ic_cursor bytes; // of its description
};

struct ic_core_file {
	char *path;
	struct ic_mapping mapping;
	struct ic_core_segment *segments; // sorted by their start
	uint32_t segment_count;
	// The same by their physical addresses (p_paddr); none overlaps another.
	struct ic_core_segment *physical;
	uint32_t physical_count;
	bool has_physical;      // some address is not 0: it is the memory of a machine
	struct ic_bytes *notes; // contents of PT_NOTE
	uint32_t notes_count;
	uint16_t machine; // EM_*
	uint8_t addr_size;
	bool swap;        // its byte order is not ours
	uint64_t missing; // bytes of all segments
	// Segments that cannot be as their headers say: with more in the file than in memory,
	// beyond all addresses, or over another one. The latter two are left out.
	uint32_t impossible;
};

// Opens a core file, which may be compressed as a whole (elf/files/unpack.h): to `max_memory` bytes
// at most, if that is not 0. One that is cut short is opened too, but not within its program
// headers.
bool ic_core_file_open(struct ic_core_file *core, const char *path, uint64_t max_memory,
		       struct ic_error *err) IC_CHECKED;

void ic_core_file_close(struct ic_core_file *core);

// Keeps only what has no bytes of the file: it is left without segments and notes.
void ic_core_file_close_memory(struct ic_core_file *core);

// The segment that an address is in; NULL if none is.
const struct ic_core_segment *ic_core_segment_at(const struct ic_core_file *core, uint64_t addr);

// Copies memory, of one segment or several that touch. False if not all of it is in the file.
bool ic_core_read(const struct ic_core_file *core, uint64_t addr, void *bytes, size_t size);

// The same by physical addresses.
bool ic_core_read_physical(const struct ic_core_file *core, uint64_t addr, void *bytes,
			   size_t size);

// A walk through the notes; zero-initialised it is at the first.
struct ic_core_notes {
	uint32_t part; // of core->notes
	uint64_t off;  // in it
};

// The next note. False after the last, with err->code IC_ERROR_NONE, and at one that ends too
// early, which ends its part.
bool ic_core_note_next(const struct ic_core_file *core, struct ic_core_notes *walk,
		       struct ic_core_note *note, struct ic_error *err);

#endif
