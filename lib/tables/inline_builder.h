// A table of inlined calls while its model is built.
#ifndef TABLES_INLINE_BUILDER_H
#define TABLES_INLINE_BUILDER_H

#include "btf/inline_check.h"
#include "read/stream.h"
#include "tables/callers.h"

enum ic_lack {            // why the address of a call is not known
	IC_LACK_BASE,     // nor is what its offset counts from
	IC_LACK_SYMBOL,   // no symbol is called as the caller
	IC_LACK_ONE,      // several are
	IC_LACK_CODE,     // it would be outside of the caller
	IC_LACK_FUNCTION, // what was inlined is no function: the call is left out
	IC_LACK_VOID,     // what was inlined is not in BTF
	IC_LACK_SOUND,    // it breaks the format, or the types are others
	IC_LACK_NESTING,  // it is known, but too many calls are there
	IC_LACK_COUNT,
};

enum ic_choice { IC_CHOICE_NO_FUNCTION, IC_CHOICE_UNWANTED, IC_CHOICE_WANTED };

struct ic_inline_call {    // that is wanted
	uint32_t number;   // in the table
	uint32_t function; // of the model; IC_NONE if the table does not say it
	uint32_t caller;   // IC_NONE if not known
	uint64_t entry;    // IC_NO_ADDR if not known
};

struct ic_inline_builder {
	struct ic_stream *stream;
	struct ic_image *image;
	const struct ic_btf_inline *table;
	uint8_t *wanted; // enum ic_choice by number of the type; NULL if all are
	struct ic_btf_check check;
	bool is_strange; // records or lists refer to what is not there
	IC_ARRAY(struct ic_inline_call) calls;
	struct ic_callers callers;
	IC_ARRAY(uint32_t) functions;     // by caller: the first of the model that has its name
	IC_ARRAY(uint32_t) hosts;         // by caller: an instance that has its code
	uint32_t *host_of;                // by symbol of the callers: the instance
	struct ic_symbol_source *symbols; // NULL unless the form has no callers
	struct ic_map last_at;            // by entry: the last instance that begins there
	struct {
		uint32_t count;
		uint64_t first_off;
		const char *name; // of the caller of that, or what is wrong; NULL if not known
	} lacks[IC_LACK_COUNT];
};

// Notes that something is not known of a call; `name` is what it is an example of, or NULL.
void ic_inline_lack_as(struct ic_inline_builder *builder, enum ic_lack lack, uint32_t number,
		       const char *name);
// The same with the name of its caller, which may be IC_NONE.
void ic_inline_lack(struct ic_inline_builder *builder, enum ic_lack lack, uint32_t number,
		    uint32_t caller);

// Lists the calls that are wanted, with the functions of the model and the names of the callers,
// and with the addresses that the table itself says. False if memory runs out.
bool ic_inline_calls_list(struct ic_inline_builder *builder) IC_CHECKED;

#endif
