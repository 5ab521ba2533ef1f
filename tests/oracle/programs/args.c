// Inline functions with arguments of many types, which say themselves what they were called with: a
// line for each call on standard error, its fields separated by tabs. Numbers are in decimal,
// pointers in hexadecimal, floating point with the digits that tell all values apart.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef ALWAYS
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif
#ifdef __clang__
#define HOST __attribute__((noinline))
#else
#define HOST __attribute__((noinline, noipa))
#endif

enum color { RED = 1, GREEN = 2, BLUE = 40, NEGATIVE = -3 };
enum flags { FLAG_A = 1, FLAG_B = 2, FLAG_C = 4 };
typedef char *name;

struct point {
	int x, y;
};

struct three {
	long a, b, c;
};

struct person {
	unsigned bits : 3;
	int sbits : 5;
	unsigned long wide : 40;
	enum color color;
	bool yes;
	char title[12];
	name ptr;
	struct point in;
	struct point *to;
	int array[5];
	double weight;
	struct person *next;
	uint8_t small;
};

static long sink;
static const char *const choices[] = { NULL, "literal" };
static const char *const words[] = { "zero", "one", "two", "three", "four", "five", "six", "seven" };

HOST void use(long value)
{
	sink += value;
#ifdef __clang__
	__asm__ volatile("" : "+m"(sink));
#endif
}

HOST double half(double value)
{
	use((long)value);
	return value / 2;
}

// ---- Integers

INLINE void of_sizes(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g,
		     uint64_t h)
{
	use(a), use(b), use(c), use(d), use(e), use(f), use(g), use((long)h);
	fprintf(stderr, "of_sizes\ta=%d\tb=%u\tc=%d\td=%u\te=%d\tf=%u\tg=%ld\th=%lu\n", a, b, c, d,
		e, f, (long)g, (unsigned long)h);
}

INLINE void of_kinds(int a, unsigned b, short c, unsigned char d, long long e, bool g,
		     enum color h, uint64_t i, char j)
{
	use(a), use(b), use(c), use(d), use(e), use(g), use(h), use((long)i), use(j);
	fprintf(stderr, "of_kinds\ta=%d\tb=%u\tc=%d\td=%u\te=%lld\tg=%d\th=%d\ti=%lu\tj=%d\n", a, b,
		c, d, e, g, h, (unsigned long)i, j);
}

INLINE int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
	use(a), use(b), use(c), use(d), use(e), use(f), use(g), use(h), use(i), use(j);
	fprintf(stderr,
		"many\ta=%d\tb=%d\tc=%d\td=%d\te=%d\tf=%d\tg=%d\th=%d\ti=%d\tj=%d\n", a,
		b, c, d, e, f, g, h, i, j);
	return a + b + c + d + e + f + g + h + i + j;
}

INLINE long changed(int n, long limit, enum flags flags)
{
	fprintf(stderr, "changed\tn=%d\tlimit=%ld\tflags=%d\n", n, limit, flags);
	while (n < limit) {
		use(n);
		n += 7;
		limit -= flags;
	}
	return n + limit;
}

INLINE int inner(int depth, const int *counter)
{
	int value = *counter + depth;

	use(value);
	fprintf(stderr, "inner\tdepth=%d\tcounter=0x%lx\n", depth, (unsigned long)counter);
	return value;
}

INLINE int outer(int first, int second, char letter)
{
	int counter = first * second;
	int sum = inner(first, &counter);

	use(letter);
	sum += inner(second + 1, &counter) + letter;
	fprintf(stderr, "outer\tfirst=%d\tsecond=%d\tletter=%d\n", first, second, letter);
	return sum;
}

// ---- Strings and pointers

INLINE void strings(const char *s, char *t, const name u, int n)
{
	use(s != NULL), use(n);
	fprintf(stderr, "strings\ts=%s\tt=%s\tu=%s\tn=%d\n", s ? s : "(null)", t, u, n);
	use((long)t), use((long)u);
}

INLINE int pointers(int *p, int **q, struct person *r, void *v, struct point (*two)[2])
{
	use((long)p), use((long)q), use((long)r), use((long)v), use((long)two);
	fprintf(stderr, "pointers\tp=0x%lx\tq=0x%lx\tr=0x%lx\tv=0x%lx\ttwo=0x%lx\n",
		(unsigned long)p, (unsigned long)q, (unsigned long)r, (unsigned long)v,
		(unsigned long)two);
	return *p + **q;
}

INLINE int array(const int *list, unsigned count, const short grid[2][3])
{
	int sum = 0;

	fprintf(stderr, "array\tlist=0x%lx\tcount=%u\tgrid=0x%lx\n", (unsigned long)list, count,
		(unsigned long)grid);
	for (unsigned i = 0; i < count; i++)
		sum += list[i] * grid[i & 1][i % 3];
	return sum;
}

// ---- Floating point

INLINE double floats(double d, float f, int n, double e)
{
	use(n);
	fprintf(stderr, "floats\td=%.17g\tf=%.9g\tn=%d\te=%.17g\n", d, (double)f, n, e);
	return half(d) + (double)f + half(e);
}

// ---- Structures

INLINE void structures(struct person *p, struct point v, struct three w, int n)
{
	use((long)p), use(v.x), use(v.y), use(w.a), use(n);
	fprintf(stderr,
		"structures\tp->bits=%u\tp->sbits=%d\tp->wide=%lu\tp->color=%d\tp->yes=%d\tp->title=%s\t"
		"p->ptr=%s\tp->in.y=%d\tp->to->x=%d\tp->array[2]=%d\tp->weight=%.17g\tp->next->small=%u\t"
		"v.x=%d\tv.y=%d\tw.a=%ld\tw.b=%ld\tw.c=%ld\tn=%d\n",
		p->bits, p->sbits, (unsigned long)p->wide, p->color, p->yes, p->title, p->ptr,
		p->in.y, p->to->x, p->array[2], p->weight, p->next->small, v.x, v.y, w.a, w.b, w.c,
		n);
	use(v.x + w.c);
}

INLINE long in_memory(struct person person, struct three three, int n)
{
	use(n);
	fprintf(stderr,
		"in_memory\tperson.color=%d\tperson.yes=%d\tperson.in.x=%d\tperson.small=%u\t"
		"three.a=%ld\tthree.c=%ld\tn=%d\n",
		person.color, person.yes, person.in.x, person.small, three.a, three.c, n);
	person.in.x += n;
	three.a += person.in.x;
	use((long)&person), use((long)&three);
	return three.a;
}

// ---- Who calls them

HOST int host_integers(int k)
{
	of_sizes((int8_t)-k, (uint8_t)(200 + k), (int16_t)(-300 * k), (uint16_t)(60000 + k),
		 -100000 * k, 4000000000u + (unsigned)k, -5000000000l * k,
		 18000000000000000000ul + (unsigned)k);
	of_kinds(k, 4000000000u + (unsigned)k, (short)-k, (unsigned char)(200 + k),
		 -5000000000ll - k, k & 1, k == 1 ? GREEN : k == 2 ? BLUE : NEGATIVE,
		 18000000000000000000ul + (unsigned)k, (char)-k);
	of_kinds(-k, (unsigned)k, (short)(32767 - k), (unsigned char)k, k, !(k & 1),
		 (enum color)(k + 70), (uint64_t)k, (char)('a' + k % 20));
	of_sizes(1, 2, 3, 4, k, 6, 7, 8);
	return 1;
}

HOST int host_many(int n, long limit, char letter)
{
	int sum = many(n, n + 1, n + 2, n * 3, n * 4, n - 5, n ^ 6, n | 7, n & 8, 9);

	sum += (int)changed(n, limit, (enum flags)(1 + n % 7));
	sum += outer(n, n * n, letter);
	sum += outer(3, n + sum % 2, 'x');
	for (int i = 0; i < n % 3; i++)
		sum += many(i, sum, n, i * n, letter, 5, 6, sum + i, 8, -i);
	return sum + (int)changed(sum % 5, 30, FLAG_C);
}

HOST int host_pointers(char *text, int n)
{
	int value = n * 11, *to = &value, list[] = { n, n + 1, 2 * n, 7, 9 };
	static const short grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
	struct point in = { n, -n }, two[2][2] = { { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } } };
	struct person person = { .small = 5, .to = &in };

	strings(text, text + 1, text + 2, n);
	strings(choices[n & 1], text, (char *)words[n % 8], n * 3);
	return pointers(&value, &to, &person, text + n % 4, two) + array(list, 3 + n % 3, grid) +
	       pointers(to, &to, person.next, &in, two + 1);
}

HOST double host_floats(double d, float f, int n)
{
	return floats(d, f, n, d * 2) + floats(1.5, 2.5f, n, f) + floats(n, f / 3, n + 1, d / 7);
}

HOST long host_structures(struct person *p, struct point v, struct three w, int k)
{
	structures(p, v, w, k);
	structures(p->next, (struct point){ k, 2 * k }, (struct three){ k, k + 1, k + 2 }, -k);
	return in_memory(*p, w, k) + in_memory(*p->next, (struct three){ k, 5, -k }, k + 1);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 3;
	struct point to = { -7, -8 };
	struct person a = { .bits = 5, .sbits = -3, .wide = 1ul << 39, .color = BLUE, .yes = true,
			    .title = "exactly12ch", .ptr = "pointed", .in = { 3, -4 }, .to = &to,
			    .array = { 1, 2, 3, 4, 5 }, .weight = 2.5, .small = 250 };
	struct person b = a;
	char text[32];

	a.next = &b, b.next = &a;
	b.bits = 7, b.sbits = -16, b.yes = false, b.small = 9, b.in.y = 44;
	strcpy(b.title, "short");
	for (int k = 1; k <= rounds; k++) {
		snprintf(text, sizeof(text), "string %d", k);
		a.array[2] = k;
		a.wide += (unsigned)k;
		host_integers(k);
		host_many(k, 10 + k, (char)('a' + k % 26));
		host_pointers(text, k);
		host_floats(k / 3.0, (float)k / 7, k);
		host_structures(k & 1 ? &a : &b, (struct point){ -k, k },
				(struct three){ -1, -2l * k, k }, k);
	}
	return sink == 12345;
}
