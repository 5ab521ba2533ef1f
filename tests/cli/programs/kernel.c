/* A kernel in small: -Os, so that functions follow each other without padding. */
#define inlined static inline __attribute__((always_inline))
#define emitted __attribute__((noinline, used))

static volatile int state;

inlined void count(int number)
{
	state += number;
}

emitted void work(int number)
{
	state = number;
}

/* What follows the call is inlined: a return address is in it, the call is not. */
emitted int reader(int number)
{
	work(number);
	count(3);
	return state;
}

inlined int read_twice(int number)
{
	return reader(number) + reader(number + 1);
}

emitted int do_syscall(int number)
{
	int sum = read_twice(number);

	count(sum);
	return sum;
}

emitted __attribute__((noreturn)) void panic(void)
{
	for (;;)
		state++;
}

inlined void give_up(void)
{
	panic();
}

/* Its last instruction is a call: the return address is that of the next function. */
emitted void fatal(int number)
{
	state = number;
	give_up();
}

emitted void follower(int number)
{
	count(number);
	state ^= number;
}

int _start(void)
{
	fatal(do_syscall(2));
	follower(1);
	return state;
}
