// STACK CFI lines as a section .debug_frame, which all readers of call frame information
// understand.
#ifndef BREAKPAD_CALL_FRAMES_H
#define BREAKPAD_CALL_FRAMES_H

#include "breakpad/file.h"

struct ic_breakpad_frames {
	IC_ARRAY(uint8_t) bytes; // of the section: the host's byte order, 8 bytes an address
	bool failed;             // memory ran out
};

// Converts the lines of a file for a machine (EM_*); nothing if the names of its registers are
// unknown. The rules of an FDE end with an unknown instruction if a line cannot be read, or has a
// rule of another form than those that writers use. Returns false if memory runs out. Time: O(n).
bool ic_breakpad_frames_build(struct ic_breakpad_frames *frames, const struct ic_breakpad *file,
			      uint16_t machine);

void ic_breakpad_frames_free(struct ic_breakpad_frames *frames);

#endif
