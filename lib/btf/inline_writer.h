// Tables of inlined calls being written.
#ifndef BTF_INLINE_WRITER_H
#define BTF_INLINE_WRITER_H

#include "base/byte_pool.h"
#include "base/error.h"
#include "base/sort.h"
#include "btf/inline_lower.h"
#include "btf/out.h"

struct ic_btf_writer_record {
	struct ic_btf_writer_call call;
	uint32_t section; // number in `sections`
	uint32_t first_place, place_count;
};

struct ic_btf_writer {
	struct ic_btf_writer_options options;
	struct ic_btf_lowering lowering;
	struct ic_byte_pool pool; // expressions, the first of which is the empty one, or LOC_PARAMs
	IC_ARRAY(struct ic_btf_writer_record) records;
	// Of parameters: numbers in `pool`; IC_NONE if without a location.
	IC_ARRAY(uint32_t) places;
	struct ic_byte_pool sections; // names, with their NUL
	// The writer's own types, which precede the location kinds, and their strings; borrowed.
	struct ic_bytes own_types, own_strings;
	uint32_t own_count;
	bool is_out_of_memory;
	uint8_t *bytes; // the output
};

// The places of a call's parameters; NULL if it has none.
static inline uint32_t *ic_btf_writer_places(const struct ic_btf_writer *writer,
					     const struct ic_btf_writer_record *record)
{
	return record->place_count > 0 ? writer->places.items + record->first_place : NULL;
}

enum { IC_BTF_WRITER_MOST_PLACES = UINT16_MAX }; // per call

// Makes room for a section with two parts of these sizes, and writes its header.
bool ic_btf_writer_begin(struct ic_btf_writer *writer, uint64_t first_size, uint64_t second_size,
			 struct ic_btf_out *out, struct ic_error *err) IC_CHECKED;

// Writes BTF with the location kinds, with the records in the given order.
bool ic_btf_writer_put_kinds(struct ic_btf_writer *writer, const struct ic_keyed *order,
			     struct ic_btf_out *out, struct ic_error *err) IC_CHECKED;

#endif
