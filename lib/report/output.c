#include "report/output.h"

#include <errno.h>
#include <string.h>

void ic_output_init(struct ic_output *output, FILE *stream)
{
	output->stream = stream;
	output->used = 0;
	output->os_error = 0;
}

static void write_out(struct ic_output *output)
{
	if (output->os_error == 0 &&
	    fwrite(output->buffer, 1, output->used, output->stream) != output->used)
		output->os_error = errno ? errno : EIO;
	output->used = 0;
}

void ic_output_bytes(struct ic_output *output, const char *bytes, size_t size)
{
	while (size > 0) {
		size_t room = sizeof(output->buffer) - output->used;
		size_t part = size < room ? size : room;

		memcpy(output->buffer + output->used, bytes, part);
		output->used += part;
		bytes += part;
		size -= part;
		if (output->used == sizeof(output->buffer))
			write_out(output);
	}
}

void ic_output_text(struct ic_output *output, const char *text)
{
	ic_output_bytes(output, text, strlen(text));
}

static bool is_control(uint8_t byte)
{
	return byte < ' ' || byte == 0x7f;
}

// Whether one of eight bytes is a control character: below 0x20, or 0x7f.
static bool has_control(const char *text)
{
	const uint64_t ones = 0x0101010101010101, tops = 0x80 * ones;
	uint64_t bytes;

	memcpy(&bytes, text, sizeof(bytes));
	uint64_t other = bytes ^ 0x7f * ones;
	return ((((bytes - 0x20 * ones) & ~bytes) | ((other - ones) & ~other)) & tops) != 0;
}

// How many bytes of the text come before a control character. Nearly all texts have none.
static size_t printable_size(const char *text, size_t size)
{
	size_t count = 0;

	while (size - count >= 8 && !has_control(text + count))
		count += 8;
	while (count < size && !is_control((uint8_t)text[count]))
		count++;
	return count;
}

void ic_output_printable(struct ic_output *output, const char *text)
{
	size_t left = strlen(text);

	for (;;) {
		size_t size = printable_size(text, left);
		ic_output_bytes(output, text, size);
		if (size == left)
			return;
		ic_output_char(output, '?');
		text += size + 1;
		left -= size + 1;
	}
}

void ic_output_char(struct ic_output *output, char character)
{
	ic_output_bytes(output, &character, 1);
}

void ic_output_hex(struct ic_output *output, uint64_t number)
{
	char digits[18], *at = digits + sizeof(digits);

	do {
		*--at = "0123456789abcdef"[number & 15];
		number >>= 4;
	} while (number > 0);
	*--at = 'x';
	*--at = '0';
	ic_output_bytes(output, at, (size_t)(digits + sizeof(digits) - at));
}

void ic_output_decimal(struct ic_output *output, uint64_t number)
{
	char digits[20], *at = digits + sizeof(digits);

	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	ic_output_bytes(output, at, (size_t)(digits + sizeof(digits) - at));
}

bool ic_output_finish(struct ic_output *output, struct ic_error *err)
{
	write_out(output);
	if (output->os_error == 0 && fflush(output->stream) != 0)
		output->os_error = errno ? errno : EIO;
	if (output->os_error == 0)
		return true;
	ic_fail(err, IC_ERROR_SYSTEM, "cannot write the report: %s", strerror(output->os_error));
	err->os_error = output->os_error;
	return false;
}
