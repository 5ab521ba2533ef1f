// Iterates over the members of an archive, for commands that take files.
#ifndef CLI_BASE_MEMBERS_H
#define CLI_BASE_MEMBERS_H

#include <inlinecall/extra.h>

#include "base/cli.h"

struct cli_members {
	struct ic_members *members;
	size_t number;        // index of the last one returned
	unsigned long images; // number of images opened
	bool symbols_do;      // open members without debug information for their symbols
	unsigned long without_debug, unnamed;
	char names[256]; // named members without debug information
	bool complained;
	enum ic_error_code failure; // reason of the last error message
};

// Whether ic_image_open() failed with this error because `path` is an archive, or an archive with
// the name of a member, "lib.a(member.o)". Otherwise *err may be replaced with a more specific
// error.
bool cli_members_begin(struct cli_members *members, const char *path, struct ic_error *err);

// Whether more than one member was requested, or has the requested name.
bool cli_members_are_several(const struct cli_members *members);

// Opens the next usable member, to be closed by the caller; NULL after the last one. Prints an
// error for each member that cannot be read.
struct ic_image *cli_members_next(struct cli_members *members,
				  const struct ic_image_options *options);

// Sets the progress to that over all members, of which the one last returned is in progress.
void cli_members_progress(const struct cli_members *members, struct cli_progress *progress);

// Call this after the last one: returns whether all were read, and prints an error for those that
// were not.
bool cli_members_check(const struct cli_members *members);

void cli_members_end(struct cli_members *members);

#endif
