// Databases of PostgreSQL. libpq is loaded on first use, not linked: few runs need it.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "export/library.h"
#include "export/schema.h"
#include "export/store.h"

#ifdef IC_HAVE_POSTGRESQL

#include <libpq-fe.h>

#define SONAME "libpq.so.5"

enum {
	LOCK_OF_SCHEMA = 0x696e6c63, // for pg_advisory_xact_lock()
	BUFFER_SIZE = 1 << 16,       // of rows to send
	NUMBER_SIZE = 32,
};

// The functions of libpq.
static struct {
	__typeof__(&PQconnectdb) connectdb;
	__typeof__(&PQstatus) status;
	__typeof__(&PQerrorMessage) error_message;
	__typeof__(&PQfinish) finish;
	__typeof__(&PQexec) exec;
	__typeof__(&PQexecParams) exec_params;
	__typeof__(&PQresultStatus) result_status;
	__typeof__(&PQntuples) ntuples;
	__typeof__(&PQgetvalue) getvalue;
	__typeof__(&PQclear) clear;
	__typeof__(&PQputCopyData) put_copy_data;
	__typeof__(&PQputCopyEnd) put_copy_end;
	__typeof__(&PQgetResult) get_result;
	__typeof__(&PQsetNoticeProcessor) set_notice_processor;
	__typeof__(&PQsetClientEncoding) set_client_encoding;
} library;

static const struct cli_library_function functions[] = {
	{ "PQconnectdb", &library.connectdb },
	{ "PQstatus", &library.status },
	{ "PQerrorMessage", &library.error_message },
	{ "PQfinish", &library.finish },
	{ "PQexec", &library.exec },
	{ "PQexecParams", &library.exec_params },
	{ "PQresultStatus", &library.result_status },
	{ "PQntuples", &library.ntuples },
	{ "PQgetvalue", &library.getvalue },
	{ "PQclear", &library.clear },
	{ "PQputCopyData", &library.put_copy_data },
	{ "PQputCopyEnd", &library.put_copy_end },
	{ "PQgetResult", &library.get_result },
	{ "PQsetNoticeProcessor", &library.set_notice_processor },
	{ "PQsetClientEncoding", &library.set_client_encoding },
	{ NULL, NULL },
};

struct store {
	struct cli_store store; // must be first
	PGconn *connection;
	char *buffer; // of BUFFER_SIZE, for rows of the current table
	size_t used;
};

// The server's messages end with a newline, and may have several lines.
static bool report_failure(const struct store *store)
{
	const char *message = library.error_message(store->connection);

	cli_complain("PostgreSQL: %.*s", (int)strcspn(message, "\n"), message);
	return false;
}

// Takes the result of a statement, which is freed. Returns whether it is the expected one.
static bool take_result(const struct store *store, PGresult *result, ExecStatusType expected)
{
	bool ok = library.result_status(result) == expected;

	library.clear(result);
	return ok || report_failure(store);
}

static bool run_statement(const struct store *store, const char *statement)
{
	return take_result(store, library.exec(store->connection, statement), PGRES_COMMAND_OK);
}

// Runs a statement about the file with this number; NULL after an error message.
static PGresult *run_about(const struct store *store, const char *statement, int64_t number,
			   ExecStatusType expected)
{
	char text[NUMBER_SIZE];
	const char *const parameters[] = { text };

	snprintf(text, sizeof(text), "%" PRId64, number);
	PGresult *result = library.exec_params(store->connection, statement, 1, NULL, parameters,
					       NULL, NULL, 0);
	if (library.result_status(result) == expected)
		return result;
	library.clear(result);
	report_failure(store);
	return NULL;
}

// ---- Opening

static void write_schema(FILE *out, const void *context)
{
	(void)context;
	cli_schema_write(out, CLI_POSTGRESQL);
	fprintf(out,
		"CREATE TABLE inlinecall (version INTEGER NOT NULL);"
		"INSERT INTO inlinecall VALUES (%d);",
		CLI_STORE_VERSION);
}

static bool create_tables(const struct store *store)
{
	char *schema = cli_schema_text(write_schema, NULL);
	bool ok = schema && run_statement(store, schema);

	free(schema);
	return ok;
}

// Creates the tables if there are none in the search path. Other processes wait.
static bool begin_database(const struct store *store)
{
	static const char exists[] = "SELECT 1 WHERE to_regclass('inlinecall') IS NOT NULL"
				     " AND $1::bigint IS NOT NULL";
	PGresult *result = run_about(store, "SELECT pg_advisory_xact_lock($1)", LOCK_OF_SCHEMA,
				     PGRES_TUPLES_OK);

	library.clear(result);
	result = result ? run_about(store, exists, 0, PGRES_TUPLES_OK) : NULL;
	if (!result)
		return false;
	bool is_there = library.ntuples(result) > 0;
	library.clear(result);
	if (!is_there)
		return create_tables(store);
	result = run_about(store, "SELECT version FROM inlinecall WHERE version <> $1",
			   CLI_STORE_VERSION, PGRES_TUPLES_OK);
	if (!result)
		return false;
	bool is_other = library.ntuples(result) > 0;
	if (is_other)
		cli_complain("PostgreSQL: the tables have version %s, not %d",
			     library.getvalue(result, 0, 0), CLI_STORE_VERSION);
	library.clear(result);
	return !is_other;
}

static void ignore_notice(void *context, const char *message)
{
	(void)context, (void)message;
}

static bool open_database(struct store *store, const char *connection)
{
	store->connection = library.connectdb(connection);
	if (library.status(store->connection) != CONNECTION_OK)
		return report_failure(store);
	library.set_notice_processor(store->connection, ignore_notice, NULL);
	if (library.set_client_encoding(store->connection, "UTF8") != 0)
		return report_failure(store);
	if (!run_statement(store, "BEGIN") || !begin_database(store) ||
	    !run_statement(store, "COMMIT"))
		return false;
	store->buffer = malloc(BUFFER_SIZE);
	if (!store->buffer)
		cli_complain("out of memory");
	return store->buffer != NULL;
}

// ---- Calls

static bool note_path(struct cli_store *common, const struct cli_store_file *file)
{
	const struct store *store = (struct store *)common;
	char number[NUMBER_SIZE];
	struct cli_values values = { .count = 0 };

	snprintf(number, sizeof(number), "%" PRId64, file->id);
	bool ok = cli_values_add_text(&values, file->path) &&
		  cli_values_add_text(&values, file->package);
	if (ok) {
		const char *const parameters[] = { number, values.items[0].text,
						   values.items[1].text };
		ok = take_result(store,
				 library.exec_params(store->connection,
						     "INSERT INTO paths VALUES ($1, $2, $3)"
						     " ON CONFLICT DO NOTHING",
						     3, NULL, parameters, NULL, NULL, 0),
				 PGRES_COMMAND_OK);
	}
	cli_values_clear(&values);
	return ok;
}

static bool find_file(struct cli_store *store, const struct cli_store_file *file,
		      struct cli_store_row *row)
{
	PGresult *result =
		run_about((struct store *)store, CLI_STORE_QUERY, file->id, PGRES_TUPLES_OK);

	if (result && library.ntuples(result) > 0) {
		snprintf(row->tables, sizeof(row->tables), "%s", library.getvalue(result, 0, 0));
		row->is_reduced = library.getvalue(result, 0, 1)[0] == 't';
	}
	library.clear(result);
	return result != NULL;
}

static bool count_problems(struct cli_store *store, const struct cli_store_file *file,
			   int64_t *problems)
{
	PGresult *result = run_about((struct store *)store,
				     "SELECT count(*) FROM problems WHERE file = $1 AND NOT note",
				     file->id, PGRES_TUPLES_OK);

	if (result)
		*problems = strtoll(library.getvalue(result, 0, 0), NULL, 10);
	library.clear(result);
	return result != NULL;
}

static bool remove_file(struct cli_store *store, const struct cli_store_file *file)
{
	const char *removal;

	for (size_t i = 0; (removal = cli_schema_removal(i)); i++) {
		PGresult *result =
			run_about((struct store *)store, removal, file->id, PGRES_COMMAND_OK);
		if (!result)
			return false;
		library.clear(result);
	}
	return true;
}

// The lock makes other processes wait that export the same file.
static bool begin_file(struct cli_store *common, const struct cli_store_file *file)
{
	const struct store *store = (struct store *)common;
	PGresult *locked = run_statement(store, "BEGIN")
				   ? run_about(store, "SELECT pg_advisory_xact_lock($1)", file->id,
					       PGRES_TUPLES_OK)
				   : NULL;

	library.clear(locked);
	return locked != NULL;
}

static bool begin_table(struct cli_store *common, enum ic_table table)
{
	const struct store *store = (struct store *)common;
	char copy[64];

	snprintf(copy, sizeof(copy), "COPY %s FROM STDIN", ic_table_name(table));
	return take_result(store, library.exec(store->connection, copy), PGRES_COPY_IN);
}

static bool send_rows(struct store *store)
{
	size_t size = store->used;

	store->used = 0;
	return size == 0 ||
	       library.put_copy_data(store->connection, store->buffer, (int)size) == 1 ||
	       report_failure(store);
}

static bool send_char(struct store *store, char byte)
{
	if (store->used == BUFFER_SIZE && !send_rows(store))
		return false;
	store->buffer[store->used++] = byte;
	return true;
}

// As in the text format of COPY.
static bool send_text(struct store *store, const char *text)
{
	static const char special[] = "\\\n\r\t", letters[] = "\\nrt";
	bool ok = true;

	for (; ok && *text; text++) {
		const char *found = strchr(special, *text);
		ok = !found ? send_char(store, *text)
			    : send_char(store, '\\') && send_char(store, letters[found - special]);
	}
	return ok;
}

static bool send_value(struct store *store, const struct cli_value *value)
{
	char number[NUMBER_SIZE];

	if (value->is_null)
		return send_char(store, '\\') && send_char(store, 'N');
	if (value->type == CLI_VALUE_TEXT)
		return send_text(store, value->text);
	if (value->type == CLI_VALUE_FLAG)
		return send_char(store, value->number ? 't' : 'f');
	snprintf(number, sizeof(number), "%" PRId64, value->number);
	return send_text(store, number);
}

static bool add_row(struct cli_store *common, const struct cli_values *values)
{
	struct store *store = (struct store *)common;

	for (size_t i = 0; i < values->count; i++)
		if ((i > 0 && !send_char(store, '\t')) || !send_value(store, &values->items[i]))
			return false;
	return send_char(store, '\n');
}

static bool end_table(struct cli_store *common)
{
	struct store *store = (struct store *)common;

	if (!send_rows(store))
		return false;
	if (library.put_copy_end(store->connection, NULL) != 1)
		return report_failure(store);
	bool ok = take_result(store, library.get_result(store->connection), PGRES_COMMAND_OK);
	library.clear(library.get_result(store->connection)); // NULL: there is no other
	return ok;
}

static bool end_file(struct cli_store *common, bool ok)
{
	const struct store *store = (struct store *)common;

	// The store cannot be used any more, and the server discards what is not committed.
	return ok && run_statement(store, "COMMIT");
}

static bool close_store(struct cli_store *common, bool ok)
{
	struct store *store = (struct store *)common;

	(void)ok;
	library.finish(store->connection);
	free(store->buffer);
	free(store);
	return true;
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

struct cli_store *cli_store_open_postgresql(const char *connection)
{
	if (!cli_library_load(SONAME, functions))
		return NULL;
	struct store *store = calloc(1, sizeof(*store));
	if (!store) {
		cli_complain("out of memory");
		return NULL;
	}
	store->store.calls = &calls;
	if (open_database(store, connection))
		return &store->store;
	close_store(&store->store, false);
	return NULL;
}

#else

struct cli_store *cli_store_open_postgresql(const char *connection)
{
	(void)connection;
	cli_complain("--postgresql: inlinecall was built without libpq");
	return NULL;
}

#endif
