// A limit on the memory that a file can make us take: for sections that are decompressed, and for
// tables that grow with what is in them. It counts what is reserved, not what is touched. Any
// number of threads may take from it.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ic_memory {
	uint64_t fixed; // the limit, 0 for one in proportion to the size of the files
	atomic_ullong used, file_size;
	atomic_bool is_exceeded; // something was refused
};

// Without a fixed limit (docs/hostile-files.md says why these).
#define IC_MEMORY_LEAST    (256ull << 20)
#define IC_MEMORY_PER_BYTE 16ull // of the files

enum { IC_MEMORY_TEXT_SIZE = 32 };

// Counts a file that was opened, which raises a limit in proportion; NULL is allowed.
void ic_memory_add_file(struct ic_memory *memory, uint64_t size);
void ic_memory_remove_file(struct ic_memory *memory, uint64_t size);

uint64_t ic_memory_limit(struct ic_memory *memory);

// Counts `size` bytes that are to be allocated; false if that would exceed the limit. Without a
// limit, NULL, everything is allowed.
bool ic_memory_take(struct ic_memory *memory, uint64_t size);

// Whether `size` bytes could be taken now.
bool ic_memory_has(struct ic_memory *memory, uint64_t size);

enum { IC_MEMORY_WHY_SIZE = 160 };

// Counts `size` bytes that something is to be decompressed into. If that would exceed the limit,
// returns false and writes what to say of it, after its name, to `why`. It is not noted as refused,
// since the caller reports it.
bool ic_memory_take_unpacked(struct ic_memory *memory, uint64_t size, char why[IC_MEMORY_WHY_SIZE]);

// After the bytes have been freed.
void ic_memory_release(struct ic_memory *memory, uint64_t size);

// Writes a size as people read it, "256 MiB", into `text` of IC_MEMORY_TEXT_SIZE, and returns that.
const char *ic_memory_text(uint64_t size, char *text);

#endif
