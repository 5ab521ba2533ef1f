#include "base/clone_name.h"

#include <stdbool.h>
#include <string.h>

// GCC's first, then LLVM's.
static const char *const clone_suffixes[] = {
	".isra.",      ".constprop.", ".part.",   ".cold",         ".lto_priv.",
	".localalias", ".llvm.",      ".__uniq.", ".specialized.", ".Tgm",
};

// Whole words only: Go's "main.coldStart" is not a clone.
static bool is_clone_suffix(const char *text, const char *suffix)
{
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
