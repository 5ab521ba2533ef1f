// A kernel module with an inlined function: each number that is written to its parameter is a call,
// which it prints with its arguments.
#include <linux/module.h>
#include <linux/moduleparam.h>

struct item {
	int size;
	const char *name;
};

static struct item items[] = { { 10, "ten" }, { 20, "twenty" }, { 30, "thirty" } };
static volatile int sink;
static char last[16] = "none";

static __always_inline void take(long number, const char *word, struct item *item, char *text)
{
	sink += number;
	pr_info("take number=%ld word=%s size=%d name=%s text=%s\n", number, word, item->size,
		item->name, text);
}

static noinline int first(long number)
{
	take(number, number & 1 ? "odd" : "even", &items[number % 3], last);
	return sink;
}

static noinline int second(long number)
{
	take(-number, "constant", &items[1], last);
	return sink;
}

static int set(const char *text, const struct kernel_param *param)
{
	long number;
	int fault = kstrtol(text, 0, &number);

	if (fault)
		return fault;
	first(number);
	snprintf(last, sizeof(last), "%ld", number);
	second(number);
	return 0;
}

static const struct kernel_param_ops ops = { .set = set };

module_param_cb(number, &ops, NULL, 0200);
MODULE_LICENSE("GPL");
