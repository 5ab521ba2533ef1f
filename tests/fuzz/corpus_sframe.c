// The inputs of the target on SFrame.
#include "corpus.h"
#include "sframe_builder.h"

#include <stdio.h>

enum { BIG_ENDIAN_FILE = 1, RELOCATABLE = 2, AARCH64 = 1 << 2, S390 = 2 << 2 };

static void put(const struct corpus *corpus, const char *name, uint8_t choice,
		struct sframe_builder *sframe)
{
	struct byte_buffer built = sframe_build(sframe);
	const struct bytes section = byte_buffer_view(&built);

	corpus_put(corpus, "fuzz_sframe", name, CORPUS_BYTES(choice), &section, 1);
	byte_buffer_deinit(&built);
	sframe_builder_deinit(sframe);
}

// Some functions, of which one has a PLT's rows.
static void add_functions(struct sframe_builder *sframe)
{
	for (uint8_t i = 0; i < 3; i++) {
		sframe_add_fde(sframe, (struct sframe_fde){ .start = 0x1000u + 0x100u * i,
							    .size = 0x80,
							    .row_type = i });
		sframe_add_row(sframe, (struct sframe_row){
					       .is_from_sp = true, .count = 1, .words = { 8 } });
		sframe_add_row(sframe, (struct sframe_row){ .start = 1,
							    .is_from_sp = true,
							    .word_size = i,
							    .count = 2,
							    .words = { 16, -16 } });
		sframe_add_row(sframe, (struct sframe_row){ .start = 4,
							    .is_signed = true,
							    .count = 3,
							    .words = { 16, -8, -16 } });
	}
	sframe_add_fde(sframe, (struct sframe_fde){ .start = 0x2000,
						    .size = 0x48,
						    .bits = SFRAME_REPEATED,
						    .block_size = 16 });
	sframe_add_row(sframe,
		       (struct sframe_row){ .is_from_sp = true, .count = 1, .words = { 8 } });
	sframe_add_row(sframe,
		       (struct sframe_row){
			       .start = 11, .is_from_sp = true, .count = 1, .words = { 16 } });
}

static void add_flexible(struct sframe_builder *sframe)
{
	sframe_add_fde(sframe,
		       (struct sframe_fde){
			       .start = 0x3000, .size = 0x80, .bits = SFRAME_SIGNAL, .type = 1 });
	sframe_add_row(
		sframe,
		(struct sframe_row){
			.count = 5,
			.words = { SFRAME_CONTROL(6, SFRAME_REGISTER | SFRAME_MEMORY), -8, 0,
				   SFRAME_CONTROL(6, SFRAME_REGISTER | SFRAME_MEMORY), 0 } });
	sframe_add_row(
		sframe,
		(struct sframe_row){ .start = 2,
				     .word_size = 1,
				     .count = 6,
				     .words = { SFRAME_CONTROL(40, SFRAME_REGISTER | SFRAME_MEMORY),
						300, SFRAME_CONTROL(3, SFRAME_REGISTER), 0,
						SFRAME_CONTROL(40, SFRAME_REGISTER), -300 } });
	sframe_add_row(sframe, (struct sframe_row){ .start = 8 });
}

void corpus_write_sframe(const struct corpus *corpus)
{
	static const struct {
		uint8_t abi, choice;
	} kinds[] = { { 3, 0 },
		      { 3, RELOCATABLE },
		      { 2, AARCH64 },
		      { 1, AARCH64 | BIG_ENDIAN_FILE },
		      { 4, S390 | BIG_ENDIAN_FILE } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		for (uint8_t version = 1; version <= 3; version++) {
			struct sframe_builder sframe = {
				.version = version,
				.flags = version > 1 ? SFRAME_SORTED | SFRAME_RELATIVE
						     : SFRAME_SORTED,
				.abi = kinds[i].abi,
				.fixed_ra = kinds[i].abi == 3 ? -8 : 0,
				.addr = 0x40000,
				.big_endian = kinds[i].choice & BIG_ENDIAN_FILE,
			};
			char name[32];

			add_functions(&sframe);
			if (version == 3)
				add_flexible(&sframe);
			snprintf(name, sizeof(name), "abi-%u-%zu-version-%u", kinds[i].abi, i,
				 version);
			put(corpus, name, kinds[i].choice, &sframe);
		}
	}
}
