// Files of every format, written by the builders.
#ifndef SUPPORT_BUILDER_FILES_H
#define SUPPORT_BUILDER_FILES_H

// Writes them to the directory.
void builder_files_write(const char *dir);

#endif
