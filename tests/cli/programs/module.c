/* A kernel module in small, with code in several sections. */
#define inlined static inline __attribute__((always_inline))
#define emitted __attribute__((noinline, used))

static volatile int state;

inlined void count(int number)
{
	state += number;
}

emitted int module_read(int number)
{
	count(number);
	return state;
}

emitted __attribute__((section(".text.unlikely"))) int module_warn(int number)
{
	count(1);
	return -1;
}

emitted __attribute__((section(".init.text"))) int module_start(void)
{
	count(7);
	return 0;
}

emitted __attribute__((section(".exit.text"))) void module_stop(void)
{
	count(9);
}
