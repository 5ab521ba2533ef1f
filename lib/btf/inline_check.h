// Checks the calls of a table that can be read, one by one.
#ifndef BTF_INLINE_CHECK_H
#define BTF_INLINE_CHECK_H

#include "btf/inline_table.h"

struct ic_btf_check {
	const struct ic_btf_inline *table;
	ic_btf_inline_fault_taker *take;
	void *context;
	// For the RFC's format, a bit for each byte of the locations; set where an operator begins,
	// as far as they can be walked:
	uint8_t *starts;
	uint32_t walked_size;
	uint8_t *readable; // set where a readable expression begins, since calls share them
};

// Returns false if memory runs out. Call ic_btf_check_end() in either case.
bool ic_btf_check_begin(struct ic_btf_check *check, struct ic_error *err) IC_CHECKED;
// Checks the lists of locations of a table of BTF kinds, which calls share.
void ic_btf_check_lists(const struct ic_btf_check *check);
// Checks a call.
void ic_btf_check_call(const struct ic_btf_check *check, uint32_t number);
void ic_btf_check_end(struct ic_btf_check *check);

#endif
