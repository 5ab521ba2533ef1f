// Call frame information of an image. The type is declared in inlinecall/call_frames.h.
#ifndef UNWIND_FRAMES_CALL_FRAMES_H
#define UNWIND_FRAMES_CALL_FRAMES_H

#include <pthread.h>
#include <stdatomic.h>

#include "dwarf/frames/index.h"
#include "dwarf/frames/rows.h"
#include "dwarf/frames/text.h"
#include "elf/image/image.h"
#include "unwind/tables/orc.h"
#include "unwind/tables/sframe.h"
#include "unwind/tables/table.h"

#include <inlinecall/extra/call_frames.h>

enum {
	IC_CALL_FRAME_TABLES = 3, // .eh_frame, .debug_frame and .sframe
	IC_CALL_FRAME_SFRAME = 2, // the number of the last
};

struct ic_call_frames {
	struct ic_image *image;
	uint64_t program_entry; // entry address of the program; 0 if it is not one
	uint16_t machine;
	struct ic_elf_file *files[IC_CALL_FRAME_TABLES];
	struct ic_section *sections[IC_CALL_FRAME_TABLES]; // NULL: there is none
	// Empty if it does not exist, or has not been listed.
	struct ic_cfi_table tables[IC_CALL_FRAME_TABLES];
	atomic_bool is_listed[IC_CALL_FRAME_TABLES]; // the table does not change afterwards
	struct ic_cfi_index index;                   // of .eh_frame; loaded if it has entries
	struct ic_sframe sframe;                     // header of .sframe; zero if it is unreadable
	bool can_search_sframe;                      // it is loaded, and need not be listed
	pthread_mutex_t lock;                        // for listing, and for the rest
	struct ic_problems problems;
	struct ic_arena arena;
	struct ic_orc orc;
	bool has_orc, has_asked_orc; // it can be read; reading it was tried
};

struct ic_call_frame_reader {
	struct ic_call_frames *frames;
	const struct ic_cfi_table *table; // of the last FDE read
	uint64_t off;                     // its offset
	struct ic_cie cie;                // its CIE, if has_cie
	bool has_cie;
	struct ic_cfi_rows rows;
	struct ic_sframe_rows sframe_rows; // instead of `rows`, if the table is that of .sframe
	struct ic_sframe_rules sframe_rules;
	struct ic_expression_text text;
	// While FDEs are listed: the last number, and how many more rules may be returned.
	size_t listed;
	uint64_t rules_left;
	bool is_listing;
};

// Reads the headers of all entries of a table, unless already done. Unreadable ones become
// problems; false if memory runs out.
bool ic_call_frames_list_table(struct ic_call_frames *frames, struct ic_cfi_table *table,
			       struct ic_error *err) IC_CHECKED;

// The place of listed FDE number `number`, and its table; NULL if there are fewer.
const struct ic_cfi_place *ic_call_frames_place(const struct ic_call_frames *frames, size_t number,
						const struct ic_cfi_table **table);

// Whether a table is that of .sframe.
bool ic_call_frames_is_sframe(const struct ic_call_frames *frames,
			      const struct ic_cfi_table *table);

// Fills in the data of a table's FDE for code in a range.
void ic_call_frames_fill(struct ic_call_frame_entry *entry, const struct ic_cfi_table *table,
			 struct ic_range range, uint64_t off, const struct ic_cie *cie);

// Switches a reader to other call frames; NULL if the previous ones are being freed.
void ic_call_frame_reader_use(struct ic_call_frame_reader *reader, struct ic_call_frames *frames);

// The machine whose register numbering a section uses.
unsigned ic_call_frames_numbering(const struct ic_cfi_section *section);

// Adds an error in the entry at an offset of a table to the problems; nothing for IC_ERROR_NONE, or
// if memory runs out. Returns false.
bool ic_call_frames_complain(struct ic_call_frames *frames, const struct ic_cfi_table *table,
			     uint64_t off, struct ic_error *err);

// The ORC tables of a Linux kernel, loaded on demand; NULL if there are none. If they cannot be
// read, that is a problem.
const struct ic_orc *ic_call_frames_orc(struct ic_call_frames *frames);

#endif
