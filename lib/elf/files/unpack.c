#include "elf/files/unpack.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdeflate.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/memory.h"

enum {
	MOST_EXPANSION = 64, // modules with debug information become about 5 times as large
	SMALLEST_ROOM = 1 << 20,
	SMALLEST_ROOM_OF_CORE = 1 << 30, // stacks are mostly zeros
	MOST_DECODER_MEMORY = 96 << 20,  // xz -9 needs 65 MiB
};

enum outcome { OUTCOME_OK, OUTCOME_DAMAGED, OUTCOME_TOO_LARGE, OUTCOME_NO_MEMORY };

struct room { // for the decompressed file
	uint8_t *data;
	size_t capacity, used;
};

static enum outcome unpack_xz(struct ic_bytes packed, struct room *room)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret result = lzma_stream_decoder(&stream, MOST_DECODER_MEMORY, LZMA_CONCATENATED);

	stream.next_in = packed.data;
	stream.avail_in = packed.size;
	stream.next_out = room->data;
	stream.avail_out = room->capacity;
	if (result == LZMA_OK)
		result = lzma_code(&stream, LZMA_FINISH);
	room->used = room->capacity - stream.avail_out;
	bool is_full = stream.avail_out == 0, is_whole = stream.avail_in == 0;
	lzma_end(&stream);
	if (result == LZMA_MEM_ERROR)
		return OUTCOME_NO_MEMORY;
	if (result == LZMA_MEMLIMIT_ERROR || (result == LZMA_OK && is_full))
		return OUTCOME_TOO_LARGE;
	return result == LZMA_STREAM_END && is_whole ? OUTCOME_OK : OUTCOME_DAMAGED;
}

static enum outcome unpack_zstd(struct ic_bytes packed, struct room *room)
{
	unsigned long long claimed = ZSTD_getFrameContentSize(packed.data, packed.size);

	if (claimed < ZSTD_CONTENTSIZE_ERROR && claimed > room->capacity)
		return OUTCOME_TOO_LARGE;
	room->used = ZSTD_decompress(room->data, room->capacity, packed.data, packed.size);
	if (!ZSTD_isError(room->used))
		return OUTCOME_OK;
	switch (ZSTD_getErrorCode(room->used)) {
	case ZSTD_error_memory_allocation: return OUTCOME_NO_MEMORY;
	case ZSTD_error_dstSize_tooSmall: return OUTCOME_TOO_LARGE;
	default: return OUTCOME_DAMAGED;
	}
}

static bool is_zeros(struct ic_bytes bytes)
{
	while (bytes.size > 0 && bytes.data[bytes.size - 1] == 0)
		bytes.size--;
	return bytes.size == 0;
}

// Members are concatenated, and may be followed by zeros, as on a tape.
static enum outcome unpack_gzip(struct ic_bytes packed, struct room *room)
{
	struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
	enum libdeflate_result result = LIBDEFLATE_SUCCESS;

	if (!decompressor)
		return OUTCOME_NO_MEMORY;
	do {
		size_t in = 0, out = 0;
		result = libdeflate_gzip_decompress_ex(decompressor, packed.data, packed.size,
						       room->data + room->used,
						       room->capacity - room->used, &in, &out);
		packed = (struct ic_bytes){ packed.data + in, packed.size - in };
		room->used += out;
	} while (result == LIBDEFLATE_SUCCESS && packed.size > 0 && packed.data[0] != 0);
	libdeflate_free_decompressor(decompressor);
	if (result == LIBDEFLATE_INSUFFICIENT_SPACE)
		return OUTCOME_TOO_LARGE;
	return result == LIBDEFLATE_SUCCESS && is_zeros(packed) ? OUTCOME_OK : OUTCOME_DAMAGED;
}

static enum outcome failure_of_lz4(size_t code)
{
	const char *name = LZ4F_getErrorName(code);

	// Shared libraries do not export LZ4F_getErrorCode().
	return strcmp(name, "ERROR_allocation_failed") == 0 ? OUTCOME_NO_MEMORY : OUTCOME_DAMAGED;
}

static enum outcome unpack_lz4(struct ic_bytes packed, struct room *room)
{
	const LZ4F_decompressOptions_t options = { .stableDst = 1 };
	LZ4F_dctx *context;
	size_t wanted = LZ4F_createDecompressionContext(&context, LZ4F_VERSION);
	size_t in = 0, read = 1, written = 0;

	if (LZ4F_isError(wanted))
		return failure_of_lz4(wanted);
	// Frames may be concatenated. At the end of each, LZ4 requests no more bytes and returns.
	while (in < packed.size && read + written > 0 && !LZ4F_isError(wanted)) {
		read = packed.size - in;
		written = room->capacity - room->used;
		wanted = LZ4F_decompress(context, room->data + room->used, &written,
					 packed.data + in, &read, &options);
		in += read;
		room->used += written;
	}
	LZ4F_freeDecompressionContext(context);
	if (LZ4F_isError(wanted))
		return failure_of_lz4(wanted);
	if (wanted == 0)
		return OUTCOME_OK;
	return room->used == room->capacity ? OUTCOME_TOO_LARGE : OUTCOME_DAMAGED;
}

static const struct format {
	const char *name;
	uint8_t magic[6];
	size_t magic_size;
	enum outcome (*unpack)(struct ic_bytes packed, struct room *room);
} formats[] = {
	{ "xz", { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, unpack_xz },
	{ "zstd", { 0x28, 0xb5, 0x2f, 0xfd }, 4, unpack_zstd },
	{ "gzip", { 0x1f, 0x8b, 8 }, 3, unpack_gzip },
	{ "lz4", { 0x04, 0x22, 0x4d, 0x18 }, 4, unpack_lz4 },
};

static const struct format *find_format(const struct ic_mapping *mapping)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (mapping->size > formats[i].magic_size &&
		    !memcmp(mapping->data, formats[i].magic, formats[i].magic_size))
			return &formats[i];
	return NULL;
}

static bool fail_unpack(enum outcome outcome, const struct format *format, const char *name,
			uint64_t max_memory, struct ic_error *err)
{
	char limit[IC_MEMORY_TEXT_SIZE];

	if (outcome == OUTCOME_NO_MEMORY)
		return ic_fail_memory(err);
	if (outcome == OUTCOME_TOO_LARGE && max_memory > 0)
		return ic_fail(err, IC_ERROR_LIMIT,
			       "%s: compressed with %s, and larger than the memory limit of %s "
			       "when decompressed; decompress it first",
			       name, format->name, ic_memory_text(max_memory, limit));
	if (outcome == OUTCOME_TOO_LARGE)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "%s: compressed with %s, and more than %d times as large when "
			       "decompressed; decompress it first",
			       name, format->name, MOST_EXPANSION);
	return ic_fail(err, IC_ERROR_MALFORMED,
		       "%s: compressed with %s, and cannot be decompressed: damaged, or followed "
		       "by other data",
		       name, format->name);
}

// Unmaps the unused pages at the end of the room.
static void trim_room(const struct room *room, struct ic_mapping *mapping)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t kept = (room->used + page - 1) / page * page;

	if (kept < room->capacity)
		munmap(room->data + kept, room->capacity - kept);
	*mapping = (struct ic_mapping){ room->data, room->used, room->data, kept };
}

// The limit is 0 for none.
static bool unpack_mapping(struct ic_mapping *mapping, const char *name, size_t smallest_room,
			   uint64_t max_memory, struct ic_error *err)
{
	const struct format *format = find_format(mapping);
	struct room room = { .data = NULL };

	if (!format)
		return true;
	if (__builtin_mul_overflow(mapping->size, (size_t)MOST_EXPANSION, &room.capacity) ||
	    __builtin_add_overflow(room.capacity, smallest_room, &room.capacity))
		return ic_fail_memory(err);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (max_memory >= room.capacity)
		max_memory = 0;
	else if (max_memory > 0)
		room.capacity = max_memory > page ? (size_t)max_memory : page;
	room.capacity = room.capacity / page * page;
	// Untouched pages are never allocated: unused room is free.
	void *pages = mmap(NULL, room.capacity, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pages == MAP_FAILED)
		return ic_fail_memory(err);
	room.data = pages;
	enum outcome outcome =
		format->unpack((struct ic_bytes){ mapping->data, mapping->size }, &room);
	if (outcome == OUTCOME_OK && room.used == 0)
		outcome = OUTCOME_DAMAGED;
	if (outcome != OUTCOME_OK) {
		munmap(pages, room.capacity);
		return fail_unpack(outcome, format, name, max_memory, err);
	}
	ic_mapping_close(mapping);
	trim_room(&room, mapping);
	return true;
}

bool ic_mapping_unpack(struct ic_mapping *mapping, const char *name, struct ic_error *err)
{
	return unpack_mapping(mapping, name, SMALLEST_ROOM, 0, err);
}

bool ic_mapping_unpack_core(struct ic_mapping *mapping, const char *name, uint64_t max_memory,
			    struct ic_error *err)
{
	return unpack_mapping(mapping, name, SMALLEST_ROOM_OF_CORE, max_memory, err);
}
