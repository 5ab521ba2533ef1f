#include "compare/builds.h"

#include "base/cli.h"
#include "base/entry_parameters.h"
#include "compare/trees.h"

struct reader { // of a build
	struct cli_builds *builds;
	struct ic_build *build;
	struct cli_progress progress;
	unsigned long files; // added so far
	bool failed;         // memory ran out
};

// With the arguments of its copies, if these are wanted.
static bool add_index(struct reader *reader, struct ic_image *image, const struct ic_index *index,
		      struct ic_error *err)
{
	const struct ic_parameters_options options = { .lists = false };
	struct cli_builds *builds = reader->builds;
	struct cli_entry_parameters entry;

	if (!builds->index.parameters)
		return ic_build_add(reader->build, index, NULL, err);
	if (!cli_entry_parameters_open(&entry, image, index, &options, err))
		return false;
	bool ok = ic_build_add(reader->build, index, entry.parameters, err);
	builds->incomplete |= cli_entry_parameters_close(&entry, ic_image_path(image));
	return ok;
}

static bool add_image(void *context, struct ic_image *image)
{
	struct reader *reader = context;
	struct cli_builds *builds = reader->builds;
	struct ic_error err;

	cli_progress_begin(&reader->progress, ic_image_path(image));
	builds->index.progress = cli_progress_show;
	builds->index.progress_context = &reader->progress;
	struct ic_index *index = ic_index_build(image, &builds->index, &err);
	cli_progress_end(&reader->progress);
	if (index)
		builds->incomplete |= cli_files_print_index_problems(index, ic_image_path(image));
	if (!index || !add_index(reader, image, index, &err)) {
		cli_complain("%s", err.message);
		builds->incomplete = true;
		reader->failed = index != NULL;
	}
	reader->files += index != NULL;
	ic_index_free(index);
	ic_image_free(image);
	return !reader->failed;
}

static bool check_files(const struct reader *reader, const struct cli_tree *tree, const char *path)
{
	unsigned long count = tree->without_debug;

	reader->builds->incomplete |= tree->incomplete || count > 0;
	if (count == 1)
		cli_complain("%s: 1 file has no debug information and is not compared", path);
	else if (count > 1)
		cli_complain("%s: %lu files have no debug information and are not compared", path,
			     count);
	else if (reader->files == 0 && !reader->builds->incomplete)
		cli_complain("%s: no file with debug information", path);
	return reader->files > 0 && !reader->failed;
}

struct ic_build *cli_build_read(struct cli_builds *builds, const char *path)
{
	struct reader reader = { .builds = builds };
	struct cli_tree tree = { .files = &builds->files, .visit = add_image, .context = &reader };
	struct ic_error err;

	reader.build = ic_build_new(&err);
	if (!reader.build) {
		cli_complain("%s", err.message);
		builds->incomplete = true;
		return NULL;
	}
	cli_tree_visit(&tree, path);
	if (check_files(&reader, &tree, path))
		return reader.build;
	builds->incomplete = true;
	ic_build_free(reader.build);
	return NULL;
}
