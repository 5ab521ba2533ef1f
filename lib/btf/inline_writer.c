// Collects tables of inlined calls, and writes the RFC's format. Implements
// inlinecall/extra/btf_encode.h.
#include "btf/inline_writer.h"

#include <stdlib.h>

#include "btf/inline_expression.h"
#include "btf/inline_table.h"

struct ic_btf_writer *ic_btf_writer_new(const struct ic_btf_writer_options *options,
					struct ic_error *err)
{
	static const struct ic_btf_writer_options defaults = { .types = NULL };
	static const uint8_t empty = IC_BTF_OP_END;
	struct ic_error unwanted;

	err = err ? err : &unwanted;
	options = options ? options : &defaults;
	if (options->format == IC_BTF_INLINE_LOC && !options->types) {
		ic_fail(err, IC_ERROR_ARGUMENT, "split BTF needs base types");
		return NULL;
	}
	struct ic_btf_writer *writer = calloc(1, sizeof(*writer));
	if (!writer) {
		ic_fail_memory(err);
		return NULL;
	}
	writer->options = *options;
	writer->lowering = (struct ic_btf_lowering){
		.format = options->format,
		.swap = options->is_big_endian != IC_HOST_IS_BIG_ENDIAN,
		.has_fixed_addresses = options->has_fixed_addresses,
	};
	if (options->format == IC_BTF_INLINE_RFC &&
	    ic_byte_pool_add(&writer->pool, &empty, 1) == IC_NONE)
		writer->is_out_of_memory = true;
	return writer;
}

void ic_btf_writer_free(struct ic_btf_writer *writer)
{
	if (!writer)
		return;
	ic_byte_pool_free(&writer->pool);
	ic_byte_pool_free(&writer->sections);
	IC_ARRAY_FREE(&writer->records);
	IC_ARRAY_FREE(&writer->places);
	free(writer->bytes);
	free(writer);
}

void ic_btf_writer_add_call(struct ic_btf_writer *writer, const struct ic_btf_writer_call *call)
{
	const char *section = call->section ? call->section : "";
	struct ic_btf_writer_record *record = IC_ARRAY_PUSH(&writer->records);

	if (!record) {
		writer->is_out_of_memory = true;
		return;
	}
	*record =
		(struct ic_btf_writer_record){ .call = *call, .first_place = writer->places.count };
	if (writer->options.format != IC_BTF_INLINE_LOC)
		return;
	record->section =
		ic_byte_pool_add(&writer->sections, section, (uint32_t)strlen(section) + 1);
	if (record->section == IC_NONE)
		writer->is_out_of_memory = true;
}

enum ic_btf_loss ic_btf_writer_add_parameter(struct ic_btf_writer *writer,
					     const struct ic_location *location, uint64_t size,
					     bool is_signed)
{
	struct ic_btf_lowered lowered;
	enum ic_btf_loss loss =
		ic_btf_lower(&writer->lowering, location, size, is_signed, &lowered);
	uint32_t *place = writer->records.count > 0 ? IC_ARRAY_PUSH(&writer->places) : NULL;

	if (!place) {
		writer->is_out_of_memory = true;
		return loss;
	}
	writer->records.items[writer->records.count - 1].place_count++;
	*place = IC_NONE;
	if (loss != IC_BTF_LOSS_NONE)
		return loss;
	*place = ic_byte_pool_add(&writer->pool, lowered.bytes, lowered.size);
	writer->is_out_of_memory |= *place == IC_NONE;
	return loss;
}

// ---- Order

enum { SORT_KEYS = 3 };

// Key 0 is the least significant of the keys by which records are sorted.
static uint64_t key_of(const struct ic_btf_writer *writer, uint32_t number, unsigned key)
{
	const struct ic_btf_writer_record *record = &writer->records.items[number];
	const struct ic_btf_writer_call *call = &record->call;
	bool is_rfc = writer->options.format == IC_BTF_INLINE_RFC;

	switch (key) {
	case 0: return is_rfc ? (uint64_t)call->depth << 32 | call->callee : call->depth;
	case 1: return is_rfc ? call->offset : (uint64_t)call->callee << 32 | call->offset;
	default: return is_rfc ? call->caller_addr : record->section;
	}
}

static struct ic_keyed *order_of(const struct ic_btf_writer *writer)
{
	uint32_t count = writer->records.count;
	struct ic_keyed *order = ic_items_alloc(count + 1ull, sizeof(*order));

	for (uint32_t i = 0; order && i < count; i++)
		order[i].number = i;
	for (unsigned key = 0; order && !writer->options.keep_order && key < SORT_KEYS; key++) {
		for (uint32_t i = 0; i < count; i++)
			order[i].key = key_of(writer, order[i].number, key);
		if (!ic_keyed_sort(order, count)) {
			free(order);
			return NULL;
		}
	}
	return order;
}

// Moves a location to the new pool, unless it is there already. Returns false if memory runs out.
static bool renumber_place(const struct ic_btf_writer *writer, struct ic_byte_pool *pool,
			   uint32_t *numbers, uint32_t *place)
{
	if (*place == IC_NONE)
		return true;
	uint32_t *number = &numbers[*place];
	if (*number == IC_NONE) {
		struct ic_bytes run = ic_byte_pool_get(&writer->pool, *place);
		*number = ic_byte_pool_add(pool, run.data, (uint32_t)run.size);
	}
	*place = *number;
	return *place != IC_NONE;
}

// Numbers the locations in the order of the calls, so that equal calls give equal bytes.
static bool renumber_calls(struct ic_btf_writer *writer, const struct ic_keyed *order)
{
	struct ic_byte_pool pool = { .by_hash = { .slots = NULL } };
	uint32_t count = writer->pool.runs.count, empty = 0;
	// New number of each old one.
	uint32_t *numbers = ic_items_alloc(count + 1ull, sizeof(*numbers));
	bool ok = numbers != NULL;

	for (uint32_t i = 0; ok && i < count; i++)
		numbers[i] = IC_NONE;
	if (ok && writer->options.format == IC_BTF_INLINE_RFC)
		ok = renumber_place(writer, &pool, numbers, &empty);
	for (uint32_t i = 0; ok && i < writer->records.count; i++) {
		const struct ic_btf_writer_record *record = &writer->records.items[order[i].number];
		uint32_t *places = ic_btf_writer_places(writer, record);
		for (uint32_t j = 0; ok && j < record->place_count; j++)
			ok = renumber_place(writer, &pool, numbers, &places[j]);
	}
	writer->is_out_of_memory |= !ok; // some places have numbers of the new pool already
	free(numbers);
	ic_byte_pool_free(&writer->pool);
	writer->pool = pool;
	return ok;
}

// ---- Writing

static void put_record(const struct ic_btf_writer *writer,
		       const struct ic_btf_writer_record *record, struct ic_btf_out *out)
{
	const uint32_t *places = ic_btf_writer_places(writer, record);

	ic_btf_put(out, record->call.callee, 4);
	ic_btf_put(out, record->call.caller, 4);
	ic_btf_put(out, record->call.offset, 4);
	ic_btf_put(out, record->place_count, 2);
	for (uint32_t i = 0; i < record->place_count; i++)
		ic_btf_put(out, places[i] == IC_NONE ? 0 : writer->pool.runs.items[places[i]].off,
			   4);
}

static bool put_records(struct ic_btf_writer *writer, const struct ic_keyed *order,
			struct ic_btf_out *out, struct ic_error *err)
{
	uint64_t size = IC_BTF_RECORD_SIZE * (uint64_t)writer->records.count +
			4 * (uint64_t)writer->places.count;
	bool ok = ic_btf_writer_begin(writer, size, writer->pool.bytes.count, out, err);
	for (uint32_t i = 0; ok && i < writer->records.count; i++)
		put_record(writer, &writer->records.items[order[i].number], out);
	if (ok)
		ic_btf_put_bytes(out, writer->pool.bytes.items, writer->pool.bytes.count);
	return ok;
}

static bool check_records(const struct ic_btf_writer *writer, struct ic_error *err)
{
	for (uint32_t i = 0; i < writer->records.count; i++) {
		const struct ic_btf_writer_record *record = &writer->records.items[i];
		if (record->place_count > IC_BTF_WRITER_MOST_PLACES)
			return ic_fail(err, IC_ERROR_LIMIT, "a call has more than %u parameters",
				       IC_BTF_WRITER_MOST_PLACES);
		if (record->call.callee > IC_BTF_MOST_TYPES ||
		    record->call.caller > IC_BTF_MOST_TYPES)
			return ic_fail(err, IC_ERROR_LIMIT, "a type ID is greater than %u",
				       IC_BTF_MOST_TYPES);
	}
	return true;
}

const void *ic_btf_writer_finish(struct ic_btf_writer *writer, size_t *size, struct ic_error *err)
{
	bool is_rfc = writer->options.format == IC_BTF_INLINE_RFC;
	struct ic_error unwanted;
	struct ic_btf_out out;

	err = err ? err : &unwanted;
	if (writer->is_out_of_memory) {
		ic_fail_memory(err);
		return NULL;
	}
	free(writer->bytes);
	writer->bytes = NULL;
	struct ic_keyed *order = order_of(writer);
	bool ok = (order && renumber_calls(writer, order)) || ic_fail_memory(err);
	ok = ok && check_records(writer, err) &&
	     (is_rfc ? put_records : ic_btf_writer_put_kinds)(writer, order, &out, err);
	free(order);
	if (!ok)
		return NULL;
	*size = (size_t)(out.at - writer->bytes);
	return writer->bytes;
}
