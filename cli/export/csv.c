// CSV as in RFC 4180, but with bare newlines: one file a table, as COPY of PostgreSQL, DuckDB and
// others read it. A value that is unknown is an empty cell without quotes.
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cli.h"
#include "export/schema.h"
#include "export/store.h"

enum { PATHS = IC_TABLE_COUNT, FILE_COUNT }; // the tables, and one of paths

struct store {
	struct cli_store store; // must be first
	const char *directory;
	FILE *files[FILE_COUNT];
	char *names[FILE_COUNT];
	FILE *file;      // of the current table
	int64_t current; // the number of the file that is written
	void *noted;     // what was written: a tree of tsearch(3), of texts
};

static bool report_failure(const char *name)
{
	cli_complain("%s: cannot write: %s", name, strerror(errno));
	return false;
}

static bool open_file(struct store *store, const char *directory, unsigned number)
{
	const char *name = number == PATHS ? "paths" : ic_table_name((enum ic_table)number);

	if (asprintf(&store->names[number], "%s/%s.csv", directory, name) < 0) {
		store->names[number] = NULL;
		cli_complain("out of memory");
		return false;
	}
	FILE *file = store->files[number] = fopen(store->names[number], "we");
	if (!file)
		return report_failure(store->names[number]);
	if (number == PATHS)
		fputs("file,path,package", file);
	else
		cli_schema_write_columns(file, (enum ic_table)number);
	putc('\n', file);
	return true;
}

static void write_text(FILE *file, const char *text)
{
	if (*text && !strpbrk(text, ",\"\r\n")) {
		fputs(text, file);
		return;
	}
	putc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', file);
		putc(*text, file);
	}
	putc('"', file);
}

static void write_values(FILE *file, const struct cli_values *values)
{
	for (size_t i = 0; i < values->count; i++) {
		const struct cli_value *value = &values->items[i];

		if (i > 0)
			putc(',', file);
		if (value->is_null)
			continue;
		if (value->type == CLI_VALUE_TEXT)
			write_text(file, value->text);
		else if (value->type == CLI_VALUE_FLAG)
			fputs(value->number ? "true" : "false", file);
		else
			fprintf(file, "%" PRId64, value->number);
	}
	putc('\n', file);
}

// ---- Calls

static int compare_texts(const void *left, const void *right)
{
	return strcmp(left, right);
}

// Notes that a file was written or, if `path` is not "", that its path was. Sets *is_known if this
// was noted before. Returns false after an error message.
static bool note_written(struct store *store, int64_t file, const char *path, bool *is_known)
{
	char *text;
	void *found = NULL;

	if (asprintf(&text, "%" PRId64 " %s", file, path) >= 0)
		found = tsearch(text, &store->noted, compare_texts);
	else
		text = NULL;
	*is_known = found && *(char **)found != text;
	if (!found)
		cli_complain("out of memory");
	if (!found || *is_known)
		free(text);
	return found != NULL;
}

// There is only what this run has written.
static bool find_file(struct cli_store *store, const struct cli_store_file *file,
		      struct cli_store_row *row)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64 " ", file->id);
	if (tfind(text, &((struct store *)store)->noted, compare_texts))
		snprintf(row->tables, sizeof(row->tables), "%s", file->tables);
	return true;
}

static bool count_problems(struct cli_store *store, const struct cli_store_file *file,
			   int64_t *problems)
{
	(void)store, (void)file;
	*problems = 0; // this run has reported them
	return true;
}

static bool note_path(struct cli_store *common, const struct cli_store_file *file)
{
	struct store *store = (struct store *)common;
	struct cli_values values = { .count = 0 };
	bool is_known, ok = note_written(store, file->id, file->path, &is_known);

	if (!ok || is_known)
		return ok;
	cli_values_add_number(&values, file->id);
	ok = cli_values_add_text(&values, file->path) &&
	     cli_values_add_text(&values, file->package);
	if (ok)
		write_values(store->files[PATHS], &values);
	cli_values_clear(&values);
	return ok;
}

// The files are opened with the first one, so that those of an earlier run are not lost for none.
static bool begin_file(struct cli_store *common, const struct cli_store_file *file)
{
	struct store *store = (struct store *)common;
	bool ok = true;

	store->current = file->id;
	for (unsigned i = 0; ok && i < FILE_COUNT && !store->files[i]; i++)
		ok = open_file(store, store->directory, i);
	return ok;
}

static bool remove_file(struct cli_store *store, const struct cli_store_file *file)
{
	(void)store, (void)file; // the CSV files were emptied
	return true;
}

static bool begin_table(struct cli_store *common, enum ic_table table)
{
	struct store *store = (struct store *)common;

	store->file = store->files[table];
	return true;
}

static bool add_row(struct cli_store *common, const struct cli_values *values)
{
	write_values(((struct store *)common)->file, values);
	return true;
}

static bool end_table(struct cli_store *common)
{
	const struct store *store = (struct store *)common;

	for (unsigned i = 0; i < FILE_COUNT; i++)
		if (store->files[i] == store->file && ferror(store->file))
			return report_failure(store->names[i]);
	return true;
}

static bool end_file(struct cli_store *common, bool ok)
{
	struct store *store = (struct store *)common;
	bool is_known;

	return ok && note_written(store, store->current, "", &is_known);
}

static bool close_store(struct cli_store *common, bool ok)
{
	struct store *store = (struct store *)common;

	for (unsigned i = 0; i < FILE_COUNT; i++) {
		if (store->files[i] && fclose(store->files[i]) != 0 && ok)
			ok = report_failure(store->names[i]);
		free(store->names[i]);
	}
	tdestroy(store->noted, free);
	free(store);
	return ok;
}

static const struct cli_store_calls calls = {
	.find_file = find_file,
	.count_problems = count_problems,
	.begin = begin_file,
	.note_path = note_path,
	.remove_file = remove_file,
	.begin_table = begin_table,
	.add = add_row,
	.end_table = end_table,
	.end = end_file,
	.close = close_store,
};

struct cli_store *cli_store_open_csv(const char *directory)
{
	if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
		report_failure(directory);
		return NULL;
	}
	struct store *store = calloc(1, sizeof(*store));
	if (!store) {
		cli_complain("out of memory");
		return NULL;
	}
	store->store.calls = &calls;
	store->directory = directory;
	return &store->store;
}
