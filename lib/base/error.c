#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ic_fail(struct ic_error *err, enum ic_error_code code, const char *format, ...)
{
	va_list args;

	*err = (struct ic_error){ .code = code };
	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	return false;
}

bool ic_fail_at(struct ic_error *err, const char *section, uint64_t offset, const char *format, ...)
{
	va_list args;

	*err = (struct ic_error){ .code = IC_ERROR_MALFORMED,
				  .section = section,
				  .offset = offset };
	int place =
		snprintf(err->message, sizeof(err->message), "%s+0x%" PRIx64 ": ", section, offset);
	va_start(args, format);
	vsnprintf(err->message + place, sizeof(err->message) - (size_t)place, format, args);
	va_end(args);
	return false;
}

bool ic_fail_memory(struct ic_error *err)
{
	return ic_fail(err, IC_ERROR_MEMORY, "out of memory");
}

const char *ic_error_text(int os_error, char text[IC_ERROR_TEXT_SIZE])
{
#ifdef __GLIBC__
	return strerror_r(os_error, text, IC_ERROR_TEXT_SIZE); // GNU's
#else
	return strerror_r(os_error, text, IC_ERROR_TEXT_SIZE) == 0 ? text : "unknown error";
#endif
}

bool ic_fail_system(struct ic_error *err, const char *call, const char *path)
{
	int os_error = errno;
	char text[IC_ERROR_TEXT_SIZE];

	ic_fail(err, IC_ERROR_SYSTEM, "%s: cannot %s: %s", path, call,
		ic_error_text(os_error, text));
	err->os_error = os_error;
	errno = os_error;
	return false;
}
