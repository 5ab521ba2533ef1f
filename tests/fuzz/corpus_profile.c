// Recordings of perf, of each kind.
#include "corpus.h"
#include "elf_builder.h"
#include "perf_builder.h"

#include <stdio.h>

enum {
	COMM = 3,
	FORK = 7,
	SAMPLE = 9,
	COMPRESSED = 81,
	USER = 2,
	SAMPLED = 1 << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5 | 1 << 8 | 1 << 12 | 1 << 13,
	RELEASE = 4,
	MACHINE = 6,
	SP = 7,
	PC = 8,
};

static void put_end(struct perf_builder *perf, uint64_t time)
{
	perf_u64(perf, 7ull << 32 | 7);
	perf_u64(perf, time);
	perf_u64(perf, 11);
	perf_end(perf);
}

static void put_sample(struct perf_builder *perf, uint64_t time)
{
	perf_begin(perf, SAMPLE, USER);
	perf_u64(perf, 11);
	perf_u64(perf, 0x10010);
	perf_u64(perf, 7ull << 32 | 7);
	perf_u64(perf, time);
	perf_u64(perf, 100);
	perf_u64(perf, 4); // addresses
	perf_u64(perf, (uint64_t)-128);
	perf_u64(perf, 0xffffffff81000010);
	perf_u64(perf, (uint64_t)-512);
	perf_u64(perf, 0x10010);
	perf_u64(perf, 2); // registers of 64 bits
	perf_u64(perf, 0x7000);
	perf_u64(perf, 0x10010);
	perf_u64(perf, 16); // bytes of the stack
	perf_u64(perf, 0x10020);
	perf_u64(perf, 0);
	perf_u64(perf, 16);
	perf_end(perf);
}

static void put_records(struct perf_builder *perf)
{
	perf_begin(perf, COMM, USER | 1 << 13);
	perf_u32(perf, 7);
	perf_u32(perf, 7);
	perf_text(perf, "one");
	put_end(perf, 1);
	perf_map(perf, 7, 0x10000, 0x1000, 0, "/bin/one");
	put_end(perf, 2);
	perf_begin(perf, FORK, USER);
	for (unsigned i = 0; i < 4; i++)
		perf_u32(perf, 7 + i % 2);
	perf_u64(perf, 3);
	put_end(perf, 3);
	put_sample(perf, 5);
	put_sample(perf, 4);
}

static void put_packed(struct perf_builder *perf)
{
	struct byte_buffer plain = perf->records, packed = { .data = NULL };

	zstd_compress(byte_buffer_view(&plain), &packed);
	perf->records = (struct byte_buffer){ .big_endian = perf->big_endian };
	perf_begin(perf, COMPRESSED, 0);
	byte_buffer_append(&perf->records, packed.data, packed.size);
	byte_buffer_patch(&perf->records, perf->record_off + 6, 8 + packed.size, 2);
	byte_buffer_deinit(&plain);
	byte_buffer_deinit(&packed);
}

void corpus_write_profile(const struct corpus *corpus)
{
	for (unsigned i = 0; i < 8; i++) {
		struct perf_builder perf = { .big_endian = i & 1, .is_pipe = i & 2 };
		char name[32];

		perf_add_event(&perf, &(struct perf_event){ .type = 1,
							    .sample_type = SAMPLED,
							    .user_registers = 1 << SP | 1 << PC,
							    .id = 11,
							    .has_id_all = true });
		perf_feature_text(&perf, RELEASE, "6.1.0");
		perf_feature_text(&perf, MACHINE, "x86_64");
		put_records(&perf);
		if (i & 4)
			put_packed(&perf);
		struct byte_buffer file = perf_build(&perf);
		struct bytes whole = byte_buffer_view(&file);
		snprintf(name, sizeof(name), "recording_%u", i);
		corpus_put(corpus, "fuzz_profile", name, (struct bytes){ NULL, 0 }, &whole, 1);
		byte_buffer_deinit(&file);
	}
}
