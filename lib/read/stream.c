#include "read/stream.h"

#include "base/search.h"

#include <stdlib.h>

// Resets the stream for another unit, as the reader does.
static void forget_last_unit(struct ic_stream *stream)
{
	struct ic_stream last = *stream;

	ic_map_clear(&last.function_of);
	*stream = (struct ic_stream){
		.reader = last.reader,
		.open = IC_ARRAY_EMPTIED(last.open),
		.built = { .instances = IC_ARRAY_EMPTIED(last.built.instances),
			   .calls = IC_ARRAY_EMPTIED(last.built.calls),
			   .parameters = IC_ARRAY_EMPTIED(last.built.parameters),
			   .entry_rows = IC_ARRAY_EMPTIED(last.built.entry_rows),
			   .empty_ranges = IC_ARRAY_EMPTIED(last.built.empty_ranges),
			   .functions = IC_ARRAY_EMPTIED(last.built.functions),
			   .scopes = IC_ARRAY_EMPTIED(last.built.scopes),
			   .declarations = IC_ARRAY_EMPTIED(last.built.declarations),
			   .sequences = IC_ARRAY_EMPTIED(last.built.sequences),
			   .rows = IC_ARRAY_EMPTIED(last.built.rows) },
		.names = last.names,
		.function_of = last.function_of,
		.references = last.references,
	};
}

bool ic_stream_open(struct ic_stream *stream, uint32_t unit_index)
{
	forget_last_unit(stream);
	return ic_reader_open(&stream->reader, unit_index);
}

bool ic_stream_build(struct ic_stream *stream, uint32_t unit_index)
{
	if (!ic_stream_open(stream, unit_index))
		return false;
	stream->reader.source->build(stream);
	return !stream->reader.out_of_memory;
}

uint32_t ic_stream_first_requested(const struct ic_stream *stream, uint64_t addr)
{
	uint32_t first;

	IC_SEARCH(first, stream->wanted.count, at, stream->wanted.addrs[at] < addr);
	return first;
}

void ic_stream_limit(struct ic_stream *stream, struct ic_memory *memory)
{
	struct ic_built_model *built = &stream->built;

	ic_reader_limit(&stream->reader, memory);
	built->instances.memory = built->calls.memory = memory;
	built->parameters.memory = memory;
	built->entry_rows.memory = built->empty_ranges.memory = memory;
	built->functions.memory = built->scopes.memory = memory;
	built->declarations.memory = stream->references.memory = memory;
	built->sequences.memory = built->rows.memory = memory;
}

void ic_stream_free(struct ic_stream *stream)
{
	struct ic_built_model *built = &stream->built;

	ic_reader_free(&stream->reader);
	IC_ARRAY_FREE(&stream->open);
	IC_ARRAY_FREE(&built->instances);
	IC_ARRAY_FREE(&built->calls);
	IC_ARRAY_FREE(&built->parameters);
	IC_ARRAY_FREE(&built->entry_rows);
	IC_ARRAY_FREE(&built->empty_ranges);
	IC_ARRAY_FREE(&built->functions);
	IC_ARRAY_FREE(&built->scopes);
	IC_ARRAY_FREE(&built->declarations);
	IC_ARRAY_FREE(&built->sequences);
	IC_ARRAY_FREE(&built->rows);
	IC_ARRAY_FREE(&stream->references);
	if (stream->names)
		IC_ARRAY_FREE(&stream->names->texts);
	free(stream->names);
	ic_map_free(&stream->function_of);
}
