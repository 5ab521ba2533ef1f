// The rows of a file: one function for each analysis.
#include "file.h"

enum { // what is wanted; the same numbers as in files.py
	OUT_OF_LINE = 1 << 0,
	CALLS = 1 << 1,
	PARTS = 1 << 2,
	PARAMETERS = 1 << 3,
	LISTS = 1 << 4,
	ENTRIES = 1 << 5,
	INLINED = 1 << 6,
	BASE_NAMES = 1 << 7,
	DEMANGLE = 1 << 8,
};

struct request {
	const struct ic_native_file *file;
	const char **functions, **hosts, **call_files; // terminated by NULL; NULL for all
	int match, by, order;
	uint64_t limit;
	unsigned flags;
	struct ic_native_source *source;
	struct ic_row_options options;
	struct ic_error *err;
};

static struct ic_sites_query sites_query(const struct request *request)
{
	const char *first = request->functions ? request->functions[0] : NULL;

	return (struct ic_sites_query){ .function = first,
					.more_functions = first ? request->functions + 1 : NULL,
					.match = (enum ic_match)request->match,
					.hosts = request->hosts,
					.call_file_glob =
						request->call_files ? request->call_files[0] : NULL,
					.out_of_line = request->flags & OUT_OF_LINE,
					.calls = request->flags & CALLS,
					.parts = request->flags & PARTS };
}

static bool open_parameters(struct request *request)
{
	struct ic_native_source *source = request->source;

	if (!(request->flags & PARAMETERS))
		return true;
	source->stored = ic_stored_open(request->file->image, request->err);
	if (!source->stored)
		return false;
	const struct ic_parameters_options options = { .lists = request->flags & LISTS,
						       .at_entry = ic_stored_correct,
						       .context = source->stored };
	source->parameters = ic_parameters_open(request->file->image, request->file->index,
						&options, request->err);
	request->options.parameters = source->parameters;
	return source->parameters != NULL;
}

static bool find_entries(struct request *request, const struct ic_sites *sites)
{
	struct ic_native_source *source = request->source;

	if (!(request->flags & ENTRIES))
		return true;
	source->entries = ic_entries_find(request->file->image, request->file->index, sites, NULL,
					  request->err);
	request->options.entries = source->entries;
	return source->entries != NULL;
}

static struct ic_rows *rows_of_sites(struct request *request)
{
	const struct ic_sites_query query = sites_query(request);

	request->source->sites = ic_sites_find(request->file->index, &query, request->err);
	return request->source->sites && open_parameters(request) &&
			       find_entries(request, request->source->sites)
		       ? ic_rows_of_sites(request->source->sites, &request->options, request->err)
		       : NULL;
}

static struct ic_statistics *find_statistics(struct request *request, bool only_sites)
{
	const struct ic_sites_query sites = sites_query(request);
	const struct ic_statistics_query query = { .sites = &sites,
						   .by = (enum ic_statistics_by)request->by,
						   .order =
							   (enum ic_statistics_order)request->order,
						   .limit = request->limit,
						   .only_sites = only_sites };

	request->source->statistics =
		ic_statistics_find(request->file->index, &query, request->err);
	return request->source->statistics;
}

static struct ic_rows *rows_of_counts(struct request *request)
{
	const struct ic_statistics *counts = find_statistics(request, true);

	return counts ? ic_rows_of_counts(counts, &request->options, request->err) : NULL;
}

static struct ic_rows *rows_of_statistics(struct request *request)
{
	const struct ic_statistics *found = find_statistics(request, false);

	return found ? ic_rows_of_statistics(found, &request->options, request->err) : NULL;
}

static struct ic_rows *rows_of_arguments(struct request *request)
{
	const struct ic_sites_query query = sites_query(request);
	struct ic_argument_statistics counts;

	request->flags |= PARAMETERS;
	return open_parameters(request) &&
			       ic_arguments_count(request->source->parameters, request->file->index,
						  &query, &counts, request->err)
		       ? ic_rows_of_arguments(&counts, &request->options, request->err)
		       : NULL;
}

static struct ic_rows *rows_of_trees(struct request *request)
{
	const struct ic_sites_query sites = sites_query(request);
	const struct ic_trees_query query = { .function = sites.function,
					      .more_functions = sites.more_functions,
					      .match = sites.match,
					      .inlined = request->flags & INLINED,
					      .levels = request->limit < UINT32_MAX
								? (uint32_t)request->limit
								: 0,
					      .parts = sites.parts };

	request->source->trees = ic_trees_find(request->file->index, &query, request->err);
	return request->source->trees && open_parameters(request)
		       ? ic_rows_of_trees(request->source->trees, &request->options, request->err)
		       : NULL;
}

static struct ic_rows *rows_of_verdicts(struct request *request)
{
	struct ic_native_source *source = request->source;

	if (!request->functions) {
		*request->err =
			(struct ic_error){ .code = IC_ERROR_ARGUMENT,
					   .message = "verdicts are of functions that are named" };
		return NULL;
	}
	source->verdicts = ic_verdicts_find(request->file->index, request->functions, request->err);
	return source->verdicts && open_parameters(request) &&
			       find_entries(request, ic_verdicts_sites(source->verdicts))
		       ? ic_rows_of_verdicts(source->verdicts, &request->options, request->err)
		       : NULL;
}

static struct ic_rows *rows_of_sizes(struct request *request)
{
	const struct ic_sizes_query query = { .by = (enum ic_sizes_by)request->by,
					      .order = (enum ic_sizes_order)request->order,
					      .limit = request->limit };

	request->source->sizes = ic_sizes_find(request->file->index, &query, request->err);
	return request->source->sizes
		       ? ic_rows_of_sizes(request->source->sizes, &request->options, request->err)
		       : NULL;
}

static struct ic_rows *rows_of_affected(struct request *request)
{
	const struct ic_affected_query query = { .functions = request->functions,
						 .hosts = request->hosts };

	request->source->affected = ic_affected_find(request->file->index, &query, request->err);
	return request->source->affected ? ic_rows_of_affected(request->source->affected,
							       &request->options, request->err)
					 : NULL;
}

static struct ic_rows *rows_of_lint(struct request *request)
{
	size_t count = 0;

	while (request->functions && request->functions[count])
		count++;
	const struct ic_lint_options options = {
		.limit = request->limit && request->limit < UINT32_MAX ? (uint32_t)request->limit
								       : UINT32_MAX,
		.rules = request->functions,
		.rule_count = count,
	};
	request->source->lint = ic_lint_run(request->file->image, &options, request->err);
	return request->source->lint
		       ? ic_rows_of_lint(request->source->lint, &request->options, request->err)
		       : NULL;
}

static struct ic_rows *rows_of_call_frames(struct request *request)
{
	struct ic_native_source *source = request->source;

	source->call_frames = ic_call_frames_open(request->file->image, request->err);
	return source->call_frames
		       ? ic_rows_of_call_frames(source->call_frames, request->file->symbolizer,
						NULL, &request->options, request->err)
		       : NULL;
}

static struct ic_rows *rows_of_table(struct request *request)
{
	struct ic_native_source *source = request->source;

	source->tables = ic_tables_make(request->file->index, request->err);
	return source->tables && open_parameters(request)
		       ? ic_rows_of_table(source->tables, (enum ic_table)request->by,
					  &request->options, request->err)
		       : NULL;
}

static const struct analysis {
	const char *name;
	struct ic_rows *(*make)(struct request *);
} analyses[] = {
	{ "sites", rows_of_sites },
	{ "counts", rows_of_counts },
	{ "statistics", rows_of_statistics },
	{ "arguments", rows_of_arguments },
	{ "trees", rows_of_trees },
	{ "verdicts", rows_of_verdicts },
	{ "sizes", rows_of_sizes },
	{ "affected", rows_of_affected },
	{ "lint", rows_of_lint },
	{ "call_frames", rows_of_call_frames },
	{ "table", rows_of_table },
};

static const struct analysis *find_analysis(const char *name)
{
	for (size_t i = 0; i < sizeof(analyses) / sizeof(*analyses); i++)
		if (strcmp(analyses[i].name, name) == 0)
			return &analyses[i];
	PyErr_Format(PyExc_ValueError, "there are no rows of kind '%s'", name);
	return NULL;
}

static PyObject *make_rows(PyObject *self, const struct analysis *analysis, struct request *request)
{
	struct ic_native *native = ic_native_of(self);
	struct ic_native_source *source = request->source;
	struct ic_error err;
	struct ic_rows *rows;

	request->err = &err;
	PyThreadState *unlocked = PyEval_SaveThread();
	rows = analysis->make(request);
	PyEval_RestoreThread(unlocked);
	if (!rows)
		ic_native_raise(native, &err);
	return ic_native_rows_new(native, rows, source);
}

PyObject *ic_native_file_rows(PyObject *self, PyObject *arguments)
{
	struct request request = { .file = (struct ic_native_file *)self };
	const struct analysis *analysis;
	PyObject *functions, *hosts, *call_files, *rows = NULL;
	const char *kind;

	if (!PyArg_ParseTuple(arguments, "sOOOiiiO&I", &kind, &functions, &hosts, &call_files,
			      &request.match, &request.by, &request.order, ic_native_to_u64,
			      &request.limit, &request.flags) ||
	    !(analysis = find_analysis(kind)))
		return NULL;
	request.functions = ic_native_take_names(functions);
	request.hosts = PyErr_Occurred() ? NULL : ic_native_take_names(hosts);
	request.call_files = PyErr_Occurred() ? NULL : ic_native_take_names(call_files);
	if (!PyErr_Occurred()) {
		struct ic_native_source source = { .owner = Py_NewRef(self),
						   .names = Py_NewRef(arguments),
						   .problems = Py_NewRef(request.file->problems),
						   .is_closed = &request.file->is_closed };
		request.source = &source;
		request.options = (struct ic_row_options){
			.file = ic_image_path(request.file->image),
			.base_names = request.flags & BASE_NAMES,
			.demangle = request.flags & DEMANGLE,
		};
		rows = make_rows(self, analysis, &request);
	}
	PyMem_Free(request.functions);
	PyMem_Free(request.hosts);
	PyMem_Free(request.call_files);
	return rows;
}
