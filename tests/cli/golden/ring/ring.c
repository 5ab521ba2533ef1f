// A queue in front of a device: functions inlined into functions inlined into functions.
// To make ring.s anew:
//   gcc -S -O2 -g -gdwarf-5 -dA -fno-ident -ffile-prefix-map=$PWD=/src ring.c
// and called.s, in which checksum() is called (the same with -fno-inline, without -dA):
//   gcc -S -O2 -fno-inline -g -gdwarf-5 -fno-ident -ffile-prefix-map=$PWD=/src ring.c -o called.s
#include "ring.h"

struct ring queue;

void device_reset(int reason)
{
	pending = reason;
}

int queue_send(int packet)
{
	if (checksum(packet) & 1)
		device_reset(packet);
	return ring_put(&queue, packet);
}

int queue_send_twice(int packet)
{
	trace(packet);
	return queue_send(packet) + ring_put(&queue, packet + 1);
}

int (*chosen_checksum)(int) = checksum;
