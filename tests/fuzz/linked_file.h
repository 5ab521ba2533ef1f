// The debug file that fuzz_debug_link has on disk, and that its first inputs lead to.
#ifndef TESTS_FUZZ_LINKED_FILE_H
#define TESTS_FUZZ_LINKED_FILE_H

#include "elf_builder.h"

#define LINKED_FILE_ID 0xab, 0xcd, 0xef // its build ID

struct elf_builder *linked_file_new(void);

#endif
