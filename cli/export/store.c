#include "export/store.h"

#include <string.h>

#include "base/cli.h"

static bool lists_one(const char *list, const char *name, size_t length)
{
	while (*list) {
		size_t size = strcspn(list, ",");
		if (size == length && memcmp(list, name, length) == 0)
			return true;
		list += size + (list[size] == ',');
	}
	return false;
}

// Whether all tables of a list are in another one.
static bool lists_all(const char *list, const char *names)
{
	while (*names) {
		size_t size = strcspn(names, ",");
		if (!lists_one(list, names, size))
			return false;
		names += size + (names[size] == ',');
	}
	return true;
}

static enum cli_store_found find_file(struct cli_store *store, const struct cli_store_file *file)
{
	struct cli_store_row row = { .is_reduced = false };

	if (!file->replace && !store->calls->find_file(store, file, &row))
		return CLI_STORE_FAILED;
	if (!row.tables[0] || (row.is_reduced && !file->is_symbol_file))
		return CLI_STORE_ABSENT;
	if (lists_all(row.tables, file->tables))
		return CLI_STORE_PRESENT;
	if (lists_all(file->tables, row.tables))
		return CLI_STORE_ABSENT;
	cli_complain("%s: already exported, with other tables (%s); --replace exports it again",
		     file->path, row.tables);
	return CLI_STORE_OTHER;
}

enum cli_store_found cli_store_find(struct cli_store *store, const struct cli_store_file *file,
				    int64_t *problems)
{
	const struct cli_store_calls *calls = store->calls;
	enum cli_store_found found = find_file(store, file);

	if (found == CLI_STORE_PRESENT &&
	    (!calls->note_path(store, file) || !calls->count_problems(store, file, problems)))
		return CLI_STORE_FAILED;
	return found;
}

enum cli_store_found cli_store_begin(struct cli_store *store, const struct cli_store_file *file)
{
	const struct cli_store_calls *calls = store->calls;

	if (!calls->begin(store, file))
		return CLI_STORE_FAILED;
	enum cli_store_found found = find_file(store, file);
	if (found == CLI_STORE_FAILED || !calls->note_path(store, file))
		return CLI_STORE_FAILED;
	if (found != CLI_STORE_ABSENT)
		return calls->end(store, true) ? found : CLI_STORE_FAILED;
	return calls->remove_file(store, file) ? CLI_STORE_ABSENT : CLI_STORE_FAILED;
}
