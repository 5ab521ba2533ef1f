// The type Space: where files are mapped, and the frames at addresses there.
#include "native.h"

struct space {
	PyObject object;
	struct ic_native_modules modules;
	struct ic_space *space;
	PyObject *problems; // a list
	PyObject *told;     // a dict: how many problems of each symbolizer are in the list
};

static struct space *space_of(PyObject *self)
{
	return (struct space *)self;
}

// Space(options)
static PyObject *new_space(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
	allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
	const struct ic_native *native = PyType_GetModuleState(type);
	struct ic_error err;
	PyObject *options;

	(void)named;
	if (!PyArg_ParseTuple(arguments, "O!", &PyTuple_Type, &options))
		return NULL;
	struct space *space = (struct space *)allocate(type, 0);
	if (!space)
		return NULL;
	space->problems = PyList_New(0);
	space->told = PyDict_New();
	if (ic_native_modules_open(&space->modules, native, arguments, options)) {
		space->space = ic_space_new(space->modules.modules, &err);
		if (!space->space)
			ic_native_raise(native, &err);
	}
	if (PyErr_Occurred())
		Py_CLEAR(space);
	return (PyObject *)space;
}

static void free_space(PyObject *self)
{
	struct space *space = space_of(self);
	PyTypeObject *type = Py_TYPE(self);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	ic_space_free(space->space);
	ic_native_modules_close(&space->modules);
	Py_XDECREF(space->problems);
	Py_XDECREF(space->told);
	release(self);
	Py_DECREF(type);
}

// read_process(pid)
static PyObject *read_process(PyObject *self, PyObject *argument)
{
	struct ic_error err;
	int pid;
	bool ok;

	if (!PyArg_Parse(argument, "i", &pid))
		return NULL;
	PyThreadState *unlocked = PyEval_SaveThread();
	ok = ic_space_read_process(space_of(self)->space, pid, &err);
	PyEval_RestoreThread(unlocked);
	if (!ok)
		return ic_native_raise(ic_native_of(self), &err);
	Py_RETURN_NONE;
}

// Without the GIL: what was left out is kept as text.
struct left_out {
	char *text;
	size_t size;
	FILE *out;
};

static void note_left_out(void *context, const char *module, const struct ic_error *err)
{
	const struct left_out *left_out = context;

	(void)module;
	fprintf(left_out->out, "%s%c", err->message, '\0');
}

static bool add_left_out(struct space *space, const struct ic_native *native,
			 const struct left_out *left_out)
{
	for (size_t at = 0; at < left_out->size; at += strlen(left_out->text + at) + 1) {
		const struct ic_index_problem problem = { .message = left_out->text + at };
		if (!ic_native_add_problem(native, space->problems, &problem))
			return false;
	}
	return true;
}

// read_kernel(dirs)
static PyObject *read_kernel(PyObject *self, PyObject *argument)
{
	const char **dirs = ic_native_take_names(argument);
	struct left_out left_out = { .text = NULL };
	struct ic_error err;
	bool ok = false;

	if (!dirs)
		return NULL;
	left_out.out = open_memstream(&left_out.text, &left_out.size);
	if (!left_out.out) {
		PyMem_Free(dirs);
		return PyErr_NoMemory();
	}
	const struct ic_space_kernel_options options = { .dirs = dirs,
							 .dir_count = (size_t)PyList_Size(argument),
							 .left_out = note_left_out,
							 .context = &left_out };
	PyThreadState *unlocked = PyEval_SaveThread();
	ok = ic_space_read_kernel(space_of(self)->space, &options, &err);
	PyEval_RestoreThread(unlocked);
	fclose(left_out.out);
	if (!ok)
		ic_native_raise(ic_native_of(self), &err);
	else
		ok = add_left_out(space_of(self), ic_native_of(self), &left_out);
	free(left_out.text);
	PyMem_Free(dirs);
	if (!ok)
		return NULL;
	Py_RETURN_NONE;
}

// add(start, end, offset, path, build_id)
static PyObject *add_mapping(PyObject *self, PyObject *arguments)
{
	uint64_t start, end, offset;
	struct ic_error err;
	PyObject *path;
	const char *build_id;
	Py_ssize_t size;

	if (!PyArg_ParseTuple(arguments, "O&O&O&O&y#", ic_native_to_u64, &start, ic_native_to_u64,
			      &end, ic_native_to_u64, &offset, PyUnicode_FSConverter, &path,
			      &build_id, &size))
		return NULL;
	const struct ic_space_mapping mapping = { .start = start,
						  .end = end,
						  .offset = offset,
						  .path = PyBytes_AsString(path),
						  .build_id = (const uint8_t *)build_id,
						  .build_id_size = (size_t)size };
	bool ok = ic_space_add(space_of(self)->space, &mapping, &err);
	Py_DECREF(path);
	if (!ok)
		return ic_native_raise(ic_native_of(self), &err);
	Py_RETURN_NONE;
}

// (status, status of the look-up, path, reason, offset, address in the file, frames)
static PyObject *answer_of(const struct ic_native *native, const struct ic_space_answer *answer)
{
	return Py_BuildValue("(iiNNKNN)", (int)answer->status, (int)answer->lookup,
			     ic_native_text(answer->path), ic_native_text(answer->reason),
			     (unsigned long long)answer->offset,
			     ic_native_number(answer->addr, answer->addr != IC_NO_ADDR),
			     ic_native_frames(native, NULL, answer->frames, answer->frame_count));
}

// The problems of a file that answered, once.
static bool add_problems(struct space *space, const struct ic_native *native,
			 const struct ic_space_answer *answer)
{
	struct ic_index_problem problem;
	bool ok = true;

	if (!answer->symbolizer)
		return true;
	PyObject *key = PyLong_FromVoidPtr(answer->symbolizer);
	PyObject *known = key ? PyDict_GetItemWithError(space->told, key) : NULL;
	size_t i = known ? PyLong_AsSize_t(known) : 0, before = i;
	ok = key && !PyErr_Occurred();
	for (; ok && ic_symbolizer_problem_get(answer->symbolizer, i, &problem); i++) {
		if (!problem.file)
			problem.file = answer->path;
		ok = ic_native_add_problem(native, space->problems, &problem);
	}
	if (ok && i > before) {
		PyObject *count = PyLong_FromSize_t(i);
		ok = count && PyDict_SetItem(space->told, key, count) == 0;
		Py_XDECREF(count);
	}
	Py_XDECREF(key);
	return ok;
}

// find(addresses): a list of answers
static PyObject *find(PyObject *self, PyObject *argument)
{
	const struct ic_native *native = ic_native_of(self);
	struct ic_space_answers *answers;
	struct ic_space_answer answer;
	struct ic_error err;
	Py_buffer addrs;

	if (!ic_native_take_addrs(argument, &addrs))
		return NULL;
	size_t count = (size_t)addrs.len / 8;
	PyThreadState *unlocked = PyEval_SaveThread();
	answers = ic_space_find(space_of(self)->space, addrs.buf, count, &err);
	PyEval_RestoreThread(unlocked);
	PyBuffer_Release(&addrs);
	if (!answers)
		return ic_native_raise(native, &err);
	PyObject *list = PyList_New((Py_ssize_t)count);
	for (size_t i = 0; list && ic_space_answers_get(answers, i, &answer); i++) {
		PyObject *item = add_problems(space_of(self), native, &answer)
					 ? answer_of(native, &answer)
					 : NULL;
		if (item)
			PyList_SetItem(list, (Py_ssize_t)i, item);
		else
			Py_CLEAR(list);
	}
	ic_space_answers_free(answers);
	return list;
}

static PyObject *problems(PyObject *self, PyObject *unused)
{
	(void)unused;
	return PyList_GetSlice(space_of(self)->problems, 0, PyList_Size(space_of(self)->problems));
}

static PyMethodDef methods[] = {
	{ "read_process", read_process, METH_O, NULL },
	{ "read_kernel", read_kernel, METH_O, NULL },
	{ "add", add_mapping, METH_VARARGS, NULL },
	{ "find", find, METH_O, NULL },
	{ "problems", problems, METH_NOARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_new, new_space },
	{ Py_tp_dealloc, free_space },
	{ Py_tp_methods, methods },
	{ 0, NULL },
};

PyType_Spec ic_native_space_spec = { "inlinecall._native.Space", sizeof(struct space), 0,
				     Py_TPFLAGS_DEFAULT, slots };
