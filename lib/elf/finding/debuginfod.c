// libdebuginfod is loaded on first use, not linked: with libcurl and its dependencies, starting it
// takes longer than most queries (docs/decisions/0008).
#include "elf/finding/debuginfod.h"

#include <inlinecall/extra/debuginfod.h>

#ifdef IC_HAVE_DEBUGINFOD

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { USUAL_SECONDS = 90, MOST_BUILD_ID = 64 };

struct ic_debuginfod {
	struct ic_debuginfod_options options;
	pthread_mutex_t lock;      // for the rest: one request at a time
	debuginfod_client *client; // NULL until first used
	const char *name;          // of the file that the request is for
	double spent;              // seconds used by all requests so far
	double deadline;           // when the current one must end
	bool gave_up;              // the time was used up
	bool is_stopped;           // by the caller
};

// The functions of libdebuginfod, loaded once per process; valid only if is_loaded.
static struct {
	debuginfod_client *(*begin)(void);
	int (*find[IC_DEBUGINFOD_KINDS])(debuginfod_client *, const unsigned char *, int, char **);
	void (*set_progressfn)(debuginfod_client *, debuginfod_progressfn_t);
	void (*set_user_data)(debuginfod_client *, void *);
	void *(*get_user_data)(debuginfod_client *);
	void (*end)(debuginfod_client *);
	bool is_loaded;
} library;

static bool find_function(void *handle, const char *name, void *function)
{
	void *found = dlsym(handle, name);

	memcpy(function, &found, sizeof(found));
	return found != NULL;
}

static void load_library(void)
{
	// Never closed: libcurl leaves pointers into it.
	void *handle = dlopen(DEBUGINFOD_SONAME, RTLD_LAZY | RTLD_LOCAL);

	library.is_loaded =
		handle && find_function(handle, "debuginfod_begin", &library.begin) &&
		find_function(handle, "debuginfod_find_debuginfo",
			      &library.find[IC_DEBUGINFOD_DEBUG_FILE]) &&
		find_function(handle, "debuginfod_find_executable",
			      &library.find[IC_DEBUGINFOD_PROGRAM]) &&
		find_function(handle, "debuginfod_set_progressfn", &library.set_progressfn) &&
		find_function(handle, "debuginfod_set_user_data", &library.set_user_data) &&
		find_function(handle, "debuginfod_get_user_data", &library.get_user_data) &&
		find_function(handle, "debuginfod_end", &library.end);
}

static double now_seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// libdebuginfod calls this at least once a second, from 0.192 on only after a server has answered;
// any value but 0 cancels the request.
static int on_progress(debuginfod_client *its_client, long done, long total)
{
	struct ic_debuginfod *client = library.get_user_data(its_client);
	bool is_size = total > 0 && done >= 0; // otherwise `done` counts something else

	client->gave_up = now_seconds() > client->deadline;
	client->is_stopped = client->options.progress &&
			     !client->options.progress(client->options.progress_context,
						       client->name,
						       is_size ? (unsigned long long)done : 0,
						       is_size ? (unsigned long long)total : 0);
	return client->gave_up || client->is_stopped;
}

static bool begin_client(struct ic_debuginfod *client, struct ic_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (client->client)
		return true;
	pthread_once(&once, load_library);
	if (!library.is_loaded)
		return ic_fail(err, IC_ERROR_NO_DEBUG, "not queried: no %s", DEBUGINFOD_SONAME);
	client->client = library.begin();
	if (!client->client)
		return ic_fail_memory(err);
	library.set_progressfn(client->client, on_progress);
	library.set_user_data(client->client, client);
	return true;
}

static bool has_servers(void)
{
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR);

	return urls && *urls;
}

// Without servers libdebuginfod does not look into its cache. Its files are then found by path:
// DIR/BUILD-ID/debuginfo or executable; an empty file means that no server had it.
static char *find_cached(enum ic_debuginfod_kind kind, struct ic_bytes build_id)
{
	static const char *const names[] = {
		[IC_DEBUGINFOD_DEBUG_FILE] = "debuginfo", [IC_DEBUGINFOD_PROGRAM] = "executable"
	};
	static const struct {
		const char *variable, *rest;
	} places[] = {
		{ DEBUGINFOD_CACHE_PATH_ENV_VAR, "" },
		{ "XDG_CACHE_HOME", "/debuginfod_client" },
		{ "HOME", "/.cache/debuginfod_client" },
		{ "HOME", "/.debuginfod_client_cache" },
	};
	char hex[2 * MOST_BUILD_ID + 1] = "", *path;
	struct stat status;

	if (build_id.size == 0 || build_id.size >= MOST_BUILD_ID)
		return NULL;
	for (size_t i = 0; i < build_id.size; i++)
		snprintf(hex + 2 * i, 3, "%02x", build_id.data[i]);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const char *dir = getenv(places[i].variable);
		if (!dir || !*dir ||
		    asprintf(&path, "%s%s/%s/%s", dir, places[i].rest, hex, names[kind]) < 0)
			continue;
		if (stat(path, &status) == 0 && status.st_size > 0)
			return path;
		free(path);
	}
	return NULL;
}

static bool may_ask(const struct ic_debuginfod *client, struct ic_bytes build_id,
		    struct ic_error *err)
{
	if (!has_servers())
		return ic_fail(err, IC_ERROR_NO_DEBUG, "not queried: %s is not set",
			       DEBUGINFOD_URLS_ENV_VAR);
	if (build_id.size == 0 || build_id.size >= MOST_BUILD_ID)
		return ic_fail(err, IC_ERROR_NO_DEBUG, "not queried: invalid size of the build ID");
	return client->spent < client->options.seconds ||
	       ic_fail(err, IC_ERROR_NO_DEBUG, "not queried: the time limit of %u s is used up",
		       client->options.seconds);
}

static bool fail_request(const struct ic_debuginfod *client, int os_error, struct ic_error *err)
{
	char text[IC_ERROR_TEXT_SIZE];

	if (client->is_stopped)
		ic_fail(err, IC_ERROR_NO_DEBUG, "stopped by the caller");
	else if (client->gave_up || (os_error == ETIME && client->spent >= client->options.seconds))
		ic_fail(err, IC_ERROR_NO_DEBUG, "gave up after the %u s for servers",
			client->options.seconds);
	else if (os_error == ENOMEM)
		ic_fail_memory(err);
	else if (os_error == ENOENT)
		ic_fail(err, IC_ERROR_NO_DEBUG, "no server has it");
	else
		ic_fail(err, IC_ERROR_NO_DEBUG, "%s", ic_error_text(os_error, text));
	err->os_error = os_error;
	return false;
}

// The caller holds the lock.
static bool ask_servers(struct ic_debuginfod *client, enum ic_debuginfod_kind kind,
			struct ic_bytes build_id, const char *name, char **path,
			struct ic_error *err)
{
	if (!may_ask(client, build_id, err) || !begin_client(client, err))
		return false;
	double started = now_seconds();
	client->name = name;
	client->gave_up = client->is_stopped = false;
	client->deadline = started + client->options.seconds - client->spent;
	int fd = library.find[kind](client->client, build_id.data, (int)build_id.size, path);
	client->spent += now_seconds() - started;
	if (fd < 0)
		return fail_request(client, -fd, err);
	close(fd);
	return *path || ic_fail_memory(err);
}

bool ic_debuginfod_find(struct ic_debuginfod *client, enum ic_debuginfod_kind kind,
			struct ic_bytes build_id, const char *name, char **path,
			struct ic_error *err)
{
	*path = has_servers() ? NULL : find_cached(kind, build_id);
	if (*path)
		return true;
	pthread_mutex_lock(&client->lock);
	bool ok = ask_servers(client, kind, build_id, name, path, err);
	pthread_mutex_unlock(&client->lock);
	return ok;
}

bool ic_debuginfod_is_built(void)
{
	return true;
}

struct ic_debuginfod *ic_debuginfod_open(const struct ic_debuginfod_options *options,
					 struct ic_error *err)
{
	struct ic_debuginfod *client = calloc(1, sizeof(*client));
	struct ic_error unwanted;

	if (!client || pthread_mutex_init(&client->lock, NULL) != 0) {
		free(client);
		ic_fail_memory(err ? err : &unwanted);
		return NULL;
	}
	if (options)
		client->options = *options;
	if (client->options.seconds == 0)
		client->options.seconds = USUAL_SECONDS;
	return client;
}

void ic_debuginfod_free(struct ic_debuginfod *client)
{
	if (!client)
		return;
	if (client->client)
		library.end(client->client);
	pthread_mutex_destroy(&client->lock);
	free(client);
}

#else

static bool fail_not_built(struct ic_error *err)
{
	return ic_fail(err, IC_ERROR_UNSUPPORTED, "built without debuginfod");
}

bool ic_debuginfod_find(struct ic_debuginfod *client, enum ic_debuginfod_kind kind,
			struct ic_bytes build_id, const char *name, char **path,
			struct ic_error *err)
{
	(void)client, (void)kind, (void)build_id, (void)name;
	*path = NULL;
	return fail_not_built(err); // there is no client to call this with
}

bool ic_debuginfod_is_built(void)
{
	return false;
}

struct ic_debuginfod *ic_debuginfod_open(const struct ic_debuginfod_options *options,
					 struct ic_error *err)
{
	struct ic_error unwanted;

	(void)options;
	fail_not_built(err ? err : &unwanted);
	return NULL;
}

void ic_debuginfod_free(struct ic_debuginfod *client)
{
	(void)client;
}

#endif
