// exceptions WHERE: as situations.c, in C++.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <unistd.h>
#include <vector>

#define FUNCTION __attribute__((noinline, noclone))

static bool stays;
volatile int sink;

namespace place {

FUNCTION void arrive()
{
	if (!stays)
		abort();
	puts("here");
	fflush(stdout);
	while (sink != 12345) // always: but compilers must not know that nothing comes after it
		pause();
}

struct Guard {
	int number;
	explicit Guard(int n) : number(n) {}
	~Guard() { sink = number; arrive(); sink = 3; }
};

template <typename T> FUNCTION T throws(T value)
{
	Guard guard(1);
	if (sink == 0)
		throw std::runtime_error("thrown");
	return value;
}

} // namespace place

FUNCTION static int while_unwinding()
{
	try {
		return place::throws<long>(1);
	} catch (const std::exception &) {
		return sink;
	}
}

FUNCTION static int in_handler()
{
	try {
		throw 1;
	} catch (int number) {
		sink = number;
		place::arrive();
	}
	return sink;
}

FUNCTION static int not_caught() noexcept
{
	throw std::logic_error("not caught");
}

FUNCTION static int in_lambda()
{
	std::vector<int> numbers{3, 1, 2};
	std::sort(numbers.begin(), numbers.end(), [](int a, int b) {
		place::arrive();
		return a < b;
	});
	return numbers[0];
}

int main(int argc, char **argv)
{
	const char *where = argc > 1 ? argv[1] : "";

	stays = argc > 2;
	if (!strcmp(where, "unwinding"))
		return while_unwinding();
	if (!strcmp(where, "handler"))
		return in_handler();
	if (!strcmp(where, "not_caught"))
		return not_caught();
	if (!strcmp(where, "lambda"))
		return in_lambda();
	return 64;
}
