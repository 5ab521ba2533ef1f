#include "base/demangle.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

enum {
	LONGEST_SYMBOL = 64 << 10, // the demangler recurses: no input may exhaust the stack
	LONGEST_NAME = 64 << 10,   // substitutions of substitutions grow without end
};

struct sink {
	jmp_buf too_long;
	size_t used;
	char text[LONGEST_NAME + 1];
};

// The demangler cannot be told to stop: 230 bytes of symbol can keep it busy for hours. It holds
// nothing but its stack while it prints (cp-demangle.c, rust-demangle.c), so it can be jumped out
// of.
static void take(const char *part, size_t length, void *context)
{
	struct sink *sink = context;

	if (length > LONGEST_NAME - sink->used)
		longjmp(sink->too_long, 1);
	memcpy(sink->text + sink->used, part, length);
	sink->used += length;
}

// The name as a string of its own, NULL where the symbol is not one that is known.
static char *demangle(const char *symbol, int options, struct sink *sink)
{
	if (symbol[1] == 'D')
		return dlang_demangle(symbol, options);
	if (setjmp(sink->too_long))
		return NULL;
	// What rustc mangles in the old way passes for C++, so Rust is asked first.
	if (!rust_demangle_callback(symbol, options, take, sink)) {
		sink->used = 0;
		if (symbol[1] != 'Z' || !cplus_demangle_v3_callback(symbol, options, take, sink))
			return NULL;
	}
	sink->text[sink->used] = 0;
	char *name = malloc(sink->used + 1);
	return name ? memcpy(name, sink->text, sink->used + 1) : NULL;
}

char *ic_demangle(const char *symbol, enum ic_demangle_style style)
{
	static const int options[] = {
		[IC_DEMANGLE_NAME] = 0,
		[IC_DEMANGLE_PARAMS] = DMGL_PARAMS | DMGL_RET_DROP,
		[IC_DEMANGLE_FULL] = DMGL_PARAMS,
	};

	if (symbol[0] != '_' || !symbol[1] || !strchr("ZRD", symbol[1]) ||
	    strnlen(symbol, LONGEST_SYMBOL) == LONGEST_SYMBOL)
		return NULL;
	struct sink *sink = malloc(sizeof(*sink));
	char *name = NULL;
	if (sink) {
		sink->used = 0;
		name = demangle(symbol, DMGL_ANSI | options[style], sink);
	}
	free(sink);
	return name;
}
