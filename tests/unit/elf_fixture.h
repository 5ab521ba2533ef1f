// Files in a temporary directory, and ELF files from the builder, opened.
#ifndef TESTS_UNIT_ELF_FIXTURE_H
#define TESTS_UNIT_ELF_FIXTURE_H

#include "elf/elf_file.h"

#include "elf_builder.h"

// For cmocka_run_group_tests(): the directory is there while the tests run.
int temp_dir_make(void **state);
int temp_dir_remove(void **state);

extern char temp_dir[]; // without links in it
// The path of a file in the directory, in one of 64 static buffers; its folders are made.
const char *temp_path(const char *name);
void temp_write(const char *path, const void *data, size_t size);

// An ELF file for x86-64, of type ET_*.
struct elf_builder *elf_begin(uint16_t type);

// The same in the byte order of this machine, so that a test can change its headers as structs.
struct elf_builder *elf_begin_native(uint16_t type);
// Writes the file, and frees the builder; returns the file's path.
const char *elf_end_at(struct elf_builder *elf, const char *name);
// The same, and opens it.
void elf_end_and_open(struct ic_elf_file *file, struct elf_builder *elf);

#endif
