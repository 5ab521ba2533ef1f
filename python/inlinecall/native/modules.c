// The files of a process or a core.
#include "native.h"

bool ic_native_modules_open(struct ic_native_modules *modules, const struct ic_native *native,
			    PyObject *arguments, PyObject *options)
{
	struct ic_error err;

	modules->arguments = Py_NewRef(arguments);
	if (!ic_native_take_options(options, &modules->options)) {
		modules->options = (struct ic_native_options){ .debug_dirs = NULL };
		return false;
	}
	const struct ic_modules_options of_modules = {
		.image = modules->options.image,
		.symbolizer = { .display_names = true, .display_style = IC_DEMANGLE_PARAMS },
	};
	modules->modules = ic_modules_new(&of_modules, &err);
	if (!modules->modules)
		ic_native_raise(native, &err);
	return modules->modules != NULL;
}

void ic_native_modules_close(struct ic_native_modules *modules)
{
	ic_modules_free(modules->modules);
	ic_native_release_options(&modules->options);
	Py_XDECREF(modules->arguments);
}
