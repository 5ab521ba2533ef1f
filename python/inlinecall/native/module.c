// The module inlinecall._native.
#include "native.h"

static PyObject *demangle(PyObject *module, PyObject *argument)
{
	const char *symbol;
	char *name = NULL;

	(void)module;
	if (!ic_native_to_bytes(argument, &symbol))
		return NULL;
	if (!ic_demangle(symbol, IC_DEMANGLE_FULL, &name))
		return PyErr_NoMemory();
	PyObject *text = ic_native_text(name);
	free(name);
	return text;
}

static bool add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **type)
{
	PyObject *made = PyType_FromModuleAndSpec(module, spec, NULL);
	bool ok = made && PyModule_AddObjectRef(module, name, made) == 0;

	if (type)
		*type = (PyTypeObject *)made;
	else
		Py_XDECREF(made);
	return ok;
}

static int execute(PyObject *module)
{
	struct ic_native *native = PyModule_GetState(module);
	PyObject *errors = PyImport_ImportModule("inlinecall._errors");

	native->error = errors ? PyObject_GetAttrString(errors, "Error") : NULL;
	native->warning = errors ? PyObject_GetAttrString(errors, "ProblemWarning") : NULL;
	Py_XDECREF(errors);
	return native->error && native->warning && ic_native_add_records(native, module) &&
			       add_type(module, "Rows", &ic_native_rows_spec, &native->rows) &&
			       add_type(module, "File", &ic_native_file_spec, NULL) &&
			       add_type(module, "Space", &ic_native_space_spec, NULL) &&
			       add_type(module, "Target", &ic_native_target_spec, NULL) &&
			       PyModule_AddStringConstant(module, "version", ic_version()) == 0
		       ? 0
		       : -1;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
	struct ic_native *native = PyModule_GetState(module);

	Py_VISIT(native->error);
	Py_VISIT(native->warning);
	Py_VISIT(native->frame);
	Py_VISIT(native->problem);
	Py_VISIT(native->rows);
	return 0;
}

static int clear(PyObject *module)
{
	struct ic_native *native = PyModule_GetState(module);

	Py_CLEAR(native->error);
	Py_CLEAR(native->warning);
	Py_CLEAR(native->frame);
	Py_CLEAR(native->problem);
	Py_CLEAR(native->rows);
	for (size_t i = 0; i < native->schema_count; i++)
		Py_CLEAR(native->schemas[i].keys);
	native->schema_count = 0;
	return 0;
}

static void free_module(void *module)
{
	(void)clear(module);
}

static PyMethodDef methods[] = {
	{ "demangle", demangle, METH_O, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyModuleDef_Slot slots[] = {
	{ Py_mod_exec, execute },
	{ 0, NULL },
};

static struct PyModuleDef definition = {
	.m_base = PyModuleDef_HEAD_INIT,
	.m_name = "inlinecall._native",
	.m_size = sizeof(struct ic_native),
	.m_methods = methods,
	.m_slots = slots,
	.m_traverse = traverse,
	.m_clear = clear,
	.m_free = free_module,
};

PyMODINIT_FUNC PyInit__native(void);

PyMODINIT_FUNC PyInit__native(void)
{
	return PyModuleDef_Init(&definition);
}
