// The inputs of the target on call frame information.
#include "cfi_builder.h"
#include "corpus.h"

#include <stdio.h>

enum { EH = 1, BIG_ENDIAN_FILE = 2, ADDR_4 = 4, AARCH64 = 1 << 3, SPARC = 2 << 3, POWER = 3 << 3 };

static void put(const struct corpus *corpus, const char *name, uint8_t choice,
		struct cfi_builder *cfi)
{
	const struct bytes section = byte_buffer_view(&cfi->bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	choice ^= BIG_ENDIAN_FILE; // it says whether to swap
#endif

	corpus_put(corpus, "fuzz_cfi", name, CORPUS_BYTES(choice), &section, 1);
	cfi_builder_deinit(cfi);
}

static struct cfi_builder begin(uint8_t choice, bool is_64)
{
	return (struct cfi_builder){ .is_eh = choice & EH,
				     .is_64 = is_64,
				     .addr_size = choice & ADDR_4 ? 4 : 8,
				     .bytes.big_endian = choice & BIG_ENDIAN_FILE };
}

// Instructions of all kinds, without those of one processor.
static const uint8_t every_instruction[] = {
	0x0c, 7,    8,    0x90, 1,    0x0a, 0x41, 0x0e, 16,   0x02, 1,    0x0d, 6,    0x03,
	1,    0,    0x12, 7,    0x7e, 0x04, 1,    0,    0,    0,    0x13, 0x7e, 0x05, 3,
	2,    0x11, 4,    0x7e, 0x14, 5,    1,    0x15, 6,    0x7f, 0x42, 0x07, 16,   0x08,
	3,    0x09, 4,    5,    0x10, 3,    2,    0x77, 8,    0x16, 6,    1,    0x30, 0x2e,
	16,   0x2f, 12,   1,    0x43, 0xc3, 0x06, 4,    0x30, 7,    8,    1,    0x31, 7,
	0x7f, 1,    0x44, 0x0f, 3,    0x77, 8,    0x06, 0x41, 0x0b
};

static void write_shapes(const struct corpus *corpus)
{
	for (uint8_t i = 0; i < 16; i++) {
		struct cfi_builder cfi = begin(i & 7, i & 8);
		char name[32];
		size_t cie = cfi_add_cie(
			&cfi, (struct cfi_cie){ .version = i & EH ? 1 : 4,
						.return_reg = 16,
						.instructions = CFI(0x0c, 7, 8, 0x90, 1) });
		cfi_add_fde(&cfi,
			    (struct cfi_fde){ .cie = cie,
					      .start = 0x1000,
					      .size = 0x200,
					      .instructions = { every_instruction,
								sizeof(every_instruction) } });
		cfi_add_fde(&cfi, (struct cfi_fde){ .cie = cie, .start = 0x1010, .size = 0x10 });
		cfi_add_terminator(&cfi);
		snprintf(name, sizeof(name), "shape-%u", i);
		put(corpus, name, i & 7, &cfi);
	}
}

static void write_augmentations(const struct corpus *corpus)
{
	struct cfi_builder cfi = begin(EH, false);
	size_t cie = cfi_add_cie(&cfi, (struct cfi_cie){ .augmentation = "zPLR",
							 .data = CFI(0x9b, 1, 2, 3, 4, 0x1b, 0x1b),
							 .instructions = CFI(0x0c, 7, 8) });
	cfi_begin(&cfi);
	cfi_put_cie_pointer(&cfi, cie);
	byte_buffer_append(&cfi.bytes, "\x10\0\0\0\x20\0\0\0\4\1\2\3\4\x41\x0e\x10", 16);
	cfi_end(&cfi);
	cfi_add_cie(&cfi, (struct cfi_cie){ .augmentation = "zRSBG", .data = CFI(0x50) });
	cfi_add_cie(&cfi,
		    (struct cfi_cie){ .augmentation = "eh", .data = CFI(0, 1, 2, 3, 4, 5, 6, 7) });
	cfi_add_cie(&cfi, (struct cfi_cie){ .augmentation = "zRq", .data = CFI(1, 2, 3) });
	put(corpus, "augmentations", EH, &cfi);
}

static void write_for(const struct corpus *corpus, const char *name, uint8_t choice,
		      struct bytes instructions)
{
	struct cfi_builder cfi = begin(choice, false);

	cfi_add_cie(&cfi, (struct cfi_cie){ .return_reg = 15, .instructions = CFI(0x0c, 14, 0) });
	cfi_add_fde(&cfi, (struct cfi_fde){
				  .start = 0x1000, .size = 0x100, .instructions = instructions });
	put(corpus, name, choice, &cfi);
}

// ---- With an index

enum { FRAMES_ADDR = 0x40000, HEADER_ADDR = 0x30000 }; // as in the target

// Three functions, with another one in .debug_frame; the index has the first `count`.
static void write_indexed(const struct corpus *corpus, const char *name, uint8_t choice,
			  size_t count, uint8_t encoding)
{
	uint8_t addr_size = choice & ADDR_4 ? 4 : 8;
	struct cfi_builder eh = { .is_eh = true, .addr_size = addr_size }, debug = eh;
	struct cfi_pair pairs[3];

	eh.bytes.big_endian = debug.bytes.big_endian = choice & BIG_ENDIAN_FILE;
	debug.is_eh = false;
	cfi_add_cie(&eh, (struct cfi_cie){ .return_reg = 16, .instructions = CFI(0x0c, 7, 8) });
	cfi_add_cie(&debug, (struct cfi_cie){ .return_reg = 16 });
	for (uint64_t i = 0; i < 3; i++) {
		struct cfi_fde fde = { .start = 0x1000 + 0x20 * i,
				       .size = 0x10,
				       .instructions = CFI(0x44, 0x0e, 16) };
		pairs[i] = (struct cfi_pair){ fde.start, FRAMES_ADDR + cfi_add_fde(&eh, fde) };
	}
	cfi_add_fde(&debug, (struct cfi_fde){ .start = 0x1010, .size = 0x40 });
	struct byte_buffer header =
		cfi_index_build((struct cfi_index){ .addr = HEADER_ADDR,
						    .addr_size = addr_size,
						    .encoding = encoding,
						    .big_endian = choice & BIG_ENDIAN_FILE },
				pairs, count);
	const struct bytes sections[] = { byte_buffer_view(&eh.bytes), byte_buffer_view(&header),
					  byte_buffer_view(&debug.bytes) };
	corpus_put(corpus, "fuzz_call_frames", name, CORPUS_BYTES(choice), sections, 3);
	byte_buffer_deinit(&header);
	cfi_builder_deinit(&eh);
	cfi_builder_deinit(&debug);
}

void corpus_write_cfi(const struct corpus *corpus)
{
	write_indexed(corpus, "all", 0, 3, 0);
	write_indexed(corpus, "some", 0, 1, 0);
	write_indexed(corpus, "none", 0, 0, 0);
	write_indexed(corpus, "32-bit", ADDR_4, 3, 0);
	write_indexed(corpus, "big-endian", BIG_ENDIAN_FILE, 3, 0x04); // udata8
	write_shapes(corpus);
	write_augmentations(corpus);
	write_for(corpus, "aarch64", AARCH64 | EH,
		  CFI(0x41, 0x2d, 0x41, 0x2c, 0x41, 0x2b, 2, 0x7e, 0x41, 0x2d));
	write_for(corpus, "sparc", SPARC | BIG_ENDIAN_FILE,
		  CFI(0x41, 0x0d, 30, 0x2d, 0x09, 15, 31));
	write_for(corpus, "power", POWER | ADDR_4 | EH, CFI(0x44, 0x0e, 32, 0x11, 65, 0x7f));
	write_for(corpus, "set-loc", 0, CFI(0x01, 0x10, 0x10, 0, 0, 0, 0, 0, 0, 0x0e, 16));
}
