// make_corpus DIR: writes the first inputs of every fuzz target into DIR/TARGET/.
#include "corpus.h"

#include <stdio.h>
#include <sys/stat.h>

#include "fuzz_input.h"

static void write_bytes(const struct corpus *corpus, const char *target, const char *name,
			const struct byte_buffer *buf)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", corpus->dir, target);
	mkdir(path, 0777); // perhaps it is there
	snprintf(path, sizeof(path), "%s/%s/%s", corpus->dir, target, name);
	FILE *file = fopen(path, "wb");
	if (!file)
		support_fail("cannot write %s", path);
	if (buf->size > 0 && fwrite(buf->data, 1, buf->size, file) != buf->size)
		support_fail("cannot write to %s", path);
	if (fclose(file) != 0)
		support_fail("cannot write all of %s", path);
}

void corpus_put(const struct corpus *corpus, const char *target, const char *name,
		struct bytes choice, const struct bytes *sections, size_t count)
{
	struct byte_buffer buf = { .data = NULL };

	byte_buffer_append(&buf, choice.data, choice.size);
	for (size_t i = 0; i + 1 < count; i++) {
		if (sections[i].size > UINT16_MAX)
			support_fail("%s/%s: a section is too large", target, name);
		byte_buffer_put(&buf, sections[i].size, 2);
	}
	for (size_t i = 0; i < count; i++)
		byte_buffer_append(&buf, sections[i].data, sections[i].size);
	write_bytes(corpus, target, name, &buf);
	byte_buffer_deinit(&buf);
}

void corpus_put_dwarf(const struct corpus *corpus, const char *target, const char *name,
		      uint8_t choice, struct dwarf_builder *dw)
{
	static const char *const names[FUZZ_DWARF_SECTIONS] = {
		[FUZZ_INFO] = ".debug_info",
		[FUZZ_ABBREV] = ".debug_abbrev",
		[FUZZ_ADDR] = ".debug_addr",
		[FUZZ_LINE] = ".debug_line",
		[FUZZ_LINE_STR] = ".debug_line_str",
		[FUZZ_RANGES] = ".debug_ranges",
		[FUZZ_RNGLISTS] = ".debug_rnglists",
		[FUZZ_STR] = ".debug_str",
		[FUZZ_STR_OFFSETS] = ".debug_str_offsets",
	};
	struct bytes sections[FUZZ_DWARF_SECTIONS];

	for (size_t i = 0; i < FUZZ_DWARF_SECTIONS; i++)
		sections[i] = dw_section(dw, names[i]);
	corpus_put(corpus, target, name, CORPUS_BYTES(choice), sections, FUZZ_DWARF_SECTIONS);
	for (uint8_t way = 0; way < 4; way++) { // see fuzz_units.c
		char full[128];
		snprintf(full, sizeof(full), "%s-%u", name, way);
		corpus_put(corpus, "fuzz_units", full, CORPUS_BYTES(choice | (uint8_t)(way << 5)),
			   sections, FUZZ_DWARF_SECTIONS);
	}
	dwarf_builder_free(dw);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: make_corpus DIR\n");
		return 64;
	}
	const struct corpus corpus = { argv[1] };
	mkdir(corpus.dir, 0777);
	corpus_write_btf(&corpus);
	corpus_write_cfi(&corpus);
	corpus_write_sframe(&corpus);
	corpus_write_dwarf(&corpus);
	corpus_write_faults(&corpus);
	corpus_write_locations(&corpus);
	corpus_write_types(&corpus);
	corpus_write_elf(&corpus);
	corpus_write_split(&corpus);
	corpus_write_symbol_files(&corpus);
	corpus_write_tail_calls(&corpus);
	corpus_write_archives(&corpus);
	corpus_write_go(&corpus);
	corpus_write_unwind(&corpus);
	corpus_write_profile(&corpus);
	return 0;
}
