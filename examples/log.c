// Copies a log, such as a kernel's, and prints after each line the functions at the places in FILE
// that the line mentions as symbols, innermost first: log FILE <LOG
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <inlinecall/extra/mentions.h>
#include <inlinecall/extra/span.h>
#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/inlinecall.h>

enum { MOST_FRAMES = 64, MOST_NAME_SIZE = 512, MOST_LINE_SIZE = 4096 };

static void print_frames(struct ic_symbolizer *symbolizer, uint64_t addr)
{
	struct ic_frame frames[MOST_FRAMES]; // deeper frames are not printed
	size_t count = ic_symbolizer_frames_at(symbolizer, addr, frames, MOST_FRAMES);

	for (size_t i = 0; i < count && i < MOST_FRAMES; i++)
		printf("    %s at %s:%" PRIu32 "%s\n",
		       frames[i].function ? frames[i].function : "??",
		       frames[i].file ? frames[i].file : "??", frames[i].line,
		       frames[i].inlined ? " (inlined)" : "");
}

// False if the symbol does not exist, or is not the only one of its name.
static bool find_symbol(struct ic_symbolizer *symbolizer, struct ic_span span,
			struct ic_symbolizer_symbol *symbol)
{
	char name[MOST_NAME_SIZE];
	struct ic_symbolizer_symbol other;

	snprintf(name, sizeof(name), "%.*s", (int)span.size, span.text);
	return ic_symbolizer_symbol_find(symbolizer, name, 0, symbol) &&
	       !ic_symbolizer_symbol_find(symbolizer, name, 1, &other);
}

static void answer_line(struct ic_symbolizer *symbolizer, struct ic_mentions *mentions,
			const char *line)
{
	struct ic_symbolizer_symbol symbol;
	struct ic_mention mention;

	ic_mentions_begin(mentions, line, strcspn(line, "\n"));
	while (ic_mentions_next(mentions, &mention))
		if (mention.name.text && find_symbol(symbolizer, mention.name, &symbol))
			print_frames(symbolizer, symbol.start + mention.off - mention.is_return);
}

int main(int argc, char **argv)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	char line[MOST_LINE_SIZE];
	struct ic_error err;

	if (argc != 2) {
		fprintf(stderr, "usage: log FILE <LOG\n");
		return 64;
	}
	struct ic_image *image = ic_image_open(argv[1], &options, &err);
	struct ic_symbolizer *symbolizer = image ? ic_symbolizer_new(image, NULL, &err) : NULL;
	struct ic_mentions *mentions = symbolizer ? ic_mentions_new(NULL, &err) : NULL;
	while (mentions && fgets(line, sizeof(line), stdin)) {
		fputs(line, stdout);
		answer_line(symbolizer, mentions, line);
	}
	if (!mentions)
		fprintf(stderr, "%s\n", err.message);
	ic_mentions_free(mentions);
	ic_symbolizer_free(symbolizer);
	ic_image_free(image);
	return mentions ? 0 : 2;
}
