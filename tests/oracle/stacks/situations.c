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
#include <sys/resource.h>
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

// ---- Alternate stacks of signal handlers

enum { STACK_SIZE = 1 << 16 };

static void use_stack(void *start, int number, void (*called)(int))
{
	struct sigaction action = { .sa_handler = called, .sa_flags = SA_ONSTACK };
	stack_t stack = { .ss_sp = start, .ss_size = STACK_SIZE };

	sigaltstack(&stack, NULL);
	sigaction(number, &action, NULL);
}

FUNCTION static int on_alternate_stack(void)
{
	use_stack(malloc(STACK_SIZE), SIGUSR1, handler);
	raise(SIGUSR1);
	return sink;
}

FUNCTION static int raises(void)
{
	raise(SIGUSR1);
	return sink;
}

// One among the frames of the stack that is interrupted, above those of the interrupted function.
FUNCTION static int on_stack_above(void)
{
	char stack[STACK_SIZE];

	use_stack(stack, SIGUSR1, handler);
	return raises() + stack[sink & 7];
}

FUNCTION static void interrupted_handler(int number)
{
	sink = number;
	raise(SIGUSR2);
	sink++;
}

// A handler that is interrupted on its alternate stack.
FUNCTION static int in_nested(void)
{
	char *stack = malloc(STACK_SIZE);

	use_stack(stack, SIGUSR2, handler);
	use_stack(stack, SIGUSR1, interrupted_handler);
	return raises();
}

FUNCTION static int overflows(int depth)
{
	volatile char frame[1000];

	frame[depth & 255] = (char)depth;
	sink = overflows(depth + 1) + frame[0];
	return sink + depth;
}

FUNCTION static int in_overflow(void)
{
	const struct rlimit limit = { 1 << 20, 1 << 20 };

	use_stack(malloc(STACK_SIZE), SIGSEGV, handler);
	setrlimit(RLIMIT_STACK, &limit);
	return overflows(0);
}

// Until its creator waits: clone3() has no call frame information.
static void await_creator(void)
{
	usleep(300000);
}

static void *overflow_here(void *unused)
{
	await_creator();
	use_stack(malloc(STACK_SIZE), SIGSEGV, handler);
	sink = overflows(1);
	return unused;
}

static void *interrupt_here(void *stack)
{
	await_creator();
	use_stack(stack, SIGUSR1, handler);
	sink = raises();
	return NULL;
}

// The alternate stack is in the frame of another thread, far above that of the one that uses it.
FUNCTION static int in_thread_of(void *(*function)(void *))
{
	char stack[STACK_SIZE];
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 1 << 18);
	pthread_create(&thread, &attributes, function, stack);
	pthread_join(thread, NULL);
	return sink + stack[sink & 7];
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
	await_creator();
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
	if (strcmp(where, "above") == 0)
		return on_stack_above();
	if (strcmp(where, "nested") == 0)
		return in_nested();
	if (strcmp(where, "overflow") == 0)
		return in_overflow();
	if (strcmp(where, "thread_alternate") == 0)
		return in_thread_of(interrupt_here);
	if (strcmp(where, "thread_overflow") == 0)
		return in_thread_of(overflow_here);
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
