// The type File.
#include "file.h"

enum { FRAMES_AT_ONCE = 64 };

static struct ic_native_file *file_of(PyObject *self)
{
	return (struct ic_native_file *)self;
}

// ---- Frames

// The frames at an address as a list.
static PyObject *find_frames(PyObject *self, PyObject *argument, enum ic_lookup_status *status)
{
	struct ic_symbolizer *symbolizer = file_of(self)->symbolizer;
	struct ic_frame some[FRAMES_AT_ONCE], *frames = some;
	uint64_t addr;
	size_t count;

	if (!ic_native_take_addr(argument, &addr))
		return NULL;
	PyThreadState *unlocked = PyEval_SaveThread();
	count = ic_symbolizer_lookup_at(symbolizer, addr, some, FRAMES_AT_ONCE, status);
	PyEval_RestoreThread(unlocked);
	if (count > FRAMES_AT_ONCE) {
		frames = PyMem_Malloc(count * sizeof(*frames));
		if (!frames)
			return PyErr_NoMemory();
		ic_symbolizer_lookup_at(symbolizer, addr, frames, count, status);
	}
	PyObject *list =
		ic_native_frames(ic_native_of(self), &file_of(self)->strings, frames, count);
	if (frames != some)
		PyMem_Free(frames);
	return list;
}

static PyObject *frames(PyObject *self, PyObject *argument)
{
	enum ic_lookup_status status;

	return find_frames(self, argument, &status);
}

static PyObject *lookup(PyObject *self, PyObject *argument)
{
	enum ic_lookup_status status;
	PyObject *list = find_frames(self, argument, &status);

	return list ? Py_BuildValue("(Ni)", list, (int)status) : NULL;
}

static PyObject *frames_many(PyObject *self, PyObject *argument)
{
	struct ic_stacks *stacks;
	struct ic_error err;
	Py_buffer addrs;

	if (!ic_native_take_addrs(argument, &addrs))
		return NULL;
	size_t count = (size_t)addrs.len / 8;
	PyThreadState *unlocked = PyEval_SaveThread();
	stacks = ic_stacks_find(file_of(self)->symbolizer, addrs.buf, count, &err);
	PyEval_RestoreThread(unlocked);
	PyBuffer_Release(&addrs);
	if (!stacks)
		return ic_native_raise(ic_native_of(self), &err);
	PyObject *columns = ic_native_columns(stacks, count);
	ic_stacks_free(stacks);
	return columns;
}

// A list of (start, end, file, line, column, discriminator, is_stmt, frames).
static PyObject *list_places(struct ic_native *native, const struct ic_lines *lines)
{
	PyObject *list = PyList_New(0);
	struct ic_line_place place;

	for (size_t i = 0; list && i < ic_lines_count(lines); i++) {
		size_t count = ic_lines_get(lines, i, &place, NULL, 0);
		struct ic_frame *found = PyMem_Malloc((count + 1) * sizeof(*found));
		if (!found) {
			PyErr_NoMemory();
			Py_CLEAR(list);
			break;
		}
		ic_lines_get(lines, i, &place, found, count);
		PyObject *item = Py_BuildValue("(KKNIIINN)", (unsigned long long)place.range.start,
					       (unsigned long long)place.range.end,
					       ic_native_text(place.file), place.line, place.column,
					       place.discriminator, PyBool_FromLong(place.is_stmt),
					       ic_native_frames(native, NULL, found, count));
		if (!item || PyList_Append(list, item) != 0)
			Py_CLEAR(list);
		Py_XDECREF(item);
		PyMem_Free(found);
	}
	return list;
}

// The code of a line: (places, whether any line table has the file, the next line with code).
static PyObject *lines(PyObject *self, PyObject *arguments)
{
	struct ic_lines *found;
	struct ic_error err;
	const char *source;
	uint32_t line;

	if (!PyArg_ParseTuple(arguments, "O&O&", ic_native_to_bytes, &source, ic_native_to_u32,
			      &line))
		return NULL;
	PyThreadState *unlocked = PyEval_SaveThread();
	found = ic_lines_find(file_of(self)->symbolizer, source, line, &err);
	PyEval_RestoreThread(unlocked);
	if (!found)
		return ic_native_raise(ic_native_of(self), &err);
	PyObject *answer = Py_BuildValue("(NNI)", list_places(ic_native_of(self), found),
					 PyBool_FromLong(ic_lines_has_file(found)),
					 ic_lines_next(found));
	ic_lines_free(found);
	return answer;
}

// ---- Symbols

// (name, start, end)
static PyObject *symbol_of(const char *name, uint64_t start, uint64_t end)
{
	return Py_BuildValue("(NKK)", ic_native_text(name), (unsigned long long)start,
			     (unsigned long long)end);
}

static PyObject *symbol(PyObject *self, PyObject *argument)
{
	struct ic_symbolizer_symbol found;
	const char *name;

	if (!ic_native_to_bytes(argument, &name))
		return NULL;
	if (!ic_symbolizer_symbol_find(file_of(self)->symbolizer, name, 0, &found))
		Py_RETURN_NONE;
	return symbol_of(found.name, found.start, found.end);
}

static PyObject *symbol_at(PyObject *self, PyObject *argument)
{
	struct ic_symbolizer_symbol found;
	uint64_t addr;

	if (!ic_native_take_addr(argument, &addr))
		return NULL;
	if (!ic_symbolizer_symbol_at(file_of(self)->symbolizer, addr, &found))
		Py_RETURN_NONE;
	return symbol_of(found.name, found.start, found.end);
}

static void add_symbol(void *list, const struct ic_image_symbol *found)
{
	if (PyErr_Occurred())
		return;
	PyObject *item = Py_BuildValue(
		"(NKKN)", ic_native_text(found->name), (unsigned long long)found->start,
		(unsigned long long)found->end, PyBool_FromLong(found->is_function));
	if (item)
		PyList_Append(list, item);
	Py_XDECREF(item);
}

// A list of (name, start, end, is_function).
static PyObject *symbols(PyObject *self, PyObject *unused)
{
	PyObject *list = PyList_New(0);
	struct ic_error err;

	(void)unused;
	if (list && !ic_image_list_symbols(file_of(self)->image, add_symbol, list, &err) &&
	    !PyErr_Occurred())
		ic_native_raise(ic_native_of(self), &err);
	if (PyErr_Occurred())
		Py_CLEAR(list);
	return list;
}

// ---- The index

// Builds the index if there is none. One thread at a time: the caller holds a lock.
static PyObject *build_index(PyObject *self, PyObject *unused)
{
	static const struct ic_index_options options = {
		.calls = true, .declarations = true, .parameters = true, .entries = true
	};
	struct ic_native_file *file = file_of(self);
	struct ic_index *index = NULL;
	struct ic_error err;

	(void)unused;
	if (file->index)
		Py_RETURN_NONE;
	PyThreadState *unlocked = PyEval_SaveThread();
	index = ic_index_build(file->image, &options, &err);
	PyEval_RestoreThread(unlocked);
	if (!index)
		return ic_native_raise(ic_native_of(self), &err);
	file->index = index;
	Py_RETURN_NONE;
}

// ---- Problems

// What rows cannot read from now on is a warning at once.
static PyObject *close_file(PyObject *self, PyObject *unused)
{
	(void)unused;
	file_of(self)->is_closed = true;
	Py_RETURN_NONE;
}

static PyObject *problems(PyObject *self, PyObject *unused)
{
	struct ic_native_file *file = file_of(self);
	const struct ic_native *native = ic_native_of(self);
	PyObject *list = PyList_GetSlice(file->problems, 0, PyList_Size(file->problems));
	struct ic_index_problem problem;
	bool ok = list != NULL;

	(void)unused;
	for (size_t i = 0; ok && ic_symbolizer_problem_get(file->symbolizer, i, &problem); i++)
		ok = ic_native_add_problem(native, list, &problem);
	for (size_t i = 0; ok && file->index && ic_index_problem_get(file->index, i, &problem); i++)
		ok = ic_native_add_problem(native, list, &problem);
	if (!ok)
		Py_CLEAR(list);
	return list;
}

// ---- Opening

static bool open_file(struct ic_native_file *file, const char *path,
		      const struct ic_native_options *options, struct ic_error *err)
{
	static const struct ic_symbolizer_options names = { .display_names = true,
							    .display_style = IC_DEMANGLE_PARAMS };

	PyThreadState *unlocked = PyEval_SaveThread();
	file->image = ic_image_open(path, &options->image, err);
	if (file->image)
		file->symbolizer = ic_symbolizer_new(file->image, &names, err);
	PyEval_RestoreThread(unlocked);
	return file->symbolizer != NULL;
}

// File(path, options)
static PyObject *new_file(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
	allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
	struct ic_native_options options;
	struct ic_native_file *file = NULL;
	struct ic_error err;
	PyObject *path, *tuple;

	(void)named;
	if (!PyArg_ParseTuple(arguments, "O&O!", PyUnicode_FSConverter, &path, &PyTuple_Type,
			      &tuple))
		return NULL;
	if (ic_native_take_options(tuple, &options)) {
		file = (struct ic_native_file *)allocate(type, 0);
		if (file)
			file->problems = PyList_New(0);
		if (file && file->problems &&
		    !open_file(file, PyBytes_AsString(path), &options, &err))
			ic_native_raise(PyType_GetModuleState(type), &err);
		ic_native_release_options(&options);
	}
	Py_DECREF(path);
	if (PyErr_Occurred())
		Py_CLEAR(file);
	return (PyObject *)file;
}

static void free_file(PyObject *self)
{
	struct ic_native_file *file = file_of(self);
	PyTypeObject *type = Py_TYPE(self);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	ic_native_strings_free(&file->strings);
	ic_index_free(file->index);
	ic_symbolizer_free(file->symbolizer);
	ic_image_free(file->image);
	Py_XDECREF(file->problems);
	release(self);
	Py_DECREF(type);
}

// ---- Attributes

static PyObject *get_path(PyObject *self, void *unused)
{
	(void)unused;
	return PyUnicode_DecodeFSDefault(ic_image_path(file_of(self)->image));
}

static PyObject *get_build_id(PyObject *self, void *unused)
{
	const uint8_t *bytes;
	size_t size = ic_image_build_id(file_of(self)->image, &bytes);

	(void)unused;
	if (size == 0)
		Py_RETURN_NONE;
	PyObject *made = PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)size);
	PyObject *text = made ? PyObject_CallMethod(made, "hex", NULL) : NULL;
	Py_XDECREF(made);
	return text;
}

static PyObject *get_machine(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromUnsignedLong(ic_image_machine(file_of(self)->image));
}

static PyObject *get_addr_size(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromUnsignedLong(ic_image_addr_size(file_of(self)->image));
}

static PyObject *get_is_relocatable(PyObject *self, void *unused)
{
	(void)unused;
	return PyBool_FromLong(ic_image_is_relocatable(file_of(self)->image));
}

static PyMethodDef methods[] = {
	{ "frames", frames, METH_O,
	  "frames(address)\n--\n\nThe frames at an address, innermost first; empty if nothing is "
	  "known." },
	{ "lookup", lookup, METH_O, NULL },
	{ "frames_many", frames_many, METH_O, NULL },
	{ "lines", lines, METH_VARARGS, NULL },
	{ "symbol", symbol, METH_O, NULL },
	{ "symbol_at", symbol_at, METH_O, NULL },
	{ "symbols", symbols, METH_NOARGS, NULL },
	{ "build_index", build_index, METH_NOARGS, NULL },
	{ "rows", ic_native_file_rows, METH_VARARGS, NULL },
	{ "problems", problems, METH_NOARGS, NULL },
	{ "close", close_file, METH_NOARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyGetSetDef attributes[] = {
	{ "path", get_path, NULL, NULL, NULL },
	{ "build_id", get_build_id, NULL, NULL, NULL },
	{ "machine", get_machine, NULL, NULL, NULL },
	{ "addr_size", get_addr_size, NULL, NULL, NULL },
	{ "is_relocatable", get_is_relocatable, NULL, NULL, NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_new, new_file },
	{ Py_tp_dealloc, free_file },
	{ Py_tp_methods, methods },
	{ Py_tp_getset, attributes },
	{ 0, NULL },
};

PyType_Spec ic_native_file_spec = { "inlinecall._native.File", sizeof(struct ic_native_file), 0,
				    Py_TPFLAGS_DEFAULT, slots };
