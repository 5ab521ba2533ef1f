// Methods and templates, some of them inlined, for look-ups by address.
#include <string>
#include <vector>

volatile int sink;

namespace space {

struct pair {
	int left;

	__attribute__((always_inline)) inline int get(int by) const
	{
		sink += by;
		return left * by;
	}

	template <class T> __attribute__((noinline)) T convert(T x) const
	{
		return x + get(3);
	}
};

__attribute__((noinline)) int sum(const std::vector<std::string> &all)
{
	int total = 0;

	for (auto &one : all)
		total += one.size();
	return total;
}

}

int main(int count, char **arguments)
{
	std::vector<std::string> all(arguments, arguments + count);
	space::pair pair{count};

	return space::sum(all) + pair.convert(2) + pair.convert(3.5);
}
