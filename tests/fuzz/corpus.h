// What the parts of make_corpus share.
#ifndef TESTS_FUZZ_CORPUS_H
#define TESTS_FUZZ_CORPUS_H

#include "byte_buffer.h"
#include "dwarf_builder.h"

struct corpus {
	const char *dir;
};

#define CORPUS_BYTES(...)                                                                  \
	(struct bytes)                                                                     \
	{                                                                                  \
		(const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }) \
	}

// Writes an input as fuzz_input.h describes it: the bytes of choice, the sizes, the sections.
void corpus_put(const struct corpus *corpus, const char *target, const char *name,
		struct bytes choice, const struct bytes *sections, size_t count);

// The same with all sections of a DWARF builder, which is freed; also for fuzz_units.
void corpus_put_dwarf(const struct corpus *corpus, const char *target, const char *name,
		      uint8_t choice, struct dwarf_builder *dw);

// A small program: two units that refer to each other, scopes, hosts, inlined instances in inlined
// instances, calls, range lists of every kind, line tables. Its code is from 0x1000 to 0x4000.
struct dwarf_builder *corpus_program(struct dwarf_format format, const char *addr_target);

// A program with types of every kind, and a copy whose arguments are in every kind of place.
struct dwarf_builder *corpus_types(struct dwarf_format format, uint16_t language);

void corpus_write_dwarf(const struct corpus *corpus);  // inputs of the targets on DWARF
void corpus_write_faults(const struct corpus *corpus); // those that once went wrong
void corpus_write_locations(const struct corpus *corpus);
void corpus_write_types(const struct corpus *corpus);
void corpus_write_elf(const struct corpus *corpus);   // inputs of the targets on ELF
void corpus_write_split(const struct corpus *corpus); // of those on several files

void corpus_write_tail_calls(const struct corpus *corpus);

void corpus_write_cfi(const struct corpus *corpus); // of that on call frame information
void corpus_write_sframe(const struct corpus *corpus);

void corpus_write_symbol_files(const struct corpus *corpus); // GSYM and Breakpad

void corpus_write_btf(const struct corpus *corpus); // of the targets on BTF

void corpus_write_go(const struct corpus *corpus);
void corpus_write_unwind(const struct corpus *corpus); // of those on stacks and cores

void corpus_write_profile(const struct corpus *corpus); // recordings of perf, and others

void corpus_write_archives(const struct corpus *corpus);

// A relocatable file with all of corpus_program.
struct elf_builder *corpus_object(void);

#endif
