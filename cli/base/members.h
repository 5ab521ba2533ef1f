// The members of an archive, one after another, for commands that take files.
#ifndef CLI_BASE_MEMBERS_H
#define CLI_BASE_MEMBERS_H

#include <inlinecall/extra.h>

#include "base/cli.h"

struct cli_members {
	struct ic_members *members;
	size_t number;        // of the last one that was returned
	unsigned long images; // that were opened
	bool symbols_do;      // open those without debug information for their symbols
	unsigned long without_debug, unnamed;
	char names[256]; // of members without debug information, without the unnamed
	bool complained;
	enum ic_error_code failure; // of the last complaint
};

// Whether ic_image_open() failed with this error because `path` is an archive, or an archive with
// the name of a member, "lib.a(member.o)". Else *err may be replaced by one that says more.
bool cli_members_begin(struct cli_members *members, const char *path, struct ic_error *err);

// Whether more than one member was asked for, or has the name that was.
bool cli_members_are_several(const struct cli_members *members);

// The image of the next member that can be answered for, to be closed; NULL after the last one.
// What cannot be read is complained about.
struct ic_image *cli_members_next(struct cli_members *members,
				  const struct ic_image_options *options);

// Makes the progress that of all members, with the one that was returned last under way.
void cli_members_progress(const struct cli_members *members, struct cli_progress *progress);

// To be called after the last one: whether all were read. What was left out is complained about.
bool cli_members_check(const struct cli_members *members);

void cli_members_end(struct cli_members *members);

#endif
