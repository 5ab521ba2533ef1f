// What is known of a place that a text mentions.
#ifndef CLI_FILTER_ANSWER_H
#define CLI_FILTER_ANSWER_H

#include <inlinecall/extra/mentions.h>

#include "filter/files.h"

struct cli_answer { // to a mention; valid until the next one
	const struct ic_frame *frames;
	size_t frame_count;
	struct cli_filter_place place;
	uint64_t addr; // that was looked up in its file: of a return address that of the call
	bool agrees;   // it is what the text says, function and line, and not to be printed
	struct cli_filter_file *unplaced; // a file whose load address it lacks; or NULL
	char note[1024];                  // the last member; empty, or why there are no frames
};

// False if there is nothing to print: nothing is known of the place, or no more than the mention
// says itself.
bool cli_filter_answer(struct cli_filter_files *files, const struct ic_mention *mention,
		       struct cli_answer *answer);

#endif
