// Two functions with the same code, for linkers that fold them into one.
inline __attribute__((always_inline)) int hop(int x)
{
	return x * 5 + 1;
}

__attribute__((noinline)) int first(int a)
{
	return hop(a) + hop(a + 2);
}

__attribute__((noinline)) int second(int a)
{
	return hop(a) + hop(a + 2);
}

int main(int argc, char **)
{
	return first(argc) + second(argc);
}
