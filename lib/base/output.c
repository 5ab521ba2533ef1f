#include "base/output.h"

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

// The size of a control character at the start of a text; 0 if there is none. U+0080 to U+009F,
// which some terminals obey, begin with 0xc2 in UTF-8.
static size_t control_size(const char *text, size_t size)
{
	const uint8_t *bytes = (const uint8_t *)text;

	if (bytes[0] < ' ' || bytes[0] == 0x7f)
		return 1;
	return size > 1 && bytes[0] == 0xc2 && bytes[1] >= 0x80 && bytes[1] < 0xa0 ? 2 : 0;
}

// Sets the top bit of each byte that is not from 0x20 to 0x7e. Only such a byte causes a borrow or
// carry, so whether any bit is set is reliable.
static uint64_t mark_others(const char *text)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t bytes;

	memcpy(&bytes, text, sizeof(bytes));
	return (bytes - 0x20 * ones) | (bytes + ones) | bytes;
}

// Whether the text is only printable ASCII, which is the usual case.
static bool is_plain(const char *text, size_t size)
{
	uint64_t marks = 0;
	size_t i = 0;

	if (size >= 8) {
		for (; i < size - 8; i += 8)
			marks |= mark_others(text + i);
		return ((marks | mark_others(text + size - 8)) & 0x8080808080808080) == 0;
	}
	while (i < size && text[i] >= ' ' && text[i] < 0x7f)
		i++;
	return i == size;
}

void ic_output_printable(struct ic_output *output, const char *text)
{
	ic_output_printable_bytes(output, text, strlen(text));
}

void ic_output_printable_bytes(struct ic_output *output, const char *text, size_t size)
{
	if (is_plain(text, size)) {
		ic_output_bytes(output, text, size);
		return;
	}
	for (size_t i = 0, skipped; i < size; i += skipped ? skipped : 1) {
		skipped = control_size(text + i, size - i);
		ic_output_char(output, skipped ? '?' : text[i]);
	}
}

void ic_output_char(struct ic_output *output, char character)
{
	output->buffer[output->used++] = character; // there is always room for one more
	if (output->used == sizeof(output->buffer))
		write_out(output);
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

void ic_output_signed(struct ic_output *output, int64_t number)
{
	if (number < 0)
		ic_output_char(output, '-');
	ic_output_decimal(output, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

bool ic_output_finish(struct ic_output *output, struct ic_error *err)
{
	char text[IC_ERROR_TEXT_SIZE];

	write_out(output);
	if (output->os_error == 0 && fflush(output->stream) != 0)
		output->os_error = errno ? errno : EIO;
	if (output->os_error == 0)
		return true;
	ic_fail(err, IC_ERROR_SYSTEM, "cannot write the report: %s",
		ic_error_text(output->os_error, text));
	err->os_error = output->os_error;
	return false;
}
