// Splits sections of relocations into chunks, which can be applied in any order and by any thread.
//
// A chunk is a run of entries whose fields share no byte with those of other chunks. Chunks can be
// found only if entries are in the order of their offsets, as all assemblers write them; otherwise
// the section is one chunk. The number of chunks is bounded, so their memory is small.
#ifndef ELF_SECTIONS_RELOC_CHUNKS_H
#define ELF_SECTIONS_RELOC_CHUNKS_H

#include "elf/sections/reloc_entry.h"

struct ic_reloc_chunk {
	uint64_t first, end; // entries; `first` is the next to be applied
	uint64_t start;      // in the target: the chunk's fields begin here or later, and those
			     // of earlier chunks end here or before
	const char *fault;   // the error of entry `first`, after which none is applied
	bool is_in_order;    // until the chunks are joined
};

struct ic_chunked_table {
	struct ic_reloc_table table;
	struct ic_reloc_chunk *chunks; // by their starts; freed by the owner of the table
	uint64_t chunk_count;
	uint64_t chunk_size; // entries; some have more, if fields are adjacent
	bool is_deferred;    // not applied with the others
	uint32_t first_item; // of the workers' items
};

struct ic_chunked_tables {
	const struct ic_reloc_machine *machine;
	struct ic_chunked_table *items;
	uint32_t count;
};

// Allocates the chunks of a table whose other members are set; false if memory runs out.
bool ic_chunked_table_init(struct ic_chunked_table *table, const struct ic_reloc_machine *machine);

// Finds the chunks of all tables, on several threads: every offset is read.
void ic_chunked_tables_split(struct ic_chunked_tables *tables, uint32_t jobs);

// Applies what is left of all tables except the deferred one, on several threads.
void ic_chunked_tables_apply(struct ic_chunked_tables *tables, uint32_t jobs);

// Applies what is left of the chunks whose fields may reach into [start, end) of the target.
// Returns the first of them with a fault, or NULL.
const struct ic_reloc_chunk *ic_chunked_table_apply_part(struct ic_chunked_table *table,
							 const struct ic_reloc_machine *machine,
							 uint64_t start, uint64_t end);

// The first chunk with a fault, or NULL.
const struct ic_reloc_chunk *ic_chunked_table_fault(const struct ic_chunked_table *table);

#endif
