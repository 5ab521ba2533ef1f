// A program without a C library, for any processor: it faults in a function that others have
// reached by tail calls, and the core is what it leaves. For test_made_tail_calls.py.
#define FUNCTION __attribute__((noipa))

volatile int sink;
int *volatile nowhere;

FUNCTION int last(int number)
{
	sink = number;
	*nowhere = 1;
	return sink;
}

FUNCTION int third(int number)
{
	sink = number;
	return last(number + 1);
}

FUNCTION int second(int number)
{
	sink = number;
	if (number > 5)
		return third(number + 1);
	return third(number * 2);
}

static inline __attribute__((always_inline)) int within(int number)
{
	sink = number;
	return second(7);
}

FUNCTION int first(int number)
{
	sink = number;
	return within(number + 1);
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
	sink = first(3);
	for (;;) {}
}
