// A stream that is compressed by zstd and comes in pieces, as the records of perf record -z.
#ifndef ELF_FILES_UNPACK_PIECES_H
#define ELF_FILES_UNPACK_PIECES_H

#include "base/bytes.h"
#include "base/error.h"

// Decompresses what the pieces are together, up to 64 times their size and a mebibyte. *data, of
// *size bytes, is what could be decompressed, also if this is false because the rest cannot be; to
// be freed. IC_ERROR_MEMORY if memory runs out.
bool ic_unpack_pieces(const struct ic_bytes *pieces, uint32_t count, uint8_t **data, size_t *size,
		      struct ic_error *err) IC_CHECKED;

#endif
