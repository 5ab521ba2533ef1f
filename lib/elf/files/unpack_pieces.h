// Decompresses a zstd stream in pieces, as in the records of perf record -z.
#ifndef ELF_FILES_UNPACK_PIECES_H
#define ELF_FILES_UNPACK_PIECES_H

#include "base/bytes.h"
#include "base/error.h"

// Decompresses the concatenated pieces, to at most 64 times their size plus one mebibyte. *data, of
// *size bytes, is everything that could be decompressed, even if this returns false because the
// rest cannot be; to be freed. IC_ERROR_MEMORY if memory runs out.
bool ic_unpack_pieces(const struct ic_bytes *pieces, uint32_t count, uint8_t **data, size_t *size,
		      struct ic_error *err) IC_CHECKED;

#endif
