// What is wrong in single calls of a table that can be read.
#ifndef BTF_INLINE_CHECK_H
#define BTF_INLINE_CHECK_H

#include "btf/inline_table.h"

struct ic_btf_check {
	const struct ic_btf_inline *table;
	ic_btf_inline_fault_taker *take;
	void *context;
	// Of forms with expressions, a bit for each byte of the locations. Where an operator of the
	// RFC's form begins, as far as they can be walked:
	uint8_t *starts;
	uint32_t walked_size;
	uint8_t *readable; // what begins there was read; calls share locations
};

// False if memory runs out. To be ended all the same.
bool ic_btf_check_begin(struct ic_btf_check *check, struct ic_error *err) IC_CHECKED;
// Finds what is wrong in the lists of locations, which calls share, of a table of kinds.
void ic_btf_check_lists(const struct ic_btf_check *check);
// Finds what is wrong in a call.
void ic_btf_check_call(const struct ic_btf_check *check, uint32_t number);
void ic_btf_check_end(struct ic_btf_check *check);

#endif
