// Arguments of functions.
#include "native.h"

bool ic_native_take_addr(PyObject *argument, uint64_t *addr)
{
	PyObject *number = PyNumber_Index(argument); // also of numpy

	*addr = number ? PyLong_AsUnsignedLongLong(number) : UINT64_MAX;
	Py_XDECREF(number);
	return *addr != UINT64_MAX || !PyErr_Occurred();
}

int ic_native_to_u64(PyObject *argument, void *number)
{
	return ic_native_take_addr(argument, number);
}

int ic_native_to_u32(PyObject *argument, void *number)
{
	uint64_t value;

	if (!ic_native_take_addr(argument, &value))
		return 0;
	if (value > UINT32_MAX) {
		PyErr_SetString(PyExc_OverflowError, "the number has more than 32 bits");
		return 0;
	}
	*(uint32_t *)number = (uint32_t)value;
	return 1;
}

int ic_native_to_bytes(PyObject *argument, void *string)
{
	char *bytes = NULL;

	if (argument != Py_None && PyBytes_AsStringAndSize(argument, &bytes, NULL) != 0)
		return 0;
	*(const char **)string = bytes;
	return 1;
}

const char **ic_native_take_names(PyObject *list)
{
	if (list == Py_None)
		return NULL;
	Py_ssize_t count = PyList_Size(list);
	const char **names = count < 0 ? NULL : PyMem_Calloc((size_t)count + 1, sizeof(*names));
	if (!names && !PyErr_Occurred())
		PyErr_NoMemory();
	for (Py_ssize_t i = 0; names && i < count; i++) {
		char *name;
		if (PyBytes_AsStringAndSize(PyList_GetItem(list, i), &name, NULL) != 0) {
			PyMem_Free(names);
			return NULL;
		}
		names[i] = name;
	}
	return names;
}

bool ic_native_take_addrs(PyObject *argument, Py_buffer *addrs)
{
	if (PyObject_GetBuffer(argument, addrs, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0)
		return false;
	const char *format = addrs->format ? addrs->format : "B";
	// The byte order of this machine may be said: "@", "=" or, of numpy, the one that it is.
	format += *format == '@' || *format == '=' || *format == "<>"[PY_BIG_ENDIAN];
	if (addrs->itemsize == 8 && *format && strchr("QLqlNn", *format) && !format[1])
		return true;
	PyBuffer_Release(addrs);
	PyErr_SetString(PyExc_TypeError, "addresses must be integers of 8 bytes, as in array('Q')");
	return false;
}

bool ic_native_take_options(PyObject *arguments, struct ic_native_options *options)
{
	PyObject *debug_dirs, *dwo_dirs;
	int allow_no_debug, source;
	uint64_t max_memory;
	const char *dwp;

	*options = (struct ic_native_options){ .debug_dirs = NULL };
	if (!PyArg_ParseTuple(arguments, "O!O!O&piO&", &PyList_Type, &debug_dirs, &PyList_Type,
			      &dwo_dirs, ic_native_to_bytes, &dwp, &allow_no_debug, &source,
			      ic_native_to_u64, &max_memory))
		return false;
	options->debug_dirs = ic_native_take_names(debug_dirs);
	options->dwo_dirs = options->debug_dirs ? ic_native_take_names(dwo_dirs) : NULL;
	if (!options->dwo_dirs) {
		ic_native_release_options(options);
		return false;
	}
	options->image = (struct ic_image_options){
		.debug_dirs = options->debug_dirs,
		.debug_dir_count = (size_t)PyList_Size(debug_dirs),
		.dwo_dirs = options->dwo_dirs,
		.dwo_dir_count = (size_t)PyList_Size(dwo_dirs),
		.dwp_path = dwp,
		.allow_no_debug = allow_no_debug,
		.source = (enum ic_image_source)source,
		.max_memory = max_memory,
	};
	return true;
}

void ic_native_release_options(struct ic_native_options *options)
{
	PyMem_Free(options->debug_dirs);
	PyMem_Free(options->dwo_dirs);
}
