#include "text/clone_name.h"

#include <string.h>

#include "text/text.h"

// GCC's come first, then LLVM's.
static const char *const clone_suffixes[] = {
	".isra.",      ".constprop.", ".part.",   ".cold",         ".lto_priv.",
	".localalias", ".llvm.",      ".__uniq.", ".specialized.", ".Tgm",
};

// Whole words only: Go's "main.coldStart" is not a clone.
static bool is_clone_suffix(const char *text, const char *suffix)
{
	if (text[1] != suffix[1]) // this is usually enough, and Rust's names have many dots
		return false;
	size_t length = strlen(suffix);
	return !strncmp(text, suffix, length) &&
	       (suffix[length - 1] == '.' || text[length] == '.' || text[length] == 0);
}

const char *ic_clone_suffix(const char *name)
{
	for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
		for (size_t i = 0; dot > name && i < sizeof(clone_suffixes) / sizeof(char *); i++)
			if (is_clone_suffix(dot, clone_suffixes[i]))
				return dot;
	return NULL;
}

bool ic_clone_is_part(const char *name)
{
	const char *suffix = ic_clone_suffix(name);

	return suffix && (strstr(suffix, ".part.") || strstr(suffix, ".cold"));
}

size_t ic_clone_base_length(const char *name)
{
	static const char *const suffixes[] = { ".isra", ".constprop", ".part", ".lto_priv" };
	size_t length = strlen(name), before;

	// There may be several.
	do {
		before = length;
		for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
			size_t suffix = strlen(suffixes[i]);
			if (length > suffix &&
			    memcmp(name + length - suffix, suffixes[i], suffix) == 0)
				length -= suffix;
		}
	} while (length < before);
	return length;
}

static size_t length_without_suffix(const char *name)
{
	const char *suffix = ic_clone_suffix(name);

	return suffix ? (size_t)(suffix - name) : strlen(name);
}

int ic_clone_compare(const char *left, const char *right)
{
	if (left == right) // the usual case: units refer to the same string
		return 0;
	if (!strchr(left, '.') && !strchr(right, '.'))
		return strcmp(left, right);
	size_t left_length = length_without_suffix(left);
	size_t right_length = length_without_suffix(right);
	size_t shorter = left_length < right_length ? left_length : right_length;
	int order = memcmp(left, right, shorter);

	return order != 0 ? order : (left_length > right_length) - (left_length < right_length);
}

uint64_t ic_clone_hash(const char *name)
{
	return ic_text_hash_up_to(name, length_without_suffix(name));
}
