// Doubts about the entries of copies, summed up over all files of a command.
#ifndef CLI_FUNCTIONS_DOUBTS_H
#define CLI_FUNCTIONS_DOUBTS_H

#include <inlinecall/extra/entries.h>

enum { CLI_DOUBT_KINDS = IC_ENTRY_PACKED + 1 };

struct cli_doubtful { // number of copies, and the first one
	size_t copies, files;
	size_t total; // of all copies in these files
	char path[256], why[256];
	uint64_t addr;
	bool differs; // other copies have other reasons
};

struct cli_doubts { // none if zero-initialised
	struct cli_doubtful kinds[CLI_DOUBT_KINDS];
	struct cli_doubtful unknown; // whether there are doubts is unknown
};

// Adds the copies of a file.
void cli_doubts_add(struct cli_doubts *doubts, const char *path, const struct ic_sites *sites,
		    const struct ic_entries *entries);

// Prints the doubts on standard error.
void cli_doubts_say(const struct cli_doubts *doubts);

#endif
