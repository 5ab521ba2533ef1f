// Filling in errors. The type is public: inlinecall/error.h.
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>

#include <inlinecall/error.h>

// Never inlined, so that its stack usage, such as for an error, is not added to its callers'.
#define IC_COLD                __attribute__((cold, noinline))
#define IC_PRINTF(text, first) __attribute__((format(printf, text, first)))

// Fills in *err and returns false, so that callers can write: return ic_fail(err, ...);
bool ic_fail(struct ic_error *err, enum ic_error_code code, const char *format, ...)
	IC_COLD IC_PRINTF(3, 4);

// The same for a fault in the bytes of a section; the message starts with "SECTION+0xOFFSET: ".
bool ic_fail_at(struct ic_error *err, const char *section, uint64_t offset, const char *format, ...)
	IC_COLD IC_PRINTF(4, 5);

// The same for a failed allocation.
bool ic_fail_memory(struct ic_error *err) IC_COLD;

// The same for a failed system call: the message contains the call, its object, and the reason
// (errno, which is not changed).
bool ic_fail_system(struct ic_error *err, const char *call, const char *path) IC_COLD;

// The system's description of an error, in `text` or static. Thread-safe, unlike strerror().
enum { IC_ERROR_TEXT_SIZE = 128 };
const char *ic_error_text(int os_error, char text[IC_ERROR_TEXT_SIZE]);

#endif
