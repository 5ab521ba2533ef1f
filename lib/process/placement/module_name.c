// Module names: see inlinecall/extra/module_files.h.
#include <inlinecall/extra/module_files.h>

#include <string.h>

bool ic_module_name(const char *path, size_t path_size, char *name, size_t capacity)
{
	const char *slash = memrchr(path, '/', path_size);
	const char *base = slash ? slash + 1 : path, *end = path + path_size;
	const char *dot = memmem(base, (size_t)(end - base), ".ko", 3);

	if (!dot || dot == base || (dot + 3 < end && dot[3] != '.') ||
	    (size_t)(dot - base) >= capacity)
		return false;
	for (; base < dot; base++)
		*name++ = *base == '-' ? '_' : *base;
	*name = 0;
	return true;
}

bool ic_module_name_is(const char *module, struct ic_span name)
{
	if (name.size != strlen(module) || name.size == 0)
		return false;
	for (size_t i = 0; i < name.size; i++)
		if (module[i] != (name.text[i] == '-' ? '_' : name.text[i]))
			return false;
	return true;
}
