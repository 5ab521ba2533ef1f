// Protocol Buffers messages in their encoded form (protobuf.dev, "Encoding").
#ifndef PROFILE_PROTO_H
#define PROFILE_PROTO_H

#include "base/array.h"
#include "base/cursor.h"

enum { IC_PROTO_VARINT = 0, IC_PROTO_64 = 1, IC_PROTO_BYTES = 2, IC_PROTO_32 = 5 }; // wire types

struct ic_proto { // a message, or a part of one; zero-initialised is empty
	IC_ARRAY(uint8_t) bytes;
	bool out_of_memory; // now or earlier: further data is lost
};

void ic_proto_varint(struct ic_proto *proto, uint64_t number);

// Adds a number field; nothing for 0, which is the default for readers.
void ic_proto_number(struct ic_proto *proto, unsigned field, uint64_t number);

void ic_proto_bytes(struct ic_proto *proto, unsigned field, struct ic_bytes bytes);

// Adds a field with a message or a list of numbers, and empties `message` for reuse.
void ic_proto_message(struct ic_proto *proto, unsigned field, struct ic_proto *message);

void ic_proto_free(struct ic_proto *proto);

// ---- Reading

struct ic_proto_field {
	unsigned number, type;
	uint64_t value;        // for numbers
	struct ic_bytes bytes; // for IC_PROTO_BYTES
};

// A cursor over a top-level message, and over a message in a field of such a one.
struct ic_cursor ic_proto_cursor(struct ic_bytes message);
struct ic_cursor ic_proto_inside(const struct ic_cursor *outer, const struct ic_proto_field *field);

// Reads the field at the cursor, and moves past it. False at the end, and after an error.
bool ic_proto_next(struct ic_cursor *cur, struct ic_proto_field *field);

// Calls a function for each message in a field, until it returns false; returns whether it never
// did.
bool ic_proto_each(struct ic_cursor cur, unsigned field,
		   bool (*read)(void *context, struct ic_cursor cur), void *context) IC_CHECKED;

struct ic_proto_numbers { // zero-initialised is empty
	IC_ARRAY(uint64_t) list;
};

// Adds the number in a field, or the list of numbers in it, which an error in `cur` may truncate.
// False if memory runs out.
bool ic_proto_take_numbers(struct ic_proto_numbers *numbers, struct ic_cursor *cur,
			   const struct ic_proto_field *field) IC_CHECKED;

#endif
