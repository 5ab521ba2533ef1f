// The C half of the Python package: objects of the library as objects of Python.
//
// Only what CPython promises to keep is used (Py_LIMITED_API), so that one build serves 3.11 and
// all later versions. Everything is copied: no object of Python refers to memory of the library.
// The GIL is released while the library works on more than a row.
#ifndef INLINECALL_NATIVE_H
#define INLINECALL_NATIVE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra.h>

enum { MOST_SCHEMAS = 64 };

struct ic_native {                     // the state of the module
	PyObject *error, *warning;     // the classes of exceptions, and of warnings of problems
	PyTypeObject *frame, *problem; // the types of these records
	PyTypeObject *rows;            // the type of iterators over rows
	struct {
		const struct ic_schema *schema;
		PyObject *keys;  // a tuple of strings
	} schemas[MOST_SCHEMAS]; // those used so far
	size_t schema_count;
};

// ---- values.c. Functions that return an object return NULL after an exception.

// A string of the library: UTF-8, other bytes as surrogates. None for NULL.
PyObject *ic_native_text(const char *string);
// None if it is not known.
PyObject *ic_native_number(uint64_t number, bool is_known);
// A record of these values, whose references it takes. Any may be NULL after an exception.
PyObject *ic_native_record(PyTypeObject *type, PyObject *const *values, Py_ssize_t count);
// Raises an error of the library. Returns NULL.
PyObject *ic_native_raise(const struct ic_native *native, const struct ic_error *err);
// Strings of a symbolizer that were used last: most frames have some of them.
struct ic_native_strings {
	struct {
		const char *place; // NULL if the slot is free
		PyObject *text;
	} slots[256];
};
void ic_native_strings_free(struct ic_native_strings *strings);
// Frames as a list of records. The strings are those of their symbolizer, or NULL.
PyObject *ic_native_frames(const struct ic_native *native, struct ic_native_strings *strings,
			   const struct ic_frame *frames, size_t count);
// A row as a dict.
PyObject *ic_native_row(struct ic_native *native, const struct ic_schema *schema, const void *row);
// Appends a problem to a list, unless it is only a note.
bool ic_native_add_problem(const struct ic_native *native, PyObject *list,
			   const struct ic_index_problem *problem);
// Creates the types of records. False after an exception.
bool ic_native_add_records(struct ic_native *native, PyObject *module);

// ---- arguments.c

bool ic_native_take_addr(PyObject *argument, uint64_t *addr);
// For "O&" of PyArg_ParseTuple(): uint64_t and uint32_t, OverflowError for other numbers.
int ic_native_to_u64(PyObject *argument, void *number);
int ic_native_to_u32(PyObject *argument, void *number);
// The same for const char *: bytes, which must outlive it, or None for NULL.
int ic_native_to_bytes(PyObject *argument, void *string);
// The strings of a list of bytes, which must outlive them, terminated by NULL; to be released with
// PyMem_Free(). NULL for None, and after an exception.
const char **ic_native_take_names(PyObject *list);
// A buffer of integers of 8 bytes; to be released with PyBuffer_Release().
bool ic_native_take_addrs(PyObject *argument, Py_buffer *addrs);

// Options for opening files, from a tuple of arguments.
struct ic_native_options {
	struct ic_image_options image;
	const char **debug_dirs, **dwo_dirs;
};
// Takes (debug_dirs, dwo_dirs, dwp, allow_no_debug, source, max_memory), which must outlive them.
bool ic_native_take_options(PyObject *arguments, struct ic_native_options *options);
void ic_native_release_options(struct ic_native_options *options);

// ---- modules.c

// The files of a process or a core, for the types that have such.
struct ic_native_modules {
	struct ic_native_options options; // the modules borrow from it
	PyObject *arguments;              // which borrows from them
	struct ic_modules *modules;
};
// Opens modules with a tuple of options, which is one of the arguments. False after an exception;
// they must be closed all the same.
bool ic_native_modules_open(struct ic_native_modules *modules, const struct ic_native *native,
			    PyObject *arguments, PyObject *options);
void ic_native_modules_close(struct ic_native_modules *modules);

// ---- The types, and functions of the module

extern PyType_Spec ic_native_file_spec, ic_native_rows_spec, ic_native_space_spec,
	ic_native_target_spec;

// What rows are made from: freed in the order of the members, after the rows.
struct ic_native_source {
	struct ic_entries *entries;
	struct ic_parameters *parameters;
	struct ic_stored *stored;
	struct ic_sites *sites;
	struct ic_statistics *statistics;
	struct ic_trees *trees;
	struct ic_verdicts *verdicts;
	struct ic_sizes *sizes;
	struct ic_affected *affected;
	struct ic_lint *lint;
	struct ic_call_frames *call_frames;
	struct ic_tables *tables;
	struct ic_backtraces *backtraces;
	PyObject *owner, *names; // what the others are of
	PyObject *problems;      // the list of its owner's problems, for those of the others
	const bool *is_closed;   // whether nobody can ask the owner for them; NULL if never
};

// An iterator over rows. Takes the source, also after an exception.
PyObject *ic_native_rows_new(struct ic_native *native, struct ic_rows *rows,
			     struct ic_native_source *source);

// The frames at many addresses, as columns.
PyObject *ic_native_columns(const struct ic_stacks *stacks, size_t count);

static inline struct ic_native *ic_native_of(PyObject *self)
{
	return PyType_GetModuleState(Py_TYPE(self));
}

#endif
