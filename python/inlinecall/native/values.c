// Values of the library as objects.
#include "native.h"

PyObject *ic_native_text(const char *string)
{
	if (!string)
		Py_RETURN_NONE;
	return PyUnicode_DecodeUTF8(string, (Py_ssize_t)strlen(string), "surrogateescape");
}

PyObject *ic_native_number(uint64_t number, bool is_known)
{
	if (!is_known)
		Py_RETURN_NONE;
	return PyLong_FromUnsignedLongLong(number);
}

PyObject *ic_native_record(PyTypeObject *type, PyObject *const *values, Py_ssize_t count)
{
	PyObject *record = PyStructSequence_New(type);
	bool ok = record != NULL;

	for (Py_ssize_t i = 0; i < count; i++) {
		ok = ok && values[i];
		if (record)
			PyStructSequence_SetItem(record, i, values[i]);
		else
			Py_XDECREF(values[i]);
	}
	if (ok)
		return record;
	Py_XDECREF(record);
	return NULL;
}

// ---- Errors and problems

PyObject *ic_native_raise(const struct ic_native *native, const struct ic_error *err)
{
	static const char *const codes[] = {
		"none",      "memory",      "system",    "not_elf",  "no_debug",
		"malformed", "unsupported", "argument",  "archive",  "no_code",
		"limit",     "stopped",     "not_found", "mismatch", "hidden",
	};

	if (err->code == IC_ERROR_MEMORY)
		return PyErr_NoMemory();
	PyObject *made = PyObject_CallFunction(native->error, "NsNNi", ic_native_text(err->message),
					       codes[err->code], ic_native_text(err->section),
					       ic_native_number(err->offset, err->section != NULL),
					       err->os_error);
	if (made)
		PyErr_SetObject(native->error, made);
	Py_XDECREF(made);
	return NULL;
}

static PyStructSequence_Field problem_fields[] = {
	{ "message", "SECTION+0xOFFSET: description" },
	{ "file", "path; None for the file itself, or its debug file" },
	{ "section", "None if no section is to blame" },
	{ "offset", "in that section" },
	{ NULL, NULL },
};
enum { PROBLEM_FIELDS = sizeof(problem_fields) / sizeof(*problem_fields) - 1 };
static PyStructSequence_Desc problem_description = { "inlinecall.Problem",
						     "Data that was left out, and why.",
						     problem_fields, PROBLEM_FIELDS };

bool ic_native_add_problem(const struct ic_native *native, PyObject *list,
			   const struct ic_index_problem *problem)
{
	if (problem->is_note)
		return true;
	PyObject *const values[PROBLEM_FIELDS] = {
		ic_native_text(problem->message),
		ic_native_text(problem->file),
		ic_native_text(problem->section),
		ic_native_number(problem->offset, problem->section != NULL),
	};
	PyObject *record = ic_native_record(native->problem, values, PROBLEM_FIELDS);
	bool ok = record && PyList_Append(list, record) == 0;

	Py_XDECREF(record);
	return ok;
}

// ---- Frames

static PyStructSequence_Field frame_fields[] = {
	{ "function", "the name in the debug information, or else the linkage name or the symbol" },
	{ "linkage_name", "as in the symbol table; None if unknown" },
	{ "display_name", "the name as in the source, with its scopes; None if unknown" },
	{ "file", "path of the source at this frame's position; None if unknown" },
	{ "line", "0 if unknown" },
	{ "column", "0 if unknown" },
	{ "discriminator", "0 if unknown" },
	{ "decl_file", "path of the file that declares the function; None if unknown" },
	{ "decl_line", "0 if unknown" },
	{ "start", "entry address of this copy of the function; None if unknown" },
	{ "inlined", "whether it is inlined into the next frame" },
	{ "is_symbol", "whether only a symbol is known of the function" },
	{ NULL, NULL },
};
enum { FRAME_FIELDS = sizeof(frame_fields) / sizeof(*frame_fields) - 1 };
static PyStructSequence_Desc frame_description = { "inlinecall.Frame",
						   "One level of the inline stack at an address.",
						   frame_fields, FRAME_FIELDS };

static PyObject *text_of(struct ic_native_strings *strings, const char *string)
{
	enum { SLOTS = sizeof(strings->slots) / sizeof(*strings->slots) };

	if (!strings || !string)
		return ic_native_text(string);
	size_t at = (uintptr_t)string * 0x9e3779b97f4a7c15u >> 32 & (SLOTS - 1);
	if (strings->slots[at].place != string) {
		PyObject *text = ic_native_text(string);
		if (!text)
			return NULL;
		Py_XDECREF(strings->slots[at].text);
		strings->slots[at].place = string;
		strings->slots[at].text = text;
	}
	return Py_NewRef(strings->slots[at].text);
}

void ic_native_strings_free(struct ic_native_strings *strings)
{
	for (size_t i = 0; i < sizeof(strings->slots) / sizeof(*strings->slots); i++)
		Py_CLEAR(strings->slots[i].text);
}

static PyObject *frame_of(const struct ic_native *native, struct ic_native_strings *strings,
			  const struct ic_frame *frame)
{
	PyObject *const values[FRAME_FIELDS] = {
		text_of(strings, frame->function),
		text_of(strings, frame->linkage_name),
		text_of(strings, frame->display_name),
		text_of(strings, frame->file),
		PyLong_FromUnsignedLong(frame->line),
		PyLong_FromUnsignedLong(frame->column),
		PyLong_FromUnsignedLong(frame->discriminator),
		text_of(strings, frame->decl_file),
		PyLong_FromUnsignedLong(frame->decl_line),
		ic_native_number(frame->start, frame->start != IC_NO_ADDR),
		PyBool_FromLong(frame->inlined),
		PyBool_FromLong(frame->is_symbol),
	};

	return ic_native_record(native->frame, values, FRAME_FIELDS);
}

PyObject *ic_native_frames(const struct ic_native *native, struct ic_native_strings *strings,
			   const struct ic_frame *frames, size_t count)
{
	PyObject *list = PyList_New((Py_ssize_t)count);

	for (size_t i = 0; list && i < count; i++) {
		PyObject *frame = frame_of(native, strings, &frames[i]);
		if (frame)
			PyList_SetItem(list, (Py_ssize_t)i, frame);
		else
			Py_CLEAR(list);
	}
	return list;
}

bool ic_native_add_records(struct ic_native *native, PyObject *module)
{
	native->frame = PyStructSequence_NewType(&frame_description);
	native->problem = PyStructSequence_NewType(&problem_description);
	return native->frame && native->problem &&
	       PyModule_AddObjectRef(module, "Frame", (PyObject *)native->frame) == 0 &&
	       PyModule_AddObjectRef(module, "Problem", (PyObject *)native->problem) == 0;
}

// ---- Rows

// The keys of a schema, a borrowed tuple, made once.
static PyObject *keys_of(struct ic_native *native, const struct ic_schema *schema)
{
	for (size_t i = 0; i < native->schema_count; i++)
		if (native->schemas[i].schema == schema)
			return native->schemas[i].keys;
	if (native->schema_count == MOST_SCHEMAS) {
		PyErr_SetString(PyExc_SystemError, "too many schemas of rows");
		return NULL;
	}
	PyObject *keys = PyTuple_New((Py_ssize_t)schema->field_count);
	for (size_t i = 0; keys && i < schema->field_count; i++) {
		PyObject *key = PyUnicode_InternFromString(schema->fields[i].key);
		if (!key || PyTuple_SetItem(keys, (Py_ssize_t)i, key) != 0)
			Py_CLEAR(keys);
	}
	if (!keys)
		return NULL;
	native->schemas[native->schema_count].schema = schema;
	native->schemas[native->schema_count++].keys = keys;
	return keys;
}

static PyObject *range_of(const struct ic_row_range *range)
{
	unsigned long long start = range->range.start, end = range->range.end;

	return range->section ? Py_BuildValue("(KKN)", start, end, ic_native_text(range->section))
			      : Py_BuildValue("(KK)", start, end);
}

// A list of ranges, or of rows with a schema.
static PyObject *list_of(struct ic_native *native, const char *items, size_t count,
			 const struct ic_schema *schema)
{
	size_t size = schema ? schema->row_size : sizeof(struct ic_row_range);
	PyObject *list = PyList_New((Py_ssize_t)count);

	for (size_t i = 0; list && i < count; i++) {
		const void *at = items + i * size;
		PyObject *item = schema ? ic_native_row(native, schema, at) : range_of(at);
		if (item)
			PyList_SetItem(list, (Py_ssize_t)i, item);
		else
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *value_of(struct ic_native *native, const struct ic_field *field, const char *row)
{
	const char *at = row + field->at;
	const char *pointer;
	uint64_t number;
	int64_t signed_number;
	uint32_t count;

	switch (field->type) {
	case IC_FIELD_TEXT: memcpy(&pointer, at, sizeof(pointer)); return ic_native_text(pointer);
	case IC_FIELD_ADDRESS:
	case IC_FIELD_BYTES:
		memcpy(&number, at, sizeof(number));
		return ic_native_number(number, number != IC_NO_ADDR);
	case IC_FIELD_OFFSET:
		memcpy(&number, at, sizeof(number));
		return ic_native_number(number, true);
	case IC_FIELD_COUNT:
		memcpy(&count, at, sizeof(count));
		return ic_native_number(count, count != 0);
	case IC_FIELD_NUMBER:
		memcpy(&count, at, sizeof(count));
		return ic_native_number(count, true);
	case IC_FIELD_SIGNED:
		memcpy(&signed_number, at, sizeof(signed_number));
		if (signed_number == INT64_MIN)
			break;
		return PyLong_FromLongLong(signed_number);
	case IC_FIELD_FLAG: return PyBool_FromLong(*(const bool *)at);
	case IC_FIELD_OBJECT: return ic_native_row(native, field->items, at);
	case IC_FIELD_RANGES:
	case IC_FIELD_LIST:
	case IC_FIELD_OPTIONAL_LIST: {
		size_t length;
		memcpy(&pointer, at, sizeof(pointer));
		memcpy(&length, row + field->count_at, sizeof(length));
		if (field->type == IC_FIELD_OPTIONAL_LIST && !pointer)
			break;
		return list_of(native, pointer, length, field->items);
	}
	case IC_FIELD_NONE: break;
	}
	Py_RETURN_NONE;
}

PyObject *ic_native_row(struct ic_native *native, const struct ic_schema *schema, const void *row)
{
	PyObject *keys = keys_of(native, schema);
	PyObject *dict = keys ? PyDict_New() : NULL;

	for (size_t i = 0; dict && i < schema->field_count; i++) {
		PyObject *value = value_of(native, &schema->fields[i], row);
		if (!value ||
		    PyDict_SetItem(dict, PyTuple_GetItem(keys, (Py_ssize_t)i), value) != 0)
			Py_CLEAR(dict);
		Py_XDECREF(value);
	}
	return dict;
}
