#include "classes.hpp"

volatile int sink;
void operator delete(void *) noexcept {}
void operator delete(void *, __SIZE_TYPE__) noexcept {}

namespace {
inline int hidden(int value) { return geometry::measure(value) + sink; }
struct Local {
	int value;
	ALWAYS int get() const { return hidden(value); }
};
} // namespace

static int lambdas(int value)
{
	auto add = [value](int more) { return value + geometry::measure(more); };
	auto twice = [&](auto call, int more) { return call(more) + call(more + 1); };
	return twice(add, sink) + Local{value}.get();
}

int dies_by_gc(int value) { return lambdas(value) + geometry::Point(value, 2).norm(); }
int fourth(int value);

int main(int argc, char **)
{
	Lock lock;
	geometry::detail::Ring<int, 4> ring{};
	geometry::detail::Ring<long, 2> longs{};
	for (int i = 0; i < argc; i++) {
		ring.put(i);
		longs.put(i);
	}
	geometry::Point sum = geometry::Point(argc, 1) + geometry::Point(2, argc);
	Square square(argc);
	const Shape *shape = &square;
	return ring.sum() + (int)longs.sum() + measure(sum) + shape->size() + lambdas(argc) +
	       fourth(argc) + (int)geometry::measure((long)argc);
}
