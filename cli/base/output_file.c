#include "base/output_file.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The existing temporary files, for signal handlers.
static const char *volatile unfinished[CLI_OUTPUT_MOST_FILES];

static bool fail_write(const struct cli_output_file *file)
{
	cli_complain("%s: cannot write: %s", file->path, strerror(errno));
	return false;
}

// ---- Removing unfinished files

void cli_output_files_abandon(void)
{
	for (size_t i = 0; i < CLI_OUTPUT_MOST_FILES; i++)
		if (unfinished[i])
			unlink(unfinished[i]);
}

static void end_by_signal(int number)
{
	cli_output_files_abandon();
	raise(number); // again, for its default action
}

// Makes signals that end the program remove the file. No such signal may arrive before this.
static void note_unfinished(const char *temporary)
{
	static const int numbers[] = {
		SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ
	};
	const struct sigaction action = { .sa_handler = end_by_signal,
					  .sa_flags = (int)SA_RESETHAND };
	struct sigaction before;
	size_t free_one = 0;

	while (unfinished[free_one])
		free_one++;
	unfinished[free_one] = temporary;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(numbers[i], &action, NULL);
}

static void forget_unfinished(const char *temporary)
{
	for (size_t i = 0; i < CLI_OUTPUT_MOST_FILES; i++)
		if (unfinished[i] == temporary)
			unfinished[i] = NULL;
}

// ---- Names

// Resolves symbolic links in a path; if the file does not exist, those in the path of its
// directory. Returns NULL and sets errno if there is no such directory.
static char *resolve_path(const char *path)
{
	const char *name = cli_base_name(path);
	char *resolved = realpath(path, NULL);

	if (resolved)
		return resolved;
	char *folder = name == path ? strdup(".") : strndup(path, (size_t)(name - path));
	char *real = folder ? realpath(folder, NULL) : NULL;
	if (real && asprintf(&resolved, "%s/%s", real, name) < 0)
		resolved = NULL;
	free(folder);
	free(real);
	return resolved;
}

bool cli_output_is(const char *output, const char *path)
{
	char *first = resolve_path(output), *second = resolve_path(path);
	bool is_same = first && second && strcmp(first, second) == 0;

	free(first);
	free(second);
	return is_same;
}

bool cli_output_is_standard(const char *output)
{
	struct stat file, standard;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (stat(output, &file) == 0 && S_ISREG(file.st_mode) &&
		    fstat(fd, &standard) == 0 && file.st_dev == standard.st_dev &&
		    file.st_ino == standard.st_ino)
			return true;
	return strcmp(output, "-") == 0;
}

// ---- Files

static mode_t mode_of(const char *like)
{
	struct stat status;
	mode_t mask = umask(0);

	umask(mask);
	return like && stat(like, &status) == 0 ? status.st_mode & 0777 : 0666 & ~mask;
}

// Creates and opens `temporary`. On failure returns false and sets errno.
static bool open_temporary(struct cli_output_file *file, mode_t mode)
{
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	int fd = mkstemp(file->temporary);
	if (fd >= 0)
		note_unfinished(file->temporary);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (fd < 0)
		return false;
	file->stream = fchmod(fd, mode) == 0 ? fdopen(fd, "wb") : NULL;
	if (file->stream)
		return true;
	int error = errno;
	close(fd);
	unlink(file->temporary);
	forget_unfinished(file->temporary);
	errno = error;
	return false;
}

bool cli_output_file_open(struct cli_output_file *file, const char *path, const char *like)
{
	struct stat status;
	bool is_there = stat(path, &status) == 0;

	*file = (struct cli_output_file){ .path = path };
	if (strcmp(path, "-") == 0) { // which would be a file of that name
		cli_complain("cannot write to standard output: a file is needed");
		return false;
	}
	if (is_there && !S_ISREG(status.st_mode)) {
		cli_complain("cannot write %s: not a regular file", path);
		return false;
	}
	file->target = resolve_path(path);
	// A file name of maximum length leaves no room for a suffix.
	if (!file->target ||
	    asprintf(&file->temporary, "%.*s.inlinecall.XXXXXX",
		     (int)(cli_base_name(file->target) - file->target), file->target) < 0) {
		file->temporary = NULL;
		fail_write(file);
	} else if (!open_temporary(file, mode_of(is_there ? path : like))) {
		fail_write(file);
	}
	if (file->stream)
		return true;
	free(file->temporary);
	free(file->target);
	return false;
}

static bool finish_file(struct cli_output_file *file, bool ok)
{
	bool is_written = !ferror(file->stream);

	is_written &= fclose(file->stream) == 0;
	return ok && (is_written || fail_write(file));
}

bool cli_output_files_close(struct cli_output_file *files, size_t count, bool ok)
{
	for (size_t i = 0; i < count; i++)
		ok = finish_file(&files[i], ok);
	for (size_t i = 0; i < count; i++) {
		struct cli_output_file *file = &files[i];
		if (ok)
			ok = rename(file->temporary, file->target) == 0 || fail_write(file);
		if (!ok)
			unlink(file->temporary);
		forget_unfinished(file->temporary);
		free(file->temporary);
		free(file->target);
	}
	return ok;
}
