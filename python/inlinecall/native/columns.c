// The frames at many addresses as columns: one byte array for each field, and a list of all
// strings.
#include "native.h"

// The strings so far, each once, and their numbers by their addresses in the library.
struct strings {
	PyObject *list;
	struct slot {
		const char *place; // NULL if the slot is free
		uint32_t number;
	} * slots;
	size_t count, room; // a power of two, or 0
};

static struct slot *slot_of(const struct strings *strings, const char *string)
{
	size_t at = (uintptr_t)string * 0x9e3779b97f4a7c15u >> 32 & (strings->room - 1);

	while (strings->slots[at].place && strings->slots[at].place != string)
		at = (at + 1) & (strings->room - 1);
	return &strings->slots[at];
}

static bool grow_table(struct strings *strings)
{
	size_t room = strings->room ? 2 * strings->room : 1024;
	struct strings grown = { .list = strings->list, .count = strings->count, .room = room };

	grown.slots = PyMem_Calloc(room, sizeof(*grown.slots));
	if (!grown.slots) {
		PyErr_NoMemory();
		return false;
	}
	for (size_t i = 0; i < strings->room; i++)
		if (strings->slots[i].place)
			*slot_of(&grown, strings->slots[i].place) = strings->slots[i];
	PyMem_Free(strings->slots);
	*strings = grown;
	return true;
}

// Gets the number of a string in the list: 0 for NULL, which is None there. False after an
// exception.
static bool number_string(struct strings *strings, const char *string, uint32_t *number)
{
	*number = 0;
	if (!string)
		return true;
	if (2 * strings->count >= strings->room && !grow_table(strings))
		return false;
	struct slot *slot = slot_of(strings, string);
	if (!slot->place) {
		PyObject *text = ic_native_text(string);
		bool ok = text && PyList_Append(strings->list, text) == 0;
		Py_XDECREF(text);
		if (!ok)
			return false;
		*slot = (struct slot){ string, (uint32_t)++strings->count };
	}
	*number = slot->number;
	return true;
}

struct columns {
	uint64_t *offsets, *start;
	uint32_t *function, *display_name, *file, *line, *column;
	uint8_t *status, *inlined;
};

enum { COLUMNS = 9 };

static PyObject *new_column(size_t count, size_t size, void *items)
{
	PyObject *bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(count * size));
	char *begin = bytes ? PyByteArray_AsString(bytes) : NULL;

	memcpy(items, &begin, sizeof(begin));
	return bytes;
}

static bool fill_frame(const struct ic_frame *frame, struct columns *columns, size_t at,
		       struct strings *strings)
{
	columns->line[at] = frame->line;
	columns->column[at] = frame->column;
	columns->start[at] = frame->start;
	columns->inlined[at] = frame->inlined;
	return number_string(strings, frame->function, &columns->function[at]) &&
	       number_string(strings, frame->display_name, &columns->display_name[at]) &&
	       number_string(strings, frame->file, &columns->file[at]);
}

static bool fill_columns(const struct ic_stacks *stacks, size_t count, struct columns *columns,
			 struct strings *strings)
{
	struct ic_stack stack;
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		ic_stacks_get(stacks, i, &stack);
		columns->offsets[i] = at;
		columns->status[i] = (uint8_t)stack.status;
		for (size_t j = 0; j < stack.count; j++)
			if (!fill_frame(&stack.frames[j], columns, at++, strings))
				return false;
	}
	columns->offsets[count] = at;
	return true;
}

PyObject *ic_native_columns(const struct ic_stacks *stacks, size_t count)
{
	struct strings strings = { .list = PyList_New(0) };
	struct columns columns;
	struct ic_stack stack;
	size_t frames = 0;

	for (size_t i = 0; i < count; i++)
		frames += ic_stacks_get(stacks, i, &stack) ? stack.count : 0;
	PyObject *made[COLUMNS] = {
		new_column(count + 1, 8, &columns.offsets),
		new_column(count, 1, &columns.status),
		new_column(frames, 4, &columns.function),
		new_column(frames, 4, &columns.display_name),
		new_column(frames, 4, &columns.file),
		new_column(frames, 4, &columns.line),
		new_column(frames, 4, &columns.column),
		new_column(frames, 8, &columns.start),
		new_column(frames, 1, &columns.inlined),
	};
	bool ok = strings.list && PyList_Append(strings.list, Py_None) == 0;
	for (int i = 0; i < COLUMNS; i++)
		ok = ok && made[i];
	ok = ok && fill_columns(stacks, count, &columns, &strings);
	PyMem_Free(strings.slots);
	if (ok)
		return Py_BuildValue("(NNNNNNNNNN)", strings.list, made[0], made[1], made[2],
				     made[3], made[4], made[5], made[6], made[7], made[8]);
	Py_XDECREF(strings.list);
	for (int i = 0; i < COLUMNS; i++)
		Py_XDECREF(made[i]);
	return NULL;
}
