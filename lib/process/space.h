// Where files are mapped. The type is inlinecall/space.h's.
#ifndef PROCESS_SPACE_H
#define PROCESS_SPACE_H

#include <pthread.h>

#include "base/array.h"
#include "process/modules.h"

struct ic_mapped_code {
	uint64_t start, end;
	uint64_t offset;          // in the file, or an address as the file numbers it
	struct ic_module *module; // reference held
	struct ic_module_place place;
	bool has_addr;
};

struct ic_space_mappings { // sorted, without overlaps
	IC_ARRAY(struct ic_mapped_code) list;
};

struct ic_space {
	struct ic_modules *modules;
	pthread_rwlock_t lock; // protects the rest
	struct ic_space_mappings mappings;
	// For unmapped addresses, in the space of a kernel; otherwise NULL.
	struct ic_kernel_names *names;
	struct ic_space *kernel; // for unmapped addresses too; NULL if there is none
};

// The mapping that contains an address, under the lock of the space that owns them; NULL if there
// is none.
const struct ic_mapped_code *ic_space_mapping_find(const struct ic_space_mappings *mappings,
						   uint64_t addr);

struct ic_space_code { // code mapped at an address
	uint64_t start, end;
	uint64_t offset; // file offset of the byte at `start`; or its address in the file, if
			 // has_addr
	bool has_addr;
	struct ic_module *module; // with a new reference: to be released
	struct ic_module_place place;
};

// False if there is no code at the address.
bool ic_space_code_at(struct ic_space *space, uint64_t addr, struct ic_space_code *code);

// Same as ic_space_add(), for a file that starts with these bytes; for any if there are none.
bool ic_space_add_start(struct ic_space *space, const struct ic_space_mapping *mapping,
			struct ic_bytes start, struct ic_error *err) IC_CHECKED;

// Adds a mapping of a file that is only in memory, such as the vDSO; or without bytes, of code that
// is in no file. False if memory runs out.
bool ic_space_add_memory(struct ic_space *space, uint64_t start, uint64_t end, const char *name,
			 struct ic_bytes file) IC_CHECKED;

#endif
