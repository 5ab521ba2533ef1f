#include "text/demangle.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "text/text.h"

enum {
	LONGEST_SYMBOL = 64 << 10, // the demangler recurses: no input may exhaust the stack
	LONGEST_D_SYMBOL = 4 << 10,
	MOST_REFERENCES = 16,
	LONGEST_NAME = 64 << 10, // nested substitutions grow without bounds
};

// The words that libiberty's demanglers add. From the Itanium C++ ABI: names of types, operators
// and special symbols, and what the ABI abbreviates (5.1.6).
static const char own_words[] =
	"signed char bool boolean byte double long float __float128 unsigned int __int128 short "
	"void "
	"wchar_t decimal32 decimal64 decimal128 half char8_t char16_t char32_t nullptr _Float "
	"bfloat16_t _BitInt decltype auto operator sizeof alignof noexcept throw typeid new delete "
	"dynamic_cast const_cast static_cast reinterpret_cast co_await requires typename template "
	"transaction_safe explicit this true false string literal parm default arg lambda unnamed "
	"type "
	"anonymous namespace std allocator basic_string char_traits basic_istream basic_ostream "
	"basic_iostream istream ostream iostream vtable VTT for construction in typeinfo name fn "
	"non virtual covariant return thunk to java Class guard variable TLS init wrapper function "
	"reference temporary hidden alias transaction clone template parameter object initializer "
	"module friend abi restrict volatile const complex imaginary _Complex _Imaginary __vector "
	"enum struct union class global constructors destructors keyed concept constraint ul ull "
	"ll "
	// From Rust: the types and words of its grammar.
	"isize usize i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 f16 f32 f64 f128 str as dyn mut impl "
	"unsafe extern closure shim";

struct sink {
	jmp_buf too_long;
	size_t used;
	char text[LONGEST_NAME + 1];
};

// The demangler has no way to stop it: a symbol of 230 bytes can keep it busy for hours. It owns
// only its stack while it prints (cp-demangle.c, rust-demangle.c), so longjmp() out of it is safe.
static void take_part(const char *part, size_t length, void *context)
{
	struct sink *sink = context;

	if (length > LONGEST_NAME - sink->used)
		longjmp(sink->too_long, 1);
	memcpy(sink->text + sink->used, part, length);
	sink->used += length;
}

// Returns whether the mangling is known; the name is then in the sink.
static bool print_name(const char *symbol, int options, struct sink *sink)
{
	if (setjmp(sink->too_long))
		return false;
	// Rust's legacy mangling is also valid C++, so Rust is tried first.
	if (rust_demangle_callback(symbol, options, take_part, sink))
		return true;
	sink->used = 0;
	return symbol[1] == 'Z' && cplus_demangle_v3_callback(symbol, options, take_part, sink);
}

static bool demangle_symbol(const char *symbol, int options, char **name)
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
		return demangle_symbol(symbol, options, name);
	// D's demangler can be neither bounded nor stopped, and aborts if memory runs out; a back
	// reference can double the output, so a symbol may have only a few.
	if (is_modest(symbol))
		*name = dlang_demangle(symbol, options);
	return true;
}

bool ic_demangler_has_word(const char *word, size_t length)
{
	return ic_text_contains(own_words, word, length);
}

// Rust's v0 mangling encodes characters, and strings after "Re", as numbers.
static bool has_all_words(const char *symbol, size_t length)
{
	return symbol[0] == '_' &&
	       (symbol[1] == 'Z' || (symbol[1] == 'R' && length > 1 && !strstr(symbol, "Re")));
}

bool ic_demangled_may_have(const char *symbol, const char *word, size_t length)
{
	return !has_all_words(symbol, length) || ic_text_contains(symbol, word, length);
}
