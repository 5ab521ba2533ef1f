// The type Target: a process or a core, for its stacks.
#include "native.h"

struct target {
	PyObject object;
	struct ic_native_modules modules;
	struct ic_target *target;
	PyObject *problems; // a list of those found with rows
};

static struct target *target_of(PyObject *self)
{
	return (struct target *)self;
}

static struct ic_target *open_target(struct ic_modules *modules, const char *core, int pid,
				     const struct ic_target_core_options *options,
				     struct ic_error *err)
{
	const struct ic_target_process_options of_process = { .no_goroutines =
								      options->no_goroutines };
	struct ic_target *target;

	PyThreadState *unlocked = PyEval_SaveThread();
	target = core ? ic_target_open_core(modules, core, options, err)
		      : ic_target_copy_process(modules, pid, &of_process, err);
	PyEval_RestoreThread(unlocked);
	return target;
}

// Target(core, pid, program, sysroot, goroutines, options): a core unless it is None
static PyObject *new_target(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
	allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
	const struct ic_native *native = PyType_GetModuleState(type);
	struct ic_target_core_options core_options = { .program = NULL };
	struct ic_error err;
	PyObject *options;
	const char *core;
	int pid, goroutines;

	(void)named;
	if (!PyArg_ParseTuple(arguments, "O&iO&O&pO!", ic_native_to_bytes, &core, &pid,
			      ic_native_to_bytes, &core_options.program, ic_native_to_bytes,
			      &core_options.sysroot, &goroutines, &PyTuple_Type, &options))
		return NULL;
	core_options.no_goroutines = !goroutines;
	struct target *target = (struct target *)allocate(type, 0);
	if (!target)
		return NULL;
	target->problems = PyList_New(0);
	if (ic_native_modules_open(&target->modules, native, arguments, options)) {
		target->target =
			open_target(target->modules.modules, core, pid, &core_options, &err);
		if (!target->target)
			ic_native_raise(native, &err);
	}
	if (PyErr_Occurred())
		Py_CLEAR(target);
	return (PyObject *)target;
}

static void free_target(PyObject *self)
{
	struct target *target = target_of(self);
	PyTypeObject *type = Py_TYPE(self);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	ic_target_free(target->target);
	ic_native_modules_close(&target->modules);
	Py_XDECREF(target->problems);
	release(self);
	Py_DECREF(type);
}

// rows(arguments, variables, group, most_frames): of its threads
static PyObject *rows(PyObject *self, PyObject *arguments)
{
	struct target *target = target_of(self);
	struct ic_native *native = ic_native_of(self);
	const struct ic_row_options of_rows = { .file = NULL };
	struct ic_backtraces_options options = { .arguments = false };
	struct ic_backtraces *backtraces;
	struct ic_rows *made = NULL;
	struct ic_error err;
	int with_arguments, with_variables, group;

	if (!PyArg_ParseTuple(arguments, "pppO&", &with_arguments, &with_variables, &group,
			      ic_native_to_u32, &options.most_frames))
		return NULL;
	options.arguments = with_arguments;
	options.variables = with_variables;
	PyThreadState *unlocked = PyEval_SaveThread();
	backtraces = ic_backtraces_make(target->target, &options, &err);
	if (backtraces)
		made = ic_rows_of_backtraces((const struct ic_backtraces *const[]){ backtraces }, 1,
					     group, &of_rows, &err);
	PyEval_RestoreThread(unlocked);
	struct ic_native_source source = { .backtraces = backtraces,
					   .owner = Py_NewRef(self),
					   .problems = Py_NewRef(target->problems) };
	if (!made)
		ic_native_raise(native, &err);
	return ic_native_rows_new(native, made, &source);
}

static PyObject *problems(PyObject *self, PyObject *unused)
{
	struct target *target = target_of(self);
	PyObject *list = PyList_GetSlice(target->problems, 0, PyList_Size(target->problems));
	struct ic_index_problem problem;
	bool ok = list != NULL;

	(void)unused;
	for (size_t i = 0; ok && ic_target_problem_get(target->target, i, &problem); i++)
		ok = ic_native_add_problem(ic_native_of(self), list, &problem);
	if (!ok)
		Py_CLEAR(list);
	return list;
}

static PyMethodDef methods[] = {
	{ "rows", rows, METH_VARARGS, NULL },
	{ "problems", problems, METH_NOARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_new, new_target },
	{ Py_tp_dealloc, free_target },
	{ Py_tp_methods, methods },
	{ 0, NULL },
};

PyType_Spec ic_native_target_spec = { "inlinecall._native.Target", sizeof(struct target), 0,
				      Py_TPFLAGS_DEFAULT, slots };
