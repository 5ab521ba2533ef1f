// A limit on the memory that a file can make us allocate: for decompressed sections, and for tables
// that grow with the file's contents. It counts reserved memory, touched or not. Any number of
// threads may use it.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ic_memory {
	uint64_t fixed; // the limit; 0 for one proportional to the size of the files
	atomic_ullong used, file_size;
	atomic_bool is_exceeded; // a request was refused
};

// The proportional limit (docs/hostile-files.md has the reasons).
#define IC_MEMORY_LEAST    (256ull << 20)
#define IC_MEMORY_PER_BYTE 16ull // per byte of the files

enum { IC_MEMORY_TEXT_SIZE = 32 };

// Counts an opened file, which raises a proportional limit; NULL is allowed.
void ic_memory_add_file(struct ic_memory *memory, uint64_t size);
void ic_memory_remove_file(struct ic_memory *memory, uint64_t size);

uint64_t ic_memory_limit(struct ic_memory *memory);

// Counts `size` bytes before they are allocated; returns false if that would exceed the limit. NULL
// means no limit.
bool ic_memory_take(struct ic_memory *memory, uint64_t size);

// Whether `size` bytes could be taken now.
bool ic_memory_has(struct ic_memory *memory, uint64_t size);

enum { IC_MEMORY_WHY_SIZE = 160 };

// Counts `size` bytes for decompression. If that would exceed the limit, returns false and writes
// the message, without the file's name, to `why`; is_exceeded is not set, since the caller reports
// it.
bool ic_memory_take_unpacked(struct ic_memory *memory, uint64_t size, char why[IC_MEMORY_WHY_SIZE]);

// Call this after the bytes are freed.
void ic_memory_release(struct ic_memory *memory, uint64_t size);

// Writes a size in readable form, "256 MiB", to `text` of IC_MEMORY_TEXT_SIZE, and returns that.
const char *ic_memory_text(uint64_t size, char *text);

#endif
