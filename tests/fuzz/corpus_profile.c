// Recordings of perf, of each kind, and profiles of other tools.
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

static void put_profile(const struct corpus *corpus, const char *name, struct bytes profile)
{
	corpus_put(corpus, "fuzz_profile", name, (struct bytes){ NULL, 0 }, &profile, 1);
}

// Fields are number << 3 | type.
static void write_pprof(const struct corpus *corpus)
{
	put_profile(corpus, "pprof",
		    CORPUS_BYTES(0x0a, 4, 0x08, 1, 0x10, 2, // samples, count
				 0x0a, 4, 0x08, 3, 0x10, 4, // cpu, seconds
				 0x12, 16, 0x0a, 2, 1, 2, 0x12, 2, 1,
				 9,                         // two locations, two values
				 0x1a, 4, 0x08, 6, 0x18, 7, // a label: pid 7
				 0x12, 4, 0x08, 2, 0x10, 1, // the same without lists
				 0x1a, 8, 0x08, 1, 0x10, 0x10, 0x18, 0x60, 0x28, 5, // a mapping
				 0x22, 12, 0x08, 1, 0x10, 1, 0x18, 0x20, 0x22, 4, 0x08, 1, 0x10, 3,
				 0x22, 8, 0x08, 2, 0x22, 4, 0x08, 1, 0x10, 4, // without an address
				 0x2a, 8, 0x08, 1, 0x10, 5, 0x20, 5, 0x28, 2, // a function
				 0x32, 0, 0x32, 7, 's', 'a', 'm', 'p', 'l', 'e', 's', 0x32, 5, 'c',
				 'o', 'u', 'n', 't', 0x32, 3, 'c', 'p', 'u', 0x32, 7, 's', 'e', 'c',
				 'o', 'n', 'd', 's', 0x32, 2, '/', 'f', 0x32, 3, 'p', 'i', 'd',
				 0x70, 3)); // the default
}

static void write_otel(const struct corpus *corpus)
{
	static const uint8_t message[] = {
		// clang-format off
		// a resource
		10, 0x2d,
		// pid 7
		10, 8, 10, 6, 0x12, 2, 0x18, 7, 0x18, 4,
		// its profiles
		0x12, 0x21, 0x12, 0x1f,
		// samples, count
		10, 4, 8, 1, 0x10, 2,
		// a stack, a thread, a time
		0x12, 15, 8, 1, 0x12, 1, 1, 0x2a, 8, 0, 0, 0, 0, 0, 0, 0, 0,
		// a stack, two values
		0x12, 6, 8, 2, 0x22, 2, 1, 2,
		// the dictionary
		0x12, 0x8f, 1,
		// mappings, the first of which is nothing
		10, 0, 10, 8, 8, 0x80, 0x20, 0x10, 0x80, 0x40, 0x20, 3,
		// locations: an address, a line of the kernel
		0x12, 0, 0x12, 5, 8, 1, 0x10, 0x90, 0x20, 0x12, 9, 0x1a, 4, 8, 1, 0x10, 3, 0x22,
		1, 2,
		// functions
		0x1a, 0, 0x1a, 2, 8, 1,
		// strings
		0x2a, 0, 0x2a, 7, 's', 'a', 'm', 'p', 'l', 'e', 's', 0x2a, 5, 'c', 'o', 'u', 'n',
		't', 0x2a, 2, '/', 'f', 0x2a, 11, 'p', 'r', 'o', 'c', 'e', 's', 's', '.', 'p',
		'i', 'd', 0x2a, 9, 't', 'h', 'r', 'e', 'a', 'd', '.', 'i', 'd', 0x2a, 0x12, 'p',
		'r', 'o', 'f', 'i', 'l', 'e', '.', 'f', 'r', 'a', 'm', 'e', '.', 't', 'y', 'p',
		'e', 0x2a, 6, 'k', 'e', 'r', 'n', 'e', 'l',
		// attributes
		0x32, 0, 0x32, 6, 8, 5, 0x12, 2, 0x18, 9, 0x32, 6, 8, 6, 0x12, 2, 0x40, 7,
		// stacks
		0x3a, 0, 0x3a, 4, 10, 2, 1, 2, 0x3a, 3, 10, 1, 2,
		// clang-format on
	};
	struct byte_buffer file = { .big_endian = true };

	put_profile(corpus, "otel", (struct bytes){ message, sizeof(message) });
	for (unsigned i = 0; i < 2; i++) { // as the Collector writes them
		byte_buffer_put(&file, sizeof(message), 4);
		byte_buffer_append(&file, message, sizeof(message));
	}
	put_profile(corpus, "otel-file", byte_buffer_view(&file));
	byte_buffer_deinit(&file);
}

static void write_folded(const struct corpus *corpus)
{
	static const char text[] =
		"main;f;g_[i];h_[i] 5\n\nmain;read_[k] 2\n/bin/x+0x12;_ZN1a1bEv 3\n"
		"no count\na;b; 18446744073709551615\n";
	static const char difference[] = "main;f 5 6\nmain;g 0 2.0\nmain;h 1.5 1\nmain 1";

	put_profile(corpus, "folded", (struct bytes){ (const uint8_t *)text, sizeof(text) - 1 });
	put_profile(corpus, "difference",
		    (struct bytes){ (const uint8_t *)difference, sizeof(difference) - 1 });
}

static void write_script(const struct corpus *corpus)
{
	static const char text[] =
		"# os release : 6.1.0\n"
		"a 7 1.5: PERF_RECORD_MMAP2 7/7: [0x560720001000(0x1000) @ 0x1000 fe:00 1 2]: r-xp "
		"/bin/a\n"
		"a 7/8 [001] 1.000002: 250000 cpu-clock:u: \n"
		"\t560720001010 g (inlined)\n\t560720001010 f+0x10 (/bin/a)\n"
		"\tffffffff81000010 do_it+0x10 ([kernel.kallsyms])\n\t0 [unknown] ([unknown])\n\n"
		"a b 8 cycles:  1136 main (/bin/b+0x12)\nno line\n";
	static const char columns[] = // as perf has them without events and times
		"busy 3    70 [002]       5000 \n\t            3000 f+0x1 (/bin/a)\n"
		"  a.c:12\n\n   70/71    \n\t            3000\n\n"
		"          worker    71       5000      550000003000 g (//anon)\n";

	put_profile(corpus, "script", (struct bytes){ (const uint8_t *)text, sizeof(text) - 1 });
	put_profile(corpus, "columns",
		    (struct bytes){ (const uint8_t *)columns, sizeof(columns) - 1 });
}

static void write_jit_code(const struct corpus *corpus)
{
	static const char list[] = "2000 10 second one\n0x1000 20 first\n1008 4 inside\nnone\n";
	const struct bytes text = { (const uint8_t *)list, sizeof(list) - 1 };
	struct byte_buffer dump = { .big_endian = false };

	corpus_put(corpus, "fuzz_jit_code", "list", (struct bytes){ NULL, 0 }, &text, 1);
	byte_buffer_put(&dump, 0x4a695444, 4);
	byte_buffer_put(&dump, 40ull << 32 | 1, 8);
	byte_buffer_fill(&dump, 0, 28);
	byte_buffer_put(&dump, 48ull << 32 | 2, 8); // lines
	byte_buffer_put(&dump, 0, 8);
	byte_buffer_put(&dump, 0x1000, 8);
	byte_buffer_put(&dump, 1, 8);
	byte_buffer_put(&dump, 0x1000, 8);
	byte_buffer_put(&dump, 5, 8);
	byte_buffer_string(&dump, "a.js");
	byte_buffer_fill(&dump, 0, 3);
	byte_buffer_patch(&dump, 44, 56, 4);
	byte_buffer_put(&dump, 60ull << 32, 8); // a function
	byte_buffer_put(&dump, 0, 8);
	byte_buffer_put(&dump, 7ull << 32 | 7, 8);
	byte_buffer_put(&dump, 0x1000, 8);
	byte_buffer_put(&dump, 0x1000, 8);
	byte_buffer_put(&dump, 0x10, 8);
	byte_buffer_put(&dump, 1, 8);
	byte_buffer_string(&dump, "one");
	const struct bytes bytes = byte_buffer_view(&dump);
	corpus_put(corpus, "fuzz_jit_code", "dump", (struct bytes){ NULL, 0 }, &bytes, 1);
	byte_buffer_deinit(&dump);
}

void corpus_write_profile(const struct corpus *corpus)
{
	write_jit_code(corpus);
	write_script(corpus);
	write_pprof(corpus);
	write_otel(corpus);
	write_folded(corpus);
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
		snprintf(name, sizeof(name), "recording_%u", i);
		put_profile(corpus, name, byte_buffer_view(&file));
		byte_buffer_deinit(&file);
	}
}
