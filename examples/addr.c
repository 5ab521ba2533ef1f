// Prints the frames at addresses, innermost first. Addresses are numbers, SYMBOL, SYMBOL+0xOFFSET
// or SECTION+0xOFFSET: addr FILE ADDRESS...
#include <inttypes.h>
#include <stdio.h>

#include <inlinecall/extra/addresses.h>
#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/inlinecall.h>

static void print_frame(const struct ic_frame *frame)
{
	printf("  %s at %s:%" PRIu32 "%s\n", frame->function ? frame->function : "??",
	       frame->file ? frame->file : "??", frame->line,
	       frame->inlined ? ", inlined into" : "");
}

// Returns the number of frames.
static size_t print_frames(struct ic_symbolizer *symbolizer, struct ic_addresses *addresses,
			   const char *where)
{
	struct ic_frame frames[64]; // deeper frames are not printed
	struct ic_address address;
	struct ic_error err;

	if (!ic_addresses_parse(addresses, where, &address, &err)) {
		fprintf(stderr, "%s: %s\n", where, err.message);
		return 0;
	}
	if (address.is_outside)
		return 0;
	size_t count = ic_symbolizer_frames_at(symbolizer, address.lookup, frames, 64);
	if (address.section) // in a relocatable file, whose sections have no addresses yet
		printf("%s+", address.section);
	printf("0x%" PRIx64 "\n", address.shown);
	for (size_t i = 0; i < count && i < 64; i++)
		print_frame(&frames[i]);
	return count;
}

int main(int argc, char **argv)
{
	struct ic_index_problem problem;
	struct ic_error err;
	int status = 0;

	if (argc < 3) {
		fprintf(stderr, "usage: %s FILE ADDRESS...\n", argv[0]);
		return 64;
	}
	struct ic_image *image = ic_image_open(argv[1], NULL, &err);
	struct ic_symbolizer *symbolizer = image ? ic_symbolizer_new(image, NULL, &err) : NULL;
	struct ic_addresses *addresses = symbolizer ? ic_addresses_new(symbolizer, NULL, &err)
						    : NULL;
	if (!addresses) {
		fprintf(stderr, "%s\n", err.message);
		ic_symbolizer_free(symbolizer);
		ic_image_free(image);
		return 2;
	}
	for (int i = 2; i < argc; i++)
		if (print_frames(symbolizer, addresses, argv[i]) == 0)
			status = 1; // nothing is known about it
	for (size_t i = 0; ic_symbolizer_problem_get(symbolizer, i, &problem); i++) {
		fprintf(stderr, "%s\n", problem.message); // the answer may be incomplete
		status = 2;
	}
	ic_addresses_free(addresses);
	ic_symbolizer_free(symbolizer);
	ic_image_free(image);
	return status;
}
