// Prints what the library knows of the functions of this program, and fails if the library wrote or
// read beyond what it was given. usage: program FILE
// It is compiled with today's headers, and with those in which structs have grown (GROWN).
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <inlinecall/inlinecall.h>

enum { ROOM = 2, BEHIND = 4, PATTERN = 0x5a };

// Two symbols that the name `area` means.
static int area_of_square(int side) __asm__("area.isra.0");
static int area_of_circle(int radius) __asm__("area.isra.1");

__attribute__((noinline, used)) static int area_of_square(int side)
{
	return side * side;
}

__attribute__((noinline, used)) static int area_of_circle(int radius)
{
	return radius * radius * 355 / 113;
}

struct room {
	struct ic_symbolizer_symbol symbols[ROOM], behind[BEHIND];
};

// Prints the symbols; whether nothing was written after them.
static bool print_symbols(const char *title, const struct room *room, size_t count)
{
	const unsigned char *behind = (const unsigned char *)room->behind;

	for (size_t i = 0; i < count; i++) {
		const struct ic_symbolizer_symbol *symbol = &room->symbols[i];
		printf("%s: %s at 0x%" PRIx64 ", ends at 0x%" PRIx64, title, symbol->name,
		       symbol->start, symbol->end);
#ifdef GROWN
		printf(", size %s", symbol->size == symbol->end - symbol->start && symbol->size > 0
					    ? "right"
					    : "wrong");
#endif
		printf("\n");
	}
	for (size_t i = 0; i < sizeof(room->behind); i++)
		if (behind[i] != PATTERN) {
			fprintf(stderr, "%s: written behind the array\n", title);
			return false;
		}
	return true;
}

static void clear(struct room *room)
{
	memset(room, PATTERN, sizeof(*room));
}

static bool ask_symbols(struct ic_symbolizer *symbolizer)
{
	struct room room;

	clear(&room);
	size_t count = ic_symbolizer_symbols_match(symbolizer, "area", room.symbols, ROOM);
	bool ok = count == ROOM && print_symbols("match", &room, count);
	uint64_t addrs[ROOM] = { room.symbols[1].start, room.symbols[0].start };

	clear(&room);
	ic_symbolizer_symbols_at(symbolizer, addrs, ROOM, room.symbols);
	ok = print_symbols("symbols at", &room, ROOM) && ok;
	clear(&room);
	count = ic_symbolizer_symbol_at(symbolizer, addrs[0], room.symbols);
	ok = count == 1 && print_symbols("symbol at", &room, count) && ok;
	clear(&room);
	count = ic_symbolizer_symbol_find(symbolizer, "main", 0, room.symbols);
	return count == 1 && print_symbols("find", &room, count) && ok;
}

static void ask_index(struct ic_image *image, const struct ic_index_options *options)
{
	struct ic_error err = { .code = IC_ERROR_NONE };
	struct ic_index *index = ic_index_build(image, options, &err);

	printf("index: %s, error %d\n", index ? "built" : "none", (int)err.code);
	ic_index_free(index);
}

// The bytes after old options must not be read: they would be very many functions.
static void ask_indexes(struct ic_image *image)
{
	struct {
		struct ic_index_options options;
		uint64_t behind[BEHIND];
	} asked = { .options = { .jobs = 1 } };

	memset(asked.behind, 0xff, sizeof(asked.behind));
	ask_index(image, &asked.options);
#ifdef GROWN
	asked.options.least_functions = UINT64_MAX;
	ask_index(image, &asked.options);
#endif
}

int main(int argc, char **argv)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct ic_error err;

	if (argc != 2)
		return 64;
	struct ic_image *image = ic_image_open(argv[1], &options, &err);
	struct ic_symbolizer *symbolizer = image ? ic_symbolizer_new(image, NULL, &err) : NULL;
	if (!symbolizer) {
		fprintf(stderr, "%s\n", err.message);
		return 2;
	}
	bool ok = ask_symbols(symbolizer);
	ask_indexes(image);
	ic_symbolizer_free(symbolizer);
	ic_image_close(image);
	return ok ? 0 : 1;
}
