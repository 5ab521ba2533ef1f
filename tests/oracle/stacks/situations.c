// situations WHERE: goes to a place where a stack is hard to unwind, and aborts there, or with a
// second argument prints a line and stays. For test_backtraces.py.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline, noclone))

static int stays;
volatile int sink;

FUNCTION static void arrive(void)
{
	if (!stays)
		abort();
	puts("here");
	fflush(stdout);
	while (sink != 12345) // always: but compilers must not know that nothing comes after it
		pause();
}

static inline __attribute__((always_inline)) void innermost(int number)
{
	sink = number;
	arrive();
	sink = 2;
}

static inline __attribute__((always_inline)) void middle(int number)
{
	sink++;
	innermost(number + 1);
	sink++;
}

FUNCTION static int inlined(int number)
{
	middle(number);
	return sink;
}

FUNCTION static int recursion(int depth)
{
	int below = depth == 0 ? inlined(depth) : recursion(depth - 1);

	return below + sink;
}

FUNCTION static void handler(int signal)
{
	inlined(signal);
	sink++;
}

FUNCTION static int in_signal(void)
{
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	return sink;
}

// Without `volatile` Clang has no code for what can only fault, and goes on into the next function.
FUNCTION static int in_fault(volatile int *nowhere)
{
	signal(SIGSEGV, handler);
	*nowhere = 1;
	return sink;
}

FUNCTION static int on_alternate_stack(void)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	return sink;
}

FUNCTION static int in_leaf(int start)
{
	if (!stays) // a fault: the first instruction of nothing
		__builtin_trap();
	puts("here");
	fflush(stdout);
	for (;;)
		sink = start++;
	return sink;
}

FUNCTION static int in_vdso(void)
{
	struct timespec time;

	puts("here");
	fflush(stdout);
	for (;;)
		clock_gettime(CLOCK_MONOTONIC, &time);
	return sink;
}

FUNCTION static int calls_nothing(void (*function)(void))
{
	function();
	return sink + 1;
}

// Code without call frame information, which has a frame pointer.
FUNCTION static int in_jit(void)
{
#if defined(__x86_64__)
	static const uint8_t code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };
#elif defined(__i386__)
	static const uint8_t code[] = { 0x55, 0x89, 0xe5, 0x83, 0xec, 0x08,
					0xff, 0x55, 0x08, 0xc9, 0xc3 };
#else
	static const uint8_t code[] = { 0 };
#endif
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(page, code, sizeof(code));
	((void (*)(void (*)(void)))(uintptr_t)page)(arrive);
	return sink;
}

static int compare(const void *left, const void *right)
{
	(void)left, (void)right;
	arrive();
	return 0;
}

FUNCTION static int in_callback(void)
{
	int numbers[] = { 3, 1, 2 };

	qsort(numbers, 3, sizeof(*numbers), compare);
	return numbers[0];
}

static void *wait_here(void *number)
{
	usleep(300000); // until its creator waits: clone3() has no call frame information
	recursion((int)(intptr_t)number);
	return number;
}

static void *sleep_here(void *number)
{
	sleep(1000);
	return number;
}

FUNCTION static int in_threads(void)
{
	pthread_t threads[6];

	for (intptr_t i = 0; i < 5; i++)
		pthread_create(&threads[i], NULL, sleep_here, (void *)i);
	pthread_create(&threads[5], NULL, wait_here, (void *)4);
	pthread_join(threads[5], NULL);
	return sink;
}

int main(int argc, char **argv)
{
	const char *where = argc > 1 ? argv[1] : "";

	stays = argc > 2;
	if (strcmp(where, "inlined") == 0)
		return inlined(1);
	if (strcmp(where, "recursion") == 0)
		return recursion(5000);
	if (strcmp(where, "signal") == 0)
		return in_signal();
	if (strcmp(where, "fault") == 0)
		return in_fault(NULL);
	if (strcmp(where, "alternate") == 0)
		return on_alternate_stack();
	if (strcmp(where, "leaf") == 0)
		return in_leaf(argc);
	if (strcmp(where, "vdso") == 0)
		return in_vdso();
	if (strcmp(where, "null") == 0)
		return calls_nothing(NULL);
	if (strcmp(where, "jit") == 0)
		return in_jit();
	if (strcmp(where, "callback") == 0)
		return in_callback();
	if (strcmp(where, "threads") == 0)
		return in_threads();
	return 64;
}
