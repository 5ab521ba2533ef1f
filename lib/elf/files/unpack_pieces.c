#include "elf/files/unpack_pieces.h"

#include <stdlib.h>

#include <zstd.h>
#include <zstd_errors.h>

enum { MOST_EXPANSION = 64, SMALLEST_ROOM = 1 << 20 };

struct room { // for the decompressed data
	uint8_t *data;
	size_t used, capacity, most;
};

static bool grow_room(struct room *room, struct ic_error *err)
{
	size_t capacity = room->capacity ? room->capacity * 2 : SMALLEST_ROOM;

	if (capacity > room->most)
		capacity = room->most;
	if (capacity == room->capacity)
		return ic_fail(err, IC_ERROR_LIMIT, "more than %d times as large when decompressed",
			       MOST_EXPANSION);
	uint8_t *data = realloc(room->data, capacity);
	if (!data)
		return ic_fail_memory(err);
	room->data = data;
	room->capacity = capacity;
	return true;
}

static bool unpack_piece(ZSTD_DStream *stream, struct ic_bytes piece, struct room *room,
			 struct ic_error *err)
{
	ZSTD_inBuffer in = { piece.data, piece.size, 0 };
	ZSTD_outBuffer out = { room->data, room->capacity, room->used };

	// The stream may still hold decompressed data after all of the piece was read.
	while (in.pos < in.size || out.pos == out.size) {
		if (out.pos == out.size && !grow_room(room, err))
			return false;
		out = (ZSTD_outBuffer){ room->data, room->capacity, room->used };
		size_t before = in.pos, result = ZSTD_decompressStream(stream, &out, &in);
		room->used = out.pos;
		if (ZSTD_isError(result))
			return ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation
				       ? ic_fail_memory(err)
				       : ic_fail(err, IC_ERROR_MALFORMED,
						 "cannot be decompressed: damaged");
		if (in.pos == before && out.pos < out.size)
			break;
	}
	return true;
}

bool ic_unpack_pieces(const struct ic_bytes *pieces, uint32_t count, uint8_t **data, size_t *size,
		      struct ic_error *err)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	struct room room = { .most = SMALLEST_ROOM };
	bool ok = stream || ic_fail_memory(err);

	for (uint32_t i = 0; i < count; i++)
		if (pieces[i].size < (SIZE_MAX - room.most) / MOST_EXPANSION)
			room.most += pieces[i].size * MOST_EXPANSION;
	for (uint32_t i = 0; ok && i < count; i++)
		ok = unpack_piece(stream, pieces[i], &room, err);
	ZSTD_freeDStream(stream);
	*data = room.data;
	*size = room.used;
	return ok;
}
