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
	FILE *files[FILE_COUNT];
	char *names[FILE_COUNT];
	FILE *file;  // of the current table
	void *noted; // what was written: a tree of tsearch(3), of texts
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

// Whether a file was written or, if `path` is not "", whether that it is there. If not, this is
// noted. Returns false after an error message.
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

static bool write_path(struct store *store, const struct cli_store_file *file)
{
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

// There is only what this run has written.
static enum cli_store_found find_file(struct cli_store *common, const struct cli_store_file *file,
				      int64_t *problems)
{
	struct store *store = (struct store *)common;
	bool is_known;

	*problems = 0; // they were reported
	if (!note_written(store, file->id, "", &is_known) || !write_path(store, file))
		return CLI_STORE_FAILED;
	return is_known ? CLI_STORE_PRESENT : CLI_STORE_ABSENT;
}

static enum cli_store_found begin_file(struct cli_store *store, const struct cli_store_file *file)
{
	(void)store, (void)file;
	return CLI_STORE_ABSENT;
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

static bool end_file(struct cli_store *store, bool ok)
{
	(void)store;
	return ok;
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

static const struct cli_store_calls calls = { find_file, begin_file, begin_table, add_row,
					      end_table, end_file,   close_store };

struct cli_store *cli_store_open_csv(const char *directory)
{
	struct store *store = calloc(1, sizeof(*store));
	bool ok = store != NULL;

	if (!store)
		cli_complain("out of memory");
	else if (mkdir(directory, 0777) != 0 && errno != EEXIST)
		ok = report_failure(directory);
	for (unsigned i = 0; ok && i < FILE_COUNT; i++)
		ok = open_file(store, directory, i);
	if (ok) {
		store->store.calls = &calls;
		return &store->store;
	}
	if (store)
		close_store(&store->store, false);
	return NULL;
}
