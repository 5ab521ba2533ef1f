#include "compare/builds.h"

#include "base/cli.h"
#include "base/trees.h"

struct reader { // of a build
	struct cli_builds *builds;
	struct ic_build *build;
	struct cli_progress progress;
	unsigned long files; // read so far
};

// ---- Adding to a build

static void *run_adder(void *context)
{
	struct cli_build_adder *adder = context;

	adder->ok = ic_build_add(adder->build, adder->index, adder->entry.parameters, &adder->err);
	return NULL;
}

static void fail_reading(struct cli_builds *builds, const struct ic_error *err)
{
	cli_complain("%s", err->message);
	builds->incomplete = builds->failed = true;
}

static void end_adder(struct cli_builds *builds)
{
	struct cli_build_adder *adder = &builds->adder;

	if (!adder->index)
		return;
	if (adder->has_thread)
		pthread_join(adder->thread, NULL);
	if (adder->entry.parameters)
		builds->incomplete |=
			cli_entry_parameters_close(&adder->entry, ic_image_path(adder->image));
	if (!adder->ok)
		fail_reading(builds, &adder->err);
	ic_index_free(adder->index);
	ic_image_free(adder->image);
	*adder = (struct cli_build_adder){ .index = NULL };
}

// Starts to add an index to a build, with the arguments of its copies if these are wanted. Takes it
// and its image over.
static void start_adder(struct reader *reader, struct ic_image *image, struct ic_index *index)
{
	const struct ic_parameters_options options = { .lists = false };
	struct cli_builds *builds = reader->builds;
	struct cli_build_adder *adder = &builds->adder;

	*adder = (struct cli_build_adder){ .build = reader->build, .index = index, .image = image };
	if (builds->index.parameters &&
	    !cli_entry_parameters_open(&adder->entry, image, index, &options, &adder->err))
		return;
	adder->has_thread = builds->index.jobs != 1 &&
			    pthread_create(&adder->thread, NULL, run_adder, adder) == 0;
	if (adder->has_thread)
		return;
	run_adder(adder);
	end_adder(builds);
}

// ---- Files

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
	end_adder(builds); // whose messages come first
	if (!index) {
		cli_complain("%s", err.message);
		builds->incomplete = true;
		ic_image_free(image);
		return !builds->failed;
	}
	builds->incomplete |= cli_files_print_index_problems(index, ic_image_path(image));
	reader->files++;
	start_adder(reader, image, index);
	return !builds->failed;
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
	return reader->files > 0 && !reader->builds->failed;
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
	end_adder(builds);
	builds->incomplete = true;
	ic_build_free(reader.build);
	return NULL;
}

bool cli_builds_end(struct cli_builds *builds)
{
	end_adder(builds);
	return !builds->failed;
}
