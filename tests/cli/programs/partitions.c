// With a partition for each function, link-time optimisation declares clones of functions that are
// in others, as work.constprop.
int g;

__attribute__((noinline)) int work(int a, int b, int c)
{
	for (int i = 0; i < a; i++)
		g += b * i + c;
	return g;
}

__attribute__((noinline)) int one(int n)
{
	return work(n, 3, 7) + 1;
}

__attribute__((noinline)) int two(int n)
{
	return work(n, 3, 7) + g;
}

int main(int count, char **arguments)
{
	(void)arguments;
	return one(count) + two(count) * 2;
}
