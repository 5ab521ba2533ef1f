// Which files the library may open: a target whose file names come from its input is linked with
// --wrap for open and open64, and checks that nothing outside is opened.
#ifndef TESTS_FUZZ_OPEN_GUARD_H
#define TESTS_FUZZ_OPEN_GUARD_H

// Files in this directory can be opened, by paths that do not leave it; nothing else is there.
void open_guard_allow(const char *directory);

// A file with these bytes that has no name; its path, valid until the next call. Only this one and
// those in the directory can be opened.
const char *open_guard_put(const void *data, unsigned long size);

#endif
