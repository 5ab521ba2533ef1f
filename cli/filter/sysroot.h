// Paths of another machine, whose files are below a directory of this one.
#ifndef CLI_FILTER_SYSROOT_H
#define CLI_FILTER_SYSROOT_H

#include <stdbool.h>
#include <stddef.h>

// Translates a path on that machine to one here. Symbolic links and ".." are resolved as on that
// machine, so the result is never outside of `root`; parts that do not exist are not resolved.
// Returns false if it is too long, or there are too many links.
bool cli_sysroot_path(const char *root, const char *path, char *to, size_t size);

#endif
