// Sleeps where blocks, copies and statics have variables of many types.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum color { RED = 1, GREEN, BLUE };
struct point {
	int x, y;
};

__attribute__((noinline)) int leaf(int n, const char *name)
{
	int twice = n * 2;
	double half = n / 2.0;
	static int calls;
	struct point point = { n, -n };
	enum color color = n % 2 ? GREEN : RED;
	char letter = (char)('a' + n % 26);
	int items[3] = { n, n + 1, n + 2 };
	extern char **environ;

	calls++;
	for (int i = 0; i < 3; i++) {
		int square = i * i;
		if (i == 2) {
			const char *inner = "inner";
			int twice = 77;
			write(1, "sleeps\n", 7);
			pause();
			printf("%s %d %d %d %p\n", inner, square, twice, point.x, (void *)environ);
		}
	}
	{
		int not_in_scope = 5;
		printf("%d %f %d %c %d\n", not_in_scope + twice, half, color, letter, items[n % 3]);
	}
	return twice;
}

static inline __attribute__((always_inline)) int middle(int m)
{
	int local = m + 1, result = leaf(local, "leaf");

	return result + local;
}

int main(int argc, char **argv)
{
	long total = 0;

	total += middle(argc * 10);
	return (int)total + argv[0][0];
}
