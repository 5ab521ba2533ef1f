// A table of inlined calls while its model is being built.
#ifndef TABLES_INLINE_BUILDER_H
#define TABLES_INLINE_BUILDER_H

#include "btf/inline_check.h"
#include "read/stream.h"
#include "tables/callers.h"

enum ic_lack {            // why the address of a call is unknown, or another problem of it
	IC_LACK_BASE,     // it is unknown what its offset counts from
	IC_LACK_SYMBOL,   // no symbol has the caller's name
	IC_LACK_ONE,      // several symbols have it
	IC_LACK_CODE,     // the address would be outside the caller
	IC_LACK_FUNCTION, // the callee is not a function: the call is left out
	IC_LACK_VOID,     // the callee is not in BTF
	IC_LACK_SOUND,    // the call violates the format, or the types are not its own
	IC_LACK_NESTING,  // the address is known, but too many calls have it
	IC_LACK_COUNT,
};

enum ic_choice { IC_CHOICE_NO_FUNCTION, IC_CHOICE_UNWANTED, IC_CHOICE_WANTED };

struct ic_inline_call {    // a wanted call
	uint32_t number;   // number in the table
	uint32_t function; // number in the model; IC_NONE if the table does not name it
	uint32_t caller;   // IC_NONE if unknown
	uint64_t entry;    // IC_NO_ADDR if unknown
};

struct ic_inline_builder {
	struct ic_stream *stream;
	struct ic_image *image;
	const struct ic_btf_inline *table;
	uint8_t *wanted; // enum ic_choice by type number; NULL if all are wanted
	struct ic_btf_check check;
	bool is_strange; // records or lists refer to what does not exist
	IC_ARRAY(struct ic_inline_call) calls;
	struct ic_callers callers;
	IC_ARRAY(uint32_t) functions; // by caller: the first function of the model with its name
	IC_ARRAY(uint32_t) hosts;     // by caller: an instance with its code
	uint32_t *host_of;            // by symbol of the callers: its instance
	struct ic_symbol_source *symbols; // NULL if the format records callers
	struct ic_map last_at;            // by entry: the last instance there
	struct {
		uint32_t count;
		uint64_t first_off;
		const char *name; // of the caller of the first one, or what its error is; NULL if
				  // unknown
	} lacks[IC_LACK_COUNT];
};

// Counts a problem of a call; `name` is an example to report, or NULL.
void ic_inline_lack_as(struct ic_inline_builder *builder, enum ic_lack lack, uint32_t number,
		       const char *name);
// The same, with the name of the caller, which may be IC_NONE, as the example.
void ic_inline_lack(struct ic_inline_builder *builder, enum ic_lack lack, uint32_t number,
		    uint32_t caller);

// Lists the wanted calls, the functions of the model and the names of the callers, and the
// addresses that the table itself gives. Returns false if memory runs out.
bool ic_inline_calls_list(struct ic_inline_builder *builder) IC_CHECKED;

#endif
