#include "base/demangle.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

enum {
	LONGEST_SYMBOL = 64 << 10, // the demangler recurses: no input may exhaust the stack
	LONGEST_D_SYMBOL = 4 << 10,
	MOST_REFERENCES = 16,
	LONGEST_NAME = 64 << 10, // substitutions of substitutions grow without end
};

struct sink {
	jmp_buf too_long;
	size_t used;
	char text[LONGEST_NAME + 1];
};

// The demangler cannot be told to stop: a symbol of 230 bytes can keep it busy for hours. It owns
// only its stack while it prints (cp-demangle.c, rust-demangle.c), so longjmp() out of it is safe.
static void take(const char *part, size_t length, void *context)
{
	struct sink *sink = context;

	if (length > LONGEST_NAME - sink->used)
		longjmp(sink->too_long, 1);
	memcpy(sink->text + sink->used, part, length);
	sink->used += length;
}

// Whether the mangling is known; the name is then in the sink.
static bool print_name(const char *symbol, int options, struct sink *sink)
{
	if (setjmp(sink->too_long))
		return false;
	// Rust's old mangling is also valid C++, so Rust is tried first.
	if (rust_demangle_callback(symbol, options, take, sink))
		return true;
	sink->used = 0;
	return symbol[1] == 'Z' && cplus_demangle_v3_callback(symbol, options, take, sink);
}

static bool demangle(const char *symbol, int options, char **name)
{
	struct sink *sink = malloc(sizeof(*sink));
	bool ok = sink != NULL;

	if (ok) {
		sink->used = 0;
		if (print_name(symbol, options, sink)) {
			sink->text[sink->used] = 0;
			*name = malloc(sink->used + 1);
			ok = *name && memcpy(*name, sink->text, sink->used + 1);
		}
	}
	free(sink);
	return ok;
}

static bool is_modest(const char *symbol)
{
	int references = 0;

	for (const char *at = symbol; *at; at++)
		references += *at == 'Q';
	return references <= MOST_REFERENCES && strlen(symbol) <= LONGEST_D_SYMBOL;
}

bool ic_demangle(const char *symbol, enum ic_demangle_style style, char **name)
{
	static const int style_options[] = {
		[IC_DEMANGLE_NAME] = 0,
		[IC_DEMANGLE_PARAMS] = DMGL_PARAMS | DMGL_RET_DROP,
		[IC_DEMANGLE_FULL] = DMGL_PARAMS,
	};
	int options = DMGL_ANSI | style_options[style];

	*name = NULL;
	if (!symbol || symbol[0] != '_' || !symbol[1] || !strchr("ZRD", symbol[1]) ||
	    strnlen(symbol, LONGEST_SYMBOL) == LONGEST_SYMBOL)
		return true;
	if (symbol[1] != 'D')
		return demangle(symbol, options, name);
	// D's demangler can be neither bounded nor stopped, and aborts if memory is out; a back
	// reference can double the output, so a symbol may have only a few.
	if (is_modest(symbol))
		*name = dlang_demangle(symbol, options);
	return true;
}
