#include "filter/files.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { // where to look for modules, in this order
	STAGE_NAMED,
	STAGE_DIRECTORY, // a directory that was given
	STAGE_RELEASE,   // where distributions put the modules of a release
	STAGE_COUNT,
	MOST_COPIES = 8, // of one module, which may be from different releases
};

// Load addresses.

bool cli_filter_file_is_placed(const struct cli_filter_file *file)
{
	return cli_running_is_known(file->placement);
}

static void forget_place(struct cli_filter_file *file)
{
	ic_placement_free(file->placement);
	file->placement = NULL;
	file->is_learned = false;
}

bool cli_filter_file_place(struct cli_filter_file *file, uint64_t kernel_start)
{
	struct ic_error err;

	forget_place(file);
	file->placement = ic_placement_new(kernel_start, file->kernel_start, &err);
	if (!file->placement)
		cli_complain("%s", err.message);
	return file->is_learned = file->placement != NULL;
}

bool cli_filter_file_find(const struct cli_filter_file *file, uint64_t loaded, uint64_t *addr)
{
	if (cli_filter_file_is_placed(file))
		return ic_placement_addr(file->placement, loaded, addr);
	*addr = loaded;
	return !file->is_relocatable;
}

// Opening.

// Gets "6.1.0-56-amd64" from
// "/usr/lib/debug/lib/modules/6.1.0-56-amd64/kernel/fs/xfs/xfs.ko.debug".
static void find_release(const char *path, char *release)
{
	static const char lead[] = "/lib/modules/";
	const char *found = strstr(path, lead);
	const char *start = found ? found + strlen(lead) : path;
	size_t size = found ? strcspn(start, "/") : 0;

	if (size >= CLI_RELEASE_SIZE)
		size = 0;
	memcpy(release, start, size);
	release[size] = 0;
}

static void copy_build_id(struct cli_filter_file *file)
{
	const uint8_t *bytes;
	size_t size = ic_image_build_id(file->image, &bytes);

	for (size_t i = 0; i < size && 2 * i + 2 < sizeof(file->build_id); i++)
		snprintf(file->build_id + 2 * i, 3, "%02x", bytes[i]);
}

// Finds the file's load address, and whether it is a kernel or a module. Prints an error and
// returns false on failure.
static bool place_file(struct cli_filter_file *file, struct cli_running *running)
{
	const char *path = ic_image_path(file->image);
	struct ic_symbolizer_symbol text;

	file->placement = cli_running_place(running, file->image, file->symbolizer);
	if (!file->placement)
		return false;
	file->is_kernel = !file->is_relocatable &&
			  (ic_symbolizer_symbol_find(file->symbolizer, "_text", 0, &text) ||
			   ic_symbolizer_symbol_find(file->symbolizer, "_stext", 0, &text));
	if (file->is_kernel)
		file->kernel_start = text.start;
	if (file->is_relocatable &&
	    !ic_module_name(path, strlen(path), file->module, sizeof(file->module)))
		file->module[0] = 0;
	return true;
}

static void close_file(struct cli_filter_file *file)
{
	ic_call_frame_reader_free(file->reader);
	ic_call_frames_free(file->call_frames);
	ic_placement_free(file->placement);
	ic_symbolizer_free(file->symbolizer);
	ic_image_free(file->image);
	free(file);
}

static bool append_file(struct cli_filter_files *files, struct cli_filter_file *file)
{
	struct cli_filter_file **grown =
		realloc(files->files, (files->count + 1) * sizeof(*files->files));

	if (!grown) {
		cli_complain("out of memory");
		return false;
	}
	files->files = grown;
	files->files[files->count++] = file;
	return true;
}

struct cli_filter_file *cli_filter_files_add(struct cli_filter_files *files, struct ic_image *image)
{
	struct cli_filter_file *file = calloc(1, sizeof(*file));
	struct ic_error err;

	if (!file) {
		cli_complain("out of memory");
		ic_image_free(image);
		return NULL;
	}
	file->image = image;
	file->base_name = cli_base_name(ic_image_path(image));
	file->symbolizer = ic_symbolizer_new(image, files->options, &err);
	if (!file->symbolizer)
		cli_complain("%s", err.message);
	if (file->symbolizer && append_file(files, file)) {
		file->is_relocatable = ic_image_is_relocatable(file->image);
		copy_build_id(file);
		return file;
	}
	close_file(file);
	return NULL;
}

// NULL after a complaint.
static struct cli_filter_file *open_file(struct cli_filter_files *files, const char *path)
{
	struct ic_image *image = cli_files_open_one(files->opening, path);

	return image ? cli_filter_files_add(files, image) : NULL;
}

static bool take_directory(struct cli_filter_files *files, const char *path)
{
	const char **grown = realloc(files->directories,
				     (files->directory_count + 1) * sizeof(*files->directories));

	if (!grown) {
		cli_complain("out of memory");
		return false;
	}
	files->directories = grown;
	files->directories[files->directory_count++] = path;
	return true;
}

// Prints an error and returns false if the file cannot be read.
static bool take_path(struct cli_filter_files *files, const char *path)
{
	char module[CLI_MODULE_NAME_SIZE];
	struct ic_error err;
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return take_directory(files, path);
	if (!ic_module_name(path, strlen(path), module, sizeof(module)))
		return open_file(files, path) != NULL;
	if (access(path, R_OK) != 0)
		cli_complain("%s: cannot open: %s", path, strerror(errno));
	else if (ic_module_files_add(files->modules, path, STAGE_NAMED, &err))
		return true;
	else
		cli_complain("%s", err.message);
	return false;
}

// Modules.

bool cli_filter_file_is_current(const struct cli_filter_files *files,
				const struct cli_filter_file *file)
{
	return !file->release[0] || !files->kernel.release[0] ||
	       strcmp(file->release, files->kernel.release) == 0;
}

// Whether modules of the text's release have been found before.
static bool has_release(const struct cli_filter_files *files)
{
	char release[CLI_RELEASE_SIZE];

	for (size_t i = 0; i < ic_module_files_count(files->modules); i++) {
		const struct ic_module_file *module = ic_module_files_get(files->modules, i);
		if (module->rank != STAGE_RELEASE)
			continue;
		find_release(module->path, release);
		if (strcmp(release, files->kernel.release) == 0)
			return true;
	}
	return false;
}

static void complain_left_out(void *context, const char *directory, const struct ic_error *err)
{
	(void)context;
	(void)directory; // the message begins with it
	cli_complain("%s", err->message);
}

static void add_directory(struct cli_filter_files *files, const char *path, unsigned stage)
{
	files->left_out |= !ic_module_files_add_directory(files->modules, path, stage,
							  complain_left_out, NULL);
}

static void look_for_modules(struct cli_filter_files *files, unsigned stage)
{
	const struct ic_image_options *image = &files->opening->image;
	char path[PATH_MAX];

	for (size_t i = 0; stage == STAGE_DIRECTORY && i < files->directory_count; i++)
		add_directory(files, files->directories[i], STAGE_DIRECTORY);
	if (stage != STAGE_RELEASE || !files->kernel.release[0] || has_release(files))
		return;
	for (size_t i = 0; i < image->debug_dir_count + 2; i++) {
		const char *root = i < image->debug_dir_count    ? image->debug_dirs[i]
				   : i == image->debug_dir_count ? "/usr/lib/debug"
								 : "";
		int size = snprintf(path, sizeof(path), "%s/lib/modules/%s", root,
				    files->kernel.release);
		if (size > 0 && (size_t)size < sizeof(path))
			add_directory(files, path, STAGE_RELEASE);
	}
}

// Opens the files of a module found at this stage; returns their number.
static size_t open_modules(struct cli_filter_files *files, struct ic_span name, unsigned stage)
{
	size_t count, found = 0;
	struct ic_module_file *paths = ic_module_files_find(files->modules, name, &count);
	char release[CLI_RELEASE_SIZE] = "";

	for (size_t i = 0; i < count && found < MOST_COPIES; i++) {
		if (paths[i].rank != stage)
			continue;
		if (stage != STAGE_NAMED)
			find_release(paths[i].path, release);
		if (release[0] && files->kernel.release[0] &&
		    strcmp(release, files->kernel.release) != 0)
			continue;
		found++;
		if (paths[i].is_taken)
			continue;
		paths[i].is_taken = true;
		struct cli_filter_file *file = open_file(files, paths[i].path);
		if (file)
			strcpy(file->release, release);
		if (file && !place_file(file, files->running))
			files->misplaced = true;
		files->left_out |= !file || files->misplaced;
	}
	return found;
}

// Tries one stage after another until the module is found.
static bool find_module(struct cli_filter_files *files, struct ic_span name, unsigned most_stage)
{
	for (size_t i = 0; i < files->count; i++)
		if (files->files[i]->module[0] && !files->files[i]->release[0] &&
		    ic_module_name_is(files->files[i]->module, name))
			return true;
	for (unsigned stage = STAGE_NAMED; stage <= most_stage; stage++) {
		if (stage > files->stage) {
			files->stage = stage;
			look_for_modules(files, stage);
		}
		if (open_modules(files, name, stage) > 0)
			return true;
	}
	return false;
}

void cli_filter_files_need_module(struct cli_filter_files *files, struct ic_span name,
				  bool optional)
{
	size_t size = strlen(files->missing);
	char entry[72];

	if (find_module(files, name, STAGE_RELEASE) || optional)
		return;
	snprintf(entry, sizeof(entry), " [%.*s]", name.size > 64 ? 64 : (int)name.size, name.text);
	if (!strstr(files->missing, entry) && size + strlen(entry) < sizeof(files->missing))
		strcpy(files->missing + size, entry);
}

void cli_filter_files_need_named(struct cli_filter_files *files)
{
	for (size_t i = 0; i < ic_module_files_count(files->modules); i++) {
		const struct ic_module_file *file = ic_module_files_get(files->modules, i);
		if (file->rank == STAGE_NAMED && !file->is_taken)
			find_module(files, (struct ic_span){ file->name, strlen(file->name) },
				    STAGE_NAMED);
	}
}

struct loaded_search {
	struct cli_filter_files *files;
	unsigned most_stage;
};

static void need_one(void *context, const char *name)
{
	const struct loaded_search *search = context;

	find_module(search->files, (struct ic_span){ name, strlen(name) }, search->most_stage);
}

void cli_filter_files_need_loaded(struct cli_filter_files *files)
{
	struct loaded_search search = { files, STAGE_RELEASE };

	if (files->has_loaded)
		return;
	files->has_loaded = true;
	cli_running_list_modules(files->running, need_one, &search);
}

// Facts from the text.

static void copy_span(char *text, size_t capacity, struct ic_span span)
{
	size_t size = span.size < capacity ? span.size : 0;

	memcpy(text, span.text ? span.text : "", size);
	text[size] = 0;
}

static void learn_release(struct cli_filter_files *files, const struct ic_kernel_fact *fact)
{
	char release[CLI_RELEASE_SIZE];

	copy_span(files->kernel.build_id, sizeof(files->kernel.build_id), fact->build_id);
	copy_span(release, sizeof(release), fact->release);
	if (strcmp(release, files->kernel.release) == 0 || release[0] == '.')
		return;
	strcpy(files->kernel.release, release);
	if (files->stage == STAGE_RELEASE) // of the previous release
		files->stage = STAGE_DIRECTORY;
}

void cli_filter_files_learn(struct cli_filter_files *files, const struct ic_kernel_fact *fact)
{
	if (fact->kind == IC_KERNEL_RELEASE || fact->kind == IC_KERNEL_BOOT)
		learn_release(files, fact);
	for (size_t i = 0; i < files->count; i++) {
		struct cli_filter_file *file = files->files[i];
		bool is_learnable = file->is_kernel &&
				    (!cli_filter_file_is_placed(file) || file->is_learned);
		if (is_learnable && fact->kind == IC_KERNEL_BOOT) {
			forget_place(file);
		} else if (is_learnable && fact->kind == IC_KERNEL_OFFSET) {
			cli_filter_file_place(file, file->kernel_start + fact->offset);
		}
	}
}

// All files.

// Rejects options that apply to one file if there are several it could be.
static bool check_options(const struct cli_filter_files *files, const struct cli_running *running)
{
	size_t linked = 0, relocatable = 0, placed = 0;

	for (size_t i = 0; i < ic_module_files_count(files->modules); i++)
		relocatable += !ic_module_files_get(files->modules, i)->is_taken;
	for (size_t i = 0; i < files->count; i++) {
		files->files[i]->is_relocatable ? relocatable++ : linked++;
		placed += cli_filter_file_is_placed(files->files[i]);
	}
	if (running->options.has_base && linked > 1)
		cli_complain("--base applies to a single file, but there are %zu linked files",
			     linked);
	else if (running->options.section_count > 0 && relocatable > 1)
		cli_complain("--section-addr applies to a single file, but there are %zu "
			     "relocatable files",
			     relocatable);
	else if (cli_running_is_given(running) && placed == 0 && files->count > 0 &&
		 files->directory_count == 0)
		cli_running_complain(running, files->files[0]->image, files->files[0]->placement);
	else
		return true;
	return false;
}

// Finds the load addresses of the files, according to the options. Opens only those modules that
// are loaded; if that leaves no file at all, the first one, whose placement tells why.
static bool place_files(struct cli_filter_files *files, struct cli_running *running)
{
	struct loaded_search search = { files, STAGE_NAMED };

	for (size_t i = 0; i < files->count; i++) {
		if (!place_file(files->files[i], running))
			return false;
		files->has_kernel |= files->files[i]->is_kernel;
	}
	if (!cli_running_is_given(running) || ic_module_files_count(files->modules) == 0)
		return true;
	if (running->options.section_count > 0 && ic_module_files_count(files->modules) == 1)
		cli_filter_files_need_named(files);
	else if (!cli_running_list_modules(running, need_one, &search))
		return false;
	if (files->count == 0)
		need_one(&search, ic_module_files_get(files->modules, 0)->name);
	return !files->misplaced;
}

bool cli_filter_files_open(struct cli_filter_files *files, char *const *paths, size_t count,
			   struct cli_files *opening, struct cli_running *running,
			   const struct ic_symbolizer_options *options)
{
	struct ic_error err;

	files->opening = opening;
	files->running = running;
	files->options = options;
	files->modules = ic_module_files_new(&err);
	if (!files->modules) {
		cli_complain("%s", err.message);
		return false;
	}
	for (size_t i = 0; i < count; i++)
		files->left_out |= !take_path(files, paths[i]);
	if (count > 0 &&
	    files->count + ic_module_files_count(files->modules) + files->directory_count == 0)
		return false;
	return place_files(files, running) && check_options(files, running);
}

void cli_filter_files_deinit(struct cli_filter_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		close_file(files->files[i]);
	ic_module_files_free(files->modules);
	free(files->directories);
	free(files->last.frames);
	free(files->last.others);
	free(files->files);
	*files = (struct cli_filter_files){ .files = NULL };
}
