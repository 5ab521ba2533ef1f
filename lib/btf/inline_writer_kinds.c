// BTF with the kinds LOC_PARAM, LOC_PROTO and LOCSEC, split on the types that calls refer to.
#include <stdlib.h>

#include "btf/inline_writer.h"
#include "btf/types.h"

enum { MOST_ITEMS = 0xffffff }; // per LOCSEC

struct kinds {
	struct ic_btf_writer *writer;
	const struct ic_keyed *order;
	struct ic_byte_pool lists; // lists of LOC_PARAM numbers
	uint32_t *list_of;         // by record: its list; IC_NONE if it has no parameters
	uint32_t section_count;    // number of LOCSECs
	uint32_t first_param, first_list;
};

static bool list_places(struct kinds *kinds, struct ic_error *err)
{
	struct ic_btf_writer *writer = kinds->writer;
	uint8_t *list = malloc(4 * (size_t)IC_BTF_WRITER_MOST_PLACES);

	if (!list)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < writer->records.count; i++) {
		uint32_t number = kinds->order[i].number;
		const struct ic_btf_writer_record *record = &writer->records.items[number];
		const uint32_t *places = ic_btf_writer_places(writer, record);
		struct ic_btf_out out = { list, writer->lowering.swap };

		for (uint32_t j = 0; j < record->place_count; j++)
			ic_btf_put(&out, places[j] == IC_NONE ? 0 : kinds->first_param + places[j],
				   4);
		kinds->list_of[number] = IC_NONE;
		if (record->place_count == 0)
			continue;
		kinds->list_of[number] =
			ic_byte_pool_add(&kinds->lists, list, 4 * record->place_count);
		if (kinds->list_of[number] == IC_NONE) {
			free(list);
			return ic_fail_memory(err);
		}
	}
	free(list);
	return true;
}

static void put_type(struct ic_btf_out *out, uint32_t name, enum ic_btf_kind kind, uint32_t count,
		     uint32_t size)
{
	ic_btf_put(out, name, 4);
	ic_btf_put(out, (uint32_t)kind << 24 | count, 4);
	ic_btf_put(out, size, 4);
}

// Each run of the pool is the size of the value, the flags and the words.
static void put_params(const struct kinds *kinds, struct ic_btf_out *out)
{
	const struct ic_btf_writer *writer = kinds->writer;

	for (uint32_t i = 0; i < writer->pool.runs.count; i++) {
		struct ic_bytes run = ic_byte_pool_get(&writer->pool, i);
		put_type(out, 0, IC_BTF_LOC_PARAM, (uint32_t)run.size / 4 - 2,
			 ic_load32(run.data, writer->lowering.swap));
		ic_btf_put_bytes(out, run.data + 4, run.size - 4);
	}
}

static void put_lists(const struct kinds *kinds, struct ic_btf_out *out)
{
	for (uint32_t i = 0; i < kinds->lists.runs.count; i++) {
		struct ic_bytes run = ic_byte_pool_get(&kinds->lists, i);
		put_type(out, 0, IC_BTF_LOC_PROTO, (uint32_t)run.size / 4, 0);
		ic_btf_put_bytes(out, run.data, run.size);
	}
}

static const struct ic_btf_writer_record *record_at(const struct kinds *kinds, uint32_t i)
{
	return &kinds->writer->records.items[kinds->order[i].number];
}

// The end of the records in the same LOCSEC as the one at `i`.
static uint32_t section_end(const struct kinds *kinds, uint32_t i)
{
	uint32_t section = record_at(kinds, i)->section, end = i + 1;

	while (end < kinds->writer->records.count && end - i < MOST_ITEMS &&
	       record_at(kinds, end)->section == section)
		end++;
	return end;
}

static void put_sections(const struct kinds *kinds, struct ic_btf_out *out)
{
	const struct ic_btf_writer *writer = kinds->writer;
	const struct ic_btf *types = writer->options.types;
	uint32_t first_string =
		types->first_string + types->strings_size + (uint32_t)writer->own_strings.size;

	for (uint32_t i = 0, end; i < writer->records.count; i = end) {
		uint32_t name = writer->sections.runs.items[record_at(kinds, i)->section].off;

		end = section_end(kinds, i);
		put_type(out, first_string + name, IC_BTF_LOCSEC, end - i, 0);
		for (uint32_t j = i; j < end; j++) {
			uint32_t list = kinds->list_of[kinds->order[j].number];
			ic_btf_put(out, record_at(kinds, j)->call.callee, 4);
			ic_btf_put(out, list == IC_NONE ? 0 : kinds->first_list + list, 4);
			ic_btf_put(out, record_at(kinds, j)->call.offset, 4);
		}
	}
}

static bool check_limits(struct kinds *kinds, struct ic_error *err)
{
	const struct ic_btf_writer *writer = kinds->writer;
	const struct ic_btf *types = writer->options.types;

	for (uint32_t i = 0; i < writer->records.count; i = section_end(kinds, i))
		kinds->section_count++;
	if ((uint64_t)kinds->first_list + kinds->lists.runs.count + kinds->section_count >
	    IC_BTF_MOST_TYPES)
		return ic_fail(err, IC_ERROR_LIMIT, "the table would have more than %u types",
			       IC_BTF_MOST_TYPES);
	if ((uint64_t)types->first_string + types->strings_size + writer->own_strings.size +
		    writer->sections.bytes.count >
	    UINT32_MAX)
		return ic_fail(err, IC_ERROR_LIMIT, "the strings would be 4 GiB or larger");
	return true;
}

static bool put_kinds(struct kinds *kinds, struct ic_btf_out *out, struct ic_error *err)
{
	struct ic_btf_writer *writer = kinds->writer;
	uint64_t size = (IC_BTF_TYPE_SIZE - 4ull) * writer->pool.runs.count +
			writer->pool.bytes.count + writer->own_types.size;

	kinds->first_param = ic_btf_count(writer->options.types) + writer->own_count;
	kinds->first_list = kinds->first_param + writer->pool.runs.count;
	if (!list_places(kinds, err) || !check_limits(kinds, err))
		return false;
	size += IC_BTF_TYPE_SIZE * ((uint64_t)kinds->lists.runs.count + kinds->section_count) +
		kinds->lists.bytes.count + 12 * (uint64_t)writer->records.count;
	if (!ic_btf_writer_begin(writer, size,
				 writer->own_strings.size + writer->sections.bytes.count, out, err))
		return false;
	ic_btf_put_bytes(out, writer->own_types.data, writer->own_types.size);
	put_params(kinds, out);
	put_lists(kinds, out);
	put_sections(kinds, out);
	ic_btf_put_bytes(out, writer->own_strings.data, writer->own_strings.size);
	ic_btf_put_bytes(out, writer->sections.bytes.items, writer->sections.bytes.count);
	return true;
}

bool ic_btf_writer_put_kinds(struct ic_btf_writer *writer, const struct ic_keyed *order,
			     struct ic_btf_out *out, struct ic_error *err)
{
	struct kinds kinds = {
		.writer = writer,
		.order = order,
		.list_of = ic_items_alloc(writer->records.count + 1ull, sizeof(*kinds.list_of)),
	};
	bool ok = kinds.list_of || ic_fail_memory(err);

	ok = ok && put_kinds(&kinds, out, err);
	free(kinds.list_of);
	ic_byte_pool_free(&kinds.lists);
	return ok;
}
