#include "base/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <inlinecall/extra.h>

size_t cli_control_size(const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;

	if ((bytes[0] > 0 && bytes[0] < ' ') || bytes[0] == 0x7f)
		return 1;
	return bytes[0] == 0xc2 && bytes[1] >= 0x80 && bytes[1] < 0xa0 ? 2 : 0;
}

// Many messages contain names from a file, which may contain control characters.
__attribute__((format(printf, 2, 0))) static void complain(const char *program, const char *format,
							   va_list args)
{
	char message[8192];

	vsnprintf(message, sizeof(message), format, args);
	for (char *at = message; *at; at++)
		for (size_t size = cli_control_size(at); size > 0; size--)
			if (at[0] != '\n' || at[1] != ' ') // lists are indented
				at[size - 1] = '?';
	fflush(stdout);
	fprintf(stderr, "%s: %s\n", program, message);
}

void cli_complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain("inlinecall", format, args);
	va_end(args);
}

void cli_complain_as(const char *program, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain(program, format, args);
	va_end(args);
}

bool cli_is_near(const char *name, const char *other)
{
	size_t length = strlen(name), other_length = strlen(other), same = 0, same_end = 0;
	size_t least = length < other_length ? length : other_length;

	while (same < least && name[same] == other[same])
		same++;
	while (same_end < least - same &&
	       name[length - 1 - same_end] == other[other_length - 1 - same_end])
		same_end++;
	return length - same - same_end <= 1 && other_length - same - same_end <= 1;
}

static const char *named_command; // NULL if none

void cli_begin(const char *command)
{
	named_command = command;
}

enum cli_status cli_hint_at_help(void)
{
	fprintf(stderr, "Try 'inlinecall%s%s --help' for the options.\n", named_command ? " " : "",
		named_command ? named_command : "");
	return CLI_USAGE;
}

enum cli_status cli_usage_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain("inlinecall", format, args);
	va_end(args);
	return cli_hint_at_help();
}

static void put_name(const char *name, FILE *file)
{
	while (*name) {
		size_t size = cli_control_size(name);
		putc(size > 0 ? '?' : *name, file);
		name += size > 0 ? size : 1;
	}
}

void cli_print_name(const char *name)
{
	put_name(name, stdout);
}

const char *cli_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool read_number(const char *text, unsigned long least, unsigned long most,
			unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(text, &end, 10);
	return errno == 0 && end != text && *end == 0 && text[0] != '-' && *number >= least &&
	       *number <= most;
}

bool cli_parse_number(const char *text, const char *what, unsigned long least, unsigned long most,
		      unsigned long *number)
{
	if (read_number(text, least, most, number))
		return true;
	cli_usage_error("%s must be a number from %lu to %lu, not '%s'", what, least, most, text);
	return false;
}

bool cli_parse_limit(const char *text, unsigned long least, unsigned long *limit)
{
	if (strcmp(text, "all") == 0) {
		*limit = CLI_NO_LIMIT;
		return true;
	}
	if (read_number(text, least, CLI_NO_LIMIT - 1, limit))
		return true;
	cli_usage_error("--limit must be a number from %lu to %u, or 'all', not '%s'", least,
			CLI_NO_LIMIT - 1, text);
	return false;
}

size_t cli_find_word(const char *const *words, size_t count, const char *word)
{
	size_t i = 0;

	while (i < count && strcmp(words[i], word) != 0)
		i++;
	return i;
}

bool cli_hint_at_order(const char *operand, const char *order)
{
	struct stat status;

	if (stat(operand, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	cli_complain("'%s' is a file; the order of operands is %s", operand, order);
	return true;
}

void cli_write_failed(int os_error, const char *message)
{
	if (os_error == EPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
		_exit(128 + SIGPIPE);
	}
	fprintf(stderr, "inlinecall: %s\n", message);
	_exit(CLI_INCOMPLETE);
}

bool cli_use_colors(const char *when)
{
	const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if (strcmp(when, "auto") != 0)
		return strcmp(when, "always") == 0;
	return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
	       !(terminal && strcmp(terminal, "dumb") == 0);
}

enum cli_status cli_take_color(const char *when, bool *colors)
{
	if (!when)
		when = "always";
	if (strcmp(when, "always") != 0 && strcmp(when, "never") != 0 && strcmp(when, "auto") != 0)
		return cli_usage_error("--color must be always, never or auto, not '%s'", when);
	*colors = cli_use_colors(when);
	return CLI_ANSWERED;
}

enum cli_status cli_take_jobs(const char *text, uint32_t *jobs)
{
	unsigned long number;

	if (!cli_parse_number(text, "--jobs", 0, 64, &number))
		return CLI_USAGE;
	*jobs = (uint32_t)number;
	return CLI_ANSWERED;
}

enum cli_status cli_end_print(void)
{
	// A long text is written in parts: an earlier write may have failed.
	if (fflush(stdout) != 0 || ferror(stdout))
		cli_write_failed(errno, strerror(errno));
	return CLI_ANSWERED;
}

enum cli_status cli_print_version(void)
{
	printf("inlinecall %s\n", ic_version());
	return cli_end_print();
}

static double seconds_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void cli_progress_begin(struct cli_progress *progress, const char *what)
{
	*progress = (struct cli_progress){ .what = what, .started = seconds_now() };
}

// Starts another state of the progress line; returns false if it is too early for that.
static bool begin_line(struct cli_progress *progress)
{
	double time = seconds_now();

	if (time - progress->started < 1 || time - progress->shown < 0.1 || !isatty(STDERR_FILENO))
		return false;
	progress->shown = time;
	fputs("\r\033[K", stderr);
	put_name(progress->what, stderr);
	return true;
}

bool cli_progress_show(void *context, unsigned long long done, unsigned long long total)
{
	struct cli_progress *progress = context;

	if (!begin_line(progress))
		return true;
	double part = total ? (double)done / (double)total : 1;
	double parts = progress->parts ? (double)progress->parts : 1;
	fprintf(stderr, ": %.0f %%", 100 * ((double)progress->part + part) / parts);
	fflush(stderr);
	return true;
}

void cli_progress_show_download(struct cli_progress *progress, unsigned long long done,
				unsigned long long total)
{
	if (!begin_line(progress))
		return;
	fputs(": requesting its debug file", stderr);
	if (total > 0)
		fprintf(stderr, ": %.1f of %.1f MB", (double)done / 1e6, (double)total / 1e6);
	fflush(stderr);
}

void cli_progress_end(struct cli_progress *progress)
{
	if (progress->shown > 0)
		fputs("\r\033[K", stderr);
}
