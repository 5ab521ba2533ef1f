// Address spaces: what is mapped where, and the files that are opened for it.
#include "unit_test.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inlinecall/extra/space.h>
#include <inlinecall/image.h>

#include "process/proc_maps.h"

#include "alloc_meter.h"
#include "fixtures/elf.h"
#include "fixtures/lookup.h"
#include "fixtures/space.h"

enum { THREADS = 8, FILES = 6, PAGE = 0x1000 };

TEST(a_file_answers_wherever_it_is_mapped)
{
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *space = space_new(modules);
	const uint64_t addrs[] = { 0x700018, 0x500010, 0x500000, 0x501000, 0x4fffff, 0x700018 };
	struct ic_space_answer answer;

	space_file_add(space, space_file_write("b"), 0x700000, SPACE_CODE_SIZE);
	space_file_add(space, space_file_write("a"), 0x500000, SPACE_CODE_SIZE);
	struct ic_space_answers *answers = ic_space_find(space, addrs, COUNT_OF(addrs), NULL);
	ic_space_free(space); // answers do not need it
	static const char *const wanted[] = { "b.c.leaf", "a.c.leaf", "a.c.main",
					      NULL,       NULL,       "b.c.leaf" };
	for (size_t i = 0; i < COUNT_OF(addrs); i++) {
		ic_space_answers_get(answers, i, &answer);
		assert_int_equal(answer.status, wanted[i] ? IC_SPACE_FILE : IC_SPACE_NONE);
		assert_int_equal(answer.frame_count > 0, wanted[i] != NULL);
		if (!wanted[i]) {
			assert_null(answer.path);
			assert_null(answer.symbolizer);
			continue;
		}
		assert_string_equal(answer.frames[0].function, wanted[i]);
		assert_int_equal(answer.lookup, IC_LOOKUP_FOUND);
		assert_int_equal(answer.addr, CODE_START + addrs[i] % PAGE);
		assert_string_equal(answer.path, temp_path(i % 5 ? "a" : "b"));
		assert_non_null(answer.symbolizer);
	}
	ic_space_answers_free(answers);
	assert_true(ic_modules_memory(modules) > 0);
	ic_modules_trim(modules, 0);
	assert_int_equal(ic_modules_memory(modules), 0);
	ic_modules_free(modules);
}

TEST(a_file_that_cannot_be_opened_may_be_tried_any_number_of_times)
{
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *space = ic_space_new(modules, NULL);
	const struct ic_space_mapping mapping = { .start = 0x500000,
						  .end = 0x501000,
						  .path = "/nonexistent/file" };
	const uint64_t addr = 0x500010;
	size_t before = 0;

	for (int i = 0; i < 1000; i++) {
		struct ic_space_answer answer;

		assert_true(ic_space_add(space, &mapping, NULL)); // which has it tried again
		struct ic_space_answers *answers = ic_space_find(space, &addr, 1, NULL);
		ic_space_answers_get(answers, 0, &answer);
		assert_int_equal(answer.status, IC_SPACE_UNOPENED);
		assert_non_null(strstr(answer.reason, "/nonexistent/file"));
		ic_space_answers_free(answers);
		if (i == 10)
			before = alloc_meter_live();
	}
	// An allocation may have some bytes more than another one of the same size.
	assert_true((ptrdiff_t)(alloc_meter_live() - before) < 1000);
	ic_space_free(space);
	ic_modules_free(modules);
}

TEST(what_is_mapped_later_takes_the_place)
{
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *space = space_new(modules);

	space_file_add(space, space_file_write("a"), 0x500000, SPACE_CODE_SIZE);
	space_file_add(space, space_file_write("b"), 0x500010, 8);
	assert_string_equal(space_text_at(space, 0x500000), "a.c.main");
	assert_string_equal(space_text_at(space, 0x500010), "b.c.main"); // its first byte
	assert_string_equal(space_text_at(space, 0x500018), "a.c.leaf a.c.main");
	space_file_add(space, temp_path("b"), 0x4fff80, 0x90);
	assert_string_equal(space_text_at(space, 0x500000), "b.c.main");
	assert_string_equal(space_text_at(space, 0x500010), "b.c.main");
	assert_string_equal(space_text_at(space, 0x500018), "a.c.leaf a.c.main");
	space_file_add(space, temp_path("b"), 0x4ff000, 0x10000);
	assert_string_equal(space_text_at(space, 0x500018), "file: "); // beyond its unit
	ic_space_free(space);
	ic_modules_free(modules);
}

// Random mappings of a few pages each; every page is checked after each of them.
TEST(any_order_of_mappings_gives_each_place_the_last)
{
	enum { PAGES = 48, NAMES = 6, ROUNDS = 300 };
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *space = space_new(modules);
	int owners[PAGES];
	uint64_t starts[PAGES], addrs[PAGES];
	struct ic_space_answer answer;
	char name[16];

	for (int i = 0; i < PAGES; i++) {
		owners[i] = -1;
		addrs[i] = (uint64_t)i * PAGE + 5;
	}
	srand(7);
	for (int round = 0; round < ROUNDS; round++) {
		int owner = rand() % NAMES, start = rand() % PAGES;
		int end = start + 1 + rand() % (PAGES - start);
		snprintf(name, sizeof(name), "none%d", owner);
		const struct ic_space_mapping mapping = { .start = (uint64_t)start * PAGE,
							  .end = (uint64_t)end * PAGE,
							  .offset = 0x100000,
							  .path = name };
		assert_true(ic_space_add(space, &mapping, NULL));
		for (int i = start; i < end; i++) {
			owners[i] = owner;
			starts[i] = (uint64_t)start * PAGE;
		}
		struct ic_space_answers *answers = ic_space_find(space, addrs, PAGES, NULL);
		for (int i = 0; i < PAGES; i++) {
			ic_space_answers_get(answers, (size_t)i, &answer);
			assert_int_equal(answer.path != NULL, owners[i] >= 0);
			if (!answer.path)
				continue;
			assert_int_equal(answer.path[4] - '0', owners[i]);
			assert_int_equal(answer.offset, 0x100000 + addrs[i] - starts[i]);
		}
		ic_space_answers_free(answers);
	}
	ic_space_free(space);
	ic_modules_free(modules);
}

TEST(why_there_is_no_answer_is_said)
{
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *space = space_new(modules);
	struct ic_space_mapping mapping = { .start = 0x600000,
					    .end = 0x601000,
					    .path = temp_path("missing") };
	struct ic_error err = { .message = "" };

	assert_true(ic_space_add(space, &mapping, &err));
	assert_non_null(strstr(space_text_at(space, 0x600000), "unopened: "));
	assert_non_null(strstr(space_text_at(space, 0x600000), "missing"));
	assert_non_null(strstr(space_text_at(space, 0x600000), "No such file"));
	mapping.path = space_file_write("a");
	mapping.offset = space_code_offset(mapping.path);
	mapping.build_id = space_build_id;
	mapping.build_id_size = sizeof(space_build_id);
	assert_true(ic_space_add(space, &mapping, &err));
	assert_string_equal(space_text_at(space, 0x600010), "a.c.leaf a.c.main");
	mapping.build_id_size--;
	assert_true(ic_space_add(space, &mapping, &err));
	assert_non_null(strstr(space_text_at(space, 0x600010),
			       "build ID is abcdef01, but the mapping has abcdef"));
	mapping.build_id_size = 0;
	mapping.offset += SPACE_CODE_SIZE; // no code of the file
	assert_true(ic_space_add(space, &mapping, &err));
	assert_string_equal(space_text_at(space, 0x600010), "file: ");
	mapping.offset = UINT64_MAX;
	assert_false(ic_space_add(space, &mapping, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	mapping.offset = 0;
	mapping.end = mapping.start;
	assert_false(ic_space_add(space, &mapping, NULL));
	assert_false(ic_space_read_process(space, -1, &err));
	assert_non_null(strstr(err.message, "/proc/-1/maps"));
	ic_space_free(space);
	ic_modules_free(modules);
}

TEST(a_file_that_comes_later_is_opened_once_it_is_mapped_again)
{
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *space = space_new(modules);
	struct ic_space_mapping mapping = { .start = 0x600000,
					    .end = 0x601000,
					    .path = temp_path("later") };

	assert_true(ic_space_add(space, &mapping, NULL));
	assert_non_null(strstr(space_text_at(space, 0x600000), "No such file"));
	mapping.offset = space_code_offset(space_file_write("later"));
	assert_non_null(strstr(space_text_at(space, 0x600000), "No such file")); // not tried again
	assert_true(ic_space_add(space, &mapping, NULL));
	assert_string_equal(space_text_at(space, 0x600010), "later.c.leaf later.c.main");
	ic_space_free(space);
	ic_modules_free(modules);
}

// ---- Memory

TEST(files_are_closed_and_opened_again_where_memory_is_short)
{
	struct ic_modules *modules =
		space_modules_new(1); // no more than one file, while it is held
	struct ic_space *space = space_new(modules);
	char name[2] = "a";

	for (uint64_t i = 0; i < FILES; i++, name[0]++)
		space_file_add(space, space_file_write(name), 0x500000 + i * 0x10000,
			       SPACE_CODE_SIZE);
	for (uint64_t round = 0; round < 3; round++)
		for (uint64_t i = 0; i < FILES; i++) {
			char wanted[32];
			snprintf(wanted, sizeof(wanted), "%c.c.leaf %c.c.main", (int)('a' + i),
				 (int)('a' + i));
			assert_string_equal(space_text_at(space, 0x500010 + i * 0x10000), wanted);
			assert_int_equal(ic_modules_memory(modules), 0);
		}
	const uint64_t addrs[] = { 0x500010, 0x520010 };
	struct ic_space_answers *answers = ic_space_find(space, addrs, 2, NULL);
	uint64_t held = ic_modules_memory(modules);
	assert_true(held > 1); // what an answer has stays
	assert_string_equal(space_text_at(space, 0x510010), "b.c.leaf b.c.main");
	assert_int_equal(ic_modules_memory(modules), held);
	ic_space_answers_free(answers);
	assert_int_equal(ic_modules_memory(modules), 0);
	ic_space_free(space);
	ic_modules_free(modules);
}

// ---- Processes

static void *map_file(const char *path, uint64_t offset)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t start = offset / PAGE * PAGE;
	void *mapped = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, (off_t)start);

	assert_true(mapped != MAP_FAILED);
	close(fd);
	return (char *)mapped + (offset - start);
}

// An emulator may say of no mapping that it is code.
static void skip_unless_listed(void)
{
	FILE *file = fopen("/proc/self/maps", "re");
	char line[4096];
	struct ic_map_line map;
	bool found = false;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		found |= ic_map_line_parse(&map, line) && map.is_code &&
			 map.start <= (uintptr_t)&skip_unless_listed &&
			 map.end > (uintptr_t)&skip_unless_listed;
	fclose(file);
	if (!found)
		skip();
}

// Whether we may open what is mapped at the page of an address, whatever has become of its path:
// not as any user, nor under an emulator, for which the addresses are others.
static bool may_follow(const void *code)
{
	uintptr_t start = (uintptr_t)code / PAGE * PAGE;
	char path[128];

	snprintf(path, sizeof(path), "/proc/self/map_files/%" PRIxPTR "-%" PRIxPTR, start,
		 start + PAGE);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static struct ic_space *space_of_us(struct ic_modules *modules)
{
	struct ic_space *space = space_new(modules);
	struct ic_error err = { .message = "" };

	if (!ic_space_read_process(space, getpid(), &err))
		fail_msg("%s", err.message);
	return space;
}

TEST(a_process_has_its_files_as_they_were_when_it_mapped_them)
{
	skip_unless_listed();
	const char *path = space_file_write("a");
	char *code = map_file(path, space_code_offset(path));
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *space = space_of_us(modules);

	assert_string_equal(space_text_at(space, (uintptr_t)code + 0x10), "a.c.leaf a.c.main");
	assert_non_null(strstr(space_text_at(space, (uintptr_t)&space_of_us), "space_of_us"));
	assert_string_equal(space_text_at(space, (uintptr_t)&path), "none: "); // a stack is no code
	ic_space_free(space);
	ic_modules_free(modules);
	// Its place is taken by another file: the mapping has the old one, for who may see that.
	assert_int_equal(rename(space_file_write("b"), path), 0);
	modules = space_modules_new(0);
	space = space_of_us(modules);
	const char *text = space_text_at(space, (uintptr_t)code + 0x10);
	if (may_follow(code))
		assert_string_equal(text, "a.c.leaf a.c.main");
	else
		assert_non_null(strstr(text, ": not the file that was mapped"));
	ic_space_free(space);
	ic_modules_free(modules);
	munmap((void *)((uintptr_t)code / PAGE * PAGE), PAGE);
}

// The vDSO, which is listed near the end, and is copied.
TEST(mappings_are_read_to_the_end_or_memory_is_out)
{
	const uint64_t addr = getauxval(AT_SYSINFO_EHDR);
	struct ic_space_answer answer = { .status = IC_SPACE_NONE };
	bool has_failed = true;

	for (uint64_t fail_at = 0; has_failed; fail_at++) {
		struct ic_modules *modules = space_modules_new(0);
		struct ic_space *space = space_new(modules);
		struct ic_error err = { .message = "" };

		alloc_meter_start(fail_at, false);
		bool ok = ic_space_read_process(space, getpid(), &err);
		has_failed = fail_at == 0 || alloc_meter_calls() >= fail_at;
		alloc_meter_stop();
		if (ok) {
			struct ic_space_answers *answers = ic_space_find(space, &addr, 1, NULL);
			ic_space_answers_get(answers, 0, &answer);
			ic_space_answers_free(answers);
		} else {
			assert_error(&err, IC_ERROR_MEMORY, "out of memory");
		}
		ic_space_free(space);
		ic_modules_free(modules);
		if (fail_at == 0 && answer.status != IC_SPACE_FILE)
			skip(); // an emulator lists none
		assert_int_equal(answer.status, IC_SPACE_FILE);
	}
}

static pid_t fork_child(void)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0)
		for (;;)
			pause();
	return child;
}

TEST(a_file_is_found_through_each_process_that_has_it)
{
	skip_unless_listed();
	const char *path = space_file_write("a");
	char *code = map_file(path, space_code_offset(path));
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *ours = space_of_us(modules), *others = space_new(modules);
	struct ic_error err = { .message = "" };
	pid_t child = fork_child();

	if (!ic_space_read_process(others, child, &err)) // last
		fail_msg("%s", err.message);
	assert_int_equal(unlink(path), 0);
	kill(child, SIGKILL);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	// It has ended, but is still there: what was known of it stays.
	assert_false(ic_space_read_process(others, child, &err));
	assert_non_null(strstr(err.message, "has exited"));
	bool may = may_follow(code);
	assert_null(strstr(space_text_at(others, (uintptr_t)code + 0x10), "a.c.main"));
	waitpid(child, NULL, 0);
	assert_false(ic_space_read_process(others, child, &err));
	if (may)
		assert_string_equal(space_text_at(ours, (uintptr_t)code + 0x10),
				    "a.c.leaf a.c.main");
	ic_space_free(ours);
	ic_space_free(others);
	ic_modules_free(modules);
	munmap((void *)((uintptr_t)code / PAGE * PAGE), PAGE);
}

TEST(code_of_no_file_is_that)
{
	skip_unless_listed();
	void *code = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *space = space_of_us(modules);

	assert_true(code != MAP_FAILED);
	assert_true(ic_space_read_process(space, getpid(), NULL));
	assert_string_equal(space_text_at(space, (uintptr_t)code), "no file: ");
	munmap(code, PAGE);
	assert_true(ic_space_read_process(space, getpid(), NULL)); // as it is now
	assert_string_equal(space_text_at(space, (uintptr_t)code), "none: ");
	ic_space_free(space);
	ic_modules_free(modules);
}

// ---- Threads

struct user {
	struct ic_space *space;
	const char *path;
	uint32_t number, wrong;
};

static void *use(void *argument)
{
	struct user *user = argument;

	for (uint64_t i = 0; i < 60; i++) {
		uint64_t file = (user->number * 7 + i) % FILES;
		char wanted[32];
		snprintf(wanted, sizeof(wanted), "%c.c.leaf %c.c.main", (int)('a' + file),
			 (int)('a' + file));
		const char *text = space_text_at(user->space, 0x500010 + file * 0x10000);
		user->wrong += strcmp(text, wanted) != 0;
		if (i % 20 == user->number) // what is there is put there once more
			space_file_add(user->space, user->path, 0x500000, SPACE_CODE_SIZE);
	}
	return NULL;
}

TEST(any_number_of_threads_may_ask_while_files_come_and_go)
{
	for (uint64_t limit = 0; limit < 2; limit++) {
		struct ic_modules *modules = space_modules_new(limit);
		struct ic_space *space = space_new(modules);
		struct user users[THREADS];
		pthread_t threads[THREADS];
		char name[2] = "a";

		for (uint64_t i = 0; i < FILES; i++, name[0]++)
			space_file_add(space, space_file_write(name), 0x500000 + i * 0x10000,
				       SPACE_CODE_SIZE);
		const char *path = temp_path("a");
		for (uint32_t i = 0; i < THREADS; i++) {
			users[i] = (struct user){ space, path, i, 0 };
			assert_int_equal(pthread_create(&threads[i], NULL, use, &users[i]), 0);
		}
		for (uint32_t i = 0; i < THREADS; i++) {
			assert_int_equal(pthread_join(threads[i], NULL), 0);
			assert_int_equal(users[i].wrong, 0);
		}
		ic_space_free(space);
		ic_modules_free(modules);
	}
}

UNIT_TESTS(process_space)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_cannot_be_opened_may_be_tried_any_number_of_times),
		cmocka_unit_test(a_file_answers_wherever_it_is_mapped),
		cmocka_unit_test(what_is_mapped_later_takes_the_place),
		cmocka_unit_test(any_order_of_mappings_gives_each_place_the_last),
		cmocka_unit_test(why_there_is_no_answer_is_said),
		cmocka_unit_test(a_file_that_comes_later_is_opened_once_it_is_mapped_again),
		cmocka_unit_test(files_are_closed_and_opened_again_where_memory_is_short),
		cmocka_unit_test(a_process_has_its_files_as_they_were_when_it_mapped_them),
		cmocka_unit_test(mappings_are_read_to_the_end_or_memory_is_out),
		cmocka_unit_test(a_file_is_found_through_each_process_that_has_it),
		cmocka_unit_test(code_of_no_file_is_that),
		cmocka_unit_test(any_number_of_threads_may_ask_while_files_come_and_go),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
