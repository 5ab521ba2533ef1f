// inlinecall export FILE...: everything that is known about files, as tables.
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra.h>

#include "base/entry_parameters.h"
#include "base/report.h"
#include "base/trees.h"
#include "export/store.h"

static const char usage[] =
	"Usage: inlinecall export [OPTION]... FILE...\n"
	"Write everything that is known about inlining in files as tables: their units,\n"
	"source files, functions, copies of functions, ranges, arguments and calls. A\n"
	"database gets a file in one transaction, and a file that it already has is\n"
	"skipped, so an export that was interrupted can be continued.\n"
	"\n"
	"A FILE is an ELF file with DWARF, or one whose debug file can be found; or an\n"
	"archive of such files; or a directory, for all such files below it.\n";

struct request {
	struct cli_files files;
	struct cli_report report;
	struct ic_index_options index;
	bool json; // given; also the default
	const char *sqlite, *postgresql, *csv_dir;
	const char *package;
	bool replace;
	bool tables[IC_TABLE_COUNT];
	char list[CLI_STORE_LIST]; // of their names

	struct cli_store *store; // NULL for JSON
	struct cli_values values;
	unsigned long file_count; // exported, or there already
	bool incomplete, failed;  // failed: nothing more can be written
};

struct exported { // a file while it is exported
	struct request *request;
	struct ic_image *image;
	struct cli_store_file file;
	struct ic_index *index;
	struct ic_tables *tables;
	struct cli_entry_parameters reader; // NULL unless arguments are wanted
};

// ---- Options

static bool take_table(struct request *request, const char *name, size_t length)
{
	for (unsigned i = 0; i < IC_TABLE_COUNT; i++) {
		const char *other = ic_table_name((enum ic_table)i);
		if (strlen(other) != length || memcmp(other, name, length) != 0)
			continue;
		request->tables[i] = true;
		return true;
	}
	return false;
}

static enum cli_status take_tables(struct request *request, const char *list)
{
	memset(request->tables, 0, sizeof(request->tables));
	for (;;) {
		size_t length = strcspn(list, ",");
		if (!take_table(request, list, length))
			return cli_usage_error("no table '%.*s'; there are units, sources, "
					       "functions, instances, ranges, arguments, calls "
					       "and problems",
					       (int)length, list);
		if (!list[length])
			return CLI_ANSWERED;
		list += length + 1;
	}
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;

	if (cli_files_take(&request->files, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_JSON: request->json = true; break;
	case CLI_OPTION_SQLITE: request->sqlite = argument; break;
	case CLI_OPTION_POSTGRESQL: request->postgresql = argument; break;
	case CLI_OPTION_CSV_DIR: request->csv_dir = argument; break;
	case CLI_OPTION_TABLES: return take_tables(request, argument);
	case CLI_OPTION_PACKAGE: request->package = argument; break;
	case CLI_OPTION_REPLACE: request->replace = true; break;
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->index.jobs);
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

// ---- One file

// Adds the columns that the rows of the library do not have.
static bool add_start(const struct exported *exported, enum ic_table table)
{
	struct cli_values *values = &exported->request->values;

	cli_values_clear(values);
	cli_values_add_number(values, exported->file.id);
	return table != IC_TABLE_FILES || (cli_values_add_text(values, exported->file.tables) &&
					   cli_values_add_text(values, ic_version()));
}

static bool store_rows(const struct exported *exported, enum ic_table table, struct ic_rows *rows)
{
	struct cli_store *store = exported->request->store;
	struct cli_values *values = &exported->request->values;
	struct ic_row_fields row;
	struct ic_error err;

	if (!store->calls->begin_table(store, table))
		return false;
	while (ic_rows_next_fields(rows, &row, &err))
		if (!add_start(exported, table) || !cli_values_add_row(values, &row) ||
		    !store->calls->add(store, values))
			return false;
	if (err.code == IC_ERROR_NONE)
		return store->calls->end_table(store);
	cli_complain("%s: %s", exported->file.path, err.message);
	return false;
}

static bool export_table(struct exported *exported, enum ic_table table)
{
	struct request *request = exported->request;
	const struct ic_row_options options = { .file = exported->file.path,
						.parameters = exported->reader.parameters };
	struct ic_error err;
	struct ic_rows *rows = ic_rows_of_table(exported->tables, table, &options, &err);

	if (!rows) {
		cli_complain("%s: %s", exported->file.path, err.message);
		return false;
	}
	if (!request->store) {
		cli_report_print(&request->report, rows, &err); // frees them
		return true;
	}
	bool ok = store_rows(exported, table, rows);
	ic_rows_free(rows);
	return ok;
}

static bool export_tables(struct exported *exported)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < IC_TABLE_COUNT; i++)
		if (exported->request->tables[i])
			ok = export_table(exported, (enum ic_table)i);
	return ok;
}

// Writes the file to the store, in one transaction.
static void store_file(struct exported *exported)
{
	struct request *request = exported->request;
	struct cli_store *store = request->store;
	enum cli_store_found found = cli_store_begin(store, &exported->file);

	request->incomplete |= found == CLI_STORE_OTHER; // from another process, meanwhile
	if (found == CLI_STORE_PRESENT || found == CLI_STORE_OTHER)
		return;
	bool ok = found == CLI_STORE_ABSENT && export_tables(exported);
	if (!store->calls->end(store, ok) || !ok)
		request->failed = true;
}

static bool build_index(struct exported *exported, struct ic_error *err)
{
	struct request *request = exported->request;
	const struct ic_parameters_options parameters = { .lists = false };
	struct cli_progress progress;

	cli_progress_begin(&progress, exported->file.path);
	request->index.progress = cli_progress_show;
	request->index.progress_context = &progress;
	exported->index = ic_index_build(exported->image, &request->index, err);
	cli_progress_end(&progress);
	if (!exported->index)
		return false;
	exported->tables = ic_tables_make(exported->index, err);
	return exported->tables && (!request->tables[IC_TABLE_ARGUMENTS] ||
				    cli_entry_parameters_open(&exported->reader, exported->image,
							      exported->index, &parameters, err));
}

static void read_file(struct exported *exported)
{
	struct request *request = exported->request;
	const char *path = exported->file.path;
	struct ic_error err;

	if (build_index(exported, &err)) {
		if (request->store)
			store_file(exported);
		else
			request->incomplete |= !export_tables(exported);
		request->file_count++;
		request->incomplete |= cli_files_print_index_problems(exported->index, path);
	} else {
		cli_complain("%s", err.message);
		request->incomplete = true;
	}
	if (exported->reader.parameters)
		request->incomplete |= cli_entry_parameters_close(&exported->reader, path);
	ic_tables_free(exported->tables);
	ic_index_free(exported->index);
}

// The first eight bytes of the build ID or, of a file without one, a checksum, without the highest
// bit: any number of processes and databases number the same file in the same way.
static int64_t number_file(const struct ic_image *image)
{
	const uint8_t *bytes;
	size_t size = ic_image_build_id(image, &bytes);
	uint64_t number = 0;

	for (size_t i = 0; size >= sizeof(number) && i < sizeof(number); i++)
		number = number << 8 | bytes[i];
	if (size < sizeof(number))
		number = ic_image_checksum(image);
	return (int64_t)(number & INT64_MAX);
}

// Whether the file need not be exported.
static bool is_there(const struct exported *exported)
{
	struct request *request = exported->request;
	int64_t problems = 0;

	if (!request->store)
		return false;
	switch (cli_store_find(request->store, &exported->file, &problems)) {
	case CLI_STORE_ABSENT: return false;
	case CLI_STORE_PRESENT:
		request->file_count++;
		if (problems > 0)
			cli_complain("%s: already exported, but incomplete: problems: %lld; "
				     "--replace exports it again",
				     exported->file.path, (long long)problems);
		request->incomplete |= problems > 0;
		return true;
	case CLI_STORE_OTHER: request->incomplete = true; return true;
	case CLI_STORE_FAILED: break;
	}
	request->failed = true;
	return true;
}

static bool visit_image(void *context, struct ic_image *image)
{
	struct request *request = context;
	struct exported exported = { .request = request,
				     .image = image,
				     .file = { .id = number_file(image),
					       .path = ic_image_path(image),
					       .package = request->package,
					       .tables = request->list,
					       .is_symbol_file = cli_files_is_symbol_file(image),
					       .replace = request->replace } };

	if (!is_there(&exported))
		read_file(&exported);
	ic_image_free(image);
	return !request->failed;
}

// ---- All of them

static bool open_store(struct request *request)
{
	if (request->sqlite)
		request->store = cli_store_open_sqlite(request->sqlite);
	else if (request->postgresql)
		request->store = cli_store_open_postgresql(request->postgresql);
	else if (request->csv_dir)
		request->store = cli_store_open_csv(request->csv_dir);
	else
		return cli_report_open(&request->report, IC_ROWS_TABLES);
	return request->store != NULL;
}

static bool close_store(struct request *request)
{
	cli_values_clear(&request->values);
	if (!request->store)
		return cli_report_close(&request->report);
	return request->store->calls->close(request->store, !request->failed);
}

static void list_tables(struct request *request)
{
	size_t length = 0;

	request->tables[IC_TABLE_FILES] = true;
	for (unsigned i = 0; i < IC_TABLE_COUNT; i++)
		if (request->tables[i])
			length += (size_t)snprintf(request->list + length, CLI_STORE_LIST - length,
						   "%s%s", length > 0 ? "," : "",
						   ic_table_name((enum ic_table)i));
	request->index.calls = request->tables[IC_TABLE_CALLS];
	request->index.parameters = request->tables[IC_TABLE_ARGUMENTS];
}

static enum cli_status run_request(struct request *request, int count, char **operands)
{
	struct cli_tree tree = { .files = &request->files,
				 .visit = visit_image,
				 .context = request };
	enum cli_status status = cli_files_begin(&request->files);

	if (status != CLI_ANSWERED)
		return status;
	if (!open_store(request))
		return CLI_INCOMPLETE;
	for (int i = 0; i < count && !request->failed; i++)
		cli_tree_visit(&tree, operands[i]);
	request->failed |= !close_store(request);
	cli_files_end(&request->files);
	if (tree.without_debug > 0)
		cli_complain("files without debug information: %lu", tree.without_debug);
	if (request->failed || request->incomplete || tree.incomplete)
		return CLI_INCOMPLETE;
	return request->file_count > 0 ? CLI_ANSWERED : CLI_NOTHING;
}

static enum cli_status run_export(int argc, char **argv)
{
	struct request request = { .package = "" };
	enum cli_status status;

	cli_files_init(&request.files);
	request.report.options.format = IC_REPORT_JSON;
	for (unsigned i = 0; i < IC_TABLE_COUNT; i++)
		request.tables[i] = true;
	if (!cli_options_read(&cli_command_export, argc, argv, take_option, &request, &status))
		return status;
	int stores =
		(request.sqlite != NULL) + (request.postgresql != NULL) + (request.csv_dir != NULL);
	if (stores + request.json > 1)
		return cli_usage_error("only one of --json, --sqlite, --postgresql and --csv-dir "
				       "can be used");
	if (stores == 0 && request.package[0])
		return cli_usage_error("--package has no effect on JSON lines");
	if (request.replace && !request.sqlite && !request.postgresql)
		return cli_usage_error("--replace has no effect without a database");
	if (optind == argc)
		return cli_usage_error("no FILE given");
	list_tables(&request);
	return run_request(&request, argc - optind, argv + optind);
}

const struct cli_command cli_command_export = {
	.name = "export",
	.usage = usage,
	.which = "Which files and tables",
	.run = run_export,
};
