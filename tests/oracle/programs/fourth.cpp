#include "classes.hpp"

namespace {
inline int hidden(int value) { return geometry::measure(value) - sink; } // another one
} // namespace

struct Outer {
	struct Inner {
		int value;
		ALWAYS explicit operator int() const { return hidden(value); }
		ALWAYS int operator()(int more) const { return geometry::measure(value + more); }
		ALWAYS int operator[](int at) const { return (*this)(at) + hidden(at); }
	};
};

__attribute__((noinline)) static int far(const Shape &shape)
{
	Lock lock;
	return shape.size();
}

int dies_too(int value) { return Outer::Inner{value}[value]; }

int fourth(int value)
{
	Outer::Inner inner{value};
	Lock outer;
	{
		Lock lock;
		sink = inner[value];
	}
	return (int)inner + inner(3) + far(Square(value));
}
