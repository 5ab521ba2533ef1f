// Values that compilers describe with the rarer operations: converted ones, those of registers at
// the entry, pointers to what has no address, thread-local variables, arrays of variable length.
extern void use(double value);
extern void use_long(long value);

struct pair {
	int first, second;
};

__thread int local_to_thread;

static inline int first_and_double(const struct pair *pair, float factor)
{
	int twice = (int)(factor * 2.0f);

	return pair->first + twice;
}

double convert(float a, double b, int i, unsigned long n)
{
	double of_float = a, of_int = (double)i;
	long of_double = (long)b;
	unsigned short small = (unsigned short)n;

	use(b);
	use_long(of_double);
	struct pair pair = { i, 3 };
	int sum = first_and_double(&pair, a);
	use(of_int);
	return of_float + sum + small;
}

int *address_in_thread(void)
{
	return &local_to_thread;
}

long digits(const long *numbers, int index)
{
	static const char names[] = "0123456789abcdef";
	long number = numbers[index];
	float as_float = (float)number;
	unsigned third = (unsigned)(number / 3);
	__int128 wide = (__int128)number << 64;

	use(as_float);
	return third + names[index] + (long)(wide >> 70);
}

void variable_length(int count)
{
	char array[count];

	use_long((long)array);
	array[0] = 1;
	use_long(array[count - 1]);
}
