#include "trace/bpf/ring.h"

#include "unit_test.h"

#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

// A ring of two pages in a file in memory, as the kernel maps it, written by us.
struct fixture {
	struct ic_ring ring;
	int file;
	uint8_t *bytes; // twice, one after the other
	uint64_t *consumer, *producer;
	size_t size;
};

static struct fixture begin(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct fixture fixture = { .file = memfd_create("ring", MFD_CLOEXEC), .size = 2 * page };
	struct ic_error err;

	// A file maps nothing twice: what goes over the end is written at both places.
	assert_int_equal(ftruncate(fixture.file, (off_t)(2 * page + 2 * fixture.size)), 0);
	assert_true(ic_ring_map(&fixture.ring, fixture.file, fixture.size, &err));
	uint8_t *all = mmap(NULL, 2 * page + 2 * fixture.size, PROT_READ | PROT_WRITE, MAP_SHARED,
			    fixture.file, 0);
	assert_ptr_not_equal(all, MAP_FAILED);
	fixture.consumer = (uint64_t *)(void *)all;
	fixture.producer = (uint64_t *)(void *)(all + page);
	fixture.bytes = all + 2 * page;
	return fixture;
}

static void end(struct fixture *fixture)
{
	munmap(fixture->consumer, fixture->size + 2 * fixture->size);
	ic_ring_unmap(&fixture->ring);
	close(fixture->file);
}

static void put(struct fixture *fixture, uint32_t flags, uint32_t size, uint8_t byte)
{
	uint64_t at = *fixture->producer & (fixture->size - 1);
	uint32_t head = size | flags;

	memcpy(fixture->bytes + at, &head, sizeof(head));
	memset(fixture->bytes + at + BPF_RINGBUF_HDR_SZ, byte, size);
	*fixture->producer += (BPF_RINGBUF_HDR_SZ + size + 7) & ~7ull;
}

static void take(struct fixture *fixture, size_t wanted, uint8_t byte)
{
	size_t size = 0;
	const uint8_t *record = ic_ring_next(&fixture->ring, &size);

	assert_non_null(record);
	assert_int_equal(size, wanted);
	assert_int_equal(record[0], byte);
	assert_int_equal(record[size - 1], byte);
}

TEST(records_come_in_their_order)
{
	struct fixture fixture = begin();
	size_t size;

	assert_null(ic_ring_next(&fixture.ring, &size));
	put(&fixture, 0, 5, 1);
	put(&fixture, 0, 64, 2);
	take(&fixture, 5, 1);
	assert_int_equal(*fixture.consumer, 0); // the record is still needed
	take(&fixture, 64, 2);
	assert_int_equal(*fixture.consumer, 16);
	assert_null(ic_ring_next(&fixture.ring, &size));
	assert_int_equal(*fixture.consumer, *fixture.producer);
	end(&fixture);
}

TEST(records_that_are_not_ready_are_waited_for)
{
	struct fixture fixture = begin();
	size_t size;

	put(&fixture, BPF_RINGBUF_BUSY_BIT, 8, 1);
	put(&fixture, 0, 8, 2);
	assert_null(ic_ring_next(&fixture.ring, &size));
	memcpy(fixture.bytes, &(uint32_t){ 8 }, sizeof(uint32_t));
	take(&fixture, 8, 1);
	take(&fixture, 8, 2);
	end(&fixture);
}

TEST(records_that_were_discarded_are_left_out)
{
	struct fixture fixture = begin();
	size_t size;

	put(&fixture, BPF_RINGBUF_DISCARD_BIT, 8, 1);
	put(&fixture, 0, 8, 2);
	put(&fixture, BPF_RINGBUF_DISCARD_BIT, 8, 3);
	take(&fixture, 8, 2);
	assert_null(ic_ring_next(&fixture.ring, &size));
	assert_int_equal(*fixture.consumer, *fixture.producer);
	end(&fixture);
}

TEST(records_go_over_the_end)
{
	struct fixture fixture = begin();
	uint32_t size = (uint32_t)fixture.size / 2 + 100;
	size_t unused;

	for (uint8_t i = 1; i < 20; i++) {
		put(&fixture, 0, size, i);
		take(&fixture, size, i);
		assert_null(ic_ring_next(&fixture.ring, &unused));
	}
	end(&fixture);
}

TEST(a_slow_reader_gets_turns)
{
	struct fixture fixture = begin();
	size_t size;

	put(&fixture, 0, 8, 1);
	put(&fixture, 0, 8, 2);
	take(&fixture, 8, 1);
	put(&fixture, 0, 8, 3); // while the turn lasts
	take(&fixture, 8, 2);
	assert_null(ic_ring_next(&fixture.ring, &size));
	take(&fixture, 8, 3);
	end(&fixture);
}

UNIT_TESTS(trace_bpf_ring)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_in_their_order),
		cmocka_unit_test(records_that_are_not_ready_are_waited_for),
		cmocka_unit_test(records_that_were_discarded_are_left_out),
		cmocka_unit_test(records_go_over_the_end),
		cmocka_unit_test(a_slow_reader_gets_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
