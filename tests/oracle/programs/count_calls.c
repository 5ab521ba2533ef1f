// What the counters of counter_source.py count in. COUNTED is how many there are. The file that
// COUNTED_CALLS names holds them from the start, so that however the program ends they are kept.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define SIZE ((COUNTED * 8 + PAGE) / PAGE * PAGE)

unsigned char counted_calls[SIZE] __attribute__((aligned(PAGE)));

__attribute__((constructor(101))) static void count_in_file(void)
{
	const char *path = getenv("COUNTED_CALLS");
	if (!path) return;
	int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (file < 0 || write(file, counted_calls, SIZE) != SIZE) abort();
	if (mmap(counted_calls, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
		MAP_FAILED) {
		abort();
	}
	close(file);
}
