// The tables of a database, in SQL.
#ifndef CLI_EXPORT_SCHEMA_H
#define CLI_EXPORT_SCHEMA_H

#include <stdio.h>

#include <inlinecall/extra/tables.h>

enum cli_dialect { CLI_SQLITE, CLI_POSTGRESQL };

// Writes the statements that create tables, indexes and views, each ended by a semicolon.
void cli_schema_write(FILE *out, enum cli_dialect dialect);

// The number of a table's columns.
size_t cli_schema_columns(enum ic_table table);

// Writes the names of a table's columns, separated by commas.
void cli_schema_write_columns(FILE *out, enum ic_table table);

// The text that `write` writes, to be freed. NULL after an error message.
char *cli_schema_text(void (*write)(FILE *out, const void *context), const void *context);

// Statement number `number`, from 0, of those that remove a file; NULL if there are fewer. "$1"
// stands for the number of the file.
const char *cli_schema_removal(size_t number);

#endif
