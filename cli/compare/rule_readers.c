#include "compare/rule_readers.h"

#include "base/files.h"

bool cli_rule_readers_open(struct cli_rule_readers *opened, const struct ic_rule_needs *needs,
			   struct ic_image *image, const struct ic_index *index,
			   struct ic_error *err)
{
	const struct ic_parameters_options options = { .lists = false };
	struct ic_rule_readers *readers = &opened->readers;

	*opened = (struct cli_rule_readers){ .readers = { .parameters = NULL } };
	if (needs->parameters) {
		if (!cli_entry_parameters_open(&opened->entry, image, index, &options, err))
			return false;
		readers->parameters = opened->entry.parameters;
	}
	if (needs->call_frames) {
		readers->call_frames = ic_call_frames_open(image, err);
		// Without any, rules about them are unknown.
		if (!readers->call_frames && err->code != IC_ERROR_NOT_FOUND)
			return false;
	}
	if (needs->symbolizer) {
		readers->symbolizer = ic_symbolizer_new(image, NULL, err);
		if (!readers->symbolizer)
			return false;
	}
	return true;
}

bool cli_rule_readers_close(struct cli_rule_readers *opened, const char *path)
{
	struct ic_call_frames *frames = opened->readers.call_frames;
	struct ic_symbolizer *symbolizer = opened->readers.symbolizer;
	struct ic_index_problem problem;
	bool any = false;

	for (size_t i = 0; frames && ic_call_frames_problem_get(frames, i, &problem); i++)
		any |= cli_files_print_problem(&problem, path);
	if (symbolizer)
		any |= cli_files_print_problems(symbolizer, path);
	ic_call_frames_free(frames);
	ic_symbolizer_free(symbolizer);
	if (opened->entry.parameters)
		any |= cli_entry_parameters_close(&opened->entry, path);
	return any;
}
