// Functions of which GCC splits off a part (-fpartial-inlining): far_off() is out of line, that of
// near_by() is inlined back.
int g;

__attribute__((noipa)) void slow(int *p, int k)
{
	g += p[k];
}

static void far_off(int *p, int k)
{
	if (k) {
		for (int i = 0; i < 4; i++) {
			slow(p, i);
			slow(p, i ^ 1);
			slow(p, i ^ 2);
			g += p[i] * k;
			slow(p, i ^ 3);
		}
		slow(p, k);
		slow(p, k + 1);
	}
}

static void near_by(int *p, int k)
{
	if (k && *p != 77) {
		if (g > 1000) {
			g = 1;
			return;
		}
		for (int i = 0; i < 2; i++)
			slow(p, i);
	}
}

__attribute__((noipa)) int a(int *p, int k)
{
	far_off(p, k);
	near_by(p, k);
	g++;
	far_off(p + 1, k);
	near_by(p + 1, k);
	return g;
}

__attribute__((noipa)) int b(int *p, int k)
{
	far_off(p, k + 1);
	near_by(p, k + 1);
	return g;
}

int main(int count, char **arguments)
{
	int numbers[16] = { 0 };
	(void)arguments;
	return a(numbers, count & 3) + b(numbers, count & 3);
}
