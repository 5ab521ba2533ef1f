// What is not certain of where copies are entered, summed up for all files of a command.
#ifndef CLI_FUNCTIONS_DOUBTS_H
#define CLI_FUNCTIONS_DOUBTS_H

#include <inlinecall/extra/entries.h>

enum { CLI_DOUBT_KINDS = IC_ENTRY_PACKED + 1 };

struct cli_doubtful { // copies, and the first of them
	size_t copies, files;
	char path[256], why[256];
	uint64_t addr;
	bool differs; // why, of others
};

struct cli_doubts { // zero-initialised: none
	struct cli_doubtful kinds[CLI_DOUBT_KINDS];
	struct cli_doubtful unknown; // whether there are any
	size_t copies;               // of all
};

// Adds the copies of a file.
void cli_doubts_add(struct cli_doubts *doubts, const char *path, const struct ic_sites *sites,
		    const struct ic_entries *entries);

// Says on standard error what is in doubt.
void cli_doubts_say(const struct cli_doubts *doubts);

#endif
