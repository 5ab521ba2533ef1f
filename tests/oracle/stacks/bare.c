// A program without a C library, for any processor: it faults below some frames, and the core is
// what it leaves. For test_backtraces.py.
#define FUNCTION __attribute__((noinline, noclone))

volatile int sink;
int *volatile nowhere;

static inline __attribute__((always_inline)) void innermost(int number)
{
	sink = number;
	*nowhere = number;
	sink = 0;
}

FUNCTION static int leaf(int number)
{
	if (number == 7)
		innermost(number);
	return number + sink;
}

FUNCTION static int middle(int number)
{
	int one = leaf(number), two = leaf(number + 1);

	return one + two + sink;
}

FUNCTION static int recursion(int depth)
{
	int below = depth == 0 ? middle(6) : recursion(depth - 1);

	return below + sink;
}

FUNCTION int outermost(void)
{
	volatile char large[9000];

	large[sink] = 1;
	return recursion(5) + large[sink + 1];
}

#if defined(__x86_64__) || defined(__i386__)
__attribute__((force_align_arg_pointer))
#endif
void
_start(void)
{
#if defined(__x86_64__)
	__asm__ volatile(".cfi_undefined rip");
#elif defined(__i386__)
	__asm__ volatile(".cfi_undefined eip");
#endif
	sink = outermost();
	for (;;) {}
}
