// A program and its library (-DLIBRARY), which calls functions of each other as the dynamic linker
// has bound them. They say what they were called with, and use it no more when the last one waits:
// only their callers know it then. See test_backtrace.py.
#include <stdio.h>
#include <unistd.h>

#define FUNCTION           __attribute__((noinline, noclone))
#define SAY(function, ...) printf(#function " " __VA_ARGS__)

extern volatile long sink;

long received(int number, long other);
long passes_on(int number);
long taken(int number);
long by_pointer(int number);
void waits(void);

#ifdef LIBRARY
volatile long sink;

FUNCTION void waits(void)
{
	puts("here");
	fflush(stdout);
	pause();
	sink++;
}

// Other files could have this function in its place: the library calls it by a stub too.
FUNCTION long taken(int number)
{
	SAY(taken, "number=%d\n", number);
	waits();
	return sink;
}

FUNCTION long received(int number, long other)
{
	SAY(received, "number=%d other=%ld\n", number, other);
	sink = taken(33);
	return sink + 1;
}

// Its last call is a jump: what it was called with is not what received() was.
FUNCTION long passes_on(int number)
{
	SAY(passes_on, "number=%d\n", number);
	return received(number * 2 + 1, 44);
}

FUNCTION long by_pointer(int number)
{
	SAY(by_pointer, "number=%d\n", number);
	sink = passes_on(11);
	return sink + 2;
}
#else
long (*volatile pointer)(int) = by_pointer;

FUNCTION static long through(int number)
{
	sink = pointer(55);
	return sink + number;
}

FUNCTION static long starts(int number)
{
	sink = number > 100 ? received(-7, 0x123456789) : through(number);
	return sink - 1;
}

int main(int argc, char **argv)
{
	(void)argv;
	return (int)starts(argc > 1 ? 1 : 101);
}
#endif
