// Prints when inlined functions are entered and left, which probes are to see too: "+name" and
// "-name". What they do lies between the two, and after them is something that nobody can move.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INLINED static inline __attribute__((always_inline))
#define OWN     __attribute__((noinline))

volatile int sink;

OWN void barrier(void)
{
	__asm__ volatile("" ::: "memory");
}

OWN void say(const char *what)
{
	char line[32];

	barrier();
	puts(strcpy(line, what));
}

#define ENTER(name) (sink++, say("+" #name))
#define LEAVE(name) (say("-" #name), (void)sink++)

// One way in and out.
INLINED int plain(int n)
{
	ENTER(plain);
	sink += n;
	LEAVE(plain);
	return n * 3 + sink;
}

// Several ways out, of which one may be the way on.
INLINED int pick(int n, const int *list)
{
	ENTER(pick);
	if (n < 0) {
		LEAVE(pick);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		sink += list[i];
		if (list[i] == 7) {
			LEAVE(pick);
			return i;
		}
	}
	if (__builtin_expect(n > 100, 0)) {
		LEAVE(pick);
		abort();
	}
	LEAVE(pick);
	return n;
}

// Others inside, in a loop.
INLINED int deep(int n, const int *list)
{
	int sum = 0;

	ENTER(deep);
	for (int i = 0; i < n; i++)
		sum += i & 1 ? plain(i) : pick(i, list);
	LEAVE(deep);
	return sum;
}

// Ends with a call of another function, and has code that is seldom run.
INLINED void rare(int n)
{
	ENTER(rare);
	if (__builtin_expect(n == 3, 0)) {
		say("rare");
		sink += 5;
	}
	LEAVE(rare);
	if (n & 1)
		say("odd");
}

OWN int first(int n, const int *list)
{
	int a = pick(n, list), b = plain(a);

	return a < b ? deep(a & 3, list) : b;
}

OWN int second(int n, const int *list)
{
	rare(n);
	if (n > 2)
		return deep(n, list) + plain(n);
	rare(n + 1);
	return pick(n, list);
}

// Not inlined anywhere: it has returns of its own, and calls itself.
OWN int third(int n)
{
	ENTER(third);
	if (n > 0)
		sink += third(n - 1) + plain(n);
	LEAVE(third);
	return n == 2 ? sink : n;
}

int main(int argc, char **argv)
{
	static const int list[] = { 4, 1, 7, 2, 9, 7 };

	(void)argv;
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = -1; i < 6; i++) {
		sink += first(i, list);
		sink += second(i, list);
	}
	third(argc + 1);
	return 0;
}
