#include "profile/proto.h"

#include <string.h>

void ic_proto_varint(struct ic_proto *proto, uint64_t number)
{
	do {
		uint8_t *byte = IC_ARRAY_PUSH(&proto->bytes);
		if (!byte) {
			proto->out_of_memory = true;
			return;
		}
		*byte = (uint8_t)((number & 0x7f) | (number > 0x7f ? 0x80 : 0));
		number >>= 7;
	} while (number > 0);
}

void ic_proto_number(struct ic_proto *proto, unsigned field, uint64_t number)
{
	if (number == 0)
		return;
	ic_proto_varint(proto, field << 3 | IC_PROTO_VARINT);
	ic_proto_varint(proto, number);
}

void ic_proto_bytes(struct ic_proto *proto, unsigned field, struct ic_bytes bytes)
{
	ic_proto_varint(proto, field << 3 | IC_PROTO_BYTES);
	ic_proto_varint(proto, bytes.size);
	if (!IC_ARRAY_RESERVE(&proto->bytes, proto->bytes.count + bytes.size)) {
		proto->out_of_memory = true;
		return;
	}
	if (bytes.size > 0)
		memcpy(proto->bytes.items + proto->bytes.count, bytes.data, bytes.size);
	proto->bytes.count += (uint32_t)bytes.size;
}

void ic_proto_message(struct ic_proto *proto, unsigned field, struct ic_proto *message)
{
	ic_proto_bytes(proto, field,
		       (struct ic_bytes){ message->bytes.items, message->bytes.count });
	proto->out_of_memory |= message->out_of_memory;
	message->bytes.count = 0;
}

struct ic_cursor ic_proto_cursor(struct ic_bytes message)
{
	return ic_cursor_at(message, "profile", 0, message.size, IC_HOST_IS_BIG_ENDIAN);
}

struct ic_cursor ic_proto_inside(const struct ic_cursor *outer, const struct ic_proto_field *field)
{
	struct ic_cursor cur = *outer; // offsets are relative to the whole

	cur.fault = NULL;
	cur.pos = field->bytes.data;
	cur.end = field->bytes.data + field->bytes.size;
	return cur;
}

static void take_bytes(struct ic_cursor *cur, struct ic_bytes *bytes)
{
	uint64_t size = ic_cursor_uleb(cur);

	bytes->data = ic_cursor_take(cur, size);
	bytes->size = bytes->data ? (size_t)size : 0;
}

bool ic_proto_next(struct ic_cursor *cur, struct ic_proto_field *field)
{
	if (!ic_cursor_more(cur))
		return false;
	uint32_t tag = ic_cursor_uleb32(cur);
	*field = (struct ic_proto_field){ .number = tag >> 3, .type = tag & 7 };
	switch (field->type) {
	case IC_PROTO_VARINT: field->value = ic_cursor_uleb(cur); break;
	case IC_PROTO_64: field->value = ic_cursor_u64(cur); break;
	case IC_PROTO_32: field->value = ic_cursor_u32(cur); break;
	case IC_PROTO_BYTES: take_bytes(cur, &field->bytes); break;
	default: ic_cursor_fault(cur, "unknown field type");
	}
	return !cur->fault;
}

bool ic_proto_each(struct ic_cursor cur, unsigned number,
		   bool (*read)(void *context, struct ic_cursor cur), void *context)
{
	struct ic_proto_field field;

	while (ic_proto_next(&cur, &field))
		if (field.number == number && field.type == IC_PROTO_BYTES &&
		    !read(context, ic_proto_inside(&cur, &field)))
			return false;
	return true;
}

static bool push_number(struct ic_proto_numbers *numbers, uint64_t number)
{
	return IC_ARRAY_ADD(&numbers->list, number);
}

bool ic_proto_take_numbers(struct ic_proto_numbers *numbers, struct ic_cursor *cur,
			   const struct ic_proto_field *field)
{
	if (field->type != IC_PROTO_BYTES)
		return push_number(numbers, field->value);
	struct ic_cursor list = ic_proto_inside(cur, field);
	while (ic_cursor_more(&list))
		if (!push_number(numbers, ic_cursor_uleb(&list)))
			return false;
	if (list.fault) // then the enclosing message is incomplete too
		ic_cursor_fault(cur, "truncated list of numbers");
	return true;
}

void ic_proto_free(struct ic_proto *proto)
{
	IC_ARRAY_FREE(&proto->bytes);
}
