#include "btf/inline_table.h"

#include <stdlib.h>

#include "base/array.h"
#include "btf/inline_expression.h"

static const char section[] = ".BTF.inline";

// In BTF, the upper byte of the first record's second word is the kind of a type, at least 1; in
// the RFC's format, the word is a type number, which is below 2^20. BTF's longer header is
// unambiguous.
static bool is_btf(struct ic_bytes bytes, bool swap, const struct ic_btf_header *header)
{
	uint64_t off = (uint64_t)header->size + header->types_off;

	if (header->size >= IC_BTF_HEADER_SIZE + 8)
		return true;
	if (header->types_size < 8 || off > bytes.size || bytes.size - off < 8)
		return false;
	return ic_load32(bytes.data + off + 4, swap) >= 0x01000000;
}

// The RFC's prototype counts offsets from the start of the section; the parts of other tables would
// then end beyond it. Its format is not supported.
static bool is_prototype(const struct ic_btf_header *header, size_t size)
{
	return header->types_off == header->size &&
	       header->strings_off == (uint64_t)header->types_off + header->types_size &&
	       (uint64_t)header->strings_off + header->strings_size == size;
}

// The RFC does not say where offsets count from; as in BTF, from the end of the header.
static bool place_parts(struct ic_btf_inline *table, const struct ic_btf_header *header,
			struct ic_error *err)
{
	table->info_off = (uint64_t)header->size + header->types_off;
	table->info_size = header->types_size;
	table->locations_off = (uint64_t)header->size + header->strings_off;
	table->locations_size = header->strings_size;
	if (table->info_off + table->info_size > table->bytes.size)
		return ic_fail_at(err, section, 8, "calls extend past the end of the section");
	if (table->locations_off + table->locations_size > table->bytes.size)
		return ic_fail_at(err, section, 16, "locations extend past the end of the section");
	return true;
}

// ---- Records

enum { COUNT_AT = IC_BTF_RECORD_SIZE - sizeof(uint16_t) }; // the number of parameters

static bool is_sound(const struct ic_btf_inline *table, const uint8_t *record,
		     uint32_t parameter_count, uint32_t type_count)
{
	const uint8_t *locations = record + IC_BTF_RECORD_SIZE;

	if (ic_load32(record, table->swap) >= type_count ||
	    ic_load32(record + 4, table->swap) >= type_count)
		return false;
	for (uint32_t i = 0; i < parameter_count; i++)
		if (ic_load32(locations + 4 * (size_t)i, table->swap) >= table->locations_size)
			return false;
	return true;
}

// A kernel has half a million records, which every query visits.
static bool list_records(struct ic_btf_inline *table, struct ic_error *err)
{
	uint32_t type_count = table->types ? ic_btf_count(table->types) : UINT32_MAX;
	uint64_t off = table->info_off, end = off + table->info_size;
	IC_ARRAY(struct ic_btf_record) records = { .items = NULL };
	bool ok = true;

	while (off < end) {
		const uint8_t *at = table->bytes.data + off;
		uint64_t size = IC_BTF_RECORD_SIZE;
		uint32_t count = 0;

		if (size <= end - off) {
			count = ic_load16(at + COUNT_AT, table->swap);
			size += 4ull * count;
		}
		if (size > end - off) {
			ok = ic_fail_at(err, section, off,
					"record extends past the end of the calls");
			break;
		}
		struct ic_btf_record *record = IC_ARRAY_PUSH(&records);
		ok = record || ic_fail_memory(err);
		if (!ok)
			break;
		record->off = (uint32_t)off;
		table->is_strange |= !is_sound(table, at, count, type_count);
		off += size;
	}
	table->records = records.items;
	table->record_count = records.count;
	return ok;
}

void ic_btf_call_read(const struct ic_btf_inline *table, uint32_t number, struct ic_btf_call *call)
{
	const uint8_t *record = table->bytes.data + table->records[number].off;

	*call = (struct ic_btf_call){
		.callee = ic_load32(record, table->swap),
		.caller = ic_load32(record + 4, table->swap),
		.offset = ic_load32(record + 8, table->swap),
		.parameter_count = ic_load16(record + COUNT_AT, table->swap),
		.locations = record + IC_BTF_RECORD_SIZE,
	};
}

struct ic_bytes ic_btf_inline_locations(const struct ic_btf_inline *table)
{
	return (struct ic_bytes){ table->bytes.data + table->locations_off, table->locations_size };
}

// ---- Parsing

static bool parse_kinds(struct ic_btf_inline *table, struct ic_error *err)
{
	// Without separate types, the calls are among the types of `.BTF` itself.
	table->own_types = ic_btf_parse_section(table->types ? section : ".BTF", table->bytes,
						table->types, err);
	if (!table->own_types)
		return false;
	table->types = table->own_types;
	return ic_btf_kinds_list(table, err);
}

static bool parse_table(struct ic_btf_inline *table, struct ic_error *err)
{
	if (table->bytes.size > UINT32_MAX)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       ".BTF.inline: section is too large: 4 GiB or more");
	if (!ic_btf_has_magic(table->bytes, &table->swap))
		return ic_fail_at(err, section, 0, "no BTF magic number");
	if (table->bytes.size < IC_BTF_HEADER_SIZE)
		return ic_fail_at(err, section, table->bytes.size, "truncated header");
	struct ic_cursor cur =
		ic_cursor_at(table->bytes, section, 2, table->bytes.size - 2, table->swap);
	const struct ic_btf_header header = ic_btf_header_read(&cur);
	if (header.version != IC_BTF_VERSION)
		return ic_fail_at(err, section, 2, "unsupported version %u", header.version);
	if (header.size < IC_BTF_HEADER_SIZE || header.size > table->bytes.size)
		return ic_fail_at(err, section, 4, "invalid header size: %u bytes", header.size);
	if (is_prototype(&header, table->bytes.size))
		return ic_fail_at(err, section, 8,
				  "the format of the RFC's prototype is not supported");
	if (is_btf(table->bytes, table->swap, &header))
		return parse_kinds(table, err);
	if (header.flags != 0)
		return ic_fail_at(err, section, 3, "unknown flags 0x%x", header.flags);
	return place_parts(table, &header, err) && list_records(table, err);
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
	if (parse_table(table, err))
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
	return table->own_types ? IC_BTF_INLINE_LOC : IC_BTF_INLINE_RFC;
}

const struct ic_btf *ic_btf_inline_types(const struct ic_btf_inline *table)
{
	return table->types;
}

size_t ic_btf_inline_count(const struct ic_btf_inline *table)
{
	return table->record_count;
}

uint32_t ic_btf_inline_callee(const struct ic_btf_inline *table, uint32_t number)
{
	return ic_load32(table->bytes.data + table->records[number].off, table->swap);
}

bool ic_btf_inline_get(const struct ic_btf_inline *table, size_t number,
		       struct ic_btf_inline_site *site)
{
	struct ic_btf_call call;

	*site = (struct ic_btf_inline_site){ .callee = 0 };
	if (number >= table->record_count)
		return false;
	if (table->own_types) {
		ic_btf_kinds_get(table, (uint32_t)number, site);
		return true;
	}
	ic_btf_call_read(table, (uint32_t)number, &call);
	*site = (struct ic_btf_inline_site){
		.callee = call.callee,
		.caller = call.caller,
		.callee_name = ic_btf_function_name(table->types, call.callee),
		.caller_name = ic_btf_function_name(table->types, call.caller),
		.offset = call.offset,
		.parameter_count = call.parameter_count,
		.record_off = table->records[number].off,
	};
	return true;
}

static void read_location(const struct ic_btf_inline *table, uint32_t number, uint32_t parameter,
			  uint64_t size, struct ic_location *location)
{
	struct ic_btf_call call;

	ic_btf_call_read(table, number, &call);
	uint32_t off = ic_load32(call.locations + 4 * (size_t)parameter, table->swap);
	*location = ic_btf_expression_read(ic_btf_inline_locations(table), off, table->swap, size);
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
	if (table->own_types)
		ic_btf_kinds_parameter(table, (uint32_t)site_number, number, parameter);
	else
		read_location(table, (uint32_t)site_number, number, parameter->size,
			      &parameter->location);
	if (parameter->size == 0 && parameter->location.kind == IC_LOCATION_MEMORY)
		parameter->size = parameter->location.size;
	parameter->location.size = 0; // only bytes have a size
}
