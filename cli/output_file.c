#include "output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(const struct cli_output_file *file)
{
	cli_complain("cannot write %s: %s", file->path, strerror(errno));
	return false;
}

static mode_t mode_of(const char *like)
{
	struct stat status;
	mode_t mask = umask(0);

	umask(mask);
	return like && stat(like, &status) == 0 ? status.st_mode & 0777 : 0666 & ~mask;
}

// Opens `temporary`. False with errno set.
static bool open_temporary(struct cli_output_file *file, const char *like)
{
	int fd = mkstemp(file->temporary);

	if (fd < 0) {
		free(file->temporary);
		file->temporary = NULL;
		return false;
	}
	file->stream = fchmod(fd, mode_of(like)) == 0 ? fdopen(fd, "wb") : NULL;
	if (file->stream)
		return true;
	int error = errno;
	close(fd);
	unlink(file->temporary);
	errno = error;
	return false;
}

bool cli_output_file_open(struct cli_output_file *file, const char *path, const char *like)
{
	struct stat status;

	*file = (struct cli_output_file){ .path = path };
	if (stat(path, &status) == 0) {
		if (!S_ISREG(status.st_mode)) {
			cli_complain("cannot write %s: it is not a regular file", path);
			return false;
		}
		file->target = realpath(path, NULL); // not a link to it
	} else {
		file->target = strdup(path);
	}
	if (!file->target || asprintf(&file->temporary, "%s.XXXXXX", file->target) < 0) {
		file->temporary = NULL;
		fail(file);
	} else if (!open_temporary(file, like)) {
		fail(file);
	}
	if (file->stream)
		return true;
	free(file->temporary);
	free(file->target);
	return false;
}

bool cli_output_file_close(struct cli_output_file *file, bool ok)
{
	bool is_written = !ferror(file->stream);

	is_written &= fclose(file->stream) == 0;
	if (ok)
		ok = (is_written && rename(file->temporary, file->target) == 0) || fail(file);
	if (!ok)
		unlink(file->temporary);
	free(file->temporary);
	free(file->target);
	return ok;
}

bool cli_output_file_write(const char *path, const void *bytes, size_t size)
{
	struct cli_output_file out;

	if (!cli_output_file_open(&out, path, NULL))
		return false;
	fwrite(bytes, 1, size, out.stream);
	return cli_output_file_close(&out, true);
}
