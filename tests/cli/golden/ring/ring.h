#define ALWAYS static inline __attribute__((always_inline))

struct ring {
	int head, items[64];
};

extern volatile int pending;
void device_reset(int reason) __attribute__((cold, noinline));

ALWAYS void critical_enter(void)
{
	if (__builtin_expect(pending++, 0))
		device_reset(1); // a cold path: a second range, in another section
}

ALWAYS int ring_put(struct ring *ring, int item)
{
	critical_enter();
	ring->items[ring->head++ & 63] = item;
	return pending--;
}

static inline int checksum(int packet)
{
	return packet * 31 + pending;
}

// Leaves no code behind.
ALWAYS void trace(int packet)
{
	int unused = packet;
	(void)unused;
}
