// The type Rows: an iterator over rows as dicts.
#include "native.h"

enum { AT_ONCE = 256 }; // rows, before signals and other threads have their turn

struct rows {
	PyObject object;
	struct ic_rows *rows; // NULL after the last one
	struct ic_native_source source;
	bool is_busy; // a row is being made: other code may run meanwhile
	unsigned count;
};

static void free_source(struct ic_native_source *source)
{
	ic_entries_free(source->entries);
	ic_parameters_free(source->parameters);
	ic_stored_free(source->stored);
	ic_sites_free(source->sites);
	ic_statistics_free(source->statistics);
	ic_trees_free(source->trees);
	ic_verdicts_free(source->verdicts);
	ic_sizes_free(source->sizes);
	ic_affected_free(source->affected);
	ic_lint_free(source->lint);
	ic_call_frames_free(source->call_frames);
	ic_tables_free(source->tables);
	ic_backtraces_free(source->backtraces);
	Py_XDECREF(source->owner);
	Py_XDECREF(source->names);
	Py_XDECREF(source->problems);
	*source = (struct ic_native_source){ .owner = NULL };
}

// What could not be read was found with the rows.
static bool add_problems(const struct ic_native *native, const struct ic_native_source *source,
			 PyObject *list)
{
	struct ic_index_problem problem;
	bool ok = true;

	for (size_t i = 0;
	     ok && source->parameters && ic_parameters_problem_get(source->parameters, i, &problem);
	     i++)
		ok = ic_native_add_problem(native, list, &problem);
	for (size_t i = 0; ok && source->lint && ic_lint_problem_get(source->lint, i, &problem);
	     i++)
		ok = ic_native_add_problem(native, list, &problem);
	for (size_t i = 0; ok && source->call_frames &&
			   ic_call_frames_problem_get(source->call_frames, i, &problem);
	     i++)
		ok = ic_native_add_problem(native, list, &problem);
	return ok;
}

// Warns of the first problem after those before, if nobody can ask the owner for it.
static bool warn_if_closed(const struct ic_native *native, const struct ic_native_source *source,
			   Py_ssize_t before)
{
	if (!source->is_closed || !*source->is_closed || PyList_Size(source->problems) == before)
		return true;
	PyObject *message =
		PyObject_GetAttrString(PyList_GetItem(source->problems, before), "message");
	const char *text = message ? PyUnicode_AsUTF8AndSize(message, NULL) : NULL;
	bool ok = text && PyErr_WarnEx(native->warning, text, 1) == 0;
	Py_XDECREF(message);
	return ok;
}

// Ends the iteration: its problems become those of the owner. What Python code may still see is
// cleared first.
static bool end_rows(const struct ic_native *native, struct rows *self)
{
	struct ic_native_source source = self->source;
	struct ic_rows *rows = self->rows;

	self->rows = NULL;
	self->source = (struct ic_native_source){ .owner = NULL };
	Py_ssize_t before = PyList_Size(source.problems);
	bool ok = add_problems(native, &source, source.problems) &&
		  warn_if_closed(native, &source, before);
	ic_rows_free(rows);
	free_source(&source);
	return ok;
}

PyObject *ic_native_rows_new(struct ic_native *native, struct ic_rows *rows,
			     struct ic_native_source *source)
{
	allocfunc allocate = (allocfunc)PyType_GetSlot(native->rows, Py_tp_alloc);
	struct rows *self = rows ? (struct rows *)allocate(native->rows, 0) : NULL;

	if (!self) {
		ic_rows_free(rows);
		free_source(source);
		return NULL;
	}
	self->rows = rows;
	self->source = *source;
	return (PyObject *)self;
}

// In a loop that is written in C nothing else would ever have its turn.
static bool let_others_run(struct rows *self)
{
	if (++self->count % AT_ONCE != 0)
		return true;
	PyEval_RestoreThread(PyEval_SaveThread());
	return PyErr_CheckSignals() == 0;
}

static PyObject *make_row(struct ic_native *native, struct rows *self)
{
	struct ic_row_fields fields;
	struct ic_error err = { .code = IC_ERROR_NONE };

	if (!let_others_run(self))
		return NULL;
	if (!self->rows)
		return NULL;
	if (ic_rows_next_fields(self->rows, &fields, &err))
		return ic_native_row(native, fields.schema, fields.row);
	if (end_rows(native, self) && err.code != IC_ERROR_NONE)
		ic_native_raise(native, &err);
	return NULL;
}

static PyObject *next_row(PyObject *object)
{
	struct rows *self = (struct rows *)object;

	if (self->is_busy) {
		PyErr_SetString(PyExc_ValueError, "the rows are being read already");
		return NULL;
	}
	self->is_busy = true;
	PyObject *row = make_row(ic_native_of(object), self);
	self->is_busy = false;
	return row;
}

static void free_rows(PyObject *object)
{
	struct rows *self = (struct rows *)object;
	PyTypeObject *type = Py_TYPE(object);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
	PyObject *kind, *value, *trace;

	PyErr_Fetch(&kind, &value, &trace); // this may happen while an exception is on its way
	if (self->rows && !end_rows(ic_native_of(object), self))
		PyErr_WriteUnraisable(object);
	PyErr_Restore(kind, value, trace);
	release(object);
	Py_DECREF(type);
}

static PyType_Slot slots[] = {
	{ Py_tp_dealloc, free_rows },
	{ Py_tp_iter, PyObject_SelfIter },
	{ Py_tp_iternext, next_row },
	{ 0, NULL },
};

PyType_Spec ic_native_rows_spec = { "inlinecall._native.Rows", sizeof(struct rows), 0,
				    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots };
