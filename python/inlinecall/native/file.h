// The type File, for the files of this folder.
#ifndef INLINECALL_FILE_H
#define INLINECALL_FILE_H

#include "native.h"

// Freed with the last object that needs it: the half in Python is what can be closed.
struct ic_native_file {
	PyObject object;
	struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	struct ic_index *index; // NULL before it is needed
	PyObject *problems;     // a list of those found by analyses
	struct ic_native_strings strings;
	bool is_closed;
};

// The method rows(): see _native.pyi.
PyObject *ic_native_file_rows(PyObject *self, PyObject *arguments);

#endif
