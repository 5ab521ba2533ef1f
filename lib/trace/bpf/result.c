#include "trace/bpf/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/search.h"

#include <inlinecall/extra/image.h>

// The register of a result that is a number or a pointer, by DWARF number (psABIs of x86-64,
// AArch64 and RISC-V).
static uint32_t register_of(unsigned machine)
{
	return machine == IC_MACHINE_RISCV ? 10 : 0;
}

static const char *fault_of_type(const struct ic_parameter *type)
{
	switch (type->encoding) {
	case IC_TYPE_INTEGER:
	case IC_TYPE_BOOLEAN:
	case IC_TYPE_CHARACTER:
	case IC_TYPE_ENUMERATION:
	case IC_TYPE_POINTER:
	case IC_TYPE_REFERENCE: return NULL;
	case IC_TYPE_FLOAT:
	case IC_TYPE_COMPLEX:
	case IC_TYPE_VECTOR:
		return "in a register that is not recorded, such as a floating-point register";
	default: return "not a number: its location depends on more than its size";
	}
}

// GCC renames functions that it changes: with fewer arguments or no result, and parts of a
// function, which may leave the result to the rest.
static bool is_changed_clone(const char *symbol)
{
	return strstr(symbol, ".isra.") || strstr(symbol, ".part.");
}

// Compilers may drop an unused result if they know all callers. LLVM does so without any
// indication.
static bool find_fault(struct ic_trace_results *results, const struct ic_result *result,
		       uint64_t addr, const char *symbol, const char **why, struct ic_error *err)
{
	*why = fault_of_type(&result->type);
	if (*why)
		return true;
	if (!results->has_symbols && !ic_image_global_functions(results->image, &results->globals,
								&results->global_count, err))
		return false;
	results->has_symbols = true;
	uint32_t at = ic_search_up_to(results->globals, sizeof(*results->globals),
				      (uint32_t)results->global_count, addr);
	if (at > 0 && results->globals[at - 1] == addr)
		return true;
	if (!result->producer || strncmp(result->producer, "GNU ", 4) != 0)
		*why = "the compiler may have removed it because the function is local";
	else if (!symbol || is_changed_clone(symbol))
		*why = "the compiler may have removed it from this clone";
	return true;
}

bool ic_trace_result_make(struct ic_trace_results *results,
			  const struct ic_trace_returning *returning, struct ic_trace_fetch *fetch,
			  const char **why, struct ic_error *err)
{
	const struct ic_trace_place *place = returning->place;
	struct ic_parameter placed = returning->result->type;

	memset(fetch, 0, sizeof(*fetch));
	if (!find_fault(results, returning->result, returning->addr, returning->symbol, why, err))
		return false;
	if (*why)
		return true;
	placed.location = (struct ic_location){ .kind = IC_LOCATION_REGISTER,
						.reg = register_of(place->layout->machine) };
	*why = ic_trace_fetch_make(&placed, place, fetch);
	return true;
}

void ic_trace_results_free(struct ic_trace_results *results)
{
	free(results->globals);
}
