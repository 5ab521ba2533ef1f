// Decoders: a thread reads units with one of its own.
#include <stdlib.h>

#include "symbolize/symbolizer.h"

static void free_decoder(struct ic_decoder *decoder)
{
	if (decoder->scan.context.index)
		ic_scan_close(&decoder->scan);
	IC_ARRAY_FREE(&decoder->problems.list);
	ic_arena_free(&decoder->index.arena);
	free(decoder);
}

void ic_decoders_free(struct ic_decoder *list)
{
	for (struct ic_decoder *next; list; list = next) {
		next = list->next;
		free_decoder(list);
	}
}

// NULL if memory is out.
static struct ic_decoder *new_decoder(struct ic_symbolizer *symbolizer)
{
	struct ic_decoder *decoder = calloc(1, sizeof(*decoder));
	struct ic_error err;

	if (!decoder)
		return NULL;
	pthread_mutex_lock(&symbolizer->lock);
	decoder->index = symbolizer->index;
	pthread_mutex_unlock(&symbolizer->lock);
	decoder->index.arena = (struct ic_arena){ .memory = symbolizer->index.arena.memory };
	decoder->problems.arena = &decoder->index.arena;
	bool is_open = ic_scan_open(&decoder->scan, &decoder->index, symbolizer->debug,
				    &symbolizer->want, &decoder->problems, &err);
	IC_ARRAY_FREE(&decoder->problems.list); // they were reported with the list of all units
	decoder->problems = (struct ic_problems){ .arena = &decoder->index.arena };
	if (is_open)
		return decoder;
	free_decoder(decoder);
	return NULL;
}

struct ic_decoder *ic_decoder_borrow(struct ic_symbolizer *symbolizer)
{
	struct ic_symbolizer_units *units = &symbolizer->units;

	pthread_mutex_lock(&units->cell_lock);
	struct ic_decoder *decoder = units->idle;
	if (decoder)
		units->idle = decoder->next;
	pthread_mutex_unlock(&units->cell_lock);
	return decoder ? decoder : new_decoder(symbolizer);
}

void ic_decoder_return(struct ic_symbolizer *symbolizer, struct ic_decoder *decoder)
{
	pthread_mutex_lock(&symbolizer->units.cell_lock);
	decoder->next = symbolizer->units.idle;
	symbolizer->units.idle = decoder;
	pthread_mutex_unlock(&symbolizer->units.cell_lock);
}
