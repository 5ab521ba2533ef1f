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
#include "process/proc_maps.h"

enum { NAME_SIZE = 64 };

// Of a longer list, the last part is read: later functions replace earlier ones. The records of a
// jitdump can be read from its start only. They are larger, and contain the code.
#define MOST_TEXT (16l << 20)
#define MOST_DUMP (64l << 20)

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

// The path of the jitdump that the process has mapped, to be freed; NULL if there is none, or
// memory runs out. Those who write one map it for perf to notice.
static char *find_dump(int pid, const struct ic_perf_map_owner *owner)
{
	char path[NAME_SIZE], name[NAME_SIZE], *line = NULL, *found = NULL;
	struct ic_map_line map;
	size_t capacity = 0;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	snprintf(name, sizeof(name), "/jit-%d.dump", owner->pid);
	FILE *file = fopen(path, "re");
	while (file && !found && getline(&line, &capacity, file) >= 0) {
		size_t size = strlen(name);

		if (!ic_map_line_parse(&map, line) || map.name[0] != '/')
			continue;
		size_t length = strlen(map.name);
		if (length >= size && strcmp(map.name + length - size, name) == 0)
			found = strdup(map.name);
	}
	if (file)
		fclose(file);
	free(line);
	return found;
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
			const char *path, struct ic_error *err)
{
	if (!S_ISREG(st->st_mode))
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: not read: not a regular file", path);
	if (st->st_uid != owner->uid && st->st_uid != 0)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "%s: not read: owned by neither the user of the process nor root",
			       path);
	return true;
}

// Reads a part of a file, which may be growing or shrinking.
static bool read_part(struct ic_perf_map *map, int file, off_t start, off_t end, size_t *done)
{
	size_t size = (size_t)(end - start);
	ssize_t got = 1;

	map->text = malloc(size + 1);
	for (*done = 0; map->text && *done < size && got > 0; *done += got > 0 ? (size_t)got : 0)
		got = pread(file, map->text + *done, size - *done, start + (off_t)*done);
	return map->text;
}

// The whole lines of a list from an offset on, where a line may begin earlier.
static struct ic_bytes take_lines(const struct ic_perf_map *map, size_t size, bool is_cut)
{
	const uint8_t *first = is_cut ? memchr(map->text, '\n', size) : map->text;
	const uint8_t *last = memrchr(map->text, '\n', size);

	return (struct ic_bytes){ first,
				  first && last && last >= first ? (size_t)(last + 1 - first) : 0 };
}

// Reads the functions. The last record of a jitdump may still be being written.
static bool read_code(struct ic_perf_map *map, int file, const struct stat *st,
		      const struct ic_perf_map_owner *owner, uint64_t *wrong)
{
	bool is_long = st->st_size > (owner->dump ? MOST_DUMP : MOST_TEXT);
	off_t start = is_long && !owner->dump ? st->st_size - MOST_TEXT : 0;
	off_t end = is_long && owner->dump ? MOST_DUMP : st->st_size;
	size_t size;

	if (!read_part(map, file, start, end, &size))
		return false;
	struct ic_bytes bytes = { map->text, size };
	if (!owner->dump)
		bytes = take_lines(map, size, start > 0);
	bool ok = ic_jit_code_read(&map->code, bytes, wrong);
	*wrong -= *wrong > 0 && map->code.is_cut;
	return ok;
}

static bool read_file(struct ic_perf_map *map, int file, const char *path,
		      const struct ic_perf_map_owner *owner, struct ic_error *err)
{
	struct stat st;
	uint64_t wrong;

	if (fstat(file, &st) != 0)
		return ic_fail_system(err, "read", path);
	if (!is_believed(&st, owner, path, err))
		return false;
	if (!read_code(map, file, &st, owner, &wrong))
		return ic_fail_memory(err);
	if (st.st_size > (owner->dump ? MOST_DUMP : MOST_TEXT))
		return ic_fail(err, IC_ERROR_LIMIT, "%s: only the %s %ld MiB are read", path,
			       owner->dump ? "first" : "last",
			       (owner->dump ? MOST_DUMP : MOST_TEXT) >> 20);
	return wrong == 0 ||
	       ic_fail(err, IC_ERROR_MALFORMED, "%s: %" PRIu64 " of its %s are invalid", path,
		       wrong, owner->dump ? "records" : "lines");
}

bool ic_perf_map_read_below(struct ic_perf_map *map, int root,
			    const struct ic_perf_map_owner *owner, struct ic_error *err)
{
	char name[NAME_SIZE];
	const char *path = owner->dump ? owner->dump : name;

	snprintf(name, sizeof(name), "/tmp/perf-%d.map", owner->pid);
	IC_AUTO(ic_close_fd) int file = open_below(root, path + 1);
	int os_error = errno;
	close(root);
	if (file >= 0)
		return read_file(map, file, path, owner, err);
	errno = os_error;
	return os_error == ENOENT || os_error == ENOTDIR || ic_fail_system(err, "open", path);
}

bool ic_perf_map_read(struct ic_perf_map *map, int pid, enum ic_perf_map_kind kind,
		      struct ic_error *err)
{
	struct ic_perf_map_owner owner = { .dump = NULL };
	char path[NAME_SIZE];

	if (!find_owner(pid, &owner))
		return ic_fail(err, IC_ERROR_SYSTEM,
			       "process %d: has ended before the names of its compiled functions "
			       "were read",
			       pid);
	char *dump = kind == IC_PERF_MAP_DUMP ? find_dump(pid, &owner) : NULL;
	if (kind == IC_PERF_MAP_DUMP && !dump)
		return true;
	owner.dump = dump;
	snprintf(path, sizeof(path), "/proc/%d/root", pid);
	int root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool ok = root >= 0 ? ic_perf_map_read_below(map, root, &owner, err)
			    : ic_fail_system(err, "open", path);
	free(dump);
	return ok;
}

void ic_perf_map_free(struct ic_perf_map *map)
{
	ic_jit_code_free(&map->code);
	free(map->text);
}
