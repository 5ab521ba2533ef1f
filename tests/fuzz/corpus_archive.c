// The inputs of fuzz_archive: of GNU's, BSD's and thin kind, sound and not.
#include "corpus.h"

#include <string.h>

#include "archive_builder.h"
#include "elf_builder.h"

static struct bytes text(const char *bytes)
{
	return (struct bytes){ (const uint8_t *)bytes, strlen(bytes) };
}

static void put(const struct corpus *corpus, const char *name, struct byte_buffer *buf)
{
	const struct bytes file = byte_buffer_view(buf);

	corpus_put(corpus, "fuzz_archive", name, (struct bytes){ 0 }, &file, 1);
	byte_buffer_deinit(buf);
}

static void write_gnu(const struct corpus *corpus, struct bytes object)
{
	struct byte_buffer buf = { .data = NULL };

	archive_begin(&buf, false);
	archive_add(&buf, "/", text("symbols"));
	archive_add(&buf, "//", text("a_rather_long_name.o/\nanother_long_name.o/\n"));
	archive_add(&buf, "a.o/", object);
	archive_add(&buf, "/22", text("text"));
	archive_add(&buf, "/0", object);
	put(corpus, "gnu", &buf);
}

static void write_bsd(const struct corpus *corpus, struct bytes object)
{
	struct byte_buffer buf = { .data = NULL };

	archive_begin(&buf, false);
	archive_add_bsd(&buf, "__.SYMDEF SORTED", text("symbols"));
	archive_add_bsd(&buf, "a_rather_long_name.o", object);
	archive_add(&buf, "a.o", text("BC\xc0\xde"));
	put(corpus, "bsd", &buf);
}

// What is beside the archive: see fuzz_archive.c.
static void write_thin(const struct corpus *corpus)
{
	struct byte_buffer buf = { .data = NULL };

	archive_begin(&buf, true);
	archive_add(&buf, "//", text("o/\ni/\nlib.a/\n./o/\n"));
	archive_header(&buf, "/0", "1");
	archive_header(&buf, "/3:8", "1");
	archive_header(&buf, "/6", "1"); // itself
	archive_header(&buf, "/6:8", "1");
	archive_header(&buf, "/13", "1");
	archive_header(&buf, "gone/", "1");
	put(corpus, "thin", &buf);
}

static void write_faults(const struct corpus *corpus)
{
	struct byte_buffer buf = { .data = NULL };

	archive_begin(&buf, false);
	archive_add(&buf, "x/", text("odd"));
	archive_header(&buf, "y/", "9999999999");
	put(corpus, "cut-short", &buf);
	archive_begin(&buf, false);
	archive_add(&buf, "//", text("no end"));
	archive_add(&buf, "/2", text(""));
	put(corpus, "name-without-end", &buf);
	archive_begin(&buf, false);
	put(corpus, "empty", &buf);
}

void corpus_write_archives(const struct corpus *corpus)
{
	struct elf_builder *elf = corpus_object();
	struct bytes object = elf_build(elf);

	write_gnu(corpus, object);
	write_bsd(corpus, object);
	write_thin(corpus);
	write_faults(corpus);
	elf_builder_free(elf);
}
