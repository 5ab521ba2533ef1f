// What is known about a place that a text mentions.
#ifndef CLI_FILTER_ANSWER_H
#define CLI_FILTER_ANSWER_H

#include <inlinecall/extra/mentions.h>

#include "filter/files.h"

struct cli_answer { // to a mention; valid until the next one
	const struct ic_frame *frames;
	size_t frame_count;
	struct cli_filter_place place;
	uint64_t addr; // the address looked up in its file; for a return address, that of the call
	bool agrees;   // it repeats the text, function and line, and need not be printed
	struct cli_filter_file *unplaced; // a file whose missing load address is needed; or NULL
	char note[1024];                  // last member; empty, or why there are no frames
};

// Returns false if there is nothing to print: nothing is known about the place, or no more than the
// mention says itself.
bool cli_filter_answer(struct cli_filter_files *files, const struct ic_mention *mention,
		       struct cli_answer *answer);

#endif
