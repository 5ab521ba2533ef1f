#include "unit_test.h"

#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "elf/finding/debuginfod.h"
#include "fixtures/elf.h"

#include <inlinecall/extra/debuginfod.h>

// Their paths on a server; here that is a directory.
#define FILE_OFF    "buildid/abcdef01/debuginfo"
#define PROGRAM_OFF "buildid/abcdef01/executable"

static const struct ic_bytes id = { (const uint8_t *)"\xab\xcd\xef\x01", 4 };

// The environment of each test: a directory in place of a server, and a cache of its own.
static void set_environment(const char *name)
{
	char url[4200];

	if (!ic_debuginfod_is_built() || !dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_LOCAL))
		skip();
	snprintf(url, sizeof(url), "file://%s/%s/", temp_dir, name);
	setenv("DEBUGINFOD_URLS", url, 1);
	snprintf(url, sizeof(url), "%s/cache-%s", temp_dir, name);
	setenv("DEBUGINFOD_CACHE_PATH", url, 1);
}

static void check_not_found(struct ic_debuginfod *client, struct ic_bytes build_id,
			    const char *wanted)
{
	struct ic_error err = { .message = "" };
	char *path = NULL;

	assert_false(ic_debuginfod_find(client, IC_DEBUGINFOD_DEBUG_FILE, build_id, "prog", &path,
					&err));
	assert_error(&err, IC_ERROR_NO_DEBUG, wanted);
	assert_null(path);
}

static void check_found(struct ic_debuginfod *client, enum ic_debuginfod_kind kind,
			const char *content)
{
	struct ic_error err = { .message = "" };
	char *path, read[64] = "";

	if (!ic_debuginfod_find(client, kind, id, "prog", &path, &err))
		fail_msg("%s", err.message);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fread(read, 1, sizeof(read) - 1, file), strlen(content));
	fclose(file);
	assert_string_equal(read, content);
	free(path);
}

TEST(a_file_is_had_by_its_build_id_and_kept)
{
	set_environment("one");
	struct ic_debuginfod *client = ic_debuginfod_open(NULL, NULL);

	assert_non_null(client);
	temp_write(temp_path("one/" FILE_OFF), "debug", 5);
	check_found(client, IC_DEBUGINFOD_DEBUG_FILE, "debug");
	unlink(temp_path("one/" FILE_OFF));
	check_found(client, IC_DEBUGINFOD_DEBUG_FILE, "debug");
	ic_debuginfod_free(client);
}

TEST(programs_are_other_files_than_debug_files)
{
	set_environment("programs");
	struct ic_debuginfod *client = ic_debuginfod_open(NULL, NULL);

	temp_write(temp_path("programs/" PROGRAM_OFF), "program", 7);
	check_found(client, IC_DEBUGINFOD_PROGRAM, "program");
	check_not_found(client, id, "no server has it");
	setenv("DEBUGINFOD_URLS", "", 1);
	check_found(client, IC_DEBUGINFOD_PROGRAM, "program"); // which is kept
	ic_debuginfod_free(client);
}

TEST(what_no_server_has_is_said)
{
	set_environment("two");
	struct ic_debuginfod *client = ic_debuginfod_open(NULL, NULL);

	check_not_found(client, id, "no server has it");
	ic_debuginfod_free(client);
}

TEST(without_servers_or_a_sound_build_id_nobody_is_asked)
{
	set_environment("three");
	struct ic_debuginfod *client = ic_debuginfod_open(NULL, NULL);
	static const uint8_t zeros[64];
	const char *bad_size = "not queried: invalid size of the build ID";

	check_not_found(client, (struct ic_bytes){ zeros, 0 }, bad_size); // it would be a text
	check_not_found(client, (struct ic_bytes){ zeros, 64 }, bad_size);
	setenv("DEBUGINFOD_URLS", "", 1);
	check_not_found(client, id, "not queried: DEBUGINFOD_URLS is not set");
	unsetenv("DEBUGINFOD_URLS");
	check_not_found(client, id, "not queried: DEBUGINFOD_URLS is not set");
	ic_debuginfod_free(client);
}

static void *ask_for_many(void *client)
{
	struct ic_error err;
	char *path;

	for (uint8_t i = 0; i < 20; i++) {
		const struct ic_bytes unknown = { (const uint8_t[]){ 1, 2, 3, i }, 4 };
		if (ic_debuginfod_find(client, IC_DEBUGINFOD_DEBUG_FILE, unknown, "prog", &path,
				       &err) ||
		    strcmp(err.message, "no server has it") != 0)
			return client;
	}
	return NULL;
}

TEST(any_number_of_threads_may_ask)
{
	enum { THREADS = 4 };
	pthread_t threads[THREADS];
	void *failed;

	set_environment("threads");
	struct ic_debuginfod *client = ic_debuginfod_open(NULL, NULL);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_for_many, client), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
	ic_debuginfod_free(client);
}

// A server that has nothing and takes 0.6 s to answer.
static void *serve_slowly(void *listening)
{
	static const char answer[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n"
				     "Connection: close\r\n\r\n";
	char request[4096];
	int connection;

	while ((connection = accept(*(int *)listening, NULL, NULL)) >= 0) {
		if (read(connection, request, sizeof(request)) > 0) {
			usleep(600 * 1000);
			send(connection, answer, sizeof(answer) - 1, MSG_NOSIGNAL);
		}
		close(connection);
	}
	return NULL; // shut down
}

static pthread_t start_server(int *listening)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	char url[64];
	pthread_t server;

	*listening = socket(AF_INET, SOCK_STREAM, 0);
	assert_true(*listening >= 0);
	assert_return_code(bind(*listening, (struct sockaddr *)&address, size), errno);
	assert_return_code(listen(*listening, 8), errno);
	assert_return_code(getsockname(*listening, (struct sockaddr *)&address, &size), errno);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/", ntohs(address.sin_port));
	setenv("DEBUGINFOD_URLS", url, 1);
	assert_int_equal(pthread_create(&server, NULL, serve_slowly, listening), 0);
	return server;
}

struct calls {
	char name[8]; // of the file of the last one
	unsigned count;
};

static bool count_calls(void *context, const char *name, unsigned long long done,
			unsigned long long total)
{
	struct calls *calls = context;

	snprintf(calls->name, sizeof(calls->name), "%s", name);
	calls->count++;
	assert_true(done <= total || total == 0);
	return true;
}

static bool stop_asking(void *context, const char *name, unsigned long long done,
			unsigned long long total)
{
	(void)count_calls(context, name, done, total);
	return false;
}

TEST(seconds_are_counted_over_all_requests)
{
	struct calls calls = { "", 0 };
	const struct ic_debuginfod_options options = { .seconds = 1,
						       .progress = count_calls,
						       .progress_context = &calls };
	int listening;

	set_environment("four");
	pthread_t server = start_server(&listening);
	struct ic_debuginfod *client = ic_debuginfod_open(&options, NULL);
	struct ic_error err;
	char *path;
	for (uint8_t i = 0; i < 2; i++) {
		const uint8_t other[] = { 1, 2, i };
		assert_false(ic_debuginfod_find(client, IC_DEBUGINFOD_DEBUG_FILE,
						(struct ic_bytes){ other, 3 }, "prog", &path,
						&err));
	}
	if (calls.count > 0) // libdebuginfod 0.192 may end a request that fails without a call
		assert_string_equal(calls.name, "prog");
	unsigned before = calls.count;
	check_not_found(client, id, "not queried: the time limit of 1 s is used up");
	assert_int_equal(calls.count, before);
	ic_debuginfod_free(client);
	shutdown(listening, SHUT_RDWR);
	pthread_join(server, NULL);
	close(listening);
}

TEST(a_caller_may_stop_a_request)
{
	struct calls calls = { "", 0 };
	const struct ic_debuginfod_options options = { .progress = stop_asking,
						       .progress_context = &calls };
	int listening;
	char *path;

	set_environment("five");
	pthread_t server = start_server(&listening);
	struct ic_debuginfod *client = ic_debuginfod_open(&options, NULL);
	struct ic_error err = { .message = "" };
	assert_false(ic_debuginfod_find(client, IC_DEBUGINFOD_DEBUG_FILE, id, "prog", &path, &err));
	if (calls.count > 0) // libdebuginfod 0.192 may end a request that fails without a call
		assert_error(&err, IC_ERROR_NO_DEBUG, "stopped by the caller");
	ic_debuginfod_free(client);
	shutdown(listening, SHUT_RDWR);
	pthread_join(server, NULL);
	close(listening);
}

TEST(a_library_without_it_says_so)
{
	struct ic_error err = { .message = "" };

	if (ic_debuginfod_is_built())
		skip();
	assert_null(ic_debuginfod_open(NULL, NULL));
	assert_null(ic_debuginfod_open(NULL, &err));
	assert_error(&err, IC_ERROR_UNSUPPORTED, "built without debuginfod");
	ic_debuginfod_free(NULL);
}

UNIT_TESTS(elf_finding_debuginfod)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_had_by_its_build_id_and_kept),
		cmocka_unit_test(programs_are_other_files_than_debug_files),
		cmocka_unit_test(what_no_server_has_is_said),
		cmocka_unit_test(any_number_of_threads_may_ask),
		cmocka_unit_test(without_servers_or_a_sound_build_id_nobody_is_asked),
		cmocka_unit_test(seconds_are_counted_over_all_requests),
		cmocka_unit_test(a_caller_may_stop_a_request),
		cmocka_unit_test(a_library_without_it_says_so),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
