#include "btf/inline_table.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/cursor.h"
#include "btf/inline_expression.h"

static const char section[] = ".BTF.inline";

struct header { // of the RFC's format and the prototype's
	unsigned version, flags;
	uint32_t size, info_off, info_size, locations_off, locations_size;
};

static struct header read_header(struct ic_bytes bytes, bool swap)
{
	struct ic_cursor cur = ic_cursor_at(bytes, section, 2, bytes.size - 2, swap);
	struct header header;

	header.version = ic_cursor_u8(&cur);
	header.flags = ic_cursor_u8(&cur);
	header.size = ic_cursor_u32(&cur);
	header.info_off = ic_cursor_u32(&cur);
	header.info_size = ic_cursor_u32(&cur);
	header.locations_off = ic_cursor_u32(&cur);
	header.locations_size = ic_cursor_u32(&cur);
	return header;
}

// All formats begin with the same header. In BTF, the upper byte of the first record's second word
// is the kind of a type, at least 1; in the RFC's format, the word is a type number, which is below
// 2^20. BTF's longer header is unambiguous.
static bool is_btf(struct ic_bytes bytes, bool swap, const struct header *header)
{
	uint64_t off = (uint64_t)header->size + header->info_off;

	if (header->size >= IC_BTF_HEADER_SIZE + 8)
		return true;
	if (header->info_off == header->size && header->size == IC_BTF_HEADER_SIZE)
		off = header->size; // the prototype counts like this
	if (header->info_size < 8 || off > bytes.size || bytes.size - off < 8)
		return false;
	return ic_load32(bytes.data + off + 4, swap) >= 0x01000000;
}

// The RFC does not specify where offsets count from: in `.BTF` from the end of the header, in the
// prototype from the start of the section. The latter is assumed only if the former does not fit.
static bool is_from_start(const struct header *header, size_t size)
{
	uint64_t end = (uint64_t)header->locations_off + header->locations_size;

	return header->info_off == header->size &&
	       header->locations_off == (uint64_t)header->info_off + header->info_size &&
	       end <= size && header->size + end > size;
}

static bool place_parts(struct ic_btf_inline *table, const struct header *header,
			struct ic_error *err)
{
	table->is_from_start = is_from_start(header, table->bytes.size);
	uint64_t base = table->is_from_start ? 0 : header->size;

	table->info_off = base + header->info_off;
	table->info_size = header->info_size;
	table->locations_off = base + header->locations_off;
	table->locations_size = header->locations_size;
	if (table->info_off + table->info_size > table->bytes.size)
		return ic_fail_at(err, section, 8, "the calls end beyond the section");
	if (table->locations_off + table->locations_size > table->bytes.size)
		return ic_fail_at(err, section, 16, "the locations end beyond the section");
	return true;
}

// ---- Records

struct walk {
	struct ic_btf_inline *table;
	uint32_t fixed_size;
	uint32_t type_count; // UINT32_MAX if unknown
	bool is_strict;      // also check that what records refer to exists
	IC_ARRAY(struct ic_btf_record) records;
};

// Both formats have the number of parameters at the same offset.
enum { COUNT_AT = IC_BTF_INLINE_PACKED - sizeof(uint16_t) };

static uint32_t callee_off(const struct ic_btf_inline *table)
{
	switch (table->format) {
	case IC_BTF_INLINE_PROTOTYPE: return sizeof(uint64_t); // after the address
	case IC_BTF_INLINE_LOC_FIRST: return sizeof(uint32_t); // after the name
	case IC_BTF_INLINE_RFC:
	case IC_BTF_INLINE_LOC: break;
	}
	return 0;
}

static bool is_sound(const struct walk *walk, const uint8_t *record, uint32_t parameter_count)
{
	const struct ic_btf_inline *table = walk->table;
	const uint8_t *locations = record + walk->fixed_size;
	bool is_rfc = table->format == IC_BTF_INLINE_RFC;

	if (ic_load32(record + callee_off(table), table->swap) >= walk->type_count ||
	    (is_rfc && ic_load32(record + 4, table->swap) >= walk->type_count))
		return false;
	for (uint32_t i = 0; i < parameter_count; i++)
		if (ic_load32(locations + 4 * (size_t)i, table->swap) >= table->locations_size)
			return false;
	return true;
}

// A kernel has half a million records, which every query visits.
static bool walk_records(struct walk *walk, struct ic_error *err)
{
	struct ic_btf_inline *table = walk->table;
	const uint8_t *bytes = table->bytes.data;
	uint64_t off = table->info_off, end = off + table->info_size;

	walk->records.count = 0;
	while (off < end) {
		uint32_t count = 0;
		uint64_t size = walk->fixed_size;

		if (size <= end - off) {
			count = ic_load16(bytes + off + COUNT_AT, table->swap);
			size += 4ull * count;
		}
		if (size > end - off)
			return ic_fail_at(err, section, off, "the record ends beyond the calls");
		if (walk->is_strict && !is_sound(walk, bytes + off, count))
			return ic_fail_at(err, section, off, "it refers to what is not there");
		struct ic_btf_record *record = IC_ARRAY_PUSH(&walk->records);
		if (!record)
			return ic_fail_memory(err);
		*record = (struct ic_btf_record){ .off = (uint32_t)off };
		off += size;
	}
	return true;
}

// The RFC does not specify whether records are padded to the size of a C struct: tries which size
// makes sense.
static bool list_records(struct ic_btf_inline *table, struct ic_error *err)
{
	static const uint32_t sizes[] = { IC_BTF_INLINE_PACKED, IC_BTF_INLINE_PADDED };
	struct walk walk = { .table = table,
			     .type_count = table->types ? ic_btf_count(table->types) : UINT32_MAX };
	struct ic_error other;
	bool ok = false;

	for (unsigned i = 0; i < 4 && !ok; i++) {
		walk.is_strict = i < 2;
		walk.fixed_size = sizes[i % 2];
		if (i % 2 == 1 && table->format == IC_BTF_INLINE_PROTOTYPE)
			continue;
		// Report the error for the usual size.
		ok = walk_records(&walk, i == 2 ? err : &other);
		if (!ok && (i == 2 ? err : &other)->code == IC_ERROR_MEMORY) {
			ic_fail_memory(err);
			break;
		}
	}
	if (!ok) {
		free(walk.records.items);
		return false;
	}
	table->is_strange = !walk.is_strict;
	table->fixed_size = walk.fixed_size;
	table->records = walk.records.items;
	table->record_count = walk.records.count;
	return true;
}

void ic_btf_call_read(const struct ic_btf_inline *table, uint32_t number, struct ic_btf_call *call)
{
	const uint8_t *record = table->bytes.data + table->records[number].off;

	*call = (struct ic_btf_call){
		.callee = ic_load32(record + callee_off(table), table->swap),
		.parameter_count = ic_load16(record + COUNT_AT, table->swap),
		.locations = record + table->fixed_size,
	};
	if (table->format == IC_BTF_INLINE_PROTOTYPE) {
		call->addr = ic_load64(record, table->swap);
	} else {
		call->caller = ic_load32(record + 4, table->swap);
		call->offset = ic_load32(record + 8, table->swap);
	}
}

struct ic_bytes ic_btf_inline_locations(const struct ic_btf_inline *table)
{
	return (struct ic_bytes){ table->bytes.data + table->locations_off, table->locations_size };
}

// ---- Parsing

// The BTF reader tells the two layouts apart.
static bool parse_kinds(struct ic_btf_inline *table, struct ic_error *err)
{
	// Without separate types, the calls are among the types of `.BTF` itself.
	table->own_types = ic_btf_parse_section(table->types ? section : ".BTF", table->bytes,
						table->types, err);
	if (!table->own_types)
		return false;
	table->types = table->own_types;
	table->format = table->own_types->loc_layout == IC_BTF_LOC_FIRST ? IC_BTF_INLINE_LOC_FIRST
									 : IC_BTF_INLINE_LOC;
	return ic_btf_kinds_list(table, err);
}

static bool parse(struct ic_btf_inline *table, struct ic_error *err)
{
	if (table->bytes.size > UINT32_MAX)
		return ic_fail(err, IC_ERROR_UNSUPPORTED, ".BTF.inline: it has 4 GiB or more");
	if (!ic_btf_has_magic(table->bytes, &table->swap))
		return ic_fail_at(err, section, 0, "it does not begin with BTF's magic number");
	if (table->bytes.size < IC_BTF_HEADER_SIZE)
		return ic_fail_at(err, section, table->bytes.size, "the header is cut short");
	struct header header = read_header(table->bytes, table->swap);
	if (header.version != IC_BTF_VERSION)
		return ic_fail_at(err, section, 2, "version %u is not supported", header.version);
	if (header.size < IC_BTF_HEADER_SIZE || header.size > table->bytes.size)
		return ic_fail_at(err, section, 4, "the header has %u bytes", header.size);
	if (is_btf(table->bytes, table->swap, &header))
		return parse_kinds(table, err);
	if (header.flags != 0)
		return ic_fail_at(err, section, 3, "flags 0x%x are not known", header.flags);
	if (!place_parts(table, &header, err))
		return false;
	bool fills = table->locations_off + table->locations_size == table->bytes.size;
	table->format = table->is_from_start && fills &&
					ic_btf_prototype_is(ic_btf_inline_locations(table))
				? IC_BTF_INLINE_PROTOTYPE
				: IC_BTF_INLINE_RFC;
	return list_records(table, err);
}

struct ic_btf_inline *ic_btf_inline_parse(const void *bytes, size_t size,
					  const struct ic_btf *types, struct ic_error *err)
{
	struct ic_error unwanted;
	struct ic_btf_inline *table = calloc(1, sizeof(*table));

	if (!err)
		err = &unwanted;
	if (!table) {
		ic_fail_memory(err);
		return NULL;
	}
	table->bytes = (struct ic_bytes){ bytes, size };
	table->types = types;
	if (parse(table, err))
		return table;
	ic_btf_inline_free(table);
	return NULL;
}

void ic_btf_inline_free(struct ic_btf_inline *table)
{
	if (!table)
		return;
	ic_btf_free(table->own_types);
	free(table->records);
	free(table);
}

// ---- Contents

enum ic_btf_inline_format ic_btf_inline_format(const struct ic_btf_inline *table)
{
	return table->format;
}

const struct ic_btf *ic_btf_inline_types(const struct ic_btf_inline *table)
{
	return table->types;
}

size_t ic_btf_inline_count(const struct ic_btf_inline *table)
{
	return table->record_count;
}

static bool has_kinds(const struct ic_btf_inline *table)
{
	return table->own_types;
}

uint32_t ic_btf_inline_callee(const struct ic_btf_inline *table, uint32_t number)
{
	return ic_load32(table->bytes.data + table->records[number].off + callee_off(table),
			 table->swap);
}

void ic_btf_inline_get(const struct ic_btf_inline *table, size_t number,
		       struct ic_btf_inline_site *site)
{
	struct ic_btf_call call;

	if (has_kinds(table)) {
		ic_btf_kinds_get(table, (uint32_t)number, site);
		return;
	}
	ic_btf_call_read(table, (uint32_t)number, &call);
	*site = (struct ic_btf_inline_site){
		.callee = call.callee,
		.caller = call.caller,
		.callee_name = ic_btf_function_name(table->types, call.callee),
		.caller_name = ic_btf_function_name(table->types, call.caller),
		.offset = table->format == IC_BTF_INLINE_RFC ? call.offset : call.addr,
		.parameter_count = call.parameter_count,
		.record_off = table->records[number].off,
	};
}

static void read_location(const struct ic_btf_inline *table, uint32_t number, uint32_t parameter,
			  uint64_t size, struct ic_location *location)
{
	struct ic_bytes locations = ic_btf_inline_locations(table);
	struct ic_btf_call call;

	ic_btf_call_read(table, number, &call);
	uint32_t off = ic_load32(call.locations + 4 * (size_t)parameter, table->swap);
	*location = table->format == IC_BTF_INLINE_RFC
			    ? ic_btf_expression_read(locations, off, table->swap, size)
			    : ic_btf_prototype_read(locations, off, table->swap);
}

void ic_btf_inline_parameter(const struct ic_btf_inline *table, size_t site_number, uint32_t number,
			     struct ic_btf_inline_parameter *parameter)
{
	struct ic_btf_inline_site site;

	ic_btf_inline_get(table, site_number, &site);
	*parameter = (struct ic_btf_inline_parameter){ .name = NULL };
	if (ic_btf_function_parameter(table->types, site.callee, number, &parameter->name,
				      &parameter->type))
		parameter->size =
			ic_btf_type_size(table->types, parameter->type, &parameter->is_signed);
	if (has_kinds(table))
		ic_btf_kinds_parameter(table, (uint32_t)site_number, number, parameter);
	else
		read_location(table, (uint32_t)site_number, number, parameter->size,
			      &parameter->location);
	if (parameter->size == 0 && parameter->location.kind == IC_LOCATION_MEMORY)
		parameter->size = parameter->location.size;
	parameter->location.size = 0; // only bytes have a size
}
