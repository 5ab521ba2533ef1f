#include "export/library.h"

#include <dlfcn.h>
#include <string.h>

#include "base/cli.h"

bool cli_library_load(const char *soname, const struct cli_library_function *functions)
{
	void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL), *found = NULL;

	if (!handle)
		cli_complain("%s", dlerror()); // includes the name of the library
	for (; handle && functions->name; functions++) {
		found = dlsym(handle, functions->name);
		if (!found) {
			cli_complain("%s lacks %s", soname, functions->name);
			return false;
		}
		memcpy(functions->pointer, &found, sizeof(found));
	}
	return handle != NULL;
}
