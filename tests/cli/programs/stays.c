// Waits in a function of its own, in a thread too if told so: for test_backtrace.py.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

volatile int sink;

__attribute__((noinline)) static void waits(void)
{
	puts("here");
	fflush(stdout);
	for (;;)
		pause();
}

static inline __attribute__((always_inline)) void inlined(int number)
{
	sink = number;
	waits();
	sink = 0;
}

__attribute__((noinline)) static void outer(int number)
{
	inlined(number);
	sink++;
}

static void *sleeps(void *unused)
{
	for (;;)
		pause();
	return unused;
}

// Writes noise over the stack, and faults.
__attribute__((noinline)) static void overwrites(unsigned seed)
{
	char local[16];
	volatile char *bytes = local;

	for (int i = 0; i < 4000; i++)
		bytes[i] = (char)((seed = seed * 1103515245 + 12345) >> 16);
	*(volatile int *)8 = 1;
}

int main(int argc, char **argv)
{
	char room[5000] = "";
	pthread_t thread;

	if (argc > 1 && strcmp(argv[1], "threads") == 0)
		for (int i = 0; i < 3; i++)
			pthread_create(&thread, NULL, sleeps, NULL);
	if (argc > 1 && strcmp(argv[1], "noise") == 0)
		overwrites(7);
	if (argc > 1 && strcmp(argv[1], "abort") == 0)
		raise(SIGABRT);
	if (argc > 1 && strcmp(argv[1], "counts") == 0)
		for (;;)
			sink++;
	if (argc > 1 && strcmp(argv[1], "vfork") == 0) {
		puts("here");
		fflush(stdout);
		if (vfork() == 0) {
			sleep(30);
			_exit(0);
		}
	}
	outer(argc);
	return room[sink & 1];
}
