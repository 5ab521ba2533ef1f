// Databases of SQLite. libsqlite3 is loaded on first use, not linked: few runs need it.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cli.h"
#include "export/library.h"
#include "export/schema.h"
#include "export/store.h"

#ifdef IC_HAVE_SQLITE

#include <sqlite3.h>

#define SONAME "libsqlite3.so.0"

enum {
	WAIT_MILLISECONDS = 20,
	MOST_WAITS = 10 * 60 * 1000 / WAIT_MILLISECONDS, // for other processes
	WAITS_TO_TELL = 3 * 1000 / WAIT_MILLISECONDS,
	APPLICATION_ID = 0x696e6c63, // "inlc", in the header of the file
};

// The functions of libsqlite3.
static struct {
	__typeof__(&sqlite3_open) open;
	__typeof__(&sqlite3_close) close;
	__typeof__(&sqlite3_busy_handler) busy_handler;
	__typeof__(&sqlite3_exec) exec;
	__typeof__(&sqlite3_errmsg) errmsg;
	__typeof__(&sqlite3_prepare_v2) prepare;
	__typeof__(&sqlite3_finalize) finalize;
	__typeof__(&sqlite3_step) step;
	__typeof__(&sqlite3_reset) reset;
	__typeof__(&sqlite3_bind_int64) bind_int64;
	__typeof__(&sqlite3_bind_text) bind_text;
	__typeof__(&sqlite3_bind_null) bind_null;
	__typeof__(&sqlite3_column_int64) column_int64;
	__typeof__(&sqlite3_column_text) column_text;
} library;

static const struct cli_library_function functions[] = {
	{ "sqlite3_open", &library.open },
	{ "sqlite3_close", &library.close },
	{ "sqlite3_busy_handler", &library.busy_handler },
	{ "sqlite3_exec", &library.exec },
	{ "sqlite3_errmsg", &library.errmsg },
	{ "sqlite3_prepare_v2", &library.prepare },
	{ "sqlite3_finalize", &library.finalize },
	{ "sqlite3_step", &library.step },
	{ "sqlite3_reset", &library.reset },
	{ "sqlite3_bind_int64", &library.bind_int64 },
	{ "sqlite3_bind_text", &library.bind_text },
	{ "sqlite3_bind_null", &library.bind_null },
	{ "sqlite3_column_int64", &library.column_int64 },
	{ "sqlite3_column_text", &library.column_text },
	{ NULL, NULL },
};

struct store {
	struct cli_store store; // must be first
	const char *path;
	sqlite3 *database;
	sqlite3_stmt *inserts[IC_TABLE_COUNT];
	sqlite3_stmt *insert; // of the current table
	bool has_new;         // rows were added
};

static bool report_failure(const struct store *store)
{
	cli_complain("%s: %s", store->path,
		     store->database ? library.errmsg(store->database) : "out of memory");
	return false;
}

static bool run_statement(const struct store *store, const char *statement)
{
	return library.exec(store->database, statement, NULL, NULL, NULL) == SQLITE_OK ||
	       report_failure(store);
}

// Prepares a statement and binds its first parameter, if it has any, to a number. NULL after an
// error message.
static sqlite3_stmt *prepare_statement(const struct store *store, const char *text, int64_t number)
{
	sqlite3_stmt *statement;

	if (library.prepare(store->database, text, -1, &statement, NULL) != SQLITE_OK) {
		report_failure(store);
		return NULL;
	}
	if (strchr(text, '$'))
		library.bind_int64(statement, 1, number);
	return statement;
}

// Gets the only number that a query has.
static bool read_number(const struct store *store, const char *query, int64_t parameter,
			int64_t *number)
{
	sqlite3_stmt *statement = prepare_statement(store, query, parameter);
	bool ok = statement && library.step(statement) == SQLITE_ROW;

	if (ok)
		*number = library.column_int64(statement, 0);
	else if (statement)
		report_failure(store);
	library.finalize(statement);
	return ok;
}

static bool run_about(const struct store *store, const char *text, int64_t number)
{
	sqlite3_stmt *statement = prepare_statement(store, text, number);
	bool ok = statement && (library.step(statement) == SQLITE_DONE || report_failure(store));

	library.finalize(statement);
	return ok;
}

// ---- Opening

static void write_schema(FILE *out, const void *context)
{
	(void)context;
	cli_schema_write(out, CLI_SQLITE);
	fprintf(out, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION_ID,
		CLI_STORE_VERSION);
}

static bool create_tables(const struct store *store)
{
	char *schema = cli_schema_text(write_schema, NULL);
	bool ok = schema && run_statement(store, schema);

	free(schema);
	return ok;
}

// Creates the tables of an empty database, or checks that it has them. Other processes wait.
static bool begin_database(const struct store *store)
{
	int64_t objects, application, version;

	if (!read_number(store, "SELECT count(*) FROM sqlite_master", 0, &objects) ||
	    !read_number(store, "PRAGMA application_id", 0, &application) ||
	    !read_number(store, "PRAGMA user_version", 0, &version))
		return false;
	if (objects == 0)
		return create_tables(store);
	if (application != APPLICATION_ID) {
		cli_complain("%s: a database of another program", store->path);
		return false;
	}
	if (version != CLI_STORE_VERSION) {
		cli_complain("%s: has version %lld of the tables, not %d", store->path,
			     (long long)version, CLI_STORE_VERSION);
		return false;
	}
	return true;
}

static void write_insert(FILE *out, const void *context)
{
	enum ic_table table = *(const enum ic_table *)context;
	size_t count = cli_schema_columns(table);

	fprintf(out, "INSERT INTO %s VALUES (?", ic_table_name(table));
	for (size_t i = 1; i < count; i++)
		fputs(",?", out);
	fputs(")", out);
}

static bool prepare_inserts(struct store *store)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < IC_TABLE_COUNT; i++) {
		enum ic_table table = (enum ic_table)i;
		char *text = cli_schema_text(write_insert, &table);
		ok = text && (store->inserts[i] = prepare_statement(store, text, 0)) != NULL;
		free(text);
	}
	return ok;
}

static int wait_for_others(void *context, int count)
{
	const struct store *store = context;

	if (count == WAITS_TO_TELL)
		cli_complain("%s: waiting for another process that writes to it", store->path);
	if (count >= MOST_WAITS)
		return 0;
	nanosleep(&(struct timespec){ .tv_nsec = WAIT_MILLISECONDS * 1000000L }, NULL);
	return 1;
}

static bool open_database(struct store *store)
{
	if (library.open(store->path, &store->database) != SQLITE_OK)
		return report_failure(store);
	library.busy_handler(store->database, wait_for_others, store);
	// With a log that is written ahead, readers and a writer do not wait for each other, and
	// what a killed process has not committed was never there.
	if (!run_statement(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
				  " PRAGMA cache_size = -65536; BEGIN IMMEDIATE"))
		return false;
	return begin_database(store) && run_statement(store, "COMMIT") && prepare_inserts(store);
}

// ---- Calls

static bool note_path(struct cli_store *common, const struct cli_store_file *file)
{
	const struct store *store = (struct store *)common;
	sqlite3_stmt *statement =
		prepare_statement(store, "INSERT OR IGNORE INTO paths VALUES ($1, ?, ?)", file->id);
	struct cli_values values = { .count = 0 };
	bool ok = statement && cli_values_add_text(&values, file->path) &&
		  cli_values_add_text(&values, file->package);

	for (size_t i = 0; ok && i < values.count; i++)
		library.bind_text(statement, (int)i + 2, values.items[i].text, -1, SQLITE_STATIC);
	ok = ok && (library.step(statement) == SQLITE_DONE || report_failure(store));
	library.finalize(statement);
	cli_values_clear(&values);
	return ok;
}

static bool find_file(struct cli_store *common, const struct cli_store_file *file,
		      struct cli_store_row *row)
{
	const struct store *store = (struct store *)common;
	sqlite3_stmt *statement = prepare_statement(store, CLI_STORE_QUERY, file->id);
	int state = statement ? library.step(statement) : SQLITE_NOMEM;
	const unsigned char *tables = state == SQLITE_ROW ? library.column_text(statement, 0)
							  : NULL;
	bool ok = tables || state == SQLITE_DONE;

	if (tables) {
		snprintf(row->tables, sizeof(row->tables), "%s", (const char *)tables);
		row->is_reduced = library.column_int64(statement, 1) != 0;
	}
	if (statement && !ok)
		report_failure(store);
	library.finalize(statement);
	return ok;
}

static bool count_problems(struct cli_store *store, const struct cli_store_file *file,
			   int64_t *problems)
{
	return read_number((struct store *)store,
			   "SELECT count(*) FROM problems WHERE file = $1 AND NOT note", file->id,
			   problems);
}

static bool remove_file(struct cli_store *store, const struct cli_store_file *file)
{
	const char *removal;

	for (size_t i = 0; (removal = cli_schema_removal(i)); i++)
		if (!run_about((struct store *)store, removal, file->id))
			return false;
	return true;
}

static bool begin_file(struct cli_store *store, const struct cli_store_file *file)
{
	(void)file; // there is one writer at a time
	return run_statement((struct store *)store, "BEGIN IMMEDIATE");
}

static bool begin_table(struct cli_store *common, enum ic_table table)
{
	struct store *store = (struct store *)common;

	store->insert = store->inserts[table];
	return true;
}

static bool add_row(struct cli_store *common, const struct cli_values *values)
{
	const struct store *store = (struct store *)common;
	sqlite3_stmt *insert = store->insert;

	for (size_t i = 0; i < values->count; i++) {
		const struct cli_value *value = &values->items[i];
		int number = (int)i + 1;

		if (value->is_null)
			library.bind_null(insert, number);
		else if (value->type == CLI_VALUE_TEXT)
			library.bind_text(insert, number, value->text, -1, SQLITE_STATIC);
		else
			library.bind_int64(insert, number, value->number);
	}
	bool ok = library.step(insert) == SQLITE_DONE || report_failure(store);
	library.reset(insert);
	return ok;
}

static bool end_table(struct cli_store *store)
{
	(void)store;
	return true;
}

static bool end_file(struct cli_store *common, bool ok)
{
	struct store *store = (struct store *)common;

	store->has_new = true;
	if (ok)
		return run_statement(store, "COMMIT");
	// An error may have ended the transaction, which is then no new error.
	library.exec(store->database, "ROLLBACK", NULL, NULL, NULL);
	return true;
}

static bool close_store(struct cli_store *common, bool ok)
{
	struct store *store = (struct store *)common;

	// Without statistics, queries by a function's name would read whole tables.
	if (ok && store->has_new)
		ok = run_statement(store, "PRAGMA analysis_limit = 1000; ANALYZE");
	for (unsigned i = 0; i < IC_TABLE_COUNT; i++)
		library.finalize(store->inserts[i]);
	library.close(store->database);
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

struct cli_store *cli_store_open_sqlite(const char *path)
{
	if (!cli_library_load(SONAME, functions))
		return NULL;
	struct store *store = calloc(1, sizeof(*store));
	if (!store) {
		cli_complain("out of memory");
		return NULL;
	}
	store->store.calls = &calls;
	store->path = path;
	if (open_database(store))
		return &store->store;
	close_store(&store->store, false);
	return NULL;
}

#else

struct cli_store *cli_store_open_sqlite(const char *path)
{
	(void)path;
	cli_complain("--sqlite: inlinecall was built without libsqlite3");
	return NULL;
}

#endif
