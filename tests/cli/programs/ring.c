// What the README shows: messages in a ring buffer. Its assembly is ring.s.
struct ring {
	unsigned head, tail;
	char slots[64];
};

static int ring_is_full(const struct ring *ring)
{
	return ring->head - ring->tail == sizeof(ring->slots);
}

static int ring_push(struct ring *ring, char byte)
{
	if (ring_is_full(ring))
		return 0;
	ring->slots[ring->head++ % sizeof(ring->slots)] = byte;
	return 1;
}

static void ring_fill(struct ring *ring, char byte)
{
	while (ring_push(ring, byte))
		;
}

int send_text(struct ring *ring, const char *text)
{
	for (; *text; text++)
		if (!ring_push(ring, *text))
			return 0;
	return 1;
}

void reset(struct ring *ring, int limit)
{
	ring->tail = ring->head - (unsigned)limit;
	ring_fill(ring, ' ');
	ring->tail = ring->head;
}
