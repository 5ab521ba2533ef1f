#include "base/registers.h"

#include <stddef.h>
#include <string.h>

#include "base/machine.h"

// clang-format off
#define TO_7(r)          r "0", r "1", r "2", r "3", r "4", r "5", r "6", r "7"
#define TO_15(r)         TO_7(r), r "8", r "9", r "10", r "11", r "12", r "13", r "14", r "15"
#define FROM_16_TO_30(r) r "16", r "17", r "18", r "19", r "20", r "21", r "22", r "23", r "24", \
			 r "25", r "26", r "27", r "28", r "29", r "30"
#define FROM_16_TO_31(r) FROM_16_TO_30(r), r "31"
#define TO_31(r)         TO_15(r), FROM_16_TO_31(r)
// clang-format on

static const struct row {
	uint16_t machine, first, count;
	const char *const *names;
} rows[] = {
#define REGISTERS(machine, first, ...)                                         \
	{ IC_MACHINE_##machine, first,                                         \
	  sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *), \
	  (const char *const[]){ __VA_ARGS__ } },
#include "base/registers.def"

#undef REGISTERS
};

enum { ROW_COUNT = sizeof(rows) / sizeof(*rows) };

// The machine whose rows this one uses.
static unsigned machine_family(unsigned machine)
{
	switch (machine) {
	case IC_MACHINE_MIPS_RS3_LE: return IC_MACHINE_MIPS;
	case IC_MACHINE_SPARC32PLUS: return IC_MACHINE_SPARC;
	}
	return machine;
}

bool ic_register_has_percent(unsigned machine)
{
	switch (machine) {
	case IC_MACHINE_SPARC:
	case IC_MACHINE_386:
	case IC_MACHINE_SPARC32PLUS:
	case IC_MACHINE_S390:
	case IC_MACHINE_SPARCV9:
	case IC_MACHINE_X86_64: return true;
	}
	return false;
}

const char *ic_register_name(unsigned machine, uint32_t number)
{
	machine = machine_family(machine);
	for (const struct row *row = rows; row < rows + ROW_COUNT; row++)
		if (row->machine == machine && number >= row->first &&
		    number - row->first < row->count)
			return row->names[number - row->first];
	return NULL;
}

bool ic_register_number(unsigned machine, const char *name, uint32_t *number)
{
	machine = machine_family(machine);
	*number = 0;
	for (const struct row *row = rows; row < rows + ROW_COUNT; row++) {
		for (uint32_t i = 0; row->machine == machine && i < row->count; i++) {
			if (strcmp(row->names[i], name) != 0)
				continue;
			*number = row->first + i;
			return true;
		}
	}
	return false;
}
