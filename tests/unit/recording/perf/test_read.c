#include "profile/profile.h"

#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fixtures/elf.h"
#include "perf_builder.h"

enum {
	MMAP = 1,
	LOST = 2,
	COMM = 3,
	EXIT = 4,
	FORK = 7,
	SAMPLE = 9,
	KSYMBOL = 17,
	KERNEL = 1,
	USER = 2,
	GUEST = 5,
	EXEC = 1 << 13,
	// Bits of what samples have.
	IP = 1 << 0,
	TID = 1 << 1,
	TIME = 1 << 2,
	READ = 1 << 4,
	CHAIN = 1 << 5,
	ID = 1 << 6,
	CPU = 1 << 7,
	PERIOD = 1 << 8,
	RAW = 1 << 10,
	BRANCHES = 1 << 11,
	IDENTIFIER = 1 << 16,
	RELEASE = 4,
	EVENTS = 12,
};

#define KERNEL_MARK ((uint64_t)-128)
#define USER_MARK   ((uint64_t)-512)
#define GUEST_MARK  ((uint64_t)-2048)

static const struct perf_event clock_event = { .type = 1,
					       .sample_type = IDENTIFIER | IP | TID | TIME | CHAIN |
							      PERIOD,
					       .id = 11,
					       .has_id_all = true };

// What stands at the end of records that are no samples.
static void put_end(struct perf_builder *perf, uint32_t pid, uint32_t tid, uint64_t time,
		    uint64_t id)
{
	perf_u32(perf, pid);
	perf_u32(perf, tid);
	perf_u64(perf, time);
	perf_u64(perf, id);
	perf_end(perf);
}

static void put_name(struct perf_builder *perf, uint16_t misc, uint32_t pid, uint32_t tid,
		     const char *name, uint64_t time)
{
	perf_begin(perf, COMM, misc);
	perf_u32(perf, pid);
	perf_u32(perf, tid);
	perf_text(perf, name);
	put_end(perf, pid, tid, time, 11);
}

static void put_task(struct perf_builder *perf, uint32_t type, uint32_t pid, uint32_t parent,
		     uint32_t tid, uint32_t parent_tid, uint64_t time)
{
	perf_begin(perf, type, USER);
	perf_u32(perf, pid);
	perf_u32(perf, parent);
	perf_u32(perf, tid);
	perf_u32(perf, parent_tid);
	perf_u64(perf, time);
	put_end(perf, pid, tid, time, 11);
}

static void put_map(struct perf_builder *perf, uint32_t pid, uint64_t start, uint64_t size,
		    uint64_t offset, const char *path, uint64_t time)
{
	perf_map(perf, pid, start, size, offset, path);
	put_end(perf, pid, pid, time, 11);
}

static void put_kernel_map(struct perf_builder *perf, uint64_t start, uint64_t size,
			   uint64_t offset, const char *path, uint64_t time)
{
	perf_begin(perf, MMAP, KERNEL);
	perf_u32(perf, UINT32_MAX);
	perf_u32(perf, 0);
	perf_u64(perf, start);
	perf_u64(perf, size);
	perf_u64(perf, offset);
	perf_text(perf, path);
	put_end(perf, 0, 0, time, 11);
}

// Code that the kernel made, or that is gone.
static void put_code(struct perf_builder *perf, uint64_t start, uint32_t size, uint16_t flags,
		     const char *name, uint64_t time)
{
	perf_begin(perf, KSYMBOL, KERNEL);
	perf_u64(perf, start);
	perf_u32(perf, size);
	perf_u32(perf, perf->big_endian ? 1u << 16 | flags : 1u | (uint32_t)flags << 16);
	perf_text(perf, name);
	put_end(perf, 0, 0, time, 11);
}

static void put_sample(struct perf_builder *perf, uint64_t id, uint16_t mode, uint32_t pid,
		       uint32_t tid, uint64_t time, uint64_t weight, const uint64_t *chain,
		       size_t count)
{
	perf_begin(perf, SAMPLE, mode);
	perf_u64(perf, id);
	perf_u64(perf, count > 0 ? chain[count > 1] : 0);
	perf_u32(perf, pid);
	perf_u32(perf, tid);
	perf_u64(perf, time);
	perf_u64(perf, weight);
	perf_u64(perf, count);
	for (size_t i = 0; i < count; i++)
		perf_u64(perf, chain[i]);
	perf_end(perf);
}

#define CHAIN_OF(...)                      \
	(const uint64_t[]){ __VA_ARGS__ }, \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t)

static struct ic_modules *modules;

static struct ic_profile *read_profile(struct perf_builder *perf, uint64_t max_memory)
{
	const struct ic_profile_options options = { .max_memory = max_memory };
	struct byte_buffer bytes = perf_build(perf);
	const char *path = temp_path("perf.data");
	struct ic_error err;

	temp_write(path, bytes.data, bytes.size);
	byte_buffer_deinit(&bytes);
	struct ic_profile *profile = ic_profile_new(modules, &options, &err);
	assert_non_null(profile);
	if (!ic_profile_read(profile, path, &err))
		fail_msg("%s", err.message);
	return profile;
}

static const char *text_of(const struct ic_profile *profile)
{
	static char text[4096];

	*text = '\0';
	for (uint32_t i = 0; i < profile->cells.count; i++) {
		const struct ic_profile_cell *cell = &profile->cells.items[i];
		const struct ic_profile_thread *thread = &profile->threads.items[cell->thread];
		const char *event = profile->events.items[cell->event].name;
		size_t used = strlen(text);
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s %s/%" PRIu32 " %" PRIu64 "x%" PRIu64 ":",
					 event ? event : "?", thread->name ? thread->name : "?",
					 thread->tid, cell->samples, cell->weight);
		for (uint32_t node = cell->node; node != IC_NONE;
		     node = profile->nodes.items[node].caller) {
			const struct ic_profile_location *location =
				&profile->locations.items[profile->nodes.items[node].location];
			used += (size_t)snprintf(text + used, sizeof(text) - used, " %s+0x%" PRIx64,
						 profile->files.items[location->file].name,
						 location->addr);
		}
		snprintf(text + used, sizeof(text) - used, "\n");
	}
	return text;
}

static void check(struct perf_builder *perf, const char *wanted)
{
	struct ic_index_problem problem;
	struct ic_profile *profile = read_profile(perf, 0);

	assert_string_equal(text_of(profile), wanted);
	if (ic_profile_problem_get(profile, 0, &problem))
		fail_msg("%s", problem.message);
	ic_profile_free(profile);
}

// A recording of each kind: of both byte orders, in files and pipes.
static struct perf_builder builder(unsigned number)
{
	struct perf_builder perf = { .big_endian = number & 1, .is_pipe = number & 2 };

	perf_add_event(&perf, &clock_event);
	return perf;
}

enum { KINDS = 4 };

TEST(addresses_are_offsets_in_what_was_mapped_when_they_were_sampled)
{
	for (unsigned i = 0; i < KINDS; i++) {
		struct perf_builder perf = builder(i);

		perf_feature_text(&perf, RELEASE, "6.1.0");
		put_name(&perf, EXEC, 7, 7, "one", 1);
		put_map(&perf, 7, 0x10000, 0x1000, 0x2000, "/bin/one", 2);
		// Records of several processors are not in the order of their times.
		put_sample(&perf, 11, USER, 7, 7, 5, 3, CHAIN_OF(USER_MARK, 0x10010, 0x10021));
		put_map(&perf, 7, 0x10000, 0x1000, 0x0, "/bin/two", 4);
		put_sample(&perf, 11, USER, 7, 7, 3, 2, CHAIN_OF(USER_MARK, 0x10010, 0x10021));
		put_sample(&perf, 11, USER, 7, 7, 6, 4, CHAIN_OF(USER_MARK, 0x10010, 0x10021));
		check(&perf, "cpu-clock one/7 1x2: /bin/one+0x2010 /bin/one+0x2020\n"
			     "cpu-clock one/7 2x7: /bin/two+0x10 /bin/two+0x20\n");
	}
}

TEST(where_the_kernel_and_its_modules_were_is_kept)
{
	for (unsigned i = 0; i < KINDS; i++) {
		struct perf_builder perf = builder(i);

		perf_feature_text(&perf, RELEASE, "6.1.0");
		put_kernel_map(&perf, 0xffffffff91000000, 0x1000, 0xffffffff91000000,
			       "[kernel.kallsyms]_text", 1);
		put_kernel_map(&perf, 0xffffffffc0100000, 0x5000, 0, "[ext4]", 1);
		put_kernel_map(&perf, 0xffffffffc0200000, 0x5000, 0,
			       "/lib/modules/6.1.0/kernel/net/netfilter/nf-nat.ko.xz", 1);
		put_kernel_map(&perf, 0xfffffffffffff000, 0x5000, 0, "[wraps]", 1);
		put_kernel_map(&perf, 0xffffffffc0300000, 0, 0, "[empty]", 1);
		struct ic_profile *profile = read_profile(&perf, 0);
		assert_int_equal(profile->kernels.count, 1);
		const struct ic_profile_kernel *kernel = &profile->kernels.items[0];
		assert_string_equal(kernel->release, "6.1.0");
		assert_int_equal(kernel->start, 0xffffffff91000000);
		assert_int_equal(kernel->modules.count, 2);
		assert_string_equal(kernel->modules.items[0].name, "ext4");
		assert_int_equal(kernel->modules.items[0].end, 0xffffffffc0105000);
		assert_string_equal(kernel->modules.items[1].name, "nf_nat");
		ic_profile_free(profile);
	}
}

TEST(code_that_the_kernel_made_has_its_name_while_it_is_there)
{
	for (unsigned i = 0; i < KINDS; i++) {
		struct perf_builder perf = builder(i);

		put_code(&perf, 0xffffffffc0001000, 0x100, 0, "bpf_prog_one", 1);
		put_sample(&perf, 11, KERNEL, 7, 7, 2, 1,
			   CHAIN_OF(KERNEL_MARK, 0xffffffffc0001010));
		put_sample(&perf, 11, KERNEL, 7, 7, 3, 1,
			   CHAIN_OF(KERNEL_MARK, 0xffffffffc0001100));
		put_code(&perf, 0xffffffffc0001000, 0x100, 1, "bpf_prog_one", 4); // it is gone
		put_code(&perf, 0xffffffffc0001080, 0x100, 0, "bpf_prog_two", 5);
		put_sample(&perf, 11, KERNEL, 7, 7, 6, 1,
			   CHAIN_OF(KERNEL_MARK, 0xffffffffc0001090));
		put_sample(&perf, 11, KERNEL, 7, 7, 7, 1,
			   CHAIN_OF(KERNEL_MARK, 0xffffffffc0001020));
		put_kernel_map(&perf, 0xffffffffc0001000, 0x1000, 0, "[ext4]", 8);
		put_sample(&perf, 11, KERNEL, 7, 7, 9, 1,
			   CHAIN_OF(KERNEL_MARK, 0xffffffffc00010a0));
		struct ic_profile *profile = read_profile(&perf, 0);
		const struct {
			uint32_t given;
			const char *name;
		} wanted[] = { { 1, "bpf_prog_one" },
			       { 0, NULL },
			       { 1, "bpf_prog_two" },
			       { 0, NULL },
			       { 0, NULL } };
		enum { WANTED = sizeof(wanted) / sizeof(*wanted) };
		assert_int_equal(profile->locations.count, WANTED);
		for (unsigned j = 0; j < WANTED; j++) {
			const struct ic_profile_location *location = &profile->locations.items[j];
			assert_true(profile->files.items[location->file].is_kernel);
			assert_int_equal(location->given_count, wanted[j].given);
			if (wanted[j].name)
				assert_string_equal(
					ic_profile_text_at(
						profile,
						profile->given.items[location->first_given].name),
					wanted[j].name);
		}
		ic_profile_free(profile);
	}
}

TEST(callers_are_told_apart_from_where_the_code_was)
{
	struct perf_builder perf = builder(0);

	put_map(&perf, 7, 0x10000, 0x1000, 0, "/bin/one", 1);
	put_sample(&perf, 11, USER, 7, 7, 2, 1, CHAIN_OF(USER_MARK, 0x10010, 0x10021));
	struct ic_profile *profile = read_profile(&perf, 0);
	assert_int_equal(profile->locations.count, 2);
	assert_false(profile->locations.items[0].is_caller);
	assert_true(profile->locations.items[1].is_caller);
	ic_profile_free(profile);
}

TEST(times_are_kept_as_far_as_there_is_memory)
{
	const struct ic_profile_options kept = { .keep_times = true },
					few = { .keep_times = true, .max_memory = 100 },
					none = { .max_memory = 0 };
	const struct {
		const struct ic_profile_options *options;
		uint32_t count;
	} cases[] = { { &kept, 2 }, { &few, 1 }, { &none, 0 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct perf_builder perf = builder(0);
		struct ic_index_problem problem = { .message = NULL };
		struct ic_error err;

		put_sample(&perf, 11, USER, 7, 7, 20, 1, CHAIN_OF(USER_MARK, 0x10010));
		put_sample(&perf, 11, USER, 7, 7, 10, 3, CHAIN_OF(USER_MARK, 0x10010));
		struct byte_buffer bytes = perf_build(&perf);
		temp_write(temp_path("times"), bytes.data, bytes.size);
		byte_buffer_deinit(&bytes);
		struct ic_profile *profile = ic_profile_new(modules, cases[i].options, &err);
		assert_true(ic_profile_read(profile, temp_path("times"), &err));
		assert_int_equal(profile->moments.count, cases[i].count);
		if (cases[i].count > 0) {
			assert_int_equal(profile->moments.items[0].time, 10);
			assert_int_equal(profile->moments.items[0].weight, 3);
		}
		assert_true(ic_profile_resolve(profile, &err));
		ic_profile_problem_get(profile, 0, &problem);
		assert_int_equal(cases[i].options == &few,
				 problem.message && strstr(problem.message, "do not fit") != NULL);
		ic_profile_free(profile);
	}
}

TEST(the_kernel_is_above_what_called_it)
{
	struct perf_builder perf = builder(0);

	put_map(&perf, 7, 0x10000, 0x1000, 0, "/bin/one", 1);
	put_sample(&perf, 11, KERNEL, 7, 7, 2, 1,
		   CHAIN_OF(KERNEL_MARK, 0xffffffff81000010, 0xffffffff81000021, USER_MARK, 0x10010,
			    0x10021, GUEST_MARK, 0x10031));
	put_sample(&perf, 11, KERNEL, 7, 7, 3, 1, NULL, 0); // no chain: the address alone
	check(&perf, "cpu-clock ?/7 1x1: [kernel]+0xffffffff81000010 [kernel]+0xffffffff81000020 "
		     "/bin/one+0x10 /bin/one+0x20\n"
		     "cpu-clock ?/7 1x1: [kernel]+0x0\n");
}

TEST(processes_begin_with_what_their_parents_have_and_end)
{
	struct perf_builder perf = builder(0);

	put_name(&perf, EXEC, 7, 7, "shell", 1);
	put_map(&perf, 7, 0x10000, 0x1000, 0, "/bin/shell", 2);
	put_task(&perf, FORK, 8, 7, 8, 7, 3);
	put_sample(&perf, 11, USER, 8, 8, 4, 1, CHAIN_OF(USER_MARK, 0x10010));
	put_name(&perf, EXEC, 8, 8, "child", 5);
	put_sample(&perf, 11, USER, 8, 8, 6, 1, CHAIN_OF(USER_MARK, 0x10010)); // not mapped yet
	put_map(&perf, 8, 0x10000, 0x1000, 0, "/bin/child", 7);
	put_task(&perf, FORK, 8, 8, 9, 8, 8); // a thread
	put_sample(&perf, 11, USER, 8, 9, 9, 1, CHAIN_OF(USER_MARK, 0x10010));
	put_sample(&perf, 11, USER, 7, 7, 10, 1, CHAIN_OF(USER_MARK, 0x10010));
	put_task(&perf, EXIT, 8, 8, 9, 8, 11);
	put_task(&perf, FORK, 7, 7, 9, 7, 12); // another one with its number
	put_sample(&perf, 11, USER, 7, 9, 13, 1, CHAIN_OF(USER_MARK, 0x10010));
	check(&perf, "cpu-clock shell/8 1x1: /bin/shell+0x10\n"
		     "cpu-clock child/8 1x1: [unknown]+0x10010\n"
		     "cpu-clock child/9 1x1: /bin/child+0x10\n"
		     "cpu-clock shell/7 1x1: /bin/shell+0x10\n"
		     "cpu-clock shell/9 1x1: /bin/shell+0x10\n");
}

TEST(samples_are_of_the_event_that_their_number_says)
{
	for (unsigned i = 0; i < KINDS; i++) {
		struct perf_builder perf = builder(i);
		struct perf_event other = clock_event;

		other.type = 4; // a processor's own number
		other.config = 0x1234;
		other.id = 12;
		perf_add_event(&perf, &other);
		struct byte_buffer *names = &perf.features[EVENTS];
		names->big_endian = perf.big_endian;
		byte_buffer_put(names, 1, 4);
		byte_buffer_put(names, 8, 4);
		byte_buffer_put(names, 0, 8); // what stands for the attributes
		byte_buffer_put(names, 1, 4);
		byte_buffer_put(names, 8, 4);
		byte_buffer_append(names, "special", 8);
		byte_buffer_put(names, 12, 8);
		put_map(&perf, 7, 0x10000, 0x1000, 0, "/bin/one", 1);
		put_sample(&perf, 12, USER, 7, 7, 2, 1, CHAIN_OF(USER_MARK, 0x10010));
		put_sample(&perf, 11, USER, 7, 7, 3, 5, CHAIN_OF(USER_MARK, 0x10010));
		check(&perf, "special ?/7 1x1: /bin/one+0x10\n"
			     "cpu-clock ?/7 1x5: /bin/one+0x10\n");
	}
}

// Whatever else a sample has stands around what is wanted.
TEST(other_fields_of_samples_are_passed_over)
{
	enum { GROUP = 8, WITH_ID = 4, ENABLED = 1, INDEX = 1 << 17 };
	struct perf_builder perf = { .big_endian = false };
	const struct perf_event event = { .type = 0,
					  .config = 1,
					  .sample_type = IP | TID | TIME | ID | CPU | PERIOD |
							 READ | CHAIN | RAW | BRANCHES,
					  .read_format = GROUP | WITH_ID | ENABLED,
					  .branch_type = INDEX,
					  .id = 5 };

	perf_add_event(&perf, &event);
	perf_map(&perf, 7, 0x10000, 0x1000, 0, "/bin/one");
	perf_end(&perf);
	perf_begin(&perf, SAMPLE, USER);
	perf_u64(&perf, 0x10010);
	perf_u32(&perf, 7);
	perf_u32(&perf, 8);
	perf_u64(&perf, 100); // time
	perf_u64(&perf, 5);
	perf_u64(&perf, 0); // processor
	perf_u64(&perf, 9); // period
	perf_u64(&perf, 2); // counters
	for (unsigned i = 0; i < 5; i++)
		perf_u64(&perf, 1);
	perf_u64(&perf, 2);
	perf_u64(&perf, USER_MARK);
	perf_u64(&perf, 0x10010);
	perf_u32(&perf, 4);
	perf_u32(&perf, 0);
	perf_u64(&perf, 1); // branches
	for (unsigned i = 0; i < 4; i++)
		perf_u64(&perf, 3);
	perf_end(&perf);
	check(&perf, "instructions ?/8 1x9: /bin/one+0x10\n");
}

// Reads a recording, of which a problem must say something.
static void check_problem(struct perf_builder *perf, const char *text, const char *wanted)
{
	struct ic_index_problem problem;
	struct ic_profile *profile = read_profile(perf, 0);

	assert_string_equal(text_of(profile), text);
	assert_true(ic_profile_problem_get(profile, 0, &problem));
	if (!strstr(problem.message, wanted))
		fail_msg("%s", problem.message);
	ic_profile_free(profile);
}

TEST(a_record_that_cannot_be_read_costs_itself)
{
	struct perf_builder perf = builder(0);

	put_map(&perf, 7, 0x10000, 0x1000, 0, "/bin/one", 1);
	perf_begin(&perf, SAMPLE, USER);
	for (unsigned i = 0; i < 5; i++)
		perf_u64(&perf, i == 0 ? 11 : 7);
	perf_u64(&perf, 1000); // the length of the chain
	perf_end(&perf);
	put_sample(&perf, 11, USER, 7, 7, 9, 1, CHAIN_OF(USER_MARK, 0x10010));
	check_problem(&perf, "cpu-clock ?/7 1x1: /bin/one+0x10\n",
		      "call chain is longer than its record");
}

TEST(records_end_where_their_sizes_make_no_sense)
{
	struct perf_builder perf = builder(2);

	put_map(&perf, 7, 0x10000, 0x1000, 0, "/bin/one", 1);
	put_sample(&perf, 11, USER, 7, 7, 2, 1, CHAIN_OF(USER_MARK, 0x10010));
	perf_begin(&perf, SAMPLE, USER);
	byte_buffer_patch(&perf.records, perf.record_off + 6, 4, 2);
	check_problem(&perf, "cpu-clock ?/7 1x1: /bin/one+0x10\n",
		      "record is smaller than its header");
}

TEST(a_recording_that_was_not_ended_is_read_as_far_as_it_goes)
{
	struct perf_builder perf = builder(0);
	struct ic_index_problem problem;
	struct ic_error err;

	put_map(&perf, 7, 0x10000, 0x1000, 0, "/bin/one", 1);
	put_sample(&perf, 11, USER, 7, 7, 2, 1, CHAIN_OF(USER_MARK, 0x10010));
	struct byte_buffer bytes = perf_build(&perf);
	byte_buffer_patch(&bytes, 48, 0, 8); // the size of the records
	temp_write(temp_path("cut.data"), bytes.data, bytes.size);
	byte_buffer_deinit(&bytes);
	struct ic_profile *profile = ic_profile_new(modules, NULL, NULL);
	assert_true(ic_profile_read(profile, temp_path("cut.data"), &err));
	assert_string_equal(text_of(profile), "cpu-clock ?/7 1x1: /bin/one+0x10\n");
	assert_true(ic_profile_problem_get(profile, 0, &problem));
	assert_non_null(strstr(problem.message, "the recording was not finished"));
	ic_profile_free(profile);
}

TEST(what_is_no_recording_is_refused)
{
	static const char *const texts[] = { "", "PERFILE2", "no recording of perf at all" };
	struct ic_error err;

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct ic_profile *profile = ic_profile_new(modules, NULL, NULL);
		temp_write(temp_path("none"), texts[i], strlen(texts[i]));
		assert_false(ic_profile_read(profile, temp_path("none"), &err));
		assert_non_null(strstr(err.message, "none: "));
		assert_false(ic_profile_read(profile, "/nonexistent", NULL));
		ic_profile_free(profile);
	}
}

TEST(samples_that_were_lost_and_guests_are_counted)
{
	struct perf_builder perf = builder(0);
	struct ic_index_problem problem;

	perf_begin(&perf, LOST, 0);
	perf_u64(&perf, 11);
	perf_u64(&perf, 42);
	put_end(&perf, 0, 0, 1, 11);
	put_sample(&perf, 11, GUEST, 7, 7, 2, 1, CHAIN_OF(USER_MARK, 0x10010));
	struct ic_profile *profile = read_profile(&perf, 0);
	assert_int_equal(ic_profile_lost(profile), 42);
	assert_int_equal(profile->cells.count, 0);
	assert_true(ic_profile_problem_get(profile, 0, &problem));
	assert_non_null(strstr(problem.message, "not supported: 1 records of guests"));
	ic_profile_free(profile);
}

TEST(stacks_beyond_the_memory_are_counted_without_one)
{
	struct perf_builder perf = builder(0);
	struct ic_profile_event event;

	put_map(&perf, 7, 0x10000, 0x1000, 0, "/bin/one", 1);
	for (uint64_t i = 0; i < 200; i++)
		put_sample(&perf, 11, USER, 7, 7, 2 + i, 1, CHAIN_OF(USER_MARK, 0x10010 + i));
	struct ic_profile *profile = read_profile(&perf, 8192);
	assert_true(ic_profile_event_get(profile, 0, &event));
	assert_int_equal(event.samples, 200);
	assert_int_equal(event.weight, 200);
	assert_in_range(event.without_stack, 100, 190);
	assert_in_range(profile->nodes.count, 10, 100);
	ic_profile_free(profile);
}

static int begin(void **state)
{
	modules = ic_modules_new(NULL, NULL);
	return temp_dir_make(state);
}

static int end(void **state)
{
	ic_modules_free(modules);
	return temp_dir_remove(state);
}

UNIT_TESTS(recording_perf_read)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_offsets_in_what_was_mapped_when_they_were_sampled),
		cmocka_unit_test(where_the_kernel_and_its_modules_were_is_kept),
		cmocka_unit_test(code_that_the_kernel_made_has_its_name_while_it_is_there),
		cmocka_unit_test(callers_are_told_apart_from_where_the_code_was),
		cmocka_unit_test(times_are_kept_as_far_as_there_is_memory),
		cmocka_unit_test(the_kernel_is_above_what_called_it),
		cmocka_unit_test(processes_begin_with_what_their_parents_have_and_end),
		cmocka_unit_test(samples_are_of_the_event_that_their_number_says),
		cmocka_unit_test(other_fields_of_samples_are_passed_over),
		cmocka_unit_test(a_record_that_cannot_be_read_costs_itself),
		cmocka_unit_test(records_end_where_their_sizes_make_no_sense),
		cmocka_unit_test(a_recording_that_was_not_ended_is_read_as_far_as_it_goes),
		cmocka_unit_test(what_is_no_recording_is_refused),
		cmocka_unit_test(samples_that_were_lost_and_guests_are_counted),
		cmocka_unit_test(stacks_beyond_the_memory_are_counted_without_one),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
