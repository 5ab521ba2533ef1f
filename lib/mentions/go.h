// The forms in which Go's runtime prints places in code: a function with its place in the next
// line, and the text of profiles.
#ifndef MENTIONS_GO_H
#define MENTIONS_GO_H

#include <inlinecall/extra/mentions.h>

// What a line says of the place in the next one: "main.work(0x4)", "main.small(...)" if it was
// inlined, "created by main.main in goroutine 1".
struct ic_go_caller {
	char name[1024]; // without a NUL
	size_t size;     // 0 if the line names no function
	bool is_inlined, has_arguments;
};

// Whether a line begins the stack of a goroutine: "goroutine 1 [running]:".
bool ic_go_begins_stack(struct ic_span line);

// Reads it from any line; logs may have something of theirs before it.
void ic_go_caller_read(struct ic_span line, struct ic_go_caller *caller);

// Whether the caller is where a signal becomes a panic: below it is not a return address.
bool ic_go_caller_is_sigpanic(const struct ic_go_caller *caller);

// "\t/src/a.go:25 +0x88 fp=0xc000086ef8 sp=0xc000086ec0 pc=0x4b41c8", after the line of `caller`,
// whose name the mention borrows. False for a call that was inlined: it has no address, and is part
// of the next place.
bool ic_mention_read_go_place(struct ic_span line, const struct ic_go_caller *caller,
			      struct ic_mention *mention);

// "#\t0x45c7a4\tmain.work+0x24\t/src/a.go:25", of the text form of a profile: the address of a
// call, not of what is returned to.
bool ic_mention_read_go_profile_line(struct ic_span line, struct ic_mention *mention);

// Where the return addresses of a stack of such a profile begin, "1 @ 0x42d196 0x45c7a5"; the size
// of the line if there are none.
size_t ic_go_stack_start(struct ic_span line);

#endif
