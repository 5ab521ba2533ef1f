// Text has a layout of its own for each kind of rows: headings and lines, not fields.
#ifndef REPORT_TEXT_TEXTS_H
#define REPORT_TEXT_TEXTS_H

#include "report/writers/writer.h"

#define ROW(kind, name)              void ic_writer_init_##name##_text(struct ic_writer *writer);
#define ROW_WITHOUT_TEXT(kind, name) // nothing
#include "report/rows/kinds.def"
#undef ROW

void ic_writer_init_change_markdown(struct ic_writer *writer);

// Writes a frame of a stack as one line of text, starting with its number.
void ic_write_frame(struct ic_writer *writer, const struct ic_row_thread_frame *frame,
		    size_t number);

#endif
