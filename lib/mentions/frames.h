// Formats in which programs print stack frames: a table of patterns.
#ifndef MENTIONS_FRAMES_H
#define MENTIONS_FRAMES_H

#include <inlinecall/extra/mentions.h>

// What kind of address a format has.
enum ic_frame_kind {
	IC_FRAME_EXACT,    // not a return address
	IC_FRAME_CALLED,   // certainly a return address
	IC_FRAME_RETURN,   // probably a return address, in any frame
	IC_FRAME_NUMBERED, // probably a return address, unless the frame's number is 0
	IC_FRAME_INLINED,  // the same; the next frame is the one that it was inlined into
	IC_FRAME_LISTED,   // probably a return address, unless it is the first in a list
	IC_FRAME_NATIVE,   // the same; frames of other languages may be between those of the list
	IC_FRAME_COUNTER,  // the program counter, printed above its stack
	IC_FRAME_SIGNAL,   // no address: the caller of a signal handler
};

struct ic_frame_facts {
	enum ic_frame_kind kind;
	uint64_t number; // 0 if the format has none
};

enum { IC_MOST_FRAME_FORMS = 128 };

// For each format, the characters that a line must contain, so that most lines cost nothing.
struct ic_frame_marks {
	uint16_t items[IC_MOST_FRAME_FORMS];
};

void ic_frame_marks_init(struct ic_frame_marks *marks);

// Parses a line that is one frame, whatever else it contains. Placeholders such as "(unknown)" are
// removed from its label.
bool ic_mention_read_frame(const struct ic_frame_marks *marks, struct ic_span line,
			   struct ic_mention *mention, struct ic_frame_facts *facts);

// Whether a line without a frame may be between two frames of one stack: it is the second line of a
// frame.
bool ic_frame_goes_on(struct ic_span line);

#endif
