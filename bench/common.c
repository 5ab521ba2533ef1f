#include "common.h"

#include <stdio.h>

long anonymous_memory(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	long size = 0;

	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "RssAnon: %ld", &size);
	if (status)
		fclose(status);
	return size;
}

uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1d;
}
