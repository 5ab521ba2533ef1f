#include "export/store.h"

enum cli_store_found cli_store_find(struct cli_store *store, const struct cli_store_file *file,
				    int64_t *problems)
{
	const struct cli_store_calls *calls = store->calls;
	bool is_there = false;

	if (!file->replace && !calls->has_file(store, file, &is_there))
		return CLI_STORE_FAILED;
	if (!is_there)
		return CLI_STORE_ABSENT;
	return calls->note_path(store, file) && calls->count_problems(store, file, problems)
		       ? CLI_STORE_PRESENT
		       : CLI_STORE_FAILED;
}

enum cli_store_found cli_store_begin(struct cli_store *store, const struct cli_store_file *file)
{
	const struct cli_store_calls *calls = store->calls;
	bool is_there = false;

	if (!calls->begin(store, file) ||
	    (!file->replace && !calls->has_file(store, file, &is_there)) ||
	    !calls->note_path(store, file))
		return CLI_STORE_FAILED;
	if (is_there)
		return calls->end(store, true) ? CLI_STORE_PRESENT : CLI_STORE_FAILED;
	return calls->remove_file(store, file) ? CLI_STORE_ABSENT : CLI_STORE_FAILED;
}
