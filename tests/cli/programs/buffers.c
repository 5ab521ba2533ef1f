// Passes buffers with their lengths, and prints them in hexadecimal.
#include <stdint.h>
#include <stdio.h>

struct message {
	uint8_t *data;
	uint32_t size;
	char letters[4];
	short used;
};

static volatile int sink;

__attribute__((noinline)) void put(const void *buffer, long length)
{
	fprintf(stderr, "put");
	for (long i = 0; i < length; i++)
		fprintf(stderr, " %02x", ((const uint8_t *)buffer)[i]);
	fputc('\n', stderr);
	sink++;
}

__attribute__((noinline)) static void post(const struct message *message)
{
	fprintf(stderr, "post");
	for (uint32_t i = 0; i < message->size; i++)
		fprintf(stderr, " %02x", message->data[i]);
	fputc('\n', stderr);
	sink += message->used;
}

int main(void)
{
	uint8_t bytes[200];
	struct message message = { bytes, 0, "abc", 2 };

	for (int i = 0; i < 200; i++)
		bytes[i] = (uint8_t)(i * 7);
	put("hello\n", 6);
	put("a\0b", 3);
	put(bytes, 0);
	put(bytes, 200);
	put((void *)8, -1); // of no length
	for (message.size = 0; message.size < 30; message.size += 7)
		post(&message);
	return 0;
}
