// Formats in which Go's runtime prints places in code: a function with its position in the next
// line, and profiles in text form.
#ifndef MENTIONS_GO_H
#define MENTIONS_GO_H

#include <inlinecall/extra/mentions.h>

// The function whose place is in the next line: "main.work(0x4)", "main.small(...)" if it was
// inlined, "created by main.main in goroutine 1".
struct ic_go_caller {
	char name[1024]; // without a NUL
	size_t size;     // 0 if the line names no function
	bool is_inlined, has_arguments;
};

// Whether a line starts the stack of a goroutine: "goroutine 1 [running]:".
bool ic_go_begins_stack(struct ic_span line);

// Parses any line; logs may put their own text before the function.
void ic_go_caller_read(struct ic_span line, struct ic_go_caller *caller);

// Whether the function is the one that turns a signal into a panic: the address below it is not a
// return address.
bool ic_go_caller_is_sigpanic(const struct ic_go_caller *caller);

// Parses "\t/src/a.go:25 +0x88 fp=0xc000086ef8 sp=0xc000086ec0 pc=0x4b41c8" after the line of
// `caller`, whose name the mention borrows. False for an inlined call: it has no address, and
// belongs to the next place.
bool ic_mention_read_go_place(struct ic_span line, const struct ic_go_caller *caller,
			      struct ic_mention *mention);

// Parses "#\t0x45c7a4\tmain.work+0x24\t/src/a.go:25" of a profile in text form: the address of a
// call, not the return address.
bool ic_mention_read_go_profile_line(struct ic_span line, struct ic_mention *mention);

// Where the return addresses start in a line of such a profile, "1 @ 0x42d196 0x45c7a5"; the size
// of the line if there are none.
size_t ic_go_stack_start(struct ic_span line);

#endif
