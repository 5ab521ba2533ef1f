#include "base/segments.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/sort.h"

struct sweep {                        // a sweep over the layers by address
	const struct ic_layer **heap; // the open layers, with the first one in front
	uint32_t heap_count;
	struct ic_segment *segments;
	uint32_t count;
	bool overlapping;
};

static bool is_before(const struct ic_layer *a, const struct ic_layer *b)
{
	return a->rank != b->rank ? a->rank < b->rank : a->owner < b->owner;
}

static void push_layer(struct sweep *sweep, const struct ic_layer *layer)
{
	uint32_t place = sweep->heap_count++;

	while (place > 0 && is_before(layer, sweep->heap[(place - 1) / 2])) {
		sweep->heap[place] = sweep->heap[(place - 1) / 2];
		place = (place - 1) / 2;
	}
	sweep->heap[place] = layer;
}

static void pop_layer(struct sweep *sweep)
{
	const struct ic_layer *last = sweep->heap[--sweep->heap_count];
	uint32_t place = 0;

	for (uint32_t child; (child = 2 * place + 1) < sweep->heap_count; place = child) {
		if (child + 1 < sweep->heap_count &&
		    is_before(sweep->heap[child + 1], sweep->heap[child]))
			child++;
		if (is_before(last, sweep->heap[child]))
			break;
		sweep->heap[place] = sweep->heap[child];
	}
	sweep->heap[place] = last;
}

static void emit_segment(struct sweep *sweep, uint64_t start, uint32_t owner)
{
	uint32_t before = sweep->count > 0 ? sweep->segments[sweep->count - 1].owner : IC_NONE;

	if (owner != before)
		sweep->segments[sweep->count++] = (struct ic_segment){ start, owner };
}

static void run_sweep(struct sweep *sweep, const struct ic_layer *layers,
		      const struct ic_keyed *order, uint32_t count)
{
	uint64_t at = 0;

	for (uint32_t next = 0;;) {
		// Other layers may have ended too: they are removed when they come to the front.
		while (sweep->heap_count > 0 && sweep->heap[0]->range.end <= at)
			pop_layer(sweep);
		if (sweep->heap_count == 0) {
			if (next == count || order[next].key > at)
				emit_segment(sweep, at, IC_NONE);
			if (next == count)
				return;
			at = order[next].key;
		}
		for (; next < count && order[next].key <= at; next++) {
			sweep->overlapping |= sweep->heap_count > 0;
			push_layer(sweep, &layers[order[next].number]);
		}
		emit_segment(sweep, at, sweep->heap[0]->owner);
		at = sweep->heap[0]->range.end;
		if (next < count && order[next].key < at)
			at = order[next].key;
	}
}

static uint32_t list_starts(struct ic_keyed *order, const struct ic_layer *layers, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++)
		if (layers[i].range.start < layers[i].range.end)
			order[kept++] = (struct ic_keyed){ layers[i].range.start, i };
	return kept;
}

bool ic_segments_build(struct ic_segments *segments, const struct ic_layer *layers, uint32_t count,
		       struct ic_arena *arena)
{
	struct ic_keyed *order = ic_items_alloc(count + 1ull, sizeof(*order));
	// A segment starts at the start and at the end of each layer.
	struct sweep sweep = {
		.heap = ic_items_alloc(count + 1ull, sizeof(*sweep.heap)),
		.segments = ic_items_alloc(2ull * count + 1, sizeof(*sweep.segments)),
	};
	bool ok = order && sweep.heap && sweep.segments;

	*segments = (struct ic_segments){ NULL, 0, false };
	count = ok ? list_starts(order, layers, count) : 0;
	ok = ok && ic_keyed_sort(order, count);
	if (ok) {
		run_sweep(&sweep, layers, order, count);
		segments->items =
			ic_arena_copy(arena, sweep.segments, sweep.count, sizeof(*sweep.segments));
		segments->count = segments->items ? sweep.count : 0;
		segments->overlapping = sweep.overlapping;
		ok = segments->items != NULL;
	}
	free(order);
	free(sweep.heap);
	free(sweep.segments);
	return ok;
}
