// Call frame information of an image. The type is declared in inlinecall/call_frames.h.
#ifndef UNWIND_CALL_FRAMES_H
#define UNWIND_CALL_FRAMES_H

#include <pthread.h>

#include "dwarf/cfi_rows.h"
#include "dwarf/cfi_text.h"
#include "elf/image.h"
#include "unwind/cfi_table.h"
#include "unwind/orc.h"

enum { IC_CALL_FRAME_TABLES = 2 }; // .eh_frame and .debug_frame

struct ic_call_frames {
	struct ic_image *image;
	struct ic_cfi_table tables[IC_CALL_FRAME_TABLES]; // an absent one has no places
	const char *files[IC_CALL_FRAME_TABLES];          // for messages; NULL: the image's own
	uint16_t machine;
	pthread_mutex_t lock; // of the following
	struct ic_problems problems;
	struct ic_arena arena;
	struct ic_orc orc;
	bool has_orc, has_asked_orc; // it can be read; it was asked for
};

struct ic_call_frame_reader {
	struct ic_call_frames *frames;
	const struct ic_cfi_table *table; // of the FDE that was begun, at `place`
	const struct ic_cfi_place *place;
	struct ic_cfi_rows rows;
	struct ic_expression_text text;
};

// The machine whose registers have the numbers that a section uses.
unsigned ic_call_frames_numbering(const struct ic_cfi_section *section);

// Adds a fault in the entry at an offset of a table to the problems. If there is none,
// IC_ERROR_NONE, or memory is out, nothing. Returns false.
bool ic_call_frames_complain(struct ic_call_frames *frames, const struct ic_cfi_table *table,
			     uint64_t off, struct ic_error *err);

// The ORC tables of a Linux kernel, made readable when they are first asked for; NULL if there are
// none. If they cannot be read that is a problem.
const struct ic_orc *ic_call_frames_orc(struct ic_call_frames *frames);

#endif
