// As values.c, for values of more kinds: enumerations, and integers that take several registers.
// What is said is what is to be shown. All arguments are used once more after the innermost
// function has returned, so that something has kept them.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __SIZEOF_INT128__
typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;
#else
typedef long long wide;
typedef unsigned long long unsigned_wide;
#endif

enum colour { RED, GREEN, BLUE = 7, MINUS = -3 };
enum flags { NONE, READ = 1, WRITE = 2, SHARED = 16 };
typedef enum { SMALL = 1, LARGE = 200 } __attribute__((packed)) size;
enum plain;

volatile long sink;

static const char *colour_text(enum colour colour)
{
	switch (colour) {
	case RED: return "RED";
	case GREEN: return "GREEN";
	case BLUE: return "BLUE";
	case MINUS: return "MINUS";
	default: return "5";
	}
}

static const char *flags_text(enum flags flags)
{
	static char text[64];
	unsigned rest = flags & ~(READ | WRITE | SHARED);

	snprintf(text, sizeof(text), "(%s%s%s", flags & READ ? " | READ" : "",
		 flags & WRITE ? " | WRITE" : "", flags & SHARED ? " | SHARED" : "");
	if (rest)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " | unknown: 0x%x",
			 rest);
	if (flags == NONE)
		return "NONE";
	memmove(text + 1, text + 4, strlen(text + 3)); // the first bar
	return strcat(text, ")");
}

static const char *wide_text(wide number, int is_signed)
{
	static char texts[4][48];
	static unsigned next;
	char *text = texts[next++ % 4], *at = text + 47;
	int is_negative = is_signed && number < 0;
	unsigned_wide rest = is_negative ? -(unsigned_wide)number : (unsigned_wide)number;

	*at = '\0';
	do
		*--at = (char)('0' + (int)(rest % 10));
	while (rest /= 10);
	if (is_negative)
		*--at = '-';
	return at;
}

// All of the bits: of a half that is dead GCC says that it is still in its register.
static void use(unsigned_wide first, unsigned_wide second)
{
	unsigned_wide all = first ^ (second << 1);

	sink = (long)(all ^ all >> 4 * sizeof(all));
}

static inline __attribute__((always_inline)) int inlined(const volatile enum colour colour,
							 unsigned_wide mask, enum flags flags,
							 int number)
{
	printf("inlined\tcolour=%s\tmask=%s\tflags=%s\tnumber=%d\n", colour_text(colour),
	       wide_text((wide)mask, 0), flags_text(flags), number);
	puts("here");
	fflush(stdout);
	pause();
	use(mask, (unsigned)colour + (unsigned)flags + (unsigned)number);
	return colour == RED;
}

__attribute__((noinline)) int innermost(enum colour colour, wide number, size size)
{
	printf("innermost\tcolour=%s\tnumber=%s\tsize=%s\n", colour_text(colour),
	       wide_text(number, 1), size == LARGE ? "LARGE" : "SMALL");
	int found = inlined(colour, (unsigned_wide)(number * 5),
			    (enum flags)(size == LARGE ? 19 : 1), (int)(number & 0xffff));
	use((unsigned_wide)number, (unsigned_wide)found + (unsigned)colour + (unsigned)size);
	return found;
}

__attribute__((noinline)) int middle(unsigned_wide bits, enum flags flags, enum colour other,
				     wide low)
{
	printf("middle\tbits=%s\tflags=%s\tother=%s\tlow=%s\n", wide_text((wide)bits, 0),
	       flags_text(flags), colour_text(other), wide_text(low, 1));
	int found = innermost(MINUS, (wide)(bits >> 1) * -3, LARGE);
	use(bits + (unsigned)flags, (unsigned_wide)found + (unsigned)other + (unsigned_wide)low);
	return found;
}

__attribute__((noinline)) int outer(int number, enum flags flags, enum colour colour)
{
	printf("outer\tnumber=%d\tflags=%s\tcolour=%s\n", number, flags_text(flags),
	       colour_text(colour));
	int found = middle((((unsigned_wide)number << (4 * sizeof(wide))) << 2) - 9, flags | WRITE,
			   (enum colour)(number + 4), -1);
	use((unsigned)number, (unsigned)flags + (unsigned)colour);
	return found;
}

int main(int argc, char **argv)
{
	(void)argv;
	return outer(argc, (enum flags)(argc | 32), BLUE) + outer(argc + 1, NONE, RED);
}
