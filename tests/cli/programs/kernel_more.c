/* Functions of one name, as kernels have many: alike() is as long in both, unlike() is not. */
#define emitted __attribute__((noinline, used))

static volatile int state;

static emitted void alike(int number)
{
	state = number ^ NUMBER;
}

static emitted void unlike(int number)
{
#if NUMBER > 1
	state = number;
	state -= number;
#endif
	state += number;
}
