// evaluate_lines [OFFSET:SIZE:ENCODING]...: evaluates the location expressions that are on standard
// input, one a line in hexadecimal, with these base types. Prints the value of each, or "error: "
// and why it has none.
#include <inlinecall/extra/evaluate.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct types {
	int count;
	char **texts;
};

static bool find_type(void *context, uint64_t off, struct ic_base_type *type, struct ic_error *err)
{
	const struct types *types = context;
	uint64_t at;

	(void)err;
	for (int i = 0; i < types->count; i++)
		if (sscanf(types->texts[i], "%" SCNu64 ":%" SCNu64 ":%" SCNu32, &at, &type->size,
			   &type->encoding) == 3 &&
		    at == off)
			return true;
	return false;
}

static size_t parse_hex(const char *line, uint8_t *bytes, size_t room)
{
	size_t size = 0;
	unsigned byte;

	while (size < room && sscanf(line + 2 * size, "%2x", &byte) == 1)
		bytes[size++] = (uint8_t)byte;
	return size;
}

int main(int argc, char **argv)
{
	struct types types = { argc - 1, argv + 1 };
	const struct ic_evaluate_options options = { .version = 5,
						     .addr_size = 8,
						     .offset_size = 4,
						     .find_type = find_type,
						     .context = &types };
	struct ic_evaluated evaluated;
	struct ic_error err;
	char line[4096];
	uint8_t bytes[2048];

	while (fgets(line, sizeof(line), stdin)) {
		size_t size = parse_hex(line, bytes, sizeof(bytes));
		if (!ic_evaluate(bytes, size, &options, &evaluated, &err))
			printf("error: %s\n", err.message);
		else if (evaluated.kind != IC_EVALUATED_VALUE)
			printf("error: no value\n");
		else
			printf("%" PRIx64 "\n", evaluated.value);
	}
	return 0;
}
