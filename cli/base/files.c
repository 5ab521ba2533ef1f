#include "base/files.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/members.h"

void cli_files_init(struct cli_files *files)
{
	*files = (struct cli_files){ .ask_servers = false };
	files->image.debug_dirs = files->debug_dirs;
	files->image.dwo_dirs = files->dwo_dirs;
}

static enum cli_status take_dir(const char **dirs, size_t *count, const char *option,
				const char *dir)
{
	if (*count == CLI_FILES_MOST_DIRS)
		return cli_usage_error("more than %d %s options", CLI_FILES_MOST_DIRS, option);
	dirs[(*count)++] = dir;
	return CLI_ANSWERED;
}

static enum cli_status take_servers(struct cli_files *files, const char *seconds)
{
	unsigned long number = 90;

	if (seconds && !cli_parse_number(seconds, "--debuginfod", 1, 86400, &number))
		return CLI_USAGE;
	files->ask_servers = true;
	files->servers.seconds = (uint32_t)number;
	return CLI_ANSWERED;
}

static enum cli_status take_max_memory(struct cli_files *files, const char *text)
{
	static const char letters[] = "KMGT";
	char *end;

	errno = 0;
	unsigned long long number = strtoull(text, &end, 10), size = number;
	const char *letter = *end ? strchr(letters, toupper((unsigned char)*end)) : NULL;
	unsigned shift = letter ? 10 * (unsigned)(letter - letters + 1) : 0;

	size <<= shift;
	if (errno != 0 || text[0] < '0' || text[0] > '9' || number == 0 ||
	    size >> shift != number || (*end && (!letter || end[1])))
		return cli_usage_error("--max-memory must be a size such as 800M or 2G, not '%s'",
				       text);
	files->image.max_memory = size;
	return CLI_ANSWERED;
}

static enum cli_status take_source(struct cli_files *files, const char *word)
{
	static const char *const words[] = { [IC_IMAGE_SOURCE_AUTO] = "auto",
					     [IC_IMAGE_SOURCE_DWARF] = "dwarf",
					     [IC_IMAGE_SOURCE_GO] = "go" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(word, words[i]) != 0)
			continue;
		files->image.source = (enum ic_image_source)i;
		return CLI_ANSWERED;
	}
	return cli_usage_error("--source must be auto, dwarf or go, not '%s'", word);
}

bool cli_files_take(struct cli_files *files, enum cli_option option, const char *argument,
		    enum cli_status *status)
{
	*status = CLI_ANSWERED;
	switch (option) {
	case CLI_OPTION_SOURCE: *status = take_source(files, argument); return true;
	case CLI_OPTION_DEBUG_DIR:
		*status = take_dir(files->debug_dirs, &files->image.debug_dir_count, "--debug-dir",
				   argument);
		return true;
	case CLI_OPTION_DWO_DIR:
		*status = take_dir(files->dwo_dirs, &files->image.dwo_dir_count, "--dwo-dir",
				   argument);
		return true;
	case CLI_OPTION_DWP: files->image.dwp_path = argument; return true;
	case CLI_OPTION_DEBUGINFOD: *status = take_servers(files, argument); return true;
	case CLI_OPTION_MAX_MEMORY: *status = take_max_memory(files, argument); return true;
	default: return false;
	}
}

static bool show_download(void *context, const char *name, unsigned long long done,
			  unsigned long long total)
{
	struct cli_progress *progress = context;

	progress->what = name; // valid only during this call
	cli_progress_show_download(progress, done, total);
	return true;
}

// With libdebuginfod 0.192, a request cannot be cancelled before a server has responded; this
// variable limits its time. Only a program may set it: in a library, other threads might be reading
// the environment.
static void limit_request(uint32_t seconds)
{
	char text[16];

	snprintf(text, sizeof(text), "%" PRIu32, seconds);
	setenv("DEBUGINFOD_MAXTIME", text, false);
}

enum cli_status cli_files_begin(struct cli_files *files)
{
	struct ic_error err;

	if (!files->ask_servers)
		return CLI_ANSWERED;
	limit_request(files->servers.seconds);
	files->servers.progress = show_download;
	files->servers.progress_context = &files->download;
	files->image.debuginfod = ic_debuginfod_open(&files->servers, &err);
	if (files->image.debuginfod)
		return CLI_ANSWERED;
	if (err.code == IC_ERROR_UNSUPPORTED)
		return cli_usage_error("--debuginfod: inlinecall was %s", err.message);
	cli_complain("%s", err.message);
	return CLI_INCOMPLETE;
}

bool cli_files_add_debug_dir(struct cli_files *files, const char *root, const char *below)
{
	size_t *count = &files->image.debug_dir_count;
	char **place = &files->added_dirs[files->added_count];

	if (asprintf(place, "%s%s", root, below) < 0) {
		cli_complain("out of memory");
		return false;
	}
	files->added_count++;
	files->debug_dirs[(*count)++] = *place;
	return true;
}

void cli_files_end(struct cli_files *files)
{
	for (size_t i = 0; i < files->added_count; i++)
		free(files->added_dirs[i]);
	ic_debuginfod_free(files->image.debuginfod);
}

struct ic_image *cli_files_open(struct cli_files *files, const char *path, struct ic_error *err)
{
	cli_progress_begin(&files->download, path);
	struct ic_image *image = ic_image_open(path, &files->image, err);
	cli_progress_end(&files->download);
	return image;
}

// Whether to retry opening a file for its symbols after this failure, and with which options. No
// server is asked twice.
static bool allow_no_debug(struct cli_files *files, enum ic_error_code failure,
			   struct ic_image_options *options)
{
	if (!files->symbols_do || (failure != IC_ERROR_NO_DEBUG && failure != IC_ERROR_MALFORMED))
		return false;
	files->lacks_debug = true;
	*options = files->image;
	options->debuginfod = NULL;
	options->allow_no_debug = true;
	return true;
}

// An address is meaningless without its member, so there must be exactly one.
static struct ic_image *open_member(struct cli_files *files, struct cli_members *members,
				    const char *path)
{
	if (!ic_members_name(members->members)) {
		cli_complain("%s is an archive; name one member, as in '%s(member.o)'", path, path);
		return NULL;
	}
	if (cli_members_are_several(members)) {
		cli_complain("%s: more than one member has this name", path);
		return NULL;
	}
	struct ic_image_options options;
	struct ic_image *image = cli_members_next(members, &files->image);
	if (!image && !members->complained)
		cli_members_check(members); // prints the reason
	if (image || !allow_no_debug(files, members->failure, &options))
		return image;
	ic_members_rewind(members->members);
	return cli_members_next(members, &options);
}

struct ic_image *cli_files_open_symbols(struct cli_files *files, const char *path,
					const struct ic_error *err)
{
	struct ic_image_options options;
	struct ic_error unwanted;

	if (!allow_no_debug(files, err->code, &options))
		return NULL;
	struct ic_image *image = ic_image_open(path, &options, &unwanted);
	if (image && err->code == IC_ERROR_NO_DEBUG) // otherwise it is a problem of the image
		cli_complain("%s", err->message);
	return image;
}

struct ic_image *cli_files_open_other(struct cli_files *files, const char *path,
				      struct ic_error *err)
{
	struct cli_members members;

	if (!cli_members_begin(&members, path, err)) {
		struct ic_image *image = cli_files_open_symbols(files, path, err);
		if (!image)
			cli_complain("%s", err->message);
		return image;
	}
	struct ic_image *image = open_member(files, &members, path);
	cli_members_end(&members);
	return image;
}

struct ic_image *cli_files_open_one(struct cli_files *files, const char *path)
{
	struct ic_error err;
	struct ic_image *image = cli_files_open(files, path, &err);

	return image ? image : cli_files_open_other(files, path, &err);
}

struct ic_image *cli_files_open_quietly(struct cli_files *files, int fd, const char *path,
					struct ic_error *err)
{
	struct ic_image_options options = files->image;

	cli_progress_begin(&files->download, path);
	struct ic_image *image = ic_image_open_fd(fd, path, &options, err);
	cli_progress_end(&files->download);
	if (image || (err->code != IC_ERROR_NO_DEBUG && err->code != IC_ERROR_MALFORMED))
		return image;
	options.debuginfod = NULL; // it has been asked
	options.allow_no_debug = true;
	return ic_image_open_fd(fd, path, &options, err);
}

bool cli_files_print_problem(const struct ic_index_problem *problem, const char *path)
{
	static bool is_noted; // the note is printed only once

	if (!problem->is_note || !is_noted)
		cli_complain("%s: %s", problem->file ? problem->file : path, problem->message);
	is_noted |= problem->is_note;
	return !problem->is_note;
}

bool cli_files_print_index_problems(const struct ic_index *index, const char *path)
{
	struct ic_index_problem problem;
	bool any = false;

	for (size_t i = 0; ic_index_problem_get(index, i, &problem); i++)
		any |= cli_files_print_problem(&problem, path);
	return any;
}

bool cli_files_print_parameter_problems(const struct ic_parameters *parameters, const char *path)
{
	struct ic_index_problem problem;
	bool any = false;

	for (size_t i = 0; ic_parameters_problem_get(parameters, i, &problem); i++)
		any |= cli_files_print_problem(&problem, path);
	return any;
}

bool cli_files_print_problems(struct ic_symbolizer *symbolizer, const char *path)
{
	struct ic_index_problem problem;
	bool any = false;

	for (size_t i = 0; ic_symbolizer_problem_get(symbolizer, i, &problem); i++)
		any |= cli_files_print_problem(&problem, path);
	return any;
}

bool cli_files_is_symbol_file(struct ic_image *image)
{
	const void *bytes;
	size_t size;

	return ic_image_section(image, ".gsym", &bytes, &size, NULL) ||
	       ic_image_section(image, ".breakpad", &bytes, &size, NULL);
}
