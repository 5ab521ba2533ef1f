// DWARF of a function f(a, b, c), its instances, and where their arguments are.
#ifndef TESTS_UNIT_PARAMETERS_FIXTURE_H
#define TESTS_UNIT_PARAMETERS_FIXTURE_H

#include "unit_test.h"

#include "elf_fixture.h"
#include "scan_fixture.h"

#include "dwarf_constants.h"

#include <inlinecall/parameters.h>
#include <stdio.h>

enum { START = CODE_START, END = CODE_START + 0x100 };

void parameters_formal(struct dwarf_builder *dw, const char *name);

// An open unit with a function f(a, b, c).
struct dwarf_builder *parameters_begin(uint16_t version);

// main, with an open instance of f.
void parameters_begin_instance(struct dwarf_builder *dw);

void parameters_begin_argument(struct dwarf_builder *dw, const char *origin);

void parameters_argument(struct dwarf_builder *dw, const char *origin, const void *expression,
			 size_t size);

void parameters_entry(struct dwarf_builder *dw, uint64_t start, uint64_t end, const void *bytes,
		      size_t size);

void parameters_end_instance(struct dwarf_builder *dw);

// A line for a parameter, and one for each entry of its list.
void parameters_put(FILE *out, const struct ic_parameter *parameter);

// Takes the builder over, with a symbolizer of a program with its DWARF.
struct ic_symbolizer *parameters_symbolizer(struct scan *scan, struct dwarf_builder *dw);

// Compares what is known of the frame with a number at an address.
void parameters_check_frame(struct ic_parameters *parameters, uint64_t addr, size_t frame,
			    const char *wanted);

#endif
