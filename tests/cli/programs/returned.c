// Prints what functions return, for traces to see the same.
#include <stdbool.h>
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE = -2 };

struct pair {
	int first, second;
};

#define FUNCTION(type, name, value)                          \
	__attribute__((noinline)) type name(int i)           \
	{                                                    \
		__asm__ volatile("" : "+r"(i) : : "memory"); \
		return value;                                \
	}

static const char *const names[] = { "zero", "one", "two" };
static struct pair pairs[3];

FUNCTION(int, of_int, 1 - i)
FUNCTION(unsigned char, of_byte, (unsigned char)(250 + i))
FUNCTION(signed char, of_signed, (signed char)(-3 * i))
FUNCTION(short, of_short, (short)(-1000 * i))
FUNCTION(unsigned long, of_long, 0xfedcba9876543210 + (unsigned)i)
FUNCTION(bool, of_bool, i == 1)
FUNCTION(enum color, of_color, i == 0 ? RED : i == 1 ? GREEN : BLUE)
FUNCTION(const char *, of_text, names[i])
FUNCTION(struct pair *, of_pointer, &pairs[i])
FUNCTION(struct pair, of_pair, ((struct pair){ i, -i }))
FUNCTION(double, of_double, i / 2.0)
FUNCTION(void, of_nothing, (void)i)

// No caller needs what the first returns.
static FUNCTION(int, unused_local, i * 2) static FUNCTION(int, used_local, i * 3)

	// Ends with a jump to another function.
	__attribute__((noinline)) int of_another(int i)
{
	__asm__ volatile("" : "+r"(i) : : "memory");
	return of_int(i + 10);
}

int main(void)
{
	for (int i = 0; i < 3; i++) {
		fprintf(stderr, "of_int %d\n", of_int(i));
		fprintf(stderr, "of_byte %d\n", of_byte(i));
		fprintf(stderr, "of_signed %d\n", of_signed(i));
		fprintf(stderr, "of_short %d\n", of_short(i));
		fprintf(stderr, "of_long %lu\n", of_long(i));
		fprintf(stderr, "of_bool %d\n", of_bool(i));
		fprintf(stderr, "of_color %d\n", (int)of_color(i));
		fprintf(stderr, "of_text \"%s\"\n", of_text(i));
		fprintf(stderr, "of_pointer %p\n", (void *)of_pointer(i));
		fprintf(stderr, "of_another %d\n", of_another(i));
		fprintf(stderr, "used_local %d\n", used_local(i));
		of_pair(i);
		of_double(i);
		of_nothing(i);
		unused_local(i);
	}
	return 0;
}
