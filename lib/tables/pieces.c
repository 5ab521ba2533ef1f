#include "tables/pieces.h"

uint32_t ic_pieces_push(struct ic_pieces *pieces, const struct ic_instance *instance)
{
	struct ic_stream *stream = pieces->stream;
	uint32_t number = stream->built.instances.count;
	struct ic_instance *place = IC_ARRAY_PUSH(&stream->built.instances);

	if (!place || !IC_ARRAY_ADD(&pieces->last, IC_NONE)) {
		stream->reader.out_of_memory = true;
		return IC_NONE;
	}
	*place = *instance;
	place->die_off = number;
	place->entry = IC_NO_ADDR;
	return number;
}

bool ic_pieces_add(struct ic_pieces *pieces, uint32_t instance, uint32_t outer,
		   struct ic_range range)
{
	const struct ic_instance *instances = pieces->stream->built.instances.items;

	for (; instance != outer; instance = instances[instance].parent) {
		uint32_t *last = &pieces->last.items[instance - pieces->first];
		if (pieces->steps == 0)
			return false;
		pieces->steps--;
		if (*last != IC_NONE && pieces->list.items[*last].range.end == range.start) {
			pieces->list.items[*last].range.end = range.end;
			continue;
		}
		if (!IC_ARRAY_ADD(&pieces->list, (struct ic_piece){ range, instance })) {
			pieces->stream->reader.out_of_memory = true;
			return false;
		}
		*last = pieces->list.count - 1;
	}
	return true;
}

void ic_pieces_keep(struct ic_pieces *pieces)
{
	struct ic_reader *reader = &pieces->stream->reader;
	struct ic_instance *instances = pieces->stream->built.instances.items;
	uint32_t next = reader->ranges.count, count = pieces->list.count;

	if (!IC_ARRAY_RESERVE(&reader->ranges, (uint64_t)next + count)) {
		reader->out_of_memory = true;
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		instances[pieces->list.items[i].instance].range_count++;
	for (uint32_t i = pieces->first; i < pieces->stream->built.instances.count; i++) {
		instances[i].first_range = next;
		next += instances[i].range_count;
		instances[i].range_count = 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct ic_piece *piece = &pieces->list.items[i];
		struct ic_instance *instance = &instances[piece->instance];
		if (instance->range_count == 0 &&
		    (pieces->begin_at_entries || instance->kind == IC_INSTANCE_HOST))
			instance->entry = piece->range.start;
		reader->ranges.items[instance->first_range + instance->range_count++] =
			piece->range;
	}
	reader->ranges.count = next;
}

void ic_pieces_free(struct ic_pieces *pieces)
{
	IC_ARRAY_FREE(&pieces->list);
	IC_ARRAY_FREE(&pieces->last);
}
