// Linked with itself, compiled twice: static functions of one name, of which one is larger.
volatile int sink;

__attribute__((noinline)) static int helper(int n)
{
#ifdef LARGE
	sink += n * 3;
	sink += n * 5;
	sink += n * 7;
	sink += n * 11;
#endif
	return n + sink;
}

#ifdef LARGE
int add(int n)
{
	return helper(n);
}
#else
int add(int n);

int main(void)
{
	return helper(add(1));
}
#endif
