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

void ic_proto_free(struct ic_proto *proto)
{
	IC_ARRAY_FREE(&proto->bytes);
}
