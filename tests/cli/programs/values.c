// Says what each function was called with, and waits. Some arguments are used no more when the
// innermost function waits: what is then shown must still be what was said.
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

struct pair {
	long first, second, third;
};

volatile long sink;

#define SAY(function, ...) printf(#function " " __VA_ARGS__)

static inline __attribute__((always_inline)) long inlined(int number, const char *text, bool flag,
							  unsigned char byte)
{
	SAY(inlined, "number=%d text=%p flag=%s byte=%u\n", number, (const void *)text,
	    flag ? "true" : "false", byte);
	puts("here");
	fflush(stdout);
	pause();
	return number + text[0];
}

__attribute__((noinline)) long innermost(int number, const char *text)
{
	SAY(innermost, "number=%d text=%p\n", number, (const void *)text);
	sink = inlined(number * 3, text, number > 2, (unsigned char)(number + 200));
	return sink;
}

__attribute__((noinline)) long middle(long large, short small, char letter, unsigned long mask,
				      void *pointer)
{
	SAY(middle, "large=%ld small=%d letter=%d mask=%lu pointer=%p\n", large, small, letter,
	    mask, pointer);
	long found = innermost((int)large + 4, pointer);
	sink = found;
	return found + large;
}

__attribute__((noinline)) double floating(double wide, float narrow, struct pair pair)
{
	SAY(floating, "wide=%.17g narrow=%.9g\n", wide, (double)narrow);
	long found = middle(-3 + pair.first, -7, 'x', 0x8000000000000001, "a text\n");
	sink = found;
	return wide + narrow + (double)found;
}

// Its last call is a jump, so that what floating() was called with the caller does not know.
__attribute__((noinline)) double jumps(int number)
{
	SAY(jumps, "number=%d\n", number);
	return floating(number * 1.5, 2.25f, (struct pair){ number, 2, 3 });
}

int main(int argc, char **argv)
{
	(void)argv;
	return (int)jumps(argc + 4) + argc;
}
