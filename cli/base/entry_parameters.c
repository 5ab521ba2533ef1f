#include "base/entry_parameters.h"

#include <inlinecall/extra/stored.h>

#include "base/files.h"

bool cli_entry_parameters_open(struct cli_entry_parameters *reader, struct ic_image *image,
			       const struct ic_index *index,
			       const struct ic_parameters_options *options, struct ic_error *err)
{
	struct ic_parameters_options corrected = *options;

	*reader = (struct cli_entry_parameters){ .stored = ic_stored_open(image, err) };
	if (!reader->stored)
		return false;
	corrected.at_entry = ic_stored_correct;
	corrected.context = reader->stored;
	reader->parameters = ic_parameters_open(image, index, &corrected, err);
	if (reader->parameters)
		return true;
	ic_stored_free(reader->stored);
	reader->stored = NULL;
	return false;
}

bool cli_entry_parameters_close(struct cli_entry_parameters *reader, const char *path)
{
	bool any = cli_files_print_parameter_problems(reader->parameters, path);

	ic_parameters_free(reader->parameters);
	ic_stored_free(reader->stored);
	return any;
}
