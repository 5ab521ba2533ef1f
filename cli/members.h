// The members of an archive, one after another, for commands that take files.
#ifndef CLI_MEMBERS_H
#define CLI_MEMBERS_H

#include <inlinecall/inlinecall.h>

#include "cli.h"

struct cli_members {
	struct ic_members *members;
	size_t number;        // of the last one that was given
	unsigned long images; // that were opened
	unsigned long without_debug, unnamed;
	char names[256]; // of those without debug information, but for the unnamed
	bool complained;
	enum ic_error_code failure; // that was complained about last
};

// Whether ic_image_open() failed with this error because `path` is an archive, or an archive with
// the name of a member, "lib.a(member.o)". Else *err may be one that says more.
bool cli_members_begin(struct cli_members *members, const char *path, struct ic_error *err);

// Whether there are several of those that are meant, or may be.
bool cli_members_are_several(const struct cli_members *members);

// The image of the next member that can be answered for, to be closed; NULL after the last one.
// What cannot be read is complained about.
struct ic_image *cli_members_next(struct cli_members *members,
				  const struct ic_image_options *options);

// Lets the progress be that of all members, of which the last that was given is under way.
void cli_members_progress(const struct cli_members *members, struct cli_progress *progress);

// After the last one: whether all was read. What was left out is complained about.
bool cli_members_check(const struct cli_members *members);

void cli_members_end(struct cli_members *members);

#endif
