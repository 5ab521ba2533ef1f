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

void ic_output_printable(struct ic_output *output, const char *text)
{
	for (;;) {
		const char *from = text;
		while ((unsigned char)*text >= ' ' && *text != 0x7f)
			text++;
		ic_output_bytes(output, from, (size_t)(text - from));
		if (!*text)
			return;
		ic_output_char(output, '?');
		text++;
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
