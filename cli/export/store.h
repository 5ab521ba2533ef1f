// Where exported rows go: a database, or a directory with CSV files.
#ifndef CLI_EXPORT_STORE_H
#define CLI_EXPORT_STORE_H

#include "export/values.h"

#include <inlinecall/extra/tables.h>

// The version of the tables' columns.
#define CLI_STORE_VERSION 1

struct cli_store_file { // a file that is exported
	int64_t id;     // the same for all files with this build ID, or these contents
	const char *path;
	const char *package; // that it is from; "" if not given
	const char *tables;  // that are exported, as a list
	bool is_symbol_file; // it has less than the file with this build ID
	bool replace;        // also if it is already there
};

enum { CLI_STORE_LIST = 128 }; // bytes of a list of tables

struct cli_store_row {               // of a file that is in a store
	char tables[CLI_STORE_LIST]; // empty if it is not there
	bool is_reduced;             // it came from a symbol file, or a file that emit wrote
};

// Reads the members of a row in a database, with the file's number as $1.
#define CLI_STORE_QUERY                                                             \
	"SELECT tables, (tables LIKE '%units%' AND NOT EXISTS (SELECT 1 FROM units" \
	" WHERE file = $1 AND producer NOT LIKE 'inlinecall %')) FROM files WHERE id = $1"

enum cli_store_found {
	CLI_STORE_FAILED,  // after an error message: the store cannot be used any more
	CLI_STORE_ABSENT,  // or there, but with less
	CLI_STORE_OTHER,   // there, with tables that would be lost
	CLI_STORE_PRESENT, // there with these tables, and the path was noted
};

struct cli_store {
	const struct cli_store_calls *calls;
};

// What each kind of store does. Each returns false after an error message.
struct cli_store_calls {
	// Finds what it has of a file.
	bool (*find_file)(struct cli_store *store, const struct cli_store_file *file,
			  struct cli_store_row *row);
	// How many problems a file had when it was exported.
	bool (*count_problems)(struct cli_store *store, const struct cli_store_file *file,
			       int64_t *problems);
	// Begins a transaction, in which nobody else writes the same file.
	bool (*begin)(struct cli_store *store, const struct cli_store_file *file);
	// Notes the path and package of a file, unless this is known.
	bool (*note_path)(struct cli_store *store, const struct cli_store_file *file);
	// Removes the rows of a file.
	bool (*remove_file)(struct cli_store *store, const struct cli_store_file *file);
	// Rows come table by table: those of files, with one row, first.
	bool (*begin_table)(struct cli_store *store, enum ic_table table);
	bool (*add)(struct cli_store *store, const struct cli_values *values);
	bool (*end_table)(struct cli_store *store);
	// Ends the transaction: keeps the rows, or removes them if not `ok`.
	bool (*end)(struct cli_store *store, bool ok);
	bool (*close)(struct cli_store *store, bool ok);
};

// Whether a file need not be exported, and how many problems it had when it was. OTHER is reported.
enum cli_store_found cli_store_find(struct cli_store *store, const struct cli_store_file *file,
				    int64_t *problems);

// Begins a transaction for the rows of a file, and removes its earlier ones. PRESENT, without a
// transaction, if another process has exported it meanwhile.
enum cli_store_found cli_store_begin(struct cli_store *store, const struct cli_store_file *file);

// Each opens a store, and creates its tables if there are none. NULL after an error message.
struct cli_store *cli_store_open_sqlite(const char *path);
struct cli_store *cli_store_open_postgresql(const char *connection);
struct cli_store *cli_store_open_csv(const char *directory);

#endif
