// Call frame information of an image. The type is declared in inlinecall/call_frames.h.
#ifndef UNWIND_FRAMES_CALL_FRAMES_H
#define UNWIND_FRAMES_CALL_FRAMES_H

#include <pthread.h>
#include <stdatomic.h>

#include "dwarf/frames/index.h"
#include "dwarf/frames/rows.h"
#include "dwarf/frames/text.h"
#include "elf/image/image.h"
#include "unwind/frames/orc.h"
#include "unwind/frames/table.h"

#include <inlinecall/extra/call_frames.h>

enum { IC_CALL_FRAME_TABLES = 2 }; // .eh_frame and .debug_frame

struct ic_call_frames {
	struct ic_image *image;
	uint64_t program_entry; // address of the code that the program begins in; 0 if it is none
	uint16_t machine;
	struct ic_elf_file *files[IC_CALL_FRAME_TABLES];
	struct ic_section *sections[IC_CALL_FRAME_TABLES]; // NULL: there is none
	// An absent one has no places, nor has one before it is listed.
	struct ic_cfi_table tables[IC_CALL_FRAME_TABLES];
	atomic_bool is_listed[IC_CALL_FRAME_TABLES]; // the table does not change after that
	struct ic_cfi_index index;                   // of .eh_frame, which is loaded if it has any
	pthread_mutex_t lock;                        // of listing, and of the following
	struct ic_problems problems;
	struct ic_arena arena;
	struct ic_orc orc;
	bool has_orc, has_asked_orc; // it can be read; it was asked for
};

struct ic_call_frame_reader {
	struct ic_call_frames *frames;
	const struct ic_cfi_table *table; // of the FDE that was read last
	uint64_t off;                     // of it
	struct ic_cie cie;                // of it, if has_cie
	bool has_cie;
	struct ic_cfi_rows rows;
	struct ic_expression_text text;
	// While FDEs are listed: the number of the last one, and how many rules may still be given.
	size_t listed;
	uint64_t rules_left;
	bool is_listing;
};

// Reads the headers of all entries of a table, unless they were read. What cannot be read is a
// problem; false if memory runs out.
bool ic_call_frames_list_table(struct ic_call_frames *frames, struct ic_cfi_table *table,
			       struct ic_error *err) IC_CHECKED;

// The place of FDE number `number` of those listed, and its table; NULL if there are not so many.
const struct ic_cfi_place *ic_call_frames_place(const struct ic_call_frames *frames, size_t number,
						const struct ic_cfi_table **table);

// Fills in what is known of an FDE of a table, for code in a range.
void ic_call_frames_fill(struct ic_call_frame_entry *entry, const struct ic_cfi_table *table,
			 struct ic_range range, uint64_t off, const struct ic_cie *cie);

// Has a reader read other call frames; NULL if those before are freed.
void ic_call_frame_reader_use(struct ic_call_frame_reader *reader, struct ic_call_frames *frames);

// The machine whose registers have the numbers that a section uses.
unsigned ic_call_frames_numbering(const struct ic_cfi_section *section);

// Adds a fault in the entry at an offset of a table to the problems. If there is none,
// IC_ERROR_NONE, or memory runs out, nothing. Returns false.
bool ic_call_frames_complain(struct ic_call_frames *frames, const struct ic_cfi_table *table,
			     uint64_t off, struct ic_error *err);

// The ORC tables of a Linux kernel, made readable when they are first asked for; NULL if there are
// none. If they cannot be read that is a problem.
const struct ic_orc *ic_call_frames_orc(struct ic_call_frames *frames);

#endif
