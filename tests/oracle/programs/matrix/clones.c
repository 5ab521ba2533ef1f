// What interprocedural optimisation makes of functions: clones by arguments (.constprop, .isra),
// a hot part that is inlined and a rest (.part), and cold code (.cold), each with copies in it.
volatile int sink;
extern int flags;

__attribute__((cold, noinline)) static void complain(int code) { sink = code; }

static inline int checked(int value)
{
	if (__builtin_expect(value < 0, 0))
		complain(value);
	return value + sink;
}

struct pair {
	int first, second;
};

// Only one member is used: it is passed instead of the pointer.
__attribute__((noinline)) static int by_member(struct pair *pair)
{
	return checked(pair->first) * checked(pair->first + sink);
}

// Called with one constant only.
__attribute__((noinline)) static int by_constant(int value, int factor)
{
	int total = 0;
	for (int i = 0; i < factor; i++)
		total += checked(value + i) + checked(total);
	return total;
}

static int guarded(int value)
{
	if (!flags)
		return 0;
	for (int i = 0; i < 40; i++) {
		sink += checked(value + i);
		sink -= checked(value - i);
		sink ^= checked(value * i);
	}
	return sink;
}

int flags;

int use(int value)
{
	struct pair pair = {value, 3};
	sink = by_member(&pair);
	sink += guarded(value);
	sink += guarded(value + 1);
	return by_constant(value, 100) + by_constant(value + 1, 100);
}

int main(int argc, char **argv)
{
	(void)argv;
	flags = argc;
	return use(argc) + guarded(argc);
}
