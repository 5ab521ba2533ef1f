// The forms in which programs print the frames of their stacks: a table of patterns.
#ifndef MENTIONS_FRAMES_H
#define MENTIONS_FRAMES_H

#include <inlinecall/extra/mentions.h>

// What a form says of its address.
enum ic_frame_kind {
	IC_FRAME_EXACT,    // no return address
	IC_FRAME_CALLED,   // a return address: the text leaves no doubt
	IC_FRAME_RETURN,   // likely one, whichever frame it is
	IC_FRAME_NUMBERED, // likely one, unless its number is 0
	IC_FRAME_INLINED,  // likewise; and the next frame is the one that it was inlined into
	IC_FRAME_LISTED,   // likely one, unless it is the first in a list
	IC_FRAME_NATIVE,   // likewise; frames of other languages may be between those of the list
	IC_FRAME_COUNTER,  // the program counter, before the stack that it is in
	IC_FRAME_SIGNAL,   // no address: what called the handler of a signal
};

struct ic_frame_facts {
	enum ic_frame_kind kind;
	uint64_t number; // 0 if the form has none
};

enum { IC_MOST_FRAME_FORMS = 128 };

// By form, the characters that a line must have, so that most lines cost nothing.
struct ic_frame_marks {
	uint16_t items[IC_MOST_FRAME_FORMS];
};

void ic_frame_marks_init(struct ic_frame_marks *marks);

// Reads a line that is one frame, whatever else stands in it. Its label is without what is not a
// name, as "(unknown)".
bool ic_mention_read_frame(const struct ic_frame_marks *marks, struct ic_span line,
			   struct ic_mention *mention, struct ic_frame_facts *facts);

// Whether a line that is no frame may stand between two of one stack: it is the second line of one.
bool ic_frame_goes_on(struct ic_span line);

#endif
