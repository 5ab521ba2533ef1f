// Each call is followed by an inlined function: a return address that is taken for a program
// counter is answered with after(), which was not running.
#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noipa))
#endif
#define ALWAYS static inline __attribute__((always_inline))

volatile int value;
int *volatile nowhere;
void (*volatile pointer)(int);

ALWAYS int after(int x)
{
	value = x;
	return x * 9;
}

ALWAYS int fault(int *p)
{
	return *p + 1;
}

KEPT int callee(int x)
{
	value += x;
	return fault(nowhere) + x;
}

KEPT int caller(int x)
{
	int result = callee(x);
	return after(result);
}

KEPT int outer(int x)
{
	int result = caller(x);
	return after(result) - 1;
}

KEPT void indirect(int x)
{
	pointer(x);
	after(x);
}

#ifdef BARE
void _start(void)
{
	outer(3);
	after(3);
	for (;;)
		;
}
#elif !defined(NO_MAIN)
int main(int argc, char **argv)
{
	(void)argv;
	int result = outer(argc);
	return after(result) & 1;
}
#endif
