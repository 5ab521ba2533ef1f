// Fuzzes MiniDebugInfo: a section .gnu_debugdata as it is, or, since checksums would refuse most
// changes, the ELF file that is compressed in it.
// Wanted: symbols with sound names, or an error in that section; and no more memory than symbols
// could need.
#include "elf/symbols/mini_debug.h"

#include <elf.h>

#include <lzma.h>

#include "elf/symbols/symtab.h"
#include "fuzz_input.h"

enum { MOST_EXPANSION = 256 };

static struct ic_bytes compress(struct ic_bytes bytes)
{
	size_t room = lzma_stream_buffer_bound(bytes.size), used = 0;
	uint8_t *out = malloc(room);

	if (!out || lzma_easy_buffer_encode(0, LZMA_CHECK_NONE, NULL, bytes.data, bytes.size, out,
					    &used, room) != LZMA_OK)
		abort();
	return (struct ic_bytes){ out, used };
}

static void check_mini(const struct ic_elf_file *mini, const struct ic_elf_file *file,
		       const struct ic_bytes *content)
{
	struct ic_arena arena = { .blocks = NULL };
	struct ic_symbols symbols;
	struct ic_error err = { 0 };

	PROMISE(mini->size / MOST_EXPANSION <= file->sections[0].raw.size);
	PROMISE(mini->machine == file->machine && mini->addr_size == file->addr_size);
	if (content) {
		PROMISE(mini->size == content->size);
		PROMISE(!memcmp(mini->data, content->data, content->size));
	}
	if (!ic_symtab_read(&symbols, file, mini, SYMTAB_INNERMOST, &arena, &err)) {
		PROMISE_REASON(err);
		ic_arena_free(&arena);
		return;
	}
	for (uint32_t i = 0; i < symbols.count; i++) {
		const struct ic_bytes bytes = { mini->data, mini->size };
		fuzz_read_text(symbols.items[i].name, &bytes);
		PROMISE(i == 0 || symbols.items[i - 1].start <= symbols.items[i].start);
	}
	ic_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	bool is_content = choice & 1;
	struct ic_bytes input;
	struct ic_elf_file mini;
	struct ic_error err = { 0 };

	fuzz_take_sections(&in, &input, 1);
	struct ic_section section = { .name = ".gnu_debugdata",
				      .type = SHT_PROGBITS,
				      .raw = is_content ? compress(input) : input };
	const struct ic_elf_file file = { .path = (char *)"fuzz.elf",
					  .machine = choice & 2 ? EM_PPC : EM_X86_64,
					  .addr_size = choice & 2 ? 4 : 8,
					  .swap = ((choice & 4) != 0) != IC_HOST_IS_BIG_ENDIAN,
					  .sections = &section,
					  .section_count = 1 };
	if (!ic_mini_debug_section(&file)) {
		PROMISE(section.raw.size == 0);
	} else if (ic_mini_debug_open(&mini, &file, &err)) {
		check_mini(&mini, &file, is_content ? &input : NULL);
		ic_elf_file_close(&mini);
	} else {
		PROMISE_REASON(err);
		PROMISE(err.code == IC_ERROR_MALFORMED && !strcmp(err.section, ".gnu_debugdata"));
		PROMISE(err.offset <= section.raw.size && !mini.data);
	}
	if (is_content)
		free((void *)section.raw.data);
	fuzz_free_sections(&input, 1);
	return 0;
}
