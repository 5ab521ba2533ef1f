// What the fuzz targets share: taking an input apart, and checking promises.
//
// An input begins with bytes that choose among variants; then come the lengths of all sections but
// the last, in two bytes each, and the sections. Each section is copied to memory of its own size,
// so that a read beyond it is caught. tests/fuzz/make_corpus.c writes inputs of the same shape.
#ifndef TESTS_FUZZ_FUZZ_INPUT_H
#define TESTS_FUZZ_FUZZ_INPUT_H

#include <stdlib.h>

#include "base/error.h"
#include "dwarf/units/unit.h"

// The order of the sections in inputs that have all of DWARF.
enum {
	FUZZ_INFO,
	FUZZ_ABBREV,
	FUZZ_ADDR,
	FUZZ_LINE,
	FUZZ_LINE_STR,
	FUZZ_RANGES,
	FUZZ_RNGLISTS,
	FUZZ_STR,
	FUZZ_STR_OFFSETS,
	FUZZ_DWARF_SECTIONS,
};

struct fuzz_input {
	const uint8_t *pos, *end;
};

// Ends the run with a message if a promise does not hold.
#define PROMISE(condition) \
	((condition) ? (void)0 : fuzz_promise_broken(#condition, __FILE__, __LINE__))
_Noreturn void fuzz_promise_broken(const char *promise, const char *file, int line);

// A failure must say why.
#define PROMISE_REASON(err) PROMISE((err).code != IC_ERROR_NONE && (err).message[0] != 0)

// A number from the input, in little-endian order; 0 at its end.
uint8_t fuzz_take_u8(struct fuzz_input *in);
uint16_t fuzz_take_u16(struct fuzz_input *in);

// Takes `count` sections; the last is the rest of the input. Empty ones have no memory.
void fuzz_take_sections(struct fuzz_input *in, struct ic_bytes *sections, size_t count);
void fuzz_free_sections(struct ic_bytes *sections, size_t count);

// The sections of a whole file, in the order above.
struct ic_dwarf fuzz_dwarf_of(const struct ic_bytes *sections, bool swap);

// Reads a text to its end, and returns its length. It must be within `section` if that is given.
size_t fuzz_read_text(const char *text, const struct ic_bytes *section);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
