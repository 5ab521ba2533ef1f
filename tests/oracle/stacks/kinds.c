// Calls functions with arguments of many kinds, and aborts. For test_values.py.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define FUNCTION __attribute__((noinline, noclone))

enum colour { RED, GREEN, BLUE = 7 };
enum flags { NONE, A = 1, B = 2, D = 8 };
enum wide_flags { M1 = 1, M6 = 6, M8 = 8 };
enum full { O1 = 1, O2 = 2, O3 = 3, O4 = 4 };
enum twice { P1 = 1, P1_AGAIN = 1, P2 = 2 };
enum negative { MINUS = -1, PLUS = 1 };
enum __attribute__((packed)) small { S1 = 1, S200 = 200 };
enum without_zero { Z1 = 1, Z2 = 2 };
enum __attribute__((packed)) negative_small { Q1 = -100, Q2 = 100 };
typedef enum { FIRST, SECOND } unnamed;
typedef const volatile unnamed alias;
#ifdef __SIZEOF_INT128__
typedef __int128 wide;
#else
typedef long long wide;
#endif

FUNCTION static void arrive(void)
{
	abort();
}

FUNCTION static void enumerations(enum colour c0, enum colour c7, enum colour c9, enum colour c3,
				  enum flags f0, enum flags f3, enum flags f25, enum flags f4,
				  enum flags f6, enum wide_flags m7, enum wide_flags m6,
				  enum full o3, enum full o7, enum twice p1, enum twice p3,
				  enum negative n1, enum negative n0, enum negative n3,
				  enum small s200, enum small s3, enum without_zero z0,
				  enum without_zero z3, enum without_zero z4,
				  enum negative_small q1, enum negative_small q7, unnamed second,
				  alias other, enum colour huge, enum flags all)
{
	arrive();
}

FUNCTION static void characters(bool yes, bool no, char line, char nul, char quote,
				char double_quote, char back, char tab, char escape, char bell,
				char del, char high, signed char negative, unsigned char u200)
{
	enumerations(0, 7, 9, 3, 0, 3, 25, 4, 6, 7, 6, 3, 7, 1, 3, -1, 0, 3, 200, 3, 0, 3, 4, -100,
		     7, SECOND, SECOND, -5, -5);
}

FUNCTION static void numbers(float one, float tenth, float large, float infinite, float none,
			     double one_wide, double tenth_wide, double none_wide,
			     double none_negative, double zero, double minus_zero, wide w1, wide w2,
			     unsigned long long u64, short i16, wide w3)
{
	bool odd = true;

	*(volatile unsigned char *)&odd = 2;
	characters(true, odd, '\n', 0, '\'', '"', '\\', '\t', 27, 7, 127, '\xe4', -3, 200);
}

int main(int argc, char **argv)
{
	(void)argv;
	numbers(1, 0.1f, 1e20f, -INFINITY, NAN, 1, 0.1, NAN, -NAN, 0, -0.0, -1,
		(((wide)argc << (4 * sizeof(wide))) << 3) - 1, -1, -300,
		(wide)argc << (8 * sizeof(wide) - 1));
	return 0;
}
