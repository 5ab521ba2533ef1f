// Strings behind names of types, qualifiers and structures, and in pages that the program has not
// touched. The truth is printed on standard error.
#include <stdio.h>
#include <string.h>

typedef char *sds;
typedef char letter;
typedef const letter *name;
typedef unsigned char byte;

struct person {
	sds first;
	name last;
	const sds nick;
};

volatile long sink;

__attribute__((noinline)) static void use(const void *pointer)
{
	sink += (long)pointer;
}

static inline void by_name(const sds a, name b, const letter *c, char *restrict d)
{
	use(a), use(b), use(c), use(d);
}

static inline void by_sign(const signed char *a, byte *b, volatile char *const c, void *none)
{
	use(a), use(b), use((const char *)c), use(none);
}

static inline void in_structure(struct person *person)
{
	use(person->first), use(person->last), use(person->nick), use(person);
}

static const char before[8192] = { 1 }, constant[] = "never read \"by\" the program",
		  after[8192] = { 2 };

static inline void untouched(const char *text, int number)
{
	use(text), use(&sink + number);
}

__attribute__((noinline)) void host(char *text, struct person *person)
{
	by_name(text, text + 1, text + 2, text + 3);
	by_sign((signed char *)text, (byte *)text + 1, text + 2, text);
	in_structure(person);
}

__attribute__((noinline)) void other_host(const char *text, int number)
{
	untouched(text, number);
	use(&sink);
}

int main(int argc, char **argv)
{
	char text[] = "some text";
	struct person person = { text, text + 1, text + 5 };
	const char *volatile pointer = constant;

	if (argc > 1)
		sink += (long)strlen(argv[1]);
	host(text, &person);
	for (int i = 0; i < 3; i++)
		other_host(pointer, i);
	return before[sink & 1] + after[sink & 1] == 77;
}
