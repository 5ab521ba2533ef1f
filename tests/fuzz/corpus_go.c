// Inputs for the targets of Go's tables.
#include "../unit/fixtures/go.h"
#include "corpus.h"

static void write_table(const struct corpus *corpus, const char *name, uint32_t release,
			uint8_t pointer_size, bool big_endian)
{
	struct go_table table = go_table_of(release, pointer_size, big_endian);
	struct byte_buffer bytes = { .size = 0 }, calls = { .size = 0 };
	const uint8_t swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	go_table_write(&table, &bytes, &calls);
	const struct bytes parts[] = { byte_buffer_view(&bytes), byte_buffer_view(&calls) };
	corpus_put(corpus, "fuzz_pclntab", name, (struct bytes){ &swap, 1 }, parts, 2);
	byte_buffer_deinit(&bytes);
	byte_buffer_deinit(&calls);
}

void corpus_write_go(const struct corpus *corpus)
{
	static const uint8_t head[] = { 0, 100, 0, 0 };
	static const uint8_t values[] = { 0, 8, 2, 1, 1, 0xc8, 1, 3, 0 };
	const struct bytes part = { values, sizeof(values) };

	write_table(corpus, "1.2", 2, 8, false);
	write_table(corpus, "1.9", 9, 8, false);
	write_table(corpus, "1.12", 12, 4, true);
	write_table(corpus, "1.15", 15, 8, false);
	write_table(corpus, "1.16", 16, 4, false);
	write_table(corpus, "1.18", 18, 8, true);
	write_table(corpus, "1.20", 20, 8, false);
	write_table(corpus, "1.27", 27, 8, false);
	corpus_put(corpus, "fuzz_pc_values", "three", (struct bytes){ head, sizeof(head) }, &part,
		   1);
}
