// Sections of relocations in chunks, which can be applied in any order and by any thread.
//
// A chunk is a run of entries whose fields share no byte with those of any other. To find them
// takes entries in the order of their offsets, which all assemblers keep; a section of relocations
// where they are not is one chunk. There are never so many of them that they would take memory to
// speak of.
#ifndef ELF_RELOC_CHUNKS_H
#define ELF_RELOC_CHUNKS_H

#include "elf/reloc_entry.h"

struct ic_reloc_chunk {
	uint64_t first, end; // entries; `first` is the one that comes next
	uint64_t start;      // in the target: the fields of the chunk begin here or later, those of
			     // the chunks before it end here or earlier
	const char *fault;   // what is wrong with the entry `first`, which none is applied after
	bool is_in_order;    // until the chunks are joined
};

struct ic_chunked_table {
	struct ic_reloc_table table;
	struct ic_reloc_chunk *chunks; // by their starts; freed by who has the table
	uint64_t chunk_count;
	uint64_t chunk_size; // entries; some have more, where fields follow one another closely
	bool is_deferred;    // not to be applied with the others
	uint32_t first_item; // of those that the workers take
};

struct ic_chunked_tables {
	const struct ic_reloc_machine *machine;
	struct ic_chunked_table *items;
	uint32_t count;
};

// Room for the chunks of a table, whose members but for those are filled in; false where memory is
// out.
bool ic_chunked_table_init(struct ic_chunked_table *table, const struct ic_reloc_machine *machine);

// Finds the chunks of all tables, on several threads: every offset is read.
void ic_chunked_tables_split(struct ic_chunked_tables *tables, uint32_t jobs);

// Applies what has not been of all tables but the deferred, on several threads.
void ic_chunked_tables_apply(struct ic_chunked_tables *tables, uint32_t jobs);

// Applies what has not been of the chunks whose fields may reach into [start, end) of the target.
// The first of them with a fault, or NULL.
const struct ic_reloc_chunk *ic_chunked_table_apply_part(struct ic_chunked_table *table,
							 const struct ic_reloc_machine *machine,
							 uint64_t start, uint64_t end);

// The first chunk with a fault, or NULL.
const struct ic_reloc_chunk *ic_chunked_table_fault(const struct ic_chunked_table *table);

#endif
