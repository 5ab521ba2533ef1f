#include "filter/match.h"

#include <string.h>

static bool is_module(const struct cli_filter_file *file, struct ic_span name)
{
	return ic_module_name_is(file->module, name);
}

// Also matches "libc.so.6" with "/usr/lib/debug/usr/lib/libc.so.6.debug".
static bool is_path_of(const struct cli_filter_file *file, struct ic_span object)
{
	const char *slash = memrchr(object.text, '/', object.size);
	const char *base = slash ? slash + 1 : object.text;
	size_t size = object.size - (size_t)(base - object.text);

	return size > 0 && strncmp(file->base_name, base, size) == 0 &&
	       (!file->base_name[size] || strcmp(file->base_name + size, ".debug") == 0);
}

// Whether this is perf's name of the file: "[kernel.kallsyms]", "[xfs]" or a path.
static bool is_object(const struct cli_filter_file *file, struct ic_span object)
{
	char name[128];

	if (ic_span_begins(object, "[kernel.kallsyms]") || ic_span_is(object, "[kernel.vmlinux]") ||
	    ic_span_is(object, "[kernel]"))
		return file->is_kernel;
	if (object.size > 2 && object.text[0] == '[')
		return is_module(file, (struct ic_span){ object.text + 1, object.size - 2 });
	if (is_path_of(file, object))
		return true;
	if (ic_module_name(object.text, object.size, name, sizeof(name)))
		return is_module(file, (struct ic_span){ name, strlen(name) });
	const char *slash = memrchr(object.text, '/', object.size);
	size_t lead = slash ? (size_t)(slash + 1 - object.text) : 0;
	struct ic_span base = { object.text + lead, object.size - lead };
	return file->is_kernel && ic_span_begins(base, "vmlinux");
}

static bool is_same_id(struct ic_span text, const char *own)
{
	for (size_t i = 0; i < text.size; i++) {
		char digit = text.text[i] >= 'A' && text.text[i] <= 'F'
				     ? (char)(text.text[i] - 'A' + 'a')
				     : text.text[i];
		if (*own ? digit != *own++ : digit != '0') // kernels pad it to 20 bytes
			return false;
	}
	return true;
}

bool cli_filter_is_id(const char *text, const char *own)
{
	return is_same_id((struct ic_span){ text, strlen(text) }, own);
}

// Whether the text has the file's build ID; not for a module, for which the name decides.
static bool has_id(const struct cli_filter_file *file, const struct ic_mention *mention)
{
	return mention->build_id.size > 0 && !mention->module.text && file->build_id[0] &&
	       is_same_id(mention->build_id, file->build_id);
}

// Whether the mention names the file, by its name or build ID.
static bool is_meant(const struct cli_filter_files *files, const struct cli_filter_file *file,
		     const struct ic_mention *mention)
{
	if (file->is_named)
		return file == files->named_file;
	return has_id(file, mention) || (mention->object.text && is_object(file, mention->object));
}

bool cli_filter_is_other_build(const struct cli_filter_files *files,
			       const struct cli_filter_file *file, const struct ic_mention *mention)
{
	struct ic_span said = { NULL, 0 };

	if (mention->object.text || is_module(file, mention->module) ||
	    (file->is_kernel && ic_span_is(mention->module, "vmlinux")))
		said = mention->build_id;
	else if (file->is_kernel)
		said = (struct ic_span){ files->kernel.build_id, strlen(files->kernel.build_id) };
	return said.size > 0 && file->build_id[0] && !is_same_id(said, file->build_id);
}

bool cli_filter_is_given(const struct cli_filter_files *files, const struct ic_mention *mention)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct cli_filter_file *file = files->files[i];
		if (!file->is_named && is_meant(files, file, mention) &&
		    !cli_filter_is_other_build(files, file, mention))
			return true;
	}
	return false;
}

bool cli_filter_may_have_symbol(const struct cli_filter_files *files,
				const struct cli_filter_file *file,
				const struct ic_mention *mention)
{
	if (!cli_filter_file_is_current(files, file))
		return false;
	if (mention->object.text || file->is_named)
		return is_meant(files, file, mention);
	if (ic_span_is(mention->module, "vmlinux"))
		return file->is_kernel;
	if (mention->module.text)
		return is_module(file, mention->module);
	// A kernel prints the module of each symbol that is not its own.
	return !files->has_kernel || !file->module[0];
}

void cli_filter_need_modules(struct cli_filter_files *files, const struct ic_mention *mention)
{
	struct ic_span object = mention->object;
	char name[CLI_MODULE_NAME_SIZE];

	if (mention->module.text) {
		if (!ic_span_is(mention->module, "vmlinux"))
			cli_filter_files_need_module(files, mention->module, false);
	} else if (object.size > 2 && object.text[0] == '[') {
		struct ic_span module = { object.text + 1, object.size - 2 };
		cli_filter_files_need_module(files, module, true);
	} else if (object.text && ic_module_name(object.text, object.size, name, sizeof(name))) {
		cli_filter_files_need_module(files, (struct ic_span){ name, strlen(name) }, true);
	} else if (!object.text && !files->has_kernel) {
		cli_filter_files_need_named(files);
	}
}

bool cli_filter_knows_id(const struct cli_filter_files *files, const struct ic_mention *mention)
{
	for (size_t i = 0; i < files->count; i++)
		if (is_meant(files, files->files[i], mention) && has_id(files->files[i], mention))
			return true;
	return false;
}

bool cli_filter_may_have_addr(const struct cli_filter_files *files,
			      const struct cli_filter_file *file, const struct ic_mention *mention)
{
	if (!cli_filter_file_is_current(files, file))
		return false;
	bool is_of_one = mention->object.text || file->is_named ||
			 (mention->build_id.size > 0 && !mention->module.text);
	return !is_of_one || is_meant(files, file, mention);
}
