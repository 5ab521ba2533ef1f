#include "process/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"

enum { NAME_SIZE = 64 };

// Of a longer list, the last part is read: later functions replace earlier ones.
#define MOST_TEXT (16l << 20)

// ---- The process

// The last number on a line of /proc/PID/status: with namespaces, there is one for each.
static bool find_number(const char *status, const char *key, size_t column, uint32_t *number)
{
	const char *at = strstr(status, key);

	if (!at)
		return false;
	at += strlen(key);
	for (size_t i = 0; i < column; i++) {
		char *end;
		unsigned long value = strtoul(at, &end, 10);

		if (end == at || *end == 0)
			return i > 0;
		*number = (uint32_t)value;
		at = end;
		if (*at == '\n')
			break;
	}
	return true;
}

// False if the process has ended.
static bool find_owner(int pid, struct ic_perf_map_owner *owner)
{
	enum { MOST_NAMESPACES = 32, EFFECTIVE = 2 };
	char path[NAME_SIZE], status[4096];
	uint32_t number;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	IC_AUTO(ic_close_fd) int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = file >= 0 ? read(file, status, sizeof(status) - 1) : -1;
	status[size > 0 ? size : 0] = 0;
	if (!find_number(status, "\nUid:", EFFECTIVE, &owner->uid) ||
	    !find_number(status, "\nNStgid:", MOST_NAMESPACES, &number))
		return false;
	owner->pid = (int)number;
	return true;
}

// ---- The file

// Opens a file below a directory. The process may have replaced it, or a directory, by a link, or
// the file by something that blocks.
static int open_below(int root, const char *name)
{
	enum { FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW };
	const struct open_how how = { .flags = FLAGS,
				      .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	long file = syscall(SYS_openat2, root, name, &how, sizeof(how));

	return file < 0 && errno == ENOSYS ? openat(root, name, FLAGS) : (int)file;
}

static bool is_believed(const struct stat *st, const struct ic_perf_map_owner *owner,
			const char *name, struct ic_error *err)
{
	if (!S_ISREG(st->st_mode))
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "/%s: not read: not a regular file",
			       name);
	if (st->st_uid != owner->uid && st->st_uid != 0)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "/%s: not read: owned by neither the user of the process nor root",
			       name);
	return true;
}

// Reads the end of a file, which may be growing: whole lines.
static bool read_end(struct ic_bytes *text, uint8_t **buffer, int file, const struct stat *st)
{
	off_t start = st->st_size > MOST_TEXT ? st->st_size - MOST_TEXT : 0;
	size_t size = (size_t)(st->st_size - start), done = 0;

	*buffer = malloc(size + 1);
	if (!*buffer)
		return false;
	for (ssize_t got = 1; done < size && got > 0; done += got > 0 ? (size_t)got : 0)
		got = pread(file, *buffer + done, size - done, start + (off_t)done);
	*text = (struct ic_bytes){ *buffer, done };
	const uint8_t *first = start > 0 && done > 0 ? memchr(*buffer, '\n', done) : *buffer;
	const uint8_t *last = done > 0 ? memrchr(*buffer, '\n', done) : NULL;
	*text = (struct ic_bytes){ first, first && last && last >= first
						  ? (size_t)(last + 1 - first)
						  : 0 };
	return true;
}

bool ic_perf_map_read_below(struct ic_perf_map *map, int root,
			    const struct ic_perf_map_owner *owner, struct ic_error *err)
{
	char name[NAME_SIZE];
	struct ic_bytes text;
	struct stat st;
	uint64_t wrong;

	snprintf(name, sizeof(name), "tmp/perf-%d.map", owner->pid);
	IC_AUTO(ic_close_fd) int file = open_below(root, name);
	int os_error = errno;
	close(root);
	if (file < 0 && (os_error == ENOENT || os_error == ENOTDIR))
		return true;
	if (file < 0 || fstat(file, &st) != 0) {
		char why[IC_ERROR_TEXT_SIZE];

		return ic_fail(err, IC_ERROR_SYSTEM, "/%s: cannot open: %s", name,
			       ic_error_text(file < 0 ? os_error : errno, why));
	}
	if (!is_believed(&st, owner, name, err))
		return false;
	if (!read_end(&text, &map->text, file, &st) || !ic_jit_code_read(&map->code, text, &wrong))
		return ic_fail_memory(err);
	if (st.st_size > MOST_TEXT)
		return ic_fail(err, IC_ERROR_LIMIT, "/%s: only the last %ld MiB are read", name,
			       MOST_TEXT >> 20);
	return wrong == 0 || ic_fail(err, IC_ERROR_MALFORMED,
				     "/%s: %" PRIu64 " of its lines are invalid", name, wrong);
}

bool ic_perf_map_read(struct ic_perf_map *map, int pid, struct ic_error *err)
{
	struct ic_perf_map_owner owner;
	char path[NAME_SIZE];

	if (!find_owner(pid, &owner))
		return ic_fail(err, IC_ERROR_SYSTEM,
			       "process %d: has ended before the names of its compiled functions "
			       "were read",
			       pid);
	snprintf(path, sizeof(path), "/proc/%d/root", pid);
	int root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return ic_fail_system(err, "open", path);
	return ic_perf_map_read_below(map, root, &owner, err);
}

void ic_perf_map_free(struct ic_perf_map *map)
{
	ic_jit_code_free(&map->code);
	free(map->text);
}
