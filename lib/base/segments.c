#include "base/segments.h"

#include <stdlib.h>

#include "base/bytes.h"

struct sweep {                        // over the layers, by address
	const struct ic_layer **heap; // those that have begun: that in front is the first
	uint32_t heap_count;
	struct ic_segment *segments;
	uint32_t count;
};

static void push(struct sweep *sweep, const struct ic_layer *layer)
{
	uint32_t place = sweep->heap_count++;

	while (place > 0 && sweep->heap[(place - 1) / 2]->rank > layer->rank) {
		sweep->heap[place] = sweep->heap[(place - 1) / 2];
		place = (place - 1) / 2;
	}
	sweep->heap[place] = layer;
}

static void pop(struct sweep *sweep)
{
	const struct ic_layer *last = sweep->heap[--sweep->heap_count];
	uint32_t place = 0;

	for (uint32_t child; (child = 2 * place + 1) < sweep->heap_count; place = child) {
		if (child + 1 < sweep->heap_count &&
		    sweep->heap[child + 1]->rank < sweep->heap[child]->rank)
			child++;
		if (sweep->heap[child]->rank > last->rank)
			break;
		sweep->heap[place] = sweep->heap[child];
	}
	sweep->heap[place] = last;
}

static void emit(struct sweep *sweep, uint64_t start, uint32_t owner)
{
	uint32_t before = sweep->count > 0 ? sweep->segments[sweep->count - 1].owner : IC_NONE;

	if (owner != before)
		sweep->segments[sweep->count++] = (struct ic_segment){ start, owner };
}

static void run(struct sweep *sweep, const struct ic_layer *layers, uint32_t count)
{
	uint64_t at = 0;

	for (uint32_t next = 0;;) {
		// Those below the one in front may be over too: they go when they come up.
		while (sweep->heap_count > 0 && sweep->heap[0]->range.end <= at)
			pop(sweep);
		if (sweep->heap_count == 0) {
			emit(sweep, at, IC_NONE);
			if (next == count)
				return;
			at = layers[next].range.start;
		}
		for (; next < count && layers[next].range.start <= at; next++)
			push(sweep, &layers[next]);
		emit(sweep, at, sweep->heap[0]->owner);
		at = sweep->heap[0]->range.end;
		if (next < count && layers[next].range.start < at)
			at = layers[next].range.start;
	}
}

static int compare_layers(const void *left, const void *right)
{
	const struct ic_layer *a = left, *b = right;

	if (a->range.start != b->range.start)
		return a->range.start < b->range.start ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

// Leaves out what is empty, and sorts the rest; returns how many are left.
static uint32_t sort_layers(struct ic_layer *layers, uint32_t count)
{
	uint32_t kept = 0;
	bool sorted = true;

	for (uint32_t i = 0; i < count; i++) {
		if (layers[i].range.start >= layers[i].range.end)
			continue;
		layers[kept] = layers[i];
		sorted &= kept == 0 || compare_layers(&layers[kept - 1], &layers[kept]) < 0;
		kept++;
	}
	if (!sorted)
		qsort(layers, kept, sizeof(*layers), compare_layers);
	return kept;
}

bool ic_segments_build(struct ic_segments *segments, struct ic_layer *layers, uint32_t count,
		       struct ic_arena *arena)
{
	*segments = (struct ic_segments){ NULL, 0 };
	count = sort_layers(layers, count);
	// A segment begins where a layer does, and where one ends.
	struct sweep sweep = {
		.heap = malloc((count + 1ull) * sizeof(*sweep.heap)),
		.segments = malloc((2ull * count + 1) * sizeof(*sweep.segments)),
	};
	bool ok = sweep.heap && sweep.segments;
	if (ok) {
		run(&sweep, layers, count);
		segments->items =
			ic_arena_copy(arena, sweep.segments, sweep.count, sizeof(*sweep.segments));
		segments->count = segments->items ? sweep.count : 0;
		ok = segments->items != NULL;
	}
	free(sweep.heap);
	free(sweep.segments);
	return ok;
}
