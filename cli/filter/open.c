#include "filter/open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/match.h"
#include "filter/sysroot.h"

enum {
	MOST_OPENED = 64,  // for one text
	MOST_NAMED = 1024, // to try
	MOST_COMPLAINTS = 8,
	MOST_ID_DIGITS = 128,
};

// A file that the text names, or the reason why it is not open.
struct cli_filter_named {
	char *object, *build_id; // as in the text; the build ID may be empty
	struct cli_filter_file *file;
	char *why;    // NULL if it is open
	bool is_bare; // without a path
};

// Reports that memory ran out, and opens no more of the files that the text names.
static void complain_of_memory(struct cli_filter_files *files)
{
	cli_complain("out of memory");
	files->left_out = files->open_none = true;
}

static char *copy_span(struct ic_span span)
{
	return strndup(span.text ? span.text : "", span.size);
}

static bool is_text(struct ic_span span, const char *text)
{
	return span.text ? ic_span_is(span, text) : *text == 0;
}

static struct cli_filter_named *find_named(const struct cli_filter_files *files,
					   const struct ic_mention *mention)
{
	for (size_t i = 0; i < files->named_count; i++) {
		// Usually, the one named last is named again.
		size_t number = (files->named_last + i) % files->named_count;
		struct cli_filter_named *named = &files->named[number];
		if (is_text(mention->object, named->object) &&
		    is_text(mention->build_id, named->build_id))
			return named;
	}
	return NULL;
}

static struct cli_filter_named *add_named(struct cli_filter_files *files,
					  const struct ic_mention *mention)
{
	struct cli_filter_named *grown =
		realloc(files->named, (files->named_count + 1) * sizeof(*grown));

	if (!grown)
		return NULL;
	files->named = grown;
	struct cli_filter_named *named = &grown[files->named_count];
	*named = (struct cli_filter_named){ .object = copy_span(mention->object),
					    .build_id = copy_span(mention->build_id) };
	if (named->object && named->build_id) {
		files->named_count++;
		return named;
	}
	free(named->object);
	free(named->build_id);
	return NULL;
}

static bool fail_open(struct cli_filter_named *named, const char *why)
{
	free(named->why);
	named->why = strdup(why);
	return false;
}

// The path that the text gave for a program before.
static const char *learned_path(const struct cli_filter_files *files, const char *name)
{
	return files->executable && strcmp(cli_base_name(files->executable), name) == 0
		       ? files->executable
		       : NULL;
}

// Opens a regular file without waiting: a pipe of that name may have no writer, and opening a
// device may have side effects.
static int open_regular(const char *path, struct cli_filter_named *named)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		fail_open(named, strerror(errno));
		return -1;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	fail_open(named, "not a regular file");
	close(fd);
	return -1;
}

// Finds the same file, opened before for another mention.
static bool share_open(struct cli_filter_files *files, struct cli_filter_named *named,
		       const char *path)
{
	for (size_t i = 0; i < files->count; i++) {
		struct cli_filter_file *file = files->files[i];
		if (file->is_named && strcmp(ic_image_path(file->image), path) == 0 &&
		    (!named->build_id[0] || strcmp(named->build_id, file->build_id) == 0)) {
			named->file = file;
			return true;
		}
	}
	return false;
}

static bool take_image(struct cli_filter_files *files, struct cli_filter_named *named,
		       struct ic_image *image, struct ic_error *err)
{
	named->file = image ? cli_filter_files_add(files, image) : NULL;
	if (!image)
		return fail_open(named, err->message);
	if (!named->file)
		return fail_open(named, "out of memory");
	named->file->is_named = true;
	files->opened_count++;
	return true;
}

static bool open_path(struct cli_filter_files *files, struct cli_filter_named *named)
{
	char path[PATH_MAX];
	struct ic_error err;
	const char *name = strchr(named->object, '/') ? named->object
						      : learned_path(files, named->object);

	named->is_bare = !name;
	if (!name)
		return fail_open(named, "its path is not in the text; give it as a FILE");
	if (files->sysroot ? !cli_sysroot_path(files->sysroot, name, path, sizeof(path))
			   : strlen(name) >= sizeof(path))
		return fail_open(named, "the path is too long");
	if (!files->sysroot)
		strcpy(path, name);
	if (share_open(files, named, path))
		return true;
	int fd = open_regular(path, named);
	if (fd < 0)
		return false;
	struct ic_image *image = cli_files_open_quietly(files->opening, fd, path, &err);
	close(fd);
	return take_image(files, named, image, &err);
}

static bool open_build_id(struct cli_filter_files *files, struct cli_filter_named *named)
{
	uint8_t bytes[MOST_ID_DIGITS / 2];
	size_t digits = strlen(named->build_id);
	struct ic_error err;

	if (digits == 0 || digits % 2 != 0 || digits > MOST_ID_DIGITS)
		return false;
	for (size_t i = 0; i < digits; i += 2) {
		const char pair[] = { named->build_id[i], named->build_id[i + 1], 0 };
		bytes[i / 2] = (uint8_t)strtoul(pair, NULL, 16);
	}
	struct ic_image *image =
		ic_image_open_build_id(bytes, digits / 2, &files->opening->image, &err);
	return image && take_image(files, named, image, &err);
}

static void open_file(struct cli_filter_files *files, struct cli_filter_named *named)
{
	char why[256];

	if (files->opened_count >= MOST_OPENED) {
		fail_open(named, "too many files");
		return;
	}
	bool is_open = open_path(files, named);
	if (is_open && (!named->build_id[0] || !named->file->build_id[0] ||
			cli_filter_is_id(named->build_id, named->file->build_id)))
		return;
	if (is_open) {
		snprintf(why, sizeof(why), "from another build, whose build ID is %.100s",
			 named->file->build_id);
		fail_open(named, why);
		named->file = NULL;
	}
	if (open_build_id(files, named)) {
		free(named->why);
		named->why = NULL;
	}
}

// Whether a mention names a file that may be opened.
static bool names_file(const struct ic_mention *mention)
{
	struct ic_span object = mention->object;

	if (object.size == 0)
		return mention->build_id.size > 0 && !mention->module.text;
	return object.text[0] != '[' && object.size < PATH_MAX &&
	       !memchr(object.text, 0, object.size) && !ic_span_is(object, "inlined");
}

void cli_filter_open_named(struct cli_filter_files *files, const struct ic_mention *mention)
{
	files->named_file = NULL;
	if (files->open_none || !names_file(mention) || cli_filter_is_given(files, mention))
		return;
	struct cli_filter_named *named = find_named(files, mention);
	if (!named && files->named_count < MOST_NAMED) {
		named = add_named(files, mention);
		if (named)
			open_file(files, named);
		if (!named || (!named->file && !named->why))
			complain_of_memory(files);
	}
	if (!named)
		return;
	files->named_last = (size_t)(named - files->named);
	files->named_file = named->file;
}

void cli_filter_open_learn(struct cli_filter_files *files, struct ic_span line)
{
	static const char lead[] = "Executable: /";
	const char *first = memchr(line.text, *lead, line.size); // a quick check: few lines have it
	const char *found = first && !files->open_none
				    ? memmem(line.text, line.size, lead, sizeof(lead) - 1)
				    : NULL;

	if (!found)
		return;
	const char *path = found + sizeof(lead) - 2, *end = line.text + line.size;
	free(files->executable);
	files->executable = strndup(path, (size_t)(end - path));
	if (!files->executable)
		complain_of_memory(files);
}

bool cli_filter_open_complain(const struct cli_filter_files *files, bool is_anything_found)
{
	size_t count = 0;

	for (size_t i = 0; i < files->named_count; i++) {
		const struct cli_filter_named *named = &files->named[i];
		if (!named->why || (named->is_bare && is_anything_found))
			continue;
		if (++count <= MOST_COMPLAINTS)
			cli_complain("skipped a file named in the text: %.200s: %s",
				     named->object[0] ? named->object : named->build_id,
				     named->why);
	}
	if (count > MOST_COMPLAINTS)
		cli_complain("and %zu more files", count - MOST_COMPLAINTS);
	return count > 0;
}

void cli_filter_open_deinit(struct cli_filter_files *files)
{
	for (size_t i = 0; i < files->named_count; i++) {
		free(files->named[i].object);
		free(files->named[i].build_id);
		free(files->named[i].why);
	}
	free(files->named);
	free(files->executable);
}
