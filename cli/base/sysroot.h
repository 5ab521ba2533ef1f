// Paths of another machine whose files are below a directory here.
#ifndef CLI_BASE_SYSROOT_H
#define CLI_BASE_SYSROOT_H

#include <stdbool.h>
#include <stddef.h>

// Writes where a path of that machine is here. Symbolic links and ".." mean what they mean there,
// so the result is never outside of `root`; what does not exist is taken as it is. False if it is
// too long, or there are too many links.
bool cli_sysroot_path(const char *root, const char *path, char *to, size_t size);

#endif
